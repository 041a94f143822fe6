package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestBounds(t *testing.T) {
	for _, tt := range [][4]float64{{.05, .05, -2.944439, 2.944439}, {.05, .10, -2.251292, 2.890372},
		{.1, .1, -2.197225, 2.197225}, {.01, .01, -4.595120, 4.595120}} {
		lower, upper := SPRT{Alpha: tt[0], Beta: tt[1]}.Bounds()
		near(t, "lower", lower, tt[2], 1e-6)
		near(t, "upper", upper, tt[3], 1e-6)
	}
}

// TestProgress has what fastchess and cutechess printed, in percent.
func TestProgress(t *testing.T) {
	test := SPRT{Normalized, 0, 3, .05, .10}
	near(t, "fastchess", test.Progress(test.LLR(Counts{172, 2752, 5656, 2885, 227})), 1.004, .001)
	test = SPRT{Logistic, 0, 5, .05, .05}
	near(t, "cutechess", test.Progress(BayesEloLLR(880, 759, 1863, 0, 5, true)), 1.002, .001)
	near(t, "H0", test.Progress(-2.944439), 1, 1e-6)
}

func TestLLR(t *testing.T) {
	for _, tt := range []struct {
		c          Counts
		m          Model
		elo0, elo1 float64
		want, unit float64
	}{
		{Counts{34, 54, 63, 64, 75}, Logistic, 0, 50, 7.73223, 1e-5},
		{Counts{34, 54, 63, 64, 75}, Normalized, 0, 50, 7.66841, 1e-5},
		{Counts{1, 2, 3, 4, 2}, Logistic, 0, 40, .40228, 1e-5},
		{Counts{1, 2, 3, 4, 2}, Normalized, 0, 40, .36945, 1e-5},
		{Counts{36027, 68692, 36433}, Normalized, 0, 2, .92, .01},
		{Counts{10650, 20431, 10871}, Normalized, -1.75, .25, 2.30, .01},
		{Counts{0, 0, 4250}, Normalized, 0, 10, 120.55, .01},
		{Counts{21184, 40708, 21404}, Logistic, .5, 2.5, -1.57, .01},
		{Counts{57030, 106593, 57433}, Logistic, 0, 2, -2.59, .01},
		{Counts{365, 16618, 36229, 16974, 390}, Normalized, 0, 2, 2.25, .01},
		{Counts{127, 4883, 10712, 5150, 104}, Normalized, -1.75, .25, 3.01, .01},
		{Counts{0, 0, 0, 0, 5550}, Normalized, 0, 5, 111.80, .01},
		{Counts{223, 9863, 21279, 10037, 246}, Logistic, .5, 2.5, -3.07, .01},
		{Counts{871, 26175, 55983, 26678, 821}, Logistic, 0, 2, -4.98, .01},
		{Counts{172, 2752, 5656, 2885, 227}, Normalized, 0, 3, 2.90, .01},
		{Counts{379, 10170, 21828, 10640, 343}, Normalized, 0, 2, 2.945, .001},
		{Counts{20, 638, 1655, 782, 13}, Normalized, 0, 4, 2.58, .01},
		{Counts{39, 8843, 26675, 9240, 44}, Normalized, .5, 2.5, 2.9417, 1e-4},
		{Counts{10789, 19328, 33806, 19402, 10543}, Logistic, -3, 1, 2.131, .001},
		{Counts{39, 2226, 31451, 2412, 40}, Logistic, .2, .9, 2.1625, 1e-4},
		{Counts{39, 2226, 31451, 2412, 40}, Normalized, .764, 3.439, 2.1629, 1e-4},
		{Counts{2, 0, 1000, 0, 12}, Normalized, 0, 10, 2.75, .01},
		{Counts{2, 0, 1000, 0, 12}, Logistic, 0, 10, -3.65, .01},
		{Counts{0, 0, 1000, 0, 0}, Normalized, 0, 5, -.41, .01},
		{Counts{0, 0, 1000, 0, 0}, Logistic, 0, 5, -14.5, .1},
	} {
		test := SPRT{Model: tt.m, Elo0: tt.elo0, Elo1: tt.elo1}
		if got := test.LLR(tt.c); !(math.Abs(got-tt.want) <= tt.unit*0.5000001) {
			t.Errorf("%v model %d [%g, %g]: LLR %.6f, want %g", tt.c, tt.m, tt.elo0, tt.elo1, got, tt.want)
		}
	}
	p := []float64{34. / 290, 54. / 290, 63. / 290, 64. / 290, 75. / 290}
	for elo, want := range map[float64][]float64{
		0:  {.176353, .223697, .217241, .189012, .193696},
		50: {.122054, .190431, .218318, .218004, .251193},
	} {
		for i, q := range (SPRT{Model: Logistic}).likeliest(make(Counts, 5), p, elo) {
			near(t, "likeliest", q, want[i], 1e-6)
		}
	}
}

