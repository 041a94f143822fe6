package stats

import (
	"slices"
	"testing"
)

func TestPairing(t *testing.T) {
	p := Pairing{I: 0, J: 1, First: [3]int{1, 0, 0}, Second: [3]int{0, 1, 0}, Unknown: [3]int{0, 0, 2}}
	for _, r := range [][2]Result{{2, 2}, {2, 0}, {0, 2}, {1, 1}, {0, 1}, {2, 1}} {
		p.Pairs[r[0]][r[1]]++
	}
	c, split := p.Pentanomial()
	if !slices.Equal(c, Counts{0, 1, 3, 1, 1}) || split != 2 {
		t.Errorf("pairs %v, %d split", c, split)
	}
	if c := p.Games(); !slices.Equal(c, Counts{3 + 1, 4 + 1, 5 + 2}) {
		t.Errorf("games %v", c)
	}
}

// TestPrior spreads two draws for each engine over its games.
func TestPrior(t *testing.T) {
	results := []Pairing{{I: 0, J: 1, First: [3]int{2: 10}}, {I: 2, J: 0, Pairs: [3][3]int{2: {2: 15}}}, {I: 1, J: 2}}
	duels, err := duelsOf(3, results, 2)
	if err != nil {
		t.Fatal(err)
	}
	// Engine 0 played 40 games, engine 1 10 and engine 2 30.
	want := []duel{
		{0, 1, true, [3]float64{0, .5 * (10./40 + 1), 10}}, {1, 0, true, [3]float64{0, .5 * (10./40 + 1), 0}},
		{2, 0, true, [3]float64{0, .5 * (30./40 + 1), 15}}, {0, 2, true, [3]float64{15, .5 * (30./40 + 1), 0}},
	}
	if !slices.Equal(duels, want) {
		t.Errorf("%v, want %v", duels, want)
	}
}
