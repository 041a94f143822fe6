package engine

import (
	"context"
	"runtime/debug"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/engine/proof"
	"kumiko/engine/solve"
	"kumiko/nn"
)

// Request is a position to search and the limits of the search.
type Request struct {
	// Board is the position. The engine works on a copy.
	Board *board.Board
	// Limits bounds the search.
	Limits Limits
	// MultiPV is the number of best moves to report, each with its line;
	// 0 means 1.
	MultiPV int
}

// Info is one line of a running search. Lines are reported in sets, one line for
// each of the best moves; the last set begins with the move that is returned.
// Every PV can be played, and the PV of a win or loss in n plies has n moves, the
// last of which makes the five.
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
	// Proof is the proof tree if Score is a win. It may be nil in caro, where
	// the tree of a reported VCF may be too large to build.
	Proof *proof.Tree

	tree *proof.Node
}

// Options configures an Engine.
type Options struct {
	// Memory is the memory limit of the whole process, in bytes; see SetMemory.
	Memory int64
	// Threads is the number of searching threads; see SetThreads.
	Threads int
	// Patterns are the tables of the pattern evaluation and of the move
	// ordering, by rule; nil means the hand-made ones.
	Patterns [board.NumRules]*pattern.Tables
	// Nets are the networks, by rule. For one that is nil Net is called, if it is not nil
	// itself, when the rule is first needed: it returns its network, or nil for none.
	Nets [board.NumRules]*nn.Net
	Net  func(board.Rule) *nn.Net
	// Residuals are residual networks, by rule. Where there is one it evaluates instead of
	// the network above; that takes a tenth of a millisecond and more, which only PUCT
	// makes good use of.
	Residuals [board.NumRules]*nn.Residual
	// Evaluation selects what evaluates positions; see SetEvaluation.
	Evaluation Evaluation
	// Search selects how positions are searched; see SetSearch.
	Search Search
	// Evaluator makes the evaluator of one searching thread under one rule; nil
	// means the selected one. Its argument is the selected evaluator, which the
	// new one may wrap. Evaluators are made when first needed, by the goroutine
	// that calls Search, and again when the rule changes; each is used by one
	// goroutine at a time, so it may own buffers.
	Evaluator func(selected Evaluator) Evaluator
	// Tuning holds the values of the tunable numbers; nil means the defaults.
	Tuning *Tuning
}

// NetOf returns the network of a rule, or nil. What Net returns it keeps in Nets.
func (o *Options) NetOf(r board.Rule) *nn.Net {
	if o.Nets[r] == nil && o.Net != nil {
		o.Nets[r] = o.Net(r)
	}
	return o.Nets[r]
}

// Engine plays one game at a time. It is not safe for concurrent use.
type Engine struct {
	memory    int64
	threads   int
	tuning    *Tuning
	reportVCF *solve.VCF // for proofs that do not count as search work
	tt        *table
	s         *searcher
	helpers   []*searcher // of the other threads
	rule      board.Rule  // of the last search, if tables is not nil
	tables    *ruleTables // of rule
	tree      *tree       // nil if alpha-beta searches
	baking    *baking     // the network of a rule, nil if none was needed yet

	given      Options // for what cannot change
	evaluation Evaluation
	search     Search
}

// ruleTables is what the engine derives from a rule.
type ruleTables struct {
	order *pattern.Order
	eval  patternEval
	net   *nn.Tables // nil if the patterns or a residual network evaluate
	tower *nn.Tower  // of the residual network, nil if there is none
}

// DefaultMemory is the default memory limit, Gomocup's.
const DefaultMemory = 350 << 20

// New returns an engine. It allocates its tables on the first search.
func New(o Options) *Engine {
	e := &Engine{given: o, evaluation: o.Evaluation, search: o.Search, reportVCF: solve.NewVCF(12)}
	e.SetMemory(o.Memory)
	e.SetThreads(o.Threads)
	e.SetTuning(o.Tuning)
	return e
}

// runtimeMemory is the memory that the process uses besides the engine's tables.
const runtimeMemory = 24 << 20

// maxMemory is the most memory used, whatever the limit.
const maxMemory = 4 << 30