func TestBayesEloLLR(t *testing.T) {
	for i, tt := range [][6]float64{
		{68965, 68526, 128429, 0, 2, -1.26}, {21629, 21484, 41111, .5, 2.5, -1.13},
		{1477, 1351, 2942, 0, 10, 2.52}, {555, 555, 298, 0, 10, -.74}, {3, 149, 1, 0, 10, -4.69},
		{880, 759, 1863, 0, 5, 2.95},
	} {
		near(t, "LLR", BayesEloLLR(int(tt[0]), int(tt[1]), int(tt[2]), tt[3], tt[4], i >= 2), tt[5], .01) // the first two are of fastchess
	}
	drawElo := drawEloOf(880.5, 759.5, 1863.5)
	near(t, "drawelo", drawElo, 206.385, .001)
	x := math.Pow(10, -drawElo/400)
	near(t, "scale", 4*x/((1+x)*(1+x)), .71614, 1e-5)
}

func TestVerdict(t *testing.T) {
	test := SPRT{Normalized, 0, 10, .05, .05}
	for _, tt := range []struct {
		c    Counts
		want Verdict
	}{
		{Counts{0, 0, 0, 0, 5550}, H1}, // a sweep
		{Counts{0, 0, 0, 0, 74}, H1},
		{Counts{0, 0, 0, 0, 73}, Undecided},
		{Counts{0, 0, 104}, H1},
		{Counts{0, 0, 103}, Undecided},
		{Counts{10, 20, 30, 20, 10}, Undecided},
		{Counts{100, 200, 300, 400, 500}, H1},
		{Counts{500, 400, 300, 200, 100}, H0},
	} {
		if got := test.Verdict(tt.c); got != tt.want {
			t.Errorf("%v: verdict %d, want %d", tt.c, got, tt.want)
		}
	}
	wide := SPRT{Normalized, 0, 1000, .05, .05}
	for _, tt := range []struct {
		c    Counts
		want Verdict
	}{
		{Counts{0, 0, 0, 1, 14}, Undecided}, {Counts{0, 0, 0, 1, 15}, H1}, // 16 pairs
		{Counts{0, 1, 30}, Undecided}, {Counts{0, 1, 31}, H1},
	} {
		if got := wide.Verdict(tt.c); got != tt.want {
			t.Errorf("%v: verdict %v, want %v", tt.c, got, tt.want)
		}
	}
	for _, bad := range []SPRT{{}, {0, 5, 5, .05, .05}, {0, 0, 5, .5, .05}, {0, 0, 5, .05, math.NaN()}} {
		if bad.Check() == nil {
			t.Errorf("%v passes", bad)
		}
	}
	if err := test.Check(); err != nil {
		t.Error(err)
	}
}

// TestLLRApproximation compares with the normal approximation, which agrees
// for many balanced items, and not for others.
func TestLLRApproximation(t *testing.T) {
	for _, tt := range []struct {
		c          Counts
		elo0, elo1 float64
		want, unit float64
		close      bool
	}{
		{Counts{21184, 40708, 21404}, .5, 2.5, -1.5719, 1e-4, true},
		{Counts{871, 26175, 55983, 26678, 821}, 0, 2, -4.98, .01, true},
		{Counts{34, 54, 63, 64, 75}, 0, 50, 7.985, .001, false},
	} {
		got := approximateLLR(tt.c, tt.elo0, tt.elo1)
		near(t, "approximation", got, tt.want, tt.unit)
		exact := SPRT{Model: Logistic, Elo0: tt.elo0, Elo1: tt.elo1}.LLR(tt.c)
		if (math.Abs(got-exact) < 1e-3) != tt.close {
			t.Errorf("%v: %g, approximately %g", tt.c, exact, got)
		}
	}
}

// approximateLLR is the logistic LLR as if the mean score were normally
// distributed.
func approximateLLR(c Counts, elo0, elo1 float64) float64 {
	mean, variance := c.Score()
	s0, s1 := ScoreOf(elo0), ScoreOf(elo1)
	return float64(c.N()) * (s1 - s0) * (2*mean - s0 - s1) / (2 * variance)
}

