package engine

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/enginetest"
)

// A reader receives the reports of a search and checks each line by playing it out.
type reader struct {
	t    *testing.T
	b    *board.Board
	want int // lines in a set
	set  []Info
	sets int
}

// read takes one line.
func (r *reader) read(i Info) {
	r.t.Helper()
	if i.NumPV != r.want || i.PVIndex != len(r.set)%r.want {
		r.t.Errorf("line %d of %d, want line %d of %d\n%v", i.PVIndex, i.NumPV, len(r.set)%r.want, r.want, r.b)
	}
	if i.PVIndex == 0 {
		r.set = nil
		r.sets++
	}
	for k, other := range r.set {
		if len(i.PV) > 0 && other.PV[0] == i.PV[0] {
			r.t.Errorf("lines %d and %d begin with %v\n%v", k, i.PVIndex, i.PV[0], r.b)
		}
		if other.Score < i.Score {
			r.t.Errorf("line %d scores %v, line %d before it %v\n%v", i.PVIndex, i.Score, k, other.Score, r.b)
		}
	}
	r.set = append(r.set, i)
	checkTold(r.t, r.b, i.Score, i.PV)
}

// checkTold checks that a line can be played and does not extend beyond the end of
// the game, and that a win or loss occurs with its last move.
func checkTold(t *testing.T, b *board.Board, score Score, pv []board.Move) {
	t.Helper()
	g := enginetest.GridOf(b)
	won := false
	for i, m := range pv {
		if won || !g.MayPlay(m) {
			t.Errorf("move %d of %v, %v, cannot be played\n%v", i+1, pv, m, b)
			return
		}
		won = g.Wins(enginetest.SpotOf(m), enginetest.Sign(g.Side))
		g.Play(m)
	}
	switch n, decided := score.Mate(); {
	case len(pv) == 0:
		t.Errorf("no line\n%v", b)
	case decided && (!won || max(n, -n) != len(pv) || (n > 0) != (n%2 != 0)):
		t.Errorf("score %v, but the line is %v\n%v", score, pv, b)
	case !decided && won:
		t.Errorf("%v wins, but scores %v\n%v", pv, score, b)
	}
}

// checkTelling searches and checks every report against the result.
func checkTelling(t *testing.T, ctx context.Context, e *Engine, b *board.Board, l Limits, multiPV int) Result {
	t.Helper()
	legal := 0
	g := enginetest.GridOf(b)
	for _, m := range g.Vacant() {
		if g.MayPlay(m) {
			legal++
		}
	}
	r := reader{t: t, b: b, want: max(1, min(max(multiPV, 1), legal))}
	res := e.Search(ctx, Request{Board: b, Limits: l, MultiPV: multiPV}, r.read)
	if legal == 0 {
		if r.sets > 0 {
			t.Errorf("%d sets of lines without a legal move\n%v", r.sets, b)
		}
		return res
	}
	if len(r.set) != r.want {
		t.Errorf("the last set has %d lines, want %d\n%v", len(r.set), r.want, b)
		return res
	}
	if best := r.set[0]; best.PV[0] != res.Move || !slices.Equal(best.PV, res.PV) || best.Score != res.Score || best.Depth != res.Depth {
		t.Errorf("%v, depth %d, score %v, line %v; last reported: depth %d, score %v, line %v\n%v",
			res.Move, res.Depth, res.Score, res.PV, best.Depth, best.Score, best.PV, b)
	}
	checkProof(t, b, res)
	return res
}

// checkProof checks that a reported win comes with its proof.
func checkProof(t *testing.T, b *board.Board, res Result) {
	t.Helper()
	n, ok := res.Score.Mate()
	switch {
	case !ok || n < 0:
		if res.Proof != nil {
			t.Errorf("score %v with a proof\n%v", res.Score, b)
		}
	case res.Proof == nil:
		t.Errorf("score %v without a proof\n%v", res.Score, b)
	default:
		if plies, err := res.Proof.Verify(t.Context()); err != nil || plies != n {
			t.Errorf("score %v, proven in %d plies, %v\n%v", res.Score, plies, err, b)
		}
	}
}

// Whatever the position, the limits and the number of lines, the reports of a
// search are complete and playable, and end with the move that it returns.
func TestTelling(t *testing.T) {
	e := New(testOptions)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	kinds := map[string]int{}
	n := 0
	enginetest.EachRandom(t, enginetest.Scaled(250), func(t *testing.T, b *board.Board) {
		n++
		multiPV := []int{0, 1, 3, 8, 1000}[n%5]
		l, ctx := nodes(int64(1+n*n%3000)), t.Context()
		switch n % 7 {
		case 0:
			ctx = ended
		case 1:
			l = Limits{Turn: 0, Left: NoLimit}
		case 2:
			l = Limits{Turn: -1, Left: NoLimit, Depth: 1 + n%3, Nodes: 20_000}
		}
		if n%3 == 0 {
			e.Reset()
		}
		res := checkTelling(t, ctx, e, b, l, multiPV)
		switch n, ok := res.Score.Mate(); {
		case ok && n > 0:
			kinds["won"]++
		case ok:
			kinds["lost"]++
		default:
			kinds["open"]++
		}
	})
	t.Logf("%d positions, %v", n, kinds)
	if kinds["won"] < 10 || kinds["lost"] < 10 || kinds["open"] < 10 {
		t.Errorf("%v: too few of a kind", kinds)
	}
}

