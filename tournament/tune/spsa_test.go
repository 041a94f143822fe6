package tune

import (
	"math"
	"slices"
	"testing"
)

func testSPSA(pairs int) spsaSettings {
	return spsaSettings{Pairs: pairs, Batch: 16, R: 0.01, Alpha: 0.602, Gamma: 0.101, A: 0.1}
}

// TestSPSA climbs a hill on which the defaults are 84 Elo below the top.
func TestSPSA(t *testing.T) {
	params := testParams()
	if loss := testHill.loss(defaults(params)); loss < 50 {
		t.Fatalf("the defaults lose only %.1f Elo", loss)
	}
	for seed := range uint64(3) {
		m := newSPSA(seed, params, testSPSA(10_000))
		testHill.play(m, math.MaxInt)
		if m.done() != 10_000 || m.next(1) != nil {
			t.Errorf("seed %d: %d pairs, want 10000 and no more", seed, m.done())
		}
		last, average := testHill.loss(m.result()), testHill.loss(rounded(params, m.average()))
		t.Logf("seed %d: %v, %.1f; Elo lost: %.1f and %.1f", seed, m.result(), m.average(), last, average)
		if last > 10 || average > 5 {
			t.Errorf("seed %d: %v, %.1f lose %.1f and %.1f Elo, want at most 10 and 5", seed, m.result(), m.average(), last, average)
		}
	}
}

// TestSPSAFormula compares a run with the formulas of fishtest, one pair at a
// time, in the units of each parameter.
func TestSPSAFormula(t *testing.T) {
	params := testParams()
	s := testSPSA(50)
	s.Batch = 1
	m := newSPSA(3, params, s)
	theta := []float64{50, 40, 200}
	for k := 1; k <= s.Pairs; k++ {
		pairs := m.next(1)
		signs := slices.Clone(m.batch[0])
		scores := []int{(k * 7) % 5}
		m.take(scores)
		for i, p := range params {
			n, start := float64(s.Pairs), s.A*float64(s.Pairs)
			cEnd, aEnd := p.Step, s.R*p.Step*p.Step
			c := cEnd * math.Pow(n, s.Gamma) / math.Pow(float64(k), s.Gamma)
			a := aEnd * math.Pow(start+n, s.Alpha) / math.Pow(start+float64(k), s.Alpha)
			for sign, v := range map[float64]int{1: pairs[0].a[i], -1: pairs[0].b[i]} {
				x := clip(theta[i]+sign*c*signs[i], float64(p.Min), float64(p.Max))
				if f := float64(v); f < math.Floor(x) || f > math.Ceil(x) {
					t.Fatalf("pair %d: %s %d is not %.3f rounded", k, p.Name, v, x)
				}
			}
			theta[i] += a / (c * c) * c * signs[i] * float64(scores[0]-2)
			theta[i] = clip(theta[i], float64(p.Min), float64(p.Max))
			if math.Abs(theta[i]-m.theta[i]) > 1e-9*theta[i] {
				t.Fatalf("pair %d: %s is %v, want %v", k, p.Name, m.theta[i], theta[i])
			}
		}
	}
}

// TestPerturb checks that rounding is fair, that both players are rounded
// alike, and that bounds hold.
func TestPerturb(t *testing.T) {
	params := []param{{"HistoryShift", 7, 5, 9, 0.5}, {"LeafFours", 12, 2, 40, 1.3}, {"CountBase", 1, 1, 20, 3}}
	m := newSPSA(1, params, testSPSA(100))
	m.theta = []float64{7.3, 20.25, 1}
	const n = 20_000
	sums := make([]float64, len(params))
	ups := make([]int, len(params))
	for k := range n {
		d, pair := m.perturb(k, 1)
		for i, p := range params {
			a, b := float64(pair.a[i]), float64(pair.b[i])
			sums[i] += (a + b) / 2
			if d[i] > 0 {
				ups[i]++
			}
			if min(a, b) < float64(p.Min) || max(a, b) > float64(p.Max) {
				t.Fatalf("%s: %v and %v", p.Name, a, b)
			}
			if want := 2 * p.Step; i < 2 && math.Abs((a-b)*d[i]-want) >= 1 {
				t.Fatalf("%s: %v and %v, want a difference of %v, rounded", p.Name, a, b, want)
			}
		}
	}
	for i, want := range []float64{7.3, 20.25, 2.5} { // the last is 4 or, clipped, 1
		if mean := sums[i] / n; math.Abs(mean-want) > 0.02 {
			t.Errorf("%s: mean %v, want %v", params[i].Name, mean, want)
		}
		if math.Abs(float64(ups[i])-n/2) > 4*math.Sqrt(n)/2 {
			t.Errorf("%s: %d of %d signs are positive", params[i].Name, ups[i], n)
		}
	}
}

// TestAverage compares the average with the mean over a list of all θ.
func TestAverage(t *testing.T) {
	for _, pairs := range []int{1, 33, 64, 101} {
		m := newSPSA(1, testParams(), testSPSA(pairs))
		var list []float64 // θ of the first parameter after each pair
		for {
			before := m.done()
			testHill.play(m, before+1)
			if m.done() == before {
				break
			}
			for range m.done() - before {
				list = append(list, m.theta[0])
			}
		}
		list = list[pairs/2:]
		sum := 0.0
		for _, x := range list {
			sum += x
		}
		if got, want := m.average()[0], sum/float64(len(list)); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d pairs: average %v, want %v", pairs, got, want)
		}
	}
}
