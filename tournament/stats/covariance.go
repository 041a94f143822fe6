package stats

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// An ErrorMethod says how rating errors are estimated.
type ErrorMethod int

const (
	// Clustered takes pairs of games as the independent items, since games with
	// the same opening are dependent. It is the sandwich H⁻¹·(Σ g·gᵀ)·H⁻¹,
	// where g is the gradient of a pair; for two engines, the pentanomial
	// error. It needs many pairs.
	Clustered ErrorMethod = iota
	// Hessian takes each game as independent, as other tools do. If openings
	// decide games, it exaggerates the errors.
	Hessian
	// Bootstrap repeatedly resamples the pairs and lone games of each pairing
	// and rates the engines each time. It is slow and serves to check
	// Clustered.
	Bootstrap
)

// covariance returns the covariance of the estimate theta, 0 for fixed
// elements.
func (m ScoreModel) covariance(f *fitter, theta []float64, results []Pairing) (matrix, error) {
	switch m.Errors {
	case Hessian:
		return f.covariance(theta)
	case Clustered:
		inverse, err := f.covariance(theta)
		if err != nil {
			return nil, err
		}
		return inverse.times(f.scatter(theta, results)).times(inverse), nil
	case Bootstrap:
		return m.bootstrap(f, theta, results)
	}
	return nil, fmt.Errorf("stats: unknown error method %d, want Clustered, Hessian or Bootstrap", m.Errors)
}

// scatter returns Σ g·gᵀ over pairs and lone games, where g is the gradient of
// the log-likelihood of one: u at I, -u at J and v at the value of the first
// move.
func (f *fitter) scatter(theta []float64, results []Pairing) matrix {
	m := newMatrix(len(theta))
	for _, p := range results {
		x, a := theta[p.I]-theta[p.J], theta[f.engines]
		first, second, unknown := logistic(x+a), logistic(x-a), logistic(x)
		add := func(u, v float64, n int) { m.addOuter(p.I, p.J, f.engines, u, v, float64(n)) }
		for r := range 3 {
			score := float64(r) / 2
			add(score-first, score-first, p.First[r])
			add(score-second, second-score, p.Second[r])
			add(score-unknown, 0, p.Unknown[r])
			for s, n := range p.Pairs[r] {
				d := float64(s)/2 - second
				add(score-first+d, score-first-d, n)
			}
		}
	}
	return m
}

// bootstrap returns the covariance of ratings of resampled results. Resamples
// that determine no ratings, possible without a prior, are drawn again.
func (m ScoreModel) bootstrap(f *fitter, theta []float64, results []Pairing) (matrix, error) {
	if m.Resamples < 2 {
		return nil, fmt.Errorf("stats: resamples must be at least 2, got %d", m.Resamples)
	}
	results = merged(results)
	random := rand.New(rand.NewPCG(m.Seed, 0))
	again, sample := *f, make([]Pairing, len(results))
	cov := newMatrix(len(theta))
	estimates := make([][]float64, 0, m.Resamples)
	for tries := 0; len(estimates) < m.Resamples; tries++ {
		if tries == 2*m.Resamples {
			return nil, fmt.Errorf("stats: more than half of %d resamples determine no ratings: too few results for a bootstrap without a prior", tries)
		}
		for i, p := range results {
			sample[i] = p.resample(random)
		}
		estimate := slices.Clone(theta)
		if again.load(sample) == nil && again.maximize(estimate) == nil {
			estimates = append(estimates, estimate)
		}
	}
	for i := range theta {
		mean := 0.0
		for _, e := range estimates {
			mean += e[i] / float64(m.Resamples)
		}
		for _, e := range estimates {
			e[i] -= mean
		}
	}
	for _, e := range estimates {
		for i, x := range e {
			for j, y := range e {
				cov[i][j] += x * y / float64(m.Resamples-1)
			}
		}
	}
	f.eachFixed(cov.clear) // removes rounding errors
	return cov, nil
}

// resample draws as many pairs and lone games of each kind as there are, with
// replacement.
func (p Pairing) resample(random *rand.Rand) Pairing {
	var pairs, drawn [9]int
	for i := range pairs {
		pairs[i] = p.Pairs[i/3][i%3]
	}
	resample(drawn[:], pairs[:], random)
	q := Pairing{I: p.I, J: p.J}
	for i, n := range drawn {
		q.Pairs[i/3][i%3] = n
	}
	resample(q.First[:], p.First[:], random)
	resample(q.Second[:], p.Second[:], random)
	resample(q.Unknown[:], p.Unknown[:], random)
	return q
}

// resample adds as many items to drawn as counts has, with its frequencies.
func resample(drawn, counts []int, random *rand.Rand) {
	n := Counts(counts).N()
	for range n {
		k, i := random.IntN(n), 0
		for k >= counts[i] {
			k -= counts[i]
			i++
		}
		drawn[i]++
	}
}
