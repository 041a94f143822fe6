package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn/replay"
)

// randomSamples returns samples of random games under a rule.
func randomSamples(t testing.TB, r board.Rule, games int) *samples {
	t.Helper()
	c := &collector{share: 0.3, scale: 1, rng: rand.New(rand.NewPCG(1, 1))}
	s := testSettings
	s.Rule, s.Width, s.Height = r, 11, 11
	b, err := board.New(11, 11, r)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	var list []*replay.Game
	for range games {
		list = append(list, scatteredGame(rng, b))
	}
	if _, err := c.record(newBuffer(record(t, s, list))); err != nil {
		t.Fatal(err)
	}
	return &c.samples
}

// TestGradients compares both gradients with finite differences.
func TestGradients(t *testing.T) {
	for _, r := range []board.Rule{board.Freestyle, board.Renju} {
		s := randomSamples(t, r, 6)
		s.training.values.aim(0.4)
		checkGradient(t, r.String()+" values", newValueDesign(r), &s.training.values)
		checkGradient(t, r.String()+" orders", newOrderDesign(r), &s.training.orders)
	}
}

func checkGradient(t *testing.T, name string, d *design, s dataset) {
	t.Helper()
	if s.size() == 0 {
		t.Fatalf("%s: no samples", name)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	f := d.objective(s, 10)
	x := make([]float64, len(d.sigma))
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	grad, scratch := make([]float64, len(x)), make([]float64, len(x))
	f(x, grad)
	const h = 1e-5
	for range 60 {
		i := rng.IntN(len(x))
		for grad[i] == 0 {
			i = rng.IntN(len(x))
		}
		at := x[i]
		x[i] = at + h
		up := f(x, scratch)
		x[i] = at - h
		down := f(x, scratch)
		x[i] = at
		if want := (up - down) / (2 * h); math.Abs(grad[i]-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("%s: parameter %d: gradient %v, by differences %v", name, i, grad[i], want)
		}
	}
}

func TestMinimize(t *testing.T) {
	// A narrow valley, convex and with its least value 0 at 1, 2, 3 and so on.
	f := func(x, grad []float64) float64 {
		v := 0.0
		for i := range x {
			d := x[i] - float64(i+1)
			w := math.Pow(4, float64(i))
			v += w * (math.Cosh(d) - 1)
			grad[i] = w * math.Sinh(d)
		}
		return v
	}
	x := make([]float64, 6)
	steps := 0
	v := minimize(f, x, 200, 1e-9, func(int, float64) bool { steps++; return true })
	if v > 1e-12 || steps == 200 {
		t.Errorf("least value %v after %d steps at %v", v, steps, x)
	}
	for i := range x {
		if math.Abs(x[i]-float64(i+1)) > 1e-6 {
			t.Errorf("x[%d] = %v, want %d", i, x[i], i+1)
		}
	}
}

// TestValueLogit checks that the features give what the board's sums and the
// threat mask give.
func TestValueLogit(t *testing.T) {
	for _, r := range []board.Rule{board.Freestyle, board.Renju, board.Caro6} {
		hand := pattern.Hand(r)
		numbers := valueNumbers(hand)
		b, err := board.New(15, 15, r)
		if err != nil {
			t.Fatal(err)
		}
		b.SetWeights(hand.Weights())
		rng := rand.New(rand.NewPCG(4, 4))
		var v values
		v.tables = tablesOf(r)
		var n counts
		for range 40 {
			b.Place(emptyPoint(rng, b))
			v.add(b, outcome{}, &n)
			want := b.Value(b.Side()) - b.Value(b.Side().Opponent()) + int(hand.Threats[pattern.Threats(b)])
			if got := v.logit(numbers, v.size()-1) * pattern.Logit; math.Abs(got-float64(want)) > 1e-6 {
				t.Fatalf("%v: %v from the features, %v from the board\n%v", r, got, want, b)
			}
		}
	}
}

// TestOrderLogits checks the worth of candidates against package pattern's.
func TestOrderLogits(t *testing.T) {
	for _, r := range []board.Rule{board.Standard, board.Renju} {
		hand := pattern.Hand(r)
		order, numbers := hand.Order(), orderNumbers(hand)
		b, err := board.New(15, 15, r)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(5, 5))
		for range 40 {
			b.Place(emptyPoint(rng, b))
			m := nearPoint(rng, b)
			o := orders{tables: tablesOf(r)}
			o.add(b, m)
			if o.size() == 0 {
				continue // forbidden, or an open four to stop
			}
			z := o.logits(nil, numbers, 0)
			if got, want := z[o.chosen[0]]*pattern.Logit, order.Worth(b, m, b.Side()); math.Abs(got-float64(want)) > 1e-6 {
				t.Fatalf("%v: %v is worth %v to the dataset, %v to the search\n%v", r, m, got, want, b)
			}
		}
	}
}

