package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// A likelihood is the likelihood of a duel's results for an advantage x of the
// first mover and a draw advantage w, both in log odds. Its logarithm is
// concave.
type likelihood interface {
	value(d duel, x, w float64) float64 // the logarithm
	slope(d duel, x, w float64) slope
}

// A slope holds the derivatives of a logarithm, the second ones negated.
type slope struct{ x, w, xx, xw, ww float64 }

// A fitter maximizes the likelihood of results. Its vectors theta hold the
// ratings, the value of the first move and that of draws, all in log odds.
type fitter struct {
	likelihood likelihood
	engines    int
	prior      float64
	anchors    []int   // engines whose ratings are fixed
	base       float64 // rating of the first anchor: theta is relative to it
	firstMove  bool    // whether the value of the first move is a parameter
	draw       bool    // whether the value of draws is a parameter
	duels      []duel
}

// load takes results, unless their likelihood has no single finite maximum.
func (f *fitter) load(results []Pairing) (err error) {
	if f.engines < 2 {
		return fmt.Errorf("stats: engines to rate must be at least 2, got %d", f.engines)
	}
	if f.duels, err = duelsOf(f.engines, results, f.prior); err != nil {
		return err
	}
	if f.firstMove && !slices.ContainsFunc(results, Pairing.tellsOrder) {
		return ErrFirstMove // virtual draws do not count for this
	}
	return newGraph(f.engines, f.duels, f.anchors).check(f.firstMove)
}

// advantage returns the first mover's advantage.
func (f *fitter) advantage(d duel, theta []float64) float64 {
	x := theta[d.first] - theta[d.second]
	if d.known {
		x += theta[f.engines]
	}
	return x
}

// logistic returns the expected score at log odds x.
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// softplus returns ln(1+eˣ) without overflow.
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// errDiverged occurs only for extreme results, such as scores so one-sided that
// floating-point numbers cannot distinguish them from 0 or 1.
var errDiverged = errors.New("stats: the most likely ratings were not found: results are too one-sided")

// maxStep bounds a step of maximize in log odds: far from the maximum the
// likelihood is almost linear, and Newton's step goes too far.
const maxStep = 4

// maximize sets theta, whose fixed elements are given, to the maximum of the
// likelihood: Newton's method, halving steps until they gain.
func (f *fitter) maximize(theta []float64) error {
	best := f.logLikelihood(theta)
	next := make([]float64, len(theta))
	length := math.Inf(1)
	for range 200 {
		step, damped := f.step(theta)
		if step == nil {
			return errDiverged
		}
		length = max(slices.Max(step), -slices.Min(step))
		if length > maxStep {
			for i := range step {
				step[i] *= maxStep / length
			}
		}
		if damped {
			length = math.Inf(1)
		}
		gains := false
		for t := 1.0; t > 1e-9 && !gains; t /= 2 {
			for i := range next {
				next[i] = theta[i] + t*step[i]
			}
			// Allow a small loss through rounding errors.
			if l := f.logLikelihood(next); l >= best-1e-12*math.Abs(best) {
				best, gains = l, true
			}
		}
		if !gains {
			break
		}
		copy(theta, next)
		if length < 1e-10 {
			return nil
		}
	}
	if length < 1e-4 { // between distant anchors, rounding errors leave that much
		return nil
	}
	return errDiverged
}

// step returns Newton's step from theta. Where floating-point numbers do not
// show the curvature, it is damped as Levenberg does, so that it still leads
// uphill. It is nil if there is none.
func (f *fitter) step(theta []float64) (step []float64, damped bool) {
	for damping := 0.0; damping < 1e9; damping = max(1e-6, 10*damping) {
		step, information := f.derivatives(theta)
		for i, row := range information {
			row[i] += damping
		}
		if information.cholesky() {
			information.solve(step)
			return step, damping > 0
		}
	}
	return nil, false
}

func (f *fitter) logLikelihood(theta []float64) float64 {
	sum := 0.0
	for _, d := range f.duels {
		sum += f.likelihood.value(d, f.advantage(d, theta), theta[f.engines+1])
	}
	return sum
}

// derivatives returns the gradient of the log-likelihood, 0 at fixed elements,
// and its negative Hessian. Irrelevant directions are made definite: fixed
// elements are independent with variance 1, and if all ratings are free, their
// sum gets some information.
func (f *fitter) derivatives(theta []float64) (gradient []float64, information matrix) {
	first, draw := f.engines, f.engines+1
	gradient, information = make([]float64, len(theta)), newMatrix(len(theta))
	about := 0.0
	for _, d := range f.duels {
		s, known := f.likelihood.slope(d, f.advantage(d, theta), theta[draw]), 0.0
		if d.known {
			known = 1
		}
		gradient[d.first] += s.x
		gradient[d.second] -= s.x
		gradient[first] += s.x * known
		gradient[draw] += s.w
		information.addOuter(d.first, d.second, first, 1, known, s.xx)
		information.addCross(d.first, d.second, first, 1, known, draw, s.xw)
		information[draw][draw] += s.ww
		about += s.xx
	}
	if len(f.anchors) == 0 {
		for _, row := range information[:f.engines] {
			for j := range row[:f.engines] {
				row[j] += about / float64(f.engines*f.engines)
			}
		}
	}
	f.eachFixed(func(i int) {
		gradient[i] = 0
		information.clear(i)
		information[i][i] = 1
	})
	return gradient, information
}

// covariance returns the inverse of the information, 0 for fixed elements.
func (f *fitter) covariance(theta []float64) (matrix, error) {
	_, m := f.derivatives(theta)
	if !m.cholesky() {
		return nil, errDiverged
	}
	inverse := m.inverse()
	if len(f.anchors) == 0 {
		inverse.center(f.engines)
	}
	f.eachFixed(inverse.clear)
	return inverse, nil
}

// eachFixed calls do for all fixed places of theta.
func (f *fitter) eachFixed(do func(i int)) {
	for _, i := range f.anchors {
		do(i)
	}
	if !f.firstMove {
		do(f.engines)
	}
	if !f.draw {
		do(f.engines + 1)
	}
}
