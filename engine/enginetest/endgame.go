package enginetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kumiko/engine/board"
)

// Words reads points with blanks between them.
func Words(t testing.TB, s string) []board.Move {
	t.Helper()
	return Moves(t, strings.Fields(s))
}

// endgame returns a random undecided position with few empty points, or nil. It
// sometimes makes the board smaller with dead stones.
func endgame(t testing.TB, rng *rand.Rand, rule board.Rule, free int) *board.Board {
	t.Helper()
	w, h := board.MinSize+rng.IntN(4), board.MinSize+rng.IntN(4)
	b := NewBoard(t, w, h, rule)
	if rng.IntN(4) == 0 {
		var dead []board.Stone
		for _, m := range rng.Perm(w * h)[:rng.IntN(6)] {
			dead = append(dead, board.Stone{Move: board.Pt(m%w, m/w), Cell: board.DeadStone})
		}
		if err := b.Setup(dead, board.Color(rng.IntN(2))); err != nil {
			t.Fatal(err)
		}
	}
	for _, i := range rng.Perm(w * h) {
		if b.Stones() >= w*h-free {
			return b
		}
		m := board.Pt(i%w, i/w)
		if !b.Legal(m) || b.Wins(m, b.Side()) {
			// Try the other player.
			b.Pass()
			ok := b.Legal(m) && !b.Wins(m, b.Side())
			b.Undo()
			if !ok {
				continue
			}
			b.Pass()
		}
		b.Place(m)
	}
	return nil
}

// EachEndgame calls f with random endgames and their true values.
func EachEndgame(t *testing.T, n int, f func(t *testing.T, b *board.Board, value int)) {
	for rule := range board.Rule(board.NumRules) {
		t.Run(rule.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, uint64(rule)))
			won, lost, drawn := 0, 0, 0
			for won+lost+drawn < n && !t.Failed() {
				b := endgame(t, rng, rule, 5+rng.IntN(6))
				if b == nil || b.Count(b.Side(), board.ShapeFive) > 0 && rng.IntN(10) > 0 {
					continue // wins at once are common
				}
				x := NewExact(GridOf(b))
				value := x.Value()
				if x.Stuck {
					continue
				}
				switch {
				case value > 0:
					won++
				case value < 0:
					lost++
				case rng.IntN(3) > 0:
					continue // draws are common
				default:
					drawn++
				}
				f(t, b, value)
			}
			t.Logf("won %d, lost %d, drawn %d", won, lost, drawn)
		})
	}
}

// Truth formats a value of an exact solver, such as +M3 for a win in three plies.
func Truth(value int) string {
	switch {
	case value > 0:
		return fmt.Sprintf("+M%d", Decided-value)
	case value < 0:
		return fmt.Sprintf("-M%d", value+Decided)
	}
	return "a draw"
}
