package board

import (
	"slices"

	"kumiko/engine/board/boardtest"
)

// A naive board is a slow reference implementation of Board. The referee provides
// the rules; it adds the definitions of the patterns.
type naive struct {
	*boardtest.Referee
	rule Rule
}

type point = boardtest.Point

func pointOf(m Move) point { return point{X: m.X(), Y: m.Y()} }

func newNaive(w, h int, rule Rule) *naive {
	return &naive{boardtest.New(w, h, rule.String()), rule}
}

// naiveOf copies the stones of b.
func naiveOf(b *Board) *naive {
	n := newNaive(b.Width(), b.Height(), b.Rule())
	for y := range b.Height() {
		for x := range b.Width() {
			n.Set(point{X: x, Y: y}, ".XO#"[b.At(Pt(x, y))])
		}
	}
	return n
}

// sign returns the sign of c's stones in a picture.
func sign(c Color) byte { return ".XO"[c.Stone()] }

// windowRadius returns how many points to either side a Line is read from.
func windowRadius(r Rule) int {
	if r == Freestyle {
		return 4
	}
	return 5
}

// naiveLines holds line patterns found so far, by rule and window. Without
// it the definitions, which look four stones ahead, would take too long.
var naiveLines = map[string]Line{}

// line returns the pattern that c's stone on the empty point p would make.
func (n *naive) line(p, d point, c byte) (l Line) {
	n.With(p, c, func() { l = n.lineAt(p, d) })
	return l
}

// lineAt is line with the stone on p already. It is the definitions of Line.
func (n *naive) lineAt(p, d point) Line {
	radius := windowRadius(n.rule)
	key := []byte{byte(n.rule)}
	for k := -radius; k <= radius; k++ {
		key = append(key, n.At(p.Step(d, k)))
	}
	if l, ok := naiveLines[string(key)]; ok {
		return l
	}
	l := n.defineLine(p, d)
	naiveLines[string(key)] = l
	return l
}

func (n *naive) defineLine(p, d point) Line {
	c := n.At(p)
	stones, _, _ := n.Run(p, d)
	renjuBlack := n.rule == Renju && c == 'X'
	switch {
	case n.WinningRun(p, d):
		return LineFive
	case stones > 5 && renjuBlack:
		return LineOverline
	case stones >= 5:
		return LineDead
	}
	ways := n.ways(p, d)
	switch fives := ways[LineFive]; {
	case fives >= 2 && renjuBlack && stones != 4:
		return LineDoubleFour
	case fives >= 2 && !n.stoppable(p, d):
		return LineOpenFour
	case fives >= 1:
		return LineFour
	}
	switch {
	case ways[LineOpenFour] >= 2:
		return LineThreePlus
	case ways[LineOpenFour] == 1:
		return LineThree
	case ways[LineFour] >= 1:
		return LineBlockedThree
	}
	switch threes := ways[LineThree] + ways[LineThreePlus]; {
	case threes >= 4:
		return LineTwoMax
	case threes == 3:
		return LineTwoPlus
	case threes >= 1:
		return LineTwo
	}
	switch {
	case ways[LineBlockedThree] >= 1:
		return LineBlockedTwo
	case ways[LineTwo]+ways[LineTwoPlus]+ways[LineTwoMax] >= 1:
		return LineOne
	case ways[LineBlockedTwo] >= 1:
		return LineBlockedOne
	}
	return LineDead
}

// window calls f with every empty point that lineAt sees from p.
func (n *naive) window(p, d point, f func(q point)) {
	radius := windowRadius(n.rule)
	for k := -radius; k <= radius; k++ {
		if q := p.Step(d, k); n.At(q) == '.' {
			f(q)
		}
	}
}

// ways counts the empty points near p by what one more stone there makes of
// the line through p.
func (n *naive) ways(p, d point) map[Line]int {
	ways := map[Line]int{}
	n.window(p, d, func(q point) {
		n.With(q, n.At(p), func() { ways[n.lineAt(p, d)]++ })
	})
	return ways
}

// stoppable reports whether one stone of the opponent takes away every five
// through p.
func (n *naive) stoppable(p, d point) bool {
	stoppable := false
	n.window(p, d, func(q point) {
		n.With(q, 'X'^'O'^n.At(p), func() { stoppable = stoppable || n.ways(p, d)[LineFive] == 0 })
	})
	return stoppable
}

// lines returns what c's stone on the empty point p would make in all four
// directions.
func (n *naive) lines(p point, c byte) (lines [4]Line) {
	for i, d := range boardtest.Directions {
		lines[i] = n.line(p, d, c)
	}
	return lines
}

// shape returns what c's stone on the empty point p would make.
func (n *naive) shape(p point, c byte) Shape {
	return naiveShape(n.lines(p, c), n.rule == Renju && c == 'X')
}

// naiveShape is the definitions of Shape.
func naiveShape(lines [4]Line, renjuBlack bool) Shape {
	count := func(kinds ...Line) (k int) {
		for _, l := range lines {
			if slices.Contains(kinds, l) {
				k++
			}
		}
		return k
	}
	var (
		fours   = count(LineFour, LineOpenFour)
		threes  = count(LineThree, LineThreePlus)
		blocked = count(LineBlockedThree)
		twos    = count(LineTwo, LineTwoPlus, LineTwoMax)
	)
	if count(LineFive) > 0 {
		return ShapeFive
	}
	if renjuBlack && (count(LineOverline, LineDoubleFour) > 0 || fours > 1 || threes > 1) {
		return ShapeForbidden
	}
	for _, s := range []struct {
		shape Shape
		holds bool
	}{
		{ShapeOpenFour, fours > 1 || count(LineOpenFour) > 0},
		{ShapeFourThree, fours > 0 && threes > 0},
		{ShapeFourPlus, fours > 0 && blocked+twos > 0},
		{ShapeFour, fours > 0},
		{ShapeThreeThree, threes > 1},
		{ShapeThreePlus, threes > 0 && blocked+twos > 0},
		{ShapeThree, threes > 0},
		{ShapeBlockedThreePlus, blocked > 0 && blocked+twos > 1},
		{ShapeTwoTwo, twos > 1},
		{ShapeBlockedThree, blocked > 0},
		{ShapeTwo, twos > 0},
	} {
		if s.holds {
			return s.shape
		}
	}
	return ShapeNone
}

// near reports whether p lies within three points of a stone, or four along
// a line.
func (n *naive) near(p point) bool {
	for dy := -4; dy <= 4; dy++ {
		for dx := -4; dx <= 4; dx++ {
			q := point{X: p.X + dx, Y: p.Y + dy}
			close := max(dx, -dx) <= 3 && max(dy, -dy) <= 3
			inLine := dx == 0 || dy == 0 || dx == dy || dx == -dy
			if (close || inLine) && n.At(q) != '.' && n.At(q) != ' ' {
				return true
			}
		}
	}
	return false
}
