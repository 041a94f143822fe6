// Package boardtest provides a referee for tests. It applies the text of the
// rules to a plain array, stone by stone: slow, obvious, and independent of
// package board, with which it shares neither code nor types, so that the two
// cannot share a mistake. Tests compare every implementation of the rules in
// this repository with it.
package boardtest

import "fmt"

// MaxSize is the largest width and height of a board, above that of package board.
const MaxSize = 100

// The contents of a point, as in the pictures of package board.
const (
	Black = 'X'
	White = 'O'
	Dead  = '#' // out of play, neither player's
	Empty = '.'
	Off   = ' ' // beyond the edge
)

// The reasons for which renju forbids black a point, named as in package board.
const (
	None        = "none"
	DoubleThree = "double-three"
	DoubleFour  = "double-four"
	Overline    = "overline"
)

// Rules are the names of the rules that the referee knows.
var Rules = []string{"freestyle", "standard", "renju", "caro5", "caro6"}

// A Point may lie off the board, and is also a direction.
type Point struct{ X, Y int }

// Step returns the point k steps away in direction d.
func (p Point) Step(d Point, k int) Point { return Point{p.X + k*d.X, p.Y + k*d.Y} }

// String returns the point as a letter for the column and a number for the row,
// like h8. Columns beyond z are aa, ab and so on.
func (p Point) String() string {
	if p.X >= 26 {
		return fmt.Sprintf("a%c%d", 'a'+p.X-26, p.Y+1)
	}
	return fmt.Sprintf("%c%d", 'a'+p.X, p.Y+1)
}

