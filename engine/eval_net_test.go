package engine

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/enginetest"
	"kumiko/engine/pattern"
	"kumiko/nn"
)

// testNet returns a network with random weights whose value differs from its prior.
func testNet(rule board.Rule) *nn.Net {
	rng := rand.New(rand.NewPCG(1, 2))
	n := nn.New(nn.Shape{Reach: 4, Hidden: 16, Channels: 8, Dense: 8, Sides: 2, Marks: 1}, rule.String(), rng)
	for s := range n.Sets {
		for i := range n.Sets[s].V3 {
			n.Sets[s].V3[i] = float32(rng.NormFloat64()) / 4
		}
		for i := range n.Sets[s].Mark {
			n.Sets[s].Mark[i] = float32(rng.NormFloat64())
		}
	}
	return n
}

// slowEval evaluates a position from scratch.
func slowEval(t *nn.Tables, b *board.Board) Score {
	e := newNetEval(t, testPatterns(b.Rule()))
	e.Attach(b)
	return e.Evaluate(b)
}

func testPatterns(r board.Rule) *patternEval {
	t := pattern.Hand(r)
	return &patternEval{t.Weights(), t.Threats}
}

// TestNetEval plays, passes and takes back at random between evaluations, on boards of
// several sizes: every evaluation is that of the position alone.
func TestNetEval(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{15, 15}, {20, 20}, {5, 9}, {32, 7}} {
		tables := testNet(board.Renju).Bake()
		b, err := board.New(size[0], size[1], board.Renju)
		if err != nil {
			t.Fatal(err)
		}
		e := newNetEval(tables, testPatterns(board.Renju))
		e.Attach(b)
		differs := false
		for range 300 {
			for range rng.IntN(6) {
				switch m := board.Pt(rng.IntN(size[0]), rng.IntN(size[1])); {
				case b.Ply() > 0 && rng.IntN(5) < 2:
					b.Undo()
				case rng.IntN(10) == 0:
					b.Pass()
				case b.Empty(m) && b.Ply() < maxPly:
					b.Place(m)
				}
			}
			got := e.Evaluate(b)
			if want := slowEval(tables, b.Clone()); got != want {
				t.Fatalf("%dx%d: value %d after moves, from scratch %d\n%v",
					size[0], size[1], got, want, b)
			}
			differs = differs || got != e.patterns.Evaluate(b)
		}
		if !differs {
			t.Errorf("%dx%d: the network never differs from the patterns", size[0], size[1])
		}
	}
}

// TestNetEvalSymmetry checks that the eight images of a position have the same value.
func TestNetEvalSymmetry(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tables := testNet(board.Freestyle).Bake()
	for range 20 {
		stones := map[board.Move]board.Cell{}
		for range 30 {
			stones[board.Pt(rng.IntN(15), rng.IntN(15))] = board.Cell(1 + rng.IntN(2))
		}
		var want Score
		for s := range 8 {
			b, err := board.New(15, 15, board.Freestyle)
			if err != nil {
				t.Fatal(err)
			}
			var list []board.Stone
			for m, c := range stones {
				x, y := m.X(), m.Y()
				if s&1 != 0 {
					x = 14 - x
				}
				if s&2 != 0 {
					y = 14 - y
				}
				if s&4 != 0 {
					x, y = y, x
				}
				list = append(list, board.Stone{Move: board.Pt(x, y), Cell: c})
			}
			if err := b.Setup(list, board.White); err != nil {
				t.Fatal(err)
			}
			if v := slowEval(tables, b); s == 0 {
				want = v
			} else if v != want {
				t.Fatalf("image %d: %d, want %d", s, v, want)
			}
		}
	}
}

// netOptions are options with a network for freestyle.
func netOptions() Options {
	var o Options
	o.Nets[board.Freestyle] = testNet(board.Freestyle)
	return o
}

