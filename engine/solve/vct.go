package solve

import (
	"math/bits"

	"kumiko/engine/board"
)

// A VCT searches for victories by continuous threats: every move of the
// attacker makes a four, or threatens to win by fours if the defender passes.
// It is a proof-number search (L. V. Allis, Searching for Solutions in Games
// and Artificial Intelligence, 1994) in its depth-first form (A. Nagai,
// Df-pn Algorithm for Searching AND/OR Trees and Its Applications, 2002).
//
// Its proofs hold against every defence: answers are not guessed from shapes.
// After a threat, it finds the attacker's victory by fours with the defender
// passing, and searches every answer that may disturb it (see disturbers); all
// others lose to that victory. This is the relevance zone of T. Thomsen,
// Lambda-Search in Game Trees, 2000.
//
// Positions and their moves are kept in a bounded store, so that a later search
// with a larger budget, or of another position, can reuse them.
type VCT struct {
	b       *board.Board
	vcf     *VCF
	salt    uint64 // combined with every key, depends on the attacker
	nodes   []vctNode
	edges   []vctEdge
	index   []int32 // numbers of nodes by key, open addressing; 0 is none
	work    int64   // stones placed plus VCF nodes
	limit   int64   // of work, in the current call
	pollAt  int64
	stopped bool
	// Expired, if not nil, is called periodically and reports whether to give up.
	Expired func() bool

	lines [maxLines]vctLine
}

// A vctNode is a position; the side to move determines whether it is the
// attacker's or the defender's.
type vctNode struct {
	key    uint64
	pn, dn uint32 // 0, infinity is proven; infinity, 0 disproven
	first  int32  // of its edges
	count  int16  // of its edges, or unexpanded
	plies  uint16 // to the five, once proven; fours included
}

// A vctEdge is a move that leads to another position.
type vctEdge struct {
	child int32 // 0 until the move has been searched
	move  board.Move
	pn    uint16 // until then
}

// A vctLine is a victory by fours.
type vctLine struct {
	plies int
	moves [2*MaxFours + 4]board.Move
	size  int
}

const (
	vctInfinity = 1 << 30
	unexpanded  = -1
	maxVCTPly   = 80 // stones of the longest victory, before its fours
	maxLines    = 4  // victories by fours tried on every answer

	// pollEvery is the work between two checks of the clock.
	pollEvery = 256

	// Budgets of the VCF searches.
	vctFours     = 16
	threatNodes  = 200
	answerNodes  = 200
	counterNodes = 60
)

// NewVCT returns a solver that stores up to 2^logSize positions, of 64 bytes each
// including their moves, and shares the table of vcf.
func NewVCT(vcf *VCF, logSize uint) *VCT {
	return &VCT{
		vcf:   vcf,
		nodes: make([]vctNode, 1, 1<<logSize), // number 0 is none
		edges: make([]vctEdge, 0, 4<<logSize),
		index: make([]int32, 2<<logSize),
	}
}

// Clear discards all positions.
func (v *VCT) Clear() {
	v.nodes = v.nodes[:1]
	v.edges = v.edges[:0]
	clear(v.index)
}

// Solves reports whether r is supported: every rule but caro, where a four may
// have several answers, and a stone beyond the end of a row may stop it, which
// disturbers does not handle.
func (v *VCT) Solves(r board.Rule) bool {
	return !r.Caro()
}

// Solve searches for a victory of the side to move with a limited amount of work.
// It returns the plies up to and including the five, against the longest defence
// searched, or 0 if it finds none. complete reports whether more work cannot
// change the result: a victory, which is certain, or that no threat found within
// the budgets of the VCF searches wins.
func (v *VCT) Solve(b *board.Board, work int64) (plies int, complete bool) {
	v.b = b
	v.work, v.limit, v.pollAt, v.stopped = 0, work, 0, false
	if !v.Solves(b.Rule()) {
		return 0, false
	}
	v.salt = vctSalt(b.Side())
	if 4*len(v.nodes) > 3*cap(v.nodes) || 4*len(v.edges) > 3*cap(v.edges) {
		v.Clear()
	}
	id := v.attacker(answerNodes)
	if id == 0 {
		return 0, false
	}
	v.attack(id, vctInfinity, vctInfinity, 0)
	n := &v.nodes[id]
	if n.pn == 0 {
		return int(n.plies), true
	}
	return 0, n.dn == 0
}

