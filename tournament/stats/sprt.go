package stats

import (
	"fmt"
	"math"
)

// A Model is the unit of a test's bounds.
type Model int

const (
	Normalized Model = iota // normalized Elo: detectability; the default
	Logistic                // Elo with these openings
	Bayesian                // BayesElo of games, for comparison with older tests
)

// String names the unit of the differences.
func (m Model) String() string { return [...]string{"nElo", "Elo", "BayesElo"}[m] }

// An SPRT is a sequential test of H0, that the difference is Elo0, against H1,
// that it is Elo1. Alpha and Beta are the error probabilities: of accepting H1
// although H0 holds, and H0 although H1 holds.
type SPRT struct {
	Model       Model
	Elo0, Elo1  float64
	Alpha, Beta float64
}

// MaxElo bounds the differences of a test: beyond it floating-point numbers
// cannot distinguish expected scores from 0 and 1.
const MaxElo = 5000

// Check reports invalid parameters.
func (t SPRT) Check() error {
	ok := func(p float64) bool { return p > 0 && p < 0.5 }
	switch {
	case !ok(t.Alpha):
		return fmt.Errorf("alpha must be between 0 and 0.5, got %v", t.Alpha)
	case !ok(t.Beta):
		return fmt.Errorf("beta must be between 0 and 0.5, got %v", t.Beta)
	case !(math.Abs(t.Elo0) <= MaxElo) || !(math.Abs(t.Elo1) <= MaxElo):
		return fmt.Errorf("elo0 and elo1 must be between -%d and %d, got %v and %v", MaxElo, MaxElo, t.Elo0, t.Elo1)
	case !(t.Elo0 < t.Elo1):
		return fmt.Errorf("elo0 must be below elo1, got %v and %v", t.Elo0, t.Elo1)
	}
	return nil
}

// Bounds returns Wald's bounds: at or below lower H0 is accepted, at or above
// upper H1.
func (t SPRT) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// A Verdict is the state of a test.
type Verdict int

const (
	Undecided Verdict = iota
	H0
	H1
)

func (v Verdict) String() string { return [...]string{"undecided", "H0", "H1"}[v] }

// MinPairs is the minimum number of pairs, or half that of games, to decide a
// test: with fewer, the LLR depends on chance and on what replaces counts of 0.
const MinPairs = 16

// Verdict returns the verdict on counts of pairs or games.
func (t SPRT) Verdict(c Counts) Verdict {
	return t.verdict(float64(c.N())*c.gamesPerItem()/2, t.LLR(c))
}

// verdict compares the LLR of some pairs with the bounds.
func (t SPRT) verdict(pairs, llr float64) Verdict {
	lower, upper := t.Bounds()
	switch {
	case pairs < MinPairs:
		return Undecided
	case llr <= lower:
		return H0
	case llr >= upper:
		return H1
	}
	return Undecided
}

// String names the test by its hypotheses, as fastchess does.
func (t SPRT) String() string { return fmt.Sprintf("[%.2f, %.2f] %v", t.Elo0, t.Elo1, t.Model) }

// Describe formats an LLR with the bounds, as fastchess does.
func (t SPRT) Describe(llr float64) string {
	lower, upper := t.Bounds()
	return fmt.Sprintf("LLR: %.2f (%.1f%%) (%.2f, %.2f) %v", llr, 100*t.Progress(llr), lower, upper, t)
}

// Progress returns how far an LLR is on the way to its bound; 1 means reached.
func (t SPRT) Progress(llr float64) float64 {
	lower, upper := t.Bounds()
	if llr < 0 {
		return llr / lower
	}
	return llr / upper
}

// LLR returns the generalized log-likelihood ratio N·Σ p̂·ln(p1/p0), where p0
// and p1 are the most likely distributions under each hypothesis. An outcome
// that did not occur counts 0.001, as in fishtest and fastchess, so that a
// sweep decides too: under [0, 10] nElo at pair 74. See Van den Bergh, A
// practical introduction to the GSPRT, and Comments on normalized Elo. The
// Bayesian model takes counts of games; see [BayesEloLLR].
func (t SPRT) LLR(c Counts) float64 {
	if t.Model == Bayesian {
		return BayesEloLLR(c[2], c[0], c[1], t.Elo0, t.Elo1, false)
	}
	p := make([]float64, len(c))
	n := 0.0
	for i, k := range c {
		p[i] = max(float64(k), 1e-3)
		n += p[i]
	}
	for i := range p {
		p[i] /= n
	}
	p0, p1 := t.likeliest(c, p, t.Elo0), t.likeliest(c, p, t.Elo1)
	sum := 0.0
	for i := range p {
		sum += p[i] * math.Log(p1[i]/p0[i])
	}
	return n * sum
}

