package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/enginetest"
)

// Whatever the time, the answer to an empty board is three different points, and
// to three or five stones either a swap or a legal move.
func TestSwap2IsLegal(t *testing.T) {
	requests := []struct {
		name   string
		ctx    context.Context
		limits Limits
	}{
		{"turn 0", t.Context(), Limits{Turn: 0, Left: NoLimit}},
		{"1 ms", t.Context(), Limits{Turn: ms, Left: NoLimit}},
		{"nothing left", t.Context(), Limits{Turn: time.Second, Left: 0}},
		{"cancelled", cancelled(t), Limits{Turn: time.Second, Left: NoLimit}},
		{"100 ms", t.Context(), Limits{Turn: 100 * ms, Left: NoLimit}},
		{"500 nodes", t.Context(), Limits{Turn: 200 * ms, Left: NoLimit, Nodes: 500}},
	}
	e := New(testOptions)
	for _, size := range [][2]int{{15, 15}, {20, 20}, {5, 5}, {6, 9}, {32, 32}, {5, 32}} {
		for rule := range board.Rule(board.NumRules) {
			for _, r := range requests {
				if r.limits.Turn > 10*ms && (rule > board.Standard || size[0] < 15) && r.ctx.Err() == nil {
					continue // slow
				}
				b := enginetest.NewBoard(t, size[0], size[1], rule)
				for _, stones := range []int{0, 3, 5} {
					for b.Stones() < stones {
						opening(rand.New(rand.NewPCG(1, uint64(rule))), b)
					}
					if stones == 3 {
						b = first3(t, b)
					}
					start := cpuTime()
					checkSwap2(t, r.name, b, e.Swap2(r.ctx, b, r.limits))
					// The first search makes tables; allow for that.
					if took := cpuTime() - start; took > max(4*r.limits.Turn, 200*ms) && r.limits.Turn < time.Second && !enginetest.Race {
						t.Errorf("%s: took %v:\n%v", r.name, took, b)
					}
				}
			}
		}
	}
}

// first3 returns a board of the same kind with three stones near the center.
func first3(t *testing.T, b *board.Board) *board.Board {
	t.Helper()
	b = enginetest.NewBoard(t, b.Width(), b.Height(), b.Rule())
	x, y := b.Width()/2, b.Height()/2
	for _, m := range []board.Move{board.Pt(x, y), board.Pt(x+1, y), board.Pt(x, y-1)} {
		b.Place(m)
	}
	return b
}

// checkSwap2 asserts that an answer is legal.
func checkSwap2(t *testing.T, name string, b *board.Board, a Swap2Answer) {
	t.Helper()
	var want []int // numbers of stones that may be laid
	switch b.Stones() {
	case 0:
		want = []int{3}
	case 3:
		want = []int{1, 2}
	default:
		want = []int{1}
	}
	if a.Swap {
		if b.Stones() == 0 || len(a.Moves) > 0 {
			t.Errorf("%s: swaps with %v:\n%v", name, a.Moves, b)
		}
		return
	}
	if !slices.Contains(want, len(a.Moves)) {
		t.Errorf("%s: lays %v:\n%v", name, a.Moves, b)
	}
	b = b.Clone()
	for _, m := range a.Moves {
		if !b.Empty(m) {
			t.Errorf("%s: lays %v:\n%v", name, a.Moves, b)
			return
		}
		b.Place(m)
	}
}

// The better side is chosen: with four black stones in a row, black.
func TestSwap2Choice(t *testing.T) {
	e := New(testOptions)
	black, _ := enginetest.Parse(t, board.Freestyle, `
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . X X X . . . . .
		. . . . . . . . . . .
		. . . . . . . O . . .
		. . . . . . . O . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		white to move`)
	white, _ := enginetest.Parse(t, board.Freestyle, `
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . O O . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		. . . . . . . . . . .
		X . . . . . . . . . .
		X . . . . . . . . . X
		white to move`)
	if a := e.Swap2(t.Context(), black, nodes(20_000)); !a.Swap {
		t.Errorf("keeps white with %v:\n%v", a.Moves, black)
	}
	if a := e.Swap2(t.Context(), white, nodes(20_000)); a.Swap {
		t.Errorf("takes black:\n%v", white)
	}
}

