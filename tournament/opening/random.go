package opening

import (
	"math/rand/v2"

	"kumiko/engine/board"
)

// Scatter clears b and plays n random stones: the first in the middle half of
// the board, each other at most two columns and rows from one that is there.
// It gives up, and returns false, if a stone cannot be played there, is
// forbidden or would make a five, or if no point is left.
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
