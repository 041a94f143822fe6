package engine

import (
	"context"
	"math/bits"
	"slices"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
)

// Request is a position and how long to think about it.
type Request struct {
	// Board is the position. The engine works on a copy.
	Board *board.Board
	// Limits says how long.
	Limits Limits
	// MultiPV is the number of best moves to report, each with its line;
	// 0 means 1.
	MultiPV int
}

// Info is one finding of a search that goes on.
type Info struct {
	Depth, SelDepth int   // plies searched, and the longest line
	Score           Score // for the side to move at the root
	Nodes           int64
	Time            time.Duration
	PV              []board.Move // the expected line; do not modify
	PVIndex         int          // 0 for the best move
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
	// Wrap, if not nil, is given the evaluator of each rule and returns the
	// one to search with, which may watch the evaluator or replace it. With
	// several threads, all of them call that one.
	Wrap func(Evaluator) Evaluator
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
	tt      *table
	s       *searcher
	helpers []*searcher                 // of the other threads
	rules   [board.NumRules]*ruleTables // made when first needed

	patterns [board.NumRules]*pattern.Tables
	wrap     func(Evaluator) Evaluator
}

// ruleTables is what the engine derives from a rule.
type ruleTables struct {
	order *pattern.Order
	eval  Evaluator
}

// DefaultMemory is assumed when no limit is given: Gomocup's.
const DefaultMemory = 350 << 20

// New returns an engine. It is ready at once: tables are made when the first
// search needs them.
func New(o Options) *Engine {
	e := &Engine{patterns: o.Patterns, wrap: o.Wrap}
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

// drop gives the tables back, to be made anew in other sizes.
func (e *Engine) drop() { e.tt, e.s, e.helpers = nil, nil, nil }

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
		e.s.vct = newVCT(e.s.vcf, vcfSize-2)
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
	s := &searcher{hist: &history{}, vcf: newVCF(vcfSize)}
	s.hist.clear()
	for i := range s.pv {
		s.pv[i] = make([]board.Move, 0, maxPly+2)
	}
	return s
}

// forget forgets what earlier positions have taught.
func (s *searcher) forget() {
	s.hist.clear()
	s.vcf.clear()
	if s.vct != nil {
		s.vct.clear()
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
		e.rules[r] = &ruleTables{t.Order(), &patternEval{t.Weights(), t.Threats}}
		if e.wrap != nil {
			e.rules[r].eval = e.wrap(e.rules[r].eval)
		}
	}
	if s.b == nil || s.b.Width() != b.Width() || s.b.Height() != b.Height() || s.b.Rule() != r {
		s.b = b.Clone()
	}
	s.b.CopyFrom(b)
	s.tt = e.tt
	s.t = e.tuning
	s.order = e.rules[r].order
	s.eval = e.rules[r].eval
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
	r := root{searcher: s, engine: e, budget: bud, maxDepth: req.Limits.Depth, multiPV: max(1, req.MultiPV), report: report}
	if r.maxDepth <= 0 || r.maxDepth > maxDepth {
		r.maxDepth = maxDepth
	}
	res := r.think()
	res.Nodes = s.visited()
	res.SelDepth = s.selDepth
	res.Time = s.ctl.elapsed()
	return res
}

// maxDepth is the greatest nominal depth.
const maxDepth = 100

// A rootMove is a move of the position being thought about.
type rootMove struct {
	move  board.Move
	score Score // of the last iteration that searched it exactly
	pv    []board.Move

	lost    int   // plies in which the opponent is known to win by threats, or 0
	checked int64 // work done in vain to find that out
}

// root drives the search of one request.
type root struct {
	*searcher
	engine   *Engine // for the helpers
	budget   budget
	maxDepth int
	multiPV  int
	report   func(Info)
	list     []rootMove
	threats  threats
}

// think chooses a move: at once where there is nothing to think about, by
// fours if they win, else by searching ever deeper.
func (r *root) think() Result {
	b := r.b
	if b.Full() {
		return Result{Move: board.NoMove}
	}
	if b.Stones() == 0 {
		m := board.Pt(b.Width()/2, b.Height()/2)
		return Result{Move: m, PV: []board.Move{m}}
	}
	if c := b.Side(); b.Count(c, board.ShapeFive) > 0 {
		m := first(b, c, board.ShapeFive)
		return Result{Move: m, Score: mateIn(1), PV: []board.Move{m}}
	}
	r.collect()
	if len(r.list) == 0 {
		return Result{Move: lostMove(b), Score: matedIn(2)}
	}
	if len(r.list) == 1 && r.multiPV == 1 {
		m := r.list[0].move
		return Result{Move: m, PV: []board.Move{m}}
	}
	if n := r.byFours(); n > 0 {
		line := slices.Clone(r.vcf.path[:r.vcf.size])
		info := Info{Depth: 1, SelDepth: n, Score: mateIn(n), Nodes: r.visited(), Time: r.ctl.elapsed(), PV: line}
		r.report(info)
		return Result{Move: line[0], Score: mateIn(n), Depth: 1, PV: line}
	}
	if res, ok := r.wonByThreats(1); ok {
		return res
	}
	r.holdAgainstFours()
	r.lookOut()
	return r.deepen()
}