// The proposed opening is balanced, and found in the given time.
func TestSwap2Proposal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes time")
	}
	e := New(testOptions)
	b := enginetest.NewBoard(t, 15, 15, board.Freestyle)
	start := time.Now()
	a := e.Swap2(t.Context(), b, Limits{Turn: 600 * ms, Left: NoLimit})
	if took := time.Since(start); took > 2*600*ms && !enginetest.Race {
		t.Errorf("took %v of 600 ms", took)
	}
	for _, m := range a.Moves {
		b.Place(m)
	}
	res := e.Search(t.Context(), Request{Board: b, Limits: nodes(20_000)}, nil)
	if res.Score > 250 || res.Score < -250 {
		t.Errorf("%v leaves white %v", a.Moves, res.Score)
	}
	t.Logf("%v, white's score %v", a.Moves, res.Score)
}

// Node and depth limits also hold for the three stones, and make the answer
// independent of earlier searches.
func TestSwap2Limits(t *testing.T) {
	used := New(testOptions)
	for _, l := range []Limits{
		{Turn: -1, Left: NoLimit, Nodes: 1},
		{Turn: -1, Left: NoLimit, Nodes: 300},
		{Turn: 30 * time.Second, Left: NoLimit, Nodes: 3000},
		{Turn: -1, Left: NoLimit, Nodes: 30_000},
		{Turn: -1, Left: NoLimit, Depth: 1},
		{Turn: -1, Left: NoLimit, Depth: 2, Nodes: 5000},
	} {
		for _, stones := range []int{0, 3, 5} {
			b := enginetest.NewBoard(t, 15, 15, board.Standard)
			for _, m := range enginetest.Words(t, "h8 i8 h7 c4 k11")[:stones] {
				b.Place(m)
			}
			before := evaluations.Load()
			fresh := New(Options{Memory: 32 << 20, Evaluator: counted})
			want := fresh.Swap2(t.Context(), b, l)
			visited := evaluations.Load() - before
			used.Search(t.Context(), Request{Board: quietBoards(t)[stones%3], Limits: nodes(3000)}, nil)
			got := used.Swap2(t.Context(), b, l)
			if got.Swap != want.Swap || !slices.Equal(got.Moves, want.Moves) {
				t.Errorf("%+v, %d stones: %v, by a new engine %v", l, stones, got, want)
			}
			if l.Nodes > 0 && visited > l.Nodes+l.Nodes/2+1000 {
				t.Errorf("%+v, %d stones: %d evaluations", l, stones, visited)
			}
			checkSwap2(t, "limited", b, got)
		}
	}
}

var evaluations atomic.Int64

// counted counts the evaluations of an evaluator.
func counted(e Evaluator) Evaluator { return counter{e} }

type counter struct{ Evaluator }

func (c counter) Evaluate(b *board.Board) Score {
	evaluations.Add(1)
	return c.Evaluator.Evaluate(b)
}

// An answer uses at most half of the time.
func TestSwap2Reserve(t *testing.T) {
	const turn = 400 * ms
	for _, stones := range []int{0, 3, 5} {
		b := enginetest.NewBoard(t, 15, 15, board.Freestyle)
		for _, m := range enginetest.Words(t, "h8 i8 h7 c4 k11")[:stones] {
			b.Place(m)
		}
		late := 0
		for range 5 {
			start := cpuTime()
			New(testOptions).Swap2(t.Context(), b, Limits{Turn: turn, Left: NoLimit})
			if took := cpuTime() - start; took > turn*3/4 {
				late++
			}
		}
		if late > 2 && !enginetest.Race {
			t.Errorf("%d stones: %d of 5 answers took more than three quarters of the time", stones, late)
		}
	}
}
