package work

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// square is a job that takes some time, less for some numbers.
func square(ctx context.Context, n int) (int, error) {
	select {
	case <-time.After(time.Duration(n*7%5) * time.Second):
		return n * n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func squares(int) Func[int] { return square }

// TestInOrder compares any number of workers with a loop.
func TestInOrder(t *testing.T) {
	for workers := 1; workers < 12; workers++ {
		for _, bounds := range [][2]int{{0, 0}, {0, 1}, {0, 40}, {17, 60}, {5, 4}} {
			synctest.Test(t, func(t *testing.T) {
				var want, got []string
				for n := bounds[0]; n < bounds[1]; n++ {
					want = append(want, fmt.Sprint(n, n*n))
				}
				err := InOrder(t.Context(), bounds[0], bounds[1], workers, squares, func(n, v int) error {
					got = append(got, fmt.Sprint(n, v))
					return nil
				})
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%d workers, %v: %q, %v", workers, bounds, got, err)
				}
			})
		}
	}
}

// TestInOrderFails lets jobs fail: what comes before the first of them is
// handed on, and its error returned, whoever failed first.
func TestInOrderFails(t *testing.T) {
	for workers := 1; workers < 12; workers++ {
		synctest.Test(t, func(t *testing.T) {
			got := 0
			err := InOrder(t.Context(), 0, 1000, workers, func(int) Func[int] {
				return func(ctx context.Context, n int) (int, error) {
					v, err := square(ctx, n)
					if n == 20 || n == 22 || n == 23 {
						err = fmt.Errorf("job %d is bad", n)
					}
					return v, err
				}
			}, func(n, v int) error { got++; return nil })
			if fmt.Sprint(err) != "job 20 is bad" || got != 20 {
				t.Errorf("%d workers: %d results, then %v", workers, got, err)
			}
		})
	}
}

// TestInOrderTake lets the taker fail: it is not called again.
func TestInOrderTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full, got := errors.New("full"), 0
		start := time.Now()
		err := InOrder(t.Context(), 0, 1000, 5, squares, func(n, v int) error {
			if got++; n == 10 {
				return full
			}
			return nil
		})
		if err != full || got != 11 || time.Since(start) > 20*time.Second {
			t.Errorf("%d results in %v, error %v", got, time.Since(start), err)
		}
	})
}

// TestInOrderResumes cancels again and again, each time with another number of
// workers, and goes on from where it was: every result is handed on once.
func TestInOrderResumes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const end = 200
		rng := rand.New(rand.NewPCG(1, 2))
		var got []int
		runs := 0
		for len(got) < end {
			runs++
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+rng.IntN(8))*time.Second+1)
			err := InOrder(ctx, len(got), end, 1+rng.IntN(8), squares, func(n, v int) error {
				got = append(got, v)
				return nil
			})
			cancel()
			if want := map[bool]error{true: nil, false: context.DeadlineExceeded}[len(got) == end]; err != want {
				t.Fatalf("after %d results: error %v, want %v", len(got), err, want)
			}
		}
		for n, v := range got {
			if v != n*n {
				t.Fatalf("result %d is %d", n, v)
			}
		}
		if runs < 5 {
			t.Errorf("%d runs", runs)
		}
	})
}

// TestAhead holds the first job up: the others do not run away.
func TestAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var begun atomic.Int64
		const workers = 3
		err := InOrder(t.Context(), 0, 10_000, workers, func(int) Func[int] {
			return func(ctx context.Context, n int) (int, error) {
				begun.Add(1)
				if n == 0 {
					time.Sleep(time.Hour)
					if got := begun.Load(); got != ahead*workers {
						t.Errorf("%d jobs were begun while the first went on, want %d", got, ahead*workers)
					}
				}
				return n, nil
			}
		}, func(int, int) error { return nil })
		if err != nil || begun.Load() != 10_000 {
			t.Errorf("%d jobs, error %v", begun.Load(), err)
		}
	})
}

// A hall is a coordinator of games that need boards, of which there are few:
// what a tournament is, without the games.
type hall struct {
	t       *testing.T
	jobs    []game
	boards  int // free
	most    int // that were in use at a time
	all     int
	running map[int]game // by worker
	log     []string
	played  []int
	banned  int // the player whose games are dropped; 0 is none
	stopped bool
}

// A game is a job: all that a worker has to know.
type game struct{ number, player, boards int }

// Next implements [Coordinator].
func (h *hall) Next(worker int) (game, State) {
	if _, busy := h.running[worker]; busy {
		h.t.Errorf("worker %d is asked to do two jobs", worker)
	}
	for len(h.jobs) > 0 && h.jobs[0].player == h.banned {
		h.jobs = h.jobs[1:]
	}
	switch {
	case len(h.jobs) == 0 || h.stopped:
		return game{}, Done
	case h.jobs[0].boards > h.boards:
		return game{}, Wait
	}
	g := h.jobs[0]
	h.jobs = h.jobs[1:]
	h.boards -= g.boards
	h.most = max(h.most, h.all-h.boards)
	h.running[worker] = g
	return g, Ready
}

// Handle implements [Coordinator].
func (h *hall) Handle(worker int, event string) {
	g, ok := h.running[worker]
	if event == "closed" {
		if ok {
			h.t.Errorf("worker %d closed during a job", worker)
		}
		h.log = append(h.log, event)
		return
	}
	var number int
	var what string
	fmt.Sscan(event, &number, &what)
	if !ok || number != g.number {
		h.t.Errorf("worker %d: %s during game %d", worker, event, g.number)
	}
	h.log = append(h.log, event)
	if what == "cheated" {
		h.banned = g.player
	}
}

