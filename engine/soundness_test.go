package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/enginetest"
	"kumiko/engine/proof"
	"kumiko/engine/solve"
)

// testOptions use small tables, which are quick to clear.
var testOptions = Options{Memory: 32 << 20}

// searcherOn returns a searcher that is ready to search a copy of b without
// any limit.
func searcherOn(e *Engine, b *board.Board) *searcher {
	s := e.ready(context.Background(), b)
	s.ctl = &control{hard: NoLimit}
	return s
}

// readPlies returns the plies of the win that readWin finds, or 0.
func readPlies(s *searcher) int {
	score := s.readWin(0)
	if score == noScore {
		return 0
	}
	n, _ := score.Mate()
	return n
}

// Wins that can be read off the board, and positions that look like one. The
// number is the plies to the five, or 0 if there is no win to read.
func TestReadWin(t *testing.T) {
	for _, c := range []struct {
		name    string
		rules   string
		plies   int
		picture string
	}{
		{"five", "freestyle standard renju caro5 caro6", 1, `
			. . . . . . . . .
			. X X X X . . . .
			. . O O O O . . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`},
		{"six", "freestyle caro6", 1, `
			. . . . . . . . .
			. X X X . X X . .
			. . O . O O O . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`},
		{"six is void", "standard renju caro5", 0, `
			. . . . . . . . .
			. X X X . X X . .
			. . . . . O . O .
			. . O . O . . . .
			. . . . . . . . .
			black to move`},
		{"white's six", "freestyle renju caro6", 1, `
			. . . . . . . . .
			. O O O . O O . .
			. . X . X . . X .
			. . X . X . . . .
			. . . . . . . . .
			white to move`},
		{"blocked five", "caro5 caro6", 0, `
			. . . . . . . . .
			O X X X X . O . .
			. . O . . . . . .
			. . . . . . O . .
			. . . . . . . . .
			black to move`},
		{"open four", "freestyle standard renju caro5 caro6", 3, `
			. . . . . . . . .
			. . . X X X . . .
			. . . . O O O . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`},
		{"open four against a five", "freestyle standard renju caro5 caro6", 0, `
			. . . . . . . . .
			. . . X X X . . .
			. . . O O O O . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`},
		{"two fours at once", "freestyle standard", 3, `
			. . . . . . . . .
			O X X X . . . . .
			. . . . X . . . .
			. . . . X O . . .
			. O . . X . . . .
			. . . . O . . . .
			black to move`},
		{"two fours are forbidden", "renju", 0, `
			. . . . . . . . .
			O X X X . . . . .
			. . . . X . . . .
			. . . . X O . . .
			. O . . X . . . .
			. . . . O . . . .
			black to move`},
		{"four-three", "freestyle standard renju", 5, `
			. . . . . . . . .
			. . . . . . . . .
			O X X X . . . . .
			. . . . X . . . .
			. . . . X O . . .
			. . O . . . O . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`},
		{"four-three, but the answer makes a five", "freestyle standard renju", 0, `
			. . . . . . . . .
			. . . . . . . . .
			O X X X . . . . .
			. . . . X O . . .
			. . . . X O . . .
			. . O . . O O . .
			. . . . . O . . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`},
		{"two threes", "freestyle standard", 5, `
			. . . . . . . . .
			. . . . . . . . .
			. . X X . . . . .
			. . . . X . . . .
			. . . . X O . . .
			. . O . . . O . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`},
		{"two threes are forbidden", "renju", 0, `
			. . . . . . . . .
			. . . . . . . . .
			. . X X . . . . .
			. . . . X . . . .
			. . . . X O . . .
			. . O . . . O . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`},
		{"two threes against a four", "freestyle standard", 0, `
			. . . . . . . . .
			. . . . . . . . .
			. . X X . . . . .
			. . . . X . . . .
			. . . . X . . . .
			. . . . . . . . .
			X O O O . . . . .
			. . . . . . . . .
			. . . . . . . . .
			black to move`},
	} {
		for _, name := range strings.Fields(c.rules) {
			rule, err := board.ParseRule(name)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := enginetest.Parse(t, rule, c.picture)
			if plies := readPlies(searcherOn(New(testOptions), b)); plies != c.plies {
				t.Errorf("%s, %v: a win in %d plies, want %d", c.name, rule, plies, c.plies)
			}
		}
	}
}

