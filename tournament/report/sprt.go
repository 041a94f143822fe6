package report

import (
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/schedule"
	"kumiko/tournament/stats"
)

// An SPRT is the state of a sequential test of the first engine against the
// second. It counts the pairs of the schedule from the first one on, up to the
// one that decides or one that is not over: neither the order in which games
// end nor what is played after the decision changes it.
type SPRT struct {
	Test         config.SPRT
	Lower, Upper float64 // bounds of the LLR

	Pairs    stats.Counts // that count, by the first engine's points
	Games    stats.Counts // of these pairs: lost, drawn, won
	LLR      float64
	Verdict  stats.Verdict
	Deciding int  // the pair that decided, from 0; -1 if there is no verdict
	Ahead    int  // pairs that are over and not counted, before a verdict
	After    int  // games that are over and not counted, behind a verdict
	AtLimit  bool // all pairs that the test may take are counted, without a verdict
}

// SPRTState returns the state of a test.
func SPRTState(log *journal.Log, test config.SPRT) *SPRT {
	return runSPRT(log, test, func(*SPRT) {})
}

// runSPRT returns the state of a test. It calls counted after each pair that
// counts.
func runSPRT(log *journal.Log, test config.SPRT, counted func(s *SPRT)) *SPRT {
	s := NewSPRT(test)
	next := 0 // the first pair that is not counted
	for first, second := range pairs(log) {
		switch {
		case s.Verdict != stats.Undecided:
			s.After++
			if second != nil {
				s.After++
			}
		case first.Pair == next && second != nil:
			next++
			s.Add(first, second)
			counted(s)
		case second != nil:
			s.Ahead++
		}
	}
	if sched, err := schedule.New(log.Config.Schedule(log.Run.Openings)); err == nil {
		s.AtLimit = next >= sched.Pairs() && s.Verdict == stats.Undecided
	}
	return s
}

// NewSPRT returns the state of a test before its first pair.
func NewSPRT(test config.SPRT) *SPRT {
	s := &SPRT{Test: test, Pairs: make(stats.Counts, 5), Games: make(stats.Counts, 3), Deciding: -1}
	s.Lower, s.Upper = s.Test.Test().Bounds()
	return s
}

// Add counts the next pair of the schedule. There must be no verdict yet.
func (s *SPRT) Add(first, second *journal.End) {
	one, two := first.Points(0), second.Points(0)
	s.Pairs[one+two]++
	s.Games[one]++
	s.Games[two]++
	s.LLR = s.llr()
	switch t := s.Test.Test(); {
	case s.LLR > s.Lower && s.LLR < s.Upper:
	case s.Test.Model != config.Bayesian:
		s.Verdict = t.Verdict(s.Pairs)
	case s.Pairs.N() >= stats.MinItems:
		s.Verdict = t.Compare(s.LLR)
	}
	if s.Verdict != stats.Undecided {
		s.Deciding = first.Pair
	}
}

// Accepted names the hypothesis that is accepted: H0, H1, or "" for none.
func (s *SPRT) Accepted() string {
	return [...]string{stats.Undecided: "", stats.H0: "H0", stats.H1: "H1"}[s.Verdict]
}

// Progress is how much of the way to its bound the LLR has gone: 1 is there.
func (s *SPRT) Progress() float64 { return s.Test.Test().Progress(s.LLR) }

// llr is the log-likelihood ratio of what is counted: with BayesElo's bounds,
// as in fastchess, of games.
func (s *SPRT) llr() float64 {
	if s.Test.Model == config.Bayesian {
		return stats.BayesEloLLR(s.Games[2], s.Games[0], s.Games[1], s.Test.Elo0, s.Test.Elo1, false)
	}
	return s.Test.Test().LLR(s.Pairs)
}
