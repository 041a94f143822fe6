package opening

import (
	"errors"
	"math/rand/v2"
	"testing"

	"kumiko/engine/board"
)

// TestScatter checks what Scatter promises, on the smallest board and others,
// and pins the first openings of a seed: records of self-play and tuning name
// a seed, not openings.
func TestScatter(t *testing.T) {
	for _, size := range [][2]int{{5, 5}, {15, 15}, {20, 12}, {32, 32}} {
		for rule := range board.Rule(board.NumRules) {
			b, err := board.New(size[0], size[1], rule)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, uint64(rule)))
			made := 0
			for range 200 {
				n := 1 + rng.IntN(12)
				if !Scatter(b, rng, n) {
					continue
				}
				made++
				if b.Stones() != n || b.Full() {
					t.Fatalf("%v: %d stones, want %d", rule, b.Stones(), n)
				}
				checkScattered(t, b)
			}
			if made < 20 {
				t.Errorf("%v, %v: only %d of 200 openings made", rule, size, made)
			}
		}
	}
	b, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 0))
	for _, want := range []string{"f6g8h5g4", "j4h5f4d4", "l8j7l9l11"} {
		for !Scatter(b, rng, 4) {
		}
		if got := text(b.History()); got != want {
			t.Errorf("seed 7: %s, want %s", got, want)
		}
	}
}

// checkScattered plays the stones of b again, one by one.
func checkScattered(t *testing.T, b *board.Board) {
	t.Helper()
	w, h := b.Width(), b.Height()
	again, err := board.New(w, h, b.Rule())
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range b.History() {
		near := i == 0 && m.X() >= w/4 && m.X() < w-w/4 && m.Y() >= h/4 && m.Y() < h-h/4
		for _, o := range b.History()[:i] {
			near = near || max(abs(o.X()-m.X()), abs(o.Y()-m.Y())) <= 2
		}
		if !near || !again.Legal(m) || again.Wins(m, again.Side()) {
			t.Fatalf("%v: stone %d of %v: near %v", b.Rule(), i+1, b.History(), near)
		}
		again.Place(m)
	}
}

func abs(n int) int { return max(n, -n) }

func text(moves []board.Move) (s string) {
	for _, m := range moves {
		s += m.String()
	}
	return s
}

// TestRandom tries random openings until one is accepted: from 2 to 8 stones,
// the same ones for the same seed.
func TestRandom(t *testing.T) {
	b, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	tried := map[int]int{} // by stones
	find := func(accept int) (*board.Board, error) {
		n := 0
		err := Random(b, rand.New(rand.NewPCG(1, 2)), 300, func() (bool, error) {
			n++
			tried[b.Stones()]++
			return n == accept, nil
		})
		return b.Clone(), err
	}
	for n := 1; n < 50; n++ {
		one, err := find(n)
		two, err2 := find(n)
		if err != nil || err2 != nil || one.Hash() != two.Hash() || one.Stones() < 2 || one.Stones() > 8 {
			t.Fatalf("errors %v and %v, openings\n%v\nand\n%v", err, err2, one, two)
		}
	}
	if len(tried) != 7 || tried[2] == 0 || tried[8] == 0 {
		t.Errorf("openings by the number of stones: %v", tried)
	}
	if _, err := find(0); err != ErrUnbalanced {
		t.Errorf("when none is accepted: %v", err)
	}
	stop := errors.New("stop")
	if err := Random(b, rand.New(rand.NewPCG(1, 2)), 300, func() (bool, error) { return true, stop }); err != stop {
		t.Errorf("error %v, want %v", err, stop)
	}
}