// Work returns the work done by the last call.
func (v *VCT) Work() int64 { return v.work }

// Move returns the attacker's next move of a stored proof, where the attacker is
// to move, or NoMove if none is known or fours win.
func (v *VCT) Move(b *board.Board) board.Move {
	v.b, v.salt = b, vctSalt(b.Side())
	id, _ := v.find()
	if n := &v.nodes[id]; id != 0 && n.pn == 0 && n.count != unexpanded {
		for _, e := range v.edges[n.first : n.first+int32(n.count)] {
			if e.child != 0 && v.nodes[e.child].pn == 0 {
				return e.move
			}
		}
	}
	return board.NoMove
}

// Principal returns the line of a victory just proven, in which the defender
// holds out longest among the answers searched. It ends early, or is empty, if
// positions of the proof have been discarded since.
func (v *VCT) Principal(b *board.Board) []board.Move {
	var line []board.Move
	placed := 0
	for {
		m := v.Move(b)
		if m == board.NoMove {
			// As in the search; iterative deepening might take longer.
			n := v.vcf.Glance(b, vctFours, answerNodes)
			if n == 0 {
				n, _ = v.vcf.Solve(b, MaxFours, 10*answerNodes)
			}
			if n > 0 {
				line = append(line, v.vcf.Line()...)
			}
			break
		}
		line = append(line, m)
		b.Place(m)
		v.salt = vctSalt(b.Side().Opponent())
		id, _ := v.find()
		n := &v.nodes[id]
		z := board.NoMove
		var plies uint16
		for _, e := range v.edges[n.first : n.first+int32(max(n.count, 0))] {
			if c := &v.nodes[e.child]; c.plies > plies {
				z, plies = e.move, c.plies
			}
		}
		if z == board.NoMove {
			b.Undo()
			break
		}
		line = append(line, z)
		b.Place(z)
		placed += 2
	}
	for range placed {
		b.Undo()
	}
	return line
}

// vctSalt separates the positions of an attack by a from those of an attack by the
// opponent.
func vctSalt(a board.Color) uint64 { return 0x9e3779b97f4a7c15 * (1 + uint64(a)) }

// poll counts work and checks the clock periodically.
func (v *VCT) poll(work int64) bool {
	v.work += work
	if v.work >= v.limit {
		v.stopped = true
	}
	if v.work >= v.pollAt {
		v.pollAt = v.work + pollEvery
		if v.Expired != nil && v.Expired() {
			v.stopped = true
		}
	}
	return v.stopped
}

// find returns the number of the current position's node, or 0 and the place
// in the index where it belongs.
func (v *VCT) find() (id int32, slot uint64) {
	key := v.b.Hash() ^ v.salt
	mask := uint64(len(v.index) - 1)
	for slot = key & mask; ; slot = (slot + 1) & mask {
		id := v.index[slot]
		if id == 0 || v.nodes[id].key == key {
			return id, slot
		}
	}
}

// add makes a node of the current position, after find has failed, and returns its
// number, or 0 if there is no room.
func (v *VCT) add(slot uint64, pn, dn uint32, plies int) int32 {
	if len(v.nodes) == cap(v.nodes) {
		v.stopped = true
		return 0
	}
	id := int32(len(v.nodes))
	v.nodes = append(v.nodes, vctNode{key: v.b.Hash() ^ v.salt, pn: pn, dn: dn,
		count: unexpanded, plies: uint16(plies)})
	v.index[slot] = id
	return id
}

// edge appends a move to the node being expanded.
func (v *VCT) edge(n *vctNode, e vctEdge) {
	if len(v.edges) == cap(v.edges) {
		v.stopped = true
		return
	}
	v.edges = append(v.edges, e)
	n.count++
}

// fours searches for a victory by fours of the side to move.
func (v *VCT) fours(nodes int64) (plies int) {
	n := v.vcf.Glance(v.b, vctFours, nodes)
	v.poll(v.vcf.nodes)
	return n
}

// attacker returns the node of the current position, with the attacker to move.
func (v *VCT) attacker(nodes int64) int32 {
	id, slot := v.find()
	if id != 0 {
		return id
	}
	if n := v.fours(nodes); n > 0 {
		return v.add(slot, 0, vctInfinity, n)
	}
	return v.addAttacker(slot)
}

