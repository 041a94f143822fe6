package tune

import (
	"fmt"
	"io"
	"math"
)

// spsaSettings are the settings of SPSA; see [newSPSA].
type spsaSettings struct {
	Pairs int     `json:"pairs"` // pairs of games in all
	Batch int     `json:"batch"` // pairs between two changes of the values
	R     float64 `json:"r"`     // learning rate at the end
	Alpha float64 `json:"alpha"`
	Gamma float64 `json:"gamma"`
	A     float64 `json:"a"` // share of the pairs by which the learning rate is delayed
}

// maxBatch bounds the pairs of a batch.
const maxBatch = 1000

// check reports invalid settings.
func (s *spsaSettings) check() error {
	in := func(x, least, most float64) bool { return x >= least && x <= most }
	switch {
	case s.Pairs < 1 || s.Pairs > maxPairs:
		return fmt.Errorf("games must be 1 to %d, got %d", 2*maxPairs, 2*s.Pairs)
	case s.Batch < 1 || s.Batch > maxBatch:
		return fmt.Errorf("batch must be 1 to %d, got %d", maxBatch, s.Batch)
	case !(s.R > 0 && s.R <= 1):
		return fmt.Errorf("r must be above 0 and at most 1, got %v", s.R)
	case !in(s.Alpha, 0, 2):
		return fmt.Errorf("alpha must be 0 to 2, got %v", s.Alpha)
	case !in(s.Gamma, 0, 2):
		return fmt.Errorf("gamma must be 0 to 2, got %v", s.Gamma)
	case !in(s.A, 0, 1):
		return fmt.Errorf("--A must be 0 to 1, got %v", s.A)
	}
	return nil
}

// spsa is simultaneous perturbation stochastic approximation: every pair of
// games sets θ+cΔ against θ-cΔ, where Δ has a random sign for every parameter,
// and moves θ towards the winner. See Spall, Implementation of the simultaneous
// perturbation algorithm, 1998. The schedule is that of fishtest: for pair k
// of N
//
//	c = step (N/k)^γ,  a = r step² ((A+N)/(A+k))^α,  θ += a/c Δ (wins - losses)
//
// so that step and r hold at the end. The pairs of a batch have signs of their
// own and the θ and k of its first.
type spsa struct {
	spsaSettings
	seed   uint64
	params []param

	pairs int       // pairs scored
	theta []float64 // within the bounds of each parameter
	batch []perturbation

	sums   []float64 // sums of θ after every pair of the second half
	summed int
	tally  tally
}

// A perturbation is Δ.
type perturbation []float64

func newSPSA(seed uint64, params []param, s spsaSettings) *spsa {
	m := &spsa{spsaSettings: s, seed: seed, params: params, sums: make([]float64, len(params))}
	for _, p := range params {
		m.theta = append(m.theta, float64(p.Default))
	}
	return m
}

// gains returns a and c for a step of 1.
func (m *spsa) gains() (a, c float64) {
	n, k := float64(m.Pairs), float64(m.pairs+1)
	return m.R * math.Pow((m.A*n+n)/(m.A*n+k), m.Alpha), math.Pow(n/k, m.Gamma)
}

// next implements [method].
func (m *spsa) next(int) []pairing {
	_, c := m.gains()
	m.batch = nil
	var pairs []pairing
	for n := m.pairs; n < min(m.pairs+m.Batch, m.Pairs); n++ {
		d, pair := m.perturb(n, c)
		m.batch = append(m.batch, d)
		pairs = append(pairs, pair)
	}
	return pairs
}

// perturb makes the n-th pair. Values are rounded at random, so that their mean
// is unbiased, and with the same random number for both players, which
// minimizes the variance of their difference.
func (m *spsa) perturb(n int, c float64) (perturbation, pairing) {
	rng := newRand(m.seed, spsaStream, uint64(n))
	d := make(perturbation, len(m.params))
	pair := pairing{uint64(n), make([]int, len(d)), make([]int, len(d))}
	for i, p := range m.params {
		d[i] = 1 - 2*float64(rng.Uint64()>>63)
		u := rng.Float64()
		for sign, values := range map[float64][]int{1: pair.a, -1: pair.b} {
			x := clip(m.theta[i]+float64(sign*c*p.Step*d[i]), float64(p.Min), float64(p.Max))
			values[i] = min(p.Max, int(math.Floor(x+u)))
		}
	}
	return d, pair
}

// take implements [method].
func (m *spsa) take(scores []int) {
	a, c := m.gains()
	for k, s := range scores {
		m.tally.add(s)
		for i, p := range m.params {
			// a step²/(c step) of the formula above; the conversion keeps it
			// from being fused, which would not be the same on all machines
			m.theta[i] += float64(a / c * p.Step * m.batch[k][i] * float64(s-2))
		}
	}
	for i, p := range m.params {
		m.theta[i] = clip(m.theta[i], float64(p.Min), float64(p.Max))
	}
	m.pairs += len(scores)
	if late := min(len(scores), m.pairs-m.Pairs/2); late > 0 {
		for i, x := range m.theta {
			m.sums[i] += x * float64(late)
		}
		m.summed += late
	}
}

// state implements [method].
func (m *spsa) state() any { return map[string]any{"theta": m.theta} }

// decided implements [method].
func (m *spsa) decided() bool { return false }

// extend lets a run that has had all its pairs continue to more, with the gains
// that a run of this length has from here on. The averages start over: they
// cover the part of the longer run's second half still to come.
func (m *spsa) extend(pairs int) error {
	if m.pairs < m.Pairs || pairs <= m.Pairs || pairs > maxPairs {
		return fmt.Errorf("a run of %d pairs, with %d played, cannot be extended to %d", m.Pairs, m.pairs, pairs)
	}
	m.Pairs = pairs
	clear(m.sums)
	m.summed = 0
	return nil
}

// done implements [method].
func (m *spsa) done() int { return m.pairs }

// result implements [method].
func (m *spsa) result() []int { return rounded(m.params, m.theta) }

// average returns the mean of θ over the second half of the run, which varies
// less than its end; before that half, θ itself. See also [spsa.extend].
func (m *spsa) average() []float64 {
	if m.summed == 0 {
		return m.theta
	}
	mean := make([]float64, len(m.sums))
	for i, s := range m.sums {
		mean[i] = s / float64(m.summed)
	}
	return mean
}

func rounded(params []param, x []float64) []int {
	values := make([]int, len(x))
	for i, p := range params {
		values[i] = clip(int(math.Round(x[i])), p.Min, p.Max)
	}
	return values
}

// writeLine implements [method].
func (m *spsa) writeLine(w io.Writer) {
	most, steps := 0, 0.0
	for i, p := range m.params {
		if s := (m.theta[i] - float64(p.Default)) / p.Step; math.Abs(s) > math.Abs(steps) {
			most, steps = i, s
		}
	}
	fmt.Fprintf(w, "%v; %s %.1f (%+.2f steps)", &m.tally, m.params[most].Name, m.theta[most], steps)
}

// writeResult implements [method].
func (m *spsa) writeResult(w io.Writer) error {
	average := m.average()
	return writeValues(w, m.params, m.result(), fmt.Sprintf("%10s%10s", "exact", "average"), func(i int) string {
		return fmt.Sprintf("%10.2f%10.2f", m.theta[i], average[i])
	})
}
