package tune

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/opening"
)

const testNodes = 200

func testPlayer(t *testing.T, rule board.Rule, book *book) *player {
	t.Helper()
	b, err := board.New(15, 15, rule)
	if err != nil {
		t.Fatal(err)
	}
	return newPlayer(b, alike(engine.Options{}, testNodes), engineParams(t), book)
}

// engineParams are parameters that change games of few nodes.
func engineParams(t *testing.T) []param {
	t.Helper()
	params, err := parseParams("LMRFactor,FutilityMargin,LeafNodes", engine.Params(engine.ByTables))
	if err != nil {
		t.Fatal(err)
	}
	return params
}

// TestGames plays games of all rules with players that have played others
// before and with new ones. Who a player is called must not matter either.
func TestGames(t *testing.T) {
	x, y := []int{80, 45, 80}, []int{140, 15, 10}
	results := make(map[int]int)
	for r := range board.Rule(board.NumRules) {
		used := testPlayer(t, r, &book{seed: 5})
		for n := range uint64(2) {
			for leg := range 2 {
				got, err := used.game(t.Context(), pairing{n, x, y}, leg)
				if err != nil {
					t.Fatal(err)
				}
				moves := slices.Clone(used.b.History())
				results[got]++
				fresh := testPlayer(t, r, &book{seed: 5})
				if again, err := fresh.game(t.Context(), pairing{n, x, y}, leg); again != got || err != nil || !slices.Equal(fresh.b.History(), moves) {
					t.Errorf("%v, pair %d: %d, then %d, error %v", r, n, got, again, err)
				}
				if other, err := used.game(t.Context(), pairing{n, y, x}, 1-leg); other != 2-got || err != nil || !slices.Equal(used.b.History(), moves) {
					t.Errorf("%v, pair %d: %d, and %d for the opponent, error %v", r, n, got, other, err)
				}
			}
		}
	}
	if results[0] == 0 || results[2] == 0 {
		t.Errorf("results %v", results)
	}
}

// TestSame checks that equal values play equal games, which makes playing them
// needless.
func TestSame(t *testing.T) {
	p := testPlayer(t, board.Freestyle, &book{seed: 1})
	values := defaults(p.params)
	for n := range uint64(3) {
		for leg := range 2 {
			if points, err := p.game(t.Context(), pairing{n, values, slices.Clone(values)}, leg); points != 1 || err != nil {
				t.Errorf("%d half points, error %v", points, err)
			}
		}
		var games [2]string
		for i := range games {
			for _, e := range p.engines {
				e.Reset()
			}
			if err := p.open(t.Context(), n); err != nil {
				t.Fatal(err)
			}
			won, decided := p.play(t.Context(), i)
			games[i] = fmt.Sprint(won, decided, p.b.History())
		}
		if games[0] != games[1] {
			t.Errorf("pair %d: %s and %s", n, games[0], games[1])
		}
	}
}

// TestValuesRefused plays with values that the engine does not have.
func TestValuesRefused(t *testing.T) {
	p := testPlayer(t, board.Freestyle, &book{seed: 1})
	a := arena{p.game, testPlayer(t, board.Freestyle, &book{seed: 1}).game}
	pairs := []pairing{{0, []int{80, 45, 80}, []int{80, 45, 3}}}
	if _, err := a.play(t.Context(), pairs); err == nil || !strings.Contains(err.Error(), "LeafNodes 3 is not within") {
		t.Errorf("error %v, want one about LeafNodes", err)
	}
}

func TestGameInterrupted(t *testing.T) {
	p := testPlayer(t, board.Freestyle, &book{seed: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.game(ctx, pairing{0, []int{80, 45, 80}, []int{80, 45, 81}}, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestRandomOpenings checks that they are the same again, differ by pair, and
// are balanced in the eyes of the engine.
func TestRandomOpenings(t *testing.T) {
	for _, r := range []board.Rule{board.Freestyle, board.Renju} {
		p := testPlayer(t, r, &book{seed: 3})
		seen := make(map[string]bool)
		for n := range uint64(20) {
			if err := p.open(t.Context(), n); err != nil {
				t.Fatal(err)
			}
			moves := slices.Clone(p.b.History())
			if len(moves) < 2 || len(moves) > 8 || p.b.Five() != nil {
				t.Errorf("%v, pair %d: %v", r, n, moves)
			}
			seen[fmt.Sprint(moves)] = true
			p.scorer.Reset()
			if res := search(t.Context(), p.scorer, p.b, openingNodes); res.Depth == 0 || max(res.Score, -res.Score) > balance {
				t.Errorf("%v, pair %d: %v has score %v at depth %d", r, n, moves, res.Score, res.Depth)
			}
			if err := p.open(t.Context(), n); err != nil || !slices.Equal(p.b.History(), moves) {
				t.Errorf("%v, pair %d: %v, then %v, error %v", r, n, moves, p.b.History(), err)
			}
		}
		if len(seen) < 15 {
			t.Errorf("%v: only %d of 20 openings differ", r, len(seen))
		}
	}
}

// TestBook reads openings from a file and counts which are chosen, and how
// they are turned.
func TestBook(t *testing.T) {
	name := filepath.Join(t.TempDir(), "book.pos")
	if err := os.WriteFile(name, []byte("h8i7j10\nh8i8j6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := &config.Config{Width: 15, Height: 15}
	b := &book{seed: 2}
	if sum, err := b.read(name, c); err != nil || len(sum) != 16 || len(b.openings) != 2 {
		t.Fatalf("%d openings, hash %q, error %v", len(b.openings), sum, err)
	}
	p := testPlayer(t, board.Freestyle, b)
	canonical, exact := make(map[string]int), make(map[string]int)
	for n := range uint64(400) {
		if err := p.open(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		o := opening.Opening{Moves: p.b.History()}
		canonical[o.Canonical(15, 15)]++
		exact[fmt.Sprint(o.Moves)]++
	}
	if len(canonical) != 2 || len(exact) != 16 {
		t.Errorf("%d openings in %d ways, want 2 in 16", len(canonical), len(exact))
	}
	for way, n := range exact {
		if n < 8 || n > 50 {
			t.Errorf("%s was chosen %d times of 400, want about 25", way, n)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"", "has no openings"},
		{"h8i8\nh8h8\n", "book.pos:2: "},
		{"h8g8h9g9h10g10h11g11h12", "has won"},
	} {
		if err := os.WriteFile(name, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := new(book).read(name, c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want one that says %s", tt.text, err, tt.want)
		}
	}
}

// alike returns sides that differ in nothing.
func alike(o engine.Options, nodes int64) *sides {
	return &sides{base: o, options: [2]engine.Options{o, o}, nodes: [2]int64{nodes, nodes}, alike: true}
}
