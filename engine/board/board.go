package board

import (
	"fmt"
	"math/bits"
	"slices"
)

// numDirs is the number of directions of a row.
const numDirs = 4

// step is the difference between neighboring points in each direction, the one
// with the greater coordinate minus the other.
var step = [numDirs]int{1, stride, stride + 1, 1 - stride}

// margin is the number of spare bits on either side of a line, so that extracting
// the window of a point at the edge, or of a neighbor beyond it, never shifts
// out of the word.
const margin = 10

// A lineBits holds one line of the board as two bit planes, black's and white's.
// Bit i+margin is the point with coordinate i along the line, which is its
// column or, on vertical lines, its row. Points beyond the edge have both bits
// set, as dead stones do.
type lineBits [2]uint64

// lineOf returns the number of the line through (x, y) in a direction and the
// coordinate of the point along it.
func lineOf(dir int, x, y int) (line, pos int) {
	switch dir {
	case 0:
		return y, x
	case 1:
		return x, y
	case 2:
		return x - y + MaxSize - 1, x
	}
	return x + y, x
}

// A Board is a position with its history. Place and Undo incrementally update
// what each player would make on every empty point; they do not allocate.
//
// A Board is not safe for concurrent use; see [Board.Clone].
type Board struct {
	width, height int
	rule          Rule
	*tables
	weights *Weights
	infos   *[2][1 << 16]info // weights and shapes of the rule, by code

	side    Color
	stones  int // occupied points, dead ones included
	cells   [stride * MaxSize]Cell
	lines   Lines
	codes   [stride * MaxSize][2]Code // of empty points
	info    [stride * MaxSize][2]info
	fours   [2][MaxSize]uint32 // by row, the empty points with ShapeFour or better
	taken   [MaxSize]uint32    // by row, the points that are occupied or outside
	top     int                // index of the current state
	states  []state            // states[0] is the position that Setup left
	changes []change           // what Undo must restore, for all states; a stack
	changed int                // its height
	moves   []Move             // of states 1..top
	before  Move               // the move before state 0, if known
}

// info holds the shape of a code in the low byte and its weight above, so that
// one lookup per changed point yields both.
type info int32

func makeInfo(s Shape, weight int16) info { return info(weight)<<8 | info(s) }

func (i info) shape() Shape  { return Shape(i & 255) }
func (i info) weight() int32 { return int32(i >> 8) }

// state is the part of a position that every move copies.
type state struct {
	hash   uint64
	count  [2][16]uint16   // empty points by player and Shape
	value  [2]int32        // sum of the weights of all empty points
	near   [MaxSize]uint32 // by row, the points close to a stone, taken or not
	first  int             // the first of this state's changes
	passed bool            // by Pass, not by a stone
}

// change remembers an empty point as it was before a stone.
type change struct {
	info  [2]info
	codes [2]Code
	at    Move
	_     uint16
}

// Weights assigns a value to every code of either player. Given to
// [Board.SetWeights], it makes the board maintain the sums over all empty points
// for an evaluator.
type Weights [2][1 << 16]int16

var noWeights Weights

// infosFor combines the shapes of a rule with weights.
func infosFor(t *tables, w *Weights) *[2][1 << 16]info {
	if w == &noWeights {
		return t.infos
	}
	return makeInfos(t, w)
}

func makeInfos(t *tables, w *Weights) *[2][1 << 16]info {
	infos := new([2][1 << 16]info)
	for c := range infos {
		for code := range infos[c] {
			infos[c][code] = makeInfo(t.shapes[c][code], w[c][code])
		}
	}
	return infos
}

// New returns an empty board of MinSize to MaxSize columns and rows.
func New(width, height int, rule Rule) (*Board, error) {
	if err := CheckSize(width, height); err != nil {
		return nil, err
	}
	if rule >= NumRules {
		return nil, fmt.Errorf("unknown rule number %d", rule)
	}
	points := width * height
	t := tablesFor(rule)
	b := &Board{
		width: width, height: height, rule: rule,
		tables:  t,
		weights: &noWeights,
		infos:   t.infos,
		states:  make([]state, 2*points+2),
		changes: make([]change, points*numDirs*margin),
		moves:   make([]Move, 0, 2*points+2),
	}
	b.Clear()
	return b, nil
}

// Width returns the number of columns.
func (b *Board) Width() int { return b.width }

// Height returns the number of rows.
func (b *Board) Height() int { return b.height }

