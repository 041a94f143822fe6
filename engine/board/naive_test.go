package board

import (
	"fmt"
	"slices"
	"strings"
)

// A naive board says what the rules say, in the words of the rules and with
// no thought for speed: it is what Board is compared with.
//
// What renju forbids follows the rules of the Renju International Federation,
// sections 9.2 and 9.3: https://www.renju.net/rifrules/
type naive struct {
	rule Rule
	w, h int
	cell [][]byte // signs of a picture; cell[y][x]
}

func newNaive(w, h int, rule Rule) *naive {
	n := &naive{rule: rule, w: w, h: h}
	for range h {
		n.cell = append(n.cell, []byte(strings.Repeat(".", w)))
	}
	return n
}

// naiveOf copies the stones of b.
func naiveOf(b *Board) *naive {
	n := newNaive(b.Width(), b.Height(), b.Rule())
	for y := range n.h {
		for x := range n.w {
			n.cell[y][x] = ".XO#"[b.At(Pt(x, y))]
		}
	}
	return n
}

type point struct{ x, y int }

func (p point) String() string { return Pt(p.x, p.y).String() }

// step returns the point k steps away.
func (p point) step(d point, k int) point { return point{p.x + k*d.x, p.y + k*d.y} }

// The directions: row, column and the two diagonals.
var naiveDirs = [4]point{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// at returns what lies on p, a blank beyond the edge.
func (n *naive) at(p point) byte {
	if p.x < 0 || p.x >= n.w || p.y < 0 || p.y >= n.h {
		return ' '
	}
	return n.cell[p.y][p.x]
}

// with calls f while a stone c lies on p.
func (n *naive) with(p point, c byte, f func() bool) bool {
	if n.at(p) != '.' {
		panic(fmt.Sprintf("%v is not empty", p))
	}
	n.cell[p.y][p.x] = c
	defer func() { n.cell[p.y][p.x] = '.' }()
	return f()
}

// A run is a maximal row of stones of one colour.
type run struct {
	stones       int
	before, past point // the points just beyond its ends
}

// run returns the run through the stone on p.
func (n *naive) run(p, d point) run {
	c := n.at(p)
	r := run{1, p.step(d, -1), p.step(d, 1)}
	for n.at(r.before) == c {
		r.before = r.before.step(d, -1)
		r.stones++
	}
	for n.at(r.past) == c {
		r.past = r.past.step(d, 1)
		r.stones++
	}
	return r
}

// winningRun reports whether the run through the stone on p wins.
func (n *naive) winningRun(p, d point) bool {
	c := n.at(p)
	opponent := byte('X')
	if c == 'X' {
		opponent = 'O'
	}
	r := n.run(p, d)
	blocked := n.at(r.before) == opponent && n.at(r.past) == opponent
	switch n.rule {
	case Freestyle:
		return r.stones >= 5
	case Standard:
		return r.stones == 5
	case Renju:
		return r.stones == 5 || r.stones > 5 && c == 'O'
	case Caro5:
		return r.stones == 5 && !blocked
	case Caro6:
		return r.stones > 5 || r.stones == 5 && !blocked
	}
	panic("no such rule")
}

// wonAt reports whether the stone on p is part of a winning run.
func (n *naive) wonAt(p point) bool {
	for _, d := range naiveDirs {
		if n.winningRun(p, d) {
			return true
		}
	}
	return false
}

// wins reports whether a stone c on the empty point p would win.
func (n *naive) wins(p point, c byte) bool {
	return n.with(p, c, func() bool { return n.wonAt(p) })
}

// forbidden returns why black may not play on the empty point p in renju.
func (n *naive) forbidden(p point) Forbidden {
	forbidden := NotForbidden
	n.with(p, 'X', func() bool {
		forbidden = n.forbiddenAt(p)
		return true
	})
	return forbidden
}

// forbiddenAt is forbidden with black's stone on p already.
func (n *naive) forbiddenAt(p point) Forbidden {
	fours, threes, overline := 0, 0, false
	for _, d := range naiveDirs {
		switch stones := n.run(p, d).stones; {
		case stones == 5:
			return NotForbidden // a five wins whatever else it makes
		case stones > 5:
			overline = true
		}
	}
	for _, d := range naiveDirs {
		fours += n.fours(p, d)
	}
	if fours >= 2 {
		return DoubleFour
	}
	for _, d := range naiveDirs {
		if n.three(p, d) {
			threes++
		}
	}
	if threes >= 2 {
		return DoubleThree
	}
	if overline {
		return Overline
	}
	return NotForbidden
}

// fours counts the fours in direction d that the black stone on p belongs to:
// the points that would make it a five, but a straight four has two of them.
func (n *naive) fours(p, d point) int {
	if n.straightFour(p, d) {
		return 1
	}
	fours := 0
	for k := -4; k <= 4; k++ {
		if n.makesFive(p, p.step(d, k), d) {
			fours++
		}
	}
	return fours
}

// makesFive reports whether black's stone on the point q would make a run of
// exactly five through p.
func (n *naive) makesFive(p, q, d point) bool {
	return n.at(q) == '.' && n.with(q, 'X', func() bool { return n.run(p, d).stones == 5 })
}

// straightFour reports whether the black stone on p is one of four in a row
// that either end would make a five.
func (n *naive) straightFour(p, d point) bool {
	r := n.run(p, d)
	return r.stones == 4 && n.makesFive(p, r.before, d) && n.makesFive(p, r.past, d)
}

// three reports whether the black stone on p is part of a three in direction
// d: one more stone there can make a straight four of it, without making a
// five at the same time and without being forbidden itself.
func (n *naive) three(p, d point) bool {
	if n.fours(p, d) > 0 {
		return false
	}
	for k := -3; k <= 3; k++ {
		q := p.step(d, k)
		if n.at(q) != '.' {
			continue
		}
		if n.with(q, 'X', func() bool {
			return n.straightFour(p, d) && !n.wonAt(q) && n.forbiddenAt(q) == NotForbidden
		}) {
			return true
		}
	}
	return false
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
	n.with(p, c, func() bool {
		l = n.lineAt(p, d)
		return true
	})
	return l
}

// lineAt is line with the stone on p already. It is the definitions of Line.
func (n *naive) lineAt(p, d point) Line {
	radius := windowRadius(n.rule)
	key := []byte{byte(n.rule)}
	for k := -radius; k <= radius; k++ {
		key = append(key, n.at(p.step(d, k)))
	}
	if l, ok := naiveLines[string(key)]; ok {
		return l
	}
	l := n.defineLine(p, d)
	naiveLines[string(key)] = l
	return l
}

func (n *naive) defineLine(p, d point) Line {
	c := n.at(p)
	stones := n.run(p, d).stones
	renjuBlack := n.rule == Renju && c == 'X'
	switch {
	case n.winningRun(p, d):
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
		if q := p.step(d, k); n.at(q) == '.' {
			f(q)
		}
	}
}

// ways counts the empty points near p by what one more stone there makes of
// the line through p.
func (n *naive) ways(p, d point) map[Line]int {
	ways := map[Line]int{}
	n.window(p, d, func(q point) {
		n.with(q, n.at(p), func() bool {
			ways[n.lineAt(p, d)]++
			return true
		})
	})
	return ways
}

// stoppable reports whether one stone of the opponent takes away every five
// through p.
func (n *naive) stoppable(p, d point) bool {
	stoppable := false
	n.window(p, d, func(q point) {
		n.with(q, 'X'^'O'^n.at(p), func() bool {
			stoppable = stoppable || n.ways(p, d)[LineFive] == 0
			return true
		})
	})
	return stoppable
}

// lines returns what c's stone on the empty point p would make in all four
// directions.
func (n *naive) lines(p point, c byte) (lines [4]Line) {
	for i, d := range naiveDirs {
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
			q := point{p.x + dx, p.y + dy}
			close := max(dx, -dx) <= 3 && max(dy, -dy) <= 3
			inLine := dx == 0 || dy == 0 || dx == dy || dx == -dy
			if (close || inLine) && n.at(q) != '.' && n.at(q) != ' ' {
				return true
			}
		}
	}
	return false
}