// lostMove returns a move against fives that cannot all be stopped: one of
// their points, for the opponent may not see the other, or any move if all of
// them are forbidden.
func lostMove(b *board.Board) board.Move {
	for _, m := range b.Find(nil, b.Side().Opponent(), board.ShapeFive) {
		if b.Legal(m) {
			return m
		}
	}
	return anyMove(b)
}

// anyMove returns an empty point, a legal one if there is any.
func anyMove(b *board.Board) board.Move {
	found := board.NoMove
	for y := range b.Height() {
		for x := range b.Width() {
			if m := board.Pt(x, y); b.Empty(m) {
				if b.Legal(m) {
					return m
				}
				found = m
			}
		}
	}
	return found
}

// collect lists the moves of the root, the most promising first.
func (r *root) collect() {
	p := r.generate(board.NoMove)
	for {
		m, ok := p.pick()
		if !ok {
			break
		}
		r.list = append(r.list, rootMove{move: m.move, score: -infinite, pv: []board.Move{m.move}})
	}
	r.used = 0
	if len(r.list) == 0 && p.forced == board.ShapeOpenFour {
		r.lost()
	}
}

// lost lists all moves where none stops an open four: the game goes on, and
// the moves that the patterns like best ask most of the opponent.
func (r *root) lost() {
	b := r.b
	for y := range b.Height() {
		for row := b.Vacant(y); row != 0; row &= row - 1 {
			r.push(board.Pt(bits.TrailingZeros32(row), y), b.Side(), board.NoMove)
		}
	}
	p := picker{list: r.moves[:r.used]}
	r.used = 0
	for m, ok := p.pick(); ok; m, ok = p.pick() {
		r.list = append(r.list, rootMove{move: m.move, score: -infinite, pv: []board.Move{m.move}})
	}
}

// Budgets for the victories by fours that the root looks for, in positions.
const (
	rootVCFNodes  = 400_000
	rootHoldNodes = 60_000
)

// spent returns a function that tells whether one part in so many of the time
// has gone, or the search must end.
func (r *root) spent(part time.Duration) func() bool {
	return func() bool {
		return r.budget.hard != NoLimit && r.ctl.elapsed() > r.budget.hard/part || r.expired(r.vcf.nodes)
	}
}

// byFours returns the plies of a victory by fours, or 0.
func (r *root) byFours() int {
	r.vcf.expired = r.spent(4)
	defer func() { r.vcf.expired = nil }()
	n, _ := r.vcf.solve(r.b, maxFours, rootVCFNodes)
	r.nodes += r.vcf.nodes
	return n
}

// holdAgainstFours drops the moves after which the opponent wins by fours, if
// he threatens to, unless that leaves none.
func (r *root) holdAgainstFours() {
	b := r.b
	if b.Count(b.Side().Opponent(), board.ShapeFive) > 0 {
		return
	}
	r.vcf.expired = r.spent(2)
	defer func() { r.vcf.expired = nil }()
	b.Pass()
	n, _ := r.vcf.solve(b, maxFours, rootHoldNodes)
	b.Undo()
	r.nodes += r.vcf.nodes
	if n == 0 {
		return
	}
	var held []rootMove
	for i, m := range r.list {
		if r.vcf.expired() {
			held = append(held, r.list[i:]...) // not known to lose
			break
		}
		b.Place(m.move)
		n, _ := r.vcf.solve(b, maxFours, rootHoldNodes)
		b.Undo()
		r.nodes += r.vcf.nodes
		if n == 0 {
			held = append(held, m)
		}
	}
	if len(held) > 0 {
		r.list = held
	}
}

// deepen searches the root deeper and deeper.
func (r *root) deepen() Result {
	done := Result{Move: r.list[0].move, PV: r.list[0].pv}
	t := r.newTeam()
	defer t.dismiss()
	stable := 0
	for depth := 1; depth <= r.maxDepth; depth++ {
		t.enter(depth)
		finished := r.iteration(depth)
		best := r.list[0]
		if best.move == done.Move {
			stable++
		} else {
			stable = 0
		}
		done.Move, done.PV = best.move, best.pv
		if best.score > -infinite {
			done.Score = r.announced(best)
		}
		if !finished {
			break
		}
		done.Depth = depth
		r.reportAll(done)
		if r.multiPV == 1 && settled(done.Score, depth) || r.enough(stable) {
			break
		}
		if res, ok := r.wonByThreats(depth); ok {
			return res
		}
		r.lookOut()
	}
	return t.consult(done)
}

// settled reports whether a search to a depth has found a win, or a loss
// that a deeper one cannot put off.
func settled(v Score, depth int) bool {
	n, decided := v.Mate()
	return decided && (n > 0 || depth > 2-n)
}

// reportAll tells what an iteration found, the best move with its announced
// score.
func (r *root) reportAll(done Result) {
	for i := range min(r.multiPV, len(r.list)) {
		score := r.list[i].score
		if i == 0 {
			score = done.Score
		}
		r.report(Info{Depth: done.Depth, SelDepth: r.selDepth, Score: score, Nodes: r.visited(),
			Time: r.ctl.elapsed(), PV: slices.Clone(r.list[i].pv), PVIndex: i})
	}
}

