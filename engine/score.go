package engine

import (
	"fmt"
	"math"

	"kumiko/engine/pattern"
)

// A Score values a position for the side to move, in the units of package
// pattern; see [Score.WinRate]. Scores from MateBound on stand for proven wins
// and name their distance; see [Score.Mate].
type Score int32

const (
	mate = Score(30000)
	// MateBound is the least score of a proven win. Evaluations stay below.
	MateBound = Score(29000)
	infinite  = Score(32000)
	noScore   = Score(-32001) // an evaluation that was not made
	maxEval   = MateBound - 1
)

// mateIn is the score of making a five with the n-th stone from the root on.
func mateIn(n int) Score { return mate - Score(n) }

// matedIn is the score of suffering it.
func matedIn(n int) Score { return Score(n) - mate }

// Mate returns in how many plies the five falls, and whether s is a proven
// win or loss at all. The number is negative if the opponent makes it.
func (s Score) Mate() (plies int, ok bool) {
	switch {
	case s >= MateBound:
		return int(mate - s), true
	case s <= -MateBound:
		return -int(mate + s), true
	}
	return 0, false
}

// WinRate returns the chance to win that s stands for: 1 or 0 if it is
// proven, else 0.73 for [pattern.Logit] and so on.
func (s Score) WinRate() float64 {
	if _, ok := s.Mate(); ok {
		if s > 0 {
			return 1
		}
		return 0
	}
	return 1 / (1 + math.Exp(-float64(s)/pattern.Logit))
}

// String returns a plain number, or +M5 and -M5 for a five in five plies.
func (s Score) String() string {
	switch n, ok := s.Mate(); {
	case ok && n < 0:
		return fmt.Sprintf("-M%d", -n)
	case ok:
		return fmt.Sprintf("+M%d", n)
	}
	return fmt.Sprint(int(s))
}
