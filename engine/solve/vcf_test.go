package solve

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
	"kumiko/engine/enginetest"
)

// A vcfCase is a position of a game. Its side to move has a victory by
// continuous fours with VCF stones at least, or none if that is 0.
type vcfCase struct {
	enginetest.Position
	VCF int
}

// A vcfPuzzle is a problem for people. FirstAll are all first fours that win,
// FirstTrap those that do not; both are left out where they are unknown.
type vcfPuzzle struct {
	enginetest.Position
	VCF       bool
	MinFours  int      `json:"min_fours"`
	FirstAll  []string `json:"first_all"`
	FirstTrap []string `json:"first_trap"`
}

// unsolved is a problem of more than seventy fours that takes far longer than a
// game.
const unsolved = "realcore-ten-year-fever"

// vcfTestNodes is enough for every problem but the unsolved one.
const vcfTestNodes = 5_000_000

// solveChecked looks for a victory by fours, which must hold against every answer
// and replay, and returns the plies to the five, 0 if none was found.
func solveChecked(t testing.TB, v *VCF, b *board.Board, nodes int64) int {
	t.Helper()
	n := enginetest.SolveFours(t, v, b, nodes)
	if n > 0 && !b.Rule().Caro() && !Replays(b, slices.Clone(v.Line())) {
		t.Errorf("%v does not replay:\n%v", v.Line(), b)
	}
	return n
}

// Every victory by fours known in these positions is found, none is found
// where there is none, and none is shorter than can be.
func TestVCFGames(t *testing.T) {
	v := NewVCF(16)
	shortest := 0
	won := 0
	for _, c := range boardtest.ReadCases[vcfCase](t, "vcf.jsonl.gz") {
		b := c.Board(t)
		v.Clear()
		n := solveChecked(t, v, b, vcfTestNodes)
		switch {
		case (n > 0) != (c.VCF > 0):
			t.Errorf("%s: a victory in %d plies, want one of %d stones", c.ID, n, c.VCF)
		case n > 0 && n < 2*c.VCF-1:
			t.Errorf("%s: a victory in %d plies, but the shortest takes %d stones", c.ID, n, c.VCF)
		case n > 0:
			won++
			if n == 2*c.VCF-1 {
				shortest++
			}
		}
	}
	t.Logf("%d victories, %d of them the shortest", won, shortest)
}

// The same for problems, whose first moves are known as well.
func TestVCFPuzzles(t *testing.T) {
	v := NewVCF(18)
	for _, c := range enginetest.Sample(boardtest.ReadCases[vcfPuzzle](t, "puzzles.jsonl.gz")) {
		t.Run(c.ID, func(t *testing.T) {
			if c.ID == unsolved {
				t.Skip("more than 20 million positions; a stress test, not a case")
			}
			b := c.Board(t)
			v.Clear()
			start := time.Now()
			n := solveChecked(t, v, b, vcfTestNodes)
			if d := time.Since(start); d > time.Second {
				t.Logf("%v, %d positions", d, v.nodes)
			}
			if (n > 0) != c.VCF {
				t.Fatalf("a victory in %d plies, want one: %t\n%v", n, c.VCF, b)
			}
			if n == 0 {
				return
			}
			if n < 2*c.MinFours+1 {
				t.Errorf("a victory in %d plies, but the shortest takes %d fours", n, c.MinFours)
			}
			first := v.path[0]
			if c.FirstAll != nil && !slices.Contains(enginetest.Moves(t, c.FirstAll), first) && n > 1 {
				t.Errorf("first move %v, want one of %v:\n%v", first, c.FirstAll, b)
			}
			if slices.Contains(enginetest.Moves(t, c.FirstTrap), first) {
				t.Errorf("%v is one of the fours that do not win:\n%v", first, b)
			}
		})
	}
}

// Every victory found in random positions is valid, by Solve or Glance.
func TestVCFRandom(t *testing.T) {
	v := NewVCF(16)
	found, seen := 0, 0
	enginetest.EachRandom(t, enginetest.Scaled(3000), func(t *testing.T, b *board.Board) {
		v.Clear()
		if solveChecked(t, v, b, 5000) > 0 {
			found++
		}
		v.Clear()
		if v.Glance(b, 12, 100) == 0 {
			return
		}
		seen++
		line := slices.Clone(v.path[:v.size])
		if b.Rule().Caro() {
			enginetest.CheckCaro(t, v, b, line, 5000)
		} else if err := enginetest.GridOf(b).CheckFours(line); err != nil {
			t.Errorf("%v, found by Glance, is not a victory by fours: %v\n%v", line, err, b)
		}
	})
	t.Logf("%d victories found, %d at a glance", found, seen)
	if found < enginetest.Scaled(100) || seen < found/2 {
		t.Errorf("%d victories found, %d at a glance; want more", found, seen)
	}
}

