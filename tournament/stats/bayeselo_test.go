package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBayesElo has what BayesElo computes and prints of the first vector set.
// Its percentages of LOS are truncated.
func TestBayesElo(t *testing.T) {
	for _, tt := range []struct {
		name    string
		m       BayesElo
		want    [3]float64
		first   float64
		draw    float64
		printed [3]float64
	}{
		{"Gomocup", BayesElo{Prior: DefaultPrior, DrawElo: GomocupDrawElo},
			[3]float64{65.68, 5.43, -71.11}, 0, .01, [3]float64{66, 5, -71}},
		{"mm 1 1", BayesElo{Prior: DefaultPrior, FitFirstMove: true, FitDrawElo: true},
			[3]float64{92.44, 6.63, -99.08}, 81.11, 100.214, [3]float64{85, 6, -91}},
		{"mm 1 1, no prior", BayesElo{FitFirstMove: true, FitDrawElo: true},
			[3]float64{96.70, 6.92, -103.62}, 85.35, 84.885, [3]float64{91, 7, -98}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := bayes(t, tt.m, 3, games())
			for i, want := range tt.want {
				near(t, "Elo", r.Elo[i], want, .01)
				near(t, "printed", r.Scale*r.Elo[i], tt.printed[i], 1)
			}
			near(t, "FirstMove", r.FirstMove, tt.first, .01)
			near(t, "DrawElo", r.DrawElo, tt.draw, .001)
		})
	}
	r := bayes(t, BayesElo{Prior: DefaultPrior, DrawElo: GomocupDrawElo}, 3, games())
	near(t, "LOS", r.LOS(0, 1), .857, .001)
	for i, margin := range []float64{65.8, 63.6, 66.8} {
		near(t, "MeanMargin", r.meanMargin(i), margin, .1)
	}
	r = bayes(t, BayesElo{Prior: DefaultPrior, FitFirstMove: true, FitDrawElo: true}, 3, games())
	near(t, "Scale", r.Scale, .921, .001)
	near(t, "LOS", r.LOS(0, 1), .926, .001)
	near(t, "LOS", r.LOS(0, 2), .999, .001)
	near(t, "LOS", r.LOS(1, 2), .960, .001)
}

// likelihoodOf is the log-likelihood of games, of the prior's too, by the
// formulas of BayesElo's documentation.
func likelihoodOf(t *testing.T, m BayesElo, engines int, results []Pairing, elo []float64, first, draw float64) float64 {
	duels, err := duelsOf(engines, results, m.Prior)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, d := range duels {
		x := elo[d.first] - elo[d.second]
		if d.known {
			x += first
		}
		win, loss := 1/(1+math.Pow(10, (draw-x)/400)), 1/(1+math.Pow(10, (draw+x)/400))
		sum += d.results[0]*math.Log(loss) + d.results[1]*math.Log(1-win-loss) + d.results[2]*math.Log(win)
	}
	return sum
}

