package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
	"kumiko/engine/enginetest"
)

// cancelled returns a context that has ended.
func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// stonesFor returns positions with few, many and almost all points taken.
func stonesFor(t *testing.T, w, h int, rule board.Rule) []*board.Board {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(w), uint64(h)))
	area := w * h
	var list []*board.Board
	for _, n := range []int{0, 1, 2, 7, area / 2, area - 2, area - 1} {
		b := enginetest.NewBoard(t, w, h, rule)
		for _, i := range rng.Perm(area)[:n] {
			// Place regardless of the side to move: fives may arise, and do no harm.
			b.Place(board.Pt(i%w, i/w))
		}
		list = append(list, b)
	}
	corner := enginetest.NewBoard(t, w, h, rule)
	corner.Place(board.Pt(w-1, h-1))
	return append(list, corner)
}

// However short the time or odd the board, the answer is a legal move, or an empty
// point if there is none, or NoMove if the board is full.
func TestSearchIsLegal(t *testing.T) {
	background := t.Context()
	requests := []struct {
		name   string
		ctx    context.Context
		limits Limits
		multi  int
	}{
		{"cancelled", cancelled(t), Limits{Turn: -1, Left: NoLimit}, 0},
		{"turn 0", background, Limits{Turn: 0, Left: NoLimit}, 0},
		{"nothing left", background, Limits{Turn: -1, Left: 0}, 0},
		{"less than nothing", background, Limits{Turn: time.Second, Left: -time.Second}, 0},
		{"1 ms", background, Limits{Turn: time.Millisecond, Left: NoLimit}, 0},
		{"1 node", background, nodes(1), 0},
		{"100 nodes", background, nodes(100), 0},
		{"depth 1", background, Limits{Turn: -1, Left: NoLimit, Depth: 1, Nodes: 10_000}, 0},
		{"started long ago", background, Limits{Turn: time.Second, Left: NoLimit, Start: time.Now().Add(-time.Hour)}, 0},
		{"4 lines", background, nodes(100), 4},
	}
	e := New(Options{Memory: 24 << 20})
	for _, size := range [][2]int{{5, 5}, {6, 6}, {15, 15}, {20, 20}, {32, 32}, {5, 32}, {32, 5}, {19, 7}} {
		for rule := range board.Rule(board.NumRules) {
			if testing.Short() && rule > board.Renju {
				continue
			}
			for _, b := range stonesFor(t, size[0], size[1], rule) {
				for _, r := range requests {
					before := b.String()
					res := e.Search(r.ctx, Request{Board: b, Limits: r.limits, MultiPV: r.multi}, nil)
					if b.String() != before {
						t.Fatalf("%s: the board has changed:\n%s%v", r.name, before, b)
					}
					checkMove(t, r.name, b, res.Move)
					if len(res.PV) > 0 && res.PV[0] != res.Move {
						t.Errorf("%s: %v, but the line is %v:\n%v", r.name, res.Move, res.PV, b)
					}
				}
			}
		}
	}
}

// checkMove asserts that m answers the position.
func checkMove(t *testing.T, name string, b *board.Board, m board.Move) {
	t.Helper()
	switch {
	case b.Full():
		if m != board.NoMove {
			t.Errorf("%s: %v on a full board:\n%v", name, m, b)
		}
	case m == board.NoMove || !b.Empty(m):
		t.Errorf("%s: %v is not an empty point:\n%v", name, m, b)
	case !b.Legal(m) && len(leftOut(b, nil)) > 0:
		t.Errorf("%s: %v is not legal:\n%v", name, m, b)
	}
}

