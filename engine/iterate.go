package engine

import (
	"slices"
	"time"

	"kumiko/engine/board"
)

// MaxDepth is the greatest nominal depth.
const MaxDepth = 100

// deepen searches the listed root moves by iterative deepening.
func (r *root) deepen() Result {
	done := Result{Move: r.list[0].move}
	done.Score, done.PV = r.static(done.Move)
	t := r.newTeam()
	defer t.dismiss()
	for depth := 1; depth <= r.maxDepth; depth++ {
		t.enter(depth)
		finished := r.iteration(depth)
		r.takeStock(&done)
		if !finished {
			break
		}
		done.Depth = depth
		r.reportLines(done)
		if r.allSettled(done, depth) || r.enough() {
			break
		}
		if r.lookForThreats(&done) {
			return done
		}
	}
	return t.consult(done)
}

// takeStock adopts the first move after an iteration, and counts for how many it has been
// the same.
func (r *root) takeStock(done *Result) {
	before := done.Move
	if r.adopt(done); done.Move == before {
		r.stable++
	} else {
		r.stable = 0
	}
}

// lookForThreats looks for victories by threats of both sides. It reports whether done is
// one and ends the search.
func (r *root) lookForThreats(done *Result) bool {
	if res, ok := r.wonByThreats(done.Depth); ok {
		if r.multiPV == 1 {
			*done = res
			return true
		}
		r.know(res)
		r.adopt(done)
	}
	r.findMenace()
	return false
}

// adopt makes the first move of the list, with its line, the result. With
// several lines, it sorts them by the scores that may be reported.
func (r *root) adopt(done *Result) {
	m := &r.list[0]
	if m.score == -infinite { // not searched yet
		if m.move != done.Move {
			done.Score, done.PV = r.static(m.move)
		}
		done.Move = m.move
		return
	}
	if !r.expired(0) {
		r.spare = setNodes
	}
	first := r.list[:min(r.multiPV, len(r.list))]
	for i := range first {
		first[i].line = r.claim(&first[i])
	}
	slices.SortStableFunc(first, func(a, b rootMove) int { return int(b.line.score - a.line.score) })
	done.Move, done.Score, done.PV, done.tree = m.line.pv[0], m.line.score, m.line.pv, m.line.tree
}

// allSettled reports whether a deeper search has nothing to add.
func (r *root) allSettled(done Result, depth int) bool {
	for i := range min(r.multiPV, r.legal) {
		score := r.list[i].score
		if n, lost := score.Mate(); i == 0 && (!lost || n > 0) {
			score = done.Score // only a win that is proven ends the search
		}
		if !settled(score, depth) {
			return false
		}
	}
	return true
}

// settled reports whether a search to a depth has found a win, or a loss that a
// deeper search cannot delay.
func settled(v Score, depth int) bool {
	n, decided := v.Mate()
	return decided && (n > 0 || depth > 2-n)
}

// enough reports whether another iteration is not worth its time.
func (r *root) enough() bool {
	if !r.budget.saving {
		return false
	}
	// An unstable best move gets up to twice the usual time, a stable one half.
	factor := max(50, 200-25*r.stable)
	return r.ctl.elapsed() > r.budget.soft*time.Duration(factor)/100*6/10
}

// iteration searches all root moves to a depth and sorts them. It returns false if
// it was cut short; the first move is then the old one, or one proven better.
func (r *root) iteration(depth int) bool {
	if r.multiPV > 1 {
		return r.searchLines(depth * onePly)
	}
	r.sinkLost()
	return r.aspirate(depth)
}

// aspirate searches the root moves with a window around the last score, and widens
// it until the score lies inside.
func (r *root) aspirate(depth int) bool {
	alpha, beta := -infinite, infinite
	delta := Score(r.t.v[aspirationDelta])
	if last := r.list[0].score; depth >= 5 && last > -MateBound && last < MateBound {
		alpha, beta = last-delta, last+delta
	}
	for {
		v, ok := r.searchRoot(alpha, beta, depth*onePly)
		if !ok {
			return false
		}
		switch {
		case v <= alpha && alpha > -infinite:
			beta = (alpha + beta) / 2
			alpha = max(v-delta, -infinite)
		case v >= beta && beta < infinite:
			beta = min(v+delta, infinite)
		default:
			return true
		}
		delta += delta/2 + 6
		if delta > 500 {
			alpha, beta = -infinite, infinite
		}
	}
}

