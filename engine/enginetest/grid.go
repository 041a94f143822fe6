package enginetest

import (
	"fmt"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
)

// A Grid is a position with its side to move and its history. It is the judge in
// the tests, and relies on a referee that knows no patterns.
type Grid struct {
	*boardtest.Referee
	Side    board.Color
	stones  int
	history []board.Move
}

// GridOf returns a grid of the position on b.
func GridOf(b *board.Board) *Grid {
	g := &Grid{Referee: boardtest.New(b.Width(), b.Height(), b.Rule().String()), Side: b.Side(), stones: b.Stones()}
	for y := range b.Height() {
		for x := range b.Width() {
			g.Set(spot{X: x, Y: y}, ".XO#"[b.At(board.Pt(x, y))])
		}
	}
	return g
}

// Sign returns the character of c's stones.
func Sign(c board.Color) byte { return "XO"[c] }

// A spot is a point that may lie off the board, and also a direction.
type spot = boardtest.Point

func SpotOf(m board.Move) spot { return spot{X: m.X(), Y: m.Y()} }
func moveOf(p spot) board.Move { return board.Pt(p.X, p.Y) }

// Play plays m for the side to move; Undo takes it back.
func (g *Grid) Play(m board.Move) {
	if !g.Empty(SpotOf(m)) {
		panic(fmt.Sprintf("%v is not empty", m))
	}
	g.Set(SpotOf(m), Sign(g.Side))
	g.history = append(g.history, m)
	g.stones++
	g.Side = g.Side.Opponent()
}

func (g *Grid) Undo() {
	m := g.history[len(g.history)-1]
	g.history = g.history[:len(g.history)-1]
	g.Set(SpotOf(m), boardtest.Empty)
	g.stones--
	g.Side = g.Side.Opponent()
}

func (g *Grid) Full() bool { return g.stones == g.Width*g.Height }

// Fives returns the points where a stone of c would win.
func (g *Grid) Fives(c board.Color) []board.Move {
	var list []board.Move
	for _, p := range g.Points(boardtest.Empty) {
		if g.Wins(p, Sign(c)) {
			list = append(list, moveOf(p))
		}
	}
	return list
}

// around calls f with p and every spot on its four lines up to six away, the
// farthest that a stone can affect a five through p.
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

// FivesBy returns the points where c would win because of the stone on m.
func (g *Grid) FivesBy(m board.Move, c board.Color) []board.Move {
	var list []board.Move
	around(SpotOf(m), func(p spot) {
		if g.Wins(p, Sign(c)) {
			list = append(list, moveOf(p))
		}
	})
	return list
}

// Stops returns the points, legal or not, where a stone of the side to move stops
// all of the opponent's given fives.
func (g *Grid) Stops(fives []board.Move) []board.Move {
	o := g.Side.Opponent()
	var list []board.Move
	around(SpotOf(fives[0]), func(p spot) {
		if !g.Empty(p) {
			return
		}
		g.Play(moveOf(p))
		stopped := true
		for _, f := range fives {
			stopped = stopped && !g.Wins(SpotOf(f), Sign(o))
		}
		g.Undo()
		if stopped {
			list = append(list, moveOf(p))
		}
	})
	return list
}

// MayPlay reports whether the side to move may play m.
func (g *Grid) MayPlay(m board.Move) bool {
	return m != board.NoMove && g.Legal(SpotOf(m), Sign(g.Side))
}

// Vacant returns the empty points.
func (g *Grid) Vacant() []board.Move {
	var list []board.Move
	for _, p := range g.Points(boardtest.Empty) {
		list = append(list, moveOf(p))
	}
	return list
}

// WinsWithin reports whether the side to move wins within the given number of
// plies against every defence. Its first move is one of first, if any are given;
// later moves make a four.
func (g *Grid) WinsWithin(plies int, first []board.Move) bool {
	c := g.Side
	o := c.Opponent()
	if plies <= 0 {
		return false
	}
	if len(g.Fives(c)) > 0 {
		return true
	}
	if plies < 3 {
		return false
	}
	threats := g.Fives(o)
	quiet := len(first) > 0 && plies >= 5
	if first == nil {
		first = g.Vacant()
	}
	for _, m := range first {
		g.Play(m)
		ok := g.attack(plies-1, m, threats, quiet)
		g.Undo()
		if ok && g.MayPlay(m) {
			return true
		}
	}
	return false
}