// hints returns the points where the win that readWin found may begin.
func hints(b *board.Board) []board.Move {
	var list []board.Move
	for _, s := range []board.Shape{board.ShapeFive, board.ShapeOpenFour, board.ShapeFourThree, board.ShapeThreeThree} {
		list = b.Find(list, b.Side(), s)
	}
	return list
}

// readWin is right about random positions: the grid, trying every defence, agrees.
func TestReadWinIsTrue(t *testing.T) {
	e := New(testOptions)
	kinds := map[board.Rule]map[int]int{}
	enginetest.EachRandom(t, enginetest.Scaled(4000), func(t *testing.T, b *board.Board) {
		plies := readPlies(searcherOn(e, b))
		if plies == 0 {
			return
		}
		if kinds[b.Rule()] == nil {
			kinds[b.Rule()] = map[int]int{}
		}
		kinds[b.Rule()][plies]++
		if !enginetest.GridOf(b).WinsWithin(plies, hints(b)) {
			t.Errorf("no win in %d plies:\n%v", plies, b)
		}
	})
	for rule, seen := range kinds {
		t.Logf("%v: wins seen, by plies: %v", rule, seen)
		if len(seen) < 3 {
			t.Errorf("%v: too few kinds of wins seen: %v", rule, seen)
		}
	}
}

// The moves that stop a threat, marked by +. The side to move has no fours, which
// would also be listed.
func TestGenerateDefences(t *testing.T) {
	for _, c := range []struct {
		name    string
		rules   string
		forced  board.Shape
		picture string
	}{
		{"a five", "freestyle standard renju", board.ShapeFive, `
			. . . . . . . . .
			. . . . . . . . .
			X O O O O + . . .
			. . X . X . . . .
			. . . . . . X . .
			black to move`},
		{"a five, blocked at its end in caro", "caro5 caro6", board.ShapeFive, `
			. . . . . . . . .
			. . . . . . . . .
			X O O O O + + . .
			. . X . X . . . .
			. . . . . . X . .
			black to move`},
		{"two fives", "freestyle standard renju", board.ShapeFive, `
			. . . . . . . . .
			. . . . . . . . .
			. O O O O . . . .
			. . X . X . . . .
			. . . . . . X . .
			black to move`},
		{"an open four", "freestyle", board.ShapeOpenFour, `
			. . . . . . . . .
			. . . . . . . . .
			. . + O O O + . .
			. . . X . X . . .
			. . . . . . . X .
			black to move`},
		{"a jump", "freestyle standard renju", board.ShapeOpenFour, `
			. . . . . . . . . .
			. . . . . . . . . .
			. . + O O + O + . .
			. . . X . X . . . .
			. . . . . . . . X .
			black to move`},
	} {
		for _, name := range strings.Fields(c.rules) {
			rule, err := board.ParseRule(name)
			if err != nil {
				t.Fatal(err)
			}
			b, want := enginetest.Parse(t, rule, c.picture)
			p := searcherOn(New(testOptions), b).generate(board.NoMove)
			got := listed(p)
			if p.forced != c.forced || !slices.Equal(got, want) {
				t.Errorf("%s, %v: %v against shape %d, want %v against %d\n%v", c.name, rule, got, p.forced, want, c.forced, b)
			}
		}
	}
}

// listed returns the moves of a picker in the order of the board.
func listed(p picker) []board.Move {
	var list []board.Move
	for {
		m, ok := p.pick()
		if !ok {
			break
		}
		list = append(list, m.move)
	}
	slices.Sort(list)
	return list
}