// searchRoot searches the root moves and sorts them: those that raised alpha come
// first, the last of these foremost.
func (r *root) searchRoot(alpha, beta Score, depth int) (best Score, ok bool) {
	r.enterRoot()
	best = -infinite
	order := r.list
	for i := range order {
		v := r.try(order[i], i+1, alpha, beta, depth)
		if r.stopped {
			break
		}
		if v > alpha && v < MateBound && i > 0 && order[i].lost == 0 && r.losesToThreats(&order[i]) {
			v = matedIn(order[i].lost)
			r.pv[1] = r.pv[1][:0]
		}
		best = max(best, v)
		if v > alpha || i == 0 {
			m := order[i]
			m.score = v
			m.pv = append(append(m.pv[:0], m.move), r.pv[1]...)
			// Better than all before it, even if time runs out now.
			copy(order[1:i+1], order[:i])
			order[0] = m
		} else {
			order[i].score = -infinite
		}
		alpha = max(alpha, v)
		if alpha >= beta {
			break
		}
	}
	return best, !r.stopped
}

// searchLines searches the root moves for the requested number of lines: a move
// gets an exact score if it is among that many best so far. It sorts them unless
// it is cut short before it has that many.
func (r *root) searchLines(depth int) bool {
	r.enterRoot()
	lines := min(r.multiPV, len(r.list))
	done := make([]rootMove, 0, len(r.list))
	best := make([]Score, 0, lines+1) // of the lines so far, descending
	for i := range r.list {
		alpha := -infinite
		if len(best) == lines {
			alpha = best[lines-1]
		}
		m := r.list[i]
		if rank(m) > 0 {
			v := r.try(m, max(1, i+2-lines), alpha, infinite, depth)
			if r.stopped {
				break
			}
			pv := r.pv[1]
			if v > alpha && v < MateBound && m.lost == 0 && r.losesToThreats(&r.list[i]) {
				v, pv = matedIn(r.list[i].lost), nil
			}
			m = r.list[i]
			m.score = -infinite
			if v > alpha {
				m.score, m.pv = v, append([]board.Move{m.move}, pv...)
			}
		}
		if m.score > alpha {
			at := len(best)
			for at > 0 && best[at-1] < m.score {
				at--
			}
			best = slices.Insert(best, at, m.score)
			best = best[:min(len(best), lines)]
		}
		done = append(done, m)
	}
	if len(done) < lines {
		return false
	}
	slices.SortStableFunc(done, func(a, b rootMove) int { return int(b.score - a.score) })
	copy(r.list, done)
	return !r.stopped
}

// enterRoot initializes the frame of the root.
func (r *root) enterRoot() {
	if b := r.b; b.Count(b.Side().Opponent(), board.ShapeFive) == 0 {
		r.frame(0).eval = r.eval.Evaluate(b)
	}
}

// try searches the n-th root move: the first with the full window, the others
// with a null window and late-move reductions, and again if they fail high.
func (r *root) try(m rootMove, n int, alpha, beta Score, depth int) Score {
	if m.lost > 0 {
		r.pv[1] = r.pv[1][:0]
		return matedIn(m.lost)
	}
	b := r.b
	c := b.Side()
	f := r.frame(0)
	f.move, f.shape = m.move, b.Shape(m.move, c)
	next := depth - onePly
	reduction := 0
	if n > 1 && depth >= 2*onePly {
		sm := scoredMove{move: m.move, worth: int16(min(r.order.Worth(b, m.move, c), 32767))}
		reduction = r.reduction(sm, f.shape, min(depth/onePly, 63), n, 0, true, true, false, c)
		reduction = max(0, min(reduction, next-onePly))
	}
	b.Place(m.move)
	var v Score
	if n == 1 {
		v = -r.search(-beta, -alpha, next, 1, false)
	} else {
		v = -r.search(-alpha-1, -alpha, next-reduction, 1, true)
		if v > alpha && reduction > 0 && !r.stopped {
			v = -r.search(-alpha-1, -alpha, next, 1, true)
		}
		if v > alpha && v < beta && !r.stopped {
			v = -r.search(-beta, -alpha, next, 1, false)
		}
	}
	b.Undo()
	r.used = 0
	return v
}
