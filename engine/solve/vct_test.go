package solve

import (
	"slices"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
	"kumiko/engine/enginetest"
)

// A vctChecker plays a victory by threats through without the solver's idea of
// what defends: after every move of the attacker it tries every legal point
// of the board. Of the solver it takes only the attacker's moves, and of the
// fours nothing that does not replay.
type vctChecker struct {
	t    testing.TB
	v    *VCT
	vcf  *VCF // shares nothing with the solver
	done map[uint64]int
}

// checkVCT reports whether the side to move wins within so many plies.
func checkVCT(t testing.TB, v *VCT, b *board.Board, plies int) bool {
	t.Helper()
	c := vctChecker{t, v, NewVCF(14), map[uint64]int{}}
	hash := b.Hash()
	longest, ok := c.wins(b)
	if b.Hash() != hash {
		t.Fatal("the position has changed")
	}
	if ok && longest > plies {
		t.Logf("%d plies said, %d played (the lengths of victories by fours differ)", plies, longest)
	}
	return ok
}

// wins returns the plies of the longest defence of a position that is won.
func (c *vctChecker) wins(b *board.Board) (plies int, ok bool) {
	if n, _ := c.vcf.Solve(b, MaxFours, 50_000); n > 0 {
		if !Replays(b, slices.Clone(c.vcf.Line())) {
			c.t.Errorf("a victory by fours that does not replay:\n%v", b)
		}
		return n, true
	}
	if n, ok := c.done[b.Hash()]; ok {
		return n, true
	}
	hash := b.Hash()
	m := c.v.Move(b)
	if m == board.NoMove || !b.Legal(m) {
		c.t.Errorf("no move is known, or %v is not legal:\n%v", m, b)
		return 0, false
	}
	b.Place(m)
	defer b.Undo()
	if b.Count(b.Side(), board.ShapeFive) > 0 || b.Full() {
		c.t.Errorf("%v leaves the defender a five, or a draw:\n%v", m, b)
		return 0, false
	}
	for y := range b.Height() {
		for x := range b.Width() {
			z := board.Pt(x, y)
			if !b.Legal(z) {
				continue
			}
			b.Place(z)
			n, won := c.wins(b)
			b.Undo()
			if !won {
				c.t.Errorf("%v holds after %v:\n%v", z, m, b)
				return 0, false
			}
			plies = max(plies, n+2)
		}
	}
	c.done[hash] = plies
	return plies, true
}

// vctCase is a problem of victories by threats.
type vctCase struct {
	enginetest.Position
	Solution []string
}

// hard are the problems that take seconds or, the last, many of them.
var hard = []string{"quintet-readme-vct_dfpns", "quintet-bench_vct_black", "quintet-bench_vct_unstable"}

// vctLong is the work that the hardest of the problems takes, and more.
const vctLong = 40_000_000

func (s *pointSet) has(m board.Move) bool { return s[m.Y()]>>m.X()&1 != 0 }

// Every problem is solved, and no answer on the whole board refutes it.
func TestVCTCases(t *testing.T) {
	for _, c := range boardtest.ReadCases[vctCase](t, "vct.jsonl") {
		t.Run(c.ID, func(t *testing.T) {
			switch i := slices.Index(hard, c.ID); {
			case i == len(hard)-1 && !enginetest.Long(), i >= 0 && (testing.Short() || enginetest.Race):
				t.Skip("takes long")
			}
			b := c.Board(t)
			v := NewVCT(NewVCF(16), 21)
			start := time.Now()
			n, complete := v.Solve(b, vctLong)
			took := time.Since(start)
			if n == 0 || !complete {
				t.Fatalf("not solved: plies %d, complete %t, work %d", n, complete, v.work)
			}
			line := v.Principal(b)
			t.Logf("%v: won in %d plies at most, work %d, %d positions; published %d stones\n%v", took, n, v.work, len(v.nodes), len(c.Solution), line)
			checkVCT(t, v, b, n)
		})
	}
}

// threatRules are those under which victories by threats are proven.
var threatRules = []board.Rule{board.Freestyle, board.Standard, board.Renju}

// eachThreat calls f with random positions whose side to move has no victory
// by fours, under the rules that allow proofs.
func eachThreat(t *testing.T, n int, f func(t *testing.T, b *board.Board)) {
	vcf := NewVCF(16)
	enginetest.EachRandom(t, n, func(t *testing.T, b *board.Board) {
		if b.Rule().Caro() || b.Stones() < 5 {
			return
		}
		vcf.Clear()
		if n, _ := vcf.Solve(b, MaxFours, 20_000); n == 0 {
			f(t, b)
		}
	})
}