// TestLikeliestSlowly looks for a distribution that meets the hypothesis and is
// likelier, on a grid around the one found.
func TestLikeliestSlowly(t *testing.T) {
	p := []float64{.2, .5, .3}
	for _, model := range []Model{Normalized, Logistic} {
		test := SPRT{Model: model}
		q := test.likeliest(make(Counts, 3), p, 30)
		// Two constraints leave one degree of freedom: take q[1], solve the rest.
		likelihood := func(q []float64) (sum float64) {
			for i := range q {
				sum += p[i] * math.Log(q[i])
			}
			return sum
		}
		best := likelihood(q)
		for draw := q[1] - .01; draw < q[1]+.01; draw += 1e-5 {
			lo, hi := 0.0, 1-draw // wins, by bisection: the difference grows with them
			for range 60 {
				win := (lo + hi) / 2
				mean := win + draw/2
				deviation := math.Sqrt(win + draw/4 - mean*mean)
				elo := EloOf(mean)
				if model == Normalized {
					elo = (mean - .5) / deviation * nEloUnit
				}
				if elo < 30 {
					lo = win
				} else {
					hi = win
				}
			}
			if l := likelihood([]float64{1 - draw - lo, draw, lo}); l > best+1e-9 {
				t.Errorf("model %d: likelihood %.12f with %.5f draws, %.12f with %.5f found", model, l, draw, best, q[1])
			}
		}
	}
}

// TestFarBounds asks for differences that are far from any that the counts
// have: what is likeliest must keep to them.
func TestFarBounds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		c := make(Counts, 3+2*rnd.IntN(2))
		for i := range c {
			c[i] = rnd.IntN(100)
		}
		c[rnd.IntN(len(c))]++
		elo := 1000*rnd.Float64() - 500
		p := make([]float64, len(c))
		for i := range p {
			p[i] = max(float64(c[i]), 1e-3) / float64(c.N())
		}
		total := 0.0
		for _, x := range p {
			total += x
		}
		for i := range p {
			p[i] /= total
		}
		q := SPRT{Model: Normalized}.likeliest(c, p, elo)
		mean, square := 0.0, 0.0
		for i := range q {
			mean += q[i] * c.score(i)
			square += q[i] * c.score(i) * c.score(i)
		}
		got := (mean - 0.5) / math.Sqrt(square-mean*mean) / math.Sqrt(c.gamesPerItem()) * nEloUnit
		if !(math.Abs(got-elo) < 0.01) {
			t.Fatalf("%v: a distribution of %v has %v nElo, want %v", c, q, got, elo)
		}
	}
	if llr := (SPRT{Elo0: 200, Elo1: 350}).LLR(Counts{15, 9, 64, 21, 22}); !(llr < -3) {
		t.Errorf("LLR %v, want far below 0", llr)
	}
}

// TestBoundsOfElo: within its limits a test has a finite LLR of all counts at once,
// and the chance and length that it plans are finite.
func TestBoundsOfElo(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 0))
	for range 300 {
		test := SPRT{Model: Model(random.IntN(3)), Elo0: (2*random.Float64() - 1) * MaxElo, Elo1: MaxElo, Alpha: .05, Beta: .05}
		if random.IntN(2) == 0 {
			test.Elo1 = test.Elo0 + (MaxElo-test.Elo0)*random.Float64()
		}
		if random.IntN(4) == 0 {
			test.Elo0 = -MaxElo
		}
		if err := test.Check(); err != nil {
			t.Fatalf("%v: %v", test, err)
		}
		c := make(Counts, 5)
		if test.Model == Bayesian || random.IntN(2) == 0 {
			c = make(Counts, 3)
		}
		for range 1 + random.IntN(len(c)) {
			c[random.IntN(len(c))] = random.IntN(1_000_000)
		}
		if c.N() == 0 {
			c[1] = 1
		}
		if llr := test.LLR(c); math.IsNaN(llr) || math.IsInf(llr, 0) {
			t.Errorf("%v of %v: %v", test, c, llr)
		}
		if test.Model != Bayesian {
			pass, pairs := test.Plan(test.Elo0, .08)
			if !(pass >= 0 && pass <= 1 && pairs > 0) || math.IsInf(pairs, 0) {
				t.Errorf("%v: plan %v, %v", test, pass, pairs)
			}
		}
	}
	for _, far := range []float64{5001, 1e300, math.Inf(1), math.NaN()} {
		for _, test := range []SPRT{{Elo0: 0, Elo1: far, Alpha: .05, Beta: .05}, {Elo0: -far, Elo1: 0, Alpha: .05, Beta: .05}} {
			if test.Check() == nil {
				t.Errorf("%v passes", test)
			}
		}
	}
}
