package engine

import (
	"runtime"
	"slices"
	"sync"
)

// Several threads search the same position, each with its own searcher, and
// share nothing but the transposition table, the clock and a note of who is
// at which depth: lazy SMP, as chess engines call it. What one has searched
// the others find in the table and need not search. The main thread works as
// it would alone; the helpers run ahead of it.

// mostThreads bounds the number of threads, whatever the machine.
const mostThreads = 64

// MaxThreads returns the number of threads that SetThreads allows: one for
// each processor, but not more than 64.
func MaxThreads() int { return min(runtime.NumCPU(), mostThreads) }

// helperMemory is what a searcher takes apart from its table of fours, in
// bytes: the history is most of it.
const helperMemory = 6 << 20

// affordable returns the number of threads whose searchers take no more than
// half of the memory.
func (e *Engine) affordable() int {
	return min(e.threads, max(1, 1+int((e.memory-runtimeMemory)/2/helperMemory)))
}

// visited returns the number of positions that all threads have visited, of
// the others as far as they have told, and tells those of this one.
func (s *searcher) visited() int64 {
	n := s.ctl.visited.Add(s.nodes - s.counted)
	s.counted = s.nodes
	return n
}

// expired reports whether the search must end, if pending positions more than
// s.nodes have been visited. It reads the clock.
func (s *searcher) expired(pending int64) bool { return s.ctl.expired(s.visited() + pending) }

// helpersFrom is the depth from which on helpers are of use: before, an
// iteration takes no longer than to start them.
const helpersFrom = 4

// A team is the threads of one search.
type team struct {
	main  *root
	ready bool // the helpers have been started
	wait  sync.WaitGroup

	mu      sync.Mutex
	depths  []int   // the iteration that each is at, main first
	best    finding // of the helpers
	failure any     // what a helper has panicked with
}

// A finding is what an iteration of a helper came to.
type finding struct {
	rootMove
	depth, selDepth int
}

// newTeam returns the threads of a search, of which only the main one works
// so far.
func (r *root) newTeam() *team {
	return &team{main: r, depths: make([]int, 1+len(r.engine.helpers))}
}

// enter notes the iteration that the main thread begins.
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

// start lets the helpers search the moves of the main thread, in the order
// that it has found so far.
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

// next returns the depth to which thread i shall search next: the first one
// that is new to it and that fewer than half of the threads have reached.
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

// found keeps the finding of a helper if it is the best: a win, else that of
// the deepest iteration.
func (t *team) found(f finding) {
	t.mu.Lock()
	defer t.mu.Unlock()
	won, known := f.score >= MateBound, t.best.score >= MateBound
	if won && !known || won == known && f.depth > t.best.depth {
		f.pv = slices.Clone(f.pv)
		t.best = f
	}
}

// consult returns what the team has come to, given what the main thread has:
// the outcome of its own last iteration, unless a helper knows of a win or has
// finished a deeper one.
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

// dismiss ends the helpers' search and waits until it has ended.
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
