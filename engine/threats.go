package engine

import (
	"kumiko/engine/board"
)

// The work that the root spends on VCT, in the unit of [solve.VCT.Work], of which
// two take about as long as a node of the search. The shares are small because
// the search finds most wins by itself: a quarter of the nodes made it weaker,
// and a sixteenth no stronger.
const (
	workPerNode  = 2
	firstWork    = 4000 // before the search begins
	attackShare  = 64   // 1/attackShare of the nodes go into attack
	defenceShare = 64   // and 1/defenceShare into defence
	smallestWork = 200  // less is not worth a call
)

// threats is what the root knows about VCT.
type threats struct {
	attack, defence int64 // work done
	hopeless        bool  // the side to move has none
	safe            bool  // the opponent has none, even if we pass
	menace          int64 // the work that found one of his after a pass, or 0
}

// vctWork returns the work that may be done now: 1/share of the nodes visited, but
// at least firstWork, less the work already done.
func (r *root) vctWork(done, share int64) int64 {
	first := int64(firstWork)
	if r.ctl.nodes > 0 {
		first = min(first, r.ctl.nodes/share*workPerNode)
	}
	return max(first, r.nodes/share*workPerNode) - done
}

// threatsFrom runs the solver for the side to move and counts its work.
func (r *root) threatsFrom(work int64) (plies int, complete bool, done int64) {
	v := r.vct
	v.Expired = func() bool {
		return r.budget.hard != NoLimit && r.nodes == 0 && r.ctl.elapsed() > r.budget.hard/4 ||
			r.ctl.expired(r.nodes+v.Work()/workPerNode)
	}
	plies, complete = v.Solve(r.b, work)
	v.Expired = nil
	r.nodes += v.Work() / workPerNode
	return plies, complete, v.Work()
}

// byThreats searches for a VCT of the side to move and returns its plies, or 0.
func (r *root) byThreats() int {
	t := &r.threats
	work := r.vctWork(t.attack, attackShare)
	if t.hopeless || work < smallestWork {
		return 0
	}
	n, complete, done := r.threatsFrom(work)
	t.attack += done
	t.hopeless = complete && n == 0
	return n
}

// wonByThreats searches for a VCT, after a search to the given depth, and returns
// the result of playing it.
func (r *root) wonByThreats(depth int) (_ Result, ok bool) {
	plies := r.byThreats()
	if plies == 0 {
		return Result{}, false
	}
	line := r.vct.Principal(r.b)
	if len(line) == 0 {
		return Result{}, false // let the search find it
	}
	l := r.claim(&rootMove{move: line[0], score: mateIn(plies), pv: line})
	return Result{Move: l.pv[0], Score: l.score, Depth: depth, PV: l.pv, tree: l.tree}, true
}

// findMenace determines whether the opponent would win by threats if we passed.
func (r *root) findMenace() {
	b := r.b
	t := &r.threats
	work := r.vctWork(t.defence, defenceShare)
	if t.safe || t.menace > 0 || work < smallestWork {
		return
	}
	if b.Count(b.Side().Opponent(), board.ShapeFive) > 0 {
		t.menace = smallestWork
		return
	}
	b.Pass()
	n, complete, done := r.threatsFrom(work)
	b.Undo()
	t.defence += done
	if n > 0 {
		t.menace = max(t.defence, smallestWork)
	} else {
		t.safe = complete
	}
}

// losesToThreats reports whether the opponent is known, or found now, to win
// by threats after the root move m.
func (r *root) losesToThreats(m *rootMove) bool {
	t := &r.threats
	if m.lost > 0 || t.menace == 0 {
		return m.lost > 0
	}
	work := min(r.vctWork(t.defence, defenceShare), 16*t.menace)
	if work < smallestWork || work < 2*m.checked {
		return false
	}
	r.b.Place(m.move)
	n, complete, done := r.threatsFrom(work)
	r.b.Undo()
	t.defence += done
	m.checked = done
	if complete {
		m.checked = 1 << 60
	}
	if n > 0 {
		m.lost = n + 1
	}
	return n > 0
}

// sinkLost moves moves that turn out lost from the front of the list to its end.
// If all are lost, the search chooses among them as if nothing were known: the
// opponent may not find what the solver found.
func (r *root) sinkLost() {
	for range r.list {
		if !r.losesToThreats(&r.list[0]) {
			return
		}
		lost := r.list[0]
		r.list = append(append(r.list[:0], r.list[1:]...), lost)
	}
	for i := range r.list {
		r.list[i].lost = 0
	}
	r.threats.menace, r.threats.safe = 0, true
}