// addAttacker makes a node for an attacker who does not win by fours.
func (v *VCT) addAttacker(slot uint64) int32 {
	b := v.b
	if b.Full() {
		return v.add(slot, vctInfinity, 0, 0)
	}
	a := b.Side()
	threats := b.Count(a, board.ShapeThree) + b.Count(a, board.ShapeThreePlus) + b.Count(a, board.ShapeThreeThree) +
		b.Count(a, board.ShapeFour) + b.Count(a, board.ShapeFourPlus) + b.Count(a, board.ShapeFourThree) +
		b.Count(a, board.ShapeForbidden)
	if b.Count(a.Opponent(), board.ShapeFive) > 0 {
		threats = 1
	}
	return v.add(slot, 1, uint32(1+threats), 0)
}

// attack searches node id, with the attacker to move, until its proof numbers reach
// the thresholds.
func (v *VCT) attack(id int32, pnLimit, dnLimit uint32, ply int) {
	n := &v.nodes[id] // the store never moves
	if n.pn == 0 || n.dn == 0 {
		return
	}
	if n.count == unexpanded {
		v.expandAttack(n)
		if v.stopped || n.dn == 0 {
			return
		}
	}
	for {
		// The easiest threat determines pn; for dn all must fail.
		pn, second := uint32(vctInfinity), uint32(vctInfinity)
		var dn, open uint32
		var best *vctEdge
		edges := v.edges[n.first : n.first+int32(n.count)]
		for i := range edges {
			cpn, cdn := uint32(edges[i].pn), uint32(1)
			if edges[i].child != 0 {
				c := &v.nodes[edges[i].child]
				cpn, cdn = c.pn, c.dn
			}
			if cdn > 0 {
				dn = max(dn, cdn)
				open++
			}
			if cpn < pn {
				pn, second, best = cpn, pn, &edges[i]
			} else if cpn < second {
				second = cpn
			}
		}
		if open > 0 && dn < vctInfinity {
			dn += open - 1
		}
		n.pn, n.dn = pn, dn
		if pn == 0 {
			n.dn = vctInfinity
			n.plies = v.nodes[best.child].plies + 1
			return
		}
		if pn >= pnLimit || dn >= dnLimit || dn == 0 || v.stopped {
			return
		}
		if ply >= maxVCTPly {
			n.pn, n.dn = vctInfinity, 0
			return
		}
		v.b.Place(best.move)
		v.poll(1)
		if best.child == 0 {
			best.child = v.defender(uint32(best.pn))
		}
		if best.child != 0 {
			v.defend(best.child, min(pnLimit, second+1), v.nodes[best.child].dn+dnLimit-dn, ply+1)
		}
		v.b.Undo()
	}
}

// defend searches node id, with the defender to move.
func (v *VCT) defend(id int32, pnLimit, dnLimit uint32, ply int) {
	n := &v.nodes[id]
	if n.pn == 0 || n.dn == 0 {
		return
	}
	if n.count == unexpanded {
		v.expandDefence(n)
		if v.stopped || n.pn == 0 || n.dn == 0 {
			return
		}
	}
	for {
		dn, second := uint32(vctInfinity), uint32(vctInfinity)
		var pn, open uint32
		plies := n.plies
		var best *vctEdge
		edges := v.edges[n.first : n.first+int32(n.count)]
		for i := range edges {
			c := &v.nodes[edges[i].child]
			if c.pn > 0 {
				pn = max(pn, c.pn)
				open++
			} else {
				plies = max(plies, c.plies+1)
			}
			if c.dn < dn {
				dn, second, best = c.dn, dn, &edges[i]
			} else if c.dn < second {
				second = c.dn
			}
		}
		if open > 0 && pn < vctInfinity {
			pn += open - 1
		}
		n.pn, n.dn = pn, dn
		if open == 0 {
			n.dn = vctInfinity
			n.plies = plies
			return
		}
		if dn == 0 {
			n.pn = vctInfinity
			return
		}
		if pn >= pnLimit || dn >= dnLimit || v.stopped {
			return
		}
		c := &v.nodes[best.child]
		v.b.Place(best.move)
		v.poll(1)
		v.attack(best.child, c.pn+pnLimit-pn, min(dnLimit, second+1), ply+1)
		v.b.Undo()
	}
}