// attack reports whether the player who has just played m wins within the given
// number of plies. threats are the fives that the opponent had before. If quiet
// is set, m need not make a four; then every reply must lose.
func (g *Grid) attack(plies int, m board.Move, threats []board.Move, quiet bool) bool {
	d := g.Side
	for _, p := range threats {
		if g.Wins(SpotOf(p), Sign(d)) {
			return false
		}
	}
	var replies []board.Move
	if fives := g.FivesBy(m, d.Opponent()); len(fives) > 0 {
		replies = g.Stops(fives)
	} else if quiet {
		replies = g.Vacant()
	} else {
		return false
	}
	if g.Full() {
		return false
	}
	for _, r := range replies {
		// A losing reply need not be legal; testing that takes longer.
		g.Play(r)
		lost := g.WinsWithin(plies-1, nil)
		g.Undo()
		if !lost && g.MayPlay(r) {
			return false
		}
	}
	return true
}

// CheckFours replays a victory by fours, attack and only reply in turn, and
// returns an error if it is invalid. The last stone is the five or leaves no
// reply.
func (g *Grid) CheckFours(line []board.Move) error {
	played := 0
	defer func() {
		for range played {
			g.Undo()
		}
	}()
	c := g.Side
	threats := g.Fives(c.Opponent())
	for i := 0; i < len(line); i += 2 {
		m := line[i]
		switch {
		case !g.MayPlay(m):
			return fmt.Errorf("stone %d: %v may not be played", i+1, m)
		case g.Wins(SpotOf(m), Sign(c)):
			if i+1 < len(line) {
				return fmt.Errorf("stone %d: %v wins, but the line goes on", i+1, m)
			}
			return nil
		}
		g.Play(m)
		played++
		for _, p := range threats {
			if g.Wins(SpotOf(p), Sign(c.Opponent())) {
				return fmt.Errorf("stone %d: %v leaves the opponent a five at %v", i+1, m, p)
			}
		}
		fives := g.FivesBy(m, c)
		if len(fives) == 0 {
			return fmt.Errorf("stone %d: %v is no four", i+1, m)
		}
		var replies []board.Move
		for _, r := range g.Stops(fives) {
			if g.MayPlay(r) {
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
		g.Play(line[i+1])
		played++
		threats = g.FivesBy(line[i+1], c.Opponent())
	}
	return fmt.Errorf("no stone wins")
}

// An Exact solves small endgames by exhaustive search.
type Exact struct {
	*Grid
	free  []board.Move // the initially empty points
	known map[uint32]int8
	Stuck bool // black had no legal move somewhere, which no rule covers
}

// Decided is the value of a five just made; each ply to it subtracts one.
const Decided = 100

// NewExact returns a solver for a position with few empty points.
func NewExact(g *Grid) *Exact {
	return &Exact{Grid: g, free: g.Vacant(), known: map[uint32]int8{}}
}

// Value returns the value of the position for the side to move: 0 for a draw,
// Decided-n for a win in n plies, n-Decided for a loss in n plies.
func (e *Exact) Value() int {
	key := uint32(e.Side)
	for _, m := range e.free {
		key *= 3
		switch e.At(SpotOf(m)) {
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
		if e.Wins(SpotOf(m), Sign(e.Side)) {
			return Decided - 1
		}
	}
	best := -Decided
	for _, m := range e.free {
		if !e.Empty(SpotOf(m)) || !e.MayPlay(m) {
			continue
		}
		e.Play(m)
		v := -e.Value()
		e.Undo()
		switch { // one ply further away
		case v > 0:
			v--
		case v < 0:
			v++
		}
		best = max(best, v)
	}
	if best == -Decided { // no legal move
		best = 0
		e.Stuck = e.Stuck || !e.Full()
	}
	e.known[key] = int8(best)
	return best
}
