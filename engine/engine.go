package engine

import (
	"context"
	"runtime/debug"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/engine/proof"
	"kumiko/engine/solve"
)

// Request is a position and how long to search it.
type Request struct {
	// Board is the position. The engine works on a copy.
	Board *board.Board
	// Limits says how long.
	Limits Limits
	// MultiPV is the number of best moves to report, each with its line;
	// 0 means 1.
	MultiPV int
}

// Info is one line of a search that goes on. They come in sets, one line for
// each of the best moves; the last set begins with the move that is returned.
// Every PV can be played, and a score that names a win or loss in n plies
// comes with a PV of n moves, the last of which makes the five.
type Info struct {
	Depth, SelDepth int   // plies searched, and the longest line
	Score           Score // for the side to move at the root
	Nodes           int64
	Time            time.Duration
	PV              []board.Move // the expected line
	PVIndex         int          // 0 for the best move
	NumPV           int          // lines in this set: MultiPV, or fewer if there are fewer legal moves
}

// Result is the outcome of a search.
type Result struct {
	Move     board.Move // NoMove only if no point is empty
	Score    Score
	Depth    int
	SelDepth int
	Nodes    int64
	Time     time.Duration
	PV       []board.Move
	// Proof, if Score is a win, is a tree that shows it. It may be nil in
	// caro, where the victories by fours that the engine announces may be too
	// large for a tree to be built.
	Proof *proof.Tree

	tree *proof.Node
}

// Options configures an Engine.
type Options struct {
	// Memory is what the whole process may use, in bytes; see SetMemory.
	Memory int64
	// Threads is the number of searching threads; see SetThreads.
	Threads int
	// Patterns are the tables of the pattern evaluation and of the move
	// ordering, by rule; nil stands for those made by hand.
	Patterns [board.NumRules]*pattern.Tables
	// Evaluator makes the evaluator of one searching thread under one rule;
	// nil stands for the pattern evaluation. It is given that one, which the
	// evaluator that it makes may watch or leave alone. Evaluators are made
	// when the first search needs them, by the goroutine that calls Search, and
	// each is used by one goroutine at a time: it may own buffers.
	Evaluator func(patterns Evaluator) Evaluator
	// Tuning are the values of the tunable numbers; nil stands for the
	// defaults.
	Tuning *Tuning
}

// Engine plays one game at a time. It prints nothing, reads no files and is
// not for concurrent use.
type Engine struct {
	memory  int64
	threads int
	tuning  *Tuning
	teller  *solve.VCF // for proofs that are no work of the search
	tt      *table
	s       *searcher
	helpers []*searcher                 // of the other threads
	rules   [board.NumRules]*ruleTables // made when first needed

	patterns [board.NumRules]*pattern.Tables
	maker    func(Evaluator) Evaluator
}

// ruleTables is what the engine derives from a rule.
type ruleTables struct {
	order *pattern.Order
	eval  patternEval
}

// DefaultMemory is assumed when no limit is given: Gomocup's.
const DefaultMemory = 350 << 20

// New returns an engine. It is ready at once: tables are made when the first
// search needs them.
func New(o Options) *Engine {
	e := &Engine{patterns: o.Patterns, maker: o.Evaluator, teller: solve.NewVCF(12)}
	e.SetMemory(o.Memory)
	e.SetThreads(o.Threads)
	e.SetTuning(o.Tuning)
	return e
}

// runtimeMemory is what the process uses apart from the engine's tables.
const runtimeMemory = 20 << 20

// maxMemory is the most that is ever used, whatever the limit.
const maxMemory = 4 << 30

// SetMemory limits the memory of the whole process, in bytes; 0 or less means
// DefaultMemory. Small limits are honoured as far as the runtime allows.
func (e *Engine) SetMemory(bytes int64) {
	if bytes <= 0 {
		bytes = DefaultMemory
	}
	bytes = min(bytes, maxMemory)
	if bytes != e.memory {
		e.memory = bytes
		e.drop()
	}
}

// SetThreads sets the number of searching threads: at least 1, at most
// MaxThreads, and fewer than asked for where memory is short. Only a single
// one visits the same positions every time. What earlier positions have
// taught is forgotten if the number changes.
func (e *Engine) SetThreads(n int) {
	n = max(1, min(n, MaxThreads()))
	if n != e.threads {
		e.threads = n
		e.drop()
	}
}

// drop gives the tables back, to be made anew in other sizes. They go to the
// system at once: until the garbage collector found them by itself, the
// process would hold the old tables beside the new ones, and a lower limit
// would not be kept.
func (e *Engine) drop() {
	if e.tt == nil && e.s == nil {
		return
	}
	e.tt, e.s, e.helpers = nil, nil, nil
	debug.FreeOSMemory()
}

