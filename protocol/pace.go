package protocol

import (
	"math"
	"runtime"
	"slices"
	"time"
)

const (
	// leastMargin is the minimum margin, and windowsMargin that on Windows, where
	// the system clock is coarser.
	leastMargin   = 10 * time.Millisecond
	windowsMargin = 20 * time.Millisecond

	// firstMargin is the margin until some answers have been measured.
	firstMargin = 25 * time.Millisecond
	// mostMargin bounds the margin: a later answer means that the process was
	// suspended.
	mostMargin = 250 * time.Millisecond

	// calmAnswers is the number of consecutive answers in time after which the
	// floor is lowered.
	calmAnswers = 8

	// wayOut is the usual time from the deadline of a search to its answer in the
	// pipe: the search polls the clock and ends, and the answer is checked and
	// written. The lateness of an answer is the excess over that.
	wayOut = 3 * time.Millisecond

	// maxSamples is the number of answers that count.
	maxSamples = 1024
	// quantile of their lateness is the margin.
	quantile = 0.999

	// cheapShare is the share of the limit that such a margin may take for as
	// long as the answers count. A quantile that far out rests on one or two
	// answers: what exceeds the share halves every fadeAfter answers, or a single
	// late one would cost much of every move for a thousand moves.
	cheapShare = 1.0 / 16
	fadeAfter  = 32
)

// A pace measures how much later than scheduled answers are written, and computes
// the margin from that.
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

// margin returns the time before the limit at which answers are scheduled to be
// written.
func (p *pace) margin(limit time.Duration) time.Duration {
	m := max(p.least, p.floor)
	if len(p.late) > 0 {
		faded := make([]time.Duration, len(p.late))
		for i, late := range p.late {
			age := float64((p.next-1-i+len(p.late))%len(p.late)) / fadeAfter
			faded[i] = time.Duration(float64(late) * math.Exp2(-age))
		}
		cheap := time.Duration(float64(limit) * cheapShare)
		m = max(m, min(outermost(slices.Clone(p.late)), max(cheap, outermost(faded))))
	}
	return min(m, mostMargin)
}

// outermost returns the quantile of samples, which it sorts.
func outermost(samples []time.Duration) time.Duration {
	slices.Sort(samples)
	return samples[int(math.Ceil(quantile*float64(len(samples))))-1]
}

// forSearch returns the margin to leave by a search with a limit.
func (p *pace) forSearch(limit time.Duration) time.Duration { return p.margin(limit) + wayOut }

// note records an answer to a search that used its whole time. written is when it
// was written, deadline when the search was due to end, and limit when the answer
// was due, all since the request.
func (p *pace) note(written, deadline, limit time.Duration) {
	late := min(max(written-deadline-wayOut, 0), mostMargin)
	doubled := 2 * p.margin(limit)
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
