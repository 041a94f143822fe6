package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// ordoScale is Ordo's [EloScale]: 202/ln(.76/.24), so that 202 points are 76 %.
const ordoScale = 175.2438542182446

// games is the first vector set: lone games of three engines, 10 in each order.
func games() []Pairing {
	return []Pairing{
		{I: 0, J: 1, First: [3]int{2, 2, 6}, Second: [3]int{4, 3, 3}},
		{I: 0, J: 2, First: [3]int{1, 1, 8}, Second: [3]int{2, 2, 6}},
		{I: 1, J: 2, First: [3]int{2, 2, 6}, Second: [3]int{4, 2, 4}},
	}
}

// pairs is the second vector set: 60 pairs of three engines.
func pairs() []Pairing {
	return []Pairing{
		{I: 0, J: 1, Pairs: [3][3]int{{2, 0, 2}, {0, 1, 0}, {9, 1, 5}}},
		{I: 0, J: 2, Pairs: [3][3]int{{1, 0, 1}, {0, 0, 0}, {7, 2, 9}}},
		{I: 1, J: 2, Pairs: [3][3]int{{3, 0, 1}, {0, 1, 0}, {8, 1, 6}}},
	}
}

func TestScoreModel(t *testing.T) {
	laskos := []Pairing{{I: 0, J: 1, First: [3]int{3, 9, 18}}, {I: 1, J: 2, First: [3]int{3, 9, 18}}, {I: 0, J: 2, First: [3]int{0, 6, 24}}}
	for _, tt := range []struct {
		name    string
		m       ScoreModel
		results []Pairing
		want    [3]float64
		first   float64
		unit    float64
	}{
		{"games", ScoreModel{}, games(), [3]float64{86.286, 6.184, -92.470}, 0, .001},
		{"games, first move", ScoreModel{FirstMove: true}, games(), [3]float64{90.702, 6.496, -97.197}, 80.610, .001},
		{"Ordo", ScoreModel{Scale: ordoScale}, games(), [3]float64{87.04, 6.24, -93.28}, 0, .01},
		{"Ordo -W", ScoreModel{Scale: ordoScale, FirstMove: true}, games(), [3]float64{91.50, 6.55, -98.05}, 81.32, .01},
		{"pairs", ScoreModel{}, pairs(), [3]float64{75.75, 0, -75.75}, 0, .01},
		{"pairs, first move", ScoreModel{FirstMove: true}, pairs(), [3]float64{89.84, 0, -89.84}, 150.50, .01},
		{"Laskos", ScoreModel{}, laskos, [3]float64{190.848501887865, 0, -190.848501887865}, 0, 1e-9},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rate(t, tt.m, 3, tt.results)
			for i, want := range tt.want {
				near(t, "Elo", r.Elo[i], want, tt.unit)
			}
			near(t, "FirstMove", r.FirstMove, tt.first, tt.unit)
		})
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		m     ScoreModel
		want  [3]float64
		first float64
	}{
		{ScoreModel{FirstMove: true, Errors: Hessian}, [3]float64{59.78, 56.55, 59.78}, 73.16},
		{ScoreModel{FirstMove: true, Errors: Clustered}, [3]float64{55.66, 55.17, 59.65}, 69.64},
		{ScoreModel{Errors: Hessian}, [3]float64{53.76, 51.97, 53.76}, 0},
		{ScoreModel{Errors: Clustered}, [3]float64{46.19, 46.59, 49.43}, 0},
	} {
		r := rate(t, tt.m, 3, pairs())
		for i, want := range tt.want {
			near(t, "MeanMargin", r.meanMargin(i), want, .01)
		}
		near(t, "FirstMoveMargin", r.FirstMoveMargin(), tt.first, .01)
	}
	near(t, "LOS", rate(t, ScoreModel{Errors: Hessian}, 3, pairs()).LOS(0, 1), .9485, 1e-4)
	near(t, "LOS", rate(t, ScoreModel{}, 3, pairs()).LOS(0, 1), .9707, 1e-4)
}

// TestErrorsOfTwo compares with the pentanomial error, whose delta method
// Clustered is for two engines.
func TestErrorsOfTwo(t *testing.T) {
	two := []Pairing{{I: 0, J: 1, Pairs: [3][3]int{{34, 54, 0}, {0, 63, 0}, {0, 64, 75}}}}
	c, _ := two[0].Pentanomial()
	mean, variance := c.Score()
	delta := z95 * math.Sqrt(variance/float64(c.N())) * EloScale / (mean * (1 - mean))
	clustered, hessian := rate(t, ScoreModel{}, 2, two), rate(t, ScoreModel{Errors: Hessian}, 2, two)
	near(t, "Elo", clustered.Elo[0]-clustered.Elo[1], c.Elo().Value, 1e-9)
	near(t, "Clustered", clustered.DifferenceMargin(0, 1), delta, 1e-9)
	near(t, "Clustered", clustered.DifferenceMargin(0, 1), 27.59, .01)
	near(t, "Hessian", hessian.DifferenceMargin(0, 1), 28.64, .01)
	near(t, "MeanMargin", clustered.meanMargin(0), delta/2, 1e-9)
}