// TestBayesEloSlowly compares with BayesElo's algorithm. Then it changes each
// parameter: nothing may be likelier. The curvature must be the inverse of the
// covariance.
func TestBayesEloSlowly(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 0))
	for _, m := range []BayesElo{
		{Prior: 2, DrawElo: 30},
		{Prior: 2, FirstMove: 50, DrawElo: 100},
		{Prior: 0, FitFirstMove: true, DrawElo: 70},
		{Prior: 2, FirstMove: -20, FitDrawElo: true},
		{Prior: 1, FitFirstMove: true, FitDrawElo: true},
		{FitFirstMove: true, FitDrawElo: true},
	} {
		results := randomResults(random, 4, 25)
		r := bayes(t, m, 4, results)
		elo, first, draw := rateByMM(t, m, 4, results, 1e-12)
		for i := range elo {
			near(t, "Elo", r.Elo[i], elo[i], 1e-5)
		}
		near(t, "FirstMove", r.FirstMove, first, 1e-5)
		near(t, "DrawElo", r.DrawElo, draw, 1e-5)

		theta := append(slices.Clone(r.Elo), r.FirstMove, r.DrawElo)
		likelihood := func(x []float64) float64 {
			return likelihoodOf(t, m, 4, results, x[:4], x[4], x[5])
		}
		moved := func(i int, by float64) []float64 {
			x := slices.Clone(theta)
			x[i] += by
			return x
		}
		for i := range theta {
			if i == 4 && !m.FitFirstMove || i == 5 && !m.FitDrawElo {
				continue
			}
			for _, by := range []float64{-.5, -.01, .01, .5} {
				if likelihood(moved(i, by)) > likelihood(theta)+1e-10 {
					t.Errorf("%+v: parameter %d is better by %g at %g than at %g", m, i, likelihood(moved(i, by))-likelihood(theta), theta[i]+by, theta[i])
				}
			}
		}
		h, v := newMatrix(4), newMatrix(4)
		for i := range h {
			copy(v[i], r.Cov[i][:4])
			for j := range h {
				at := func(a, b float64) float64 {
					x := moved(i, a)
					x[j] += b
					return likelihood(x)
				}
				h[i][j] = -(at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / 4
			}
		}
		product := h.times(v).times(h)
		for i := range h {
			for j := range h {
				near(t, "H·V·H", product[i][j]/h[i][i], h[i][j]/h[i][i], 1e-3)
			}
		}
	}
}

// TestBayesEloOfTwo searches a grid of both free parameters.
func TestBayesEloOfTwo(t *testing.T) {
	two := []Pairing{{I: 0, J: 1, First: [3]int{5, 7, 13}, Second: [3]int{6, 4, 9}}}
	m := BayesElo{Prior: 2, FirstMove: 25, FitDrawElo: true}
	r := bayes(t, m, 2, two)
	best, difference, draw := math.Inf(-1), 0.0, 0.0
	for d := -200.; d <= 200; d++ {
		for w := 1.; w <= 200; w++ {
			if l := likelihoodOf(t, m, 2, two, []float64{d / 2, -d / 2}, 25, w); l > best {
				best, difference, draw = l, d, w
			}
		}
	}
	near(t, "difference", r.Elo[0]-r.Elo[1], difference, 2)
	near(t, "DrawElo", r.DrawElo, draw, 2)
}

// TestGomocupDraws checks that a draw is a win and a loss at Gomocup's DrawElo.
func TestGomocupDraws(t *testing.T) {
	m := BayesElo{Prior: DefaultPrior, DrawElo: GomocupDrawElo}
	drawn := bayes(t, m, 3, games())
	results := games()
	for k := range results {
		for _, r := range []*[3]int{&results[k].First, &results[k].Second} {
			*r = [3]int{2 * (r[0] + r[1]), 0, 2 * (r[2] + r[1])}
		}
	}
	m.Prior *= 2
	decided := bayes(t, m, 3, results)
	for i := range 3 {
		near(t, "Elo", decided.Elo[i], drawn.Elo[i], 1)
	}
}

// TestNoDraws has a DrawElo of 0, the least.
func TestNoDraws(t *testing.T) {
	results := []Pairing{{I: 0, J: 1, First: [3]int{2, 0, 6}, Second: [3]int{5, 0, 3}}}
	r := bayes(t, BayesElo{FitDrawElo: true}, 2, results)
	if r.DrawElo != 0 || r.Scale != 1 {
		t.Errorf("DrawElo %g, Scale %g", r.DrawElo, r.Scale)
	}
	near(t, "difference", r.Elo[0]-r.Elo[1], EloOf(9./16), 1e-6)
}

// TestManyDraws has as many draws as DrawElo grows with.
func TestManyDraws(t *testing.T) {
	for _, n := range []int{1, 1000, 1_000_000, 1_000_000_000} {
		r := bayes(t, BayesElo{FitDrawElo: true, FitFirstMove: true}, 2, []Pairing{{I: 0, J: 1, First: [3]int{2, n, 4}, Second: [3]int{3, n, 3}}})
		near(t, "wins", ScoreOf(-r.DrawElo)/(3/float64(n+6)), 1, .1)
	}
}