// On a full board there is no move; if black has no legal move, the answer is an
// empty point.
func TestSearchWithoutMoves(t *testing.T) {
	for _, c := range []struct {
		name, picture string
	}{
		{"full", `
			X O X O X O
			X O X O X O
			O X O X O X
			X O X O X O
			X O X O X O
			black to move`},
		{"one overline", `
			X X X . X X
			X O X O X O
			O X O X O X
			X O X O X O
			X O X O X O
			black to move`},
		{"one forbidden, one legal", `
			X X X . X X
			X O X O X O
			O X O X O X
			X O X . X O
			X O X O X O
			black to move`},
		{"two overlines", `
			X X X . X X
			O X O O X O
			O X O O X O
			X O O X O X
			X X . X X X
			black to move`},
	} {
		b, _ := enginetest.Parse(t, board.Renju, c.picture)
		for _, ctx := range []context.Context{t.Context(), cancelled(t)} {
			res := New(testOptions).Search(ctx, Request{Board: b, Limits: nodes(1000)}, nil)
			checkMove(t, c.name, b, res.Move)
		}
	}
}

// record plays a game by small searches and returns everything that they reported
// except times.
func record(t *testing.T, e *Engine, rule board.Rule, limits Limits) []string {
	t.Helper()
	b := enginetest.NewBoard(t, 15, 15, rule)
	opening(rand.New(rand.NewPCG(21, 0)), b)
	var said []string
	for range 12 {
		res := e.Search(t.Context(), Request{Board: b, Limits: limits}, func(i Info) {
			said = append(said, fmt.Sprint(i.Depth, i.SelDepth, i.Score, i.Nodes, i.PVIndex, i.PV))
		})
		said = append(said, fmt.Sprint(res.Move, res.Score, res.Depth, res.SelDepth, res.Nodes, res.PV))
		if !b.Legal(res.Move) || b.Wins(res.Move, b.Side()) {
			break
		}
		b.Place(res.Move)
	}
	return said
}

// After Reset the same game is searched identically, by the same engine and by
// another one, whatever came in between.
func TestReproducible(t *testing.T) {
	for rule := range board.Rule(board.NumRules) {
		e := New(testOptions)
		limits := nodes(int64(enginetest.Scaled(5000)))
		first := record(t, e, rule, limits)
		if slices.Equal(record(t, e, rule, limits), first) {
			t.Logf("%v: the second game is like the first even without Reset", rule)
		}
		record(t, e, (rule+1)%board.NumRules, limits)
		e.Reset()
		for name, again := range map[string][]string{
			"after Reset": record(t, e, rule, limits),
			"another":     record(t, New(testOptions), rule, limits),
		} {
			if !slices.Equal(first, again) {
				for i := range min(len(first), len(again)) {
					if first[i] != again[i] {
						t.Errorf("%v, %s: report %d is\n%s, want\n%s", rule, name, i, again[i], first[i])
						break
					}
				}
				t.Errorf("%v, %s: %d reports, want %d", rule, name, len(again), len(first))
			}
		}
	}
}

// quiet lists positions with long searches, by rule, size and moves.
var quiet = []string{
	"freestyle 15 h8i9g8i8i7h9j9",
	"freestyle 20 h8n5n7h7n8m4m6",
	"standard 15 m10l12k10n12i15k11",
	"renju 15 d10g8g10d12d13f11",
	"caro5 15 h8f8g8f9i8f7j8l8",
}

