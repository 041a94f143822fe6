package engine

import (
	"context"
	"math/rand/v2"
	"time"

	"kumiko/engine/board"
)

// Swap2Answer is what a player does in the opening of that name.
type Swap2Answer struct {
	// Swap takes the black stones, if there are stones; Moves is empty then.
	Swap bool
	// Moves are the stones to lay: three on an empty board, else one.
	Moves []board.Move
}

// Swap2 plays the opening: on an empty board it lays three stones that leave
// both sides equal; before three or five stones it takes the better side. The
// opponent must never be given the choice without need, so that the answer
// with two stones does not occur: whichever side the search prefers is worth
// at least as much as what the opponent would leave.
//
// Limits hold as for Search, but of the time half is left: there is little to
// gain by the rest of it, and a late answer loses the game. Like the first
// request of a new game, this one forgets what earlier positions have taught:
// with a limit of nodes or depth and one thread, the answer is always the same.
func (e *Engine) Swap2(ctx context.Context, b *board.Board, l Limits) Swap2Answer {
	if l.Start.IsZero() {
		l.Start = time.Now()
	}
	e.Reset()
	if b.Stones() == 0 {
		return Swap2Answer{Moves: e.propose(ctx, b, l)}
	}
	// White is to move after three stones and after five. Half of the time is
	// left here, too: which side is better, less tells as well.
	if hard := newBudget(l, b.Stones()/2).hard; hard != NoLimit {
		l.Turn = hard / 2
	}
	res := e.Search(ctx, Request{Board: b, Limits: l}, nil)
	if res.Score < 0 {
		return Swap2Answer{Swap: true}
	}
	return Swap2Answer{Moves: []board.Move{res.Move}}
}

// Numbers of the opening that propose lays.
const (
	swap2Tries     = 48              // openings that are searched at most
	swap2Nodes     = 20_000          // nodes that each search visits at most
	swap2LeastTry  = 100             // and at least, where all together are limited
	swap2LeastOnes = 12              // tries that a limit of nodes is divided by
	swap2Time      = 5 * time.Second // for all searches
)

// propose looks for three stones after which the search sees neither side
// ahead. It tries openings near the edge of the center and settles for the most
// balanced.
func (e *Engine) propose(ctx context.Context, b *board.Board, l Limits) []board.Move {
	bud := newBudget(l, 0)
	limit := min(bud.soft, bud.hard/2, swap2Time)
	try := Limits{Left: NoLimit, Depth: l.Depth, Nodes: swap2Nodes}
	left := l.Nodes
	if l.Nodes > 0 {
		try.Nodes = min(swap2Nodes, max(l.Nodes/swap2LeastOnes, swap2LeastTry))
	}
	rng := rand.New(rand.NewPCG(uint64(b.Width()), uint64(b.Height())))
	best, bestScore := fallbackOpening(b), infinite
	for range swap2Tries {
		try.Start = time.Now()
		try.Turn = limit - try.Start.Sub(l.Start)
		if l.Nodes > 0 {
			try.Nodes = min(try.Nodes, left)
		}
		if ctx.Err() != nil || try.Turn <= 0 || l.Nodes > 0 && left <= 0 {
			break
		}
		stones := randomOpening(b, rng)
		c := b.Clone()
		for _, m := range stones {
			c.Place(m)
		}
		res := e.Search(ctx, Request{Board: c, Limits: try}, nil)
		left -= res.Nodes
		if v := max(res.Score, -res.Score); v < bestScore && res.Depth > 0 {
			best, bestScore = stones, v
		}
	}
	return best
}

// randomOpening returns three points within two of each other's square and
// at least three from the edge, if the board is large enough for that.
func randomOpening(b *board.Board, rng *rand.Rand) []board.Move {
	inset := 3
	for inset > 0 && min(b.Width(), b.Height())-2*inset < 5 {
		inset--
	}
	x0 := inset + rng.IntN(b.Width()-2*inset-4)
	y0 := inset + rng.IntN(b.Height()-2*inset-4)
	var stones []board.Move
	for len(stones) < 3 {
		m := board.Pt(x0+rng.IntN(5), y0+rng.IntN(5))
		if len(stones) == 0 || m != stones[0] && m != stones[len(stones)-1] {
			stones = append(stones, m)
		}
	}
	return stones
}

// fallbackOpening returns three stones for when there is no time to choose:
// black's two far apart, white's between them and the middle.
func fallbackOpening(b *board.Board) []board.Move {
	x, y := b.Width()/2, b.Height()/2
	return []board.Move{board.Pt(x-2, y-2), board.Pt(x, y-1), board.Pt(x+2, y+2)}
}
