package board

import (
	"encoding/binary"
	"sync"
)

// tables holds the precomputed tables of a rule.
//
// A line pattern depends on the contents of 2·radius points of two bits each:
// 65,536 windows in freestyle and 1,048,576 otherwise. Scanning outward from the
// center, nothing beyond the first blocking stone matters, so there are at most
// 94 kinds of half windows and 8,836 of windows. Those are classified by the
// definitions of [Line], and the full table, one lookup per point and direction,
// is filled from them, all in one to three milliseconds, as it may be needed for a first
// move within 20. A search touches only a small part of it.
type tables struct {
	radius uint // points seen to either side of the center

	// lines maps a window to the patterns of both players, black's in the low
	// four bits. The index has black's stones in its low 2·radius bits and
	// white's in the next, without the center; the lowest bit is the point with
	// the smallest coordinate. Dead stones and points beyond the edge have both
	// bits set.
	lines []uint8

	shapes [2][1 << 16]Shape // by player and Code

	infos *[2][1 << 16]info // of these shapes with noWeights
}

// ruleTables are the tables that all boards of a rule share.
var ruleTables struct {
	sync.Mutex
	of [NumRules]*tables
}

// tablesFor returns the tables of a rule, building them on first use.
func tablesFor(r Rule) *tables {
	ruleTables.Lock()
	defer ruleTables.Unlock()
	if ruleTables.of[r] == nil {
		ruleTables.of[r] = newTables(r)
	}
	return ruleTables.of[r]
}

// DropTables drops the shared tables of all rules but one, a few MiB each, and
// reports whether there were any. Boards keep those that they use; others are
// built again when needed, in a few milliseconds.
func DropTables(except Rule) bool {
	ruleTables.Lock()
	defer ruleTables.Unlock()
	dropped := false
	for r := range ruleTables.of {
		if Rule(r) != except && ruleTables.of[r] != nil {
			ruleTables.of[r] = nil
			dropped = true
		}
	}
	return dropped
}

func newTables(r Rule) *tables {
	t := &tables{radius: 5}
	if r == Freestyle {
		t.radius = 4
	}
	var kinds [2]*lineTable
	kinds[White] = newLineTable(r, White, int(t.radius))
	if kinds[Black] = kinds[White]; r == Renju {
		kinds[Black] = newLineTable(r, Black, int(t.radius))
	}
	t.fill(kinds)
	fillShapes(&t.shapes[White], false)
	if t.shapes[Black] = t.shapes[White]; r == Renju {
		fillShapes(&t.shapes[Black], true)
	}
	t.infos = makeInfos(t, &noWeights)
	return t
}

// fill makes lines. Those that differ only in black's stones on the lower side are
// adjacent, and their patterns of either player depend on three numbers: the kind of
// that player's upper half, and white's stones on the lower side.
func (t *tables) fill(kinds [2]*lineTable) {
	n := uint(1) << t.radius
	var rows [2][]uint8 // by kind of the upper half and white's lower bits, n patterns
	for c := Black; c <= White; c++ {
		k := kinds[c]
		rows[c] = make([]uint8, 0, uint(len(k.halves))*n*n)
		for upper := range k.halves {
			for white := range n {
				for black := range n {
					lower := k.lower[black][white]
					if c == White {
						lower = k.lower[white][black]
					}
					rows[c] = append(rows[c], uint8(k.class[lower][upper])<<(4*c))
				}
			}
		}
	}
	t.lines = make([]uint8, 0, n*n*n*n)
	for w := range n * n {
		wl, wr := w&(n-1), w>>t.radius
		for br := range n {
			black := rows[Black][(uint(kinds[Black].upper[br][wr])*n+wl)*n:][:n]
			white := rows[White][(uint(kinds[White].upper[wr][br])*n+wl)*n:][:n]
			for bl := uint(0); bl < n; bl += 8 {
				both := binary.LittleEndian.Uint64(black[bl:]) | binary.LittleEndian.Uint64(white[bl:])
				t.lines = binary.LittleEndian.AppendUint64(t.lines, both)
			}
		}
	}
}

// fillShapes fills a table of shapes by code; see shapeOf.
func fillShapes(shapes *[1 << 16]Shape, forbidden bool) {
	var pairs [1 << 8]lineCounts
	for pair := range pairs {
		pairs[pair] = countOf(Line(pair&15)) + countOf(Line(pair>>4))
	}
	for code := range shapes {
		shapes[code] = shapeOf(pairs[code&255]+pairs[code>>8], forbidden)
	}
}

// The contents of a point as one player sees it.
const (
	free  = iota // empty
	own          // own stone
	other        // opponent's stone
	wall         // dead stone or beyond the edge
)

// A half is one side of a window, from the center outward, in which everything
// beyond the first blocking point is set equal to that point.
type half [5]uint8

// bits returns the contents of a half, two bits a point.
func (h half) bits() int {
	n := 0
	for i, v := range h {
		n |= int(v&3) << (2 * i)
	}
	return n
}

