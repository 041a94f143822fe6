package selfplay

import (
	"context"
	"errors"

	"kumiko/engine/board"
)

const (
	// Openings have from minOpening to maxOpening stones.
	minOpening = 2
	maxOpening = 8
	// openingNodes is how many times the nodes of a move are spent to judge
	// an opening.
	openingNodes = 2
	// maxTries is the number of openings looked at before giving up.
	maxTries = 10_000
)

var errNoOpening = errors.New("no balanced opening found; allow a greater -balance")

// open sets up a random opening that the engine thinks is balanced.
func (p *player) open(ctx context.Context) error {
	for range maxTries {
		if !p.scatter(minOpening + p.rng.IntN(maxOpening-minOpening+1)) {
			continue
		}
		ply := newPly(p.search(ctx, openingNodes*int64(p.settings.Nodes), 1, nil))
		if err := ctx.Err(); err != nil {
			return err
		}
		if ply.Flags == 0 && int(max(ply.Score, -ply.Score)) <= int(p.settings.Balance) {
			return nil
		}
	}
	return errNoOpening
}

// scatter plays n random stones on an empty board: the first about the middle,
// each other close to one that is there. It gives up if one cannot be played
// or would make a five.
func (p *player) scatter(n int) bool {
	b := p.b
	b.Clear()
	for i := range n {
		m := p.aroundMiddle()
		if i > 0 {
			m = p.beside(b.History()[p.rng.IntN(i)])
		}
		if m == board.NoMove || !b.Legal(m) || b.Wins(m, b.Side()) {
			return false
		}
		b.Place(m)
	}
	return true
}

// aroundMiddle returns a point of the middle half of the board.
func (p *player) aroundMiddle() board.Move {
	w, h := p.b.Width(), p.b.Height()
	return board.Pt(w/4+p.rng.IntN(w-w/4*2), h/4+p.rng.IntN(h-h/4*2))
}

// beside returns a point at most two columns and rows away from m, or NoMove if
// it would lie off the board.
func (p *player) beside(m board.Move) board.Move {
	x, y := m.X()+p.rng.IntN(5)-2, m.Y()+p.rng.IntN(5)-2
	if x < 0 || y < 0 || x >= p.b.Width() || y >= p.b.Height() {
		return board.NoMove
	}
	return board.Pt(x, y)
}
