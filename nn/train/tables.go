package train

import "math"

// tablesLoss returns the cross entropy of the priors, times a scale.
func (s *set) tablesLoss(scale float64) float64 {
	var sum float64
	for i := range s.positions {
		p := &s.positions[i]
		q := 1 / (1 + math.Exp(-float64(p.prior)*scale))
		t := float64(p.target)
		sum -= t*math.Log(max(q, 1e-12)) + (1-t)*math.Log(max(1-q, 1e-12))
	}
	return sum / float64(len(s.positions))
}

// entropy returns the mean entropy of the targets, which no prediction falls below.
func (s *set) entropy() float64 {
	var sum float64
	for i := range s.positions {
		for _, t := range []float64{float64(s.positions[i].target), 1 - float64(s.positions[i].target)} {
			if t > 0 {
				sum -= t * math.Log(t)
			}
		}
	}
	return sum / float64(len(s.positions))
}

// tables returns the scale of the priors with the least cross entropy, and that.
func (s *set) tables() (scale, loss float64) {
	lo, hi := 0.1, 10.0
	for range 40 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if s.tablesLoss(a) < s.tablesLoss(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return (lo + hi) / 2, s.tablesLoss((lo + hi) / 2)
}