// Reset forgets everything that earlier positions have taught, as for a new
// game. Afterwards the same requests visit the same positions.
func (e *Engine) Reset() {
	if e.tt != nil {
		e.tt.clear()
	}
	if e.s != nil {
		e.s.forget()
	}
	for _, h := range e.helpers {
		h.forget()
	}
}

// tableSizes divides the memory: bytes for the transposition table, and the
// logarithm of the number of entries for each thread's table of the fours.
func (e *Engine) tableSizes() (tt int64, vcf uint) {
	helpers := int64(e.affordable() - 1)
	usable := max(e.memory-runtimeMemory-helpers*helperMemory, 2<<20)
	vcf = 14
	for vcf < 20 && int64(16)<<(vcf+1) < usable/16/(helpers+1) {
		vcf++
	}
	return max(usable*3/5, 1<<20), vcf
}

// ready makes the tables and attaches them to a copy of the position.
func (e *Engine) ready(b *board.Board) *searcher {
	ttSize, vcfSize := e.tableSizes()
	if e.tt == nil {
		e.tt = newTable(ttSize)
	}
	if e.s == nil {
		e.s = newSearcher(vcfSize)
		e.s.vct = solve.NewVCT(e.s.vcf, vcfSize-2)
		for len(e.helpers) < e.affordable()-1 {
			e.helpers = append(e.helpers, newSearcher(vcfSize))
		}
	}
	e.tt.shared = len(e.helpers) > 0
	e.attach(e.s, b)
	return e.s
}

// newSearcher returns a searcher with nothing learned and no position.
func newSearcher(vcfSize uint) *searcher {
	s := &searcher{hist: &history{}, vcf: solve.NewVCF(vcfSize)}
	s.hist.clear()
	for i := range s.pv {
		s.pv[i] = make([]board.Move, 0, maxPly+2)
	}
	return s
}

// forget forgets what earlier positions have taught.
func (s *searcher) forget() {
	s.hist.clear()
	s.vcf.Clear()
	if s.vct != nil {
		s.vct.Clear()
	}
	s.corr.clear()
}

// attach gives a searcher a copy of the position to search.
func (e *Engine) attach(s *searcher, b *board.Board) {
	r := b.Rule()
	if e.rules[r] == nil {
		t := e.patterns[r]
		if t == nil {
			t = pattern.Hand(r)
		}
		e.rules[r] = &ruleTables{t.Order(), patternEval{t.Weights(), t.Threats}}
	}
	if s.evals[r] == nil {
		eval := e.rules[r].eval
		s.evals[r] = &eval
		if e.maker != nil {
			s.evals[r] = e.maker(s.evals[r])
		}
	}
	if s.b == nil || s.b.Width() != b.Width() || s.b.Height() != b.Height() || s.b.Rule() != r {
		s.b = b.Clone()
	}
	s.b.CopyFrom(b)
	s.tt = e.tt
	s.t = e.tuning
	s.order = e.rules[r].order
	s.eval = s.evals[r]
	s.eval.Attach(s.b)
	// The list of a ply is left behind when the next one is made, so that
	// the longest line of long lists must fit.
	if need := (maxPly + 4) * min(b.Width()*b.Height(), 400); len(s.moves) < need {
		s.moves = make([]scoredMove, need+board.MaxSize*board.MaxSize)
	}
	s.nodes, s.counted, s.pollAt, s.selDepth, s.stopped, s.used = 0, 0, 0, 0, false, 0
	for i := range s.frames {
		s.frames[i] = frame{move: board.NoMove, excluded: board.NoMove}
	}
}

// Search chooses a move. It always returns a legal one if there is an empty
// point, even if ctx has ended already, and ends a few milliseconds after ctx
// does. report, if not nil, is called on the way from the calling goroutine.
func (e *Engine) Search(ctx context.Context, req Request, report func(Info)) Result {
	start := req.Limits.Start
	if start.IsZero() {
		start = time.Now()
	}
	if report == nil {
		report = func(Info) {}
	}
	s := e.ready(req.Board)
	moves := s.b.Stones() / 2
	bud := newBudget(req.Limits, moves)
	s.ctl = &control{start: start, hard: bud.hard, nodes: req.Limits.Nodes}
	defer s.ctl.watch(ctx)()
	e.tt.age++
	e.teller.Clear()
	r := root{searcher: s, engine: e, teller: e.teller, budget: bud, maxDepth: req.Limits.Depth, multiPV: max(1, req.MultiPV), spare: setNodes, report: report}
	if r.maxDepth <= 0 || r.maxDepth > MaxDepth {
		r.maxDepth = MaxDepth
	}
	res := r.choose()
	if res.tree != nil {
		res.Proof = proof.New(s.b, res.tree)
		res.tree = nil
	}
	res.Nodes = s.visited()
	res.SelDepth = s.selDepth
	res.Time = s.ctl.elapsed()
	return res
}
