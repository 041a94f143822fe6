package engine

import (
	"slices"

	"kumiko/engine/board"
	"kumiko/engine/proof"
)

// A line is what may be told of a move of the root. A win or loss that it
// names is proven, and its PV goes on to the five.
type line struct {
	score Score
	pv    []board.Move
	tree  *proof.Node // of a win
}

// Budgets of proofs for the reader's sake, in nodes: for each line, for all
// lines of a set, and for all that is left to tell once the search must end, so
// that a win or loss at once is told even then.
const (
	lineNodes = 10_000
	setNodes  = 100_000
	lateNodes = 2000
)

// tell reports the lines of done, its first, and of the moves after it.
func (r *root) tell(done Result) {
	r.told = done
	count := min(r.multiPV, r.legal)
	for i := range count {
		l := line{score: done.Score, pv: done.PV}
		if i > 0 {
			l = r.list[i].line
		}
		r.report(Info{Depth: done.Depth, SelDepth: max(r.selDepth, len(l.pv)), Score: l.score, Nodes: r.visited(),
			Time: r.ctl.elapsed(), PV: slices.Clone(l.pv), PVIndex: i, NumPV: count})
	}
}

// claim returns what may be told of a root move: a win or loss that cannot be
// proven in short time is believed and acted upon, but not claimed.
func (r *root) claim(m *rootMove) line {
	n, decided := m.score.Mate()
	if !decided {
		return line{score: m.score, pv: r.playable(m.pv)}
	}
	if m.tree == nil || m.wins != (n > 0) {
		m.tree, m.wins = r.prove(m, n), n > 0
	}
	switch {
	case m.tree == nil && n > 0:
		return line{score: maxEval, pv: r.playable(m.pv)}
	case m.tree == nil:
		return line{score: -maxEval, pv: r.playable(m.pv)}
	case n > 0:
		return line{mateIn(m.tree.Plies()), m.tree.Line(r.b), m.tree}
	}
	r.b.Place(m.move)
	pv := append([]board.Move{m.move}, m.tree.Line(r.b)...)
	r.b.Undo()
	return line{matedIn(1 + m.tree.Plies()), pv, nil}
}

// prove returns the tree of a win in n plies that begins with a root move, or
// of the opponent's win after it if n is negative, or nil. The win of the only
// line may turn out to begin with another move. Only the proof of a win that
// is played counts as work of the search: the others are for the reader's sake.
func (r *root) prove(m *rootMove, n int) *proof.Node {
	if n > 0 && r.multiPV == 1 {
		p := prover{searcher: r.searcher, fours: r.vcf, limit: proofNodes}
		tree := p.proves(n, m.pv)
		r.nodes += p.nodes
		return tree
	}
	if n == 1 {
		return &proof.Node{Move: m.move}
	}
	if r.expired(0) {
		r.spare = min(r.spare, lateNodes)
	}
	p := prover{searcher: r.searcher, fours: r.teller, limit: min(r.spare, lineNodes), free: min(r.spare, lateNodes)}
	if p.limit <= 0 {
		return nil
	}
	r.b.Place(m.move)
	defer func() {
		r.b.Undo()
		r.spare -= p.nodes
	}()
	if n < 0 {
		return p.proves(-n-1, m.pv[1:])
	}
	tree := p.holds(n-1, m.pv[1:])
	if tree != nil {
		tree.Move = m.move
	}
	return tree
}

// playable returns the part of a line that can be played: legal moves up to
// the end of the game.
func (r *root) playable(pv []board.Move) []board.Move {
	b := r.b
	n := 0
	for n < len(pv) && b.Legal(pv[n]) {
		won := b.Wins(pv[n], b.Side())
		b.Place(pv[n])
		n++
		if won {
			break
		}
	}
	for range n {
		b.Undo()
	}
	return slices.Clone(pv[:n])
}

// static returns a score and a line of a root move without a search.
func (r *root) static(m board.Move) (Score, []board.Move) {
	b := r.b
	c := b.Side()
	if b.Wins(m, c) {
		return mateIn(1), []board.Move{m}
	}
	calm := b.Count(c.Opponent(), board.ShapeFive) == 0
	before := Score(0)
	if calm {
		before = r.eval.Evaluate(b)
	}
	b.Place(m)
	defer b.Undo()
	switch {
	case b.Count(c.Opponent(), board.ShapeFive) > 0:
		return matedIn(2), []board.Move{m, b.First(c.Opponent(), board.ShapeFive)}
	case b.Count(c, board.ShapeFive) > 0:
		return before, []board.Move{m} // a four is not for the evaluator
	}
	return -r.eval.Evaluate(b), []board.Move{m}
}

// proven returns the result of playing a victory by fours.
func (r *root) proven(fours []board.Move, plies int) Result {
	res := Result{Move: fours[0], Score: mateIn(plies), Depth: 1, PV: fours}
	p := prover{searcher: r.searcher, fours: r.teller, limit: proofNodes, free: proofNodes}
	if tree := p.fourTree(fours); tree != nil {
		res.Score, res.PV, res.tree = mateIn(tree.Plies()), tree.Line(r.b), tree
	}
	return res
}
