package stats

import (
	"math"
	"testing"
)

// TestShiftedAnchors moves all anchors by the same amount: ratings move with
// them, and nothing else changes, however high the anchors are and whichever
// engine they leave free.
func TestShiftedAnchors(t *testing.T) {
	type rated struct {
		name string
		rate func(a Anchors) (*Ratings, error)
	}
	var models []rated
	for _, e := range []ErrorMethod{Clustered, Hessian, Bootstrap} {
		for _, first := range []bool{false, true} {
			models = append(models, rated{"score", func(a Anchors) (*Ratings, error) {
				return ScoreModel{Prior: DefaultPrior, Anchors: a, FirstMove: first, Errors: e, Resamples: 50}.Rate(3, pairs())
			}})
		}
	}
	for _, draw := range []float64{GomocupDrawElo, 200} {
		models = append(models, rated{"bayeselo", func(a Anchors) (*Ratings, error) {
			r, err := BayesElo{Prior: DefaultPrior, Anchors: a, DrawElo: draw}.Rate(3, pairs())
			if err != nil {
				return nil, err
			}
			return r.Printed(), nil
		}})
	}
	for _, m := range models {
		for _, anchors := range []Anchors{{1: 72, 2: 0}, {0: 0, 2: 0}, {1: 0}, {0: 100, 1: 300, 2: 50}, {0: 0, 2: 900}} {
			want, err := m.rate(anchors)
			if err != nil {
				t.Fatalf("%s, %v: %v", m.name, anchors, err)
			}
			for _, by := range []float64{1600, 3000, -2000, 1e6} {
				shifted := Anchors{}
				for i, elo := range anchors {
					shifted[i] = elo + by
				}
				r, err := m.rate(shifted)
				if err != nil {
					t.Fatalf("%s, %v: %v", m.name, shifted, err)
				}
				for i := range 3 {
					near(t, "Elo", r.Elo[i]-by, want.Elo[i], 1e-8)
					for j := range 3 {
						if r.Cov[i][j] != want.Cov[i][j] {
							t.Errorf("%s, %v: covariance %v, want %v", m.name, shifted, r.Cov, want.Cov)
						}
					}
				}
				if r.FirstMove != want.FirstMove {
					t.Errorf("%s, %v: first move %g, want %g", m.name, shifted, r.FirstMove, want.FirstMove)
				}
			}
		}
	}
}

// TestDistantAnchors has anchors so far apart that Newton's method does not
// begin near the free ratings.
func TestDistantAnchors(t *testing.T) {
	for _, apart := range []float64{1000, 3000, 5000, 8000} {
		a := Anchors{0: 1600, 2: 1600 + apart}
		r, err := ScoreModel{Prior: DefaultPrior, Anchors: a}.Rate(3, pairs())
		if err != nil {
			t.Errorf("score, %g apart: %v", apart, err)
			continue
		}
		if !(r.Elo[1] > 1600 && r.Elo[1] < 1600+apart) {
			t.Errorf("%g apart: %v", apart, r.Elo)
		}
		if b, err := (BayesElo{Prior: DefaultPrior, DrawElo: 100, Anchors: a}).Rate(3, pairs()); err != nil {
			t.Errorf("bayeselo, %g apart: %v", apart, err)
		} else if elo := b.Printed().Elo[1]; !(elo > 1600 && elo < 1600+apart) || math.IsNaN(elo) {
			t.Errorf("bayeselo, %g apart: %g", apart, elo)
		}
	}
}
