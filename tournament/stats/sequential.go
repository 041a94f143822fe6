package stats

import "slices"

// Prefix is how many items from the first on are decided, of those whose state
// is given in the order of the schedule. A sequential test must count no others:
// items in the order of their ends come with those first that are short, and if
// wins are shorter than losses the test is wrong.
func Prefix(decided []bool) int {
	if i := slices.Index(decided, false); i >= 0 {
		return i
	}
	return len(decided)
}

// An Overshoot estimates how far the LLR of a test jumps past a bound, which
// makes the test take longer than it needs to be as certain as it claims. An
// excess over a bound is like one over an earlier record, and its mean is
// Σδ²/(2Σδ), where δ are the steps from record to record (Siegmund, Sequential
// analysis, 1985; fishtest). The zero value is ready. It takes the LLR after
// every single item, in order.
type Overshoot struct{ low, high records }

// records are those of a random walk away from 0.
type records struct{ last, sum, squares float64 }

// Add takes the LLR after one more item.
func (o *Overshoot) Add(llr float64) {
	o.low.add(-llr)
	o.high.add(llr)
}

func (r *records) add(x float64) {
	if step := x - r.last; step > 0 {
		r.last = x
		r.sum += step
		r.squares += step * step
	}
}

// excess is by how much a walk passes a bound on average.
func (r records) excess() float64 {
	if r.sum == 0 {
		return 0
	}
	return r.squares / (2 * r.sum)
}

// Excess is by how much the LLR would pass a lower and an upper bound on
// average, both positive.
func (o *Overshoot) Excess() (low, high float64) { return o.low.excess(), o.high.excess() }

// Bounds are those of the test, closer by the excess.
func (o *Overshoot) Bounds(t SPRT) (lower, upper float64) {
	lower, upper = t.Bounds()
	low, high := o.Excess()
	return lower + low, upper - high
}
