package engine

import (
	"math/bits"

	"kumiko/engine/board"
)

// A scoredMove is a candidate with its ordering score.
type scoredMove struct {
	move  board.Move
	worth int16 // by the patterns alone
	score int32 // worth plus history
}

// A picker generates the moves of one position, in order.
type picker struct {
	list []scoredMove
	next int
	// forced, if not ShapeNone, is the threat whose answers are the only moves
	// in the list: a five (ShapeFive), an open four or a four-three.
	forced board.Shape
}

// generate fills s.moves from s.used on with the moves worth searching for the
// side to move and returns them. Against a threat these are exactly the moves
// that stop it, and every four:
//
//   - The opponent has a five: the points that leave none.
//   - The opponent can make an open four: the points that spoil each.
//   - The opponent can make a four-three: the points that take away its four
//     or its three, or that turn the forced answer to its four into a four.
//
// Otherwise they are all points near a stone. Forbidden points are left out.
func (s *searcher) generate(tt board.Move) picker {
	b := s.b
	c := b.Side()
	o := c.Opponent()
	p := picker{}
	start := s.used
	var buf [256]board.Move
	var seen [board.MaxSize]uint32
	add := func(m board.Move) {
		if seen[m.Y()]>>m.X()&1 != 0 {
			return
		}
		seen[m.Y()] |= 1 << m.X()
		s.push(m, c, tt)
	}
	switch {
	case b.Count(o, board.ShapeFive) > 0:
		p.forced = board.ShapeFive
		for _, m := range b.FiveDefences(buf[:0], o) {
			add(m)
		}
	case b.Count(o, board.ShapeOpenFour) > 0:
		p.forced = board.ShapeOpenFour
		for _, m := range s.defences(buf[:0], o, board.ShapeOpenFour) {
			add(m)
		}
		s.eachFour(c, add)
	case b.Count(o, board.ShapeFourThree) > 0 && s.exactFourThree(o):
		if moves, real := s.fourThreeDefences(buf[:0], o); real {
			p.forced = board.ShapeFourThree
			for _, m := range moves {
				add(m)
			}
			s.eachFour(c, add)
		}
	}
	if p.forced == board.ShapeNone {
		for y := range b.Height() {
			for row := b.Near(y); row != 0; row &= row - 1 {
				s.push(board.Pt(bits.TrailingZeros32(row), y), c, tt)
			}
		}
	}
	if s.used == start && p.forced != board.ShapeFive && p.forced != board.ShapeOpenFour {
		// Nothing near, or no answer to a four-three: generate all moves.
		p.forced = board.ShapeNone
		for y := range b.Height() {
			for row := b.Vacant(y); row != 0; row &= row - 1 {
				s.push(board.Pt(bits.TrailingZeros32(row), y), c, tt)
			}
		}
	}
	p.list = s.moves[start:s.used]
	return p
}

// exactFourThree reports whether the answers to o's four-threes can be listed
// from the patterns. In caro a four has several answers, and black's threes
// in renju may turn out to be none.
func (s *searcher) exactFourThree(o board.Color) bool {
	switch s.b.Rule() {
	case board.Freestyle, board.Standard:
		return true
	case board.Renju:
		return o == board.White
	}
	return false
}

// push appends one move with its score, unless it is forbidden.
func (s *searcher) push(m board.Move, c board.Color, tt board.Move) {
	b := s.b
	shape := b.Shape(m, c)
	if shape == board.ShapeForbidden && b.Forbidden(m) != board.NotForbidden {
		return
	}
	worth := s.order.Worth(b, m, c)
	last := b.Last()
	score := worth + s.learned(c, m, shape)*s.t.v[historyWeight]>>14
	if last != board.NoMove && s.hist.counter[c.Opponent()][last%points] == m {
		score += s.t.v[counterBonus]
	}
	if m == tt {
		score = 1 << 20
	}
	s.moves[s.used] = scoredMove{m, int16(min(worth, 32767)), int32(score)}
	s.used++
}

// pick returns the best move not yet picked.
func (p *picker) pick() (scoredMove, bool) {
	if p.next == len(p.list) {
		return scoredMove{}, false
	}
	best := p.next
	for i := p.next + 1; i < len(p.list); i++ {
		if p.list[i].score > p.list[best].score {
			best = i
		}
	}
	// Rotate rather than swap, to keep equal moves in board order.
	m := p.list[best]
	copy(p.list[p.next+1:best+1], p.list[p.next:best])
	p.list[p.next] = m
	p.next++
	return m, true
}

// eachFour calls f for every legal four of c.
func (s *searcher) eachFour(c board.Color, f func(board.Move)) {
	b := s.b
	for y := range b.Height() {
		for row := b.Fours(c, y); row != 0; row &= row - 1 {
			f(board.Pt(bits.TrailingZeros32(row), y))
		}
	}
	if b.Count(c, board.ShapeForbidden) == 0 {
		return
	}
	for y := range b.Height() {
		for row := b.Vacant(y); row != 0; row &= row - 1 {
			m := board.Pt(bits.TrailingZeros32(row), y)
			if b.Shape(m, c) == board.ShapeForbidden && b.MakesFour(m, c) {
				f(m)
			}
		}
	}
}

// defences appends the points that leave c unable to make the shape sh anywhere.
func (s *searcher) defences(dst []board.Move, c board.Color, sh board.Shape) []board.Move {
	var buf [64]board.Move
	at := s.b.Find(buf[:0], c, sh)
	n := len(dst)
	dst = s.b.Defences(dst, at[0], c, sh)
	return s.b.KeepDefences(dst, n, at[1:], c, sh)
}

// fourThreeDefences appends every move, fours apart, that might meet all of
// c's four-threes. real is false if none of them is a threat.
//
// The list is complete: c plays the four-three, we must answer the four at its
// point f, and c turns the three into an open four. We lose unless our move has
// already removed the four or the three, or f makes us a four.
func (s *searcher) fourThreeDefences(dst []board.Move, c board.Color) (moves []board.Move, real bool) {
	b := s.b
	var buf [64]board.Move
	at := b.Find(buf[:0], c, board.ShapeFourThree)
	threats := at[:0]
	for _, p := range at {
		if b.Shape(b.FivePoint(p, c), c.Opponent()) < board.ShapeFour {
			threats = append(threats, p)
		}
	}
	if len(threats) == 0 {
		return dst, false
	}
	n := len(dst)
	dst = b.Defences(dst, threats[0], c, board.ShapeFourThree)
	dst = b.Helpers(dst, b.FivePoint(threats[0], c), c.Opponent(), board.ShapeFour)
	kept := dst[:n]
next:
	for _, z := range dst[n:] {
		for _, p := range threats[1:] {
			if b.ShapeAfter(p, c, z, c.Opponent()) >= board.ShapeFourThree &&
				b.ShapeAfter(b.FivePoint(p, c), c.Opponent(), z, c.Opponent()) < board.ShapeFour {
				continue next
			}
		}
		kept = append(kept, z)
	}
	return kept, true
}
