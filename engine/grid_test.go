package engine

import (
	"fmt"

	"kumiko/engine/board"
)

// A grid is a position on a plain array, with the rules written out in their
// own words. It is the judge in these tests: it looks stones up one by one
// and knows nothing of patterns, so that it shares no mistake with them.
type grid struct {
	rule    board.Rule
	w, h    int
	side    board.Color
	stones  int
	cell    [board.MaxSize][board.MaxSize]byte // signs of a picture; cell[y][x]
	history []board.Move
}

// gridOf copies a position.
func gridOf(b *board.Board) *grid {
	g := &grid{rule: b.Rule(), w: b.Width(), h: b.Height(), side: b.Side(), stones: b.Stones()}
	for y := range g.h {
		for x := range g.w {
			g.cell[y][x] = ".XO#"[b.At(board.Pt(x, y))]
		}
	}
	return g
}

// sign returns the sign of c's stones.
func sign(c board.Color) byte { return "XO"[c] }

// A spot is a point that may lie off the board, and also a direction.
type spot struct{ x, y int }

// plus returns the spot k steps away.
func (p spot) plus(d spot, k int) spot { return spot{p.x + k*d.x, p.y + k*d.y} }

func spotOf(m board.Move) spot    { return spot{m.X(), m.Y()} }
func (p spot) move() board.Move   { return board.Pt(p.x, p.y) }
func (g *grid) on(p spot) bool    { return p.x >= 0 && p.x < g.w && p.y >= 0 && p.y < g.h }
func (g *grid) empty(p spot) bool { return g.at(p) == '.' }

// at returns what lies on p, a blank beyond the edge.
func (g *grid) at(p spot) byte {
	if !g.on(p) {
		return ' '
	}
	return g.cell[p.y][p.x]
}

