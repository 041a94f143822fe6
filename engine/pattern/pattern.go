// Package pattern holds the weights of line patterns that the search's fast
// evaluation and its move ordering read at every node. They are made by hand or
// fitted to games, in the same form and file format.
//
// The value of a position for the side to move is
//
//	Σ Value[c](code of c at p) − Σ Value[o](code of o at p) + Threats[mask]
//
// over the empty points p, where c is the side to move and o its opponent. [Logit]
// units are one logit of the winning probability. The worth of a move at p is
// Attack[c](code of c at p) + Defend[o](code of o at p), in the same units, of the
// probability that it is the best move.
package pattern

import (
	"slices"

	"kumiko/engine/board"
)

// Logit is the value of one logit: a position of value v is won with probability
// 1/(1+exp(−v/Logit)).
const Logit = 200

// numLines is the number of line patterns in codes.
const numLines = 15

// NumCodes is the number of codes that differ in more than the order of their
// directions: the multisets of four patterns out of fifteen.
const NumCodes = numLines * (numLines + 1) * (numLines + 2) * (numLines + 3) / 24

// indexes maps every code to 0..NumCodes-1.
var indexes = func() (t [1 << 16]uint16) {
	n := uint16(0)
	// A sorted code comes before its permutations in this order of the loops.
	var number [1 << 16]uint16
	for a := range board.Code(numLines) {
		for b := range a + 1 {
			for c := range b + 1 {
				for d := range c + 1 {
					number[a<<12|b<<8|c<<4|d] = n
					n++
				}
			}
		}
	}
	for code := range t {
		l := []board.Code{board.Code(code) & 15, board.Code(code) >> 4 & 15, board.Code(code) >> 8 & 15, board.Code(code) >> 12}
		slices.Sort(l)
		if l[3] < numLines {
			t[code] = number[l[3]<<12|l[2]<<8|l[1]<<4|l[0]]
		}
	}
	return t
}()

// Index returns a number below NumCodes for a code. Codes of the same patterns in
// any order share it.
func Index(code board.Code) int { return int(indexes[code]) }

// The bits of a threat mask: what each player can make next. "Mine" refers to the
// side to move.
const (
	MineFour = 1 << iota
	MineFourThree
	MineThreeThree
	MineThree
	TheirOpenFour
	TheirFourThree
	TheirFour
	TheirThreeThree
	TheirThree

	// NumThreats is the number of threat masks.
	NumThreats
)

// Threats returns the threat mask of a position.
func Threats(b *board.Board) int {
	c := b.Side()
	o := c.Opponent()
	mask := 0
	set := func(n, bit int) {
		if n > 0 {
			mask |= bit
		}
	}
	set(b.Count(c, board.ShapeFour)+b.Count(c, board.ShapeFourPlus), MineFour)
	set(b.Count(c, board.ShapeFourThree), MineFourThree)
	set(b.Count(c, board.ShapeThreeThree), MineThreeThree)
	set(b.Count(c, board.ShapeThree)+b.Count(c, board.ShapeThreePlus), MineThree)
	set(b.Count(o, board.ShapeOpenFour), TheirOpenFour)
	set(b.Count(o, board.ShapeFourThree), TheirFourThree)
	set(b.Count(o, board.ShapeFour)+b.Count(o, board.ShapeFourPlus), TheirFour)
	set(b.Count(o, board.ShapeThreeThree), TheirThreeThree)
	set(b.Count(o, board.ShapeThree)+b.Count(o, board.ShapeThreePlus), TheirThree)
	return mask
}

// Tables are the weights for one rule. The first index of the arrays is the
// player; both are equal except in renju.
type Tables struct {
	Rule                  board.Rule
	Value, Attack, Defend [2][NumCodes]int16
	Threats               [NumThreats]int16
}

// Weights returns Value by code, for [board.Board.SetWeights].
func (t *Tables) Weights() *board.Weights {
	w := (*board.Weights)(spread(&t.Value))
	return w
}

// spread expands a table by index to one by code.
func spread(by *[2][NumCodes]int16) *[2][1 << 16]int16 {
	all := new([2][1 << 16]int16)
	for c := range all {
		for code := range all[c] {
			all[c][code] = by[c][indexes[code]]
		}
	}
	return all
}

// An Order is Attack and Defend by code. Their sum at a point is the worth of a
// move there.
type Order struct {
	attack, defend [2][1 << 16]int16
}

// Order returns the move ordering of t.
func (t *Tables) Order() *Order {
	return &Order{attack: *spread(&t.Attack), defend: *spread(&t.Defend)}
}

// Worth returns the worth of a move of c on the empty point m.
func (o *Order) Worth(b *board.Board, m board.Move, c board.Color) int {
	return int(o.attack[c&1][b.Code(m, c)]) + int(o.defend[c&1^1][b.Code(m, c^1)])
}