// SetMemory limits the memory of the whole process, in bytes; 0 or less means
// DefaultMemory. Small limits are kept as far as the runtime allows.
func (e *Engine) SetMemory(bytes int64) {
	if bytes <= 0 {
		bytes = DefaultMemory
	}
	bytes = min(bytes, maxMemory)
	if bytes != e.memory {
		e.memory = bytes
		e.dropRule() // a network may fit now, or no more
	}
}

// SetThreads sets the number of searching threads: at least 1, at most
// MaxThreads, and fewer than requested if memory is short. Only a single-threaded
// search is deterministic. Changing the number discards what earlier searches
// have learned.
func (e *Engine) SetThreads(n int) {
	n = max(1, min(n, MaxThreads()))
	if n != e.threads {
		e.threads = n
		e.drop()
	}
}

// SetEvaluation selects what evaluates positions. Changing it discards what earlier
// searches have learned.
func (e *Engine) SetEvaluation(v Evaluation) {
	if v != e.evaluation {
		e.evaluation = v
		e.dropRule()
	}
}

// SetSearch selects how positions are searched. Changing it discards what earlier
// searches have learned.
func (e *Engine) SetSearch(v Search) {
	if v != e.search {
		e.search = v
		e.drop()
	}
}

// dropRule is drop, with the tables of the rule.
func (e *Engine) dropRule() {
	e.tables = nil
	e.drop()
}

// drop frees the tables, to be made anew in other sizes. It returns them to the
// system at once: otherwise the process would hold the old tables beside the new
// ones until the next garbage collection, and exceed a lowered limit.
func (e *Engine) drop() {
	if e.tt == nil && e.s == nil {
		return
	}
	if e.tt != nil {
		e.tt.free()
	}
	if e.tree != nil {
		e.tree.free()
	}
	e.tree = nil
	e.tt, e.s, e.helpers = nil, nil, nil
	debug.FreeOSMemory()
}

// Reset discards everything learned from earlier searches, as for a new game.
// Afterwards the same requests visit the same positions.
func (e *Engine) Reset() {
	if e.tt != nil {
		e.tt.clear()
	}
	if e.tree != nil {
		e.tree.clear()
	}
	if e.s != nil {
		e.s.forget()
	}
	for _, h := range e.helpers {
		h.forget()
	}
}

// tableSizes divides the memory: it returns the bytes of the transposition table
// and the binary logarithm of the number of entries of each thread's VCF table.
func (e *Engine) tableSizes() (tt int64, vcf uint) {
	helpers := int64(e.affordable() - 1)
	usable := e.memory - runtimeMemory - helpers*helperMemory
	if e.tables != nil && e.usesNet(e.rule) {
		usable -= int64(e.given.NetOf(e.rule).TablesSize()) + (helpers+1)*netEvalMemory
	}
	if e.tables != nil && e.tables.tower != nil {
		usable -= ResidualMemory(e.given.Residuals[e.rule])
	}
	usable = max(usable, 2<<20)
	vcf = 14
	for vcf < 20 && int64(16)<<(vcf+1) < usable/16/(helpers+1) {
		vcf++
	}
	return max(usable*3/5, 1<<20), vcf
}

// newTables makes the transposition table and the tree, which share the given bytes. PUCT
// needs only a small table, for what the prover looks up.
func (e *Engine) newTables(size int64) {
	if e.search == PUCT {
		e.tree = newTree(size * 7 / 8)
		size /= 8
	}
	e.tt = newTable(size)
}

// setRule makes the tables that the engine derives from a rule. It drops what
// belongs to the rule before, the learned included, as for another limit:
// otherwise a process that plays several rules would exceed its limit.
//
// It waits for the network until ctx ends, and uses the patterns until it is ready.
func (e *Engine) setRule(ctx context.Context, r board.Rule) {
	same := e.tables != nil && e.rule == r
	if same && (e.tables.net != nil || !e.usesNet(r)) {
		return
	}
	if !same && e.baking != nil && e.baking.rule != r {
		e.baking = nil
	}
	net := e.bakedNet(ctx, r)
	if same {
		if net != nil {
			e.useNet(net)
		}
		return
	}
	e.tables, e.reportVCF = nil, solve.NewVCF(12) // the old one has the old board
	shared := board.DropTables(r)
	if e.tt == nil && e.s == nil && shared {
		debug.FreeOSMemory()
	}
	e.drop()
	t := e.given.Patterns[r]
	if t == nil {
		t = pattern.Hand(r)
	}
	e.rule, e.tables = r, &ruleTables{order: t.Order(), eval: patternEval{t.Weights(), t.Threats}, net: net}
	if e.usesResidual(r) {
		e.tables.tower = nn.NewTower(e.given.Residuals[r], false)
	}
}

