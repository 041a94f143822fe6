package play

import (
	"fmt"
	"math"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/stats"
)

// count counts a finished game.
func (c *coordinator) count(e *journal.End) {
	for _, i := range []int{e.Black, e.White} {
		if e.At.Before(c.since[i]) {
			continue
		}
		c.games[i]++
		if color, ok := e.Loser(); ok && e.Reason.Failed() && e.Engine(color) == i {
			c.failures[i]++
		}
	}
	if c.test != nil {
		c.test.Add(e.Pair, e.Leg, stats.Result(e.Points(0)))
	}
}

// decide ends the tournament once its test is decided or its errors are small
// enough.
func (c *coordinator) decide() {
	if c.state.Verdict != nil {
		c.stop(c.state.Verdict.Why)
		return
	}
	if c.test != nil && c.test.Accepted() != "" {
		c.conclude(&journal.Verdict{
			At: time.Now(), Pairs: c.test.Pairs.N(), LLR: c.test.LLR, Accepted: c.test.Accepted(),
			Why: fmt.Sprintf("the sequential test accepted %s", c.test.Accepted()),
		})
	}
	if c.cfg.UntilError > 0 && c.state.Played%max(c.cfg.RatingInterval, 1) == 0 {
		if worst := worstError(c.state); worst <= c.cfg.UntilError {
			c.conclude(&journal.Verdict{
				At: time.Now(), Pairs: c.state.Played / 2,
				Why: fmt.Sprintf("all errors are at most %.1f Elo", worst),
			})
		}
	}
}

func (c *coordinator) conclude(v *journal.Verdict) {
	c.stop(v.Why)
	c.add(v)
}

// worstError returns the largest rating error, in Elo.
func worstError(log *journal.Log) float64 {
	s, err := report.StandingsOf(report.NewTally(log), report.Options{})
	if err != nil {
		return math.Inf(1)
	}
	return s.WorstMargin()
}

// discipline disqualifies an engine that fails too often.
func (c *coordinator) discipline(e *journal.End) {
	color, ok := e.Loser()
	if !ok || !e.Reason.Failed() {
		return
	}
	i := e.Engine(color)
	name := c.cfg.Engines[i].Name
	c.harness.Error().Int("game", e.Number).Str("engine", name).Str("kind", string(e.Reason)).
		Str("transcript", e.Transcript).Msg(e.Detail)
	if c.cfg.OnFailure == config.FailureAborts {
		c.fail(fmt.Errorf("%s failed in game %d (%s): %s", name, e.Number, e.Reason, e.Detail))
	}
	c.disqualify(i)
}

// disqualify disqualifies an engine if it has failed too often.
func (c *coordinator) disqualify(i int) {
	if c.state.Disqualified[i] == nil && c.cfg.MaxFailures.Exceeded(c.failures[i], c.games[i]) {
		c.add(&journal.Disqualify{Engine: i, At: time.Now(),
			Why: fmt.Sprintf("failed in %d of %d games", c.failures[i], c.games[i])})
	}
}

// result returns the outcome of the tournament. An error says why it is not
// over.
func (c *coordinator) result() error {
	switch {
	case c.failed != nil:
		return c.failed
	case c.interrupts > 0 && c.unfinished() && c.state.Verdict == nil:
		return ErrInterrupted
	case len(c.state.Disqualified) > 0:
		return ErrDisqualified
	}
	return nil
}

// unfinished reports whether games are left to play.
func (c *coordinator) unfinished() bool {
	for n := range c.sched.Len() {
		if !c.settled(c.sched.Game(n + 1)) {
			return true
		}
	}
	return false
}
