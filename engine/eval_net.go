package engine

import (
	"context"
	"fmt"
	"math"
	"os"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
)

// ReadNetFile reads a network for a rule from a file.
func ReadNetFile(name string, rule board.Rule) (*nn.Net, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, err := nn.ReadFor(f, rule.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// netEvalMemory is the size in bytes of a netEval, about.
const netEvalMemory = 1 << 18

// leastNetMemory is the memory limit below which the patterns evaluate.
const leastNetMemory = 30 << 20

// usesNet reports whether a network is to evaluate under a rule.
func (e *Engine) usesNet(r board.Rule) bool {
	return e.nets[r] != nil && e.evaluation != ByTables && e.memory >= leastNetMemory
}

// baking is the tables of a network in the making.
type baking struct {
	rule   board.Rule
	done   chan struct{}
	tables *nn.Tables // once done is closed
}

// bake begins to make the tables of the network of a rule and returns at once: the
// first move may not have the time to wait for them.
func (e *Engine) bake(r board.Rule) {
	if e.baking != nil && e.baking.rule == r {
		return
	}
	k := &baking{rule: r, done: make(chan struct{})}
	e.baking = k
	net := e.nets[r]
	go func() {
		defer close(k.done)
		k.tables = net.Bake()
	}()
}

// bakedNet returns the tables of the network to use under a rule, nil if there is none
// or ctx ends before they are made.
func (e *Engine) bakedNet(ctx context.Context, r board.Rule) *nn.Tables {
	if !e.usesNet(r) {
		return nil
	}
	e.bake(r)
	select {
	case <-e.baking.done:
		return e.baking.tables
	case <-ctx.Done():
		return nil
	}
}

// netEval evaluates a position by a network, which corrects the pattern
// evaluation in logits.
//
// The network's sums over lines are updated when a value is asked for: the points
// that differ from the position evaluated before are those whose lines have other
// codes. So moves that are taken back before anybody evaluates cost nothing, and
// there is nothing to undo.
type netEval struct {
	patterns Evaluator
	encoder  *board.Encoder
	sums     *nn.Accumulator
	codes    [points][4]uint32 // in the sums, by point and direction
	line     []board.Move      // played from the root to the position in the sums

	around  []board.LineCode
	changes []nn.Change
}

// newNetEval returns an evaluator by a network's tables on top of the pattern
// evaluation.
func newNetEval(t *nn.Tables, patterns Evaluator) *netEval {
	return &netEval{
		patterns: patterns,
		encoder:  board.NewEncoder(t.Reach()),
		sums:     nn.NewAccumulator(t, points),
		line:     make([]board.Move, 0, maxPly+2),
	}
}

// Attach implements [Evaluator].
func (e *netEval) Attach(b *board.Board) {
	e.patterns.Attach(b)
	e.sums.Reset()
	e.around = e.encoder.All(e.around[:0], b.Lines(), b.Width(), b.Height())
	for i := 0; i < len(e.around); i += 4 {
		at := e.around[i].At
		for _, c := range e.around[i : i+4] {
			e.codes[at][c.Dir] = c.Code
		}
		e.sums.Add(int(at), &e.codes[at])
	}
	e.line = append(e.line[:0], b.History()...)
}

// Evaluate implements [Evaluator].
func (e *netEval) Evaluate(b *board.Board) Score {
	prior := float32(e.patterns.Evaluate(b)) / pattern.Logit
	e.follow(b)
	v := Score(math.Round(float64(e.sums.Value(int(b.Side()), prior)) * pattern.Logit))
	return max(-maxEval, min(maxEval, v))
}

// follow brings the sums to the position of b.
func (e *netEval) follow(b *board.Board) {
	line := b.History()
	same := 0
	for same < min(len(line), len(e.line)) && line[same] == e.line[same] {
		same++
	}
	e.changes = e.changes[:0]
	for _, m := range e.line[same:] {
		e.change(b, m)
	}
	for _, m := range line[same:] {
		e.change(b, m)
	}
	e.line = append(e.line[:same], line[same:]...)
	e.sums.Apply(e.changes)
}

// change collects the codes around m that differ from those in the sums.
func (e *netEval) change(b *board.Board, m board.Move) {
	if m == board.NoMove {
		return // a pass
	}
	e.around = e.encoder.Around(e.around[:0], b.Lines(), m)
	for _, c := range e.around {
		if old := &e.codes[c.At%points][c.Dir&3]; *old != c.Code {
			e.changes = append(e.changes, nn.Change{Point: int32(c.At), Old: *old, New: c.Code})
			*old = c.Code
		}
	}
}