func TestAnchors(t *testing.T) {
	free := rate(t, ScoreModel{FirstMove: true}, 3, pairs())
	one := rate(t, ScoreModel{FirstMove: true, Anchors: map[int]float64{2: 1600}}, 3, pairs())
	if one.Elo[2] != 1600 || one.DifferenceMargin(2, 2) != 0 {
		t.Errorf("the anchor is at %g ± %g", one.Elo[2], one.DifferenceMargin(2, 2))
	}
	for i := range 3 {
		near(t, "Elo", one.Elo[i]-1600, free.Elo[i]-free.Elo[2], 1e-6)
		near(t, "Margin", one.DifferenceMargin(i, 2), free.DifferenceMargin(i, 2), 1e-6)
		near(t, "MeanMargin", one.meanMargin(i), free.meanMargin(i), 1e-6)
	}
	near(t, "FirstMove", one.FirstMove, free.FirstMove, 1e-6)
	near(t, "FirstMoveMargin", one.FirstMoveMargin(), free.FirstMoveMargin(), 1e-6)

	all := rate(t, ScoreModel{Anchors: map[int]float64{0: 1, 1: 2, 2: 3}}, 3, pairs())
	for i := range 3 {
		near(t, "Margin", one.Margin(i), one.DifferenceMargin(i, 2), 1e-9)
		near(t, "Margin", free.Margin(i), free.meanMargin(i), 1e-9)
	}
	if !slices.Equal(all.Elo, []float64{1, 2, 3}) || !math.IsNaN(all.LOS(0, 1)) || all.meanMargin(0) != 0 {
		t.Errorf("all anchored: %v", all)
	}
}

// TestUnvaried is about results that say nothing about errors: no two items of
// the same engines differ.
func TestUnvaried(t *testing.T) {
	won, even := [3][3]int{2: {2: 10}}, [3][3]int{2: {0: 10}}
	for _, tt := range []struct {
		name         string
		results      []Pairing
		certain      string // engines whose margin is a number
		firstCertain bool
	}{
		{"one game again and again", []Pairing{{I: 0, J: 1, Pairs: even}}, "", false},
		{"all won", []Pairing{{I: 0, J: 1, Pairs: won}}, "", false},
		{"one pair each", []Pairing{{I: 0, J: 1, Pairs: [3][3]int{2: {0: 1}}}, {I: 1, J: 2, Pairs: [3][3]int{1: {0: 1}}}, {I: 0, J: 2, Pairs: [3][3]int{2: {2: 1}}}}, "", false},
		{"each pairing its own game", []Pairing{{I: 0, J: 1, Pairs: won}, {I: 1, J: 2, Pairs: even}, {I: 0, J: 2, Pairs: [3][3]int{2: {1: 10}}}}, "", false},
		{"lone games of both orders", []Pairing{{I: 0, J: 1, First: [3]int{2: 10}, Second: [3]int{10}}}, "", false},
		{"in two parts", []Pairing{{I: 0, J: 1, Pairs: even}, {I: 1, J: 0, Pairs: even}}, "", false},
		{"two parts that differ", []Pairing{{I: 0, J: 1, Pairs: won}, {I: 1, J: 0, Pairs: won}}, "01", true},
		{"a split pair may be either way", []Pairing{{I: 0, J: 1, Pairs: [3][3]int{0: {2: 3}, 2: {0: 10}}}}, "", true},
		{"one engine", []Pairing{{I: 0, J: 1, Pairs: [3][3]int{0: {0: 3}, 2: {0: 5, 2: 2}}}, {I: 0, J: 2, Pairs: won}, {I: 1, J: 2, Pairs: won}}, "01", true},
		{"lone games", []Pairing{{I: 0, J: 1, First: [3]int{3, 1, 4}}}, "01", true},
	} {
		engines := 2
		for _, p := range tt.results {
			engines = max(engines, p.I+1, p.J+1)
		}
		for _, method := range []ErrorMethod{Clustered, Bootstrap} {
			r := rate(t, ScoreModel{Prior: 2, FirstMove: true, Errors: method, Resamples: 50}, engines, tt.results)
			certain := ""
			for i := range engines {
				if m := r.Margin(i); !math.IsNaN(m) {
					certain += strconv.Itoa(i)
				}
				if j := (i + 1) % engines; math.IsNaN(r.LOS(i, j)) != (r.isUnknown(i) || r.isUnknown(j)) {
					t.Errorf("%s: LOS %v", tt.name, r.LOS(i, j))
				}
			}
			if m := r.FirstMoveMargin(); certain != tt.certain || math.IsNaN(m) == tt.firstCertain {
				t.Errorf("%s: errors of %q are known, want %q; that of the first move is %v", tt.name, certain, tt.certain, m)
			}
		}
		r := rate(t, ScoreModel{Prior: 2, Errors: Hessian}, engines, tt.results)
		if !(r.Margin(0) > 0) {
			t.Errorf("%s: a model of independent games has an error of %v", tt.name, r.Margin(0))
		}
	}
}

