package board

import (
	"math/rand/v2"
	"testing"
)

// TestPlanes compares the planes of random positions, one after the other in the same
// memory, with what the board says of every point.
func TestPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var p Planes
	forbidden, white, last := 0, 0, 0
	for range 60 {
		b, err := New(5+rng.IntN(16), 5+rng.IntN(16), Rule(rng.IntN(NumRules)))
		if err != nil {
			t.Fatal(err)
		}
		for range rng.IntN(b.width * b.height) {
			m := Pt(rng.IntN(b.width), rng.IntN(b.height))
			switch {
			case !b.Legal(m):
			case b.side == White && rng.IntN(2) == 0:
				b.Pass() // more stones of black, which has the forbidden points
			default:
				b.Place(m)
			}
		}
		if b.Ply() > 0 && rng.IntN(2) == 0 {
			b.Undo()
		}
		p.Set(b)
		if p.Width != b.Width() || p.Height != b.Height() || len(p.Data) != p.Width*p.Height*PlaneChannels {
			t.Fatalf("%d numbers of %dx%d, want those of %dx%d", len(p.Data), p.Width, p.Height, b.Width(), b.Height())
		}
		for i := range p.Width * p.Height {
			m := Pt(i%p.Width, i/p.Width)
			var want [PlaneChannels]float32
			if c := b.At(m); c == b.Side().Stone() {
				want[0] = 1
			} else if c == b.Side().Opponent().Stone() {
				want[1] = 1
			}
			if m == b.Last() {
				want[2] = 1
				last++
			}
			want[3] = 1
			if b.Side() == White {
				want[3] = 0.5
				white++
			}
			if b.Empty(m) && b.Forbidden(m) != NotForbidden {
				want[3] = -want[3]
				forbidden++
			}
			if got := [PlaneChannels]float32(p.Data[i*PlaneChannels:]); got != want {
				t.Fatalf("%v: %v, want %v\n%v", m, got, want, b)
			}
		}
	}
	if forbidden == 0 || white == 0 || last == 0 {
		t.Errorf("%d forbidden points, %d with white to move, %d last moves", forbidden, white, last)
	}
	b, _ := New(15, 15, Renju)
	if n := testing.AllocsPerRun(10, func() { p.Set(b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