// Black wins this by threes and fours, and not by fours alone, as an engine
// has claimed: white's answers make fours.
func TestCounterFours(t *testing.T) {
	b, err := board.Parse(board.Freestyle, `
		   a b c d e f g h i j k l m n o
		 1 . . . . . . . . . . . . . . .
		 2 . . . . . . . . . . . . . . .
		 3 . . . . . . . . . . . . . . .
		 4 . . . . . . . . . . . . . . .
		 5 . . . . . . . X . . . . . . .
		 6 . . . . . . X O . . . . X . .
		 7 . . . . . . . O . X . O . . .
		 8 . . . . . X X O O O O X . . .
		 9 . . . . . . X O X O . . . . .
		10 . . . . . . O X . . . . . . .
		11 . . . . . O . X O . . . . . .
		12 . . . . X . . . . . . . . . .
		13 . . . . . . . . . . . . . . .
		14 . . . . . . . . . . . . . . .
		15 . . . . . . . . . . . . . . .
		black to move`)
	if err != nil {
		t.Fatal(err)
	}
	if n, complete := NewVCF(16).Solve(b, MaxFours, vcfTestNodes); n > 0 || !complete {
		t.Errorf("a victory by fours in %d plies, certain: %v", n, complete)
	}
	if n, _ := NewVCT(NewVCF(16), 16).Solve(b, 100_000); n == 0 {
		t.Error("no victory by threats")
	}
}

// What is found close to the last move is a victory, and what is not found
// there does not keep a search of all fours from finding it. The first four
// lies close and makes more than a four, unless it is forced.
func TestVCFNear(t *testing.T) {
	local, whole := NewVCF(16), NewVCF(16)
	seen, elsewhere := 0, 0
	enginetest.EachRandom(t, enginetest.Scaled(3000), func(t *testing.T, b *board.Board) {
		from := board.NoMove
		if h := b.History(); len(h) >= 2 {
			from = h[len(h)-2]
		}
		whole.Clear()
		local.Clear()
		want, _ := whole.Solve(b, MaxFours, 5000)
		got := local.GlanceNear(b, from, 12, 100)
		if got > 0 {
			seen++
			line := slices.Clone(local.path[:local.size])
			if !b.Rule().Caro() {
				if err := enginetest.GridOf(b).CheckFours(line); err != nil {
					t.Errorf("%v, found close to %v, is no victory by fours: %v\n%v", line, from, err, b)
				}
			}
			c := b.Side()
			if b.Count(c.Opponent(), board.ShapeFive) > 0 {
				return // his hand was forced
			}
			if b.Shape(line[0], c) == board.ShapeFour {
				t.Errorf("%v begins with a plain four:\n%v", line, b)
			}
			if m := line[0]; from != board.NoMove && len(line) > 1 && !inLine(m, from) && distance(m, from) > 2 {
				t.Errorf("%v begins far from %v:\n%v", line, from, b)
			}
			return
		}
		if n, _ := local.Solve(b, MaxFours, 5000); n != want {
			t.Errorf("a victory in %d plies after none was found close to %v, want %d\n%v", n, from, want, b)
		}
		if want > 0 {
			elsewhere++
		}
	})
	t.Logf("%d victories close to the last move, %d elsewhere", seen, elsewhere)
	if seen < enginetest.Scaled(60) || elsewhere < enginetest.Scaled(10) {
		t.Errorf("%d victories close to the last move and %d elsewhere; want more", seen, elsewhere)
	}
}

// A solver that has been cleared visits the same positions as a new one.
func TestVCFClear(t *testing.T) {
	used := NewVCF(10)
	enginetest.EachRandom(t, enginetest.Scaled(300), func(t *testing.T, b *board.Board) {
		fresh := NewVCF(10)
		used.Clear()
		want, _ := fresh.Solve(b, MaxFours, 20_000)
		got, _ := used.Solve(b, MaxFours, 20_000)
		if got != want || used.nodes != fresh.nodes {
			t.Errorf("a victory in %d plies in %d positions, a new solver says %d in %d:\n%v", got, used.nodes, want, fresh.nodes, b)
		}
	})
}

// With its table warm, from positions before and after, the solver says the
// same as with an empty one: what was exhausted stays so.
func TestVCFWarmTable(t *testing.T) {
	warm, cold := NewVCF(16), NewVCF(12)
	enginetest.EachRandom(t, enginetest.Scaled(1000), func(t *testing.T, b *board.Board) {
		cold.Clear()
		n, complete := cold.Solve(b, MaxFours, 20_000)
		m, _ := warm.Solve(b, MaxFours, 20_000)
		if complete && (n > 0) != (m > 0) {
			t.Errorf("a warm table finds a victory in %d plies, a cold one in %d:\n%v", m, n, b)
		}
	})
}