// TestSides exchanges I and J, which must not matter.
func TestSides(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	results := randomResults(random, 4, 40)
	flipped := make([]Pairing, len(results))
	for i, p := range results {
		q := Pairing{I: p.J, J: p.I}
		for r := range 3 {
			q.First[r], q.Second[r], q.Unknown[r] = p.Second[2-r], p.First[2-r], p.Unknown[2-r]
			for s := range 3 {
				q.Pairs[r][s] = p.Pairs[2-s][2-r]
			}
		}
		flipped[i] = q
	}
	m := ScoreModel{Prior: 1, FirstMove: true}
	a, b := rate(t, m, 4, results), rate(t, m, 4, flipped)
	for i := range 4 {
		near(t, "Elo", a.Elo[i], b.Elo[i], 1e-6)
		near(t, "MeanMargin", a.meanMargin(i), b.meanMargin(i), 1e-6)
		near(t, "points", a.Points[i], b.Points[i], 0)
		near(t, "games", float64(a.Games[i]), float64(b.Games[i]), 0)
	}
	near(t, "FirstMove", a.FirstMove, b.FirstMove, 1e-6)
}

func TestTally(t *testing.T) {
	r := rate(t, ScoreModel{Prior: 2}, 3, append(pairs(), Pairing{I: 2, J: 0, Unknown: [3]int{0, 1, 2}}))
	if !slices.Equal(r.Games, []int{83, 80, 83}) || !slices.Equal(r.Points, []float64{53, 40, 30}) {
		t.Errorf("games %v, points %v", r.Games, r.Points)
	}
}

// TestRateSlowly maximizes the likelihood by plain gradient ascent, game by
// game, and checks covariances with derivatives from finite differences.
func TestRateSlowly(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	for _, m := range []ScoreModel{
		{Prior: 2},
		{Prior: 2, FirstMove: true},
		{Prior: 3, FirstMove: true, Anchors: map[int]float64{1: 40}},
		{Prior: 1, Anchors: map[int]float64{0: 30, 3: -50}, Scale: 100},
	} {
		results := randomResults(random, 4, 25)
		r := rate(t, m, 4, results)
		s := slowModel{m, results, append([]int{}, 0, 1, 2, 3)}
		s.free = slices.DeleteFunc(s.free, func(i int) bool { _, ok := m.Anchors[i]; return ok })
		if m.FirstMove {
			s.free = append(s.free, 4)
		}
		theta := make([]float64, 5)
		for i, elo := range m.Anchors {
			theta[i] = elo
		}
		step := 200.
		if m.Scale > 0 {
			step *= m.Scale * m.Scale / (EloScale * EloScale)
		}
		for range 1000 {
			for k, g := range s.gradient(theta) {
				theta[s.free[k]] += step * g
			}
		}
		if len(m.Anchors) == 0 {
			subtractMean(theta[:4])
		}
		for i := range 4 {
			near(t, "Elo", r.Elo[i], theta[i], .002)
		}
		near(t, "FirstMove", r.FirstMove, theta[4], .002)

		// H·V·H must be H for V = H⁻¹, and the scatter for the sandwich; with
		// all ratings free H is singular, but V is its pseudo-inverse.
		h, scatter := s.hessian(theta), s.scatter(theta)
		m.Errors = Hessian
		s.compare(t, "Hessian", h, rate(t, m, 4, results).Cov, h)
		s.compare(t, "Clustered", h, r.Cov, scatter)
	}
}

// slowModel is a ScoreModel with numerical derivatives with respect to those
// elements of ratings and first move that are free.
type slowModel struct {
	ScoreModel
	results []Pairing
	free    []int
}

