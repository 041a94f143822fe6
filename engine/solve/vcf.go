package solve

import (
	"math/bits"

	"kumiko/engine/board"
)

// MaxFours bounds the number of consecutive fours that are searched. The longest
// known problems need fewer than a hundred.
const MaxFours = 120

// exhausted marks a position from which no victory by continuous fours of any
// length starts.
const exhausted = MaxFours + 1

// A VCF searches for victories by continuous fours: the attacker makes a four
// with every stone, each answered by force, until one cannot be answered. Attack
// and reply are one step. Positions without a victory are stored in a table with
// the number of fours searched in vain. Deepening is iterative, so short
// victories are found before long ones, and a search that never reaches its depth
// limit proves that there is none.
//
// The defender's own fives count: when a forced reply makes a four, the
// attacker's next four must be on the point that stops it.
type VCF struct {
	b     *board.Board
	table []vcfEntry
	salt  uint64 // combined with every key
	nodes int64  // attacking positions visited by the current call
	limit int64  // of nodes, in the current call
	// local restricts each four to those close to the one before, and the first
	// to those close to from.
	local bool
	from  board.Move
	cut   bool // some line was left unfinished at the depth limit
	out   bool // the node limit was hit
	// Expired, if not nil, is called periodically and reports whether to give up.
	Expired func() bool
	moves   [MaxFours * 64]board.Move // candidate lists of all levels
	used    int                       // how much of moves is in use
	path    [2*MaxFours + 4]board.Move
	size    int // length of path if a victory was found
}

// A vcfEntry records that no victory was found within a number of fours.
type vcfEntry struct {
	key   uint64
	fours uint8
}

// NewVCF returns a solver whose table has 2^logSize entries of 16 bytes.
func NewVCF(logSize uint) *VCF {
	return &VCF{table: make([]vcfEntry, 1<<logSize)}
}

// Clear invalidates all entries without touching them: their keys no longer match.
func (v *VCF) Clear() { v.salt += 0x9e3779b97f4a7c15 }

// Solve searches for a victory of the side to move by at most fours fours (up to
// MaxFours), visiting at most nodes positions. It returns the number of plies up
// to and including the five, or 0 if it finds none. After a victory, Line returns
// its moves, attack and reply in turn, up to the first four that cannot be
// answered.
//
// complete reports whether the result is certain: a victory, or a proof that
// there is none.
func (v *VCF) Solve(b *board.Board, fours int, nodes int64) (plies int, complete bool) {
	v.b, v.nodes, v.limit, v.out = b, 0, nodes, false
	if !v.promising() {
		return 0, true
	}
	for depth := min(2, fours); ; depth = min(depth+1+depth/2, fours) {
		n := v.pass(depth)
		if n > 0 || v.out || !v.cut || depth == fours {
			return n, n > 0 || !v.out && !v.cut
		}
	}
}

// Glance is Solve in a single pass: the victory that it finds need not be short,
// but it is faster if there is none, the usual case.
func (v *VCF) Glance(b *board.Board, fours int, nodes int64) (plies int) {
	v.b, v.nodes, v.limit, v.out = b, 0, nodes, false
	if !v.promising() {
		return 0
	}
	return v.pass(fours)
}

// Line returns the victory that the last call found, valid until the next.
func (v *VCF) Line() []board.Move { return v.path[:v.size] }

// Nodes returns how many attacking positions the last call visited.
func (v *VCF) Nodes() int64 { return v.nodes }

// localSalt separates the entries of local searches from those of full ones.
const localSalt = 0x5851f42d4c957f2d

// GlanceNear is Glance for the leaves of a search, where most fours are old and
// their victories would have been found before. It considers only fours close to
// from, the attacker's last move, or to the four before, and begins with one that
// makes more than a four.
func (v *VCF) GlanceNear(b *board.Board, from board.Move, fours int, nodes int64) (plies int) {
	v.local, v.from = true, from
	v.salt ^= localSalt
	n := v.Glance(b, fours, nodes)
	v.salt ^= localSalt
	v.local = false
	return n
}

// pass searches for a victory by at most fours fours.
func (v *VCF) pass(fours int) int {
	v.cut = false
	v.used = 0
	return v.attack(0, fours)
}

// promising reports whether the side to move can make a four or a five.
func (v *VCF) promising() bool { return v.b.HasFour(v.b.Side()) }

// attack returns the plies to the five, or 0. ply is the length of the path so
// far.
func (v *VCF) attack(ply, fours int) int {
	b := v.b
	c := b.Side()
	o := c.Opponent()
	v.nodes++
	if v.nodes&255 == 0 && v.Expired != nil && v.Expired() {
		v.limit = v.nodes
	}
	if b.Count(c, board.ShapeFive) > 0 {
		return v.found(ply, b.First(c, board.ShapeFive), 1)
	}
	threatened := b.Count(o, board.ShapeFive) > 0
	if !threatened && b.Count(c, board.ShapeOpenFour) > 0 {
		return v.found(ply, b.First(c, board.ShapeOpenFour), 3)
	}
	if fours <= 1 || v.nodes >= v.limit {
		// The last four allowed is not open, so it can be answered.
		if b.HasFour(c) {
			v.cut = true
			v.out = v.out || v.nodes >= v.limit
		}
		return 0
	}
	key := b.Hash() ^ v.salt
	e := &v.table[b.Hash()&uint64(len(v.table)-1)]
	if e.key == key && int(e.fours) >= fours {
		if e.fours != exhausted {
			v.cut = true
		}
		return 0
	}

	wasCut := v.cut
	v.cut = false
	start := v.used
	v.candidates(threatened, ply)
	end := v.used
	for i := start; i < end && !v.out; i++ {
		m := v.moves[i]
		if n := v.try(m, ply, fours); n > 0 {
			v.used = start
			return n
		}
	}
	v.used = start
	if !v.out {
		depth := uint8(fours)
		if !v.cut {
			depth = exhausted
		}
		*e = vcfEntry{key, depth}
	}
	v.cut = v.cut || wasCut
	return 0
}

