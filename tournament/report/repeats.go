package report

import "kumiko/tournament/journal"

// Repeats notices games that repeat an earlier one of the same two engines, move
// by move: such a game says nothing new. The zero value has seen no game.
type Repeats struct {
	seen map[gameKey]int // their numbers
}

// A gameKey says what was played, and by whom: who had black is left out, since
// engines that play alike play the same game with colors exchanged.
type gameKey struct {
	low, high int
	moves     string
}

// Add takes in a game, and returns the number of an earlier one that it
// repeats, 0 if there is none. Games that ended by a failure are left out: the
// same few moves before it say nothing.
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
