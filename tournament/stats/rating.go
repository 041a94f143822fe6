package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// DefaultPrior is BayesElo's number of virtual draws for each engine.
const DefaultPrior = 2

// OrdoScale is Ordo's [EloScale]: 202/ln(.76/.24), so that 202 points are 76 %.
const OrdoScale = 175.2438542182446

// A ScoreModel rates many engines at once. The first mover's expected score is
// 1/(1+exp(-d/Scale)), where d is the difference of the ratings plus what the
// first move is worth; a draw is half a win and half a loss. Ratings maximize
// the likelihood. Ordo's model is this one with its scale.
type ScoreModel struct {
	Prior     float64         // virtual draws for each engine, e.g. DefaultPrior; 0 is none
	Anchors   map[int]float64 // ratings that are fixed; without any the mean is 0
	FirstMove bool            // estimate what the first move is worth; otherwise nothing
	Scale     float64         // 0 stands for EloScale
	Errors    ErrorMethod
	Resamples int    // of Bootstrap, at least 2
	Seed      uint64 // of Bootstrap
}

// Ratings are those of engines that played each other, each in the place of
// its number. All values and their errors are in points of rating.
type Ratings struct {
	Elo       []float64
	FirstMove float64     // what the first move is worth
	Games     []int       // without virtual draws
	Points    []float64   // a draw is ½
	Cov       [][]float64 // covariance of Elo and, in the last place, FirstMove; 0 for what is fixed
}

// Margin is half the 95 % interval of the difference of two engines' ratings,
// such as one of them an anchor.
func (r *Ratings) Margin(i, j int) float64 { return z95 * math.Sqrt(r.variance(i, j)) }

// MeanMargin is half the 95 % interval of the difference between an engine's
// rating and the mean of all.
func (r *Ratings) MeanMargin(i int) float64 {
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

// FirstMoveMargin is half the 95 % interval of FirstMove, and 0 if that is
// fixed.
func (r *Ratings) FirstMoveMargin() float64 {
	return z95 * math.Sqrt(r.Cov[len(r.Elo)][len(r.Elo)])
}

// LOS is the likelihood that engine i is better than engine j. It is NaN if
// the variance of their difference is 0.
func (r *Ratings) LOS(i, j int) float64 {
	v := r.variance(i, j)
	if v == 0 {
		return math.NaN()
	}
	return phi((r.Elo[i] - r.Elo[j]) / math.Sqrt(v))
}

// variance is that of the difference of two engines' ratings.
func (r *Ratings) variance(i, j int) float64 {
	return max(0, r.Cov[i][i]+r.Cov[j][j]-2*r.Cov[i][j])
}

// Rate estimates the ratings of engines from their results. If these do not
// determine them the error is a [DisconnectedError] or [ErrFirstMove].
func (m ScoreModel) Rate(engines int, results []Pairing) (*Ratings, error) {
	if m.Scale == 0 {
		m.Scale = EloScale
	}
	if !(m.Scale > 0) || math.IsInf(m.Scale, 0) {
		return nil, fmt.Errorf("stats: a scale of %g points: want a positive number", m.Scale)
	}
	f := &fitter{likelihood: scoreLikelihood{}, engines: engines, prior: m.Prior, firstMove: m.FirstMove}
	theta := make([]float64, engines+2)
	for _, i := range slices.Sorted(maps.Keys(m.Anchors)) {
		elo := m.Anchors[i]
		if i < 0 || i >= engines {
			return nil, fmt.Errorf("stats: an anchor at engine %d: want 0 to %d", i, engines-1)
		}
		if math.IsNaN(elo) || math.IsInf(elo, 0) {
			return nil, fmt.Errorf("stats: an anchor at %g points: want a finite number", elo)
		}
		f.anchors = append(f.anchors, i)
		theta[i] = elo / m.Scale
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
	r := newRatings(engines, results, theta, cov, m.Scale)
	for i, elo := range m.Anchors {
		r.Elo[i] = elo // to the last digit
	}
	return r, nil
}

// newRatings turns log odds into points.
func newRatings(engines int, results []Pairing, theta []float64, cov matrix, scale float64) *Ratings {
	r := &Ratings{Elo: make([]float64, engines), FirstMove: theta[engines] * scale}
	for i := range r.Elo {
		r.Elo[i] = theta[i] * scale
	}
	cov.scale(scale * scale)
	for _, row := range cov[:engines+1] {
		r.Cov = append(r.Cov, row[:engines+1])
	}
	r.Games, r.Points = tally(engines, results)
	return r
}

// scoreLikelihood is the likelihood of a ScoreModel: points have the chances E
// and 1-E. To take games·E from the points would lose digits.
type scoreLikelihood struct{}

func (scoreLikelihood) value(d duel, x, _ float64) float64 {
	return -d.points()*softplus(-x) - d.lost()*softplus(x)
}

func (scoreLikelihood) slope(d duel, x, _ float64) slope {
	e, rest := logistic(x), logistic(-x)
	return slope{x: d.points()*rest - d.lost()*e, xx: d.games() * e * rest}
}
