package board

import (
	"strings"
	"testing"
)

// A position is the part that the records in testdata have in common.
// Points are written like h8.
type position struct {
	ID     string
	Rule   string
	Size   int
	ToMove string `json:"to_move"`
	Black  []string
	White  []string
}

// board sets the position up.
func (p *position) board(t testing.TB) *Board {
	t.Helper()
	rule, err := ParseRule(p.Rule)
	if err != nil {
		t.Fatalf("%s: %v", p.ID, err)
	}
	b, err := New(p.Size, p.Size, rule)
	if err != nil {
		t.Fatalf("%s: %v", p.ID, err)
	}
	var stones []Stone
	for _, s := range p.Black {
		stones = append(stones, Stone{mustMove(t, s), BlackStone})
	}
	for _, s := range p.White {
		stones = append(stones, Stone{mustMove(t, s), WhiteStone})
	}
	if err := b.Setup(stones, sideOf(p.ToMove)); err != nil {
		t.Fatalf("%s: %v", p.ID, err)
	}
	return b
}

// sideOf reads a player, black by default.
func sideOf(name string) Color {
	if name == "white" {
		return White
	}
	return Black
}

func mustMove(t testing.TB, s string) Move {
	t.Helper()
	m, err := ParseMove(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// forbiddenOf reads a name of [Forbidden] in the records.
func forbiddenOf(t testing.TB, name string) Forbidden {
	t.Helper()
	for f := DoubleThree; f <= Overline; f++ {
		if strings.ReplaceAll(f.String(), "-", "_") == name {
			return f
		}
	}
	t.Fatalf("invalid reason %q", name)
	return NotForbidden
}

// forbidden returns every point forbidden to black.
func forbidden(b *Board) map[Move]Forbidden {
	forbidden := map[Move]Forbidden{}
	for m := range emptyPoints(b) {
		if f := b.Forbidden(m); f != NotForbidden {
			forbidden[m] = f
		}
	}
	return forbidden
}

// winningMoves returns every point where c's stone would win.
func winningMoves(b *Board, c Color) map[Move]bool {
	wins := map[Move]bool{}
	for m := range emptyPoints(b) {
		if b.Wins(m, c) {
			wins[m] = true
		}
	}
	return wins
}

// emptyPoints ranges over the empty points of b, row by row.
func emptyPoints(b *Board) func(yield func(Move) bool) {
	return func(yield func(Move) bool) {
		for y := range b.Height() {
			for x := range b.Width() {
				if m := Pt(x, y); b.Empty(m) && !yield(m) {
					return
				}
			}
		}
	}
}
