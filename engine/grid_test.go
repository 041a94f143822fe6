package engine

import (
	"fmt"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
)

// A grid is a position with its side to move and its history, judged by a
// referee that knows nothing of patterns. It is the judge in these tests.
type grid struct {
	*boardtest.Referee
	side    board.Color
	stones  int
	history []board.Move
}

// gridOf copies a position.
func gridOf(b *board.Board) *grid {
	g := &grid{Referee: boardtest.New(b.Width(), b.Height(), b.Rule().String()), side: b.Side(), stones: b.Stones()}
	for y := range b.Height() {
		for x := range b.Width() {
			g.Set(spot{X: x, Y: y}, ".XO#"[b.At(board.Pt(x, y))])
		}
	}
	return g
}

// sign returns the sign of c's stones.
func sign(c board.Color) byte { return "XO"[c] }

// A spot is a point that may lie off the board, and also a direction.
type spot = boardtest.Point

func spotOf(m board.Move) spot { return spot{X: m.X(), Y: m.Y()} }
func moveOf(p spot) board.Move { return board.Pt(p.X, p.Y) }

// play puts a stone of the side to move on m; undo takes it back.
func (g *grid) play(m board.Move) {
	if !g.Empty(spotOf(m)) {
		panic(fmt.Sprintf("%v is not empty", m))
	}
	g.Set(spotOf(m), sign(g.side))
	g.history = append(g.history, m)
	g.stones++
	g.side = g.side.Opponent()
}

func (g *grid) undo() {
	m := g.history[len(g.history)-1]
	g.history = g.history[:len(g.history)-1]
	g.Set(spotOf(m), boardtest.Empty)
	g.stones--
	g.side = g.side.Opponent()
}

func (g *grid) full() bool { return g.stones == g.Width*g.Height }

// fives returns the points where a stone of c would win.
func (g *grid) fives(c board.Color) []board.Move {
	var list []board.Move
	for _, p := range g.Points(boardtest.Empty) {
		if g.Wins(p, sign(c)) {
			list = append(list, moveOf(p))
		}
	}
	return list
}

// around calls f with p and every spot on its four lines up to six away,
// which is as far as a stone has a say in a five through p.
func around(p spot, f func(spot)) {
	f(p)
	for _, d := range boardtest.Directions {
		for k := -6; k <= 6; k++ {
			if k != 0 {
				f(p.Step(d, k))
			}
		}
	}
}

// fivesBy returns the points where c would win thanks to the stone on m.
func (g *grid) fivesBy(m board.Move, c board.Color) []board.Move {
	var list []board.Move
	around(spotOf(m), func(p spot) {
		if g.Wins(p, sign(c)) {
			list = append(list, moveOf(p))
		}
	})
	return list
}

// stops returns the points where a stone of the side to move leaves its
// opponent none of the given fives, legal or not.
func (g *grid) stops(fives []board.Move) []board.Move {
	o := g.side.Opponent()
	var list []board.Move
	around(spotOf(fives[0]), func(p spot) {
		if !g.Empty(p) {
			return
		}
		g.play(moveOf(p))
		stopped := true
		for _, f := range fives {
			stopped = stopped && !g.Wins(spotOf(f), sign(o))
		}
		g.undo()
		if stopped {
			list = append(list, moveOf(p))
		}
	})
	return list
}

// legal reports whether the side to move may play m.
func (g *grid) legal(m board.Move) bool {
	return m != board.NoMove && g.Legal(spotOf(m), sign(g.side))
}

// points returns the empty points.
func (g *grid) points() []board.Move {
	var list []board.Move
	for _, p := range g.Points(boardtest.Empty) {
		list = append(list, moveOf(p))
	}
	return list
}

// wins reports whether the side to move wins within so many plies against
// every defence. Of its own moves it tries, to begin with, only those given,
// if any; later on all that make a four.
func (g *grid) wins(plies int, first []board.Move) bool {
	c := g.side
	o := c.Opponent()
	if plies <= 0 {
		return false
	}
	if len(g.fives(c)) > 0 {
		return true
	}
	if plies < 3 {
		return false
	}
	threats := g.fives(o)
	quiet := len(first) > 0 && plies >= 5
	if first == nil {
		first = g.points()
	}
	for _, m := range first {
		g.play(m)
		ok := g.attack(plies-1, m, threats, quiet)
		g.undo()
		if ok && g.legal(m) {
			return true
		}
	}
	return false
}

