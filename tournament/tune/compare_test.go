package tune

import (
	"math"
	"os"
	"testing"

	"kumiko/engine"
)

// newHill returns a hill for parameters, with its top at random places about
// two steps from the defaults, which lose so many Elo.
func newHill(seed uint64, params []param, elo float64) hill {
	rng := newRand(seed, 0, 0)
	var h hill
	for _, p := range params {
		x := float64(p.Default) + rng.NormFloat64()*2*p.Step
		h.best = append(h.best, int(math.Round(clip(x, float64(p.Min), float64(p.Max)))))
		h.steps = append(h.steps, p.Step)
		h.elo = append(h.elo, rng.ExpFloat64())
	}
	loss := h.loss(defaults(params))
	for i := range h.elo {
		h.elo[i] *= elo / loss
	}
	return h
}

// TestCompare lets the methods climb hills of all parameters, which are 40 Elo
// high, with their default settings and equal numbers of games. That takes some
// seconds of a machine that has nothing else to do.
func TestCompare(t *testing.T) {
	if os.Getenv("KUMIKO_LONG") == "" {
		t.Skip("set KUMIKO_LONG=1 to run it")
	}
	params, err := parseParams("", engine.Params(engine.ByTables))
	if err != nil {
		t.Fatal(err)
	}
	const hills = 10
	for _, pairs := range []int{10_000, 20_000, 40_000} {
		var last, average, bred float64
		for seed := range uint64(hills) {
			h := newHill(seed, params, 40)
			climb := newSPSA(seed, params, spsaSettings{Pairs: pairs, Batch: 16, R: 0.002, Alpha: 0.602, Gamma: 0.101, A: 0.1})
			h.play(climb, math.MaxInt)
			last += h.loss(climb.result()) / hills
			average += h.loss(rounded(params, climb.average())) / hills
			breed := newGenetic(seed, params, geneticSettings{Population: 256, Pairs: 2, Elites: 4, Immigrants: 2, Tournament: 3, Mutation: 0.05, Sigma: 2})
			h.play(breed, pairs)
			bred += h.loss(breed.result()) / hills
		}
		t.Logf("%d games: spsa gains %.1f Elo, its average %.1f, genetic %.1f", 2*pairs, 40-last, 40-average, 40-bred)
		if last > 30 || average > 30 || bred > 35 {
			t.Errorf("%d games are not enough to gain anything", 2*pairs)
		}
	}
}
