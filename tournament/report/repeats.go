package report

import "kumiko/tournament/journal"

// Repeats detects games that repeat an earlier one of the same two engines move
// by move: such a game adds no information. The zero value has seen no game.
type Repeats struct {
	seen map[gameKey]int // their numbers
}

// A gameKey identifies what was played and by whom, ignoring colors, since
// engines that play alike play the same game with colors exchanged.
type gameKey struct {
	low, high int
	moves     string
}

// Add adds a game and returns the number of an earlier one that it repeats, or
// 0. It ignores games that ended by a failure: the few moves before one mean
// nothing.
func (r *Repeats) Add(e *journal.End) (earlier int) {
	if e.Reason.Failed() || len(e.Times) == 0 {
		return 0
	}
	if r.seen == nil {
		r.seen = make(map[gameKey]int)
	}
	key := gameKey{min(e.Black, e.White), max(e.Black, e.White), e.Moves}
	if earlier = r.seen[key]; earlier == 0 {
		r.seen[key] = e.Number
	}
	return earlier
}