// quietBoards sets up the quiet positions.
func quietBoards(t testing.TB) []*board.Board {
	t.Helper()
	var list []*board.Board
	for _, line := range quiet {
		var rule, moves string
		var size int
		if _, err := fmt.Sscan(line, &rule, &size, &moves); err != nil {
			t.Fatal(err)
		}
		b, err := playedBoard(rule, size, moves)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	return list
}

// A search ends soon after its context: within 10 ms at the median and 50 ms at
// worst, in CPU time so that other programs do not count.
func TestStopLatency(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	median, worst := 10*ms, 50*ms
	if enginetest.Race {
		median, worst = 10*median, 10*worst
	}
	// The notification that the context has ended may itself be delayed.
	for try := 1; ; try++ {
		late := stopLatencies(t, New(testOptions))
		mid, last := late[len(late)/2], late[len(late)-1]
		if mid <= median && last <= worst {
			t.Logf("median %v, worst %v", mid, last)
			return
		}
		if try == 5 {
			t.Fatalf("stops %v after the context at the median, %v at worst; want %v and %v", mid, last, median, worst)
		}
	}
}

// stopLatencies cancels searches at random times, among them one for fours
// that would take minutes, and returns in order how long they went on.
func stopLatencies(t *testing.T, e *Engine) []time.Duration {
	rng := rand.New(rand.NewPCG(22, 0))
	boards := quietBoards(t)
	for _, c := range boardtest.ReadCases[enginetest.Position](t, "../solve/testdata/puzzles.jsonl.gz") {
		if c.ID == "realcore-ten-year-fever" {
			boards = append(boards, c.Board(t))
		}
	}
	var late []time.Duration
	for i := range 24 {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan time.Duration, 1)
		time.AfterFunc(time.Duration(5+rng.IntN(60))*ms, func() {
			ended <- cpuTime()
			cancel()
		})
		e.Search(ctx, Request{Board: boards[i%len(boards)], Limits: Limits{Turn: time.Minute, Left: NoLimit}}, nil)
		late = append(late, cpuTime()-<-ended)
	}
	slices.Sort(late)
	return late
}

// A time limit is kept: the answer comes before the end of the turn.
func TestTurnLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	e := New(testOptions)
	boards := quietBoards(t)[:3]
	for _, c := range boardtest.ReadCases[defendCase](t, "defend.jsonl.gz")[:3] {
		boards = append(boards, c.Board(t)) // with a threat to look into first
	}
	for _, turn := range []time.Duration{20 * ms, 60 * ms, 200 * ms} {
		for _, b := range boards {
			var took time.Duration
			for range 5 { // other programs may hold the processor
				start := time.Now()
				e.Search(t.Context(), Request{Board: b, Limits: Limits{Turn: turn, Left: NoLimit, Start: start}}, nil)
				if took = time.Since(start); took <= turn {
					break
				}
			}
			if took > turn {
				t.Errorf("a turn of %v took %v", turn, took)
			}
		}
	}
}

// overshoot bounds the nodes visited beyond a limit: a VCF search polls every 256
// nodes, and one at a leaf continues to its own limit.
const overshoot = 1000

// The node limit is kept, whatever the search is doing.
func TestNodeLimit(t *testing.T) {
	e := New(testOptions)
	boards := quietBoards(t)
	for i, c := range boardtest.ReadCases[defendCase](t, "defend.jsonl.gz") {
		if i%6 == 0 && (i == 0 || !testing.Short()) {
			boards = append(boards, c.Board(t))
		}
	}
	most := map[int64]int64{}
	for _, n := range []int64{1, 100, 1000, 10_000, 50_000} {
		for _, b := range boards {
			e.Reset()
			res := e.Search(t.Context(), Request{Board: b, Limits: nodes(n)}, nil)
			most[n] = max(most[n], res.Nodes)
			if res.Nodes > n+overshoot {
				t.Errorf("%d positions, the limit was %d:\n%v", res.Nodes, n, b)
			}
		}
	}
	t.Logf("most positions visited, by limit: %v", most)
}

// A depth limit is kept, and deeper searches report every depth in turn.
func TestDepthLimit(t *testing.T) {
	e := New(testOptions)
	for _, b := range quietBoards(t) {
		for depth := 1; depth <= 6; depth++ {
			e.Reset()
			last := 0
			res := e.Search(t.Context(), Request{Board: b, Limits: Limits{Turn: -1, Left: NoLimit, Depth: depth}}, func(i Info) {
				if i.Depth != last+1 || i.PVIndex != 0 || len(i.PV) == 0 {
					t.Errorf("depth %d, line %d: %v after depth %d", i.Depth, i.PVIndex, i.PV, last)
				}
				last = i.Depth
			})
			if res.Depth != depth || last != depth || res.SelDepth < depth/2 {
				t.Errorf("depth %d, selective %d, reported %d; want %d", res.Depth, res.SelDepth, last, depth)
			}
		}
	}
}