// Generate lists legal moves, each once, the best first. Against a threat
// everything it leaves out loses by force, shown with lines that the grid
// accepts, and every four is listed.
func TestGenerateIsComplete(t *testing.T) {
	e := New(testOptions)
	v := solve.NewVCF(14)
	forced := map[board.Rule]map[board.Shape]int{}
	tried := map[board.Rule]map[board.Shape]int{}
	rng := rand.New(rand.NewPCG(3, 0))
	enginetest.EachRandom(t, enginetest.Scaled(4000), func(t *testing.T, b *board.Board) {
		rule := b.Rule()
		s := searcherOn(e, b)
		p := s.generate(board.NoMove)
		s.used = 0
		checkPicker(t, b, p)
		if p.forced == board.ShapeNone || b.Count(b.Side(), board.ShapeFive) > 0 {
			return // with a five to make, no threat matters
		}
		if forced[rule] == nil {
			forced[rule] = map[board.Shape]int{}
			tried[rule] = map[board.Shape]int{}
		}
		forced[rule][p.forced]++
		for _, m := range leftOut(b, listed(p)) {
			// A few suffice of the many that lie far off, and of those against
			// simple threats.
			near := b.Near(m.Y())>>m.X()&1 != 0
			if !near && rng.IntN(10) > 0 || near && p.forced != board.ShapeFourThree && rng.IntN(4) > 0 {
				continue
			}
			tried[rule][p.forced]++
			if p.forced != board.ShapeFive && b.MakesFour(m, b.Side()) {
				t.Errorf("%v is a four, but not listed:\n%v", m, b)
			}
			b.Place(m)
			v.Clear()
			if enginetest.SolveFours(t, v, b, 5000) == 0 {
				t.Fatalf("%v, left out against shape %d, holds:\n%v", m, p.forced, b)
			}
			b.Undo()
		}
	})
	t.Logf("positions by shape: %v", forced)
	t.Logf("moves tried: %v", tried)
	for rule, seen := range forced {
		if seen[board.ShapeFive] == 0 || seen[board.ShapeOpenFour] == 0 {
			t.Errorf("%v: too few threats seen: %v", rule, seen)
		}
	}
}

