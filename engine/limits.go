package engine

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// NoLimit as a time means no limit.
const NoLimit = time.Duration(math.MaxInt64)

// Limits bounds a search.
type Limits struct {
	// Start is when the clock started; zero means now.
	Start time.Time
	// Turn is the limit for this move; 0 means answer at once, a negative value
	// no limit.
	Turn time.Duration
	// Match is the limit for the whole game; 0 or less means no limit. It is
	// used only if Left is NoLimit.
	Match time.Duration
	// Left is the game time remaining before this move; 0 or less means answer
	// at once.
	Left time.Duration
	// Depth is the maximum depth in plies; 0 means no limit.
	Depth int
	// Nodes is the maximum number of nodes; 0 means no limit.
	Nodes int64
	// Margin is the part of Turn or Left reserved for the answer to reach the
	// manager's clock; 0 means DefaultMargin. At most two thirds of the time is
	// reserved.
	Margin time.Duration
}

// DefaultMargin is the margin used if the latency of answers is unknown.
const DefaultMargin = 25 * time.Millisecond

// Deadline returns the time after Start at which a search under these limits ends
// at the latest, or NoLimit. moves is the number of moves that the side to move
// has made.
func (l Limits) Deadline(moves int) time.Duration { return newBudget(l, moves).hard }

// A budget is what the limits allow for one move, counted from Start.
type budget struct {
	soft time.Duration // the time a usual move should take
	hard time.Duration // the time after which any move must be out
	// saving is set if unused time carries over to later moves.
	saving bool
}

// newBudget divides the time. moves is the number of moves that the side to
// move has made.
func newBudget(l Limits, moves int) budget {
	left := l.Left
	if left == NoLimit && l.Match > 0 {
		left = l.Match
	}
	turn := l.Turn
	if turn < 0 {
		turn = NoLimit
	}
	limit := min(turn, left)
	if limit == NoLimit {
		return budget{NoLimit, NoLimit, false}
	}
	if limit <= 0 {
		return budget{}
	}
	margin := l.Margin
	if margin <= 0 {
		margin = DefaultMargin
	}
	hard := limit - min(margin, limit*2/3)
	if left == NoLimit {
		return budget{hard, hard, false}
	}
	// Reserve the overhead per move for as many moves as a long game may still
	// have.
	toCome := time.Duration(max(20, 110-moves))
	usable := left - overhead*toCome
	if usable <= 0 {
		t := min(hard, max(left/toCome-overhead, min(5*time.Millisecond, left/toCome)))
		return budget{t, t, true}
	}
	// A game usually lasts about 30 moves of each side, and the first decide most:
	// a move's share assumes 18 moves to come, later fewer but at least 7, so that
	// the reserve shrinks but does not run out. Most moves are stable and take
	// half of their share; see enough.
	soft := usable / time.Duration(max(7, 18-moves/2))
	hard = min(hard, 4*soft)
	return budget{min(soft, hard), hard, true}
}

// patience returns a context for what precedes a search with limits. It ends after a
// fraction of the time, so that waiting never costs the move; a large one if nodes or
// depth limit the search, which should not depend on the machine.
func (b budget) patience(ctx context.Context, l Limits, start time.Time) (context.Context, context.CancelFunc) {
	switch {
	case b.hard == NoLimit:
		return ctx, func() {}
	case l.Nodes > 0 || l.Depth > 0:
		return context.WithDeadline(ctx, start.Add(b.hard*3/4))
	}
	return context.WithDeadline(ctx, start.Add(b.hard/4))
}

// overhead is the time per move that a manager's clock may count but ours does not.
const overhead = 10 * time.Millisecond

// control decides when a search ends, for all of its threads.
type control struct {
	stop    atomic.Bool  // set from outside, and to stop the helpers
	visited atomic.Int64 // nodes, as far as the threads have added them
	start   time.Time
	hard    time.Duration
	nodes   int64 // limit, 0 for none
}

// watch stops the search when ctx ends; the returned function undoes that.
func (c *control) watch(ctx context.Context) func() bool {
	return context.AfterFunc(ctx, func() { c.stop.Store(true) })
}

// expired reports whether the search, whose threads have visited the given number
// of nodes together, must end. It reads the clock, so call it only every few
// hundred nodes. The first nodes are free, so that even an instant answer is
// searched.
func (c *control) expired(nodes int64) bool {
	return c.stop.Load() || c.nodes > 0 && nodes >= c.nodes ||
		nodes > freeNodes && c.late()
}

// late reports whether the time is up.
func (c *control) late() bool { return c.hard != NoLimit && time.Since(c.start) >= c.hard }

// freeNodes is the number of nodes searched even without time, about a
// millisecond's worth.
const freeNodes = 1000

func (c *control) elapsed() time.Duration { return time.Since(c.start) }
