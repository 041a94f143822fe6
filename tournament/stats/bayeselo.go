package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// GomocupDrawElo is the fixed DrawElo of Gomocup's rating lists, which makes a
// draw equal to a win and a loss.
const GomocupDrawElo = 0.01

// BayesElo is Coulom's model, with the numbers of his program of that name:
//
//	P(win of the first mover)  = 1/(1+10^((DrawElo-FirstMove-d)/400))
//	P(loss of the first mover) = 1/(1+10^((DrawElo+FirstMove+d)/400))
//
// where d is the difference of the ratings. Gomocup rates with a Prior of
// DefaultPrior, a DrawElo of GomocupDrawElo and a FirstMove of 0, all fixed.
type BayesElo struct {
	Prior        float64 // virtual draws per engine
	Anchors      Anchors // without any, the mean is 0; they need a fixed DrawElo
	FirstMove    float64 // value of the first move, unless estimated
	DrawElo      float64 // positive, unless estimated
	FitFirstMove bool
	FitDrawElo   bool
}

// BayesRatings are ratings in the model of BayesElo. Errors follow BayesElo's
// covariance: games are independent, and FirstMove and DrawElo exact.
type BayesRatings struct {
	Ratings
	DrawElo float64
	Scale   float64 // BayesElo prints ratings and errors times this; anchors are as printed

	fixed Anchors
}

// Printed returns the ratings as BayesElo prints them.
func (r *BayesRatings) Printed() *Ratings {
	p := r.Ratings
	p.Elo, p.Cov = nil, nil
	for _, elo := range r.Elo {
		p.Elo = append(p.Elo, elo*r.Scale)
	}
	for _, row := range r.Cov {
		row = slices.Clone(row)
		for j := range row {
			row[j] *= r.Scale * r.Scale
		}
		p.Cov = append(p.Cov, row)
	}
	p.FirstMove *= r.Scale
	p.anchor(r.fixed)
	return &p
}

// Rate estimates the ratings of engines from their results. If the results do
// not determine them, the error is a [DisconnectedError] or [ErrFirstMove].
//
// The likelihood has a single maximum. Newton's method finds it to the last
// digit, where BayesElo's minorization-maximization stops early: a rating that
// it prints may be a point off.
func (m BayesElo) Rate(engines int, results []Pairing) (*BayesRatings, error) {
	if !m.FitDrawElo && !(m.DrawElo > 0) || math.IsInf(m.DrawElo, 0) {
		return nil, fmt.Errorf("stats: DrawElo must be positive, got %g", m.DrawElo)
	}
	if !m.FitFirstMove && (math.IsNaN(m.FirstMove) || math.IsInf(m.FirstMove, 0)) {
		return nil, fmt.Errorf("stats: value of the first move must be finite, got %g", m.FirstMove)
	}
	if m.FitDrawElo && len(m.Anchors) > 0 {
		return nil, errors.New("stats: anchors need a fixed DrawElo")
	}
	f := &fitter{likelihood: bayesLikelihood{}, engines: engines, prior: m.Prior, firstMove: m.FitFirstMove, draw: m.FitDrawElo}
	theta := make([]float64, engines+2)
	scale := bayesScale(m.DrawElo / EloScale)
	if err := f.fix(m.Anchors, EloScale*scale, theta); err != nil {
		return nil, err
	}
	if err := f.load(results); err != nil {
		return nil, err
	}
	if !m.FitFirstMove {
		theta[engines] = m.FirstMove / EloScale
	}
	switch drawn := func(d duel) bool { return d.results[1] > 0 }; {
	case !m.FitDrawElo:
		theta[engines+1] = m.DrawElo / EloScale
	case slices.ContainsFunc(f.duels, drawn):
		theta[engines+1] = 0.5
	default:
		f.draw = false // without draws, 0 is the likeliest
	}
	if err := f.maximize(theta); err != nil {
		return nil, err
	}
	f.firstMove, f.draw = false, false // taken as exact in BayesElo's covariance
	cov, err := f.covariance(theta)
	if err != nil {
		return nil, err
	}
	r := &BayesRatings{
		Ratings: *f.ratings(results, theta, cov, EloScale),
		DrawElo: theta[engines+1] * EloScale,
		Scale:   bayesScale(theta[engines+1]),
		fixed:   m.Anchors,
	}
	r.anchors = f.anchors
	return r, nil
}

// bayesScale returns BayesRatings.Scale for a DrawElo in log odds.
func bayesScale(draw float64) float64 {
	c := math.Cosh(draw / 2)
	return 1 / (c * c)
}

// bayesLikelihood is the likelihood of BayesElo. Its terms are written so that
// they lose no digits where draws are very rare or very likely.
type bayesLikelihood struct{}

func (bayesLikelihood) value(d duel, x, w float64) float64 {
	sum := -d.results[2]*softplus(w-x) - d.results[0]*softplus(w+x)
	if d.results[1] > 0 {
		sum += d.results[1] * logDraw(x, w)
	}
	return sum
}

// logDraw is the logarithm of 1-p-q = p·q·(e²ʷ-1), where p and q are the
// probabilities of a win and a loss. It is NaN if w < 0.
func logDraw(x, w float64) float64 {
	x = math.Abs(x) // logDraw is even in x
	switch {
	case x > w && w > 1:
		return math.Log(logistic(w-x) - logistic(-x-w))
	case w > 1:
		return math.Log1p(-logistic(x-w) - logistic(-x-w))
	}
	return math.Log(math.Expm1(2*w)) - softplus(w-x) - softplus(w+x)
}

func (bayesLikelihood) slope(d duel, x, w float64) slope {
	win, loss := logistic(x-w), logistic(-x-w)
	notWin, notLoss := logistic(w-x), logistic(w+x)
	s := slope{
		x: d.results[2]*notWin - d.results[0]*notLoss + d.results[1]*(loss-win),
		w: -d.results[2]*notWin - d.results[0]*notLoss + d.results[1]*(loss+win),
	}
	aboutWin, aboutLoss := d.notLost()*win*notWin, d.notWon()*loss*notLoss
	s.xx, s.xw, s.ww = aboutWin+aboutLoss, aboutLoss-aboutWin, aboutWin+aboutLoss
	if d.results[1] > 0 {
		sinh := math.Sinh(w)
		s.w += 2 * d.results[1] / math.Expm1(2*w)
		s.ww += d.results[1] / (sinh * sinh)
	}
	return s
}
