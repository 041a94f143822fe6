package tune

import (
	"context"
	"sync"
	"sync/atomic"
)

// A pairing is a pair of games from one opening: a moves first in one of
// them, b in the other. The number decides the opening.
type pairing struct {
	number uint64
	a, b   []int // values of the parameters
}

// A gameFunc plays a game of a pair, the first or the second (leg 0 or 1). It
// returns what a has scored, in half points: 0, 1 or 2. The error is that of
// ctx, or says why there cannot be a game. It is not for concurrent use.
type gameFunc func(ctx context.Context, p pairing, leg int) (int, error)

// An arena plays as many games at a time as it has players.
type arena []gameFunc

// play returns the scores of pairs from the point of view of a, in half points
// from 0 to 4.
func (w arena) play(ctx context.Context, pairs []pairing) ([]int, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	games := make([]int, 2*len(pairs)) // first and second game of every pair
	var next atomic.Int64
	var workers sync.WaitGroup
	for _, game := range w {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(games) || ctx.Err() != nil {
					return
				}
				points, err := game(ctx, pairs[i/2], i%2)
				if err != nil {
					cancel(err)
					return
				}
				games[i] = points
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	scores := make([]int, len(pairs))
	for i, points := range games {
		scores[i/2] += points
	}
	return scores, nil
}