// Rule returns the rule in force.
func (b *Board) Rule() Rule { return b.rule }

// Side returns the player to move.
func (b *Board) Side() Color { return b.side }

// Ply returns the number of moves and passes since Clear or Setup.
func (b *Board) Ply() int { return b.top }

// Stones returns the number of occupied points, dead stones included.
func (b *Board) Stones() int { return b.stones }

// Full reports whether no point is empty.
func (b *Board) Full() bool { return b.stones == b.width*b.height }

// Hash returns a key of the stones, the side to move, the rule and the size.
func (b *Board) Hash() uint64 { return b.states[b.top].hash }

// On reports whether m is a point of this board.
func (b *Board) On(m Move) bool {
	return m.X() < b.width && int(m) < b.height*stride
}

// At returns what lies on m, a point of this board.
func (b *Board) At(m Move) Cell { return b.cells[m%(stride*MaxSize)] }

// Empty reports whether m is a point of this board with nothing on it.
func (b *Board) Empty(m Move) bool { return b.On(m) && b.cells[m] == Empty }

// History returns the moves since Clear or Setup, oldest first, a pass as
// NoMove. The slice belongs to the board.
func (b *Board) History() []Move { return b.moves }

// Last returns the last move, or NoMove if there was none or a pass.
func (b *Board) Last() Move {
	if b.top == 0 {
		return b.before
	}
	return b.moves[b.top-1]
}

// Shape returns what a stone of c would make on the empty point m.
func (b *Board) Shape(m Move, c Color) Shape { return b.info[m%(stride*MaxSize)][c&1].shape() }

// Code returns the line patterns behind [Board.Shape].
func (b *Board) Code(m Move, c Color) Code { return b.codes[m%(stride*MaxSize)][c&1] }

// Line returns the pattern that a stone of c would make on the empty point m
// in one direction.
func (b *Board) Line(m Move, c Color, dir int) Line { return b.Code(m, c).Line(dir) }

// Count returns the number of empty points where a stone of c would make s.
func (b *Board) Count(c Color, s Shape) int { return int(b.states[b.top].count[c&1][s&15]) }

// Wins reports whether a stone of c on the empty point m wins at once.
func (b *Board) Wins(m Move, c Color) bool { return b.Shape(m, c) == ShapeFive }

// Legal reports whether the side to move may play m: the point is empty and,
// in renju, not forbidden.
func (b *Board) Legal(m Move) bool {
	return b.Empty(m) && (b.side == White || b.Forbidden(m) == NotForbidden)
}

// Value returns the sum over all empty points of the weights of c's codes there.
func (b *Board) Value(c Color) int { return int(b.states[b.top].value[c&1]) }

// SetWeights sets the table behind [Board.Value]. The board retains w, which must
// not change. Undo cannot go back past this point.
func (b *Board) SetWeights(w *Weights) {
	if w != b.weights {
		b.weights = w
		b.infos = infosFor(b.tables, w)
		b.recount()
	}
}

// Clear removes all stones and gives black the move.
func (b *Board) Clear() {
	if err := b.Setup(nil, Black); err != nil {
		panic(err) // cannot fail without stones
	}
}

// A Stone is a point and what lies on it.
type Stone struct {
	Move Move
	Cell Cell
}

// Setup replaces the position by the given stones with side to move. The numbers
// of stones need not balance, and fives may already be present. It empties the
// history. An error names the first invalid stone and leaves the board
// unchanged.
func (b *Board) Setup(stones []Stone, side Color) error {
	var cells [stride * MaxSize]Cell
	for _, s := range stones {
		switch {
		case !b.On(s.Move):
			return fmt.Errorf("%v is off the %dx%d board", s.Move, b.width, b.height)
		case s.Cell == Empty || s.Cell > DeadStone:
			return fmt.Errorf("invalid stone %d on %v", s.Cell, s.Move)
		case cells[s.Move] != Empty:
			return fmt.Errorf("two stones on %v", s.Move)
		}
		cells[s.Move] = s.Cell
	}
	b.cells = cells
	b.stones = len(stones)
	b.side = side
	b.before = NoMove
	b.rebuild()
	return nil
}

// SetRule changes the rule and keeps the stones. Only the last move of the
// history remains.
func (b *Board) SetRule(r Rule) {
	if r == b.rule {
		return
	}
	b.before = b.Last()
	b.rule = r
	b.tables = tablesFor(r)
	b.infos = infosFor(b.tables, b.weights)
	b.rebuild()
}

