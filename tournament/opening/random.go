package opening

import (
	"errors"
	"math/rand/v2"

	"kumiko/engine/board"
)

// Numbers of random stones that begin games of the engine against itself.
const (
	minRandom = 2
	maxRandom = 8
)

// ErrUnbalanced means that none of many random openings is balanced.
var ErrUnbalanced = errors.New("no balanced opening found")

// Random sets up a random opening on b for which balanced returns true, or
// gives up after that many tries. An error from balanced ends it.
func Random(b *board.Board, rng *rand.Rand, tries int, balanced func() (bool, error)) error {
	for range tries {
		if !Scatter(b, rng, minRandom+rng.IntN(maxRandom-minRandom+1)) {
			continue
		}
		if ok, err := balanced(); ok || err != nil {
			return err
		}
	}
	return ErrUnbalanced
}

// Scatter clears b and plays n random stones: the first in the middle half of
// the board, each other within two columns and rows of an earlier one. It gives
// up and returns false if a stone cannot be played there, is forbidden or would
// make a five, or if no point is left.
func Scatter(b *board.Board, rng *rand.Rand, n int) bool {
	b.Clear()
	w, h := b.Width(), b.Height()
	for i := range n {
		x, y := w/4+rng.IntN(w-w/4*2), h/4+rng.IntN(h-h/4*2)
		if i > 0 {
			near := b.History()[rng.IntN(i)]
			x, y = near.X()+rng.IntN(5)-2, near.Y()+rng.IntN(5)-2
		}
		if x < 0 || y < 0 || x >= w || y >= h {
			return false
		}
		m := board.Pt(x, y)
		if !b.Legal(m) || b.Wins(m, b.Side()) {
			return false
		}
		b.Place(m)
	}
	return !b.Full()
}