// expandAttack lists the threats.
func (v *VCT) expandAttack(n *vctNode) {
	b := v.b
	a := b.Side()
	n.first, n.count = int32(len(v.edges)), 0
	if b.Count(a.Opponent(), board.ShapeFive) > 0 {
		var buf [16]board.Move
		for _, m := range b.FiveDefences(buf[:0], a.Opponent()) {
			if b.Legal(m) {
				v.edge(n, vctEdge{move: m, pn: 1})
			}
		}
		v.settle(n, vctInfinity, 0)
		return
	}
	for y := range b.Height() {
		for row := b.Near(y); row != 0; row &= row - 1 {
			m := board.Pt(bits.TrailingZeros32(row), y)
			s := b.Shape(m, a)
			if s >= board.ShapeTwo || s == board.ShapeForbidden && b.Forbidden(m) == board.NotForbidden {
				v.edge(n, vctEdge{move: m, pn: v.cost(m, a, s)})
			}
		}
	}
	v.settle(n, vctInfinity, 0)
}

// cost returns the initial proof number of an attacker's move. The order of
// threats matters most for how soon a victory is found; these numbers minimize the
// work in positions from games.
func (v *VCT) cost(m board.Move, a board.Color, s board.Shape) uint16 {
	var cost int
	switch s {
	case board.ShapeFourThree, board.ShapeOpenFour, board.ShapeThreeThree:
		return 1
	case board.ShapeFourPlus, board.ShapeForbidden:
		cost = 5
	case board.ShapeFour:
		cost = 12
	case board.ShapeThreePlus:
		cost = 6
	case board.ShapeThree:
		cost = 8
	case board.ShapeTwo:
		return 12
	default:
		return 8 // blocked threes and two twos
	}
	for d := range 4 {
		switch v.b.Line(m, a, d) {
		case board.LineTwo, board.LineTwoPlus, board.LineTwoMax, board.LineBlockedThree:
			cost -= 2 // prepares a further threat
		}
	}
	return uint16(max(1, cost))
}

// settle undoes an expansion that was cut short, and sets the final proof numbers
// of a node without moves.
func (v *VCT) settle(n *vctNode, pn, dn uint32) {
	switch {
	case v.stopped:
		n.count = unexpanded
	case n.count == 0:
		n.pn, n.dn = pn, dn
	}
}

// defender returns the node of the current position, with the defender to move.
func (v *VCT) defender(pn uint32) int32 {
	id, slot := v.find()
	if id == 0 {
		id = v.add(slot, pn, 1, 0)
	}
	return id
}

// expandDefence lists the answers to the attacker's last move that are not
// known to lose to a victory by fours.
func (v *VCT) expandDefence(n *vctNode) {
	b := v.b
	d := b.Side()
	a := d.Opponent()
	n.first, n.count = int32(len(v.edges)), 0
	if b.Count(d, board.ShapeFive) > 0 || b.Full() {
		n.pn, n.dn = vctInfinity, 0
		return
	}
	if b.Count(a, board.ShapeFive) > 0 {
		n.plies = 2 // at the latest
		var buf [16]board.Move
		for _, z := range b.FiveDefences(buf[:0], a) {
			if b.Legal(z) {
				v.answer(n, z, 0)
			}
		}
		v.settle(n, 0, vctInfinity)
		return
	}
	b.Pass()
	plies := v.fours(threatNodes)
	b.Undo()
	switch {
	case v.stopped:
		n.count = unexpanded
		return
	case plies == 0: // no threat
		n.pn, n.dn = vctInfinity, 0
		return
	}
	v.keep(0, plies)
	if b.HasFour(d) && v.fours(counterNodes) > 0 {
		n.pn, n.dn = vctInfinity, 0
		return
	}
	n.plies = uint16(plies + 1)
	known := 1
	set := v.disturbers(v.lines[0].moves[:v.lines[0].size])
	for y := range b.Height() {
		for row := set[y]; row != 0 && !v.stopped; row &= row - 1 {
			z := board.Pt(bits.TrailingZeros32(row), y)
			if b.Legal(z) {
				known = v.answer(n, z, known)
			}
		}
	}
	v.settle(n, 0, vctInfinity)
}

