package engine

import (
	"slices"

	"kumiko/engine/board"
	"kumiko/engine/proof"
)

// A line is the reportable score and PV of a root move. If the score is a win or
// loss, it is proven, and the PV extends to the five.
type line struct {
	score Score
	pv    []board.Move
	tree  *proof.Node // of a win
}

// Budgets of proofs that only serve the report, in nodes: for each line, for all
// lines of a set, and for everything left to report once the search must end, so
// that immediate wins and losses are still reported.
const (
	lineNodes = 10_000
	setNodes  = 100_000
	lateNodes = 2000
)

// reportLines reports a set of lines, beginning with that of done.
func (r *root) reportLines(done Result) {
	r.reported = done
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

// claim returns the reportable line of a root move. A win or loss that cannot be
// proven quickly is acted upon but not reported.
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

// prove returns the tree of a win in n plies that begins with a root move, or of
// the opponent's win after it if n is negative, or nil. With a single line, the
// win may turn out to begin with another move. Only the proof of a win that is
// played counts as search work; the others only serve the report.
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
	p := prover{searcher: r.searcher, fours: r.reportVCF, limit: min(r.spare, lineNodes), free: min(r.spare, lateNodes)}
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

// playable returns the playable prefix of a line: legal moves up to the end of the
// game.
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

// static returns a score and a line of a root move without search.
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
		return before, []board.Move{m} // evaluators do not score fours
	}
	return -r.eval.Evaluate(b), []board.Move{m}
}

// proven returns the result of playing a VCF.
func (r *root) proven(fours []board.Move, plies int) Result {
	res := Result{Move: fours[0], Score: mateIn(plies), Depth: 1, PV: fours}
	p := prover{searcher: r.searcher, fours: r.reportVCF, limit: proofNodes, free: proofNodes}
	if tree := p.fourTree(fours); tree != nil {
		res.Score, res.PV, res.tree = mateIn(tree.Plies()), tree.Line(r.b), tree
	}
	return res
}