// Clone returns an independent copy.
func (b *Board) Clone() *Board {
	c := *b
	c.states = append(make([]state, 0, cap(b.states)), b.states...)
	c.changes = slices.Clone(b.changes)
	c.moves = append(make([]Move, 0, cap(b.moves)), b.moves...)
	return &c
}

// CopyFrom copies the position and the last move of src to b, which keeps its
// own weights. Both must have the same size and rule.
func (b *Board) CopyFrom(src *Board) {
	if b.width != src.width || b.height != src.height || b.rule != src.rule {
		panic("board: CopyFrom between boards of different kinds")
	}
	b.side, b.stones, b.cells, b.lines, b.codes, b.taken = src.side, src.stones, src.cells, src.lines, src.codes, src.taken
	b.before = src.Last()
	b.top = 0
	b.states[0] = src.states[src.top]
	b.states[0].first, b.states[0].passed = 0, false
	b.changed = 0
	b.moves = b.moves[:0]
	b.recount()
}

// rebuild computes everything from cells, side and rule.
func (b *Board) rebuild() {
	b.lines.Clear(b.width, b.height)
	for y := range MaxSize {
		b.taken[y] = ^uint32(0)
	}
	b.top = 0
	b.changed = 0
	b.moves = b.moves[:0]
	s := &b.states[0]
	*s = state{hash: baseKey(b.width, b.height, b.rule)}
	if b.side == White {
		s.hash ^= sideKey
	}
	for y := range b.height {
		b.taken[y] = ^uint32(0) << (b.width - 1) << 1
		for x := range b.width {
			m := Pt(x, y)
			c := b.cells[m]
			if c != Empty {
				b.lines.Put(m, c)
				s.hash ^= stoneKey(c, m)
				b.taken[y] |= 1 << x
				b.spread(s, x, y)
			}
		}
	}
	for y := range b.height {
		for x := range b.width {
			if m := Pt(x, y); b.cells[m] == Empty {
				for c := Black; c <= White; c++ {
					var code Code
					for d := range numDirs {
						code = code.with(d, b.lineAt(m, c, d))
					}
					b.codes[m][c] = code
				}
			}
		}
	}
	b.recount()
}

// recount computes the sums over the empty points from their codes.
func (b *Board) recount() {
	s := &b.states[b.top]
	s.count = [2][16]uint16{}
	s.value = [2]int32{}
	b.fours = [2][MaxSize]uint32{}
	for y := range b.height {
		for x := range b.width {
			m := Pt(x, y)
			if b.cells[m] != Empty {
				continue
			}
			for c := range 2 {
				in := b.infos[c][b.codes[m][c]]
				b.info[m][c] = in
				s.count[c][in&15]++
				s.value[c] += in.weight()
				if in.shape() >= ShapeFour {
					b.fours[c][y] |= 1 << x
				}
			}
		}
	}
}

// Place plays m, an empty point, for the side to move. It checks neither for
// forbidden points nor for wins; see [Board.Legal] and [Board.Wins].
func (b *Board) Place(m Move) {
	c := b.side
	x, y := m.X(), m.Y()
	b.top++
	b.moves = append(b.moves, m)
	s := &b.states[b.top]
	*s = b.states[b.top-1]
	s.first = b.changed
	s.passed = false
	s.hash ^= stoneKey(c.Stone(), m) ^ sideKey
	b.spread(s, x, y)

	// Remove the point from the empty ones.
	b.cells[m] = c.Stone()
	b.stones++
	b.taken[y] |= 1 << x
	for p := range 2 {
		in := b.info[m][p]
		s.count[p][in&15]--
		s.value[p] -= in.weight()
		if in.shape() >= ShapeFour {
			b.fours[p][y] &^= 1 << x
		}
	}

	r := b.radius
	low := uint64(1)<<r - 1
	high := low << r
	reach := uint64(1)<<(2*r+1) - 1
	table := b.tables.lines
	for d := range numDirs {
		l, pos := lineOf(d, x, y)
		ln := &b.lines[d][l&63]
		at := uint(pos + margin)
		ln[c&1] |= 1 << (at & 63)
		// Bit i is the point i-2r away; the window of the neighbor i-r away
		// begins at bit i.
		black := ln[Black] >> ((at - 2*r) & 63)
		white := ln[White] >> ((at - 2*r) & 63)
		empty := ^(black | white) >> (r & 63) & reach
		for ; empty != 0; empty &= empty - 1 {
			i := uint(bits.TrailingZeros64(empty))
			wb, ww := black>>(i&63), white>>(i&63)
			key := wb&low | wb>>1&high | (ww&low|ww>>1&high)<<((2*r)&63)
			q := Move(int(m)+step[d]*(int(i)-int(r))) % (stride * MaxSize)
			b.update(s, q, d, table[key])
		}
	}
	b.side = c.Opponent()
}

