package pattern

import (
	"math/rand/v2"
	"testing"

	"kumiko/engine/board"
)

// codeOf packs four line patterns.
func codeOf(l [4]board.Line) board.Code {
	return board.Code(l[0]) | board.Code(l[1])<<4 | board.Code(l[2])<<8 | board.Code(l[3])<<12
}

// permutations calls f with the four patterns in each of their orders.
func permutations(l [4]board.Line, f func([4]board.Line)) {
	for a := range 4 {
		for b := range 4 {
			for c := range 4 {
				if d := 6 - a - b - c; a != b && a != c && b != c {
					f([4]board.Line{l[a], l[b], l[c], l[d]})
				}
			}
		}
	}
}

// Codes share an index if and only if they hold the same patterns, and all
// numbers below NumCodes are taken.
func TestIndex(t *testing.T) {
	owner := map[int][4]board.Line{}
	for a := range board.Line(numLines) {
		for b := range a + 1 {
			for c := range b + 1 {
				for d := range c + 1 {
					sorted := [4]board.Line{a, b, c, d}
					i := Index(codeOf(sorted))
					if i < 0 || i >= NumCodes {
						t.Fatalf("%v has index %d of %d", sorted, i, NumCodes)
					}
					if other, ok := owner[i]; ok {
						t.Fatalf("%v and %v share index %d", sorted, other, i)
					}
					owner[i] = sorted
					permutations(sorted, func(l [4]board.Line) {
						if got := Index(codeOf(l)); got != i {
							t.Fatalf("%v has index %d, %v %d", sorted, i, l, got)
						}
					})
				}
			}
		}
	}
	if len(owner) != NumCodes {
		t.Errorf("%d indexes are used, want %d", len(owner), NumCodes)
	}
	for code := range 1 << 16 {
		if i := Index(board.Code(code)); i < 0 || i >= NumCodes {
			t.Errorf("code %#x has index %d of %d", code, i, NumCodes)
		}
	}
}

// Every code that occurs on a board has patterns the index knows.
func TestIndexCoversBoard(t *testing.T) {
	for rule := range board.Rule(board.NumRules) {
		randomPositions(t, rule, 50, func(b *board.Board) {
			eachCode(b, func(_ board.Move, _ board.Color, code board.Code) {
				for d := range 4 {
					if code.Line(d) >= numLines {
						t.Fatalf("line pattern %d in %#x", code.Line(d), code)
					}
				}
			})
		})
	}
}

// randomPositions calls f with positions of random games, n for the rule.
func randomPositions(t *testing.T, rule board.Rule, n int, f func(b *board.Board)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(rule)))
	b, err := board.New(9, 11, rule)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		if b.Stones() > 60 {
			b.Clear()
		}
		for {
			if m := board.Pt(rng.IntN(9), rng.IntN(11)); b.Empty(m) {
				b.Place(m)
				break
			}
		}
		f(b)
	}
}

// eachCode calls f with both players' codes of every empty point.
func eachCode(b *board.Board, f func(m board.Move, c board.Color, code board.Code)) {
	for y := range b.Height() {
		for x := range b.Width() {
			if m := board.Pt(x, y); b.Empty(m) {
				for c := board.Black; c <= board.White; c++ {
					f(m, c, b.Code(m, c))
				}
			}
		}
	}
}

// randomTables fills tables with random numbers.
func randomTables(rule board.Rule) *Tables {
	rng := rand.New(rand.NewPCG(2, uint64(rule)))
	t := &Tables{Rule: rule}
	for _, all := range []*[2][NumCodes]int16{&t.Value, &t.Attack, &t.Defend} {
		for c := range all {
			for i := range all[c] {
				all[c][i] = int16(rng.Uint32())
			}
		}
	}
	for i := range t.Threats {
		t.Threats[i] = int16(rng.Uint32())
	}
	return t
}

// Spread over all codes, the numbers are those of the index.
func TestSpread(t *testing.T) {
	for rule := range board.Rule(board.NumRules) {
		tables := randomTables(rule)
		w, o := tables.Weights(), tables.Order()
		randomPositions(t, rule, 30, func(b *board.Board) {
			eachCode(b, func(m board.Move, c board.Color, code board.Code) {
				if got, want := w[c][code], tables.Value[c][Index(code)]; got != want {
					t.Fatalf("weight of %#x: %d, want %d", code, got, want)
				}
				d := c.Opponent()
				want := int(tables.Attack[c][Index(code)]) + int(tables.Defend[d][Index(b.Code(m, d))])
				if got := o.Worth(b, m, c); got != want {
					t.Fatalf("worth of %v for %v: %d, want %d", m, c, got, want)
				}
			})
		})
	}
}