// Ended implements [Coordinator].
func (h *hall) Ended(worker int, g game, err error) {
	if h.running[worker] != g {
		h.t.Errorf("worker %d ended %v instead of %v", worker, g, h.running[worker])
	}
	delete(h.running, worker)
	h.boards += g.boards
	if err == nil {
		h.played = append(h.played, g.number)
	}
}

// A table is a worker at which games of ten moves are played.
type table struct{ emit func(string) }

// Do implements [Worker].
func (w table) Do(ctx context.Context, g game) error {
	for i := range 10 {
		select {
		case <-ctx.Done():
			w.emit(fmt.Sprint(g.number, " void"))
			return ctx.Err()
		case <-time.After(time.Duration(1+(g.number*3+i)%7) * time.Second):
			w.emit(fmt.Sprint(g.number, " move"))
		}
	}
	if g.player == 3 && g.number > 20 {
		w.emit(fmt.Sprint(g.number, " cheated"))
	}
	return nil
}

// Close implements [Worker].
func (w table) Close() { w.emit("closed") }

func newHall(t *testing.T, games, boards int) (*hall, *Pool[game, string]) {
	h := &hall{t: t, boards: boards, all: boards, running: map[int]game{}}
	for n := range games {
		h.jobs = append(h.jobs, game{n, n % 7, n % 3})
	}
	return h, NewPool(5, func(i int, emit func(string)) Worker[game] { return table{emit} })
}

// TestCoordinator plays games that share boards and drops those of a player
// who cheats, from that event on.
func TestCoordinator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, p := newHall(t, 200, 4)
		if err := p.Run(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		if h.most != 4 || h.boards != 4 {
			t.Errorf("%d boards in use at most, %d free in the end; want 4 and 4", h.most, h.boards)
		}
		cheated := slices.IndexFunc(h.log, func(s string) bool { return s == "24 cheated" })
		begun := 0 // games whose first move comes after that
		moves := map[string]int{}
		for i, s := range h.log {
			if moves[s]++; i > cheated && moves[s] == 1 {
				var n int
				if fmt.Sscan(s, &n); n > 40 && n%7 == 3 {
					begun++
				}
			}
		}
		if cheated < 0 || begun > 0 {
			t.Errorf("%d games of player 3 begun after event %d", begun, cheated)
		}
		for _, n := range h.played {
			if got := moves[fmt.Sprint(n, " move")]; got != 10 {
				t.Errorf("game %d: %d moves", n, got)
			}
		}
		if len(h.played) < 170 || moves["closed"] != 5 {
			t.Errorf("%d games played, %d workers closed", len(h.played), moves["closed"])
		}
	})
}

// TestInterrupt interrupts twice by calls: the first time the games under way
// are played to their end, the second time they are void.
func TestInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, p := newHall(t, 2000, 4)
		ctx, abort := context.WithCancelCause(t.Context())
		errAbort := errors.New("abort")
		go func() {
			time.Sleep(100 * time.Second)
			p.Call(func() { h.stopped = true })
			time.Sleep(2 * time.Second)
			p.Call(func() { abort(errAbort) })
		}()
		start := time.Now()
		err := p.Run(ctx, h)
		if took := time.Since(start); took != 102*time.Second {
			t.Errorf("ended after %v", took)
		}
		voids := 0
		for _, s := range h.log {
			if len(s) > 4 && s[len(s)-4:] == "void" {
				voids++
			}
		}
		if err != errAbort || voids == 0 || len(h.running) > 0 || h.boards != 4 || len(h.played) == 0 {
			t.Errorf("error %v, %d void, %d running, %d boards free, %d played", err, voids, len(h.running), h.boards, len(h.played))
		}
		if h.log[len(h.log)-1] != "closed" {
			t.Error("a worker was closed, but not told of")
		}
	})
}

// TestCancelledBefore runs with a context that is over: no job is asked for.
func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h, p := newHall(t, 10, 4)
	if err := p.Run(ctx, h); err != context.Canceled || len(h.jobs) != 10 {
		t.Errorf("error %v, %d jobs left", err, len(h.jobs))
	}
}

// TestFlood emits many events while the coordinator is busy: emitting does not
// wait for it.
func TestFlood(t *testing.T) {
	h := &flooded{block: make(chan struct{})}
	p := NewPool(1, func(i int, emit func(int)) Worker[int] { return &flood{emit, h.block} })
	if err := p.Run(t.Context(), h); err != nil || h.events != 10_000 {
		t.Errorf("%d events, error %v", h.events, err)
	}
}

type flood struct {
	emit  func(int)
	block chan struct{}
}

func (w *flood) Do(context.Context, int) error {
	for i := range 10_000 {
		w.emit(i)
	}
	close(w.block)
	return nil
}

func (w *flood) Close() {}

type flooded struct {
	block         chan struct{}
	asked, events int
}

func (h *flooded) Next(int) (int, State) {
	if h.asked++; h.asked == 1 {
		return 1, Ready
	}
	return 0, Done
}

func (h *flooded) Handle(_ int, e int) {
	<-h.block // until all events are there
	if e != h.events {
		panic("events out of order")
	}
	h.events++
}

func (h *flooded) Ended(int, int, error) {}
