package engine

import (
	"bufio"
	"fmt"
	"math"
	"os"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
)

// residualEval evaluates a position by a residual network, whose value and policy it
// takes as they are.
type residualEval struct {
	tower  *nn.Tower
	work   nn.TowerWorkspace
	planes board.Planes
	known  uint64 // hash of the position in value and policy
	value  [1]float32
	policy []float32
}

// ResidualEvaluator returns a maker of evaluators for [Options], by a residual network
// that was made for the rule of the games. Such an evaluation takes a tenth of a
// millisecond and more, which only PUCT makes good use of.
func ResidualEvaluator(n *nn.Residual) func(Evaluator) Evaluator {
	tower := nn.NewTower(n, false)
	return func(Evaluator) Evaluator {
		return &residualEval{tower: tower, policy: make([]float32, board.MaxSize*board.MaxSize)}
	}
}

// Attach implements [Evaluator].
func (e *residualEval) Attach(*board.Board) { e.known = 0 }

// Evaluate implements [Evaluator].
func (e *residualEval) Evaluate(b *board.Board) Score {
	e.look(b)
	v := Score(math.Round(float64(e.value[0]) * pattern.Logit))
	return max(-maxEval, min(maxEval, v))
}

// Policy implements [guide].
func (e *residualEval) Policy(b *board.Board, moves []scoredMove, logits []float32) {
	e.look(b)
	for i, m := range moves {
		logits[i] = e.policy[m.move.Y()*b.Width()+m.move.X()]
	}
}

// ReadResidualFile reads a residual network for a rule from a file. It returns nil if the
// file holds something else.
func ReadResidualFile(name string, rule board.Rule) (*nn.Residual, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	if start, _ := r.Peek(8); !nn.IsResidualFile(start) {
		return nil, nil
	}
	n, err := nn.ReadResidualFor(r, rule.String(), board.NumPlanes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// look evaluates the position unless it was the last one.
func (e *residualEval) look(b *board.Board) {
	if e.known == b.Hash() {
		return
	}
	e.known = b.Hash()
	e.planes.Set(b)
	e.tower.Forward(e.value[:], e.policy, e.planes.Data, nn.Grid{Height: b.Height(), Width: b.Width()}, &e.work)
}