func TestTarget(t *testing.T) {
	won, level := outcome{score: 100, proven: true, played: true}, outcome{score: 1, played: true, result: 1}
	for _, test := range []struct {
		o            outcome
		lambda, want float64
	}{
		{won, 1, 1},
		{won, 0, 0},
		{level, 1, 1 / (1 + math.Exp(-1))},
		{level, 0.25, 0.25/(1+math.Exp(-1)) + 0.75},
		{outcome{score: 1}, 0.25, 1 / (1 + math.Exp(-1))},
		{outcome{score: -100, proven: true, played: true, result: 0.5}, 0.5, 0.25},
	} {
		if got := test.o.target(test.lambda); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%+v with lambda %v: %v, want %v", test.o, test.lambda, got, test.want)
		}
	}
}

// TestRescale makes results from scores of a known scale and finds it again.
func TestRescale(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	const scale = 1.7
	var list []outcome
	for range 20000 {
		o := outcome{score: float32(rng.NormFloat64()), played: true}
		if rng.Float64() < sigmoid(scale*float64(o.score)) {
			o.result = 1
		}
		list = append(list, o, outcome{score: 50})
	}
	c := &collector{}
	c.rescale(list, nil)
	if got := c.scales[0]; math.Abs(got-scale) > 0.1 {
		t.Errorf("scale %v, want %v", got, scale)
	}
	if want := 50 * float32(c.scales[0]); list[1].score != want {
		t.Errorf("score %v after scaling, want %v", list[1].score, want)
	}
}

func TestHits(t *testing.T) {
	o := orders{tables: 1, ends: []int32{4}, attack: []uint16{0, 1, 2, 2}, defend: []uint16{3, 3, 3, 3}, chosen: []int32{2}}
	numbers := []float64{5, 1, 3, 0}
	for n, want := range []float64{0, 0, 0.5, 1, 1} {
		if got := o.hits(numbers, n); got != want {
			t.Errorf("among the first %d: %v, want %v", n, got, want)
		}
	}
}

// TestAlign checks that aligned worths keep their order and get the model's
// level.
func TestAlign(t *testing.T) {
	o := &randomSamples(t, board.Freestyle, 5).training.orders
	model := orderNumbers(pattern.Hand(board.Freestyle))
	rng := rand.New(rand.NewPCG(7, 7))
	worths := make([]float64, len(model))
	for i := range worths {
		worths[i] = rng.NormFloat64() - 5
	}
	before := o.logits(nil, worths, 0)
	align(worths, 0.5, o, model)
	after := o.logits(nil, worths, 0)
	if got, want := o.typical(worths, 10), o.typical(model, 10); math.Abs(got-want) > 1e-9 {
		t.Errorf("the tenth best move is worth %v, want %v", got, want)
	}
	for i := range before {
		if got, want := after[i]-after[0], (before[i]-before[0])/2; math.Abs(got-want) > 1e-9 {
			t.Errorf("moves differ by %v, want %v", got, want)
		}
	}
}