// The solver keeps to its limit of positions and says so.
func TestVCFLimits(t *testing.T) {
	v := NewVCF(18)
	for _, c := range boardtest.ReadCases[vcfPuzzle](t, "puzzles.jsonl.gz") {
		if c.ID != unsolved {
			continue
		}
		b := c.Board(t)
		for _, limit := range []int64{1, 10, 1000, 30_000} {
			v.Clear()
			if n, complete := v.Solve(b, MaxFours, limit); n != 0 || complete || v.nodes > limit+1 {
				t.Errorf("limit %d: plies %d, complete %t, %d positions", limit, n, complete, v.nodes)
			}
		}
		asked := 0
		v.Expired = func() bool { asked++; return asked == 10 }
		if n, complete := v.Solve(b, MaxFours, vcfTestNodes); n != 0 || complete || v.nodes > 10_000 {
			t.Errorf("expired: plies %d, complete %t, %d positions", n, complete, v.nodes)
		}
		return
	}
	t.Fatalf("no %s", unsolved)
}

func TestVCFAllocations(t *testing.T) {
	v := NewVCF(16)
	cases := boardtest.ReadCases[vcfCase](t, "vcf.jsonl.gz")
	for _, c := range cases[:20] {
		b := c.Board(t)
		if n := testing.AllocsPerRun(5, func() { v.Clear(); v.Solve(b, MaxFours, vcfTestNodes) }); n != 0 {
			t.Errorf("%s: %v allocations", c.ID, n)
		}
	}
}

// BenchmarkVCF solves all positions of known outcome. Besides the time for
// all of them it reports how the time and the positions visited are spread.
func BenchmarkVCF(b *testing.B) {
	type item struct {
		id string
		b  *board.Board
	}
	var items []item
	for _, c := range boardtest.ReadCases[vcfCase](b, "vcf.jsonl.gz") {
		items = append(items, item{c.ID, c.Board(b)})
	}
	for _, c := range boardtest.ReadCases[vcfPuzzle](b, "puzzles.jsonl.gz") {
		if c.ID != unsolved {
			items = append(items, item{c.ID, c.Board(b)})
		}
	}
	v := NewVCF(18)
	times := make([]float64, len(items))
	nodes := make([]float64, len(items))
	for b.Loop() {
		for i, it := range items {
			v.Clear()
			start := time.Now()
			v.Solve(it.b, MaxFours, vcfTestNodes)
			times[i] = float64(time.Since(start).Microseconds())
			nodes[i] = float64(v.nodes)
		}
	}
	slices.Sort(times)
	slices.Sort(nodes)
	last := len(items) - 1
	for _, q := range []struct {
		name string
		part int // in percent
	}{{"p50", 50}, {"p90", 90}, {"p99", 99}, {"max", 100}} {
		b.ReportMetric(times[last*q.part/100], q.name+"-us")
		b.ReportMetric(nodes[last*q.part/100], q.name+"-nodes")
	}
}

// Replays accepts no line that the grid rejects, however valid lines are altered.
func TestReplays(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	v := NewVCF(16)
	good, bad := 0, 0
	for _, c := range boardtest.ReadCases[vcfCase](t, "vcf.jsonl.gz") {
		if c.VCF == 0 {
			continue
		}
		b := c.Board(t)
		v.Clear()
		v.Solve(b, MaxFours, vcfTestNodes)
		line := slices.Clone(v.path[:v.size])
		if !Replays(b, line) {
			t.Fatalf("%s: %v does not replay", c.ID, line)
		}
		free := enginetest.GridOf(b).Vacant()
		for range 20 {
			bent := bend(rng, line, free)
			got, err := Replays(b, bent), enginetest.GridOf(b).CheckFours(bent)
			if got && err != nil && !strings.Contains(err.Error(), "but the line goes on") {
				t.Errorf("%s: %v replays, but %v", c.ID, bent, err)
			}
			if !got && err == nil {
				t.Errorf("%s: %v is a victory, but does not replay", c.ID, bent)
			}
			if err == nil {
				good++
			} else {
				bad++
			}
		}
	}
	if good < 10 || bad < 1000 {
		t.Errorf("%d bent lines were good and %d bad; want some of each", good, bad)
	}
}

// bend returns a line with a few things wrong.
func bend(rng *rand.Rand, line, free []board.Move) []board.Move {
	bent := slices.Clone(line)
	for range 1 + rng.IntN(2) {
		i := rng.IntN(len(bent))
		switch j := rng.IntN(len(bent)); rng.IntN(5) {
		case 0:
			bent[i] = free[rng.IntN(len(free))]
		case 1:
			bent[i], bent[j] = bent[j], bent[i]
		case 2:
			bent = bent[:i+1]
		case 3:
			bent = append(bent, free[rng.IntN(len(free))])
		case 4: // attack and reply exchanged with those of another turn
			i, j = i&^1, j&^1
			bent[i], bent[j] = bent[j], bent[i]
			if i+1 < len(bent) && j+1 < len(bent) {
				bent[i+1], bent[j+1] = bent[j+1], bent[i+1]
			}
		}
	}
	return bent
}
