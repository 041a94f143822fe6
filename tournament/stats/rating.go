package stats

import (
	"fmt"
	"math"
	"slices"
)

// DefaultPrior is BayesElo's number of virtual draws per engine.
const DefaultPrior = 2

// A ScoreModel rates many engines at once. The first mover's expected score is
// 1/(1+exp(-d/Scale)), where d is the rating difference plus the value of the
// first move; a draw is half a win and half a loss. Ratings maximize the
// likelihood. With Ordo's scale this is Ordo's model.
type ScoreModel struct {
	Prior     float64 // virtual draws per engine, e.g. DefaultPrior; 0 means none
	Anchors   Anchors // without any, the mean is 0
	FirstMove bool    // estimate the value of the first move; otherwise it is 0
	Scale     float64 // 0 means EloScale
	Errors    ErrorMethod
	Resamples int    // of Bootstrap, at least 2
	Seed      uint64 // of Bootstrap
}

// Ratings are the ratings of engines, indexed by engine. All values and their
// errors are in rating points.
type Ratings struct {
	Elo       []float64
	FirstMove float64     // value of the first move
	Games     []int       // without virtual draws
	Points    []float64   // a draw is ½
	Cov       [][]float64 // covariance of Elo and, last, FirstMove; 0 for fixed values

	anchors      []int
	unknown      []bool // engines whose errors cannot be estimated; nil means none
	firstUnknown bool   // whether the error of FirstMove cannot be estimated
}

// Margin returns half the 95 % interval of an engine's rating, relative to the
// anchors or, without any, to the mean of all. It is NaN if it cannot be
// estimated.
func (r *Ratings) Margin(i int) float64 {
	if len(r.anchors) > 0 {
		return r.DifferenceMargin(i, r.anchors[0]) // anchors have covariance 0
	}
	return r.meanMargin(i)
}

// DifferenceMargin returns half the 95 % interval of the difference of two
// ratings. It is NaN if it cannot be estimated.
func (r *Ratings) DifferenceMargin(i, j int) float64 { return z95 * math.Sqrt(r.variance(i, j)) }

// meanMargin returns half the 95 % interval of the difference between an
// engine's rating and the mean of all.
func (r *Ratings) meanMargin(i int) float64 {
	if r.isUnknown(i) {
		return math.NaN()
	}
	n := float64(len(r.Elo))
	own, all := 0.0, 0.0
	for j := range r.Elo {
		own += r.Cov[i][j]
		for k := range r.Elo {
			all += r.Cov[j][k]
		}
	}
	return z95 * math.Sqrt(max(0, r.Cov[i][i]-2*own/n+all/(n*n)))
}

// FirstMoveMargin returns half the 95 % interval of FirstMove: 0 if FirstMove
// is fixed, NaN if it cannot be estimated.
func (r *Ratings) FirstMoveMargin() float64 {
	if r.firstUnknown {
		return math.NaN()
	}
	return z95 * math.Sqrt(r.Cov[len(r.Elo)][len(r.Elo)])
}

// LOS returns the likelihood that engine i is better than engine j. It is NaN
// if the variance of their difference is 0 or cannot be estimated.
func (r *Ratings) LOS(i, j int) float64 {
	v := r.variance(i, j)
	if v == 0 {
		return math.NaN()
	}
	return phi((r.Elo[i] - r.Elo[j]) / math.Sqrt(v))
}

// variance returns the variance of the difference of two ratings.
func (r *Ratings) variance(i, j int) float64 {
	if i != j && (r.isUnknown(i) || r.isUnknown(j)) {
		return math.NaN()
	}
	return max(0, r.Cov[i][i]+r.Cov[j][j]-2*r.Cov[i][j])
}

// isUnknown reports whether the error of an engine's rating cannot be
// estimated.
func (r *Ratings) isUnknown(i int) bool { return r.unknown != nil && r.unknown[i] }

// unvaried returns the engines whose items against each opponent all had the
// same outcome. Their variance is 0, which says nothing about errors: a single
// pair has none, and deterministic engines repeat one game. First reports
// whether the same holds for the value of the first move.
func unvaried(engines int, results []Pairing) (unknown []bool, first bool) {
	unknown, first = make([]bool, engines), true
	for i := range unknown {
		unknown[i] = true
	}
	for _, p := range merged(results) {
		pairs, _ := p.Pentanomial()
		lone := max(distinct(p.First[:]), distinct(p.Second[:]), distinct(p.Unknown[:])) > 1
		if lone || distinct(pairs) > 1 {
			unknown[p.I], unknown[p.J] = false, false
		}
		if lone || distinct(slices.Concat(p.Pairs[0][:], p.Pairs[1][:], p.Pairs[2][:])) > 1 {
			first = false
		}
	}
	return unknown, first
}

// Rate estimates the ratings of engines from their results. If the results do
// not determine them, the error is a [DisconnectedError] or [ErrFirstMove].
func (m ScoreModel) Rate(engines int, results []Pairing) (*Ratings, error) {
	if m.Scale == 0 {
		m.Scale = EloScale
	}
	if !(m.Scale > 0) || math.IsInf(m.Scale, 0) {
		return nil, fmt.Errorf("stats: scale must be positive, got %g", m.Scale)
	}
	f := &fitter{likelihood: scoreLikelihood{}, engines: engines, prior: m.Prior, firstMove: m.FirstMove}
	theta := make([]float64, engines+2)
	if err := f.fix(m.Anchors, m.Scale, theta); err != nil {
		return nil, err
	}
	if err := f.load(results); err != nil {
		return nil, err
	}
	if err := f.maximize(theta); err != nil {
		return nil, err
	}
	cov, err := m.covariance(f, theta, results)
	if err != nil {
		return nil, err
	}
	r := f.ratings(results, theta, cov, m.Scale)
	r.anchor(m.Anchors)
	if m.Errors != Hessian {
		r.unknown, r.firstUnknown = unvaried(engines, results)
	}
	return r, nil
}

// ratings converts log odds to points.
func (f *fitter) ratings(results []Pairing, theta []float64, cov matrix, scale float64) *Ratings {
	n := f.engines
	r := &Ratings{Elo: make([]float64, n), FirstMove: theta[n] * scale}
	for i := range r.Elo {
		r.Elo[i] = (f.base + theta[i]) * scale
	}
	cov.scale(scale * scale)
	for _, row := range cov[:n+1] {
		r.Cov = append(r.Cov, row[:n+1])
	}
	r.Games, r.Points = tally(n, results)
	return r
}

// scoreLikelihood is the likelihood of a ScoreModel: points have the
// probabilities E and 1-E. Subtracting games·E from the points would lose
// digits.
type scoreLikelihood struct{}

func (scoreLikelihood) value(d duel, x, _ float64) float64 {
	return -d.points()*softplus(-x) - d.lost()*softplus(x)
}

func (scoreLikelihood) slope(d duel, x, _ float64) slope {
	e, rest := logistic(x), logistic(-x)
	return slope{x: d.points()*rest - d.lost()*e, xx: d.games() * e * rest}
}
