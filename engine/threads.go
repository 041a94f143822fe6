package engine

import (
	"runtime"
	"slices"
	"sync"
)

// Parallel search is lazy SMP: several threads search the same position, each
// with its own searcher, and share only the transposition table, the clock and
// the depth that each is at. What one has searched the others find in the table.
// The main thread works as it would alone; the helpers run ahead of it.

// mostThreads bounds the number of threads, whatever the machine.
const mostThreads = 64

// MaxThreads returns the maximum number of threads for SetThreads: one per
// processor, but at most 64.
func MaxThreads() int { return min(runtime.NumCPU(), mostThreads) }

// helperMemory is the size in bytes of a searcher without its VCF table, mostly
// history.
const helperMemory = 6 << 20

// affordable returns the number of threads whose searchers fit in three quarters of
// the memory; PUCT has one.
func (e *Engine) affordable() int {
	if e.search == PUCT {
		return 1
	}
	return min(e.threads, max(1, 1+int((e.memory-runtimeMemory)*3/4/helperMemory)))
}

// visited adds the nodes of this thread to the total and returns it. The other
// threads are included as far as they have added theirs.
func (s *searcher) visited() int64 {
	n := s.ctl.visited.Add(s.nodes - s.counted)
	s.counted = s.nodes
	return n
}

// expired reports whether the search must end, counting pending nodes beyond
// s.nodes. It reads the clock.
func (s *searcher) expired(pending int64) bool { return s.ctl.expired(s.visited() + pending) }

// helpersFrom is the depth at which helpers start: earlier iterations take no
// longer than starting them.
const helpersFrom = 4

// A team is the threads of one search.
type team struct {
	main  *root
	ready bool // the helpers have been started
	wait  sync.WaitGroup

	mu      sync.Mutex
	depths  []int   // the iteration of each, main first
	best    finding // of the helpers
	failure any     // value of a helper's panic
}

// A finding is the result of a helper's iteration.
type finding struct {
	rootMove
	depth, selDepth int
}

// newTeam returns the team of a search; the helpers are not started yet.
func (r *root) newTeam() *team {
	return &team{main: r, depths: make([]int, 1+len(r.engine.helpers))}
}

// enter records the iteration that the main thread begins, and starts the helpers
// when it is time.
func (t *team) enter(depth int) {
	if len(t.depths) == 1 {
		return
	}
	t.mu.Lock()
	t.depths[0] = depth
	t.mu.Unlock()
	if depth >= helpersFrom && !t.ready {
		t.ready = true
		t.start()
	}
}

// start starts the helpers on the main thread's root moves, in their current
// order.
func (t *team) start() {
	m := t.main
	for i, s := range m.engine.helpers {
		m.engine.attach(s, m.b)
		s.ctl = m.ctl
		r := &root{searcher: s, maxDepth: m.maxDepth, multiPV: m.multiPV, list: slices.Clone(m.list)}
		for j := range r.list {
			r.list[j].pv = slices.Clone(r.list[j].pv)
		}
		t.wait.Go(func() { t.help(i+1, r) })
	}
}

// help searches deeper and deeper as thread i.
func (t *team) help(i int, r *root) {
	defer func() {
		r.visited()
		if v := recover(); v != nil {
			t.mu.Lock()
			t.failure = v
			t.mu.Unlock()
			r.ctl.stop.Store(true)
		}
	}()
	for depth := t.next(i); depth <= r.maxDepth && r.iteration(depth); depth = t.next(i) {
		best := r.list[0]
		t.found(finding{best, depth, r.selDepth})
		if r.multiPV == 1 && settled(best.score, depth) {
			return
		}
	}
}

// next returns the next depth of thread i: the first that is new to it and that
// fewer than half of the threads have reached.
func (t *team) next(i int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	depth := max(t.depths[i]+1, helpersFrom)
	for 2*t.reached(depth) >= len(t.depths) {
		depth++
	}
	t.depths[i] = depth
	return depth
}

// reached returns how many threads search to a depth or have done so.
func (t *team) reached(depth int) int {
	n := 0
	for _, d := range t.depths {
		if d >= depth {
			n++
		}
	}
	return n
}

// found records the finding of a helper if it is the best so far: a win, else the
// deepest.
func (t *team) found(f finding) {
	t.mu.Lock()
	defer t.mu.Unlock()
	won, known := f.score >= MateBound, t.best.score >= MateBound
	if won && !known || won == known && f.depth > t.best.depth {
		f.pv = slices.Clone(f.pv)
		t.best = f
	}
}

// consult returns the team's result: done, the main thread's, unless a helper has
// found a win or finished a deeper iteration.
func (t *team) consult(done Result) Result {
	t.mu.Lock()
	f := t.best
	t.mu.Unlock()
	r := t.main
	_, decided := done.Score.Mate()
	if f.depth == 0 || r.multiPV > 1 || decided || f.depth <= done.Depth && f.score < MateBound {
		return done
	}
	r.selDepth = max(r.selDepth, f.selDepth)
	l := r.claim(&f.rootMove)
	return Result{Move: l.pv[0], Score: l.score, Depth: f.depth, PV: l.pv, tree: l.tree}
}

// dismiss stops the helpers and waits for them.
func (t *team) dismiss() {
	if !t.ready {
		return
	}
	t.main.ctl.stop.Store(true)
	t.wait.Wait()
	if t.failure != nil {
		panic(t.failure)
	}
}
