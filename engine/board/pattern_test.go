package board

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kumiko/engine/board/boardtest"
)

// What a stone of the stones X would make on the point *, in rows that reach
// from edge to edge.
func TestLine(t *testing.T) {
	everywhere := []Rule{Freestyle, Standard, Renju, Caro5, Caro6}
	exact := []Rule{Standard, Renju, Caro5}
	caro := []Rule{Caro5, Caro6}
	notCaro := []Rule{Freestyle, Standard, Renju}
	for _, tt := range []struct {
		row   string
		line  Line
		rules []Rule
	}{
		{". . X X * X X . .", LineFive, everywhere},
		{". . . X X X * . . .", LineOpenFour, everywhere},
		{". X X X * . .", LineOpenFour, everywhere},
		{"X X X * .", LineFour, everywhere},
		{"# X X X * . . .", LineFour, everywhere},
		{". . X X X . * . .", LineFour, everywhere},
		{". . X X . X * . .", LineFour, everywhere},
		{"O X X X * O", LineDead, everywhere},

		// A five at one end only, since the other would make six.
		{". X . X X X * . .", LineFour, exact},
		{". X . X X X * . .", LineOpenFour, []Rule{Freestyle, Caro6}},
		{"O X X X * . X .", LineDead, exact},
		{"O X X X * . X .", LineFour, []Rule{Freestyle, Caro6}},

		// In caro a five is blocked, or a stone that stops one blocks another.
		{". . X X X * . .", LineOpenFour, everywhere},
		{". . X X X * . O", LineFour, caro},
		{". . X X X * . O", LineOpenFour, notCaro},
		{"O . X X X * . O", LineFour, caro},
		{"O . X X X * . O", LineOpenFour, notCaro},
		{"O X X X * . O", LineDead, caro},
		{"O X X X * . O", LineFour, notCaro},
		{"O X X X * . #", LineFour, everywhere},

		// Two fours in one line.
		{". X . X X * . X .", LineOpenFour, []Rule{Freestyle, Standard, Caro5, Caro6}},
		{". X . X X * . X .", LineDoubleFour, []Rule{Renju}},
		{". X X . * X . X X .", LineDoubleFour, []Rule{Renju}},
		{"X X X . * . X X X", LineDoubleFour, []Rule{Renju}},
		{"X . X X * . X", LineDoubleFour, []Rule{Renju}},
		{". X X X . * . X X X .", LineDoubleFour, []Rule{Renju}},
		{". X X X X . * . X X X .", LineFour, []Rule{Renju}}, // f makes six
		{". X X X * X X . .", LineOverline, []Rule{Renju}},
		{". X X X * X X . .", LineFive, []Rule{Freestyle, Caro6}},
		{". X X X * X X . .", LineDead, []Rule{Standard, Caro5}},

		{". . . X X * . . .", LineThreePlus, everywhere},
		{". . . X . X * . . .", LineThree, everywhere},
		{". . X X * .", LineThree, everywhere},
		{"# . X X * . . .", LineThree, everywhere},
		{". X X * .", LineBlockedThree, everywhere},
		{"X X * . .", LineBlockedThree, everywhere},
		{"# X X * . . .", LineBlockedThree, everywhere},
		{". . X . X . * . .", LineBlockedThree, everywhere},
		{"O X X * O", LineDead, everywhere},
		{"# . X * . #", LineDead, everywhere},

		{". . . . X * . . . .", LineTwoMax, everywhere},
		{"# . . X * . . #", LineTwo, everywhere},
		{"# X * . . . .", LineBlockedTwo, everywhere},
		{". . . . . * . . . . .", LineOne, everywhere},
		{"# * . . . .", LineBlockedOne, everywhere},
		{"# * . . . #", LineDead, everywhere},
	} {
		for _, rule := range tt.rules {
			for dir := range numDirs {
				b, m := inLine(t, rule, tt.row, dir)
				if got := b.Line(m, Black, dir); got != tt.line {
					t.Errorf("%v, direction %d: %s makes %d, want %d", rule, dir, tt.row, got, tt.line)
				}
				if rule == Renju {
					continue
				}
				b, m = inLine(t, rule, exchanged(tt.row), dir)
				if got := b.Line(m, White, dir); got != tt.line {
					t.Errorf("%v, direction %d, for white: %s makes %d, want %d", rule, dir, tt.row, got, tt.line)
				}
			}
		}
	}
}