// nodesOf returns the nodes of a search to a depth, which tell evaluators apart.
func nodesOf(t *testing.T, e *Engine, r board.Rule) int64 {
	t.Helper()
	b, err := board.New(15, 15, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.PlaceAll(mustMoves(t, "h8i9k6")); err != nil {
		t.Fatal(err)
	}
	e.Reset()
	return e.Search(t.Context(), Request{Board: b, Limits: Limits{Turn: -1, Left: NoLimit, Depth: 6}}, nil).Nodes
}

func mustMoves(t *testing.T, text string) []board.Move {
	t.Helper()
	list, err := board.ParseMoves(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSetEvaluation changes what evaluates, the rule and the memory: the network plays
// where there is one and memory for it, whatever was set before.
func TestSetEvaluation(t *testing.T) {
	tables, net := New(Options{}), New(netOptions())
	want := map[string]int64{
		"tables":   nodesOf(t, tables, board.Freestyle),
		"net":      nodesOf(t, net, board.Freestyle),
		"standard": nodesOf(t, tables, board.Standard),
	}
	if want["tables"] == want["net"] {
		t.Fatal("the network makes no difference")
	}
	e := New(netOptions())
	check := func(step string, r board.Rule, name string) {
		t.Helper()
		if got := nodesOf(t, e, r); got != want[name] {
			t.Errorf("%s: %d nodes, want %d as of %s", step, got, want[name], name)
		}
	}
	check("at first", board.Freestyle, "net")
	check("another rule", board.Standard, "standard")
	check("back again", board.Freestyle, "net")
	e.SetEvaluation(ByTables)
	check("tables", board.Freestyle, "tables")
	e.SetEvaluation(ByNet)
	check("net", board.Freestyle, "net")
	e.SetMemory(leastNetMemory - 1)
	check("too little memory", board.Freestyle, "tables")
	e.SetMemory(DefaultMemory)
	check("enough memory", board.Freestyle, "net")
}

// TestNetNotReady searches while the network is being built: the patterns evaluate until
// it is ready, and the network from then on.
func TestNetNotReady(t *testing.T) {
	e := New(netOptions())
	k := &baking{rule: board.Freestyle, done: make(chan struct{})}
	e.baking = k
	b, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	res := e.Search(t.Context(), Request{Board: b, Limits: Limits{Turn: 100 * time.Millisecond, Left: NoLimit}}, nil)
	if took := time.Since(start); res.Move == board.NoMove || took > 2*time.Second || e.tables.net != nil {
		t.Errorf("move %v after %v, network in use: %v", res.Move, took, e.tables.net != nil)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if res := e.Search(ctx, Request{Board: b, Limits: Limits{Turn: -1, Left: NoLimit}}, nil); res.Move == board.NoMove || e.tables.net != nil {
		t.Errorf("stopped: move %v, network in use: %v", res.Move, e.tables.net != nil)
	}
	k.tables = e.given.NetOf(board.Freestyle).Bake()
	close(k.done)
	if got, want := nodesOf(t, e, board.Freestyle), nodesOf(t, New(netOptions()), board.Freestyle); got != want || e.tables.net == nil {
		t.Errorf("%d nodes with the network, want %d", got, want)
	}
}

// TestNetThreads searches with two threads.
func TestNetThreads(t *testing.T) {
	o := netOptions()
	o.Threads = 2
	nodesOf(t, New(o), board.Freestyle)
}

func TestParseEvaluation(t *testing.T) {
	for _, e := range []Evaluation{ByNet, ByTables} {
		if got, err := ParseEvaluation(e.String()); got != e || err != nil {
			t.Errorf("%v: %v, %v", e, got, err)
		}
	}
	if _, err := ParseEvaluation("nets"); err == nil {
		t.Error("nets is an evaluator")
	}
}

// TestShortFirstMove begins to bake after a first move that has no time to wait, and
// uses the network from then on.
func TestShortFirstMove(t *testing.T) {
	b := enginetest.NewBoard(t, 15, 15, board.Freestyle)
	b.Place(board.Pt(7, 7))
	var o Options
	o.Nets[board.Freestyle] = testNet(board.Freestyle)
	e := New(o)
	ctx, cancel := context.WithTimeout(context.Background(), shortestWait/2)
	defer cancel()
	if tables := e.bakedNet(ctx, board.Freestyle); tables != nil || e.baking != nil {
		t.Fatal("baked before the move")
	}
	e.Search(context.Background(), Request{Board: b, Limits: Limits{Turn: 20 * time.Millisecond, Left: NoLimit}}, nil)
	if e.baking == nil {
		t.Fatal("not baked after the move")
	}
	<-e.baking.done
	e.Search(context.Background(), Request{Board: b, Limits: Limits{Turn: 20 * time.Millisecond, Left: NoLimit}}, nil)
	if e.tables.net == nil {
		t.Error("the network does not evaluate")
	}
}