func TestBayesEloErrors(t *testing.T) {
	wins := [3]int{0, 0, 3}
	for _, tt := range []struct {
		name    string
		m       BayesElo
		engines int
		results []Pairing
	}{
		{"one engine", BayesElo{DrawElo: 1}, 1, nil},
		{"DrawElo 0", BayesElo{}, 3, games()},
		{"DrawElo NaN", BayesElo{DrawElo: math.NaN()}, 3, games()},
		{"DrawElo infinite", BayesElo{DrawElo: math.Inf(1)}, 3, games()},
		{"FirstMove NaN", BayesElo{DrawElo: 1, FirstMove: math.NaN()}, 3, games()},
		{"prior", BayesElo{DrawElo: 1, Prior: -1}, 3, games()},
		{"disconnected", BayesElo{DrawElo: 1, Prior: 2}, 4, games()},
		{"never lost", BayesElo{DrawElo: 1}, 2, []Pairing{{I: 0, J: 1, First: wins}}},
		{"first move", BayesElo{DrawElo: 1, FitFirstMove: true}, 2, []Pairing{{I: 0, J: 1, First: [3]int{1, 2, 3}}}},
		{"only draws", BayesElo{FitDrawElo: true}, 2, []Pairing{{I: 0, J: 1, First: [3]int{1: 5}}}},
		// The likelihood has no maximum: DrawElo and the difference of 0 and 1 grow.
		{"a win and draws", BayesElo{FitDrawElo: true}, 3, []Pairing{{I: 0, J: 1, First: [3]int{1, 0, 0}, Second: [3]int{1: 1}},
			{I: 0, J: 2, First: [3]int{1: 9}}, {I: 1, J: 2, First: [3]int{1: 9}}}},
	} {
		if r, err := tt.m.Rate(tt.engines, tt.results); err == nil {
			t.Errorf("%s: %+v", tt.name, r)
		}
	}
}

// An mm is the slow twin of BayesElo.Rate: its own algorithm, Hunter's
// minorization-maximization. Parameters are exponentials of log odds.
type mm struct {
	duels       []duel
	gamma       []float64 // of the engines
	first, draw float64
}

// denominators returns what the first move is worth in a duel of i and j, and
// the denominators of its chances: first not to lose has a part of
// a·γi/(a·γi+draw·γj), second not to lose one of γj/(draw·a·γi+γj), and a draw
// has both.
func (s *mm) denominators(d duel) (a, notLost, notWon float64) {
	a = 1
	if d.known {
		a = s.first
	}
	i, j := a*s.gamma[d.first], s.gamma[d.second]
	return a, i + s.draw*j, s.draw*i + j
}

func (s *mm) updateGammas() (change float64) {
	for i := len(s.gamma) - 1; i >= 0; i-- {
		points, sum := 0.0, 0.0
		for _, d := range s.duels {
			a, notLost, notWon := s.denominators(d)
			switch i {
			case d.first:
				points += d.notLost()
				sum += d.notLost()*a/notLost + d.notWon()*a*s.draw/notWon
			case d.second:
				points += d.notWon()
				sum += d.notLost()*s.draw/notLost + d.notWon()/notWon
			}
		}
		change = max(change, replace(&s.gamma[i], points/sum))
	}
	return change
}

func (s *mm) updateFirst() (change float64) {
	points, sum := 0.0, 0.0
	for _, d := range s.duels {
		if d.known {
			_, notLost, notWon := s.denominators(d)
			points += d.notLost()
			sum += s.gamma[d.first] * (d.notLost()/notLost + d.notWon()*s.draw/notWon)
		}
	}
	return replace(&s.first, points/sum)
}

func (s *mm) updateDraw() (change float64) {
	draws, sum := 0.0, 0.0
	for _, d := range s.duels {
		a, notLost, notWon := s.denominators(d)
		draws += d.results[1]
		sum += d.notLost()*s.gamma[d.second]/notLost + d.notWon()*a*s.gamma[d.first]/notWon
	}
	c := draws / sum
	return replace(&s.draw, c+math.Sqrt(c*c+1))
}

