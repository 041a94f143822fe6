package engine

import (
	"slices"

	"kumiko/engine/board"
	"kumiko/engine/proof"
	"kumiko/engine/solve"
)

// A prover checks wins before they are reported, and builds their proof trees. A
// search may be wrong because of a hash collision, or because it considered only
// defences near the stones; the prover relies on neither. It accepts a VCF after
// replaying it. For any other win it requires that the attacker's move threatens
// a VCF and that every reply on the board loses; a reply that leaves the VCF
// intact is refuted by replaying it.
type prover struct {
	*searcher
	fours        *solve.VCF
	nodes, limit int64
	free         int64 // nodes allowed even if the search must end
	replies      int64 // considered so far: they take time, but are not nodes
}

// The budget of a proof, in nodes.
const (
	proofNodes    = 60_000
	proofVCFNodes = 3_000
)

// proves returns the tree of a win of the side to move within about the given
// number of plies, or nil. hint is a line that is believed to win; beyond its end
// the prover follows the table.
func (p *prover) proves(plies int, hint []board.Move) *proof.Node {
	if plies <= 0 || p.spent() {
		return nil
	}
	b := p.b
	c := b.Side()
	if line := p.byFours(); line != nil {
		if !solve.Replays(b, line) {
			return nil
		}
		return p.fourTree(line)
	}
	m := board.NoMove
	if len(hint) > 0 {
		m = hint[0]
		hint = hint[1:]
	}
	if m == board.NoMove || !b.Legal(m) {
		if m = p.remembered(); m == board.NoMove {
			// The patterns prove a win by two threes.
			if b.Count(c, board.ShapeThreeThree) == 0 {
				return nil
			}
			m = b.Find(nil, c, board.ShapeThreeThree)[0]
		}
		hint = nil
	}
	b.Place(m)
	defer b.Undo()
	n := p.holds(plies-1, hint)
	if n != nil {
		n.Move = m
	}
	return n
}

// byFours returns a VCF of the side to move, or nil.
func (p *prover) byFours() []board.Move {
	limit := int64(proofVCFNodes)
	if p.free > 0 {
		limit = min(limit, max(p.limit-p.nodes, 1))
	}
	n, _ := p.fours.Solve(p.b, solve.MaxFours, limit)
	p.nodes += p.fours.Nodes()
	if n == 0 {
		return nil
	}
	return slices.Clone(p.fours.Line())
}

// remembered returns the first move of a win known to the threat solver or the
// table, or NoMove.
func (p *prover) remembered() board.Move {
	if p.vct != nil {
		if m := p.vct.Move(p.b); m != board.NoMove && p.b.Legal(m) {
			return m
		}
	}
	if e, score, ok := p.tt.probe(p.b.Hash(), 0); ok && score >= MateBound &&
		e.bound != upperBound && e.move != board.NoMove && p.b.Legal(e.move) {
		return e.move
	}
	return board.NoMove
}

// spent reports whether the proof must end. A proof may consist almost entirely of
// replies that leave a known VCF intact, so these count against the clock, too.
func (p *prover) spent() bool {
	return p.nodes > p.limit || p.nodes >= p.free && p.expired(0) ||
		p.nodes+p.replies > max(p.free, freeNodes) && p.ctl.late()
}

// holds returns the tree below the attacker's last move if it wins within about
// the given number of plies against every reply of the defender, who is to move,
// and nil if the defender may hold.
func (p *prover) holds(plies int, hint []board.Move) *proof.Node {
	b := p.b
	d := b.Side()
	a := d.Opponent()
	if b.Count(d, board.ShapeFive) > 0 || b.Full() || p.spent() {
		return nil
	}
	if b.Count(a, board.ShapeFive) > 0 {
		return p.fourHolds(plies, hint)
	}
	b.Pass()
	line := p.byFours()
	b.Undo()
	if line == nil {
		return nil
	}
	b.Pass()
	rest := p.fourTree(line)
	b.Undo()
	n := &proof.Node{}
	for z := range b.LegalMoves {
		p.replies++
		b.Place(z)
		var then *proof.Node
		ok := solve.Replays(b, line)
		if !ok {
			then = p.proves(plies-1, after(hint, z))
		} else if ok = p.stands(rest); !ok {
			then = p.proves(max(plies-1, 1), nil)
		}
		b.Undo()
		switch {
		case ok:
			n.Rest = rest
		case then == nil:
			return nil
		default:
			n.Answers = append(n.Answers, proof.Answer{Replies: []board.Move{z}, Then: then})
		}
	}
	return n
}

