package engine

import (
	"slices"
	"testing"
	"time"

	"kumiko/engine/board"
)

// A vcfCase is a position of a game. Its side to move has a victory by
// continuous fours with VCF stones at least, or none if that is 0.
type vcfCase struct {
	position
	VCF int
}

// A vcfPuzzle is a problem for people. FirstAll are all first fours that win,
// FirstTrap those that do not; both are left out where they are unknown.
type vcfPuzzle struct {
	position
	VCF       bool
	MinFours  int      `json:"min_fours"`
	FirstAll  []string `json:"first_all"`
	FirstTrap []string `json:"first_trap"`
}

// unsolved is a problem of more than seventy fours that takes far longer than
// a game; nobody has shown that the time can be had.
const unsolved = "realcore-ten-year-fever"

// vcfTestNodes is enough for every problem but the unsolved one.
const vcfTestNodes = 5_000_000

// solveChecked looks for a victory by fours and has every line judged by a
// grid. It returns the plies to the five, 0 if none was found.
func solveChecked(t testing.TB, v *vcfSolver, b *board.Board, nodes int64) int {
	t.Helper()
	hash := b.Hash()
	n, complete := v.solve(b, maxFours, nodes)
	if b.Hash() != hash {
		t.Fatalf("the position has changed:\n%v", b)
	}
	if n == 0 {
		return 0
	}
	if !complete {
		t.Errorf("a victory that is not complete:\n%v", b)
	}
	line := slices.Clone(v.path[:v.size])
	if caro(b) {
		checkCaro(t, v, b, line, nodes)
		return n
	}
	g := gridOf(b)
	if err := g.checkFours(line); err != nil {
		t.Errorf("%v is no victory by fours: %v\n%v", line, err, b)
	}
	want := len(line)
	if !replayed(b, line, func(b *board.Board, last board.Move) bool { return b.Wins(last, b.Side()) }) {
		want += 2 // the reply in vain and the five
	}
	if n != want {
		t.Errorf("%v wins in %d plies, not %d:\n%v", line, want, n, b)
	}
	if !replays(b, line) {
		t.Errorf("%v does not replay:\n%v", line, b)
	}
	return n
}

// caro reports whether fours may have several answers.
func caro(b *board.Board) bool { return b.Rule() == board.Caro5 || b.Rule() == board.Caro6 }

// replayed plays all but the last stone of a line and returns what f says.
func replayed(b *board.Board, line []board.Move, f func(b *board.Board, last board.Move) bool) bool {
	for _, m := range line[:len(line)-1] {
		b.Place(m)
	}
	defer func() {
		for range line[1:] {
			b.Undo()
		}
	}()
	return f(b, line[len(line)-1])
}

// checkCaro judges a victory by fours where a four may have several answers:
// the solver must find a victory after each of them, and each is judged.
func checkCaro(t testing.TB, v *vcfSolver, b *board.Board, line []board.Move, nodes int64) {
	t.Helper()
	c := b.Side()
	g := gridOf(b)
	m := line[0]
	if g.Wins(spotOf(m), sign(c)) {
		return
	}
	threats := g.fives(c.Opponent())
	g.play(m)
	for _, p := range threats {
		if g.Wins(spotOf(p), sign(c.Opponent())) {
			t.Errorf("%v leaves the opponent a five at %v:\n%v", m, p, b)
		}
	}
	fives := g.fivesBy(m, c)
	if len(fives) == 0 {
		t.Errorf("%v is no four:\n%v", m, b)
		return
	}
	for _, r := range g.stops(fives) {
		b.Place(m)
		b.Place(r)
		if solveChecked(t, v, b, nodes) == 0 {
			t.Errorf("no victory after %v %v:\n%v", m, r, b)
		}
		b.Undo()
		b.Undo()
	}
}

