package engine

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
	"kumiko/engine/enginetest"
)

// withThreads makes an engine search with n threads, however few processors
// there are.
func withThreads(e *Engine, n int) *Engine {
	if e.threads != n {
		e.threads = n
		e.drop()
	}
	return e
}

// teamOptions leave memory for many helpers.
var teamOptions = Options{Memory: 128 << 20}

// Whatever the number of threads, which changes from search to search, and
// whatever ends it, the answer is legal, the node limit is approximately kept, and
// no goroutine remains.
func TestThreads(t *testing.T) {
	defer goleak.VerifyNone(t)
	e := New(teamOptions)
	boards := append(quietBoards(t), stonesFor(t, 15, 15, board.Renju)...)
	boards = append(boards, stonesFor(t, 6, 6, board.Freestyle)...)
	for i, n := range []int{2, 1, 8, 4, 3} {
		withThreads(e, n)
		for j, b := range boards {
			if (i+j)%3 == 0 {
				e.Reset()
			}
			for _, limit := range []int64{1, 500, int64(enginetest.Scaled(5000))} {
				res := e.Search(t.Context(), Request{Board: b, Limits: nodes(limit), MultiPV: j % 3}, nil)
				checkMove(t, "threads", b, res.Move)
				if most := limit + int64(n)*overshoot + freeNodes; res.Nodes > most {
					t.Errorf("%d threads: %d positions, the limit was %d:\n%v", n, res.Nodes, limit, b)
				}
				if len(res.PV) > 0 && res.PV[0] != res.Move {
					t.Errorf("%d threads: %v, but the line is %v:\n%v", n, res.Move, res.PV, b)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Duration(1+j)*ms, cancel)
			res := e.Search(ctx, Request{Board: b, Limits: Limits{Turn: time.Minute, Left: NoLimit, Depth: 20}}, nil)
			cancel()
			checkMove(t, "threads, stopped", b, res.Move)
		}
	}
}

// Helpers share the work.
func TestThreadsShare(t *testing.T) {
	e := withThreads(New(teamOptions), 3)
	res := e.Search(t.Context(), Request{Board: quietBoards(t)[1], Limits: nodes(100_000)}, nil)
	sum := e.s.nodes
	for i, h := range e.helpers {
		if h.nodes < 1000 {
			t.Errorf("helper %d visited %d of %d positions", i, h.nodes, res.Nodes)
		}
		sum += h.nodes
	}
	if len(e.helpers) != 2 || res.Nodes != sum {
		t.Errorf("%d helpers; %d positions, all together visited %d", len(e.helpers), res.Nodes, sum)
	}
}

// The answer comes as soon after the end of the context as with one thread.
func TestThreadsStopLatency(t *testing.T) {
	if testing.Short() || enginetest.Race {
		t.Skip("measures time")
	}
	for try := 1; ; try++ {
		late := stopLatencies(t, withThreads(New(testOptions), 2))
		mid, last := late[len(late)/2], late[len(late)-1]
		if mid <= 20*ms && last <= 100*ms { // the time of both
			return
		}
		if try == 5 {
			t.Fatalf("stops %v after the context at the median, %v at worst", mid, last)
		}
	}
}

// A single-threaded search is deterministic, even after parallel ones.
func TestThreadsThenOne(t *testing.T) {
	limits := nodes(int64(enginetest.Scaled(3000)))
	want := record(t, New(testOptions), board.Freestyle, limits)
	e := withThreads(New(testOptions), 2)
	record(t, e, board.Freestyle, limits)
	e.SetThreads(1)
	if got := record(t, e, board.Freestyle, limits); !slices.Equal(got, want) {
		t.Errorf("after a search with two threads, one thread reports\n%q, want\n%q", got, want)
	}
}

// Reported wins hold, whichever of four threads found them, and the depth reached
// has been reported.
func TestThreadsAnnounce(t *testing.T) {
	e := withThreads(New(teamOptions), 4)
	won := 0
	for _, c := range boardtest.ReadCases[enginetest.Position](t, "../solve/testdata/vct.jsonl") {
		b := c.Board(t)
		e.Reset()
		var last Info
		res := e.Search(t.Context(), Request{Board: b, Limits: nodes(int64(enginetest.Scaled(60_000)))}, func(i Info) { last = i })
		if last.Depth != res.Depth {
			t.Errorf("%s: %+v, last reported %+v", c.ID, res, last)
		}
		if n, ok := res.Score.Mate(); ok && n > 0 {
			won++
			playOut(t, b.Clone(), n, board.NoMove)
		}
	}
	t.Logf("%d announced", won)
	if won == 0 {
		t.Error("no win was announced")
	}
}

// A panic in a helper becomes a panic of Search, and does not affect the next
// search.
func TestHelperPanics(t *testing.T) {
	defer goleak.VerifyNone(t)
	e := withThreads(New(testOptions), 2)
	req := Request{Board: quietBoards(t)[0], Limits: nodes(5000)}
	e.Search(t.Context(), req, nil)
	hist := e.helpers[0].hist
	e.helpers[0].hist = nil
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Search does not panic")
			}
		}()
		e.Search(t.Context(), Request{Board: req.Board, Limits: Limits{Turn: time.Minute, Left: NoLimit}}, nil)
	}()
	e.helpers[0].hist = hist
	e.Reset()
	checkMove(t, "after a panic", req.Board, e.Search(t.Context(), req, nil).Move)
}