// leftOut returns the legal moves that are not in the list.
func leftOut(b *board.Board, list []board.Move) []board.Move {
	var out []board.Move
	for y := range b.Height() {
		for x := range b.Width() {
			if m := board.Pt(x, y); b.Legal(m) && !slices.Contains(list, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// checkPicker asserts what holds of all lists of moves.
func checkPicker(t *testing.T, b *board.Board, p picker) {
	t.Helper()
	var seen []board.Move
	last := int32(1<<31 - 1)
	for {
		m, ok := p.pick()
		if !ok {
			break
		}
		if !b.Legal(m.move) {
			t.Errorf("%v is listed, but not legal:\n%v", m.move, b)
		}
		if slices.Contains(seen, m.move) {
			t.Errorf("%v is listed twice:\n%v", m.move, b)
		}
		if m.score > last {
			t.Errorf("%v is worth %d, but comes after one worth %d:\n%v", m.move, m.score, last, b)
		}
		seen = append(seen, m.move)
		last = m.score
	}
	if p.forced == board.ShapeNone && len(seen) == 0 && len(leftOut(b, nil)) > 0 {
		t.Errorf("no moves:\n%v", b)
	}
}

// checkClaim compares a score with the true value of a position: a claimed
// win must be one, within the plies claimed.
func checkClaim(t *testing.T, b *board.Board, what string, score Score, value int) {
	t.Helper()
	n, ok := score.Mate()
	switch {
	case !ok:
	case n > 0 && (value <= 0 || enginetest.Decided-value > n):
		t.Errorf("%s claims a win in %d plies, the truth is %s:\n%v", what, n, enginetest.Truth(value), b)
	case n < 0 && value >= 0:
		t.Errorf("%s claims a loss in %d plies, the truth is %s:\n%v", what, -n, enginetest.Truth(value), b)
	}
}

// In endgames small enough to solve, every claimed win is true: by patterns, fours,
// the prover even with false hints, the lists of defences and the search.
func TestEndgames(t *testing.T) {
	e := New(testOptions)
	liar := New(testOptions)
	rng := rand.New(rand.NewPCG(9, 0))
	found, missed, proven := 0, 0, 0
	enginetest.EachEndgame(t, enginetest.Scaled(100), func(t *testing.T, b *board.Board, value int) {
		s := searcherOn(e, b)
		if n := readPlies(s); n > 0 {
			checkClaim(t, b, "readWin", mateIn(n), value)
		}
		s.vcf.Clear()
		if n := enginetest.SolveFours(t, s.vcf, b, 5000); n > 0 {
			checkClaim(t, b, "solve", mateIn(n), value)
		}
		if p := s.generate(board.NoMove); p.forced != board.ShapeNone && b.Count(b.Side(), board.ShapeFive) == 0 {
			for _, m := range leftOut(b, listed(p)) {
				g := enginetest.GridOf(b)
				g.Play(m)
				if enginetest.NewExact(g).Value() <= 0 {
					t.Fatalf("%v, left out against shape %d, holds:\n%v", m, p.forced, b)
				}
			}
		}
		if proves(t, liar, b, rng) {
			proven++
			if value <= 0 {
				t.Errorf("proves claims a win, the truth is %s:\n%v", enginetest.Truth(value), b)
			}
		}
		e.Reset()
		res := e.Search(t.Context(), Request{Board: b, Limits: Limits{Turn: -1, Left: NoLimit, Depth: 20, Nodes: 50_000}}, nil)
		if !b.Legal(res.Move) {
			t.Errorf("the search plays %v:\n%v", res.Move, b)
		}
		checkClaim(t, b, "the search", res.Score, value)
		// The true value of the move it chose is known, too.
		if value > 0 {
			g := enginetest.GridOf(b)
			if g.Wins(enginetest.SpotOf(res.Move), enginetest.Sign(g.Side)) {
				found++
				return
			}
			g.Play(res.Move)
			if enginetest.NewExact(g).Value() < 0 {
				found++
			} else {
				missed++
			}
		}
	})
	t.Logf("%d won positions played on, %d given away, %d wins proven", found, missed, proven)
	if missed*20 > found {
		t.Errorf("%d won positions given away, %d played on", missed, found)
	}
}

// proves asks a prover for a win of the side to move, with a random line as a hint
// and a table of false entries.
func proves(t *testing.T, e *Engine, b *board.Board, rng *rand.Rand) bool {
	s := searcherOn(e, b)
	s.vcf.Clear()
	hint := enginetest.GridOf(b).Vacant()
	rng.Shuffle(len(hint), func(i, j int) { hint[i], hint[j] = hint[j], hint[i] })
	lie := func() {
		put(s.tt, s.b.Hash(), 0, hint[rng.IntN(len(hint))], mateIn(5), 0, exactBound, 10*onePly)
	}
	lie()
	for _, m := range hint[:min(20, len(hint))] {
		s.b.Place(m)
		lie()
		for _, z := range hint {
			if s.b.Empty(z) {
				s.b.Place(z)
				lie()
				s.b.Undo()
			}
		}
		s.b.Undo()
	}
	if rng.IntN(2) == 0 {
		hint = hint[:rng.IntN(len(hint))]
	}
	p := prover{searcher: s, fours: s.vcf, limit: 20_000}
	tree := p.proves(3+2*rng.IntN(6), hint)
	if tree != nil {
		if _, err := proof.New(b, tree).Verify(t.Context()); err != nil {
			t.Errorf("invalid proof: %v\n%v", err, b)
		}
	}
	return tree != nil
}

// A table of false entries does not mislead the prover on boards of usual size
// either. As these cannot be solved, the engine plays on from what it proves, and
// must win.
func TestProverAgainstLies(t *testing.T) {
	e := New(testOptions)
	rng := rand.New(rand.NewPCG(10, 0))
	proven := map[board.Rule]int{}
	enginetest.EachRandom(t, enginetest.Scaled(200), func(t *testing.T, b *board.Board) {
		if b.Stones() < 6 || b.Full() || b.HasFour(b.Side()) {
			return
		}
		e.Reset()
		if proves(t, e, b, rng) {
			proven[b.Rule()]++
			playOut(t, b.Clone(), 20, board.NoMove)
		}
	})
	t.Logf("proven: %v", proven)
}

// A prover proves no win of a side that is about to lose.
func TestProverAgainstThreats(t *testing.T) {
	e := New(testOptions)
	seen := 0
	enginetest.EachRandom(t, enginetest.Scaled(1000), func(t *testing.T, b *board.Board) {
		g := enginetest.GridOf(b)
		if len(g.Fives(g.Side)) > 0 || len(g.Fives(g.Side.Opponent())) < 2 || b.Rule().Caro() {
			return // in caro one stone may stop both
		}
		seen++
		s := searcherOn(e, b)
		p := prover{searcher: s, fours: s.vcf, limit: proofNodes}
		if p.proves(9, nil) != nil {
			t.Errorf("a win against two fives:\n%v", b)
		}
	})
	if seen == 0 {
		t.Error("no position with two fives seen")
	}
}