// PlaceAll plays moves in turn. An error names the first illegal one; those
// before it stay on the board.
func (b *Board) PlaceAll(moves []Move) error {
	for i, m := range moves {
		if err := b.check(m); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		b.Place(m)
	}
	return nil
}

// check returns why the side to move may not play m, or nil.
func (b *Board) check(m Move) error {
	switch {
	case !b.On(m):
		return fmt.Errorf("%v is off the board", m)
	case !b.Empty(m):
		return fmt.Errorf("%v is occupied", m)
	case !b.Legal(m):
		return fmt.Errorf("%v is forbidden, %v", m, b.Forbidden(m))
	}
	return nil
}

// update sets both players' patterns of the empty point q in direction d.
func (b *Board) update(s *state, q Move, d int, both uint8) {
	codes := &b.codes[q%(stride*MaxSize)]
	old := *codes
	sh := uint(4*d) & 15
	now := [2]Code{
		old[0]&^(15<<sh) | Code(both&15)<<sh,
		old[1]&^(15<<sh) | Code(both>>4)<<sh,
	}
	if now == old {
		return
	}
	*codes = now
	in := &b.info[q%(stride*MaxSize)]
	// Assign field by field: a composite literal would be built on the stack in
	// small stores and copied in a large load, which defeats store forwarding.
	ch := &b.changes[b.changed]
	ch.info[0], ch.info[1] = in[0], in[1]
	ch.codes[0], ch.codes[1] = old[0], old[1]
	ch.at = q
	b.changed++
	for p := range 2 {
		if now[p] == old[p] {
			continue
		}
		was, is := in[p], b.infos[p][now[p]]
		if is == was {
			continue
		}
		in[p] = is
		s.value[p] += is.weight() - was.weight()
		if is.shape() != was.shape() {
			s.count[p][was&15]--
			s.count[p][is&15]++
			if (is.shape() >= ShapeFour) != (was.shape() >= ShapeFour) {
				b.fours[p][q/stride] ^= 1 << (q % stride)
			}
		}
	}
}

// Undo takes back the last move or pass. There must be one.
func (b *Board) Undo() {
	s := &b.states[b.top]
	b.side = b.side.Opponent()
	if s.passed {
		b.top--
		b.moves = b.moves[:b.top]
		return
	}
	m := b.moves[b.top-1]
	x, y := m.X(), m.Y()
	mine := b.side & 1
	for d := range numDirs {
		l, pos := lineOf(d, x, y)
		b.lines[d][l&63][mine] &^= 1 << (uint(pos+margin) & 63)
	}
	for i := range b.changes[s.first:b.changed] {
		ch := &b.changes[s.first+i]
		q := ch.at % (stride * MaxSize)
		b.codes[q] = ch.codes
		in := &b.info[q]
		for p := range 2 {
			if (ch.info[p].shape() >= ShapeFour) != (in[p].shape() >= ShapeFour) {
				b.fours[p][q/stride] ^= 1 << (q % stride)
			}
		}
		*in = ch.info
	}
	b.changed = s.first
	b.cells[m] = Empty
	b.stones--
	b.taken[y] &^= 1 << x
	for p := range 2 {
		if b.info[m][p].shape() >= ShapeFour {
			b.fours[p][y] |= 1 << x
		}
	}
	b.top--
	b.moves = b.moves[:b.top]
}

// Pass gives the move to the opponent. Undo takes it back.
func (b *Board) Pass() {
	b.top++
	b.moves = append(b.moves, NoMove)
	s := &b.states[b.top]
	*s = b.states[b.top-1]
	s.first = b.changed
	s.passed = true
	s.hash ^= sideKey
	b.side = b.side.Opponent()
}

// lineAt reads from the lines what a stone of c on m would make in direction
// dir, whether or not m is empty.
func (b *Board) lineAt(m Move, c Color, dir int) Line {
	l, pos := lineOf(dir, m.X(), m.Y())
	return Line(b.tables.lines[b.window(dir, l, pos)] >> (4 * c) & 15)
}

