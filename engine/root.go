package engine

import (
	"math/bits"
	"slices"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/proof"
	"kumiko/engine/solve"
)

// A rootMove is a move at the root.
type rootMove struct {
	move  board.Move
	score Score // of the last iteration that searched it exactly
	pv    []board.Move

	tree *proof.Node // of the win that begins with it, or of the opponent's after it
	wins bool        // whether tree is the former
	line line        // as it may be reported

	lost    int   // plies in which the opponent is known to win by threats, or 0
	checked int64 // work spent on finding such a win in vain
}

// root drives the search of one request.
type root struct {
	*searcher
	engine    *Engine    // for the helpers
	reportVCF *solve.VCF // for proofs that do not count as search work
	budget    budget
	maxDepth  int
	multiPV   int
	report    func(Info)
	legal     int    // number of legal moves
	spare     int64  // nodes left for proofs that only serve the report
	reported  Result // of the last set of lines
	list      []rootMove
	stable    int // iterations since the best move last changed
	threats   threats
}

// choose chooses a move and reports its lines.
func (r *root) choose() Result {
	if r.b.Full() {
		return Result{Move: board.NoMove}
	}
	res := Result{}
	if r.multiPV > 1 {
		res = r.several()
	} else {
		r.legal = 1
		res = r.single()
	}
	if t := &r.reported; r.b.Legal(res.Move) && (t.PV == nil || t.Move != res.Move || t.Score != res.Score || t.Depth != res.Depth || !slices.Equal(t.PV, res.PV)) {
		r.reportLines(res)
	}
	return res
}

// single chooses a move: at once if there is nothing to search, by fours or
// threats if they win, otherwise by iterative deepening.
func (r *root) single() Result {
	b := r.b
	if b.Stones() == 0 {
		m := board.Pt(b.Width()/2, b.Height()/2)
		return Result{Move: m, PV: []board.Move{m}}
	}
	if c := b.Side(); b.Count(c, board.ShapeFive) > 0 {
		m := b.First(c, board.ShapeFive)
		return Result{Move: m, Score: mateIn(1), Depth: 1, PV: []board.Move{m}, tree: &proof.Node{Move: m}}
	}
	r.collect()
	if len(r.list) == 0 {
		m := lostMove(b)
		score, pv := r.static(m)
		return Result{Move: m, Score: score, Depth: 1, PV: pv}
	}
	if len(r.list) == 1 {
		return r.only()
	}
	if n := r.byFours(); n > 0 {
		return r.proven(slices.Clone(r.vcf.Line()), n)
	}
	if res, ok := r.wonByThreats(1); ok {
		return res
	}
	r.holdAgainstFours()
	r.findMenace()
	return r.think()
}

// think chooses among the listed moves.
func (r *root) think() Result {
	if r.engine.search == PUCT {
		return r.explore()
	}
	return r.deepen()
}

// only plays the only sensible move, after a minimal search for its score.
func (r *root) only() Result {
	m := &r.list[0]
	if _, ok := r.searchRoot(-infinite, infinite, onePly); !ok {
		m.score, m.pv = r.static(m.move)
	}
	l := r.claim(m)
	return Result{Move: l.pv[0], Score: l.score, Depth: 1, PV: l.pv, tree: l.tree}
}

// several chooses a move if several lines are requested. It considers every
// legal move. What is known of a move before the search remains: that it wins, or
// that the opponent wins by fours after it.
func (r *root) several() Result {
	b := r.b
	r.collect()
	r.others()
	r.legal = len(r.list)
	if r.legal == 0 {
		return Result{Move: anyMove(b)}
	}
	for i := range r.list {
		m := &r.list[i]
		m.score, m.pv = r.static(m.move)
		if m.score == mateIn(1) {
			m.tree, m.wins = &proof.Node{Move: m.move}, true
		}
	}
	if b.Count(b.Side(), board.ShapeFive) == 0 && b.Stones() > 0 {
		if n := r.byFours(); n > 0 {
			r.know(r.proven(slices.Clone(r.vcf.Line()), n))
		} else if res, ok := r.wonByThreats(1); ok {
			r.know(res)
		} else {
			r.holdAgainstFours()
			r.findMenace()
		}
	}
	slices.SortStableFunc(r.list, func(a, b rootMove) int {
		if by := rank(a) - rank(b); by != 0 {
			return by
		}
		return int(b.score - a.score)
	})
	return r.think()
}