// likeliest returns, of the distributions whose difference is elo, the one that
// makes frequencies p most likely.
func (t SPRT) likeliest(c Counts, p []float64, elo float64) []float64 {
	f := make([]float64, len(p))
	if t.Model == Logistic {
		for i := range f {
			f[i] = c.score(i) - ScoreOf(elo)
		}
		return constrained(p, f)
	}
	// The iteration does not converge from far away, so large differences are
	// approached in steps.
	q := make([]float64, len(p))
	for i := range q {
		q[i] = 1 / float64(len(q))
	}
	d := elo / nEloUnit * math.Sqrt(c.gamesPerItem())
	steps := math.Ceil(max(1, math.Abs(d)/0.1))
	for step := 1.0; step <= steps; step++ {
		q = c.likeliestNear(p, q, d*step/steps)
	}
	return q
}

// likeliestNear returns the distribution with (mean-½)/σ = d that makes
// frequencies p most likely. It repeatedly linearizes the constraint around q.
func (c Counts) likeliestNear(p, q []float64, d float64) []float64 {
	f := make([]float64, len(p))
	for range 50 {
		mean, variance := 0.0, 0.0
		for i := range q {
			mean += q[i] * c.score(i)
		}
		for i := range q {
			variance += q[i] * (c.score(i) - mean) * (c.score(i) - mean)
		}
		variance = max(variance, 1e-18) // almost all items have one outcome
		for i := range f {
			x := c.score(i) - mean
			f[i] = c.score(i) - 0.5 - d*math.Sqrt(variance)*(1+x*x/variance)/2
		}
		next, change := constrained(p, f), 0.0
		for i := range q {
			change = max(change, math.Abs(next[i]-q[i]))
		}
		if q = next; change < 1e-9 {
			break
		}
	}
	return q
}

// constrained returns p/(1+θf), the most likely distribution with Σ p·f = 0. θ
// is found by bisection: Σ p·f/(1+θf) falls as θ grows.
func constrained(p, f []float64) []float64 {
	least, most := f[0], f[0]
	for _, x := range f {
		least, most = min(least, x), max(most, x)
	}
	lo, hi := -1/most*(1-1e-12), -1/least*(1-1e-12)
	theta := 0.0
	for range 200 {
		theta = (lo + hi) / 2
		sum := 0.0
		for i := range p {
			sum += p[i] * f[i] / (1 + theta*f[i])
		}
		if sum > 0 {
			lo = theta
		} else {
			hi = theta
		}
	}
	q := make([]float64, len(p))
	for i := range q {
		q[i] = p[i] / (1 + theta*f[i])
	}
	return q
}

// BayesEloLLR returns the log-likelihood ratio in the model of BayesElo, for
// comparison with older tests. Half a game is added to each outcome. The bounds
// are in BayesElo, as in fastchess, or, if scaled, in Elo, as in cutechess's
// sprt.cpp.
func BayesEloLLR(wins, losses, draws int, elo0, elo1 float64, scaled bool) float64 {
	w, l, d := float64(wins)+0.5, float64(losses)+0.5, float64(draws)+0.5
	draw, c := drawEloOf(w, l, d)/EloScale, 1.0
	if scaled {
		c = bayesScale(draw)
	}
	log := func(elo float64) float64 { // the log-likelihood
		x := elo / c / EloScale
		return -w*softplus(draw-x) - l*softplus(draw+x) + d*logDraw(x, draw)
	}
	return log(elo1) - log(elo0)
}

// drawEloOf returns the DrawElo of the frequencies of wins, losses and draws.
func drawEloOf(w, l, d float64) float64 { return 200 * math.Log10((w+d)/l*(l+d)/w) }
