package opening

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kumiko/engine/board"
)

var testRecipe = Recipe{Rule: board.Renju, Width: 15, Height: 15, Least: 1, Most: 6, Nodes: 10, Balance: 20, Seed: 3, Bench: 7}

// testEvaluator scores positions by their hash, and differently with other
// nodes.
func testEvaluator() Evaluator {
	return func(ctx context.Context, b *board.Board, nodes int64) (score int, ok bool) {
		rng := rand.New(rand.NewPCG(b.Hash(), uint64(nodes)))
		return rng.IntN(101) - 50, rng.IntN(10) > 0
	}
}

func nothing() error { return nil }

// slowGrow is Grow without workers, steps or keys.
func slowGrow(r Recipe, n int) (openings []string, tried int) {
	evaluate := testEvaluator()
	var kept []Opening
next:
	for ; len(kept) < n; tried++ {
		b, _ := board.New(r.Width, r.Height, r.Rule)
		rng := rand.New(rand.NewPCG(r.Seed, uint64(tried)))
		if !Scatter(b, rng, r.Least+rng.IntN(r.Most-r.Least+1)) {
			continue
		}
		for _, nodes := range []int64{r.Nodes, 10 * r.Nodes} {
			if score, ok := evaluate(context.Background(), b, nodes); !ok || score > r.Balance || score < -r.Balance {
				continue next
			}
		}
		o := Opening{Moves: slices.Clone(b.History())}
		for _, p := range kept {
			for sym := range 8 {
				if sameStones(o.Moves, p.Transform(15, 15, sym).Moves) {
					continue next
				}
			}
		}
		kept = append(kept, o)
	}
	for _, o := range kept {
		openings = append(openings, text(o.Moves))
	}
	return openings, tried
}

// sameStones reports whether each stone of a is one of b, of the same color.
func sameStones(a, b []board.Move) bool {
	for i, m := range a {
		if j := slices.Index(b, m); j < 0 || j%2 != i%2 {
			return false
		}
	}
	return len(a) == len(b)
}

func TestGrow(t *testing.T) {
	want, tried := slowGrow(testRecipe, 60)
	for workers := 1; workers <= 4; workers += 3 {
		k := NewBook(testRecipe)
		for _, n := range []int{1, 30, 30, 60, 20} { // in steps
			reports, before := 0, k.Tried
			if err := k.Grow(t.Context(), n, workers, testEvaluator, func() error { reports++; return nil }); err != nil {
				t.Fatal(err)
			}
			if len(k.Openings) < n || reports != k.Tried-before {
				t.Errorf("%d openings, want %d; %d reports, %d tried", len(k.Openings), n, reports, k.Tried-before)
			}
			for f := Offset; f <= Pos; f++ { // written and read in between
				again, err := ReadBook("book", k.Append(nil, f), f, testRecipe)
				if err != nil || again.Tried != k.Tried || !bytes.Equal(again.Append(nil, f), k.Append(nil, f)) {
					t.Fatalf("format %v: %+v, %v", f, again, err)
				}
				k = again
			}
		}
		var got []string
		for _, o := range k.Openings {
			got = append(got, text(o.Moves))
		}
		if !slices.Equal(got, want) || k.Tried != tried {
			t.Errorf("%d workers: %d tried: %v\nwant %d: %v", workers, k.Tried, got, tried, want)
		}
	}
}

