package enginetest

import (
	"slices"
	"testing"

	"kumiko/engine/board"
)

// The judge agrees with the board about fives and legal moves. Board's own
// tests show that it is right.
func TestGrid(t *testing.T) {
	EachRandom(t, Scaled(300), func(t *testing.T, b *board.Board) {
		g := GridOf(b)
		if g.Full() != b.Full() {
			t.Errorf("full: %t, want %t\n%v", g.Full(), b.Full(), b)
		}
		for y := range b.Height() {
			for x := range b.Width() {
				m := board.Pt(x, y)
				if got, want := g.MayPlay(m), b.Legal(m); got != want {
					t.Errorf("legal %v: %t, want %t\n%v", m, got, want, b)
				}
				for c := board.Black; c <= board.White; c++ {
					if got, want := g.Wins(spot{X: x, Y: y}, Sign(c)), b.Empty(m) && b.Wins(m, c); got != want {
						t.Errorf("five of %v at %v: %t, want %t\n%v", c, m, got, want, b)
					}
				}
			}
		}
	})
}

// Properties of the judge's verdicts.
func TestGridVerdicts(t *testing.T) {
	const picture = `
		. . . . . . . . .
		. . . . . . . . .
		. . . X X X . . .
		. . . . . . . . .
		. . O . . . . . .
		. . O . O . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		black to move`
	b, _ := Parse(t, board.Freestyle, picture)
	g := GridOf(b)
	for plies, want := range map[int]bool{1: false, 2: false, 3: true, 5: true} {
		if got := g.WinsWithin(plies, nil); got != want {
			t.Errorf("black wins in %d plies: %t, want %t", plies, got, want)
		}
	}
	for _, c := range []struct {
		line string
		want string
	}{
		{"c3", ""},
		{"g3", ""},
		{"b3", "stone 1: b3 is answered by [c3]"},
		{"c3 b3", "stone 1: c3 wins, but the line goes on"},
		{"b3 c3", "no stone wins"},
		{"b3 g3", "stone 1: b3 is answered by c3, not g3"},
		{"a1", "stone 1: a1 is no four"},
		{"d3", "stone 1: d3 may not be played"},
	} {
		err := g.CheckFours(Words(t, c.line))
		if got := ""; err != nil {
			got = err.Error()
			if got != c.want {
				t.Errorf("%s: %q, want %q", c.line, got, c.want)
			}
		} else if c.want != "" {
			t.Errorf("%s: accepted, want %q", c.line, c.want)
		}
	}
	if got := g.Stops([]board.Move{board.Pt(2, 2)}); !slices.Contains(got, board.Pt(2, 2)) {
		t.Errorf("%v do not stop a five at c3", got)
	}
}

// Exact solves tiny endgames correctly.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		name, picture string
		want          int
	}{
		{"a five", `
			X X X X .
			O O O O X
			X O X O .
			O X O X O
			. O X O X
			black to move`, Decided - 1},
		{"two fives against one", `
			X X X X .
			X O O O O
			X O X O X
			X X O X O
			. O X O .
			white to move`, 2 - Decided},
		{"nothing", `
			X X O X .
			O O X X O
			X X O O X
			O X X O O
			X O O X .
			black to move`, 0},
	} {
		b, _ := Parse(t, board.Freestyle, c.picture)
		if got := NewExact(GridOf(b)).Value(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
