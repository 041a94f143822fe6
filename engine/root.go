package engine

import (
	"math/bits"
	"slices"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/solve"
)

// A rootMove is a move of the position being thought about.
type rootMove struct {
	move  board.Move
	score Score // of the last iteration that searched it exactly
	pv    []board.Move

	lost    int   // plies in which the opponent is known to win by threats, or 0
	checked int64 // work done in vain to find that out
}

// root drives the search of one request.
type root struct {
	*searcher
	engine   *Engine // for the helpers
	budget   budget
	maxDepth int
	multiPV  int
	report   func(Info)
	list     []rootMove
	threats  threats
}

// think chooses a move: at once where there is nothing to think about, by
// fours if they win, else by searching ever deeper.
func (r *root) think() Result {
	b := r.b
	if b.Full() {
		return Result{Move: board.NoMove}
	}
	if b.Stones() == 0 {
		m := board.Pt(b.Width()/2, b.Height()/2)
		return Result{Move: m, PV: []board.Move{m}}
	}
	if c := b.Side(); b.Count(c, board.ShapeFive) > 0 {
		m := b.First(c, board.ShapeFive)
		return Result{Move: m, Score: mateIn(1), PV: []board.Move{m}}
	}
	r.collect()
	if len(r.list) == 0 {
		return Result{Move: lostMove(b), Score: matedIn(2)}
	}
	if len(r.list) == 1 && r.multiPV == 1 {
		m := r.list[0].move
		return Result{Move: m, PV: []board.Move{m}}
	}
	if n := r.byFours(); n > 0 {
		line := slices.Clone(r.vcf.Line())
		info := Info{Depth: 1, SelDepth: n, Score: mateIn(n), Nodes: r.visited(), Time: r.ctl.elapsed(), PV: line}
		r.report(info)
		return Result{Move: line[0], Score: mateIn(n), Depth: 1, PV: line}
	}
	if res, ok := r.wonByThreats(1); ok {
		return res
	}
	r.holdAgainstFours()
	r.lookOut()
	return r.deepen() // the driver: what is left is for a search to choose
}

// lostMove returns a move against fives that cannot all be stopped: one of
// their points, for the opponent may not see the other, or any move if all of
// them are forbidden.
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

// collect lists the moves of the root, the most promising first.
func (r *root) collect() {
	p := r.generate(board.NoMove)
	for {
		m, ok := p.pick()
		if !ok {
			break
		}
		r.list = append(r.list, rootMove{move: m.move, score: -infinite, pv: []board.Move{m.move}})
	}
	r.used = 0
	if len(r.list) == 0 && p.forced == board.ShapeOpenFour {
		r.lost()
	}
}

// lost lists all moves where none stops an open four: the game goes on, and
// the moves that the patterns like best ask most of the opponent.
func (r *root) lost() {
	b := r.b
	for y := range b.Height() {
		for row := b.Vacant(y); row != 0; row &= row - 1 {
			r.push(board.Pt(bits.TrailingZeros32(row), y), b.Side(), board.NoMove)
		}
	}
	p := picker{list: r.moves[:r.used]}
	r.used = 0
	for m, ok := p.pick(); ok; m, ok = p.pick() {
		r.list = append(r.list, rootMove{move: m.move, score: -infinite, pv: []board.Move{m.move}})
	}
}

// Budgets for the victories by fours that the root looks for, in positions.
const (
	rootVCFNodes  = 400_000
	rootHoldNodes = 60_000
)

// spent returns a function that tells whether one part in so many of the time
// has gone, or the search must end.
func (r *root) spent(part time.Duration) func() bool {
	return func() bool {
		return r.budget.hard != NoLimit && r.ctl.elapsed() > r.budget.hard/part || r.expired(r.vcf.Nodes())
	}
}

// byFours returns the plies of a victory by fours, or 0.
func (r *root) byFours() int {
	r.vcf.Expired = r.spent(4)
	defer func() { r.vcf.Expired = nil }()
	n, _ := r.vcf.Solve(r.b, solve.MaxFours, rootVCFNodes)
	r.nodes += r.vcf.Nodes()
	return n
}

// holdAgainstFours drops the moves after which the opponent wins by fours, if
// he threatens to, unless that leaves none.
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
		}
	}
	if len(held) > 0 {
		r.list = held
	}
}
