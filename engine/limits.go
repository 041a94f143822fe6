package engine

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// NoLimit as a time means that there is no such limit.
const NoLimit = time.Duration(math.MaxInt64)

// Limits says how long a search may take.
type Limits struct {
	// Start is when the request was read; the clock runs from then on. Zero
	// means now.
	Start time.Time
	// Turn is the limit for this move: 0 means answer at once, negative none.
	Turn time.Duration
	// Match is the limit for the whole game, 0 or less meaning none. It is
	// used only if Left is NoLimit.
	Match time.Duration
	// Left is what remains of the game's time before this move; 0 or less
	// means answer at once, NoLimit none.
	Left time.Duration
	// Depth is the greatest depth in plies, 0 for none.
	Depth int
	// Nodes is the number of positions to visit, 0 for none.
	Nodes int64
	// Margin is what a search leaves of Turn or Left, for the way of its answer
	// to the clock that counts; 0 means DefaultMargin. It is never more than
	// two thirds of the time.
	Margin time.Duration
}

// DefaultMargin is assumed where nobody has measured how long answers take to
// reach the clock that counts.
const DefaultMargin = 25 * time.Millisecond

// Deadline returns the time after Start at which a search under these limits
// ends if nothing ends it before, NoLimit if there is none. moves is the
// number of moves that the side to move has made.
func (l Limits) Deadline(moves int) time.Duration { return newBudget(l, moves).hard }

// A budget is what the limits allow for one move, counted from Start.
type budget struct {
	soft time.Duration // the time a usual move should take
	hard time.Duration // the time after which any move must be out
	// saving is set if time left over is of use later.
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
	// What is lost between the clocks at every move is put aside for as many
	// moves as a long game may still have.
	toCome := time.Duration(max(20, 110-moves))
	usable := left - overhead*toCome
	if usable <= 0 {
		t := min(hard, max(left/toCome-overhead, min(5*time.Millisecond, left/toCome)))
		return budget{t, t, true}
	}
	// A usual game lasts about 30 moves of each side, of which the first decide
	// most: the share of a move is as if 18 were to come, and never fewer than 7,
	// so that the reserve shrinks but does not end. Most moves are stable and
	// take half of their share, see enough.
	soft := usable / time.Duration(max(7, 18-moves/2))
	hard = min(hard, 4*soft)
	return budget{min(soft, hard), hard, true}
}

// overhead is the time per move that a manager's clock may count and ours not.
const overhead = 10 * time.Millisecond

// control decides when a search ends, for all of its threads.
type control struct {
	stop    atomic.Bool  // set from outside, and when helpers are to end
	visited atomic.Int64 // positions, as far as the threads have told
	start   time.Time
	hard    time.Duration
	nodes   int64 // limit, 0 for none
}

// watch makes the end of ctx stop the search; the returned function undoes it.
func (c *control) watch(ctx context.Context) func() bool {
	return context.AfterFunc(ctx, func() { c.stop.Store(true) })
}

// expired reports whether the search, whose threads have visited so many nodes
// together, must end. It reads the clock: ask every few hundred nodes only. The
// first nodes are free, so that an answer at once is not a blind one.
func (c *control) expired(nodes int64) bool {
	return c.stop.Load() || c.nodes > 0 && nodes >= c.nodes ||
		c.hard != NoLimit && nodes > freeNodes && time.Since(c.start) >= c.hard
}

// freeNodes is how many positions are searched even without time: about a
// millisecond's worth.
const freeNodes = 1000

func (c *control) elapsed() time.Duration { return time.Since(c.start) }
