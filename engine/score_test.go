package engine

import "testing"

func TestScore(t *testing.T) {
	for _, c := range []struct {
		score Score
		text  string
		plies int
		ok    bool
	}{
		{0, "0", 0, false},
		{17, "17", 0, false},
		{-250, "-250", 0, false},
		{maxEval, "28999", 0, false},
		{-maxEval, "-28999", 0, false},
		{mateIn(1), "+M1", 1, true},
		{mateIn(15), "+M15", 15, true},
		{mateIn(1000), "+M1000", 1000, true},
		{MateBound, "+M1000", 1000, true},
		{matedIn(2), "-M2", -2, true},
		{matedIn(40), "-M40", -40, true},
		{-MateBound, "-M1000", -1000, true},
	} {
		if got := c.score.String(); got != c.text {
			t.Errorf("%d: %q, want %q", int(c.score), got, c.text)
		}
		if plies, ok := c.score.Mate(); plies != c.plies || ok != c.ok {
			t.Errorf("%d: mate in %d, %t; want %d, %t", int(c.score), plies, ok, c.plies, c.ok)
		}
	}
}

// A score for one side is the negation of that for the other, and shorter wins
// are worth more.
func TestScoreOrder(t *testing.T) {
	for n := 1; n <= maxPly+4; n++ {
		if mateIn(n) != -matedIn(n) {
			t.Errorf("a win in %d plies is worth %d, suffering it %d", n, mateIn(n), matedIn(n))
		}
		if mateIn(n) <= mateIn(n+1) || matedIn(n) >= matedIn(n+1) {
			t.Errorf("%d plies are worth no more than %d", n, n+1)
		}
		if plies, ok := mateIn(n).Mate(); plies != n || !ok {
			t.Errorf("a win in %d plies reads as %d, %t", n, plies, ok)
		}
		if mateIn(n) < MateBound || mateIn(n) >= infinite {
			t.Errorf("a win in %d plies is worth %d", n, mateIn(n))
		}
	}
}
