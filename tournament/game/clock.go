package game

import (
	"strconv"
	"time"

	"kumiko/tournament/config"
)

// A clock is the clock of one engine in one game.
type clock struct {
	tc   config.TC
	left time.Duration // of tc.Match, never negative
}

func newClock(tc config.TC) clock { return clock{tc, tc.Match} }

// unlimited is what an engine without a time limit gets for a move, so that a
// hung engine does not hang the tournament.
const unlimited = 10 * time.Minute

// limit returns how long the next move may take.
func (c *clock) limit() time.Duration {
	switch tc := c.tc; {
	case tc.Match > 0 && tc.Turn > 0:
		return min(tc.Turn, c.left)
	case tc.Match > 0:
		return c.left
	case tc.Turn > 0:
		return tc.Turn
	}
	return unlimited
}

// spend deducts the time of a move and then adds the increment. A move may
// exceed the time left by the engine's margin.
func (c *clock) spend(d time.Duration) { c.left += c.tc.Inc - min(d, c.left) }

// info returns the line that tells the engine its time before a move.
func (c *clock) info() string {
	left := int64(1<<31 - 1) // no limit
	if c.tc.Match > 0 {
		left = c.left.Milliseconds()
	}
	return "INFO time_left " + strconv.FormatInt(left, 10)
}