// The first moves of a game are also reported.
func TestTellingEarly(t *testing.T) {
	e := New(testOptions)
	for rule := range board.Rule(board.NumRules) {
		for _, size := range []int{5, 6, 15} {
			for stones := range 3 {
				for _, multiPV := range []int{1, 3, 1000} {
					b := enginetest.NewBoard(t, size, size, rule)
					for i := range stones {
						b.Place(board.Pt(2, 1+i))
					}
					e.Reset()
					checkTelling(t, t.Context(), e, b, nodes(2000), multiPV)
				}
			}
		}
	}
}

// Positions of public bug reports about stale or missing lines.
func TestTellingReports(t *testing.T) {
	for _, c := range []struct {
		rule  board.Rule
		black string
		white string
		side  board.Color
		multi int
		nodes int64
		move  string // if it matters
		score string
	}{
		// An unfinished iteration changes the move.
		{board.Renju, "h7 g8 i9", "i13 i7", board.White, 1, 7000, "", ""},
		// A five at once, and two lines more.
		{board.Freestyle, "h8 i8 j8 k8", "a1 a3 a5 o1", board.Black, 3, 20_000, "", "+M1"},
		{board.Freestyle, "h8 i8 j8 k8", "a1 a3 a5 o1", board.Black, 1, 20_000, "", "+M1"},
		// An open three of one's own, three lines.
		{board.Freestyle, "h8 i8 j8", "a1 a3 o1", board.Black, 3, 20_000, "", "+M3"},
		// An open four against us.
		{board.Freestyle, "a1 a3 a5 o1", "h8 i8 j8 k8", board.Black, 3, 20_000, "", "-M2"},
		{board.Freestyle, "a1 a3 a5 o1", "h8 i8 j8 k8", board.Black, 1, 20_000, "", "-M2"},
		// One reply.
		{board.Freestyle, "a1 a3 a5 l8", "h8 i8 j8 k8", board.Black, 3, 20_000, "g8", ""},
		{board.Freestyle, "a1 a3 a5 l8", "h8 i8 j8 k8", board.Black, 1, 20_000, "g8", ""},
	} {
		t.Run(fmt.Sprintf("%v %s-%s %d", c.rule, c.black, c.white, c.multi), func(t *testing.T) {
			b := enginetest.NewBoard(t, 15, 15, c.rule)
			var stones []board.Stone
			for _, m := range enginetest.Words(t, c.black) {
				stones = append(stones, board.Stone{Move: m, Cell: board.BlackStone})
			}
			for _, m := range enginetest.Words(t, c.white) {
				stones = append(stones, board.Stone{Move: m, Cell: board.WhiteStone})
			}
			if err := b.Setup(stones, c.side); err != nil {
				t.Fatal(err)
			}
			res := checkTelling(t, t.Context(), New(testOptions), b, nodes(c.nodes), c.multi)
			if c.move != "" && res.Move.String() != c.move || c.score != "" && res.Score.String() != c.score {
				t.Errorf("%v, score %v; want %s, %s", res.Move, res.Score, c.move, c.score)
			}
		})
	}
}

// Short of time, with several threads, and after a change of mind: the lines
// are those of the move.
func TestTellingThreads(t *testing.T) {
	e := withThreads(New(teamOptions), 3)
	for i, b := range quietBoards(t) {
		for _, multiPV := range []int{1, 4} {
			checkTelling(t, t.Context(), e, b, Limits{Turn: time.Duration(20+30*i) * time.Millisecond, Left: NoLimit}, multiPV)
		}
	}
}

// However many lines are requested, and however much there is to prove, the answer
// is not late.
func TestTellingInTime(t *testing.T) {
	b, _ := enginetest.Parse(t, board.Freestyle, `
		. . . . . . . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . . . . . . .
		. . . . . . X . . . . X . . . . . . . .
		. . . . . X . . X . X . . . X . . . . .
		. . . . . . . . . O . . . . . . . . . .
		. . . . . . X . O O . . X . . . . . . .
		. . . . . . . . O . O . . . . . . . . .
		. . . . . X . O . . . O . . X . . . . .
		. . . . . . . . . O O . . . . . . . . .
		. . . . . . X . O . O . X . . . . . . .
		. . . . . . . O . . . . . . . . . . . .
		. . . . . . . . . . . . . . . . . . . .
		. . . . . . . X . . . X . . . . . . . .
		. . . . . . . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . . . . . . .
		. . . . . . . . . . . . . . . . . . . .
		black to move`)
	e := New(testOptions)
	for _, turn := range []time.Duration{0, 20 * ms, 200 * ms} {
		start := cpuTime()
		checkTelling(t, t.Context(), e, b, Limits{Turn: turn, Left: NoLimit}, 1000)
		took := cpuTime() - start
		t.Logf("%v of %v", took, turn)
		start = cpuTime()
		e.Search(t.Context(), Request{Board: b, Limits: Limits{Turn: turn, Left: NoLimit}, MultiPV: 1000}, nil)
		if took := cpuTime() - start; took > turn+100*ms && !enginetest.Race {
			t.Errorf("%v for a search of %v", took, turn)
		}
	}
}
