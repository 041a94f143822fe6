package engine

import (
	"fmt"
	"math"

	"kumiko/engine/pattern"
)

// A Score is the value of a position for the side to move, in the units of
// package pattern; see [Score.WinRate]. Scores of MateBound and above are wins at
// a known distance; see [Score.Mate].
type Score int32

const (
	mate = Score(30000)
	// MateBound is the least score of a win. Evaluations are below it.
	MateBound = Score(29000)
	infinite  = Score(32000)
	noScore   = Score(-32001) // an evaluation that was not made
	maxEval   = MateBound - 1
)

// mateIn is the score of making a five with the n-th stone from the root.
func mateIn(n int) Score { return mate - Score(n) }

// matedIn is the score of the opponent's doing so.
func matedIn(n int) Score { return Score(n) - mate }

// Mate returns the number of plies to the five, negative if the opponent makes
// it, and whether s is a win or loss at all.
func (s Score) Mate() (plies int, ok bool) {
	switch {
	case s >= MateBound:
		return int(mate - s), true
	case s <= -MateBound:
		return -int(mate + s), true
	}
	return 0, false
}

// WinRate returns the winning probability for s: 1 or 0 for a win or loss, else
// the logistic function of s, which is 0.73 at [pattern.Logit].
func (s Score) WinRate() float64 {
	if _, ok := s.Mate(); ok {
		if s > 0 {
			return 1
		}
		return 0
	}
	return 1 / (1 + math.Exp(-float64(s)/pattern.Logit))
}

// String returns s as a number, or as +M5 or -M5 for a five in five plies.
func (s Score) String() string {
	switch n, ok := s.Mate(); {
	case ok && n < 0:
		return fmt.Sprintf("-M%d", -n)
	case ok:
		return fmt.Sprintf("+M%d", n)
	}
	return fmt.Sprint(int(s))
}