// expected is the first mover's score.
func (s slowModel) expected(theta []float64, first, second int, known bool) float64 {
	x := theta[first] - theta[second]
	if known {
		x += theta[4]
	}
	scale := s.Scale
	if scale == 0 {
		scale = EloScale
	}
	return 1 / (1 + math.Exp(-x/scale))
}

// items calls do with the number and the log-likelihood of every kind of pair
// and lone game, and of the prior.
func (s slowModel) items(theta []float64, do func(n, logLikelihood float64)) {
	game := func(first, second int, known bool, score float64) float64 {
		e := s.expected(theta, first, second, known)
		return score*math.Log(e) + (1-score)*math.Log(1-e)
	}
	played := make([]float64, 4)
	for _, p := range s.results {
		played[p.I] += float64(p.Games().N())
		played[p.J] += float64(p.Games().N())
	}
	for _, p := range s.results {
		for r := range 3 {
			a := float64(r) / 2
			do(float64(p.First[r]), game(p.I, p.J, true, a))
			do(float64(p.Second[r]), game(p.J, p.I, true, 1-a))
			do(float64(p.Unknown[r]), game(p.I, p.J, false, a))
			for q := range 3 {
				do(float64(p.Pairs[r][q]), game(p.I, p.J, true, a)+game(p.J, p.I, true, 1-float64(q)/2))
			}
		}
		n := float64(p.Games().N())
		draws := s.Prior * (n/played[p.I] + n/played[p.J]) / 2
		do(-draws, -(game(p.I, p.J, true, .5)+game(p.J, p.I, true, .5))/2) // negative: not an item of the scatter
	}
}

func (s slowModel) logLikelihood(theta []float64) (sum float64) {
	s.items(theta, func(n, l float64) { sum += n * l })
	return sum
}

// derivative is that of f with respect to the free element k.
func (s slowModel) derivative(theta []float64, k int, f func(theta []float64) float64) float64 {
	const h = 1e-2
	up, down := slices.Clone(theta), slices.Clone(theta)
	up[s.free[k]] += h
	down[s.free[k]] -= h
	return (f(up) - f(down)) / (2 * h)
}

func (s slowModel) gradient(theta []float64) []float64 {
	g := make([]float64, len(s.free))
	for k := range g {
		g[k] = s.derivative(theta, k, s.logLikelihood)
	}
	return g
}

func (s slowModel) hessian(theta []float64) matrix {
	h := newMatrix(len(s.free))
	for k := range h {
		for l := range h {
			h[k][l] = -s.derivative(theta, k, func(theta []float64) float64 { return s.derivative(theta, l, s.logLikelihood) })
		}
	}
	return h
}

func (s slowModel) scatter(theta []float64) matrix {
	sum := newMatrix(len(s.free))
	kinds := 0
	s.items(theta, func(float64, float64) { kinds++ })
	for kind := range kinds {
		var n float64
		g := make([]float64, len(s.free))
		for k := range g {
			g[k] = s.derivative(theta, k, func(theta []float64) (l float64) {
				i := 0
				s.items(theta, func(count, logLikelihood float64) {
					if i++; i-1 == kind {
						n, l = count, logLikelihood
					}
				})
				return l
			})
		}
		for k := range g {
			for l := range g {
				sum[k][l] += max(n, 0) * g[k] * g[l]
			}
		}
	}
	return sum
}

// compare checks that h·cov·h is want.
func (s slowModel) compare(t *testing.T, what string, h matrix, cov [][]float64, want matrix) {
	t.Helper()
	v := newMatrix(len(s.free))
	for k := range v {
		for l := range v {
			v[k][l] = cov[s.free[k]][s.free[l]]
		}
	}
	got := h.times(v).times(h)
	for k := range got {
		for l := range got {
			if math.Abs(got[k][l]-want[k][l]) > 1e-4*want[k][k] {
				t.Errorf("%s: H·V·H[%d][%d] = %g, want %g", what, k, l, got[k][l], want[k][l])
			}
		}
	}
}

