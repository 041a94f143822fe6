package engine

import (
	"math/rand/v2"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/enginetest"
)

// nodes returns limits with only a node limit.
func nodes(n int64) Limits { return Limits{Turn: -1, Left: NoLimit, Nodes: n} }

// Node limits per move of the sides of playOut.
const (
	winnerNodes = 200_000
	loserNodes  = 20_000
)

// playOut plays on from a position that the side to move should win, in claimed
// plies if that is not 0, both sides playing their best; the loser's first reply is
// the one given, if any. Anything but a win of the side to move is an error. It
// returns the plies to the win.
func playOut(t *testing.T, b *board.Board, claimed int, reply board.Move) int {
	t.Helper()
	winner := b.Side()
	start := b.Clone()
	engines := [2]*Engine{New(testOptions), New(testOptions)}
	limits := [2]Limits{nodes(winnerNodes), nodes(loserNodes)}
	for plies := 1; ; plies++ {
		c := b.Side()
		i := c ^ winner
		m := reply
		if plies != 2 || m == board.NoMove || !b.Legal(m) {
			m = engines[i].Search(t.Context(), Request{Board: b, Limits: limits[i]}, nil).Move
		}
		if m == board.NoMove || !b.Legal(m) && c == winner {
			t.Errorf("said to be won in %d plies, but drawn after the reply %v:\n%v\n%v", claimed, reply, start, b)
			return 0
		}
		if !b.Legal(m) { // the loser has nothing legal to play
			return plies
		}
		won := b.Wins(m, c)
		b.Place(m)
		if won {
			if c != winner {
				t.Errorf("said to be won in %d plies, but lost after the reply %v:\n%v\n%v", claimed, reply, start, b)
			}
			return plies
		}
	}
}

// A win that the engine reports during a game comes true. Its plies are only
// counted: the engine prefers a VCF to a shorter win.
func TestAnnouncedWins(t *testing.T) {
	sizes := [][2]int{{15, 15}, {20, 20}, {10, 10}, {15, 12}}
	for rule := range board.Rule(board.NumRules) {
		t.Run(rule.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, uint64(rule)))
			e := New(testOptions)
			var wins, late, quiet, losses, escapes int
			for i := range enginetest.Scaled(8) {
				size := sizes[i%len(sizes)]
				b := enginetest.NewBoard(t, size[0], size[1], rule)
				opening(rng, b)
				e.Reset()
				resigned := [2]bool{}
				for {
					c := b.Side()
					res := e.Search(t.Context(), Request{Board: b, Limits: nodes(1000 + rng.Int64N(4000))}, nil)
					if res.Move == board.NoMove || !b.Legal(res.Move) {
						break
					}
					n, ok := res.Score.Mate()
					resigned[c] = resigned[c] || ok && n < 0
					if ok && n > 1 {
						wins++
						if playOut(t, b.Clone(), n, board.NoMove) > n {
							late++
						}
						if !b.HasFour(c) {
							quiet++
							for _, reply := range replies(rng, b, res.Move, min(enginetest.Scaled(10), 10)) {
								playOut(t, b.Clone(), n, reply)
							}
						}
					}
					if b.Wins(res.Move, c) || ok && n > 1 && n <= 5 {
						// The rest is clear. Who had given up?
						losses += count(resigned[:])
						escapes += count(resigned[c : c+1])
						break
					}
					b.Place(res.Move)
				}
			}
			t.Logf("%d wins announced, %d of them without a four at hand, %d later than said; %d losses announced, %d of them averted",
				wins, quiet, late, losses, escapes)
			if wins == 0 {
				t.Error("no win was announced")
			}
		})
	}
}

// replies returns a few random points near the stones that are empty once m is
// taken.
func replies(rng *rand.Rand, b *board.Board, m board.Move, n int) []board.Move {
	var list []board.Move
	for y := range b.Height() {
		for x := range b.Width() {
			if z := board.Pt(x, y); z != m && b.Near(y)>>x&1 != 0 {
				list = append(list, z)
			}
		}
	}
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(n, len(list))]
}

// count returns how many are true.
func count(list []bool) int {
	n := 0
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// opening plays a few random moves near the center.
func opening(rng *rand.Rand, b *board.Board) {
	x0, y0 := max(0, b.Width()/2-4), max(0, b.Height()/2-4)
	for b.Stones() < 5 {
		m := board.Pt(x0+rng.IntN(min(8, b.Width())), y0+rng.IntN(min(8, b.Height())))
		if b.Legal(m) {
			b.Place(m)
		}
	}
}
