package board

import "context"

// Perft counts the sequences of depth legal moves from the position on b. A
// winning move ends its sequence, so it counts only as the last move; forbidden
// moves are not played. Comparing the counts with known ones tests the whole
// board. If ctx ends first, Perft returns its error.
func Perft(ctx context.Context, b *Board, depth int) (uint64, error) {
	switch {
	case depth <= 0:
		return 1, nil
	case depth == 1:
		return countLegal(b), nil
	case depth > 2 && ctx.Err() != nil:
		return 0, ctx.Err()
	}
	var n uint64
	for m := range b.LegalMoves {
		if b.Wins(m, b.Side()) {
			continue
		}
		b.Place(m)
		k, err := Perft(ctx, b, depth-1)
		b.Undo()
		if err != nil {
			return 0, err
		}
		n += k
	}
	return n, nil
}

// countLegal returns the number of legal moves. It tests only the points whose
// lines look forbidden one by one.
func countLegal(b *Board) uint64 {
	n := uint64(b.Width()*b.Height() - b.Stones())
	if b.Rule() != Renju || b.Side() != Black || b.Count(Black, ShapeForbidden) == 0 {
		return n
	}
	for y := range b.Height() {
		for x := range b.Width() {
			if m := Pt(x, y); b.Empty(m) && !b.Legal(m) {
				n--
			}
		}
	}
	return n
}