// The lines reported can be played, and the result is the last one reported.
func TestReportedLines(t *testing.T) {
	e := New(testOptions)
	for _, b := range quietBoards(t) {
		e.Reset()
		var last Info
		res := e.Search(t.Context(), Request{Board: b, Limits: nodes(30_000)}, func(i Info) {
			last = i
			if i.Nodes <= 0 || i.Time < 0 || i.SelDepth < 0 {
				t.Errorf("%d positions, %v, selective depth %d", i.Nodes, i.Time, i.SelDepth)
			}
			checkLine(t, b, i.PV)
		})
		checkLine(t, b, res.PV)
		if res.Depth != last.Depth {
			t.Errorf("depth %d, last reported %d", res.Depth, last.Depth)
		}
	}
}

// checkLine asserts that a line can be played.
func checkLine(t *testing.T, b *board.Board, line []board.Move) {
	t.Helper()
	b = b.Clone()
	for i, m := range line {
		if !b.Legal(m) {
			t.Errorf("move %d of %v is not legal:\n%v", i+1, line, b)
			return
		}
		if b.Wins(m, b.Side()) && i+1 < len(line) {
			t.Errorf("move %d of %v wins, but the line goes on:\n%v", i+1, line, b)
			return
		}
		b.Place(m)
	}
}

// Several lines begin with different moves, the best first.
func TestMultiPV(t *testing.T) {
	e := New(testOptions)
	for _, b := range quietBoards(t) {
		for _, want := range []int{1, 2, 5, 1000} {
			e.Reset()
			lines := map[int]map[int]Info{} // by depth and index
			res := e.Search(t.Context(), Request{Board: b, Limits: Limits{Turn: -1, Left: NoLimit, Depth: 3}, MultiPV: want}, func(i Info) {
				if lines[i.Depth] == nil {
					lines[i.Depth] = map[int]Info{}
				}
				lines[i.Depth][i.PVIndex] = i
			})
			for depth, list := range lines {
				if len(list) != min(want, len(lines[1])) || len(list) == 0 {
					t.Errorf("%d lines at depth %d, want %d or as many as there are moves, as before", len(list), depth, want)
				}
				var first []board.Move
				for k := range len(list) {
					i := list[k]
					if len(i.PV) == 0 {
						t.Errorf("no line %d at depth %d", k, depth)
						continue
					}
					if slices.Contains(first, i.PV[0]) {
						t.Errorf("line %d at depth %d begins with %v, as one before", k, depth, i.PV[0])
					}
					if k > 0 && i.Score > list[k-1].Score {
						t.Errorf("line %d at depth %d scores %v, the one before %v", k, depth, i.Score, list[k-1].Score)
					}
					first = append(first, i.PV[0])
				}
			}
			if best := lines[res.Depth][0]; len(best.PV) > 0 && best.PV[0] != res.Move {
				t.Errorf("%d lines: plays %v, but the best is %v", want, res.Move, best.PV)
			}
		}
	}
}

// With a five to make or to stop, either several lines are reported or none, and
// the move is right.
func TestMultiPVForced(t *testing.T) {
	for _, c := range []struct {
		name, picture string
		want          []board.Move
	}{
		{"own five", `
			. . . . . . . .
			. X X X X . . .
			. O O O . . . .
			. . . . O . . .
			. . . . . . . .
			black to move`, enginetest.Words(t, "a2 f2")},
		{"a five to stop", `
			. . . . . . . .
			X O O O O . . .
			. X X . X . . .
			. . . . . . . .
			. . . . . . . .
			black to move`, enginetest.Words(t, "f2")},
	} {
		b, _ := enginetest.Parse(t, board.Freestyle, c.picture)
		for multi := range 4 {
			res := New(testOptions).Search(t.Context(), Request{Board: b, Limits: nodes(2000), MultiPV: multi}, nil)
			if !slices.Contains(c.want, res.Move) {
				t.Errorf("%s, %d lines: %v, want one of %v", c.name, multi, res.Move, c.want)
			}
		}
	}
}