// The value that the board keeps with the weights is the sum over its points.
func TestWeightsOnBoard(t *testing.T) {
	for rule := range board.Rule(board.NumRules) {
		tables := randomTables(rule)
		var kept *board.Board
		randomPositions(t, rule, 30, func(b *board.Board) {
			if kept == nil {
				kept = b
				b.SetWeights(tables.Weights())
			}
			var want [2]int
			eachCode(b, func(_ board.Move, c board.Color, code board.Code) {
				want[c] += int(tables.Value[c][Index(code)])
			})
			for c := board.Black; c <= board.White; c++ {
				if got := b.Value(c); got != want[c] {
					t.Fatalf("value for %v: %d, want %d", c, got, want[c])
				}
			}
		})
	}
}

// A mask has the bits of the shapes that are there, each seen from the side
// to move.
func TestThreats(t *testing.T) {
	for _, c := range []struct {
		name, picture string
		want          int
	}{
		{"nothing", `
			. . . . . . . . .
			. . . . . . . . .
			. . . . X . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			white to move`, 0},
		{"an open three of black, who is to move", `
			. . . . . . . . .
			. . . . . . . . .
			. . X X . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`, MineThree},
		{"the same, white to move", `
			. . . . . . . . .
			. . . . . . . . .
			. . X X . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			white to move`, TheirThree},
		{"a blocked three", `
			. . . . . . . . .
			. . . . . . . . .
			O X X X . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`, MineFour},
		{"the same, white to move", `
			. . . . . . . . .
			. . . . . . . . .
			O X X X . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			white to move`, TheirFour},
		{"an open four of the opponent", `
			. . . . . . . . .
			. . . . . . . . .
			. . . X X X . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			white to move`, TheirOpenFour | TheirFour},
		{"four-three", `
			. . . . . . . . .
			. . . . . . . . .
			O X X X . . . . .
			. . . . X . . . .
			. . . . X . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`, MineFour | MineFourThree | MineThree},
	} {
		b, err := board.Parse(board.Freestyle, c.picture)
		if err != nil {
			t.Fatal(err)
		}
		if got := Threats(b); got != c.want {
			t.Errorf("%s: threats %09b, want %09b", c.name, got, c.want)
		}
	}
}

// Masks stay within the table, and passing the move exchanges the sides.
func TestThreatsRange(t *testing.T) {
	mine := map[int]int{
		MineFour: TheirFour, MineFourThree: TheirFourThree, MineThreeThree: TheirThreeThree, MineThree: TheirThree,
	}
	for rule := range board.Rule(board.NumRules) {
		randomPositions(t, rule, 200, func(b *board.Board) {
			here := Threats(b)
			b.Pass()
			there := Threats(b)
			b.Undo()
			if here < 0 || here >= NumThreats || there < 0 || there >= NumThreats {
				t.Fatalf("threats %b and %b", here, there)
			}
			for m, o := range mine {
				if (here&m != 0) != (there&o != 0) || (here&o != 0) != (there&m != 0) {
					t.Fatalf("threats %09b, after a pass %09b:\n%v", here, there, b)
				}
			}
		})
	}
}

// The hand-made tables value both players alike, but in renju, where black
// forbids moves; and what is stronger is worth more.
func TestHand(t *testing.T) {
	for rule := range board.Rule(board.NumRules) {
		h := Hand(rule)
		if h.Rule != rule {
			t.Errorf("tables of %v are for %v", rule, h.Rule)
		}
		alike := h.Value[0] == h.Value[1] && h.Attack[0] == h.Attack[1] && h.Defend[0] == h.Defend[1]
		if want := rule != board.Renju; alike != want {
			t.Errorf("%v: both players alike: %t, want %t", rule, alike, want)
		}
		if *Hand(rule) != *h {
			t.Errorf("%v: made twice, the tables differ", rule)
		}
		ranks := []board.Line{board.LineDead, board.LineBlockedOne, board.LineBlockedTwo, board.LineTwo, board.LineThree, board.LineOpenFour, board.LineFive}
		for i := 1; i < len(ranks); i++ {
			weak, strong := Index(codeOf([4]board.Line{ranks[i-1]})), Index(codeOf([4]board.Line{ranks[i]}))
			// Positions with a five to make are not valued.
			value := ranks[i] == board.LineFive || h.Value[1][weak] <= h.Value[1][strong]
			if !value || h.Attack[1][weak] > h.Attack[1][strong] || h.Defend[1][weak] > h.Defend[1][strong] {
				t.Errorf("%v: line pattern %d is worth more than %d", rule, ranks[i-1], ranks[i])
			}
		}
	}
}
