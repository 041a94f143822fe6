package engine

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/engine/solve"
)

// PUCT is a best-first search that a policy guides (Rosin 2011, Multi-armed Bandits with
// Episode Context; Silver and others 2017, Mastering the Game of Go without Human
// Knowledge). It walks from the root to a position that it has not seen, each time by the
// move of the greatest
//
//	value + C · prior · √visits of the position / (1 + visits of the move)
//
// evaluates that, and adds its value to all on the way. What is proven goes up the tree
// as well (Winands and others 2008, Monte-Carlo Tree Search Solver): wins and losses that
// the patterns or a VCF show, full boards, and what follows from them.
//
// One thread searches.

// Values are winning probabilities.
const (
	puctBase  = 0.55 // C at few visits
	puctGrow  = 0.2  // times log(1 + visits/puctScale) is added to it
	puctScale = 500
	// An unvisited move is expected to be worse than its position by this times the
	// root of the sum of the priors of the visited ones.
	firstPlayReduction = 0.12

	// tablesShare is the share of the worths of move ordering that are logits, if there
	// is no other policy.
	tablesShare = 0.7

	// secondLook is the visit at which a position gets a longer VCF search, of
	// secondLookNodes.
	secondLook      = 16
	secondLookNodes = 500
)

// A guide is an evaluator with a policy.
type guide interface {
	Evaluator
	// Policy sets logits to those by which each of the moves is the best one.
	Policy(b *board.Board, moves []scoredMove, logits []float32)
}

// An explorer is PUCT for one request.
type explorer struct {
	*root
	tree   *tree
	guide  guide // nil if the patterns guide
	path   []int32
	logits []float32
	worth  *[points]int64 // of the listed moves, as treeNode.worth
	full   bool           // there was no room for a node
}

// newExplorer returns an explorer without a root position; see plant.
func newExplorer(r *root) *explorer {
	x := &explorer{root: r, tree: r.engine.tree, path: make([]int32, 0, maxPly+2), logits: make([]float32, points), worth: new([points]int64)}
	x.guide, _ = r.eval.(guide)
	return x
}

// explore searches the listed root moves by PUCT. An iteration doubles the visits of the
// root; its number stands for the depth.
func (r *root) explore() Result {
	x := newExplorer(r)
	done := Result{Move: r.list[0].move}
	done.Score, done.PV = r.static(done.Move)
	x.plant()
	first := min(max(1, bits.Len32(uint32(x.tree.nodes[x.tree.top].visits))), r.maxDepth)
	for depth := first; depth <= r.maxDepth; depth++ {
		finished := x.grow(1 << min(depth, 30))
		x.harvest()
		r.takeStock(&done)
		if !finished {
			break
		}
		done.Depth = depth
		r.reportLines(done)
		if o := x.tree.nodes[x.tree.top].proven; o.won() || o.lost() {
			if _, told := done.Score.Mate(); !told && r.multiPV == 1 {
				// The prover does not find its way yet. Alpha-beta leads it through the
				// table, which has what this search has proven.
				r.stable = 0
				return r.deepen()
			}
			break
		} else if o == provenDraw || x.full || r.enough() {
			break
		}
		if r.lookForThreats(&done) {
			return done
		}
		x.sink()
	}
	return done
}

// plant makes the position the root, with what is known of it from the search before,
// and gives it the listed moves that are not known to win.
func (x *explorer) plant() {
	t := x.tree
	if n := t.find(x.b); n != 0 {
		t.cut(n)
	} else {
		t.clear()
		t.top = t.add(board.NoMove, 1, x.b.Hash())
	}
	top := &t.nodes[t.top]
	top.proven = 0 // only the listed moves count, and their proofs are made anew

	list := x.moves[x.used:x.used]
	for i := range x.list {
		if rank(x.list[i]) == 0 {
			continue
		}
		m := x.list[i].move
		list = append(list, scoredMove{move: m, worth: int16(min(x.order.Worth(x.b, m, x.b.Side()), math.MaxInt16))})
	}
	if len(list) == 0 { // all are known to win
		top.child, top.proven = 0, 1
		return
	}
	x.used += len(list)
	calm := x.b.Count(x.b.Side().Opponent(), board.ShapeFive) == 0
	x.prior(list, calm)
	// Children whose moves are listed stay; the others are forgotten.
	at := &top.child
	for *at != 0 {
		child := &t.nodes[*at]
		i := slices.IndexFunc(list, func(m scoredMove) bool { return m.move == child.move })
		if i < 0 {
			*at = child.next
			continue
		}
		child.prior = x.logits[i]
		x.logits[i] = -1
		at = &child.next
	}
	x.setEdges(t.top, list, len(list))
	top.moves = uint16(len(list))
	x.used -= len(list)
	x.mark()
}