// attack reports whether the player who has just played m wins within so
// many plies. threats are the fives that its opponent had before. If m makes
// no four, that may be a quiet move, after which every reply must lose.
func (g *grid) attack(plies int, m board.Move, threats []board.Move, quiet bool) bool {
	d := g.side
	for _, p := range threats {
		if g.Wins(spotOf(p), sign(d)) {
			return false
		}
	}
	var replies []board.Move
	if fives := g.fivesBy(m, d.Opponent()); len(fives) > 0 {
		replies = g.stops(fives)
	} else if quiet {
		replies = g.points()
	} else {
		return false
	}
	if g.full() {
		return false
	}
	for _, r := range replies {
		// A reply that loses need not be legal; that question takes longer.
		g.play(r)
		lost := g.wins(plies-1, nil)
		g.undo()
		if !lost && g.legal(r) {
			return false
		}
	}
	return true
}

// checkFours plays a victory by fours through, attack and only reply in
// turn, and returns what is wrong with it. The last stone is the five or
// leaves no reply.
func (g *grid) checkFours(line []board.Move) error {
	played := 0
	defer func() {
		for range played {
			g.undo()
		}
	}()
	c := g.side
	threats := g.fives(c.Opponent())
	for i := 0; i < len(line); i += 2 {
		m := line[i]
		switch {
		case !g.legal(m):
			return fmt.Errorf("stone %d: %v may not be played", i+1, m)
		case g.Wins(spotOf(m), sign(c)):
			if i+1 < len(line) {
				return fmt.Errorf("stone %d: %v wins, but the line goes on", i+1, m)
			}
			return nil
		}
		g.play(m)
		played++
		for _, p := range threats {
			if g.Wins(spotOf(p), sign(c.Opponent())) {
				return fmt.Errorf("stone %d: %v leaves the opponent a five at %v", i+1, m, p)
			}
		}
		fives := g.fivesBy(m, c)
		if len(fives) == 0 {
			return fmt.Errorf("stone %d: %v is no four", i+1, m)
		}
		var replies []board.Move
		for _, r := range g.stops(fives) {
			if g.legal(r) {
				replies = append(replies, r)
			}
		}
		switch {
		case len(replies) == 0 && i+1 == len(line):
			return nil
		case len(replies) == 0:
			return fmt.Errorf("stone %d: %v wins, but the line goes on", i+1, m)
		case i+1 == len(line):
			return fmt.Errorf("stone %d: %v is answered by %v", i+1, m, replies)
		case len(replies) > 1:
			return fmt.Errorf("stone %d: %v has several answers, %v", i+1, m, replies)
		case replies[0] != line[i+1]:
			return fmt.Errorf("stone %d: %v is answered by %v, not %v", i+1, m, replies[0], line[i+1])
		}
		g.play(line[i+1])
		played++
		threats = g.fivesBy(line[i+1], c.Opponent())
	}
	return fmt.Errorf("no stone wins")
}

// An exact solves small endgames by trying everything.
type exact struct {
	*grid
	free  []board.Move // the points that were empty to begin with
	known map[uint32]int8
	stuck bool // somewhere black may play nowhere, which no rule settles
}

// decided is the value of a five just made; one ply more takes one off.
const decided = 100

// newExact readies the solver for a position with few empty points.
func newExact(g *grid) *exact {
	return &exact{grid: g, free: g.points(), known: map[uint32]int8{}}
}

// value returns the worth of the position for the side to move: 0 for a draw,
// decided-n for a win by a five in n plies, n-decided for a loss by one.
func (e *exact) value() int {
	key := uint32(e.side)
	for _, m := range e.free {
		key *= 3
		switch e.At(spotOf(m)) {
		case 'X':
			key++
		case 'O':
			key += 2
		}
	}
	if v, ok := e.known[key]; ok {
		return int(v)
	}
	for _, m := range e.free {
		if e.Wins(spotOf(m), sign(e.side)) {
			return decided - 1
		}
	}
	best := -decided
	for _, m := range e.free {
		if !e.Empty(spotOf(m)) || !e.legal(m) {
			continue
		}
		e.play(m)
		v := -e.value()
		e.undo()
		switch { // one ply further away
		case v > 0:
			v--
		case v < 0:
			v++
		}
		best = max(best, v)
	}
	if best == -decided { // no move at all
		best = 0
		e.stuck = e.stuck || !e.full()
	}
	e.known[key] = int8(best)
	return best
}
