package stats

import "math"

// Plan predicts a test if the true difference is elo: the probability of
// accepting H1 and the mean number of pairs. The variance is that of a pair's
// mean score; the normalized model needs none. It uses Wald's approximation by
// Brownian motion.
func (t SPRT) Plan(elo, variance float64) (pass, pairs float64) {
	s, s0, s1 := elo, t.Elo0, t.Elo1
	if t.Model == Logistic {
		s, s0, s1 = ScoreOf(s), ScoreOf(s0), ScoreOf(s1)
	} else {
		unit := math.Sqrt2 / nEloUnit
		s, s0, s1, variance = s*unit, s0*unit, s1*unit, 1
	}
	a, b := t.Bounds()
	drift := (s1 - s0) * (s - (s0+s1)/2) / variance
	spread := (s1 - s0) * (s1 - s0) / variance
	h := 2 * drift / spread
	if math.Abs(h) < 1e-9 {
		return -a / (b - a), -a * b / spread
	}
	pass = -math.Expm1(-h*a) / (math.Exp(-h*b) - math.Exp(-h*a))
	return pass, (pass*b + (1-pass)*a) / drift
}