// TestLOSSlowly draws ratings from their distribution.
func TestLOSSlowly(t *testing.T) {
	const draws = 100_000
	r := rate(t, ScoreModel{FirstMove: true, Anchors: map[int]float64{2: -50}}, 3, pairs())
	root := matrix{{r.Cov[0][0], 0}, {r.Cov[1][0], r.Cov[1][1]}}
	if !root.cholesky() {
		t.Fatal("covariance is not definite")
	}
	random := rand.New(rand.NewPCG(11, 0))
	better, squares := [3]float64{}, 0.0
	for range draws {
		x, y := random.NormFloat64(), random.NormFloat64()
		e0, e1, e2 := r.Elo[0]+root[0][0]*x, r.Elo[1]+root[1][0]*x+root[1][1]*y, r.Elo[2]
		for i, d := range []float64{e0 - e1, e0 - e2, e1 - e2} {
			if d > 0 {
				better[i] += 1. / draws
			}
		}
		d := e0 - (e0+e1+e2)/3 - r.Elo[0] + (r.Elo[0]+r.Elo[1]+r.Elo[2])/3
		squares += d * d / draws
	}
	for i, los := range []float64{r.LOS(0, 1), r.LOS(0, 2), r.LOS(1, 2)} {
		near(t, "LOS", better[i], los, .005)
		near(t, "LOS and its opposite", los+[]float64{r.LOS(1, 0), r.LOS(2, 0), r.LOS(2, 1)}[i], 1, 1e-12)
	}
	near(t, "MeanMargin", z95*math.Sqrt(squares)/r.meanMargin(0), 1, .02)
}

// TestCoverage plays tournaments of known ratings with openings that are worth
// much to either side. Of the clustered and of the bootstrap's intervals about
// 95 % must contain the truth; those of the Hessian are far too wide.
func TestCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 0))
	var chances []Pairing // in millionths: their ratings are those of endless tournaments
	for i, elo := range []float64{120, 30, -20, -130} {
		for j, other := range []float64{120, 30, -20, -130}[:i] {
			p := Pairing{I: i, J: j}
			for _, bias := range []float64{-300, 300} {
				first, second := book{drawElo: 20}.game(elo-other+bias), book{drawElo: 20}.game(elo-other-bias)
				for r := range 3 {
					for s := range 3 {
						p.Pairs[r][s] += int(5e5 * first[r] * second[s])
					}
				}
			}
			chances = append(chances, p)
		}
	}
	truth := rate(t, ScoreModel{}, 4, chances).Elo
	var inside [3]float64
	for method, runs := range []int{1000, 1000, 40} {
		m := ScoreModel{Errors: ErrorMethod(method), Resamples: 100}
		for range runs {
			results := make([]Pairing, len(chances))
			for k, p := range chances {
				results[k] = play(random, p, 100)
			}
			r := rate(t, m, 4, results)
			for i := range truth {
				if math.Abs(r.Elo[i]-truth[i]) < r.meanMargin(i) {
					inside[method] += 1 / float64(4*runs)
				}
			}
		}
	}
	t.Logf("intervals that contain the truth: %.3f clustered, %.3f Hessian, %.3f bootstrap", inside[0], inside[1], inside[2])
	if math.Abs(inside[Clustered]-.95) > .015 || inside[Hessian] < .975 || math.Abs(inside[Bootstrap]-.95) > .05 {
		t.Error("intervals do not contain the truth as often as they should")
	}
}

// play draws n pairs of given chances.
func play(random *rand.Rand, chances Pairing, n int) Pairing {
	var flat, drawn [9]int
	for i := range flat {
		flat[i] = chances.Pairs[i/3][i%3]
	}
	total := Counts(flat[:]).N()
	for range n {
		k, i := random.IntN(total), 0
		for k >= flat[i] {
			k -= flat[i]
			i++
		}
		drawn[i]++
	}
	p := Pairing{I: chances.I, J: chances.J}
	for i, n := range drawn {
		p.Pairs[i/3][i%3] = n
	}
	return p
}

// TestBootstrap compares with the sandwich, where pairs are many.
func TestBootstrap(t *testing.T) {
	many := pairs()
	for k := range many {
		for r := range 3 {
			for s := range 3 {
				many[k].Pairs[r][s] *= 20
			}
		}
		many[k].Unknown = [3]int{3, 4, 5}
	}
	m := ScoreModel{FirstMove: true, Anchors: map[int]float64{1: 0}}
	clustered := rate(t, m, 3, many)
	m.Errors, m.Resamples, m.Seed = Bootstrap, 1000, 1
	boot := rate(t, m, 3, many)
	for i := range 4 {
		for j := range 4 {
			unit := .2 * math.Sqrt(clustered.Cov[i][i]*clustered.Cov[j][j])
			near(t, fmt.Sprintf("Cov[%d][%d]", i, j), boot.Cov[i][j], clustered.Cov[i][j], unit)
		}
	}
	same, other := rate(t, m, 3, many), m
	other.Seed = 2
	if same.Cov[0][0] != boot.Cov[0][0] || rate(t, other, 3, many).Cov[0][0] == boot.Cov[0][0] {
		t.Error("the seed does not decide")
	}
	few := []Pairing{{I: 0, J: 1, First: [3]int{1, 0, 1}}, {I: 1, J: 2, First: [3]int{1, 0, 1}}}
	if r, err := (ScoreModel{Errors: Bootstrap, Resamples: 200}).Rate(3, few); err == nil {
		t.Errorf("in three of four resamples an engine wins all: %v", r)
	}
}