// rank sorts moves known to win first and those known to lose last.
func rank(m rootMove) int {
	switch {
	case m.tree != nil && m.wins:
		return 0
	case m.lost > 0:
		return 2
	}
	return 1
}

// others adds the legal moves not in the list, most promising first.
func (r *root) others() {
	b := r.b
	listed := map[board.Move]bool{}
	for _, m := range r.list {
		listed[m.move] = true
	}
	for y := range b.Height() {
		for row := b.Vacant(y); row != 0; row &= row - 1 {
			if m := board.Pt(bits.TrailingZeros32(row), y); !listed[m] {
				r.push(m, b.Side(), board.NoMove)
			}
		}
	}
	r.take(picker{list: r.moves[:r.used]})
}

// know moves the first move of a known win to the front.
func (r *root) know(res Result) {
	if res.tree == nil {
		return // left to the search
	}
	i := slices.IndexFunc(r.list, func(m rootMove) bool { return m.move == res.Move })
	m := r.list[i]
	m.score, m.pv, m.tree, m.wins, m.lost = res.Score, res.PV, res.tree, true, 0
	copy(r.list[1:i+1], r.list[:i])
	r.list[0] = m
}

// lostMove returns a move against fives that cannot all be stopped: one of their
// points, since the opponent may miss the other, or any move if all of them are
// forbidden.
func lostMove(b *board.Board) board.Move {
	for _, m := range b.Find(nil, b.Side().Opponent(), board.ShapeFive) {
		if b.Legal(m) {
			return m
		}
	}
	return anyMove(b)
}

// anyMove returns an empty point, a legal one if there is any.
func anyMove(b *board.Board) board.Move {
	found := board.NoMove
	for y := range b.Height() {
		for x := range b.Width() {
			if m := board.Pt(x, y); b.Empty(m) {
				if b.Legal(m) {
					return m
				}
				found = m
			}
		}
	}
	return found
}

// collect lists the root moves, most promising first.
func (r *root) collect() {
	p := r.generate(board.NoMove)
	r.take(p)
	if len(r.list) == 0 && p.forced == board.ShapeOpenFour {
		// No move stops an open four. Play on with the move of the best
		// patterns, to make it hard for the opponent.
		r.others()
	}
}

// take appends the moves of a picker to the list, most promising first.
func (r *root) take(p picker) {
	for m, ok := p.pick(); ok; m, ok = p.pick() {
		r.list = append(r.list, rootMove{move: m.move, score: -infinite, pv: []board.Move{m.move}})
	}
	r.used = 0
}

// Budgets of VCF searches at the root, in nodes.
const (
	rootVCFNodes  = 400_000
	rootHoldNodes = 60_000
)

// spent returns a function that reports whether 1/part of the time is used up, or
// the search must end.
func (r *root) spent(part time.Duration) func() bool {
	return func() bool {
		return r.budget.hard != NoLimit && r.ctl.elapsed() > r.budget.hard/part || r.expired(r.vcf.Nodes())
	}
}

// byFours returns the plies of a VCF, or 0.
func (r *root) byFours() int {
	r.vcf.Expired = r.spent(4)
	defer func() { r.vcf.Expired = nil }()
	n, _ := r.vcf.Solve(r.b, solve.MaxFours, rootVCFNodes)
	r.nodes += r.vcf.Nodes()
	return n
}

// holdAgainstFours drops the moves that do not prevent a VCF that the opponent
// threatens, unless that leaves none.
func (r *root) holdAgainstFours() {
	b := r.b
	if b.Count(b.Side().Opponent(), board.ShapeFive) > 0 {
		return
	}
	r.vcf.Expired = r.spent(2)
	defer func() { r.vcf.Expired = nil }()
	b.Pass()
	n, _ := r.vcf.Solve(b, solve.MaxFours, rootHoldNodes)
	b.Undo()
	r.nodes += r.vcf.Nodes()
	if n == 0 {
		return
	}
	var held []rootMove
	for i, m := range r.list {
		if r.vcf.Expired() {
			held = append(held, r.list[i:]...) // not known to lose
			break
		}
		b.Place(m.move)
		n, _ := r.vcf.Solve(b, solve.MaxFours, rootHoldNodes)
		b.Undo()
		r.nodes += r.vcf.Nodes()
		if n == 0 {
			held = append(held, m)
		} else if r.multiPV > 1 {
			m.lost = n + 1
			held = append(held, m)
		}
	}
	if len(held) > 0 {
		r.list = held
	}
}