// Directions are the four lines through a point: row, column, diagonals.
var Directions = [4]Point{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// A Referee holds a position and a rule, but no side to move.
type Referee struct {
	Rule          string
	Width, Height int
	cells         [MaxSize][MaxSize]byte // [y][x]
}

// New returns a referee for an empty board. It panics if the rule or the size is
// invalid.
func New(width, height int, rule string) *Referee {
	r := &Referee{Rule: rule, Width: width, Height: height}
	r.winning(5, Black, false)
	for y := range height {
		for x := range width {
			r.cells[y][x] = Empty
		}
	}
	return r
}

// At returns what lies on p.
func (r *Referee) At(p Point) byte {
	if p.X < 0 || p.X >= r.Width || p.Y < 0 || p.Y >= r.Height {
		return Off
	}
	return r.cells[p.Y][p.X]
}

// Empty reports whether p is an empty point of the board.
func (r *Referee) Empty(p Point) bool { return r.At(p) == Empty }

// Set sets the contents of a point of the board.
func (r *Referee) Set(p Point, stone byte) { r.cells[p.Y][p.X] = stone }

// With calls f while a stone lies on the empty point p.
func (r *Referee) With(p Point, stone byte, f func()) {
	if !r.Empty(p) {
		panic(fmt.Sprintf("boardtest: %v is not empty", p))
	}
	r.Set(p, stone)
	f()
	r.Set(p, Empty)
}

// Points returns the points that hold a stone, or those that are empty, row by
// row.
func (r *Referee) Points(stone byte) []Point {
	var list []Point
	for y := range r.Height {
		for x := range r.Width {
			if r.cells[y][x] == stone {
				list = append(list, Point{x, y})
			}
		}
	}
	return list
}

// Run returns the length of the row of one color through the stone on p, and the
// points just beyond its ends.
func (r *Referee) Run(p, d Point) (stones int, before, past Point) {
	c := r.At(p)
	stones, before, past = 1, p.Step(d, -1), p.Step(d, 1)
	for r.At(before) == c {
		before = before.Step(d, -1)
		stones++
	}
	for r.At(past) == c {
		past = past.Step(d, 1)
		stones++
	}
	return stones, before, past
}

// opponent returns the other player's stone.
func opponent(stone byte) byte {
	if stone == Black {
		return White
	}
	return Black
}

// WinningRun reports whether the row through the stone on p wins.
func (r *Referee) WinningRun(p, d Point) bool {
	c := r.At(p)
	stones, before, past := r.Run(p, d)
	blocked := r.At(before) == opponent(c) && r.At(past) == opponent(c)
	return r.winning(stones, c, blocked)
}

// winning reports whether a row of stones wins. It is blocked if opponent's
// stones are at both ends.
func (r *Referee) winning(stones int, color byte, blocked bool) bool {
	switch r.Rule {
	case "freestyle":
		return stones >= 5
	case "standard":
		return stones == 5
	case "renju":
		return stones == 5 || stones > 5 && color == White
	case "caro5":
		return stones == 5 && !blocked
	case "caro6":
		return stones > 5 || stones == 5 && !blocked
	}
	panic("boardtest: no rule " + r.Rule)
}

// Won reports whether the stone on p is part of a winning row.
func (r *Referee) Won(p Point) bool {
	for _, d := range Directions {
		if r.WinningRun(p, d) {
			return true
		}
	}
	return false
}

// Wins reports whether p is an empty point where the stone would win.
func (r *Referee) Wins(p Point, stone byte) bool {
	if !r.Empty(p) {
		return false
	}
	r.Set(p, stone)
	won := r.Won(p)
	r.Set(p, Empty)
	return won
}

// Legal reports whether the player of a stone may put it on p.
func (r *Referee) Legal(p Point, stone byte) bool {
	return r.Empty(p) && (stone == White || r.Forbidden(p) == None)
}

// Forbidden returns why black may not play on the empty point p: the first of
// DoubleFour, DoubleThree and Overline that applies in renju. It follows the
// rules of the Renju International Federation, sections 9.2 and 9.3:
// https://www.renju.net/rifrules/
func (r *Referee) Forbidden(p Point) string {
	if r.Rule != "renju" {
		return None
	}
	r.Set(p, Black)
	why := r.forbidden(p)
	r.Set(p, Empty)
	return why
}

// forbidden is Forbidden with black's stone on p already.
func (r *Referee) forbidden(p Point) string {
	fours, threes, overline := 0, 0, false
	for _, d := range Directions {
		switch stones, _, _ := r.Run(p, d); {
		case stones == 5:
			return None // a five wins whatever else it makes
		case stones > 5:
			overline = true
		}
	}
	for _, d := range Directions {
		fours += r.fours(p, d)
	}
	if fours >= 2 {
		return DoubleFour
	}
	for _, d := range Directions {
		if r.three(p, d) {
			threes++
		}
	}
	switch {
	case threes >= 2:
		return DoubleThree
	case overline:
		return Overline
	}
	return None
}

// fours counts the fours in direction d that the black stone on p belongs to: the
// points that would make it a five, except that the two of a straight four count
// once.
func (r *Referee) fours(p, d Point) int {
	if r.straightFour(p, d) {
		return 1
	}
	fours := 0
	for k := -4; k <= 4; k++ {
		if r.makesFive(p, p.Step(d, k), d) {
			fours++
		}
	}
	return fours
}

// makesFive reports whether black's stone on the point q would make a row of
// exactly five through p.
func (r *Referee) makesFive(p, q, d Point) bool {
	if !r.Empty(q) {
		return false
	}
	r.Set(q, Black)
	stones, _, _ := r.Run(p, d)
	r.Set(q, Empty)
	return stones == 5
}

// straightFour reports whether the black stone on p is one of four in a row that
// a stone at either end would make a five.
func (r *Referee) straightFour(p, d Point) bool {
	stones, before, past := r.Run(p, d)
	return stones == 4 && r.makesFive(p, before, d) && r.makesFive(p, past, d)
}

// three reports whether the black stone on p is part of a three in direction d:
// one more stone there can turn it into a straight four, without making a five
// at the same time and without being forbidden itself.
func (r *Referee) three(p, d Point) bool {
	if r.fours(p, d) > 0 {
		return false
	}
	for k := -3; k <= 3; k++ {
		q := p.Step(d, k)
		if !r.Empty(q) {
			continue
		}
		r.Set(q, Black)
		three := r.straightFour(p, d) && !r.Won(q) && r.forbidden(q) == None
		r.Set(q, Empty)
		if three {
			return true
		}
	}
	return false
}