// prior sets x.logits to the prior probabilities of moves. If the position is not calm,
// because a five has to be stopped, they are equal.
func (x *explorer) prior(list []scoredMove, calm bool) {
	p := x.logits[:len(list)]
	switch {
	case !calm:
		clear(p)
	case x.guide != nil:
		x.guide.Policy(x.b, list, p)
	default:
		for i := range list {
			p[i] = tablesShare * float32(list[i].worth) / pattern.Logit
		}
	}
	top := slices.Max(p)
	var sum float32
	for i, v := range p {
		p[i] = float32(math.Exp(float64(v - top)))
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}

// setEdges gives a node the best edges of a list, at most keep, by the priors in
// x.logits. Those with a negative one are left out. It returns false if there is no room.
func (x *explorer) setEdges(n int32, list []scoredMove, keep int) bool {
	count := 0
	for _, p := range x.logits[:len(list)] {
		if p >= 0 {
			count++
		}
	}
	edges := x.tree.addBlock(n, min(count, keep))
	if edges == nil {
		x.full = true
		return false
	}
	// Insertion keeps equal moves in their order.
	kept := 0
	for i := range list {
		p := x.logits[i]
		if p < 0 {
			continue
		}
		e := makeEdge(list[i].move, p)
		at := kept
		for at > 0 && edges[at-1]>>16 < e>>16 {
			at--
		}
		if at == len(edges) {
			continue
		}
		kept = min(kept+1, len(edges))
		copy(edges[at+1:kept], edges[at:])
		edges[at] = e
	}
	return true
}

// grow searches until the root has the given number of visits or a proven outcome. It
// returns false if it was cut short.
func (x *explorer) grow(visits int32) bool {
	top := &x.tree.nodes[x.tree.top]
	for top.visits < visits && top.proven == 0 && !x.full {
		if x.poll() {
			return false
		}
		x.walk()
	}
	return true
}

// walk visits one new position and adds its value to those on the way to it.
func (x *explorer) walk() {
	b := x.b
	x.path = append(x.path[:0], x.tree.top)
	value := 0.0 // for the side to move at the end of the path
	for {
		n := x.path[len(x.path)-1]
		ply := len(x.path) - 1
		nd := &x.tree.nodes[n]
		if nd.proven != 0 {
			value = nd.proven.value()
			break
		}
		if nd.block == 0 {
			v, known := x.visit(n)
			if known || ply >= maxPly || x.full {
				value = v
				break
			}
		} else if nd.visits == secondLook && ply > 0 && x.looks(n) {
			value = 1
			break
		}
		next := x.choose(n)
		if next == 0 { // no room for a new position
			value = 1 - nd.sum/float64(max(nd.visits, 1))
			break
		}
		b.Place(x.tree.nodes[next].move)
		if x.tree.nodes[next].hash == 0 {
			x.tree.nodes[next].hash = b.Hash()
		}
		x.path = append(x.path, next)
	}
	x.selDepth = max(x.selDepth, len(x.path)-1)
	for i := len(x.path) - 1; i >= 0; i-- {
		value = 1 - value
		nd := &x.tree.nodes[x.path[i]]
		nd.visits++
		nd.sum += value
		if i < len(x.path)-1 && x.tree.nodes[x.path[i+1]].proven != 0 {
			x.conclude(x.path[i], i)
		}
		if i > 0 {
			b.Undo()
		}
	}
}

// visit evaluates a position that has no edges yet, and gives it some. Its value is not
// known before a five is stopped; then the walk goes on.
func (x *explorer) visit(n int32) (value float64, known bool) {
	b := x.b
	if b.Full() {
		x.tree.nodes[n].proven = provenDraw
		return 0.5, true
	}
	if v := x.readWin(0); v != noScore {
		x.tree.nodes[n].proven = outcome(mate - v)
		return 1, true
	}
	calm := b.Count(b.Side().Opponent(), board.ShapeFive) == 0
	if calm && b.HasFour(b.Side()) {
		plies := x.vcf.GlanceNear(b, x.ownLast(), x.t.v[leafFours], int64(x.t.v[leafNodes]))
		x.nodes += x.vcf.Nodes()
		if plies > 0 {
			x.tree.nodes[n].proven = outcome(plies)
			return 1, true
		}
	}
	start := x.used
	p := x.generate(board.NoMove)
	defer func() { x.used = start }()
	if len(p.list) == 0 {
		switch p.forced {
		case board.ShapeFive:
			x.tree.nodes[n].proven = -2
			return 0, true
		case board.ShapeOpenFour:
			x.tree.nodes[n].proven = -4
			return 0, true
		}
		x.tree.nodes[n].proven = provenDraw // black has no legal move
		return 0.5, true
	}
	value = 0.5
	if calm {
		value = x.eval.Evaluate(b).WinRate()
	}
	x.prior(p.list, calm)
	x.tree.nodes[n].moves = uint16(len(p.list))
	x.setEdges(n, p.list, keptEdges)
	return value, calm
}

// looks searches for a VCF at a position that was visited some times, and reports
// whether there is one.
func (x *explorer) looks(n int32) bool {
	if x.b.Count(x.b.Side().Opponent(), board.ShapeFive) > 0 || !x.b.HasFour(x.b.Side()) {
		return false
	}
	plies, _ := x.vcf.Solve(x.b, solve.MaxFours, secondLookNodes)
	x.nodes += x.vcf.Nodes()
	if plies > 0 {
		x.tree.nodes[n].proven = outcome(plies)
	}
	return plies > 0
}

// choose returns the child of a node to walk to, a new one if no other is better, or 0
// if there is none.
func (x *explorer) choose(n int32) int32 {
	nd := &x.tree.nodes[n]
	total := float64(nd.visits)
	scale := (puctBase + puctGrow*math.Log1p(total/puctScale)) * math.Sqrt(max(total, 1))
	mean := 0.5
	if nd.visits > 0 {
		mean = 1 - nd.sum/total
	}
	best, bestWorth := int32(0), math.Inf(-1)
	var seen float64
	children := 0
	for c := nd.child; c != 0; c = x.tree.nodes[c].next {
		child := &x.tree.nodes[c]
		children++
		seen += float64(child.prior)
		if child.proven.won() || child.proven.lost() && n == x.tree.top {
			continue // the opponent wins, or loses and other lines count
		}
		worth := child.sum/float64(max(child.visits, 1)) + scale*float64(child.prior)/float64(1+child.visits)
		if child.proven == provenDraw {
			worth = 0.5
		}
		if worth > bestWorth {
			best, bestWorth = c, worth
		}
	}
	if nd.opened == nd.edges && (children == int(nd.moves) || x.full || !x.more(n)) {
		return best
	}
	e := x.tree.edge(nd, nd.opened)
	prior := e.prior()
	if mean-firstPlayReduction*math.Sqrt(seen)+scale*float64(prior) <= bestWorth {
		return best
	}
	c := x.tree.add(e.move(), prior, 0)
	if c == 0 {
		x.full = true
		return best
	}
	nd.opened++
	x.tree.nodes[c].next, nd.child = nd.child, c
	return c
}

// more gives a node the edges that were left out at first, and reports whether it has
// any now. The node's position is on the board.
func (x *explorer) more(n int32) bool {
	start := x.used
	p := x.generate(board.NoMove)
	defer func() { x.used = start }()
	x.prior(p.list, x.b.Count(x.b.Side().Opponent(), board.ShapeFive) == 0)
	for i, m := range p.list {
		if x.tree.childBy(n, m.move) != 0 {
			x.logits[i] = -1
		}
	}
	return x.setEdges(n, p.list, len(p.list)) && x.tree.nodes[n].edges > 0
}

// conclude draws the conclusion from the proven children of a node. The node's position
// is on the board, ply moves after the root's.
func (x *explorer) conclude(n int32, ply int) {
	nd := &x.tree.nodes[n]
	if nd.proven != 0 {
		return
	}
	children, open := 0, false
	win, loss, draw := outcome(0), outcome(0), false
	var by board.Move
	for c := nd.child; c != 0; c = x.tree.nodes[c].next {
		child := &x.tree.nodes[c]
		children++
		switch o := child.proven; {
		case o.lost() && (win == 0 || 1-o < win):
			win, by = 1-o, child.move
		case o == 0:
			open = true
		case o == provenDraw:
			draw = true
		case o.won():
			loss = min(loss, -o-1)
		}
	}
	unknown := open || children < int(nd.moves)
	switch {
	case win > 0 && unknown && ply == 0 && x.multiPV > 1: // the other lines count, too
	case win > 0:
		nd.proven = win
		// Where the prover looks for the move.
		x.tt.store(x.b.Hash(), ply, by, mateIn(ply+int(win)), noEval, exactBound, onePly)
	case unknown:
	case draw:
		nd.proven = provenDraw
	default:
		nd.proven = loss
	}
}

// mark gives the root's children what is known of the listed moves: that the opponent
// wins by threats after them, or that they win.
func (x *explorer) mark() {
	for i := range x.list {
		m := &x.list[i]
		known := outcome(0)
		if m.lost > 0 {
			known = outcome(m.lost - 1)
		} else if n, _ := m.score.Mate(); rank(*m) == 0 && n > 1 {
			known = outcome(1 - n)
		}
		if known == 0 {
			continue
		}
		if c := x.open(m.move); c != 0 && x.tree.nodes[c].proven == 0 {
			x.tree.nodes[c].proven = known
		}
	}
	x.conclude(x.tree.top, 0)
}

// open returns the child of the root by a listed move, a new one if need be, or 0 if
// there is no room or the move is not in the tree.
func (x *explorer) open(m board.Move) int32 {
	t := x.tree
	top := &t.nodes[t.top]
	if c := t.childBy(t.top, m); c != 0 {
		return c
	}
	edges := t.blocks[int(top.block)+blockHeader:][:top.edges]
	i := slices.IndexFunc(edges, func(e edge) bool { return e.move() == m })
	if i < 0 {
		return 0 // known to win from the start
	}
	c := t.add(m, edges[i].prior(), 0)
	if c == 0 {
		x.full = true
		return 0
	}
	// Children come of the first edges.
	e := edges[i]
	copy(edges[top.opened+1:i+1], edges[top.opened:i])
	edges[top.opened] = e
	top.opened++
	t.nodes[c].next, top.child = top.child, c
	return c
}

// sink marks root moves that seem best but lose to threats.
func (x *explorer) sink() {
	for range x.list {
		if x.tree.nodes[x.tree.top].proven != 0 || !x.losesToThreats(&x.list[0]) {
			return
		}
		x.mark()
		x.harvest()
	}
}

// harvest gives the listed moves the scores and lines of the tree, and sorts them by
// visits, those proven to win first and those proven to lose last.
func (x *explorer) harvest() {
	for i := range x.list {
		m := &x.list[i]
		x.worth[m.move] = 0
		if rank(*m) == 0 {
			x.worth[m.move] = 2<<32 - int64(mate-m.score)
			continue
		}
		if x.multiPV == 1 {
			m.score = -infinite
		}
		c := x.tree.childBy(x.tree.top, m.move)
		child := &x.tree.nodes[c]
		if c == 0 || child.visits == 0 && child.proven == 0 {
			continue
		}
		x.worth[m.move] = child.worth()
		switch o := child.proven; {
		case o.lost():
			m.score = mateIn(1 + int(-o))
		case o.won():
			m.score = matedIn(1 + int(o))
		case o == provenDraw:
			m.score = 0
		default:
			m.score = scoreOf(child.sum / float64(child.visits))
		}
		m.pv = append(m.pv[:0], m.move)
		for n := x.tree.best(child); n != nil; n = x.tree.best(n) {
			m.pv = append(m.pv, n.move)
		}
	}
	slices.SortStableFunc(x.list, func(a, b rootMove) int { return cmp.Compare(x.worth[b.move], x.worth[a.move]) })
}

// scoreOf returns the score of a winning probability.
func scoreOf(p float64) Score {
	v := pattern.Logit * math.Log(p/(1-p))
	return Score(max(-float64(maxEval), min(float64(maxEval), math.Round(v))))
}