// announced returns the score of a move as it may be told: a win that cannot
// be proven in short time is believed and played, but not claimed.
func (r *root) announced(m rootMove) Score {
	n, ok := m.score.Mate()
	if !ok || n < 0 {
		return m.score
	}
	p := prover{searcher: r.searcher, limit: proofNodes}
	proven := p.proves(n, m.pv)
	r.nodes += p.nodes
	if proven {
		return m.score
	}
	return maxEval
}

// enough reports whether another iteration is not worth its time. stable is
// the number of iterations for which the best move has been the same.
func (r *root) enough(stable int) bool {
	if !r.budget.saving {
		return false
	}
	// An unstable choice gets up to twice the usual time, a stable one half.
	factor := max(50, 200-25*stable)
	return r.ctl.elapsed() > r.budget.soft*time.Duration(factor)/100*6/10
}

// iteration searches all root moves to a depth and puts them in order. It
// returns false if it was cut short; then a move at the front has been proven
// better than the one before it, or the order is the old one.
func (r *root) iteration(depth int) bool {
	r.sinkLost()
	for i := range min(r.multiPV, len(r.list)) {
		if !r.aspirate(depth, i) {
			return false
		}
	}
	// A later line may have come out better than an earlier one.
	slices.SortStableFunc(r.list[:min(r.multiPV, len(r.list))], func(a, b rootMove) int {
		return int(b.score - a.score)
	})
	return true
}

// aspirate searches the moves from index from on with a window around the
// last score, widened until the score lies within.
func (r *root) aspirate(depth, from int) bool {
	alpha, beta := -infinite, infinite
	delta := Score(r.t.v[aspirationDelta])
	if last := r.list[from].score; depth >= 5 && last > -MateBound && last < MateBound {
		alpha, beta = last-delta, last+delta
	}
	for {
		v, ok := r.searchRoot(alpha, beta, depth*onePly, from)
		if !ok {
			return false
		}
		switch {
		case v <= alpha && alpha > -infinite:
			beta = (alpha + beta) / 2
			alpha = max(v-delta, -infinite)
		case v >= beta && beta < infinite:
			beta = min(v+delta, infinite)
		default:
			return true
		}
		delta += delta/2 + 6
		if delta > 500 {
			alpha, beta = -infinite, infinite
		}
	}
}

// searchRoot searches the root moves from index from on and sorts them: those
// that raised alpha first, the last to do so foremost.
func (r *root) searchRoot(alpha, beta Score, depth, from int) (best Score, ok bool) {
	b := r.b
	c := b.Side()
	f := r.frame(0)
	if b.Count(c.Opponent(), board.ShapeFive) == 0 {
		f.eval = r.eval.Evaluate(b)
	}
	best = -infinite
	order := r.list[from:]
	scores := make([]Score, len(order))
	for i := range scores {
		scores[i] = -infinite
	}
	plies := min(depth/onePly, 63)
	for i := range order {
		m := order[i].move
		f.move, f.shape = m, b.Shape(m, c)
		next := depth - onePly
		reduction := 0
		if i > 0 && depth >= 2*onePly {
			sm := scoredMove{move: m, worth: int16(min(r.order.Worth(b, m, c), 32767))}
			reduction = r.reduction(sm, f.shape, plies, i+1, 0, true, true, false, c)
			reduction = max(0, min(reduction, next-onePly))
		}
		lost := order[i].lost > 0
		b.Place(m)
		var v Score
		if lost {
			v = matedIn(order[i].lost)
			r.pv[1] = r.pv[1][:0]
		} else if i == 0 {
			v = -r.search(-beta, -alpha, next, 1, false)
		} else {
			v = -r.search(-alpha-1, -alpha, next-reduction, 1, true)
			if v > alpha && reduction > 0 && !r.stopped {
				v = -r.search(-alpha-1, -alpha, next, 1, true)
			}
			if v > alpha && v < beta && !r.stopped {
				v = -r.search(-beta, -alpha, next, 1, false)
			}
		}
		b.Undo()
		r.used = 0
		if r.stopped {
			break
		}
		if v > alpha && v < MateBound && i > 0 && !lost && r.losesToThreats(&order[i]) {
			v = matedIn(order[i].lost)
			r.pv[1] = r.pv[1][:0]
		}
		if v > best {
			best = v
		}
		if v > alpha || i == 0 {
			scores[i] = v
			order[i].score = v
			order[i].pv = append(append(order[i].pv[:0], m), r.pv[1]...)
			if i > 0 {
				// Proven better than all before it, even if time runs out.
				om, sc := order[i], scores[i]
				copy(order[1:i+1], order[:i])
				copy(scores[1:i+1], scores[:i])
				order[0], scores[0] = om, sc
			}
		} else {
			order[i].score = -infinite
		}
		alpha = max(alpha, v)
		if alpha >= beta {
			break
		}
	}
	return best, !r.stopped
}
