package board

import (
	"context"
	"testing"

	"kumiko/engine/board/boardtest"
)

// leafCounts are the counts of perft with what the last moves are.
type leafCounts struct{ moves, wins, forbidden int }

// countLeaves is Perft one move at a time.
func countLeaves(b *Board, depth int) (n leafCounts) {
	for m := range emptyPoints(b) {
		wins := b.Wins(m, b.Side())
		switch {
		case !b.Legal(m):
			if depth == 1 {
				n.forbidden++
			}
		case depth == 1:
			n.moves++
			if wins {
				n.wins++
			}
		case !wins:
			b.Place(m)
			k := countLeaves(b, depth-1)
			b.Undo()
			n = leafCounts{n.moves + k.moves, n.wins + k.wins, n.forbidden + k.forbidden}
		}
	}
	return n
}

func TestPerftCases(t *testing.T) {
	type record struct {
		position
		Perft     []int
		Wins      []int `json:"wins_at_last_ply"`
		Forbidden []int `json:"forbidden_at_last_ply"`
	}
	checked := [4]int{}
	for _, r := range boardtest.ReadCases[record](t, "perft.jsonl") {
		b := r.board(t)
		before := b.String()
		for i := range r.Perft {
			depth := i + 1
			if depth > 2 && testing.Short() {
				continue
			}
			if got := perft(b, depth); got != uint64(r.Perft[i]) {
				t.Errorf("%s, %v: perft of %d: %d, want %d", r.ID, b.Rule(), depth, got, r.Perft[i])
			}
			checked[depth]++
			if depth > 2 && !long() {
				continue
			}
			want := leafCounts{r.Perft[i], r.Wins[i], r.Forbidden[i]}
			if got := countLeaves(b, depth); got != want {
				t.Errorf("%s, %v: counts of %d: %+v, want %+v", r.ID, b.Rule(), depth, got, want)
			}
		}
		if b.String() != before {
			t.Errorf("%s: after perft:\n%vwant\n%v", r.ID, b, before)
		}
	}
	t.Logf("positions by depth: %v", checked[1:])
}

// leaves is Perft on the twin.
func (n *naive) leaves(side Color, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var sum uint64
	for _, p := range n.Points(boardtest.Empty) {
		if !n.Legal(p, sign(side)) || depth > 1 && n.Wins(p, sign(side)) {
			continue
		}
		n.With(p, sign(side), func() { sum += n.leaves(side.Opponent(), depth-1) })
	}
	return sum
}

// Boards that are nearly full, with all ways to fill them.
func TestPerftToTheEnd(t *testing.T) {
	for _, picture := range []string{`
		X X . X O X
		O . O . X O
		X X O X . O
		. X O O X X
		X . X X O .
		O O X O O O
		black to move`, `
		. X X X X . X X
		O O . O O # . O
		X X X . X O O .
		O . O O O . X O
		X X O X # X O O
		white to move`,
	} {
		for rule := range Rule(NumRules) {
			b := mustParse(t, rule, picture)
			twin := naiveOf(b)
			for depth := range b.Width()*b.Height() - b.Stones() + 2 {
				if depth > 5 && !long() {
					break
				}
				if got, want := perft(b, depth), twin.leaves(b.Side(), depth); got != want {
					t.Errorf("%v: perft of %d: %d, want %d\n%v", rule, depth, got, want, b)
				}
			}
		}
	}
}

// perft is Perft without an end.
func perft(b *Board, depth int) uint64 {
	n, err := Perft(context.Background(), b, depth)
	if err != nil {
		panic(err)
	}
	return n
}

func BenchmarkPerft(b *testing.B) {
	for rule := range Rule(NumRules) {
		b.Run("rule="+rule.String(), func(b *testing.B) {
			board, err := New(15, 15, rule)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				perft(board, 2)
			}
		})
	}
}