func TestGrowEnds(t *testing.T) {
	never := func() Evaluator {
		return func(context.Context, *board.Board, int64) (int, bool) { return 0, false }
	}
	k := NewBook(testRecipe)
	if err := k.Grow(t.Context(), 1, 2, never, nothing); err == nil || !strings.Contains(err.Error(), "none of 5000 openings in a row") {
		t.Errorf("nothing balanced: error %v", err)
	}
	one := testRecipe
	one.Least, one.Most, one.Balance = 1, 1, 1000 // first stones up to symmetry: 5·6/2
	k = NewBook(one)
	always := func() Evaluator {
		return func(context.Context, *board.Board, int64) (int, bool) { return 0, true }
	}
	if err := k.Grow(t.Context(), 100, 2, always, nothing); err == nil || len(k.Openings) != 15 {
		t.Errorf("%d openings of one stone, want 15; error %v", len(k.Openings), err)
	}
	stop := errors.New("stop")
	k = NewBook(testRecipe)
	if err := k.Grow(t.Context(), 100, 2, testEvaluator, func() error {
		if len(k.Openings) == 5 {
			return stop
		}
		return nil
	}); err != stop || len(k.Openings) != 5 {
		t.Errorf("%d openings, error %v", len(k.Openings), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := k.Grow(ctx, 100, 2, testEvaluator, func() error {
		if len(k.Openings) == 10 {
			cancel()
		}
		return nil
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := k.Grow(t.Context(), 60, 2, testEvaluator, nothing); err != nil {
		t.Fatal(err)
	}
	if want, tried := slowGrow(testRecipe, 60); k.Tried != tried || text(k.Openings[59].Moves) != want[59] {
		t.Errorf("after interruptions: %d tried, %v, want %d, %v", k.Tried, k.Openings[59], tried, want[59])
	}
}

func TestRecipeCheck(t *testing.T) {
	if err := testRecipe.Check(); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		change func(*Recipe)
		want   string
	}{
		{func(r *Recipe) { r.Width = 4 }, "board size 4x15"},
		{func(r *Recipe) { r.Rule = 99 }, "unknown rule"},
		{func(r *Recipe) { r.Least = 0 }, "stones must be within 1 and 224, got 0 to 6"},
		{func(r *Recipe) { r.Least = 7 }, "stones must be within 1 and 224, got 7 to 6"},
		{func(r *Recipe) { r.Most = 225 }, "got 1 to 225"},
		{func(r *Recipe) { r.Nodes = 0 }, "nodes must be within 1"},
		{func(r *Recipe) { r.Nodes = 1 << 60 }, "nodes must be within 1"},
		{func(r *Recipe) { r.Balance = -1 }, "balance must be at least 0, got -1"},
	} {
		r := testRecipe
		tt.change(&r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %s", r, err, tt.want)
		}
	}
}

// TestReadBookRefused reads what is not the book that is asked for, or no
// longer as it was made.
func TestReadBookRefused(t *testing.T) {
	k := NewBook(testRecipe)
	if err := k.Grow(t.Context(), 3, 1, testEvaluator, nothing); err != nil {
		t.Fatal(err)
	}
	good := string(k.Append(nil, Pos))
	lines := strings.SplitAfter(good, "\n")
	for _, bad := range []string{
		"", "# a book of mine\nh8i9\n", "\n" + good, strings.Replace(good, "seed 3", "seed 4", 1),
		strings.Replace(good, "bench 7", "bench 8", 1), strings.Replace(good, "\n", "\r\n", -1),
	} {
		if _, err := ReadBook("book", []byte(bad), Pos, testRecipe); !errors.Is(err, ErrOther) {
			t.Errorf("%q: error %v", bad, err)
		}
	}
	for _, bad := range []string{
		good[:len(good)-1], strings.Join(lines[:4], ""), good + "h8\n", good + "# more\n", good + "h8h8\n",
		strings.Replace(good, "3 openings", "4 openings", 1), strings.Join(append(lines[:3:3], lines[4], lines[3]), "") + "x",
	} {
		if _, err := ReadBook("book", []byte(bad), Pos, testRecipe); err == nil || errors.Is(err, ErrOther) || !strings.HasPrefix(err.Error(), "book:") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func FuzzReadBook(f *testing.F) {
	k := NewBook(testRecipe)
	if err := k.Grow(context.Background(), 3, 1, testEvaluator, nothing); err != nil {
		f.Fatal(err)
	}
	f.Add(k.Append(nil, Pos))
	f.Add(fmt.Appendf(nil, "# %v\n# bench 7: -1 openings of -1 tried\n", &testRecipe))
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := ReadBook("book", text, Pos, testRecipe)
		if err == nil && (!bytes.Equal(k.Append(nil, Pos), text) || k.Tried < 0) {
			t.Fatalf("%q is read as %+v", text, k)
		}
	})
}
