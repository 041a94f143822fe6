package report

import (
	"iter"
	"strings"

	"kumiko/tournament/journal"
)

// games yields the finished games in schedule order.
func games(log *journal.Log) iter.Seq[*journal.End] {
	return func(yield func(*journal.End) bool) {
		for e := range log.All {
			if known(log, e) && !yield(e) {
				return
			}
		}
	}
}

// known reports whether a game is between two engines of the config, which may
// have changed since the game ended.
func known(log *journal.Log, e *journal.End) bool {
	n := len(log.Config.Engines)
	return e.Black < n && e.White < n && e.Black != e.White
}

// pairs yields the pairs of finished games in schedule order. If only one game
// of a pair is finished, or there is only one, second is nil.
func pairs(log *journal.Log) iter.Seq2[*journal.End, *journal.End] {
	return func(yield func(first, second *journal.End) bool) {
		var first *journal.End
		for e := range games(log) {
			switch {
			case first == nil:
				first = e
			case areOnePair(first, e):
				if !yield(first, e) {
					return
				}
				first = nil
			default:
				if !yield(first, nil) {
					return
				}
				first = e
			}
		}
		if first != nil {
			yield(first, nil)
		}
	}
}

// areOnePair reports whether two games have the same opening and engines.
func areOnePair(a, b *journal.End) bool {
	return a.Pair == b.Pair && a.Leg != b.Leg &&
		min(a.Black, a.White) == min(b.Black, b.White) && max(a.Black, a.White) == max(b.Black, b.White)
}

// plies returns the number of stones of a game.
func plies(e *journal.End) int { return countMoves(e.Moves) }

// countMoves counts the moves of a text such as h8i7, each of which ends in
// digits.
func countMoves(s string) (n int) {
	for s != "" {
		_, s = cutMove(s)
		n++
	}
	return n
}

// cutMove cuts the first move off a text such as h8i7.
func cutMove(s string) (move, rest string) {
	i := strings.IndexAny(s, "0123456789")
	if i < 0 {
		return s, ""
	}
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}