// A helper takes the first depth that fewer than half of the threads are at.
func TestNextDepth(t *testing.T) {
	for _, c := range []struct {
		depths []int
		i      int
		want   int
	}{
		{[]int{4, 0}, 1, 5},
		{[]int{4, 5}, 1, 6},
		{[]int{7, 5}, 1, 8},
		{[]int{5, 6}, 1, 7},
		{[]int{4, 0, 0}, 1, 4},
		{[]int{4, 4, 0}, 2, 5},
		{[]int{4, 0, 0, 0}, 1, 4},
		{[]int{4, 4, 0, 0}, 2, 5},
		{[]int{4, 4, 5, 0}, 3, 5},
		{[]int{9, 9, 5, 10}, 2, 10},
	} {
		tm := &team{depths: slices.Clone(c.depths)}
		if got := tm.next(c.i); got != c.want || tm.depths[c.i] != c.want {
			t.Errorf("thread %d of %v goes on with %d, want %d", c.i, c.depths, got, c.want)
		}
	}
}

// A helper's finding counts if it is a win or deeper than the main thread's.
func TestConsult(t *testing.T) {
	a, b, c := board.Pt(1, 1), board.Pt(2, 2), board.Pt(3, 3)
	find := func(m board.Move, v Score, depth int) finding {
		return finding{rootMove{move: m, score: v, pv: []board.Move{m}}, depth, depth}
	}
	for _, tt := range []struct {
		name  string
		multi int
		score Score // of the main thread's move a, at depth 8
		found []finding
		want  board.Move
	}{
		{"nobody helps", 1, 10, nil, a},
		{"as deep", 1, 10, []finding{find(b, 90, 8)}, a},
		{"deeper", 1, 10, []finding{find(b, -90, 9)}, b},
		{"the deepest", 1, 10, []finding{find(b, 0, 10), find(c, 90, 9)}, b},
		{"a win", 1, 10, []finding{find(c, 0, 10), find(b, mateIn(9), 7), find(c, 0, 11)}, b},
		{"a win already", 1, mateIn(7), []finding{find(b, 0, 10)}, a},
		{"several lines", 2, 10, []finding{find(b, 0, 10)}, a},
	} {
		e := New(testOptions)
		s := searcherOn(e, quietBoards(t)[0])
		r := &root{searcher: s, engine: e, multiPV: tt.multi}
		tm := r.newTeam()
		for _, f := range tt.found {
			tm.found(f)
		}
		res := tm.consult(Result{Move: a, Score: tt.score, Depth: 8, PV: []board.Move{a}})
		if res.Move != tt.want || res.PV[0] != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, res.Move, tt.want)
		}
		if res.Score >= MateBound && tt.score < MateBound {
			t.Errorf("%s: a win is announced that nobody can prove", tt.name)
		}
	}
}

