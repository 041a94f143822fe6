package schedule

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

// text writes a schedule out, a game per line.
func text(s *Schedule) string {
	var b strings.Builder
	for n := 1; n <= s.Len(); n++ {
		g := s.Game(n)
		fmt.Fprintf(&b, "%d: pair %d.%d round %d: %d-%d opening %d sym %d\n",
			g.Number, s.Pair(g), g.Leg, g.Round, g.Black, g.White, g.Opening, g.Sym)
	}
	return b.String()
}

func mustNew(t *testing.T, s Settings) *Schedule {
	t.Helper()
	sch, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return sch
}

func TestRoundRobin(t *testing.T) {
	got := text(mustNew(t, Settings{Engines: 3, Rounds: 2, Openings: 5, Start: 4, Transforms: Cycle, Symmetries: 8}))
	want := `1: pair 0.0 round 0: 0-1 opening 4 sym 0
2: pair 0.1 round 0: 1-0 opening 4 sym 0
3: pair 1.0 round 0: 0-2 opening 4 sym 0
4: pair 1.1 round 0: 2-0 opening 4 sym 0
5: pair 2.0 round 0: 1-2 opening 4 sym 0
6: pair 2.1 round 0: 2-1 opening 4 sym 0
7: pair 3.0 round 1: 0-1 opening 0 sym 1
8: pair 3.1 round 1: 1-0 opening 0 sym 1
9: pair 4.0 round 1: 0-2 opening 0 sym 1
10: pair 4.1 round 1: 2-0 opening 0 sym 1
11: pair 5.0 round 1: 1-2 opening 0 sym 1
12: pair 5.1 round 1: 2-1 opening 0 sym 1
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestGauntletSingle(t *testing.T) {
	got := text(mustNew(t, Settings{Engines: 4, Format: Gauntlet, Seeds: 2, Rounds: 2, Single: true}))
	want := `1: pair 0.0 round 0: 0-2 opening -1 sym 0
2: pair 1.0 round 0: 0-3 opening -1 sym 0
3: pair 2.0 round 0: 1-2 opening -1 sym 0
4: pair 3.0 round 0: 1-3 opening -1 sym 0
5: pair 4.0 round 1: 2-0 opening -1 sym 0
6: pair 5.0 round 1: 3-0 opening -1 sym 0
7: pair 6.0 round 1: 2-1 opening -1 sym 0
8: pair 7.0 round 1: 3-1 opening -1 sym 0
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestPinned fails when an old tournament could no longer be resumed.
func TestPinned(t *testing.T) {
	s := mustNew(t, Settings{Engines: 4, Rounds: 500, Openings: 97, Shuffle: true, Transforms: Random, Symmetries: 8, Seed: 7})
	got := fmt.Sprintf("%x", sha256.Sum256([]byte(text(s))))
	if want := "42cfa070e9707b0cc72b8b3dcf554b5bf24d46d579b3a76bf29e1e5965190d26"; got != want {
		t.Errorf("the schedule has changed: sum %s, want %s", got, want)
	}
}

// TestProperties checks what must hold for any settings.
func TestProperties(t *testing.T) {
	for seed := range uint64(200) {
		src := newSource(seed, 99, 0)
		set := Settings{
			Engines: 2 + below(src, 5), Rounds: 1 + below(src, 40), Openings: below(src, 20),
			Shuffle: below(src, 2) == 0, Single: below(src, 2) == 0,
			Transforms: Transforms(below(src, 3)), Symmetries: 4 + 4*below(src, 2), Seed: seed,
		}
		if set.Engines > 2 && below(src, 2) == 0 {
			set.Format, set.Seeds = Gauntlet, 1+below(src, set.Engines-1)
		}
		check(t, mustNew(t, set))
	}
}

func check(t *testing.T, s *Schedule) {
	type meeting struct{ a, b, round int }
	black := make(map[meeting]int)  // a had black so many times
	byRound := make(map[int][2]int) // what was played in a round
	uses := make(map[[2]int]int)    // of an opening in a cycle, by the first pairing
	for n := 1; n <= s.Len(); n++ {
		g := s.Game(n)
		if again := s.Game(n); again != g {
			t.Fatalf("%+v: game %d is %+v and then %+v", s.Settings, n, g, again)
		}
		black[meeting{g.Black, g.White, g.Round}]++
		played := [2]int{g.Opening, g.Sym}
		if old, ok := byRound[g.Round]; ok && old != played {
			t.Fatalf("%+v: round %d has openings %v and %v", s.Settings, g.Round, old, played)
		}
		byRound[g.Round] = played
		if g.Sym < 0 || g.Sym >= s.Symmetries || g.Opening >= s.Openings {
			t.Fatalf("%+v: %+v", s.Settings, g)
		}
		if g.Pairing == 0 && g.Leg == 0 && s.Openings > 0 {
			uses[[2]int{g.Round / s.Openings, g.Opening}]++
		}
	}
	for m, n := range black {
		back := black[meeting{m.b, m.a, m.round}]
		if n != 1 || !s.Single && back != 1 || s.Single && back != 0 {
			t.Fatalf("%+v: in round %d %d has black against %d %d times, white %d times", s.Settings, m.round, m.a, m.b, n, back)
		}
	}
	for use, n := range uses {
		if n != 1 {
			t.Fatalf("%+v: opening %d is played %d times in cycle %d", s.Settings, use[1], n, use[0])
		}
	}
}

func TestNewErrors(t *testing.T) {
	for _, s := range []Settings{
		{Engines: 1, Rounds: 1},
		{Engines: 2},
		{Engines: 3, Rounds: 1, Format: Gauntlet},
		{Engines: 3, Rounds: 1, Format: Gauntlet, Seeds: 3},
		{Engines: 2, Rounds: 1, Openings: 3, Start: 3},
		{Engines: 2, Rounds: 1, Openings: 3, Transforms: Cycle},
		{Engines: 2, Rounds: 4_000_000_000},
		{Engines: 20, Rounds: 1 << 18},
	} {
		if _, err := New(s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}

func TestBelow(t *testing.T) {
	var count [3]int
	src := newSource(1, 2, 3)
	for range 30000 {
		count[below(src, 3)]++
	}
	for i, n := range count {
		if n < 9700 || n > 10300 {
			t.Errorf("%d came %d times of 30000", i, n)
		}
	}
}

// TestStart begins in the middle of what would be played from the start, of a
// shuffled book as of one in order.
func TestStart(t *testing.T) {
	for _, shuffle := range []bool{false, true} {
		all := Settings{Engines: 3, Rounds: 20, Openings: 7, Shuffle: shuffle, Transforms: Random, Symmetries: 8, Seed: 5}
		from := all
		from.Start, from.Rounds = 5, 15
		a, b := mustNew(t, all), mustNew(t, from)
		for n := 1; n <= b.Len(); n++ {
			g, h := a.Game(n+5*6), b.Game(n)
			if g.Opening != h.Opening || g.Sym != h.Sym {
				t.Fatalf("shuffle %v: game %d has opening %d under %d, want %d under %d", shuffle, n, h.Opening, h.Sym, g.Opening, g.Sym)
			}
		}
	}
}