// lineTable classifies the windows of one rule and player by their two halves.
type lineTable struct {
	rule   Rule
	player Color
	radius int

	halves []half
	number [1 << 10]int // by half.bits, 1 more than the number of the half, or 0
	class  [][]Line     // by the numbers of the lower and the upper half
	known  [][]bool

	lower, upper [32][32]int // number of the half, by own and other bits
}

func newLineTable(r Rule, c Color, radius int) *lineTable {
	t := &lineTable{rule: r, player: c, radius: radius}
	for ownBits := range 1 << radius {
		for otherBits := range 1 << radius {
			var lo, up half
			for i := range radius {
				up[i] = uint8(ownBits>>i&1 | otherBits>>i&1<<1)
				j := radius - 1 - i
				lo[i] = uint8(ownBits>>j&1 | otherBits>>j&1<<1)
			}
			t.lower[ownBits][otherBits] = t.intern(lo)
			t.upper[ownBits][otherBits] = t.intern(up)
		}
	}
	n := len(t.halves)
	t.class = make([][]Line, n)
	t.known = make([][]bool, n)
	for i := range n {
		t.class[i] = make([]Line, n)
		t.known[i] = make([]bool, n)
	}
	for i := range n {
		for j := range n {
			t.classify(i, j)
		}
	}
	return t
}

// intern simplifies h and returns its number. Except in caro, an opponent's stone
// is equivalent to a wall.
func (t *lineTable) intern(h half) int {
	caro := t.rule == Caro5 || t.rule == Caro6
	for i := range t.radius {
		if h[i] == other && !caro {
			h[i] = wall
		}
		if h[i] >= other {
			for j := i + 1; j < len(h); j++ {
				h[j] = h[i]
			}
			break
		}
	}
	k := &t.number[h.bits()]
	if *k == 0 {
		t.halves = append(t.halves, h)
		*k = len(t.halves)
	}
	return *k - 1
}

// classify applies the definitions of Line to the window of halves i and j.
func (t *lineTable) classify(i, j int) Line {
	if !t.known[i][j] {
		t.class[i][j] = t.compute(i, j)
		t.known[i][j] = true
	}
	return t.class[i][j]
}

func (t *lineTable) compute(i, j int) Line {
	run, wins := t.run(i, j)
	switch {
	case wins:
		return LineFive
	case run > 5 && t.rule == Renju: // white has won by now
		return LineOverline
	case run > 4:
		return LineDead
	}
	n := t.ways(i, j, own)
	switch {
	case n[LineFive] > 1 && t.rule == Renju && t.player == Black && run != 4:
		return LineDoubleFour
	case n[LineFive] > 1 && t.unstoppable(i, j):
		return LineOpenFour
	case n[LineFive] > 0:
		return LineFour
	case n[LineOpenFour] > 1:
		return LineThreePlus
	case n[LineOpenFour] > 0:
		return LineThree
	case n[LineFour] > 0:
		return LineBlockedThree
	}
	switch n3, n2 := n[LineThree]+n[LineThreePlus], n[LineTwo]+n[LineTwoPlus]+n[LineTwoMax]; {
	case n3 > 3:
		return LineTwoMax
	case n3 == 3:
		return LineTwoPlus
	case n3 > 0:
		return LineTwo
	case n[LineBlockedThree] > 0:
		return LineBlockedTwo
	case n2 > 0:
		return LineOne
	case n[LineBlockedTwo] > 0:
		return LineBlockedOne
	}
	return LineDead
}

// run returns the length of the run through the center and whether it wins.
func (t *lineTable) run(i, j int) (length int, wins bool) {
	length = 1
	blocked := 0
	for _, h := range [2]half{t.halves[i], t.halves[j]} {
		k := 0
		for k < t.radius && h[k] == own {
			k++
		}
		length += k
		if k < t.radius && h[k] == other {
			blocked++
		}
	}
	switch t.rule {
	case Freestyle:
		return length, length >= 5
	case Renju:
		return length, length == 5 || t.player == White && length > 5
	case Caro5:
		return length, length == 5 && blocked < 2
	case Caro6:
		return length, length > 5 || length == 5 && blocked < 2
	}
	return length, length == 5 // Standard
}

// ways counts, by the pattern that results, the empty points of the window
// where a stone (own or other) may be added.
func (t *lineTable) ways(i, j int, stone uint8) (n [numLines]int) {
	t.each(i, j, stone, func(i, j int) { n[t.classify(i, j)]++ })
	return n
}

// each calls f for every window that results from adding a stone.
func (t *lineTable) each(i, j int, stone uint8, f func(i, j int)) {
	for k := range t.radius {
		if h := t.halves[i]; h[k] == free {
			h[k] = stone
			f(t.intern(h), j)
		}
		if h := t.halves[j]; h[k] == free {
			h[k] = stone
			f(i, t.intern(h))
		}
	}
}

// unstoppable reports whether a window with two ways to a five keeps one after
// every reply. Only in caro can one stone stop both, by occupying one point and
// blocking the other five.
func (t *lineTable) unstoppable(i, j int) bool {
	ok := true
	t.each(i, j, other, func(i, j int) {
		ok = ok && t.ways(i, j, own)[LineFive] > 0
	})
	return ok
}
