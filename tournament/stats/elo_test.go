package stats

import (
	"math"
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
}

// TestRatios has lines that fastchess and cutechess printed. Of the 5656 even
// pairs the line tells only the ratio of splits to draws.
func TestRatios(t *testing.T) {
	pairs := Counts{172, 2752, 5656, 2885, 227}
	near(t, "DrawRatio", pairs.DrawRatio(), .4837, 1e-4)
	near(t, "PairsRatio", pairs.PairsRatio(), 1.06, .01)
	near(t, "WLDDRatio", pairs.WLDDRatio(2695), .91, .01)
	games := Counts{759, 1863, 880}
	near(t, "DrawRatio", games.DrawRatio(), .532, .001)
	near(t, "Elo", games.Elo().Value, 12.0, .1)
	near(t, "Elo margin", games.Elo().Margin(), 7.9, .1)
}

// TestUniform has items of one outcome, which say nothing about errors.
func TestUniform(t *testing.T) {
	for _, c := range []Counts{{0, 0, 7}, {7, 0, 0}, {0, 0, 0, 0, 7}, {0, 0, 7, 0, 0}} {
		mean, _ := c.Score()
		if e := c.Elo(); e.Value != EloOf(mean) || !math.IsNaN(e.Low) || !math.IsNaN(e.High) {
			t.Errorf("%v: Elo %v", c, e)
		}
		if e := c.NElo(); !math.IsNaN(e.Value) || !math.IsNaN(e.Margin()) || !math.IsNaN(c.LOS()) {
			t.Errorf("%v: nElo %v, LOS %v", c, e, c.LOS())
		}
	}
	if EloOf(0) != math.Inf(-1) || EloOf(1) != math.Inf(1) {
		t.Error("scores of 0 and 1 are finite")
	}
}