// Shapes of black's stone on the marked points.
func TestShape(t *testing.T) {
	const position = `
		. . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . .
		. . . X . . . . . . . . . . .
		. . . X . . . . . . X X X . .
		. . . X . . . . . . . . . . .
		. . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . .
		. . . . . . X . . . . . . . .
		. . . . . . X . X . . . . . .
		. . . . . . . X X X O . . . .
		. . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . .
		O X X X . . . . . . . . . . .`
	for _, tt := range []struct {
		at     string
		shapes [NumRules]Shape
	}{
		// freestyle, standard, renju, caro5, caro6
		{"j4", [...]Shape{ShapeOpenFour, ShapeOpenFour, ShapeOpenFour, ShapeOpenFour, ShapeOpenFour}},
		{"d6", [...]Shape{ShapeOpenFour, ShapeOpenFour, ShapeOpenFour, ShapeOpenFour, ShapeOpenFour}},
		{"o4", [...]Shape{ShapeFour, ShapeFour, ShapeFour, ShapeFour, ShapeFour}},
		{"e15", [...]Shape{ShapeFour, ShapeFour, ShapeFour, ShapeFour, ShapeFour}},
		{"g11", [...]Shape{ShapeFourThree, ShapeFourThree, ShapeFourThree, ShapeFourThree, ShapeFourThree}},
	} {
		for rule, want := range tt.shapes {
			b := mustParse(t, Rule(rule), position)
			if got := b.Shape(mustMove(t, tt.at), Black); got != want {
				t.Errorf("%v: shape %d at %s, want %d", Rule(rule), got, tt.at, want)
			}
		}
	}
}

// The table of line patterns holds what the definitions say: some windows of
// every rule, or all of them if the test is a long one.
func TestLineTable(t *testing.T) {
	for rule := range Rule(NumRules) {
		t.Run(rule.String(), func(t *testing.T) {
			radius := windowRadius(rule)
			b, err := New(2*radius+1, MinSize, rule)
			if err != nil {
				t.Fatal(err)
			}
			windows := 1 << (4 * radius) // two bits a point
			rng := rand.New(rand.NewPCG(4, uint64(rule)))
			if long() {
				for w := range windows {
					checkWindow(t, b, w)
				}
				return
			}
			for range 5000 {
				// Half of the points are empty.
				checkWindow(t, b, rng.IntN(windows)&(rng.IntN(windows)|rng.IntN(windows)))
			}
		})
	}
}

// checkWindow compares the patterns of both players in the middle of a row
// whose cells are the pairs of bits of w.
func checkWindow(t *testing.T, b *Board, w int) {
	const y = 2
	middle := b.Width() / 2
	var stones []Stone
	for x := range b.Width() {
		if x == middle {
			continue
		}
		if c := Cell(w & 3); c != Empty {
			stones = append(stones, Stone{Pt(x, y), c})
		}
		w >>= 2
	}
	if err := b.Setup(stones, Black); err != nil {
		t.Fatal(err)
	}
	twin := naiveOf(b)
	for c := Black; c <= White; c++ {
		got, want := b.Line(Pt(middle, y), c, 0), twin.line(point{X: middle, Y: y}, boardtest.Directions[0], sign(c))
		if got != want {
			t.Fatalf("%v, %v in the middle of row %d: %d, want %d\n%v", b.Rule(), c, y+1, got, want, b)
		}
	}
}

// countsOf counts the lines of a code.
func countsOf(code Code) (n lineCounts) {
	for d := range numDirs {
		n += countOf(code.Line(d))
	}
	return n
}

// The shape of any four lines is the one that the definitions give.
func TestShapeOfCode(t *testing.T) {
	for code := range 1 << 16 {
		var lines [4]Line
		for dir := range lines {
			lines[dir] = Code(code).Line(dir)
		}
		for _, forbidden := range []bool{false, true} {
			if got, want := shapeOf(countsOf(Code(code)), forbidden), naiveShape(lines, forbidden); got != want {
				t.Fatalf("lines %v, forbidden %v: shape %d, want %d", lines, forbidden, got, want)
			}
		}
	}
}

// The patterns are ordered by strength, which comparisons rely on.
func TestOrder(t *testing.T) {
	lines := []Line{LineDead, LineOverline, LineBlockedOne, LineOne, LineBlockedTwo, LineTwo, LineTwoPlus, LineTwoMax,
		LineBlockedThree, LineThree, LineThreePlus, LineFour, LineOpenFour, LineFive, LineDoubleFour}
	shapes := []Shape{ShapeNone, ShapeForbidden, ShapeTwo, ShapeBlockedThree, ShapeTwoTwo, ShapeBlockedThreePlus, ShapeThree,
		ShapeThreePlus, ShapeThreeThree, ShapeFour, ShapeFourPlus, ShapeFourThree, ShapeOpenFour, ShapeFive}
	if got, want := fmt.Sprint(lines), sequence(len(lines)); got != want {
		t.Errorf("lines are numbered %s", got)
	}
	if got, want := fmt.Sprint(shapes), sequence(NumShapes); got != want {
		t.Errorf("shapes are numbered %s", got)
	}
}

func sequence(n int) string {
	var s []string
	for i := range n {
		s = append(s, fmt.Sprint(i))
	}
	return "[" + strings.Join(s, " ") + "]"
}
