package board

import (
	"math/rand/v2"
	"testing"
)

func TestSymmetry(t *testing.T) {
	//	a1 on a 15x15 board, and its neighbor b1, go to
	for sym, want := range [][2]string{
		{"a1", "b1"},
		{"o1", "n1"},
		{"a15", "b15"},
		{"o15", "n15"},
		{"a1", "a2"},
		{"a15", "a14"},
		{"o1", "o2"},
		{"o15", "o14"},
	} {
		for i, m := range []Move{Pt(0, 0), Pt(1, 0)} {
			if got := Symmetry(m, 15, 15, sym); got.String() != want[i] {
				t.Errorf("symmetry %d takes %v to %v, want %v", sym, m, got, want[i])
			}
		}
	}
	for _, size := range [][2]int{{15, 15}, {5, 5}, {32, 32}, {20, 15}, {5, 32}} {
		w, h := size[0], size[1]
		if got, want := Symmetries(w, h), map[bool]int{true: 8, false: 4}[w == h]; got != want {
			t.Errorf("%dx%d has %d symmetries, want %d", w, h, got, want)
		}
		for sym := range Symmetries(w, h) {
			if got := Symmetry(NoMove, w, h, sym); got != NoMove {
				t.Errorf("symmetry %d takes NoMove to %v", sym, got)
			}
			seen := map[Move]bool{}
			for y := range h {
				for x := range w {
					m := Symmetry(Pt(x, y), w, h, sym)
					if m.X() >= w || m.Y() >= h || seen[m] {
						t.Errorf("%dx%d, symmetry %d: %v is off the board or repeated",
							w, h, sym, m)
					}
					seen[m] = true
					if back := Symmetry(m, w, h, InverseSymmetry(sym)); back != Pt(x, y) {
						t.Errorf("%dx%d: %v under symmetry %d and back is %v", w, h, Pt(x, y), sym, back)
					}
				}
			}
		}
	}
}

// What a stone would do is the same on a mirrored or turned board.
func TestSymmetryOfRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for rule := range Rule(NumRules) {
		for _, size := range [][2]int{{15, 15}, {11, 11}, {20, 9}} {
			w, h := size[0], size[1]
			b, err := New(w, h, rule)
			if err != nil {
				t.Fatal(err)
			}
			for density := range 10 {
				if err := b.Setup(randomStones(rng, w, h, density), Black); err != nil {
					t.Fatal(err)
				}
				for sym := range Symmetries(w, h) {
					checkSymmetry(t, b, sym)
				}
			}
		}
	}
}

// randomStones covers density tenths of a board.
func randomStones(rng *rand.Rand, w, h, density int) []Stone {
	var stones []Stone
	for y := range h {
		for x := range w {
			if rng.IntN(10) < density {
				stones = append(stones, Stone{Pt(x, y), Cell(1 + rng.IntN(9)%4%3)})
			}
		}
	}
	return stones
}

func checkSymmetry(t *testing.T, b *Board, sym int) {
	w, h := b.Width(), b.Height()
	turned := b.Clone()
	stones := stonesOf(b)
	for i := range stones {
		stones[i].Move = Symmetry(stones[i].Move, w, h, sym)
	}
	if err := turned.Setup(stones, b.Side()); err != nil {
		t.Fatal(err)
	}
	for m := range emptyPoints(b) {
		s := Symmetry(m, w, h, sym)
		if b.Forbidden(m) != turned.Forbidden(s) {
			t.Errorf("forbidden at %v: %v, but %v at %v under symmetry %d\n%v", m, b.Forbidden(m), turned.Forbidden(s), s, sym, b)
		}
		for c := Black; c <= White; c++ {
			if b.Shape(m, c) != turned.Shape(s, c) || b.Wins(m, c) != turned.Wins(s, c) {
				t.Errorf("%v: shape of %v at %v: %v, but %v at %v under symmetry %d\n%v",
					b.Rule(), c, m, b.Shape(m, c), turned.Shape(s, c), s, sym, b)
			}
		}
	}
	for c := Black; c <= White; c++ {
		for s := range Shape(NumShapes) {
			if b.Count(c, s) != turned.Count(c, s) {
				t.Errorf("%d points with shape %d, but %d under symmetry %d", b.Count(c, s), s, turned.Count(c, s), sym)
			}
		}
	}
}
