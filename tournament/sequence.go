package tournament

import (
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
)

// A sequence is a sequential test under way, of engine 0 against engine 1. It
// counts pairs in the order of the schedule, not in that of their ends: games
// that end early are not like those that take long, so that the other order
// would favour the engine that wins fast. The verdict does not depend on how
// many games were played at a time.
type sequence struct {
	test   config.SPRT
	points map[int][2]int // half points of engine 0 in pairs not yet counted, more by one; by leg

	counts  stats.Counts // of pairs
	games   [3]int       // losses, draws and wins in them
	pairs   int          // counted: the first of the schedule
	llr     float64
	verdict stats.Verdict // once it is decided nothing is counted
}

func newSequence(test config.SPRT) *sequence {
	return &sequence{test: test, points: make(map[int][2]int), counts: make(stats.Counts, 5)}
}

// add takes in a game, in any order.
func (s *sequence) add(e *journal.End) {
	p := s.points[e.Pair]
	p[e.Leg] = e.Points(0) + 1
	s.points[e.Pair] = p
	for s.verdict == stats.Undecided {
		p, ok := s.points[s.pairs]
		if !ok || p[0] == 0 || p[1] == 0 {
			return
		}
		delete(s.points, s.pairs)
		s.pairs++
		s.counts[p[0]+p[1]-2]++
		s.games[p[0]-1]++
		s.games[p[1]-1]++
		s.judge()
	}
}

// judge computes the LLR and compares it with the bounds.
func (s *sequence) judge() {
	t := s.bounds()
	if s.test.Model != config.Bayesian {
		s.llr, s.verdict = t.LLR(s.counts), t.Verdict(s.counts)
		return
	}
	s.llr = stats.BayesEloLLR(s.games[2], s.games[0], s.games[1], t.Elo0, t.Elo1, false)
	lower, upper := t.Bounds()
	switch {
	case s.pairs < minPairs:
	case s.llr <= lower:
		s.verdict = stats.H0
	case s.llr >= upper:
		s.verdict = stats.H1
	}
}

// accepted names the hypothesis that is accepted, "" if none is.
func (s *sequence) accepted() string {
	return [...]string{stats.Undecided: "", stats.H0: "H0", stats.H1: "H1"}[s.verdict]
}

// minPairs is before how many pairs no test is decided.
const minPairs = 10

// bounds returns the test as package stats knows it.
func (s *sequence) bounds() stats.SPRT {
	t := stats.SPRT{Elo0: s.test.Elo0, Elo1: s.test.Elo1, Alpha: s.test.Alpha, Beta: s.test.Beta}
	if s.test.Model == config.Logistic {
		t.Model = stats.Logistic
	}
	return t
}

// ahead is how many pairs are played but not counted, since one before them
// is not.
func (s *sequence) ahead() int {
	n := 0
	for _, p := range s.points {
		if p[0] > 0 && p[1] > 0 {
			n++
		}
	}
	return n
}
