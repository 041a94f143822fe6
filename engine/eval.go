package engine

import (
	"kumiko/engine/board"
	"kumiko/engine/pattern"
)

// An Evaluator gives the search a score without looking ahead.
type Evaluator interface {
	// Attach readies b for calls of Evaluate: the evaluator may ask the board
	// to keep sums for it.
	Attach(b *board.Board)
	// Evaluate returns the score for the side to move, strictly between
	// -MateBound and MateBound. Nobody has a five in one, nor the side to move
	// an open four.
	Evaluate(b *board.Board) Score
}

// patternEval values a position by what each player would make on every empty
// point, which the board sums up, plus a term for the strongest threats of
// both; see package pattern.
type patternEval struct {
	weights *board.Weights
	threats [pattern.NumThreats]int16
}

// Attach implements [Evaluator].
func (e *patternEval) Attach(b *board.Board) { b.SetWeights(e.weights) }

// Evaluate implements [Evaluator].
func (e *patternEval) Evaluate(b *board.Board) Score {
	c := b.Side()
	v := Score(b.Value(c)-b.Value(c.Opponent())) + Score(e.threats[pattern.Threats(b)])
	return max(-maxEval, min(maxEval, v))
}
