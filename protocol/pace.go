package protocol

import (
	"math"
	"runtime"
	"slices"
	"time"
)

const (
	// leastMargin is kept of every limit, and windowsMargin where the clock of
	// the system ticks more slowly.
	leastMargin   = 10 * time.Millisecond
	windowsMargin = 20 * time.Millisecond

	// firstMargin is kept until some answers have been measured.
	firstMargin = 25 * time.Millisecond
	// mostMargin bounds the margin: what is later than that has been suspended.
	mostMargin = 250 * time.Millisecond

	// calmAnswers is the number of answers in time after which less is kept
	// than before.
	calmAnswers = 8

	// wayOut is what usually lies between the deadline of a search and the
	// answer in the pipe: the search looks at the clock, ends, and the answer
	// is checked and written. An answer is late by what it takes longer.
	wayOut = 3 * time.Millisecond

	// maxSamples is the number of answers that count.
	maxSamples = 1024
	// quantile of their lateness is the margin.
	quantile = 0.999
)

// A pace measures by how much later than planned answers are written, and
// says how much of the next limit to keep for that.
type pace struct {
	least time.Duration   // of all margins
	floor time.Duration   // of the margins for now
	calm  int             // answers in time since the floor last changed
	late  []time.Duration // by how much the last answers were late, 0 for none
	next  int             // which of them is the oldest, once there are maxSamples
}

func newPace(goos string) *pace {
	p := &pace{least: leastMargin, floor: firstMargin}
	if goos == "windows" {
		p.least = windowsMargin
	}
	return p
}

// paceHere is newPace for this machine.
func paceHere() *pace { return newPace(runtime.GOOS) }

// margin returns the time by which answers are planned to be written before
// the limit.
func (p *pace) margin() time.Duration {
	m := max(p.least, p.floor)
	if n := len(p.late); n > 0 {
		sorted := slices.Sorted(slices.Values(p.late))
		m = max(m, sorted[int(math.Ceil(quantile*float64(n)))-1])
	}
	return min(m, mostMargin)
}

// forSearch returns the margin to leave by the search.
func (p *pace) forSearch() time.Duration { return p.margin() + wayOut }

// note takes note of an answer that was written after a time, of a search
// that used all of its time. deadline is when the search was to end, limit
// when the answer had to be there. All are counted from the request.
func (p *pace) note(written, deadline, limit time.Duration) {
	late := min(max(written-deadline-wayOut, 0), mostMargin)
	doubled := 2 * p.margin()
	if len(p.late) < maxSamples {
		p.late = append(p.late, late)
	} else {
		p.late[p.next] = late
		p.next = (p.next + 1) % maxSamples
	}
	if written >= limit {
		p.floor, p.calm = min(doubled, mostMargin), 0
		return
	}
	if p.calm++; p.calm == calmAnswers {
		p.floor, p.calm = p.floor/2, 0
	}
}