// gridDirs are the directions: row, column and the two diagonals.
var gridDirs = [4]spot{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// play puts a stone of the side to move on m; undo takes it back.
func (g *grid) play(m board.Move) {
	if !g.empty(spotOf(m)) {
		panic(fmt.Sprintf("%v is not empty", m))
	}
	g.cell[m.Y()][m.X()] = sign(g.side)
	g.history = append(g.history, m)
	g.stones++
	g.side = g.side.Opponent()
}

func (g *grid) undo() {
	m := g.history[len(g.history)-1]
	g.history = g.history[:len(g.history)-1]
	g.cell[m.Y()][m.X()] = '.'
	g.stones--
	g.side = g.side.Opponent()
}

func (g *grid) full() bool { return g.stones == g.w*g.h }

// run returns the length of the run of equal stones through p and the spots
// just beyond its ends.
func (g *grid) run(p, d spot) (stones int, before, past spot) {
	c := g.at(p)
	stones, before, past = 1, p.plus(d, -1), p.plus(d, 1)
	for g.at(before) == c {
		before = before.plus(d, -1)
		stones++
	}
	for g.at(past) == c {
		past = past.plus(d, 1)
		stones++
	}
	return stones, before, past
}

// won reports whether the run through the stone on p in direction d wins.
func (g *grid) won(p, d spot) bool {
	c := g.at(p)
	opponent := sign(board.White)
	if c == opponent {
		opponent = sign(board.Black)
	}
	stones, before, past := g.run(p, d)
	blocked := g.at(before) == opponent && g.at(past) == opponent
	switch g.rule {
	case board.Freestyle:
		return stones >= 5
	case board.Standard:
		return stones == 5
	case board.Renju:
		return stones == 5 || stones > 5 && c == 'O'
	case board.Caro5:
		return stones == 5 && !blocked
	case board.Caro6:
		return stones > 5 || stones == 5 && !blocked
	}
	panic("no such rule")
}

// wonAt reports whether the stone on p is part of a winning run.
func (g *grid) wonAt(p spot) bool {
	for _, d := range gridDirs {
		if g.won(p, d) {
			return true
		}
	}
	return false
}

// five reports whether a stone of c on p, which may be taken or off the
// board, would win.
func (g *grid) five(p spot, c board.Color) bool {
	if !g.empty(p) {
		return false
	}
	g.cell[p.y][p.x] = sign(c)
	won := g.wonAt(p)
	g.cell[p.y][p.x] = '.'
	return won
}

// fives returns the points where a stone of c would win.
func (g *grid) fives(c board.Color) []board.Move {
	var list []board.Move
	for y := range g.h {
		for x := range g.w {
			if g.five(spot{x, y}, c) {
				list = append(list, board.Pt(x, y))
			}
		}
	}
	return list
}

// around calls f with p and every spot on its four lines up to six away,
// which is as far as a stone has a say in a five through p.
func around(p spot, f func(spot)) {
	f(p)
	for _, d := range gridDirs {
		for k := -6; k <= 6; k++ {
			if k != 0 {
				f(p.plus(d, k))
			}
		}
	}
}

// fivesBy returns the points where c would win thanks to the stone on m.
func (g *grid) fivesBy(m board.Move, c board.Color) []board.Move {
	var list []board.Move
	around(spotOf(m), func(p spot) {
		if g.five(p, c) {
			list = append(list, p.move())
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
		if !g.empty(p) {
			return
		}
		g.play(p.move())
		stopped := true
		for _, f := range fives {
			stopped = stopped && !g.five(spotOf(f), o)
		}
		g.undo()
		if stopped {
			list = append(list, p.move())
		}
	})
	return list
}

// legal reports whether the side to move may play m.
func (g *grid) legal(m board.Move) bool {
	p := spotOf(m)
	if m == board.NoMove || !g.empty(p) {
		return false
	}
	return g.rule != board.Renju || g.side == board.White || !g.forbidden(p)
}

// forbidden reports whether black may not play on the empty spot p in renju, by
// the rules of the Renju International Federation, 9.2 and 9.3.
func (g *grid) forbidden(p spot) bool {
	g.cell[p.y][p.x] = 'X'
	forbidden := g.forbiddenAt(p)
	g.cell[p.y][p.x] = '.'
	return forbidden
}

// forbiddenAt is forbidden with black's stone on p already.
func (g *grid) forbiddenAt(p spot) bool {
	fours, threes, overline := 0, 0, false
	for _, d := range gridDirs {
		switch stones, _, _ := g.run(p, d); {
		case stones == 5:
			return false // a five wins whatever else it makes
		case stones > 5:
			overline = true
		}
	}
	if overline {
		return true
	}
	for _, d := range gridDirs {
		n := g.fours(p, d)
		fours += n
		if n == 0 && g.three(p, d) {
			threes++
		}
	}
	return fours >= 2 || threes >= 2
}

// fours counts black's fours in direction d that the stone on p belongs to:
// the points that would make it a five, but a straight four has two of them.
func (g *grid) fours(p, d spot) int {
	if g.straightFour(p, d) {
		return 1
	}
	fours := 0
	for k := -4; k <= 4; k++ {
		if g.fillsFive(p, p.plus(d, k), d) {
			fours++
		}
	}
	return fours
}

// fillsFive reports whether black's stone on q makes a run of exactly five
// through p.
func (g *grid) fillsFive(p, q, d spot) bool {
	if !g.empty(q) {
		return false
	}
	g.cell[q.y][q.x] = 'X'
	stones, _, _ := g.run(p, d)
	g.cell[q.y][q.x] = '.'
	return stones == 5
}

// straightFour reports whether black's stone on p is one of four in a row
// that either end would make a five.
func (g *grid) straightFour(p, d spot) bool {
	stones, before, past := g.run(p, d)
	return stones == 4 && g.fillsFive(p, before, d) && g.fillsFive(p, past, d)
}

// three reports whether black's stone on p is part of a three in direction d:
// one more stone makes a straight four of it, no five at the same time, and
// is not forbidden itself.
func (g *grid) three(p, d spot) bool {
	for k := -3; k <= 3; k++ {
		q := p.plus(d, k)
		if !g.empty(q) {
			continue
		}
		g.cell[q.y][q.x] = 'X'
		real := g.straightFour(p, d) && !g.wonAt(q) && !g.forbiddenAt(q)
		g.cell[q.y][q.x] = '.'
		if real {
			return true
		}
	}
	return false
}

// points returns the empty points.
func (g *grid) points() []board.Move {
	var list []board.Move
	for y := range g.h {
		for x := range g.w {
			if g.cell[y][x] == '.' {
				list = append(list, board.Pt(x, y))
			}
		}
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
		if g.five(spotOf(p), d) {
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
		case g.five(spotOf(m), c):
			if i+1 < len(line) {
				return fmt.Errorf("stone %d: %v wins, but the line goes on", i+1, m)
			}
			return nil
		}
		g.play(m)
		played++
		for _, p := range threats {
			if g.five(spotOf(p), c.Opponent()) {
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
		switch e.cell[m.Y()][m.X()] {
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
		if e.five(spotOf(m), e.side) {
			return decided - 1
		}
	}
	best := -decided
	for _, m := range e.free {
		if !e.empty(spotOf(m)) || !e.legal(m) {
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