// Searching allocates for reports and results, not for nodes: a search of twenty
// times as many nodes allocates only a little more.
func TestSearchAllocations(t *testing.T) {
	if enginetest.Race {
		t.Skip("counts allocations")
	}
	e := New(testOptions)
	for i, b := range quietBoards(t) {
		allocs := func(n int64) float64 {
			return testing.AllocsPerRun(3, func() {
				e.Reset()
				e.Search(context.Background(), Request{Board: b, Limits: nodes(n)}, nil)
			})
		}
		few, many := allocs(2000), allocs(40_000)
		t.Logf("%s: %v allocations, %v in a longer search", quiet[i], few, many)
		if many > few+200 || few > 400 {
			t.Errorf("%s: %v allocations in a short search, %v in a longer one", quiet[i], few, many)
		}
	}
}

// An engine can change board size and rule between searches.
func TestChangingBoards(t *testing.T) {
	e := New(testOptions)
	for _, b := range quietBoards(t) {
		e.Reset()
		got := e.Search(t.Context(), Request{Board: b, Limits: nodes(3000)}, nil)
		want := New(testOptions).Search(t.Context(), Request{Board: b, Limits: nodes(3000)}, nil)
		got.Time, want.Time = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v:\n%v", got, want, b)
		}
	}
}

// Whole games end with a five or a full board, on boards so small that many
// are drawn.
func TestWholeGames(t *testing.T) {
	e := New(testOptions)
	for rule := range board.Rule(board.NumRules) {
		drawn := 0
		for _, size := range [][2]int{{5, 5}, {5, 6}, {7, 5}, {6, 6}, {7, 7}, {5, 9}} {
			b := enginetest.NewBoard(t, size[0], size[1], rule)
			e.Reset()
			for {
				res := e.Search(t.Context(), Request{Board: b, Limits: nodes(200)}, nil)
				checkMove(t, "game", b, res.Move)
				if res.Move == board.NoMove {
					drawn++
					break
				}
				if !b.Empty(res.Move) || b.Wins(res.Move, b.Side()) {
					break
				}
				b.Place(res.Move) // even a forbidden one, where there is nothing else
			}
		}
		if drawn == 0 {
			t.Errorf("%v: no game was drawn", rule)
		}
	}
}

// Repeated searches leak neither memory nor goroutines.
func TestNothingIsLeftBehind(t *testing.T) {
	e := New(testOptions)
	boards := quietBoards(t)
	state := func() (heap uint64, goroutines int) {
		for _, b := range boards {
			e.Search(t.Context(), Request{Board: b, Limits: nodes(2000)}, nil)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	heap, goroutines := state()
	for range enginetest.Scaled(10) {
		state()
	}
	if h, g := state(); h > heap+1<<20 || g > goroutines {
		t.Errorf("%d bytes and %d goroutines at first, %d and %d later", heap, goroutines, h, g)
	}
}

// Engines share no mutable state: many at once give the same results as one alone.
func TestEnginesAtOnce(t *testing.T) {
	boards := quietBoards(t)
	var want [5]Result
	for i, b := range boards {
		want[i] = New(testOptions).Search(t.Context(), Request{Board: b, Limits: nodes(2000)}, nil)
	}
	var wait sync.WaitGroup
	for range 2 {
		for i, b := range boards {
			wait.Go(func() {
				got := New(testOptions).Search(context.Background(), Request{Board: b.Clone(), Limits: nodes(2000)}, nil)
				if got.Move != want[i].Move || got.Nodes != want[i].Nodes || got.Score != want[i].Score {
					t.Errorf("%s: %v, %v after %d positions; alone %v, %v after %d", quiet[i],
						got.Move, got.Score, got.Nodes, want[i].Move, want[i].Score, want[i].Nodes)
				}
			})
		}
	}
	wait.Wait()
}

// The lists of moves of the longest lines fit even on the largest board with
// stones everywhere.
func TestLongLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 0))
	e := New(testOptions)
	for _, rule := range []board.Rule{board.Freestyle, board.Renju} {
		b := enginetest.NewBoard(t, board.MaxSize, board.MaxSize, rule)
		for i := range 40 {
			// Apart from each other, so that all points are near a stone and
			// nobody has anything.
			if m := board.Pt(i%7*5, i/7*5+rng.IntN(2)); b.Empty(m) {
				b.Place(m)
			}
		}
		for _, limits := range []Limits{nodes(int64(enginetest.Scaled(20_000))), {Turn: -1, Left: NoLimit, Nodes: int64(enginetest.Scaled(5000)), Depth: MaxDepth}} {
			res := e.Search(t.Context(), Request{Board: b, Limits: limits, MultiPV: 2}, nil)
			checkMove(t, rule.String(), b, res.Move)
		}
	}
}