// replace changes *x and returns by how much, relatively.
func replace(x *float64, next float64) (change float64) {
	change = math.Abs(next-*x) / *x
	*x = next
	return change
}

// rateByMM is BayesElo.Rate without errors, until relative changes are small:
// BayesElo stops at 1e-5.
func rateByMM(t *testing.T, m BayesElo, engines int, results []Pairing, small float64) (elo []float64, first, draw float64) {
	duels, err := duelsOf(engines, results, m.Prior)
	if err != nil {
		t.Fatal(err)
	}
	s := mm{duels, slices.Repeat([]float64{1}, engines), math.Pow(10, m.FirstMove/400), math.Pow(10, m.DrawElo/400)}
	for change := 1.; change >= small; {
		change = s.updateGammas()
		if m.FitFirstMove {
			change = max(change, s.updateFirst())
		}
		if m.FitDrawElo {
			change = max(change, s.updateDraw())
		}
	}
	for _, gamma := range s.gamma {
		elo = append(elo, 400*math.Log10(gamma))
	}
	subtractMean(elo)
	return elo, 400 * math.Log10(s.first), 400 * math.Log10(s.draw)
}

func bayes(t *testing.T, m BayesElo, engines int, results []Pairing) *BayesRatings {
	t.Helper()
	r, err := m.Rate(engines, results)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBayesAnchors fixes ratings: one moves all others with it, several are all
// kept, and errors are against them.
func TestBayesAnchors(t *testing.T) {
	for _, drawElo := range []float64{GomocupDrawElo, 200} {
		m := BayesElo{Prior: DefaultPrior, DrawElo: drawElo}
		free := bayes(t, m, 3, pairs()).Printed()
		m.Anchors = Anchors{2: 1600}
		one := bayes(t, m, 3, pairs()).Printed()
		for i := range 3 {
			near(t, "Elo", one.Elo[i]-1600, free.Elo[i]-free.Elo[2], 1e-6)
			near(t, "Margin", one.Margin(i), free.DifferenceMargin(i, 2), 1e-6)
			near(t, "LOS", one.LOS(i, (i+1)%3), free.LOS(i, (i+1)%3), 1e-9)
		}
		m.Anchors = Anchors{0: 2000, 2: 1500}
		two := bayes(t, m, 3, pairs()).Printed()
		if two.Elo[0] != 2000 || two.Elo[2] != 1500 || !(two.Elo[1] > 1500 && two.Elo[1] < 2000) {
			t.Errorf("DrawElo %g: two anchors: %v", drawElo, two.Elo)
		}
		if two.Margin(0) != 0 || two.Margin(2) != 0 || !(two.Margin(1) > 0) || !math.IsNaN(two.LOS(0, 2)) {
			t.Errorf("DrawElo %g: margins %g %g %g", drawElo, two.Margin(0), two.Margin(1), two.Margin(2))
		}
		// The likelihood has its maximum where the free rating is.
		for _, by := range []float64{-1, 1} {
			f := &fitter{likelihood: bayesLikelihood{}, engines: 3, prior: DefaultPrior}
			if err := f.load(pairs()); err != nil {
				t.Fatal(err)
			}
			unit := EloScale * bayesScale(drawElo/EloScale)
			at := func(elo float64) float64 {
				return f.logLikelihood([]float64{2000 / unit, elo / unit, 1500 / unit, 0, drawElo / EloScale})
			}
			if at(two.Elo[1]+by) >= at(two.Elo[1]) {
				t.Errorf("DrawElo %g: %g is likelier than %g", drawElo, two.Elo[1]+by, two.Elo[1])
			}
		}
	}
	for _, m := range []BayesElo{
		{DrawElo: 1, Anchors: Anchors{3: 0}}, {DrawElo: 1, Anchors: Anchors{0: math.NaN()}}, {FitDrawElo: true, Anchors: Anchors{0: 0}},
	} {
		if _, err := m.Rate(3, pairs()); err == nil {
			t.Errorf("%+v: no error", m)
		}
	}
}
