package engine

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

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
	return e.evaluation != ByTables && e.memory >= leastNetMemory && !e.usesResidual(r) && e.given.NetOf(r) != nil
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
	net := e.given.NetOf(r)
	go func() {
		defer close(k.done)
		k.tables = net.Bake()
	}()
}

// shortestWait is the least time to wait for a network for which baking begins before
// the search: in less it is not ready, and only takes time away from the move.
const shortestWait = 10 * time.Millisecond

// bakedNet returns the tables of the network to use under a rule, nil if there is none
// or ctx ends before they are made.
func (e *Engine) bakedNet(ctx context.Context, r board.Rule) *nn.Tables {
	if !e.usesNet(r) {
		return nil
	}
	if end, ok := ctx.Deadline(); ok && e.baking == nil && time.Until(end) < shortestWait {
		return nil // Search begins to bake when it has its move
	}
	e.bake(r)
	select {
	case <-e.baking.done:
		return e.baking.tables
	case <-ctx.Done():
		return nil
	}
}

// useNet lets a network evaluate that was not ready for the searches before. Their
// scores are another evaluation's; the memory stays, as making it anew takes time.
func (e *Engine) useNet(t *nn.Tables) {
	e.tables.net = t
	if e.s != nil {
		e.s.eval = nil
	}
	for _, h := range e.helpers {
		h.eval = nil
	}
	e.Reset()
}

// netEval evaluates a position by a network, which corrects the pattern
// evaluation in logits.
//
// It follows the board when a value is asked for, so that moves taken back before
// anybody evaluates cost nothing. What a move changed is remembered and reversed when
// the move is taken back.
type netEval struct {
	patterns Evaluator
	encoder  *board.Encoder
	sums     *nn.Accumulator
	lines    board.Lines // of the position in the sums
	codes    board.Codes // likewise
	line     []played    // from the root to that position

	all     []board.LineCode
	changes []nn.Change // by the moves of line

	marked, marks []board.Move // forbidden points in the sums, and of the position
	points        []int32      // of which the policy is asked
}

// played is a move of the line that a netEval follows.
type played struct {
	move  board.Move
	first int // of the move's changes
}

// newNetEval returns an evaluator by a network's tables on top of the pattern
// evaluation.
func newNetEval(t *nn.Tables, patterns Evaluator) *netEval {
	return &netEval{
		patterns: patterns,
		encoder:  board.NewEncoder(t.Reach()),
		sums:     nn.NewAccumulator(t, points),
		line:     make([]played, 0, maxPly+2),
		all:      make([]board.LineCode, 0, 4*points),
		changes:  make([]nn.Change, 0, (maxPly+2)*netChanges),
		marked:   make([]board.Move, 0, points),
		marks:    make([]board.Move, 0, points),
		points:   make([]int32, 0, points),
	}
}

// netChanges bounds the codes that a move changes.
const netChanges = 4 * (2*board.MaxReach + 1)

// Attach implements [Evaluator].
func (e *netEval) Attach(b *board.Board) {
	e.patterns.Attach(b)
	e.lines = *b.Lines()
	e.line, e.changes, e.marked = e.line[:0], e.changes[:0], e.marked[:0]
	for _, m := range b.History() {
		e.line = append(e.line, played{m, 0})
	}
	e.sums.Reset()
	e.all = e.encoder.All(e.all[:0], &e.lines, b.Width(), b.Height())
	for i := 0; i < len(e.all); i += 4 {
		at := e.all[i].At
		for _, c := range e.all[i : i+4] {
			e.codes[at][c.Dir] = c.Code
		}
		e.sums.Add(int(at), (*[4]uint32)(&e.codes[at]))
	}
}

// Evaluate implements [Evaluator].
func (e *netEval) Evaluate(b *board.Board) Score {
	prior := float32(e.patterns.Evaluate(b)) / pattern.Logit
	e.follow(b)
	v := Score(math.Round(float64(e.sums.Value(int(b.Side()), prior)) * pattern.Logit))
	return max(-maxEval, min(maxEval, v))
}

// The logits of a policy are sums of the network's and the worths of move ordering, which
// know different things, each times a share.
const (
	netShare   = 0.4
	orderShare = 0.5
)

// Policy implements [guide].
func (e *netEval) Policy(b *board.Board, moves []scoredMove, logits []float32) {
	e.follow(b)
	e.points = e.points[:0]
	for _, m := range moves {
		e.points = append(e.points, int32(m.move))
	}
	e.sums.Policy(int(b.Side()), e.points, logits)
	for i, m := range moves {
		logits[i] = netShare*logits[i] + orderShare*float32(m.worth)/pattern.Logit
	}
}

// follow brings the sums to the position of b.
func (e *netEval) follow(b *board.Board) {
	line := b.History()
	same := 0
	for same < min(len(line), len(e.line)) && line[same] == e.line[same].move {
		same++
	}
	for len(e.line) > same {
		e.takeBack()
	}
	color := b.Side()
	if (len(line)-same)%2 != 0 {
		color = color.Opponent()
	}
	first := len(e.changes)
	for _, m := range line[same:] {
		e.line = append(e.line, played{m, len(e.changes)})
		if m != board.NoMove { // a pass
			e.lines.Put(m, color.Stone())
			e.changes = e.encoder.Update(e.changes, &e.codes, &e.lines, m)
		}
		color = color.Opponent()
	}
	e.sums.Apply(e.changes[first:])
	if e.sums.Marks() {
		e.mark(b)
	}
}

// mark marks the points that are forbidden to black, a network's only knowledge of
// them: lines alone do not show whether a three is real.
func (e *netEval) mark(b *board.Board) {
	e.marks = b.AllForbidden(e.marks[:0])
	for _, m := range e.marked {
		if !slices.Contains(e.marks, m) {
			e.sums.Mark(int32(m), false)
		}
	}
	for _, m := range e.marks {
		if !slices.Contains(e.marked, m) {
			e.sums.Mark(int32(m), true)
		}
	}
	e.marked, e.marks = e.marks, e.marked
}

// takeBack takes the last move of the line back.
func (e *netEval) takeBack() {
	last := e.line[len(e.line)-1]
	e.line = e.line[:len(e.line)-1]
	if last.move == board.NoMove {
		return
	}
	e.lines.Put(last.move, board.Empty)
	changes := e.changes[last.first:]
	for i := range changes {
		c := &changes[i]
		c.Old, c.New = c.New, c.Old
		e.codes[c.Point][c.Dir] = c.New
	}
	e.sums.Apply(changes)
	e.changes = e.changes[:last.first]
}