func TestDisconnected(t *testing.T) {
	game := func(i, j int) Pairing { return Pairing{I: i, J: j, First: [3]int{2: 3}} }
	drawn := func(i, j int) Pairing { return Pairing{I: i, J: j, First: [3]int{1: 1}} }
	for _, tt := range []struct {
		name    string
		m       ScoreModel
		results []Pairing
		want    string
	}{
		{"two islands", ScoreModel{Prior: 2}, []Pairing{drawn(0, 2), drawn(1, 4), drawn(4, 3)}, "[1 3 4] and [0 2]"},
		{"no games", ScoreModel{Prior: 2}, []Pairing{drawn(0, 2), {I: 1, J: 2}, drawn(3, 2), drawn(4, 2)}, "[0 2 3 4] and [1]"},
		{"never lost", ScoreModel{}, []Pairing{drawn(0, 1), drawn(1, 2), game(3, 0), game(3, 4), game(4, 3), drawn(3, 4)}, "[0 1 2] and [3 4]"},
		{"prior", ScoreModel{Prior: 2}, []Pairing{drawn(0, 1), drawn(1, 2), game(3, 0), game(3, 4)}, ""},
		{"circle", ScoreModel{}, []Pairing{game(0, 1), game(1, 2), game(2, 3), game(3, 4), game(4, 0)}, ""},
		{"anchors", ScoreModel{Anchors: map[int]float64{0: 10, 1: 20}}, []Pairing{drawn(0, 2), drawn(1, 4), drawn(4, 3)}, ""},
		{"anchor on one island", ScoreModel{Anchors: map[int]float64{0: 10}}, []Pairing{drawn(0, 2), drawn(1, 4), drawn(4, 3)}, "[1 3 4] and [0 2]"},
	} {
		_, err := tt.m.Rate(5, tt.results)
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		var d *DisconnectedError
		if !errors.As(err, &d) || err.Error() != "stats: results do not connect the engines "+tt.want {
			t.Errorf("%s: %v, want components %s", tt.name, err, tt.want)
		}
	}
}

// TestSubset rates the components that an error names.
func TestSubset(t *testing.T) {
	results := pairs()
	for k := range results {
		results[k].I, results[k].J = 2*results[k].I, 2*results[k].J
	}
	results = append(results, Pairing{I: 3, J: 1, Second: [3]int{1, 0, 4}})
	_, err := ScoreModel{}.Rate(5, results)
	var d *DisconnectedError
	if !errors.As(err, &d) {
		t.Fatal(err)
	}
	want, got := rate(t, ScoreModel{}, 3, pairs()), rate(t, ScoreModel{}, 3, Subset(results, d.Components[0]))
	if !slices.Equal(got.Elo, want.Elo) {
		t.Errorf("the large component: %v, want %v", got.Elo, want.Elo)
	}
	two := rate(t, ScoreModel{}, len(d.Components[1]), Subset(results, d.Components[1]))
	near(t, "the small component", two.Elo[1]-two.Elo[0], EloOf(.8), 1e-6)
}