// Every victory found in random positions is one.
func TestVCTRandom(t *testing.T) {
	v := NewVCT(NewVCF(14), 14)
	found := map[board.Rule]int{}
	positions := map[board.Rule]int{}
	eachThreat(t, enginetest.Scaled(1500), func(t *testing.T, b *board.Board) {
		positions[b.Rule()]++
		n, _ := v.Solve(b, 3000)
		if n == 0 {
			return
		}
		found[b.Rule()]++
		if found[b.Rule()]%4 == 0 {
			checkVCT(t, v, b, n)
		}
		for i, m := range v.Principal(b) {
			if !b.Legal(m) {
				t.Fatalf("move %d, %v, of the line is not legal:\n%v", i, m, b)
			}
			b.Place(m)
			defer b.Undo()
		}
	})
	t.Logf("positions %v, victories %v", positions, found)
	for _, r := range threatRules {
		if found[r] < enginetest.Scaled(10) {
			t.Errorf("%v: only %d victories", r, found[r])
		}
	}
}

// In endgames small enough to be solved, every victory is one, within the
// plies said.
func TestVCTEndgames(t *testing.T) {
	v := NewVCT(NewVCF(14), 14)
	found := 0
	enginetest.EachEndgame(t, enginetest.Scaled(100), func(t *testing.T, b *board.Board, value int) {
		v.vcf.Clear()
		if n, _ := v.Solve(b, 20_000); n > 0 {
			found++
			checkClaim(t, b, n, value)
		}
	})
	if found == 0 {
		t.Error("no victory found")
	}
}

// checkClaim compares a victory in n plies with the true value of a position.
func checkClaim(t *testing.T, b *board.Board, n, value int) {
	t.Helper()
	if value <= 0 || enginetest.Decided-value > n {
		t.Errorf("a victory in %d plies, the truth is %s:\n%v", n, enginetest.Truth(value), b)
	}
}

// The points that disturb a victory by fours are those after which it does
// not replay, found by trying all.
func TestDisturbers(t *testing.T) {
	v := NewVCT(NewVCF(14), 10)
	seen := map[board.Rule]int{}
	var exact, more int
	eachThreat(t, enginetest.Scaled(4000), func(t *testing.T, b *board.Board) {
		a := b.Side().Opponent()
		if b.Count(b.Side(), board.ShapeFive) > 0 || b.Count(a, board.ShapeFive) > 0 {
			return
		}
		b.Pass()
		n := v.vcf.Glance(b, vctFours, threatNodes)
		b.Undo()
		if n == 0 {
			return
		}
		seen[b.Rule()]++
		v.b = b
		line := slices.Clone(v.vcf.Line())
		got, want := v.disturbers(line), v.tryAll(line)
		for y := range b.Height() {
			for x := range b.Width() {
				z := board.Pt(x, y)
				switch {
				case want.has(z) && !got.has(z):
					t.Errorf("%v keeps %v from winning, but is not said to:\n%v", z, line, b)
				case want.has(z):
					exact++
				case got.has(z):
					more++
				}
			}
		}
	})
	t.Logf("positions %v: %d points disturb, %d more are listed", seen, exact, more)
	for _, r := range threatRules {
		if seen[r] < enginetest.Scaled(50) {
			t.Errorf("%v: only %d positions", r, seen[r])
		}
	}
	if more > exact/5 {
		t.Errorf("%d points are listed in vain besides %d", more, exact)
	}
}

// A solver that has been cleared does the same work as a new one, and a search
// that is resumed comes to the same conclusion as one in a single piece.
func TestVCTResume(t *testing.T) {
	used := NewVCT(NewVCF(14), 14)
	eachThreat(t, enginetest.Scaled(100), func(t *testing.T, b *board.Board) {
		fresh := NewVCT(NewVCF(14), 14)
		want, complete := fresh.Solve(b, 5000)
		used.Clear()
		used.vcf.Clear()
		got, _ := used.Solve(b, 5000)
		if got != want || used.work != fresh.work {
			t.Errorf("%d plies after %d, a new solver says %d after %d:\n%v", got, used.work, want, fresh.work, b)
		}
		used.Clear()
		used.vcf.Clear()
		var n int
		var done bool
		for i := 0; i < 60 && !done; i++ {
			n, done = used.Solve(b, 200+int64(20*i))
		}
		if complete && done && (n > 0) != (want > 0) {
			t.Errorf("%d plies when resumed, %d at once:\n%v", n, want, b)
		}
	})
}

