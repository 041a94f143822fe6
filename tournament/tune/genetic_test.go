package tune

import (
	"math"
	"slices"
	"testing"
)

func testGenetic() geneticSettings {
	return geneticSettings{Population: 64, Pairs: 4, Elites: 4, Immigrants: 2, Tournament: 3, Mutation: 0.1, Sigma: 2}
}

// TestGenetic climbs a hill on which the defaults are 84 Elo below the top.
func TestGenetic(t *testing.T) {
	for seed := range uint64(3) {
		m := newGenetic(seed, testParams(), testGenetic())
		testHill.play(m, 40*64*4)
		loss := testHill.loss(m.result())
		t.Logf("seed %d: %v loses %.1f Elo, the best %.1f", seed, m.result(), loss, testHill.loss(m.champion.values))
		if m.generation != 40 || loss > 10 {
			t.Errorf("seed %d: %v after %d generations loses %.1f Elo, want at most 10 after 40", seed, m.result(), m.generation, loss)
		}
	}
}

// TestGenerations looks at what every generation must have.
func TestGenerations(t *testing.T) {
	params, s := testParams(), testGenetic()
	m := newGenetic(1, params, s)
	if !slices.Equal(m.members[0].values, defaults(params)) {
		t.Error("the defaults are not in the first generation")
	}
	for g := range 20 {
		pairs := m.next(1)
		if len(pairs) != s.Population*s.Pairs {
			t.Fatalf("generation %d: %d pairs", g, len(pairs))
		}
		againstDefaults := 0
		for i, p := range pairs {
			if want := uint64(g*s.Pairs + i%s.Pairs); p.number != want {
				t.Fatalf("generation %d: pair %d of a member has number %d, want %d", g, i%s.Pairs, p.number, want)
			}
			if slices.Equal(p.b, defaults(params)) {
				againstDefaults++
			} else if slices.Equal(p.a, p.b) {
				t.Errorf("generation %d: %v plays itself", g, p.a)
			}
		}
		if againstDefaults < len(pairs)/2 || g > 1 && againstDefaults > len(pairs)*3/4 {
			t.Errorf("generation %d: %d of %d pairs are against the defaults", g, againstDefaults, len(pairs))
		}
		before := slices.Clone(m.members)
		scores, err := testHill.arena(1).play(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		m.take(scores)
		checkGeneration(t, m, before)
	}
}

// checkGeneration checks the generation after one with the members before.
func checkGeneration(t *testing.T, m *genetic, before []member) {
	t.Helper()
	if len(m.members) != m.Population || len(m.hall) > hallSize {
		t.Fatalf("%d members, %d former champions", len(m.members), len(m.hall))
	}
	for i, x := range m.members {
		for k, p := range m.params {
			if x.values[k] < p.Min || x.values[k] > p.Max {
				t.Errorf("%s is %d", p.Name, x.values[k])
			}
		}
		if i >= m.Elites {
			if x.pairs != 0 || x.sum != 0 {
				t.Errorf("member %d is new and has %d pairs", i, x.pairs)
			}
			continue
		}
		if i > 0 && m.fitness(&x) > m.fitness(&m.members[i-1]) {
			t.Errorf("elite %d is fitter than the one before it", i)
		}
		if !slices.ContainsFunc(before, func(y member) bool {
			return slices.Equal(x.values, y.values) && x.pairs == y.pairs+m.Pairs && x.sum >= y.sum-1
		}) {
			t.Errorf("elite %d, with a sum of %v in %d pairs, was none before", i, x.sum, x.pairs)
		}
	}
	if c := m.hall[len(m.hall)-1]; !slices.Equal(c, m.members[0].values) || !slices.Equal(c, m.champion.values) {
		t.Error("the best is not the last champion")
	}
}

// TestFitness checks that scores against champions are worth what they would
// be against the defaults, and that few games count little.
func TestFitness(t *testing.T) {
	params := testParams()
	m := newGenetic(1, params, geneticSettings{Population: 2, Pairs: 4, Elites: 1, Tournament: 1, Sigma: 1})
	m.hall = [][]int{{1, 2, 3}}
	m.members = []member{{values: []int{4, 5, 6}, pairs: 4, sum: 3}, {values: []int{1, 2, 3}}}
	m.take([]int{4, 0, 2, 3, 4, 3, 2, 3})
	// The first scored 6/8 against the defaults and 3/8 against the champion.
	// The second is the champion, scored 12/16 against the defaults, so that the
	// champion's advantage is 18/24-3/8 = 3/8, and the mean of all pairs ¾. The
	// first had 4 pairs of ¾ before.
	want := (3 + 1.5 + 1.5 + 0.75*priorPairs) / (8 + priorPairs)
	if m.champion.pairs != 8 || math.Abs(m.fitness(&m.champion)-want) > 1e-12 {
		t.Errorf("fitness %v of %d pairs, want %v of 8", m.fitness(&m.champion), m.champion.pairs, want)
	}
}

// TestChild checks crossover and mutation alone.
func TestChild(t *testing.T) {
	params := testParams()
	s := testGenetic()
	s.Mutation = 0
	m := newGenetic(1, params, s)
	m.members = []member{{values: []int{31, 1, 101}}, {values: []int{32, 2, 102}}, {values: []int{33, 3, 103}}}
	rng := newRand(1, geneticStream, 1)
	const n = 4000
	counts := make(map[[2]int]int) // by gene and parent
	best := 0
	for range n {
		for i, v := range m.child(rng) {
			counts[[2]int{i, v % 10}]++
		}
		if m.parent(rng)[0] == 31 {
			best++
		}
	}
	// The best of three of three is the best in 1-(2/3)³ of all cases.
	for _, c := range []int{counts[[2]int{0, 1}], counts[[2]int{2, 1}], best} {
		if p := float64(c) / n; math.Abs(p-19./27) > 0.03 {
			t.Errorf("the best is a parent in %.3f of all cases, want %.3f", p, 19./27)
		}
	}
	changed, squares := 0, 0.0
	for range n {
		values := []int{80, 50, 500}
		m.mutate(rng, values, 0.25)
		if d := float64(values[2] - 500); d != 0 {
			changed++
			squares += d * d
		}
	}
	if p := float64(changed) / n; math.Abs(p-0.25) > 0.03 {
		t.Errorf("%.3f of the genes were mutated, want 0.25", p)
	}
	if d := math.Sqrt(squares / float64(changed)); math.Abs(d-100) > 10 { // 2 steps of 50
		t.Errorf("mutations have a standard deviation of %.1f, want 100", d)
	}
}

// TestFew breeds where there are few different members.
func TestFew(t *testing.T) {
	s := testGenetic()
	s.Mutation = 0
	m := newGenetic(1, []param{{"HistoryShift", 7, 5, 9, 0.5}}, s)
	testHill := hill{best: []int{8}, elo: []float64{50}, steps: []float64{1}}
	testHill.play(m, 10*64*4)
	if m.result()[0] != 8 {
		t.Errorf("the best of five values is %d, want 8", m.result()[0])
	}
}