// keep stores the victory by fours just found.
func (v *VCT) keep(i, plies int) {
	l := &v.lines[i]
	l.plies = plies
	l.size = copy(l.moves[:], v.vcf.Line())
}

// answer adds the defender's answer z unless a victory by fours refutes it: one of
// the known lines, or a new one, which is kept if there is room. It returns the
// number of known lines. The first line has already been tried.
func (v *VCT) answer(n *vctNode, z board.Move, known int) int {
	b := v.b
	b.Place(z)
	defer b.Undo()
	v.poll(1)
	for i := 1; i < known; i++ {
		l := &v.lines[i]
		v.poll(int64(l.size))
		if Replays(b, l.moves[:l.size]) {
			n.plies = max(n.plies, uint16(l.plies+1))
			return known
		}
	}
	id, slot := v.find()
	if id == 0 {
		plies := v.fours(answerNodes)
		if plies > 0 {
			n.plies = max(n.plies, uint16(plies+1))
			if known > 0 && known < maxLines {
				v.keep(known, plies)
				known++
			}
			return known
		}
		if id = v.addAttacker(slot); id == 0 {
			return known
		}
	}
	v.edge(n, vctEdge{child: id, move: z})
	return known
}

// A pointSet is a set of points: by row, bits by column.
type pointSet [board.MaxSize]uint32

func (s *pointSet) add(m board.Move) { s[m.Y()] |= 1 << m.X() }

// disturbers returns the empty points where a stone of the defender, who is to
// move, may refute the given line of fours. A stone on any other point leaves the
// line intact:
//
//   - A five of the line consists of the line's own points and stones already
//     present, so only a defender's stone on the line's points, or on the points
//     of its last fives, stops one.
//   - A stone that gives the defender a five of his own during the line makes a
//     four at that moment, just after a stone of the attacker.
//   - In renju, distant stones affect what is forbidden. If the line plays a
//     point that looks forbidden, or wins by one, every point is tried.
func (v *VCT) disturbers(line []board.Move) (set pointSet) {
	b := v.b
	d := b.Side()
	a := d.Opponent()
	renju := b.Rule() == board.Renju
	exact := true
	b.Pass()
	played := 1
	for i, m := range line {
		set.add(m)
		if i%2 == 0 {
			if b.Wins(m, a) {
				break
			}
			exact = exact && b.Shape(m, a) != board.ShapeForbidden
		}
		b.Place(m)
		played++
		if i%2 != 0 {
			continue
		}
		for y := range b.Height() {
			set[y] |= b.Fours(d, y)
		}
		if renju && d == board.Black && b.Count(d, board.ShapeForbidden) > 0 {
			addForbiddenFours(&set, b)
		}
		var buf [16]board.Move
		fives := b.Find(buf[:0], a, board.ShapeFive)
		exact = exact && (i+1 == len(line) || len(fives) == 1)
		for _, f := range fives {
			set.add(f)
			exact = exact && b.Legal(f)
		}
	}
	for range played {
		b.Undo()
	}
	v.poll(int64(played))
	if !exact {
		set = v.tryAll(line)
	}
	for y := range b.Height() {
		set[y] &= b.Vacant(y)
	}
	return set
}

// addForbiddenFours adds the points where black makes a four that looks
// forbidden.
func addForbiddenFours(set *pointSet, b *board.Board) {
	for y := range b.Height() {
		for row := b.Vacant(y); row != 0; row &= row - 1 {
			m := board.Pt(bits.TrailingZeros32(row), y)
			if b.Shape(m, board.Black) != board.ShapeForbidden {
				continue
			}
			for d := range 4 {
				if l := b.Line(m, board.Black, d); l == board.LineFour || l == board.LineOpenFour || l == board.LineDoubleFour {
					set.add(m)
				}
			}
		}
	}
}

// tryAll returns the legal points after which a line does not replay.
func (v *VCT) tryAll(line []board.Move) (set pointSet) {
	b := v.b
	for z := range b.LegalMoves {
		b.Place(z)
		if !Replays(b, line) {
			set.add(z)
		}
		b.Undo()
		v.poll(int64(len(line)))
	}
	return set
}
