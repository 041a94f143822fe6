package engine

import (
	"math/bits"

	"kumiko/engine/board"
	"kumiko/engine/solve"
)

// A prover checks wins before they are announced. A search may be misled: by
// another position with the same key in its table, or because it looked only
// at defences near the stones. The prover believes neither. It accepts a
// victory by fours after playing it through, and otherwise demands that after
// the attacker's move every single answer on the board loses, where the
// attacker threatens to win by fours, and all answers that leave that victory
// intact are dealt with by playing it through once more.
type prover struct {
	*searcher
	nodes, limit int64
}

// Budget of a proof, in positions.
const (
	proofNodes    = 60_000
	proofVCFNodes = 3_000
)

// announced returns the score of a move as it may be told: a win that cannot
// be proven in short time is believed and played, but not claimed.
func (r *root) announced(m rootMove) Score {
	n, ok := m.score.Mate()
	if !ok || n < 0 {
		return m.score
	}
	p := prover{searcher: r.searcher, limit: proofNodes}
	proven := p.proves(n, m.pv)
	r.nodes += p.nodes
	if proven {
		return m.score
	}
	return maxEval
}

// proves reports whether the side to move wins within so many plies. hint is
// a line that is believed to win; the table is asked where it ends.
func (p *prover) proves(plies int, hint []board.Move) bool {
	if plies <= 0 || p.spent() {
		return false
	}
	b := p.b
	c := b.Side()
	if n, _ := p.vcf.Solve(b, solve.MaxFours, proofVCFNodes); n > 0 {
		p.nodes += p.vcf.Nodes()
		line := append([]board.Move(nil), p.vcf.Line()...)
		return solve.Replays(b, line)
	}
	p.nodes += p.vcf.Nodes()
	m := board.NoMove
	if len(hint) > 0 {
		m = hint[0]
		hint = hint[1:]
	}
	if m == board.NoMove || !b.Legal(m) {
		if m = p.remembered(); m == board.NoMove {
			// The patterns prove a win by two threes.
			if b.Count(c, board.ShapeThreeThree) == 0 {
				return false
			}
			m = b.Find(nil, c, board.ShapeThreeThree)[0]
		}
		hint = nil
	}
	b.Place(m)
	defer b.Undo()
	return p.holds(plies-1, hint)
}

// remembered returns the move of a win that the solver of threats or the table
// knows, or NoMove.
func (p *prover) remembered() board.Move {
	if m := p.vct.Move(p.b); m != board.NoMove && p.b.Legal(m) {
		return m
	}
	if e, score, ok := p.tt.probe(p.b.Hash(), 0); ok && score >= MateBound &&
		e.bound != upperBound && e.move != board.NoMove && p.b.Legal(e.move) {
		return e.move
	}
	return board.NoMove
}

func (p *prover) spent() bool {
	return p.nodes > p.limit || p.expired(0)
}

// holds reports whether the side to move, the defender, loses within so many
// plies whatever it plays.
func (p *prover) holds(plies int, hint []board.Move) bool {
	b := p.b
	d := b.Side()
	a := d.Opponent()
	if b.Count(d, board.ShapeFive) > 0 || b.Full() || p.spent() {
		return false
	}
	if b.Count(a, board.ShapeFive) > 0 {
		var buf [16]board.Move
		return p.refutes(b.FiveDefences(buf[:0], a), plies, hint, nil)
	}
	b.Pass()
	n, _ := p.vcf.Solve(b, solve.MaxFours, proofVCFNodes)
	p.nodes += p.vcf.Nodes()
	line := append([]board.Move(nil), p.vcf.Line()...)
	b.Undo()
	if n == 0 {
		return false
	}
	var all []board.Move
	for y := range b.Height() {
		for row := b.Vacant(y); row != 0; row &= row - 1 {
			all = append(all, board.Pt(bits.TrailingZeros32(row), y))
		}
	}
	return p.refutes(all, plies, hint, line)
}

// refutes reports whether each of the defender's answers loses, to the
// victory by fours given if that still works.
func (p *prover) refutes(answers []board.Move, plies int, hint, fours []board.Move) bool {
	b := p.b
	for _, z := range answers {
		if !b.Legal(z) {
			continue
		}
		var rest []board.Move
		if len(hint) > 0 && hint[0] == z {
			rest = hint[1:]
		}
		b.Place(z)
		ok := fours != nil && solve.Replays(b, fours) || p.proves(plies-1, rest)
		b.Undo()
		if !ok {
			return false
		}
	}
	return true
}