// Every victory by fours known in these positions is found, none is found
// where there is none, and none is shorter than can be.
func TestVCFGames(t *testing.T) {
	v := newVCF(16)
	shortest := 0
	won := 0
	for _, c := range readCases[vcfCase](t, "vcf.jsonl.gz") {
		b := c.board(t)
		v.clear()
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
	v := newVCF(18)
	for _, c := range sample(readCases[vcfPuzzle](t, "puzzles.jsonl.gz")) {
		t.Run(c.ID, func(t *testing.T) {
			if c.ID == unsolved {
				t.Skip("more than 20 million positions; a stress test, not a case")
			}
			b := c.board(t)
			v.clear()
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
			if c.FirstAll != nil && !slices.Contains(moves(t, c.FirstAll), first) && n > 1 {
				t.Errorf("%v is none of the winning fours %v:\n%v", first, c.FirstAll, b)
			}
			if slices.Contains(moves(t, c.FirstTrap), first) {
				t.Errorf("%v is one of the fours that do not win:\n%v", first, b)
			}
		})
	}
}

// Every victory found in random positions is one, by a long search or at a
// glance.
func TestVCFRandom(t *testing.T) {
	v := newVCF(16)
	found, seen := 0, 0
	eachRandom(t, scaled(3000), func(t *testing.T, b *board.Board) {
		v.clear()
		if solveChecked(t, v, b, 5000) > 0 {
			found++
		}
		v.clear()
		if v.glance(b, 12, 100) == 0 {
			return
		}
		seen++
		line := slices.Clone(v.path[:v.size])
		if caro(b) {
			checkCaro(t, v, b, line, 5000)
		} else if err := gridOf(b).checkFours(line); err != nil {
			t.Errorf("%v, found at a glance, is no victory by fours: %v\n%v", line, err, b)
		}
	})
	t.Logf("%d victories found, %d at a glance", found, seen)
	if found < scaled(100) || seen < found/2 {
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
	if n, complete := newVCF(16).solve(b, maxFours, vcfTestNodes); n > 0 || !complete {
		t.Errorf("a victory by fours in %d plies, certain: %v", n, complete)
	}
	s := searcherOn(New(Options{Memory: 64 << 20}), b)
	if n, _ := s.vct.solve(s.b, 100_000); n == 0 {
		t.Error("no victory by threats")
	}
}

// What is found close to the last move is a victory, and what is not found
// there does not keep a search of all fours from finding it. The first four
// lies close and makes more than a four, unless it is forced.
func TestVCFNear(t *testing.T) {
	local, whole := newVCF(16), newVCF(16)
	seen, elsewhere := 0, 0
	eachRandom(t, scaled(3000), func(t *testing.T, b *board.Board) {
		from := board.NoMove
		if h := b.History(); len(h) >= 2 {
			from = h[len(h)-2]
		}
		whole.clear()
		local.clear()
		want, _ := whole.solve(b, maxFours, 5000)
		got := local.glanceNear(b, from, 12, 100)
		if got > 0 {
			seen++
			line := slices.Clone(local.path[:local.size])
			if !caro(b) {
				if err := gridOf(b).checkFours(line); err != nil {
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
		if n, _ := local.solve(b, maxFours, 5000); n != want {
			t.Errorf("a victory in %d plies after none was found close to %v, want %d\n%v", n, from, want, b)
		}
		if want > 0 {
			elsewhere++
		}
	})
	t.Logf("%d victories close to the last move, %d elsewhere", seen, elsewhere)
	if seen < scaled(60) || elsewhere < scaled(10) {
		t.Errorf("%d victories close to the last move and %d elsewhere; want more", seen, elsewhere)
	}
}

// A solver that has been cleared visits the same positions as a new one.
func TestVCFClear(t *testing.T) {
	used := newVCF(10)
	eachRandom(t, scaled(300), func(t *testing.T, b *board.Board) {
		fresh := newVCF(10)
		used.clear()
		want, _ := fresh.solve(b, maxFours, 20_000)
		got, _ := used.solve(b, maxFours, 20_000)
		if got != want || used.nodes != fresh.nodes {
			t.Errorf("a victory in %d plies in %d positions, a new solver says %d in %d:\n%v", got, used.nodes, want, fresh.nodes, b)
		}
	})
}

// With its table warm, from positions before and after, the solver says the
// same as with an empty one: what was exhausted stays so.
func TestVCFWarmTable(t *testing.T) {
	warm, cold := newVCF(16), newVCF(12)
	eachRandom(t, scaled(1000), func(t *testing.T, b *board.Board) {
		cold.clear()
		n, complete := cold.solve(b, maxFours, 20_000)
		m, _ := warm.solve(b, maxFours, 20_000)
		if complete && (n > 0) != (m > 0) {
			t.Errorf("a warm table finds a victory in %d plies, a cold one in %d:\n%v", m, n, b)
		}
	})
}

// The solver keeps to its limit of positions and says so.
func TestVCFLimits(t *testing.T) {
	v := newVCF(18)
	for _, c := range readCases[vcfPuzzle](t, "puzzles.jsonl.gz") {
		if c.ID != unsolved {
			continue
		}
		b := c.board(t)
		for _, limit := range []int64{1, 10, 1000, 30_000} {
			v.clear()
			if n, complete := v.solve(b, maxFours, limit); n != 0 || complete || v.nodes > limit+1 {
				t.Errorf("limit %d: plies %d, complete %t, %d positions", limit, n, complete, v.nodes)
			}
		}
		asked := 0
		v.expired = func() bool { asked++; return asked == 10 }
		if n, complete := v.solve(b, maxFours, vcfTestNodes); n != 0 || complete || v.nodes > 10_000 {
			t.Errorf("expired: plies %d, complete %t, %d positions", n, complete, v.nodes)
		}
		return
	}
	t.Fatalf("no %s", unsolved)
}

func TestVCFAllocations(t *testing.T) {
	v := newVCF(16)
	cases := readCases[vcfCase](t, "vcf.jsonl.gz")
	for _, c := range cases[:20] {
		b := c.board(t)
		if n := testing.AllocsPerRun(5, func() { v.clear(); v.solve(b, maxFours, vcfTestNodes) }); n != 0 {
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
	for _, c := range readCases[vcfCase](b, "vcf.jsonl.gz") {
		items = append(items, item{c.ID, c.board(b)})
	}
	for _, c := range readCases[vcfPuzzle](b, "puzzles.jsonl.gz") {
		if c.ID != unsolved {
			items = append(items, item{c.ID, c.board(b)})
		}
	}
	v := newVCF(18)
	times := make([]float64, len(items))
	nodes := make([]float64, len(items))
	for b.Loop() {
		for i, it := range items {
			v.clear()
			start := time.Now()
			v.solve(it.b, maxFours, vcfTestNodes)
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
