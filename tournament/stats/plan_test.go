package stats

import (
	"math"
	"testing"
)

// TestPlanNormalized has the games at either hypothesis and in the middle.
func TestPlanNormalized(t *testing.T) {
	for width, want := range map[float64][2]float64{2: {159942, 261634}, 3: {71086, 116282}, 5: {25591, 41861},
		10: {6398, 10465}, 20: {1599, 2616}, 40: {400, 654}} {
		test := SPRT{Elo1: width, Alpha: .05, Beta: .05}
		for elo, games := range map[float64]float64{0: want[0], width / 2: want[1], width: want[0]} {
			_, pairs := test.Plan(elo, 0)
			near(t, "games", 2*pairs, games, 1)
		}
	}
}

// TestPlanLogistic is Van den Bergh's example of a book.
func TestPlanLogistic(t *testing.T) {
	book := book{327, []float64{-90, 200}}
	pairs := book.pairs(0)
	for i, want := range []float64{.0159, .2189, .5303, .2189, .0159} {
		near(t, "pair", pairs[i], want, 1e-4)
	}
	test := SPRT{Logistic, 0, 10, .05, .05}
	for _, tt := range [][3]float64{{10, .9500, 904.5}, {0, .0500, 904.5}, {5, .5002, 1479.6},
		{2.5, .1867, 1260.0}, {-5, .0028, 499.7}} {
		pass, n := test.Plan(tt[0], variance(pairs))
		near(t, "pass", pass, tt[1], 1e-4)
		near(t, "pairs", n, tt[2], .1)
	}
}

// TestBook has what pairs buy where openings are worth b: the chances of pairs
// and of draws, and the variance of pairs over that of games, which for 200 is
// .7151 (a table gives it as .71, its text as .72).
func TestBook(t *testing.T) {
	for _, tt := range [][8]float64{
		{0, .209, .079, .425, .079, .209, .086, 1},
		{100, .193, .073, .469, .073, .193, .079, .92},
		{200, .153, .059, .576, .059, .153, .063, .72},
		{400, .069, .028, .806, .028, .069, .029, .31},
		{700, .014, .006, .959, .006, .014, .006, .06},
	} {
		for _, sign := range []float64{1, -1} {
			book := book{30, []float64{sign * tt[0]}}
			pairs, games := book.pairs(0), book.games(0)
			for i, p := range pairs {
				near(t, "pair", p, tt[1+i], .001)
			}
			near(t, "draws", games[1], tt[6], .001)
			near(t, "variance", 2*variance(pairs)/variance(games), tt[7], .01)
		}
	}
	games := book{327, []float64{0}}.games(0)
	near(t, "losses", games[0], .132118, 1e-6)
	near(t, "draws", games[1], .735765, 1e-6)
	near(t, "wins", games[2], .132118, 1e-6)
}

// TestBookSlowly sums over all games of all pairs.
func TestBookSlowly(t *testing.T) {
	b, elo := book{60, []float64{-50, 10, 170}}, 35.
	chance := func(first float64, result int) float64 {
		win, loss := 1/(1+math.Pow(10, (60-first)/400)), 1/(1+math.Pow(10, (60+first)/400))
		return []float64{loss, 1 - win - loss, win}[result]
	}
	pairs, games := make([]float64, 5), make([]float64, 3)
	for _, bias := range b.biases {
		for r := range 3 {
			for s := range 3 { // by the other engine, which moves first
				p := chance(bias+elo, r) * chance(bias-elo, s) / 3
				pairs[r+2-s] += p
				games[r] += p / 2
				games[2-s] += p / 2
			}
		}
	}
	for i, p := range b.pairs(elo) {
		near(t, "pair", p, pairs[i], 1e-12)
	}
	for i, p := range b.games(elo) {
		near(t, "game", p, games[i], 1e-12)
	}
}