// stands reports whether a tree of fours still wins for the side to move after a
// stone of the other side has been added. That its line replays is not enough:
// the stone may have made legal a point that was forbidden, and so is unanswered
// in the tree.
func (p *prover) stands(n *proof.Node) bool {
	b := p.b
	if n == nil || !b.Legal(n.Move) {
		return false
	}
	if len(n.Answers) == 0 && n.Rest == nil {
		return b.Wins(n.Move, b.Side())
	}
	b.Place(n.Move)
	defer b.Undo()
	d := b.Side()
	if b.Count(d, board.ShapeFive) > 0 || n.Rest == nil || !b.Empty(n.Rest.Move) || !b.Wins(n.Rest.Move, d.Opponent()) {
		return false
	}
	stops := []board.Move{n.Rest.Move}
	if b.Rule().Caro() {
		stops = b.Defences(nil, n.Rest.Move, d.Opponent(), board.ShapeFive)
	}
	for _, z := range stops {
		if !b.Legal(z) {
			continue
		}
		i := slices.IndexFunc(n.Answers, func(a proof.Answer) bool { return slices.Contains(a.Replies, z) })
		if i < 0 {
			return false
		}
		b.Place(z)
		ok := p.stands(n.Answers[i].Then)
		b.Undo()
		if !ok {
			return false
		}
	}
	return true
}

// after returns the rest of line after m, or nil if it does not begin with m.
func after(line []board.Move, m board.Move) []board.Move {
	if len(line) > 0 && line[0] == m {
		return line[1:]
	}
	return nil
}

// fourHolds is holds after a four of the attacker.
func (p *prover) fourHolds(plies int, hint []board.Move) *proof.Node {
	return p.answers(func(z board.Move) *proof.Node { return p.proves(plies-1, after(hint, z)) })
}

// answers returns the tree below a four just made: the five, and for each reply
// that stops every five the result of then. It is nil if then returns nil.
func (p *prover) answers(then func(reply board.Move) *proof.Node) *proof.Node {
	b := p.b
	a := b.Side().Opponent()
	five := b.First(a, board.ShapeFive)
	stops := []board.Move{five}
	if b.Rule().Caro() {
		stops = b.Defences(nil, five, a, board.ShapeFive)
	}
	n := &proof.Node{}
	for _, z := range stops {
		legal := b.Legal(z)
		b.Place(z)
		var t *proof.Node
		if b.Count(a, board.ShapeFive) > 0 {
			// List the reply even if it is forbidden: another stone may allow it.
			t = &proof.Node{Move: b.First(a, board.ShapeFive)}
		} else if legal {
			t = then(z)
		}
		b.Undo()
		if t == nil && !legal {
			continue
		}
		if t == nil {
			return nil
		}
		n.Answers = append(n.Answers, proof.Answer{Replies: []board.Move{z}, Then: t})
	}
	if b.Width()*b.Height()-b.Stones() > len(n.Answers) {
		n.Rest = &proof.Node{Move: five}
	}
	return n
}

// fourTree returns the tree of a VCF of the side to move, given one line of it.
// In caro, where a four may have several answers, it has the solver refute the
// others, and returns nil if that fails.
func (p *prover) fourTree(line []board.Move) *proof.Node {
	b := p.b
	m := line[0]
	if b.Wins(m, b.Side()) {
		return &proof.Node{Move: m}
	}
	b.Place(m)
	defer b.Undo()
	if b.Count(b.Side().Opponent(), board.ShapeFive) == 0 {
		return nil
	}
	n := p.answers(func(z board.Move) *proof.Node {
		if len(line) > 2 && z == line[1] {
			return p.fourTree(line[2:])
		}
		if other := p.byFours(); other != nil {
			return p.fourTree(other)
		}
		return nil
	})
	if n != nil {
		n.Move = m
	}
	return n
}