// The solver keeps to its limit, to what expired says and to its store.
func TestVCTLimits(t *testing.T) {
	cases := boardtest.ReadCases[vctCase](t, "vct.jsonl")
	b := cases[3].Board(t)
	for _, limit := range []int64{1, 10, 1000, 30_000} {
		v := NewVCT(NewVCF(14), 16)
		n, complete := v.Solve(b, limit)
		if n > 0 || complete || v.work > limit+2*answerNodes+board.MaxSize*board.MaxSize {
			t.Errorf("limit %d: plies %d, complete %t, work %d", limit, n, complete, v.work)
		}
	}
	v := NewVCT(NewVCF(14), 16)
	asked := 0
	v.Expired = func() bool { asked++; return asked == 10 }
	if n, complete := v.Solve(b, vctLong); n > 0 || complete || v.work > 10_000 {
		t.Errorf("expired: plies %d, complete %t, work %d", n, complete, v.work)
	}
	v = NewVCT(NewVCF(14), 8)
	for range 10 {
		if n, complete := v.Solve(b, 10_000); n > 0 || complete || len(v.nodes) > 1<<8 {
			t.Errorf("full: plies %d, complete %t, %d positions", n, complete, len(v.nodes))
		}
	}
}

func TestVCTAllocations(t *testing.T) {
	b := boardtest.ReadCases[vctCase](t, "vct.jsonl")[3].Board(t)
	v := NewVCT(NewVCF(14), 14)
	if n := testing.AllocsPerRun(3, func() { v.Clear(); v.Solve(b, 20_000) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The checker of these tests finds fault with a proof whose first move is
// another.
func TestVCTCheckerIsStrict(t *testing.T) {
	b := boardtest.ReadCases[vctCase](t, "vct.jsonl")[1].Board(t)
	v := NewVCT(NewVCF(14), 14)
	if n, _ := v.Solve(b, 100_000); n == 0 {
		t.Fatal("not solved")
	}
	id, _ := v.find()
	n := &v.nodes[id]
	for i := range v.edges[n.first : n.first+int32(n.count)] {
		e := &v.edges[n.first+int32(i)]
		if e.child != 0 && v.nodes[e.child].pn == 0 {
			e.move = board.Pt(0, 0)
		}
	}
	var quiet quietT
	checkVCT(&quiet, v, b, 99)
	if quiet.errors == 0 {
		t.Error("a proof by a move in the corner was accepted")
	}
}

// quietT counts errors instead of reporting them.
type quietT struct {
	testing.TB
	errors int
}

func (q *quietT) Helper()               {}
func (q *quietT) Errorf(string, ...any) { q.errors++ }
func (q *quietT) Logf(string, ...any)   {}

// Where fours win, too, a victory just proven has a line, however long the
// fours take to find once more.
func TestVCTLineOfFours(t *testing.T) {
	s := NewVCT(NewVCF(16), 12)
	won := 0
	for _, c := range boardtest.ReadCases[vcfCase](t, "vcf.jsonl.gz") {
		b := c.Board(t)
		if !s.Solves(b.Rule()) {
			continue
		}
		s.Clear()
		s.vcf.Clear()
		if n, _ := s.Solve(b, 20_000); n == 0 {
			continue
		}
		won++
		hash := b.Hash()
		line := s.Principal(b)
		if len(line) == 0 || !b.Legal(line[0]) || b.Hash() != hash {
			t.Errorf("%s: a victory with the line %v; the position is the same: %v", c.ID, line, b.Hash() == hash)
		}
	}
	if t.Logf("%d victories", won); won < 100 {
		t.Errorf("%d victories, want more", won)
	}
}

// A threatCase is a position from a game of the engine against itself. Its
// side to move wins by threats in so many plies at most, but not by fours;
// Work is what the solver did to find it.
type threatCase struct {
	enginetest.Position
	Plies int
	Work  int64
}

// How many of the victories of games are found with how much work, and that
// they are victories.
func TestThreatRate(t *testing.T) {
	budgets := []int64{300, 1000, 3000, 10_000, 30_000, 100_000}
	solved := make([]int, len(budgets))
	v := NewVCT(NewVCF(16), 17)
	var work int64
	start := time.Now()
	cases := enginetest.Sample(boardtest.ReadCases[threatCase](t, "threats.jsonl"))
	for i, c := range cases {
		b := c.Board(t)
		v.Clear()
		v.vcf.Clear()
		n, _ := v.Solve(b, budgets[len(budgets)-1])
		work += v.work
		for j, w := range budgets {
			if n > 0 && v.work <= w {
				solved[j]++
			}
		}
		if n > 0 && v.work < 10_000 && (i%8 == 0 || enginetest.Long()) {
			checkVCT(t, v, b, n)
		}
	}
	took := time.Since(start)
	t.Logf("%d positions, solved %v with work %v; %v for work %d", len(cases), solved, budgets, took, work)
	if last := solved[len(solved)-1]; 10*last < 8*len(cases) {
		t.Errorf("only %d of %d solved", last, len(cases))
	}
}
