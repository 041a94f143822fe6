package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Anchors are fixed ratings, by engine. All of them hold exactly, and errors
// are relative to them.
type Anchors map[int]float64

// engines returns the anchored engines in order: maps are unordered, and
// floating-point sums depend on the order.
func (a Anchors) engines() []int { return slices.Sorted(maps.Keys(a)) }

// fix sets the ratings of anchors, relative to the first, and the others to
// their mean, since Newton's method begins there; scale is the number of points
// per unit of log odds.
func (f *fitter) fix(anchors Anchors, scale float64, theta []float64) error {
	f.anchors = anchors.engines()
	for _, i := range f.anchors {
		if i < 0 || i >= f.engines {
			return fmt.Errorf("stats: anchor at engine %d: want 0 to %d", i, f.engines-1)
		}
		if math.IsNaN(anchors[i]) || math.IsInf(anchors[i], 0) {
			return fmt.Errorf("stats: anchor must be finite, got %g", anchors[i])
		}
	}
	if len(f.anchors) == 0 {
		return nil
	}
	first, mean := anchors[f.anchors[0]], 0.0
	for _, i := range f.anchors {
		theta[i] = (anchors[i] - first) / scale
		mean += theta[i] / float64(len(f.anchors))
	}
	for i := range f.engines {
		if _, fixed := anchors[i]; !fixed {
			theta[i] = mean
		}
	}
	f.base = first / scale
	return nil
}

// anchor makes ratings equal their anchors to the last digit.
func (r *Ratings) anchor(anchors Anchors) {
	r.anchors = anchors.engines()
	for _, i := range r.anchors {
		r.Elo[i] = anchors[i]
	}
}
