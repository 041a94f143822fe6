package engine

import (
	"context"
	"math/rand/v2"
	"time"

	"kumiko/engine/board"
)

// Swap2Answer is a player's answer in the swap2 opening.
type Swap2Answer struct {
	// Swap takes black's stones; Moves is then empty.
	Swap bool
	// Moves are the stones to place: three on an empty board, else one.
	Moves []board.Move
}

// Swap2 plays the swap2 opening: on an empty board it proposes three stones that
// balance the sides; given three or five stones it takes the better side. It
// never answers with two stones, which would give the opponent the choice:
// whichever side the search prefers is worth at least as much as what the
// opponent would leave.
//
// Limits apply as in Search, except that Swap2 uses only half of the time: more
// gains little, and a late answer loses the game. Like [Engine.Reset], Swap2
// discards what earlier searches have learned, so that with a node or depth limit
// and one thread its answer is always the same.
func (e *Engine) Swap2(ctx context.Context, b *board.Board, l Limits) Swap2Answer {
	if l.Start.IsZero() {
		l.Start = time.Now()
	}
	e.Reset()
	if b.Stones() == 0 {
		return Swap2Answer{Moves: e.propose(ctx, b, l)}
	}
	// White is to move after three stones and after five. Half of the time
	// suffices to tell which side is better.
	if hard := newBudget(l, b.Stones()/2).hard; hard != NoLimit {
		l.Turn = hard / 2
	}
	res := e.Search(ctx, Request{Board: b, Limits: l}, nil)
	if res.Score < 0 {
		return Swap2Answer{Swap: true}
	}
	return Swap2Answer{Moves: []board.Move{res.Move}}
}

// Parameters of propose.
const (
	swap2Tries     = 48              // openings searched at most
	swap2Nodes     = 20_000          // nodes of each search at most
	swap2LeastTry  = 100             // and at least, under a node limit
	swap2LeastOnes = 12              // tries among which a node limit is divided
	swap2Time      = 5 * time.Second // for all searches
)

// propose returns the three stones that the search considers most balanced, among
// random openings away from the edge.
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

// randomOpening returns three points close together and at least three from the
// edge, if the board is large enough.
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

// fallbackOpening returns three stones to propose if there is no time to search:
// black's two far apart, white's between them and the middle.
func fallbackOpening(b *board.Board) []board.Move {
	x, y := b.Width()/2, b.Height()/2
	return []board.Move{board.Pt(x-2, y-2), board.Pt(x, y-1), board.Pt(x+2, y+2)}
}