// The memory limit may be tiny and may change between searches.
func TestMemory(t *testing.T) {
	e := New(Options{})
	b := quietBoards(t)[0]
	for _, bytes := range []int64{1, 20 << 20, 64 << 20, -1, 0, 1 << 20} {
		e.SetMemory(bytes)
		e.SetThreads(3)
		if res := e.Search(t.Context(), Request{Board: b, Limits: nodes(1000)}, nil); !b.Legal(res.Move) {
			t.Errorf("%d bytes: %v", bytes, res.Move)
		}
		tt, vcf := e.tableSizes()
		if limit := max(bytes, 24<<20); bytes > 0 && tt+int64(16)<<vcf > limit {
			t.Errorf("%d bytes: tables of %d and 16<<%d", bytes, tt, vcf)
		}
	}
}

// The evaluation is invariant under symmetries and, except in renju, under
// exchange of colors; and it stays below the scores of wins.
func TestEvaluateSymmetry(t *testing.T) {
	e := New(testOptions)
	enginetest.EachRandom(t, enginetest.Scaled(500), func(t *testing.T, b *board.Board) {
		want := searcherOn(e, b).eval.Evaluate(e.s.b)
		if want >= MateBound || want <= -MateBound {
			t.Errorf("score %d:\n%v", want, b)
		}
		for sym := range board.Symmetries(b.Width(), b.Height()) {
			swap := b.Rule() != board.Renju && (sym+b.Stones())%3 == 0
			c := turned(t, b, sym, swap)
			if got := searcherOn(e, c).eval.Evaluate(e.s.b); got != want {
				t.Errorf("score %d, but under symmetry %d, swapped %t, score %d:\n%v%v",
					want, sym, swap, got, b, c)
			}
		}
	})
}

// turned returns the image of a position under a symmetry, with the colors
// exchanged if swap is set.
func turned(t *testing.T, b *board.Board, sym int, swap bool) *board.Board {
	t.Helper()
	c := enginetest.NewBoard(t, b.Width(), b.Height(), b.Rule())
	var stones []board.Stone
	for y := range b.Height() {
		for x := range b.Width() {
			cell := b.At(board.Pt(x, y))
			if cell == board.Empty {
				continue
			}
			if swap && cell != board.DeadStone {
				cell = board.BlackStone ^ board.WhiteStone ^ cell
			}
			stones = append(stones, board.Stone{Move: board.Symmetry(board.Pt(x, y), b.Width(), b.Height(), sym), Cell: cell})
		}
	}
	side := b.Side()
	if swap {
		side = side.Opponent()
	}
	if err := c.Setup(stones, side); err != nil {
		t.Fatal(err)
	}
	return c
}