// window returns the index of a point's window in tables.lines.
func (b *Board) window(dir, line, pos int) uint64 {
	r := b.radius
	ln := &b.lines[dir][line]
	low := uint64(1)<<r - 1
	high := low << r
	black := ln[Black] >> (uint(pos+margin) - r)
	white := ln[White] >> (uint(pos+margin) - r)
	return black&low | black>>1&high | (white&low|white>>1&high)<<(2*r)
}

// nearRows are the points close to a stone: a seven by seven square, and up to
// four points along each line. They are rows from four above the stone to four
// below; bit 4 is its own column.
var nearRows = [9]uint64{
	0b100010001,
	0b011111110,
	0b011111110,
	0b011111110,
	0b111111111,
	0b011111110,
	0b011111110,
	0b011111110,
	0b100010001,
}

// spread adds the points close to (x, y) to s.near.
func (b *Board) spread(s *state, x, y int) {
	for i, row := range nearRows {
		if yy := y + i - 4; uint(yy) < MaxSize {
			s.near[yy] |= uint32(row << uint(x) >> 4)
		}
	}
}

// Near returns the empty points of row y within three points of a stone, or
// four along a line, as a bit set of columns.
func (b *Board) Near(y int) uint32 {
	return b.states[b.top].near[y&31] &^ b.taken[y&31]
}

// Vacant returns the empty points of row y as a bit set of columns.
func (b *Board) Vacant(y int) uint32 { return ^b.taken[y&31] }

// LegalMoves yields the legal moves of the side to move, row by row. The board may
// change meanwhile, but has to be restored before the next.
func (b *Board) LegalMoves(yield func(Move) bool) {
	for y := range b.height {
		for row := b.Vacant(y); row != 0; row &= row - 1 {
			if m := Pt(bits.TrailingZeros32(row), y); b.Legal(m) && !yield(m) {
				return
			}
		}
	}
}

// Fours returns the empty points of row y where a stone of c makes a four or
// better, as a bit set of columns.
func (b *Board) Fours(c Color, y int) uint32 { return b.fours[c&1][y&31] }

// Find appends to dst the empty points where a stone of c makes exactly s.
func (b *Board) Find(dst []Move, c Color, s Shape) []Move {
	left := b.Count(c, s)
	for y := 0; left > 0; y++ {
		row := b.Vacant(y)
		if s >= ShapeFour {
			row = b.fours[c&1][y]
		}
		for ; row != 0; row &= row - 1 {
			m := Pt(bits.TrailingZeros32(row), y)
			if b.info[m][c&1].shape() == s {
				dst = append(dst, m)
				left--
			}
		}
	}
	return dst
}

// The unit vectors of the directions.
var (
	dirX = [numDirs]int{1, 0, 1, 1}
	dirY = [numDirs]int{0, 1, 1, -1}
)

// Five returns the stones of a winning run through the last move, in line
// order, or nil.
func (b *Board) Five() []Move {
	if m := b.Last(); m != NoMove {
		return b.FiveAt(m)
	}
	return nil
}

// FiveAt returns the stones of a winning run through the stone on m, in line
// order, or nil.
func (b *Board) FiveAt(m Move) []Move {
	if !b.On(m) || b.cells[m] == Empty || b.cells[m] == DeadStone {
		return nil
	}
	c := Black
	if b.cells[m] == WhiteStone {
		c = White
	}
	for d := range numDirs {
		if b.lineAt(m, c, d) != LineFive {
			continue
		}
		first := m
		for n := b.neighbor(first, d, -1); n != NoMove && b.cells[n] == b.cells[m]; n = b.neighbor(n, d, -1) {
			first = n
		}
		var run []Move
		for n := first; n != NoMove && b.cells[n] == b.cells[m]; n = b.neighbor(n, d, 1) {
			run = append(run, n)
		}
		return run
	}
	return nil
}

// neighbor returns the next point along a direction, or NoMove at the edge.
func (b *Board) neighbor(m Move, dir, sign int) Move {
	x, y := m.X()+dirX[dir]*sign, m.Y()+dirY[dir]*sign
	if uint(x) >= uint(b.width) || uint(y) >= uint(b.height) {
		return NoMove
	}
	return Pt(x, y)
}

// ShapeOf returns the shape of a code of c under the board's rule.
func (b *Board) ShapeOf(code Code, c Color) Shape { return b.tables.shapes[c&1][code] }