func TestErrFirstMove(t *testing.T) {
	first := [3]int{2: 4}
	for _, tt := range []struct {
		name    string
		m       ScoreModel
		results []Pairing
		want    error
	}{
		{"unknown", ScoreModel{Prior: 2}, []Pairing{{I: 0, J: 1, Unknown: [3]int{1, 2, 3}}}, ErrFirstMove},
		{"always the same", ScoreModel{}, []Pairing{{I: 0, J: 1, First: [3]int{1, 2, 3}}}, ErrFirstMove},
		{"the prior's draws", ScoreModel{Prior: 2}, []Pairing{{I: 0, J: 1, First: [3]int{1, 2, 3}}}, nil},
		{"the first always wins", ScoreModel{}, []Pairing{{I: 0, J: 1, First: first, Second: [3]int{4}}}, ErrFirstMove},
		{"the first always loses", ScoreModel{}, []Pairing{{I: 0, J: 1, First: [3]int{4}, Second: first}}, ErrFirstMove},
		{"both orders", ScoreModel{}, []Pairing{{I: 0, J: 1, First: [3]int{1, 2, 3}, Second: [3]int{1, 0, 1}}}, nil},
		{"anchored", ScoreModel{Anchors: map[int]float64{0: 0, 1: 10}}, []Pairing{{I: 0, J: 1, First: [3]int{1, 2, 3}}}, nil},
		{"in a circle", ScoreModel{}, []Pairing{{I: 0, J: 1, First: [3]int{1, 1, 1}}, {I: 1, J: 2, First: [3]int{1, 1, 1}}, {I: 2, J: 0, First: [3]int{1, 1, 1}}}, nil},
	} {
		tt.m.FirstMove = true
		if _, err := tt.m.Rate(1+max(tt.results[0].J, len(tt.results)-1), tt.results); err != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestGraphSlowly rates random small tournaments with a vanishing prior: where
// the likelihood has no single maximum, errors grow as the prior falls.
func TestGraphSlowly(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 0))
	var seen [2][2]int
	for range 3000 {
		var results []Pairing
		for k := range 3 {
			p := Pairing{I: k, J: (k + 1) % 3}
			for range random.IntN(3) {
				p.First[2*random.IntN(2)]++
			}
			for range random.IntN(3) {
				p.Second[2*random.IntN(2)]++
			}
			results = append(results, p)
		}
		firstMove := random.IntN(2)
		m := ScoreModel{FirstMove: firstMove == 1}
		_, err := m.Rate(3, results)
		margin := func(prior float64) float64 {
			m.Prior, m.Errors = prior, Hessian
			r, err := m.Rate(3, results)
			if err != nil {
				return math.Inf(1)
			}
			return max(r.FirstMoveMargin(), r.DifferenceMargin(0, 1), r.DifferenceMargin(1, 2), r.DifferenceMargin(2, 0))
		}
		less, more := margin(1e-7), margin(1e-4)
		grows := math.IsInf(less, 1) || less > 5*more
		if grows != (err != nil) {
			t.Fatalf("%v, first move %d: %v, but %g grows to %g", results, firstMove, err, more, less)
		}
		if err != nil {
			seen[firstMove][1]++
		} else {
			seen[firstMove][0]++
		}
	}
	if slices.Min(seen[0][:]) < 100 || slices.Min(seen[1][:]) < 100 {
		t.Errorf("too few of a kind: %v", seen)
	}
}

func TestBadSettings(t *testing.T) {
	for _, tt := range []struct {
		m       ScoreModel
		engines int
		results []Pairing
	}{
		{ScoreModel{}, 1, nil},
		{ScoreModel{Prior: -1}, 3, pairs()},
		{ScoreModel{Prior: math.NaN()}, 3, pairs()},
		{ScoreModel{Prior: math.Inf(1)}, 3, pairs()},
		{ScoreModel{Scale: -1}, 3, pairs()},
		{ScoreModel{Scale: math.NaN()}, 3, pairs()},
		{ScoreModel{Scale: math.Inf(1)}, 3, pairs()},
		{ScoreModel{Anchors: map[int]float64{3: 0}}, 3, pairs()},
		{ScoreModel{Anchors: map[int]float64{-1: 0}}, 3, pairs()},
		{ScoreModel{Anchors: map[int]float64{1: math.NaN()}}, 3, pairs()},
		{ScoreModel{Errors: Bootstrap, Resamples: 1}, 3, pairs()},
		{ScoreModel{Errors: 3}, 3, pairs()},
		{ScoreModel{}, 2, pairs()},
		{ScoreModel{}, 3, append(pairs(), Pairing{I: 1, J: 1})},
		{ScoreModel{}, 3, append(pairs(), Pairing{I: -1, J: 1})},
		{ScoreModel{}, 3, append(pairs(), Pairing{I: 0, J: 1, First: [3]int{-1, 0, 3}})},
		{ScoreModel{}, 3, append(pairs(), Pairing{I: 0, J: 1, Pairs: [3][3]int{1: {2: -1}}})},
	} {
		if r, err := tt.m.Rate(tt.engines, tt.results); err == nil {
			t.Errorf("%+v, %d engines: %v", tt.m, tt.engines, r)
		}
	}
}

// TestOneSided has scores near 0 and 1, where steps are long.
func TestOneSided(t *testing.T) {
	r := rate(t, ScoreModel{}, 2, []Pairing{{I: 0, J: 1, First: [3]int{1, 0, 1_000_000}}})
	near(t, "Elo", r.Elo[0]-r.Elo[1], EloOf(1e6/(1e6+1)), 1e-3)
	var chain []Pairing // each engine far better than the next
	for i := range 20 {
		chain = append(chain, Pairing{I: i, J: i + 1, Pairs: [3][3]int{{1, 0, 0}, {}, {0, 0, 10_000}}})
	}
	r = rate(t, ScoreModel{FirstMove: true}, 21, chain)
	near(t, "Elo", r.Elo[0]-r.Elo[20], 20*EloOf(10000./10001), 1e-2)
	r = rate(t, ScoreModel{Prior: 1e-9}, 2, []Pairing{{I: 0, J: 1, First: [3]int{2: 1000}}})
	near(t, "Elo", r.Elo[0]-r.Elo[1], -EloOf(.5e-9/1000), 1e-3)
}