// ready makes the tables and attaches the main searcher to a copy of the position. It
// waits for a network until ctx ends.
func (e *Engine) ready(ctx context.Context, b *board.Board) *searcher {
	e.setRule(ctx, b.Rule())
	ttSize, vcfSize := e.tableSizes()
	if e.tt == nil {
		e.newTables(ttSize)
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
	s := &searcher{hist: newHistory(), vcf: solve.NewVCF(vcfSize)}
	for i := range s.pv {
		s.pv[i] = make([]board.Move, 0, maxPly+2)
	}
	return s
}

// forget discards what earlier searches have learned.
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
	if s.eval == nil {
		eval := e.tables.eval
		s.eval = &eval
		if e.tables.net != nil {
			s.eval = newNetEval(e.tables.net, s.eval)
		}
		if e.tables.tower != nil {
			s.eval = newResidualEval(e.tables.tower)
		}
		if e.given.Evaluator != nil {
			s.eval = e.given.Evaluator(s.eval)
		}
	}
	if s.b == nil || s.b.Width() != b.Width() || s.b.Height() != b.Height() {
		s.b = b.Clone()
	}
	s.b.CopyFrom(b)
	s.tt = e.tt
	s.t = &e.tuning.of[ByTables]
	if e.tables.net != nil {
		s.t = &e.tuning.of[ByNet]
	}
	s.order = e.tables.order
	s.eval.Attach(s.b)
	// The lists of all plies of a line are stacked, so the longest line of long
	// lists must fit.
	if need := (maxPly + 4) * min(b.Width()*b.Height(), 400); len(s.moves) < need {
		s.moves = make([]scoredMove, need+board.MaxSize*board.MaxSize)
	}
	s.nodes, s.counted, s.pollAt, s.selDepth, s.stopped, s.used = 0, 0, 0, 0, false, 0
	for i := range s.frames {
		s.frames[i] = frame{move: board.NoMove, excluded: board.NoMove}
	}
}

// Search chooses a move. It returns a legal one whenever there is one, even if
// ctx has already ended, and returns within a few milliseconds of the end of
// ctx. If report is not nil, Search calls it with the lines as they are found,
// on the calling goroutine.
func (e *Engine) Search(ctx context.Context, req Request, report func(Info)) Result {
	start := req.Limits.Start
	if start.IsZero() {
		start = time.Now()
	}
	if report == nil {
		report = func(Info) {}
	}
	bud := newBudget(req.Limits, req.Board.Stones()/2)
	soon, stop := bud.patience(ctx, req.Limits, start)
	s := e.ready(soon, req.Board)
	stop()
	s.ctl = &control{start: start, hard: bud.hard, nodes: req.Limits.Nodes}
	defer s.ctl.watch(ctx)()
	e.tt.age++
	e.reportVCF.Clear()
	r := root{searcher: s, engine: e, reportVCF: e.reportVCF, budget: bud, maxDepth: req.Limits.Depth, multiPV: max(1, req.MultiPV), spare: setNodes, report: report}
	if r.maxDepth <= 0 || r.maxDepth > MaxDepth {
		r.maxDepth = MaxDepth
	}
	res := r.choose()
	if e.usesNet(e.rule) {
		e.bake(e.rule) // if there was no time for it before
	}
	if res.tree != nil {
		res.Proof = proof.New(s.b, res.tree)
		res.tree = nil
	}
	res.Nodes = s.visited()
	res.SelDepth = s.selDepth
	res.Time = s.ctl.elapsed()
	return res
}
