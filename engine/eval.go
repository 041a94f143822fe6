package engine

import (
	"fmt"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
)

// An Evaluator scores a position without search.
type Evaluator interface {
	// Attach prepares b for calls of Evaluate, for example by setting weights
	// that the board sums up.
	Attach(b *board.Board)
	// Evaluate returns the score for the side to move, strictly between
	// -MateBound and MateBound. It is called only where neither side can make a
	// five, nor the side to move an open four.
	Evaluate(b *board.Board) Score
}

// An Evaluation selects what evaluates positions.
type Evaluation uint8

const (
	// ByNet is the network if there is one for the rule and memory for it, else
	// the patterns.
	ByNet Evaluation = iota
	// ByTables is the pattern evaluation alone.
	ByTables

	numEvaluations
)

// EvaluationNames lists the names that ParseEvaluation accepts.
const EvaluationNames = "net or tables"

// ParseEvaluation parses the name of an evaluation.
func ParseEvaluation(name string) (Evaluation, error) {
	switch name {
	case "net":
		return ByNet, nil
	case "tables":
		return ByTables, nil
	}
	return 0, fmt.Errorf("unknown evaluator %q, want %s", name, EvaluationNames)
}

// String returns the name of an evaluation.
func (e Evaluation) String() string {
	if e == ByTables {
		return "tables"
	}
	return "net"
}

// patternEval evaluates a position by the patterns that each player would make on
// the empty points, which the board sums up, plus a term for the strongest
// threats of both; see package pattern.
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