// rate fails the test if there are no ratings.
func rate(t testing.TB, m ScoreModel, engines int, results []Pairing) *Ratings {
	t.Helper()
	r, err := m.Rate(engines, results)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// randomResults are results of all pairings, n items of each kind at most.
func randomResults(random *rand.Rand, engines, n int) (results []Pairing) {
	for i := range engines {
		for j := range i {
			p := Pairing{I: i, J: j}
			for range random.IntN(n) {
				p.Pairs[random.IntN(3)][random.IntN(3)]++
				p.First[random.IntN(3)]++
				p.Second[random.IntN(3)]++
				p.Unknown[random.IntN(3)]++
			}
			results = append(results, p)
		}
	}
	return results
}

// FuzzRate demands of any results an error or finite numbers.
func FuzzRate(f *testing.F) {
	f.Add([]byte{0, 3, 1, 2, 3, 9, 9, 9, 0, 1, 0, 0, 200, 1, 0}, true, 2.)
	f.Add([]byte{7, 255, 255, 255, 255, 255, 255}, false, 0.)
	f.Add([]byte{}, true, 1e300)
	f.Fuzz(func(t *testing.T, data []byte, firstMove bool, prior float64) {
		results := make([]Pairing, 6)
		for k := range results {
			results[k].I, results[k].J = []int{0, 0, 0, 1, 1, 2}[k], []int{1, 2, 3, 2, 3, 3}[k]
		}
		for k, b := range data {
			p, n := &results[k%6], int(b)
			switch k := k / 6; {
			case k < 9:
				p.Pairs[k/3][k%3] += n * n * n
			case k < 12:
				p.First[k%3] += n
			case k < 15:
				p.Second[k%3] += n
			case k < 18:
				p.Unknown[k%3] += n
			}
		}
		finite := func(r *Ratings) {
			values := append([]float64{r.FirstMove}, r.Elo...)
			if !r.firstUnknown {
				values = append(values, r.FirstMoveMargin())
			}
			for i := range 4 {
				values = append(values, r.Cov[i]...)
				if !r.isUnknown(i) {
					values = append(values, r.meanMargin(i))
				} else if !math.IsNaN(r.meanMargin(i)) || !math.IsNaN(r.LOS(i, (i+1)%4)) {
					t.Fatalf("%v, prior %g: errors of %d: %+v", results, prior, i, r)
				}
				if !r.isUnknown(i) && !r.isUnknown(0) {
					values = append(values, r.DifferenceMargin(i, 0))
				}
			}
			for _, x := range values {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("%v, prior %g: %+v", results, prior, r)
				}
			}
		}
		if r, err := (ScoreModel{FirstMove: firstMove, Prior: prior}).Rate(4, results); err == nil {
			finite(r)
		}
		if r, err := (BayesElo{FitFirstMove: firstMove, FitDrawElo: len(data)%2 == 0, Prior: prior, DrawElo: 10}).Rate(4, results); err == nil {
			finite(&r.Ratings)
		}
		Warnings(4, results)
	})
}

// BenchmarkRate rates 30 engines by 100,000 games.
func BenchmarkRate(b *testing.B) {
	random := rand.New(rand.NewPCG(19, 0))
	var results []Pairing
	for i := range 30 {
		for j := range i {
			results = append(results, play(random, Pairing{I: i, J: j, Pairs: [3][3]int{{i + 1, 1, 30}, {1, 5, 1}, {30, 1, j + 1}}}, 115))
		}
	}
	for _, bb := range []struct {
		name string
		m    ScoreModel
	}{{"Clustered", ScoreModel{}}, {"Bootstrap", ScoreModel{Errors: Bootstrap, Resamples: 1000}}} {
		bb.m.Prior, bb.m.FirstMove = DefaultPrior, true
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				rate(b, bb.m, 30, results)
			}
		})
	}
	b.Run("BayesElo", func(b *testing.B) {
		for b.Loop() {
			if _, err := (BayesElo{Prior: DefaultPrior, FitFirstMove: true, FitDrawElo: true}).Rate(30, results); err != nil {
				b.Fatal(err)
			}
		}
	})
}
