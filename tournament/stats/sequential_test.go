package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPrefix(t *testing.T) {
	for _, tt := range []struct {
		decided []bool
		want    int
	}{
		{nil, 0}, {[]bool{false, true}, 0}, {[]bool{true, true, false, true}, 2}, {[]bool{true, true}, 2},
	} {
		if got := Prefix(tt.decided); got != tt.want {
			t.Errorf("%v: %d, want %d", tt.decided, got, tt.want)
		}
	}
}

// TestOrder lets equal engines play 32 pairs at once, of which those take five
// times as long that the first engine loses. A test of 0 against 40 Elo that
// counts pairs as they end accepts H1 far too often. One that counts the prefix
// of the schedule does so hardly more often than the 5 % it promises, and as
// often as if pairs were played one by one.
func TestOrder(t *testing.T) {
	const runs = 2000
	random := rand.New(rand.NewPCG(1, 2))
	accepted := func(concurrency int, inOrder bool) float64 {
		n := 0
		for range runs {
			if simulate(random, concurrency, 5, inOrder) == H1 {
				n++
			}
		}
		return float64(n) / runs
	}
	alone, ended, scheduled := accepted(1, false), accepted(32, false), accepted(32, true)
	t.Logf("H1 accepted: %.3f one by one, %.3f in order of ends, %.3f in order of the schedule", alone, ended, scheduled)
	if ended < .3 || math.Abs(alone-.055) > .015 || math.Abs(scheduled-.055) > .015 {
		t.Error("the orders do not differ as they should")
	}
}

// simulate plays pairs until a test decides, many at once. On average a pair
// takes from 1, for two wins, to slow, for two losses.
func simulate(random *rand.Rand, concurrency int, slow float64, inOrder bool) Verdict {
	chances := Book{30, []float64{100}}.Pairs(0)
	lower, upper := SPRT{Alpha: .05, Beta: .05}.Bounds()
	var outcomes []int
	var decided []bool
	pairs, ends := make([]int, concurrency), make([]float64, concurrency)
	start := func(slot int, now float64) {
		outcome := 0
		for x := random.Float64() - chances[0]; x > 0 && outcome < 4; x -= chances[outcome] {
			outcome++
		}
		pairs[slot], ends[slot] = len(outcomes), now+(slow-(slow-1)*float64(outcome)/4)*random.ExpFloat64()
		outcomes, decided = append(outcomes, outcome), append(decided, false)
	}
	for slot := range pairs {
		start(slot, 0)
	}
	c := make(Counts, 5)
	counted := 0
	for {
		slot := 0
		for i, end := range ends {
			if end < ends[slot] {
				slot = i
			}
		}
		decided[pairs[slot]] = true
		fresh := []int{outcomes[pairs[slot]]}
		if inOrder {
			n := Prefix(decided[counted:])
			fresh = outcomes[counted : counted+n]
			counted += n
		}
		for _, outcome := range fresh {
			c[outcome]++
			if c.N() < 10 || c.distinct() < 2 {
				continue
			}
			if llr := approximateLLR(c, 0, 40); llr <= lower {
				return H0
			} else if llr >= upper {
				return H1
			}
		}
		start(slot, ends[slot])
	}
}

// TestOvershoot tests walks whose steps are half as wide as the bounds,
// drawn under H0 and so often wrong by chance alone. Wald's bounds are passed
// by far, and so too rarely; the closer ones come near the error they promise.
func TestOvershoot(t *testing.T) {
	const runs, step = 20000, 1.5
	test := SPRT{Normalized, 0, 5, .05, .05}
	random := rand.New(rand.NewPCG(3, 4))
	wrong := func(correct bool) float64 {
		n := 0
		for range runs {
			var o Overshoot
			lower, upper := test.Bounds()
			for llr := 0.0; ; {
				// An LLR's drift is half its variance.
				llr += step*random.NormFloat64() - step*step/2
				o.Add(llr)
				if correct {
					lower, upper = o.Bounds(test)
				}
				if llr <= lower || llr >= upper {
					if llr >= upper {
						n++
					}
					break
				}
			}
		}
		return float64(n) / runs
	}
	plain, corrected := wrong(false), wrong(true)
	t.Logf("H1 accepted: %.4f at Wald's bounds, %.4f at closer ones", plain, corrected)
	if plain > .03 || corrected < .03 || corrected > .07 {
		t.Error("the bounds do not differ as they should")
	}
}

func TestOvershootRecords(t *testing.T) {
	var o Overshoot
	for _, llr := range []float64{1, .5, 1.5, -2, 4, 3, -3} {
		o.Add(llr)
	}
	low, high := o.Excess()
	near(t, "low", low, (2*2+1*1)/(2*3.), 1e-12)             // to -2 and -3
	near(t, "high", high, (1*1+.5*.5+2.5*2.5)/(2*4.), 1e-12) // to 1, 1.5 and 4
	lower, upper := o.Bounds(SPRT{Alpha: .05, Beta: .05})
	near(t, "lower", lower, -math.Log(19)+low, 1e-12)
	near(t, "upper", upper, math.Log(19)-high, 1e-12)
	if low, high := new(Overshoot).Excess(); low != 0 || high != 0 {
		t.Errorf("no records: %g, %g", low, high)
	}
}
