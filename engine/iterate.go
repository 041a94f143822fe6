package engine

import (
	"slices"
	"time"

	"kumiko/engine/board"
)

// MaxDepth is the greatest nominal depth.
const MaxDepth = 100

// deepen searches the root deeper and deeper by alpha-beta. What it is given
// is the list of moves that root left to choose among.
func (r *root) deepen() Result {
	done := Result{Move: r.list[0].move, PV: r.list[0].pv}
	t := r.newTeam()
	defer t.dismiss()
	stable := 0
	for depth := 1; depth <= r.maxDepth; depth++ {
		t.enter(depth)
		finished := r.iteration(depth)
		best := r.list[0]
		if best.move == done.Move {
			stable++
		} else {
			stable = 0
		}
		done.Move, done.PV = best.move, best.pv
		if best.score > -infinite {
			done.Score = r.announced(best)
		}
		if !finished {
			break
		}
		done.Depth = depth
		r.reportAll(done)
		if r.multiPV == 1 && settled(done.Score, depth) || r.enough(stable) {
			break
		}
		if res, ok := r.wonByThreats(depth); ok {
			return res
		}
		r.lookOut()
	}
	return t.consult(done)
}

// settled reports whether a search to a depth has found a win, or a loss
// that a deeper one cannot put off.
func settled(v Score, depth int) bool {
	n, decided := v.Mate()
	return decided && (n > 0 || depth > 2-n)
}

// reportAll tells what an iteration found, the best move with its announced
// score.
func (r *root) reportAll(done Result) {
	for i := range min(r.multiPV, len(r.list)) {
		score := r.list[i].score
		if i == 0 {
			score = done.Score
		}
		r.report(Info{Depth: done.Depth, SelDepth: r.selDepth, Score: score, Nodes: r.visited(),
			Time: r.ctl.elapsed(), PV: slices.Clone(r.list[i].pv), PVIndex: i})
	}
}

// enough reports whether another iteration is not worth its time. stable is
// the number of iterations for which the best move has been the same.
func (r *root) enough(stable int) bool {
	if !r.budget.saving {
		return false
	}
	// An unstable choice gets up to twice the usual time, a stable one half.
	factor := max(50, 200-25*stable)
	return r.ctl.elapsed() > r.budget.soft*time.Duration(factor)/100*6/10
}

// iteration searches all root moves to a depth and puts them in order. It
// returns false if it was cut short; then a move at the front has been proven
// better than the one before it, or the order is the old one.
func (r *root) iteration(depth int) bool {
	r.sinkLost()
	for i := range min(r.multiPV, len(r.list)) {
		if !r.aspirate(depth, i) {
			return false
		}
	}
	// A later line may have come out better than an earlier one.
	slices.SortStableFunc(r.list[:min(r.multiPV, len(r.list))], func(a, b rootMove) int {
		return int(b.score - a.score)
	})
	return true
}

// aspirate searches the moves from index from on with a window around the
// last score, widened until the score lies within.
func (r *root) aspirate(depth, from int) bool {
	alpha, beta := -infinite, infinite
	delta := Score(r.t.v[aspirationDelta])
	if last := r.list[from].score; depth >= 5 && last > -MateBound && last < MateBound {
		alpha, beta = last-delta, last+delta
	}
	for {
		v, ok := r.searchRoot(alpha, beta, depth*onePly, from)
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

// searchRoot searches the root moves from index from on and sorts them: those
// that raised alpha first, the last to do so foremost.
func (r *root) searchRoot(alpha, beta Score, depth, from int) (best Score, ok bool) {
	b := r.b
	c := b.Side()
	f := r.frame(0)
	if b.Count(c.Opponent(), board.ShapeFive) == 0 {
		f.eval = r.eval.Evaluate(b)
	}
	best = -infinite
	order := r.list[from:]
	scores := make([]Score, len(order))
	for i := range scores {
		scores[i] = -infinite
	}
	plies := min(depth/onePly, 63)
	for i := range order {
		m := order[i].move
		f.move, f.shape = m, b.Shape(m, c)
		next := depth - onePly
		reduction := 0
		if i > 0 && depth >= 2*onePly {
			sm := scoredMove{move: m, worth: int16(min(r.order.Worth(b, m, c), 32767))}
			reduction = r.reduction(sm, f.shape, plies, i+1, 0, true, true, false, c)
			reduction = max(0, min(reduction, next-onePly))
		}
		lost := order[i].lost > 0
		b.Place(m)
		var v Score
		if lost {
			v = matedIn(order[i].lost)
			r.pv[1] = r.pv[1][:0]
		} else if i == 0 {
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
		if r.stopped {
			break
		}
		if v > alpha && v < MateBound && i > 0 && !lost && r.losesToThreats(&order[i]) {
			v = matedIn(order[i].lost)
			r.pv[1] = r.pv[1][:0]
		}
		if v > best {
			best = v
		}
		if v > alpha || i == 0 {
			scores[i] = v
			order[i].score = v
			order[i].pv = append(append(order[i].pv[:0], m), r.pv[1]...)
			if i > 0 {
				// Proven better than all before it, even if time runs out.
				om, sc := order[i], scores[i]
				copy(order[1:i+1], order[:i])
				copy(scores[1:i+1], scores[:i])
				order[0], scores[0] = om, sc
			}
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
