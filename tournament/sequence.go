package tournament

import (
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/stats"
)

// A sequence is a sequential test under way, of engine 0 against engine 1. It
// counts pairs in the order of the schedule, not in that of their ends: games
// that end early are not like those that take long, so that the other order
// would favour the engine that wins fast. The verdict does not depend on how
// many games were played at a time.
type sequence struct {
	*report.SPRT
	waiting map[int][2]*journal.End // pairs that are not counted yet, by leg
	next    int                     // the first of them in the schedule
}

func newSequence(test config.SPRT) *sequence {
	return &sequence{SPRT: report.NewSPRT(test), waiting: make(map[int][2]*journal.End)}
}

// add takes in a game, in any order.
func (s *sequence) add(e *journal.End) {
	games := s.waiting[e.Pair]
	games[e.Leg] = e
	s.waiting[e.Pair] = games
	for s.Verdict == stats.Undecided {
		games := s.waiting[s.next]
		if games[0] == nil || games[1] == nil {
			return
		}
		delete(s.waiting, s.next)
		s.next++
		s.Add(games[0], games[1])
	}
}
