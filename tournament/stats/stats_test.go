package stats

import (
	"math"
	"slices"
	"testing"
)

// near fails unless got is want within half a unit of the last digit given.
func near(t *testing.T, what string, got, want, unit float64) {
	t.Helper()
	if !(math.Abs(got-want) <= unit*0.5000001) {
		t.Errorf("%s = %.8g, want %.8g", what, got, want)
	}
}

func TestEloOf(t *testing.T) {
	for s, e := range map[float64]float64{.25: -190.8485, .525: 17.3863, .55: 34.8601, .6: 70.4365,
		.75: 190.8485, .76: 200.2409, .9: 381.6970} {
		near(t, "EloOf", EloOf(s), e, 1e-4)
	}
	for e, s := range map[float64]float64{5: .5071951, 10: .5143872, 100: .6400650, 200: .7597469, 400: 10. / 11} {
		near(t, "ScoreOf", ScoreOf(e), s, 1e-7)
	}
}

// TestEstimates has the numbers of fastchess' tests and of logs of its users.
// For 34-356-0 fastchess prints a margin of 63.17; the formula gives 63.1645.
func TestEstimates(t *testing.T) {
	for _, tt := range []struct {
		c                            Counts
		elo, margin, nelo, nmgn, los float64
		losUnit                      float64
	}{
		{Counts{89, 123, 76}, -15.69, 30.46, -20.76, 40.13, .1553, 1e-4},
		{Counts{96, 111, 136}, 40.70, 30.43, 49.77, 36.77, .9960, 1e-4},
		{Counts{356, 0, 34}, -407.99, 63.16, -508.44, 34.48, 0, 1e-4},
		{Counts{34, 54, 63, 64, 75}, 55.58, 27.65, 57.94, 28.28, .99997, 1e-5},
		{Counts{332, 433, 498, 333, 334}, -8.64, 10.33, -9.17, 10.96, .0505, 1e-4},
		{Counts{7895, 8757, 5685, 568, 9999}, -21.04, 2.95, -19.01, 2.65, 0, 1e-4},
		{Counts{30, 6, 18, 0, 6}, -168.40, 73.37, -170.08, 62.16, 0, 1e-4},
		{Counts{172, 2752, 5656, 2885, 227}, 3.61, 2.48, 6.49, 4.45, .9979, 1e-4},
		{Counts{379, 10170, 21828, 10640, 343}, 1.59, 1.21, 3.05, 2.31, .9951, 1e-4},
		{Counts{20, 638, 1655, 782, 13}, 7.27, 4.31, 14.57, 8.64, .9995, 1e-4},
	} {
		near(t, "Elo", tt.c.Elo().Value, tt.elo, .01)
		near(t, "Elo margin", tt.c.Elo().Margin(), tt.margin, .01)
		near(t, "NElo", tt.c.NElo().Value, tt.nelo, .01)
		near(t, "NElo margin", tt.c.NElo().Margin(), tt.nmgn, .01)
		near(t, "LOS", tt.c.LOS(), tt.los, tt.losUnit)
	}
	e := Counts{34, 54, 63, 64, 75}.Elo()
	near(t, "low", e.Low, 28.276, .001)
	near(t, "high", e.High, 83.583, .001)
	near(t, "LOS", LOSWithoutDraws(880, 759), .9986, 1e-4)
	near(t, "LOS", LOSWithoutDraws(10, 0), .999217, 1e-6)
	near(t, "LOS", LOSWithoutDraws(76, 89), .155757, 1e-6)
}

func TestBounds(t *testing.T) {
	for _, tt := range [][4]float64{{.05, .05, -2.944439, 2.944439}, {.05, .10, -2.251292, 2.890372},
		{.1, .1, -2.197225, 2.197225}, {.01, .01, -4.595120, 4.595120}} {
		lower, upper := SPRT{Alpha: tt[0], Beta: tt[1]}.Bounds()
		near(t, "lower", lower, tt[2], 1e-6)
		near(t, "upper", upper, tt[3], 1e-6)
	}
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
}

func TestPlan(t *testing.T) {
	// Games at either hypothesis and in the middle.
	for width, want := range map[float64][2]float64{2: {159942, 261634}, 3: {71086, 116282}, 5: {25591, 41861},
		10: {6398, 10465}, 20: {1599, 2616}, 40: {400, 654}} {
		test := SPRT{Elo1: width, Alpha: .05, Beta: .05}
		for i, elo := range []float64{width, width / 2} {
			_, pairs := test.Plan(elo, 0)
			near(t, "games", 2*pairs, want[i], 1)
		}
	}
	// Van den Bergh's example: drawelo 327, openings worth -90 and 200. The
	// variance is that of the model; the frequencies given are rounded.
	variance := 2*.0159*.25 + 2*.2189*.0625
	test := SPRT{Logistic, 0, 10, .05, .05}
	for _, tt := range [][3]float64{{10, .9500, 904.5}, {0, .0500, 904.5}, {5, .5002, 1479.6},
		{2.5, .1867, 1260.0}, {-5, .0028, 499.7}} {
		pass, pairs := test.Plan(tt[0], variance)
		near(t, "pass", pass, tt[1], 1e-4)
		near(t, "pairs/1000", pairs/tt[2], 1, .002) // for the rounding
	}
}

func TestVerdict(t *testing.T) {
	test := SPRT{Normalized, 0, 10, .05, .05}
	for want, c := range map[Verdict]Counts{Undecided: {0, 0, 0, 0, 5550}, H1: {100, 200, 300, 400, 500},
		H0: {500, 400, 300, 200, 100}} {
		if got := test.Verdict(c); got != want {
			t.Errorf("%v: verdict %d, want %d", c, got, want)
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

func TestWarnings(t *testing.T) {
	for _, tt := range []struct {
		c    Counts
		want []error
	}{
		{Counts{34, 54, 63, 64, 75}, nil},
		{Counts{2, 0, 1000, 0, 12}, []error{ErrSplit}},
		{Counts{0, 0, 3}, []error{ErrFew, ErrUniform, ErrGames}},
	} {
		if got := tt.c.Warnings(); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.c, got, tt.want)
		}
	}
	if e := (Counts{0, 0, 3}).Elo(); !math.IsInf(e.Value, 1) || !math.IsNaN(e.Low) {
		t.Errorf("a score of 100 %%: %v", e)
	}
}

func TestPentanomial(t *testing.T) {
	c, split := Pentanomial([][2]Result{{2, 2}, {2, 0}, {0, 2}, {1, 1}, {0, 1}, {2, 1}})
	if !slices.Equal(c, Counts{0, 1, 3, 1, 1}) || split != 2 {
		t.Error(c, split)
	}
}
