package tune

import (
	"context"

	"kumiko/tournament/work"
)

// A pairing is a pair of games from one opening: a moves first in one of them,
// b in the other. The number determines the opening.
type pairing struct {
	number uint64
	a, b   []int // values of the parameters
}

// A gameFunc plays a game of a pair, the first or the second (leg 0 or 1). It
// returns a's score in half points: 0, 1 or 2. The error comes from ctx, or
// says why no game is possible. It is not safe for concurrent use.
type gameFunc func(ctx context.Context, p pairing, leg int) (int, error)

// An arena plays as many games at a time as it has gameFuncs.
type arena []gameFunc

// play returns the scores of pairs from a's point of view, in half points from
// 0 to 4.
func (w arena) play(ctx context.Context, pairs []pairing) ([]int, error) {
	scores := make([]int, len(pairs))
	err := work.InOrder(ctx, 0, 2*len(pairs), len(w), func(worker int) work.Func[int] {
		return func(ctx context.Context, n int) (int, error) { return w[worker](ctx, pairs[n/2], n%2) }
	}, func(n, points int) error {
		scores[n/2] += points
		return nil
	})
	return scores, err
}
