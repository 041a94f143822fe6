package report

import (
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/schedule"
	"kumiko/tournament/stats"
)

// An SPRT is the state of a tournament's sequential test.
type SPRT struct {
	*stats.Sequence
	AtLimit bool // all pairs allowed are counted, without a verdict
}

// SPRTState returns the state of a test.
func SPRTState(log *journal.Log, test config.SPRT) *SPRT {
	return runSPRT(log, test, func(llr float64) {})
}

// runSPRT returns the state of a test. It calls counted with the LLR after each
// pair that counts.
func runSPRT(log *journal.Log, test config.SPRT, counted func(llr float64)) *SPRT {
	s := &SPRT{Sequence: stats.NewSequence(test.Test())}
	for e := range games(log) {
		n := s.Pairs.N()
		s.Add(e.Pair, e.Leg, stats.Result(e.Points(0)))
		if s.Pairs.N() > n {
			counted(s.LLR)
		}
	}
	if sched, err := schedule.New(log.Config.Schedule(log.Run.Openings)); err == nil {
		s.AtLimit = s.Pairs.N() >= sched.Pairs() && s.Verdict == stats.Undecided
	}
	return s
}