// There are at most as many threads as processors, and no more than fit in memory.
func TestSetThreads(t *testing.T) {
	processors := min(runtime.NumCPU(), mostThreads)
	for _, c := range []struct{ ask, want int }{
		{-1, 1}, {0, 1}, {1, 1}, {processors, processors}, {1 << 40, processors},
	} {
		e := New(Options{Threads: c.ask})
		if e.threads != c.want {
			t.Errorf("asked for %d, uses %d threads, want %d", c.ask, e.threads, c.want)
		}
	}
	for _, bytes := range []int64{1, 20 << 20, 24 << 20, 64 << 20, 350 << 20, 2 << 30} {
		for _, n := range []int{1, 2, 8, 64} {
			e := withThreads(New(Options{Memory: bytes}), n)
			used := e.affordable()
			tt, vcf := e.tableSizes()
			total := tt + int64(used)*(int64(16)<<vcf) + int64(used-1)*helperMemory
			if limit := max(bytes-runtimeMemory, 2<<20); total > limit || used > n || used < 1 {
				t.Errorf("%d bytes: %d of %d threads take %d", bytes, used, n, total)
			}
			if bytes >= 350<<20 && n <= 8 && used != n {
				t.Errorf("%d bytes: %d of %d threads", bytes, used, n)
			}
		}
	}
}

// A helper uses no more memory than is reserved for it.
func TestHelperMemory(t *testing.T) {
	e := withThreads(New(teamOptions), 2)
	big := enginetest.NewBoard(t, board.MaxSize, board.MaxSize, board.Freestyle)
	big.Place(board.Pt(9, 9))
	e.Search(t.Context(), Request{Board: big, Limits: nodes(5000)}, nil)
	h := e.helpers[0]
	size := reflect.TypeOf(*h).Size() + reflect.TypeOf(*h.hist).Size() + reflect.TypeOf(*h.vcf).Size() +
		reflect.TypeOf(*h.b).Size() + uintptr(cap(h.moves))*reflect.TypeFor[scoredMove]().Size()
	for i := range h.pv {
		size += uintptr(2 * cap(h.pv[i]))
	}
	// What the board keeps for undoing is not to be seen from here.
	if size > helperMemory*9/10 {
		t.Errorf("a helper takes %d bytes, %d are set aside", size, helperMemory)
	}
	t.Logf("%d bytes", size)
}

// lonely is an evaluator that detects concurrent use.
type lonely struct {
	Evaluator
	busy atomic.Bool
	used atomic.Bool
}

func (l *lonely) Evaluate(b *board.Board) Score {
	if !l.busy.CompareAndSwap(false, true) {
		panic("an evaluator is used by two threads")
	}
	defer l.busy.Store(false)
	l.used.Store(true)
	return l.Evaluator.Evaluate(b)
}

// Each thread has an evaluator of its own, made once for all searches of a rule
// and again when the rule changes.
func TestEvaluatorPerThread(t *testing.T) {
	var made []*lonely
	o := teamOptions
	o.Evaluator = func(e Evaluator) Evaluator {
		made = append(made, &lonely{Evaluator: e})
		return made[len(made)-1]
	}
	const threads = 3
	e := withThreads(New(o), threads)
	for _, rule := range []board.Rule{board.Freestyle, board.Renju, board.Renju, board.Freestyle} {
		b := enginetest.NewBoard(t, 15, 15, rule)
		for _, m := range enginetest.Words(t, "h8 i9 i8") {
			b.Place(m)
		}
		e.Search(t.Context(), Request{Board: b, Limits: nodes(50_000)}, nil)
	}
	if len(made) != 3*threads {
		t.Errorf("%d evaluators made for %d threads and 2 changes of the rule", len(made), threads)
	}
	for i, l := range made {
		if !l.used.Load() {
			t.Errorf("evaluator %d of %d was never asked", i, len(made))
		}
	}
}