// found ends the path with m, whose five follows after n plies.
func (v *VCF) found(ply int, m board.Move, n int) int {
	v.path[ply] = m
	v.size = ply + 1
	return n
}

// try plays the four m and every reply to it.
func (v *VCF) try(m board.Move, ply, fours int) int {
	b := v.b
	c := b.Side()
	b.Place(m)
	defer b.Undo()
	var buf [16]board.Move
	replies := b.FiveDefences(buf[:0], c)
	v.path[ply] = m
	v.size = ply + 1
	worst := 3
	for _, r := range replies {
		if !b.Legal(r) { // renju: the only answer may be forbidden
			continue
		}
		b.Place(r)
		v.path[ply+1] = r
		n := v.attack(ply+2, fours-1)
		b.Undo()
		if n == 0 {
			return 0
		}
		worst = max(worst, n+2)
	}
	return worst
}

// candidates appends to v.moves the fours of the side to move, most promising
// first.
func (v *VCF) candidates(threatened bool, ply int) {
	b := v.b
	c := b.Side()
	start := v.used
	if threatened {
		var buf [16]board.Move
		for _, m := range b.FiveDefences(buf[:0], c.Opponent()) {
			if b.MakesFour(m, c) && b.Legal(m) {
				v.push(m)
			}
		}
		return
	}
	for y := range b.Height() {
		for row := b.Fours(c, y); row != 0; row &= row - 1 {
			v.push(board.Pt(bits.TrailingZeros32(row), y))
		}
	}
	if b.Count(c, board.ShapeForbidden) > 0 {
		for y := range b.Height() {
			for row := b.Vacant(y); row != 0; row &= row - 1 {
				m := board.Pt(bits.TrailingZeros32(row), y)
				if b.Shape(m, c) == board.ShapeForbidden && b.MakesFour(m, c) && b.Forbidden(m) == board.NotForbidden {
					v.push(m)
				}
			}
		}
	}
	last := board.NoMove
	if ply >= 2 {
		last = v.path[ply-2]
	}
	if v.local {
		v.keepLocal(start, last, c)
	}
	list := v.moves[start:v.used]
	var scores [maxSorted]int
	if len(list) > len(scores) {
		return
	}
	for i, m := range list {
		scores[i] = 4 * int(b.Shape(m, c))
		if last != board.NoMove && inLine(m, last) {
			scores[i] += 6
		}
	}
	sortMoves(list, scores[:len(list)])
}

// keepLocal drops the candidates from index start on that a local search omits.
// last is the four before, or NoMove.
func (v *VCF) keepLocal(start int, last board.Move, c board.Color) {
	from := last
	if last == board.NoMove {
		from = v.from
	}
	kept := start
	for _, m := range v.moves[start:v.used] {
		if from != board.NoMove && !inLine(m, from) && distance(m, from) > 2 ||
			last == board.NoMove && v.b.Shape(m, c) == board.ShapeFour {
			continue
		}
		v.moves[kept] = m
		kept++
	}
	v.used = kept
}

// maxSorted is the greatest number of candidates that are sorted.
const maxSorted = 64

func (v *VCF) push(m board.Move) {
	if v.used < len(v.moves) {
		v.moves[v.used] = m
		v.used++
	} else {
		v.cut = true
	}
}

// inLine reports whether two points are close together on one line.
func inLine(a, b board.Move) bool {
	dx, dy := a.X()-b.X(), a.Y()-b.Y()
	return (dx == 0 || dy == 0 || dx == dy || dx == -dy) && distance(a, b) <= 5
}

// distance returns the number of king's moves between two points.
func distance(a, b board.Move) int {
	dx, dy := a.X()-b.X(), a.Y()-b.Y()
	return max(dx, -dx, dy, -dy)
}

// sortMoves sorts moves by descending score, stably.
func sortMoves(moves []board.Move, scores []int) {
	for i := 1; i < len(moves); i++ {
		m, s := moves[i], scores[i]
		j := i
		for ; j > 0 && scores[j-1] < s; j-- {
			moves[j], scores[j] = moves[j-1], scores[j-1]
		}
		moves[j], scores[j] = m, s
	}
}

// Replays replays a victory by fours, attack and only answer in turn, and reports
// whether it wins here for the side to move.
func Replays(b *board.Board, line []board.Move) bool {
	played := 0
	defer func() {
		for range played {
			b.Undo()
		}
	}()
	c := b.Side()
	for i := 0; i < len(line); i += 2 {
		m := line[i]
		if !b.Legal(m) {
			return false
		}
		if b.Wins(m, c) {
			return true
		}
		b.Place(m)
		played++
		if b.Count(c, board.ShapeFive) == 0 || b.Count(c.Opponent(), board.ShapeFive) > 0 {
			return false // no four, or too late
		}
		var buf [16]board.Move
		n := 0
		for _, r := range b.FiveDefences(buf[:0], c) {
			if b.Legal(r) {
				n++
				if n > 1 || i+1 < len(line) && r != line[i+1] {
					return false
				}
			}
		}
		if n == 0 {
			return true
		}
		if i+1 == len(line) {
			return false
		}
		b.Place(line[i+1])
		played++
	}
	return false
}
