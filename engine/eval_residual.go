package engine

import (
	"bufio"
	"fmt"
	"io"
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

// newResidualEval returns an evaluator by a tower, which several may share.
func newResidualEval(t *nn.Tower) *residualEval {
	return &residualEval{tower: t, policy: make([]float32, board.MaxSize*board.MaxSize)}
}

// residualEvalMemory is the bytes that a residualEval takes on the largest board for each
// channel of its tower, about; TestResidualMemory measures it.
const residualEvalMemory = 64 << 10

// ResidualMemory returns the bytes that evaluation by a residual network takes beyond
// the network itself.
func ResidualMemory(n *nn.Residual) int64 {
	return int64(n.TowerSize() + residualEvalMemory*n.Channels)
}

// usesResidual reports whether a residual network is to evaluate under a rule.
func (e *Engine) usesResidual(r board.Rule) bool {
	n := e.given.Residuals[r]
	return n != nil && e.evaluation != ByTables && e.memory >= leastNetMemory+ResidualMemory(n)
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

// LoadNet makes options evaluate by the network of a file, of either kind, under the rule
// that it is for, which it returns.
func (o *Options) LoadNet(name string) (board.Rule, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	var rule board.Rule
	if start, _ := r.Peek(8); nn.IsResidualFile(start) {
		rule, err = o.readResidual(r)
	} else {
		rule, err = o.readNet(r)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	o.Evaluation = ByNet
	return rule, nil
}

func (o *Options) readResidual(r io.Reader) (board.Rule, error) {
	n, err := nn.ReadResidual(r)
	if err != nil {
		return 0, err
	}
	rule, err := board.ParseRule(n.Name)
	if err == nil && n.Planes != board.NumPlanes {
		err = fmt.Errorf("a network of %d planes, want one of %d", n.Planes, board.NumPlanes)
	}
	if err == nil {
		o.Residuals[rule] = n
	}
	return rule, err
}

func (o *Options) readNet(r io.Reader) (board.Rule, error) {
	n, err := nn.Read(r)
	if err != nil {
		return 0, err
	}
	rule, err := board.ParseRule(n.Name)
	if err == nil {
		o.Nets[rule], o.Residuals[rule] = n, nil
	}
	return rule, err
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
