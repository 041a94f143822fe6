package board

// Lines holds the stones of a position by line, in all four directions. It is what
// a position looks like to an [Encoder].
type Lines [numDirs][2 * MaxSize]lineBits

// Clear removes the stones and sets the size of the board.
func (l *Lines) Clear(width, height int) {
	for d := range l {
		for i := range l[d] {
			l[d][i] = lineBits{^uint64(0), ^uint64(0)}
		}
	}
	for y := range height {
		for x := range width {
			l.Put(Pt(x, y), Empty)
		}
	}
}

// Put sets what lies on m, a point of the board.
func (l *Lines) Put(m Move, c Cell) {
	for d := range numDirs {
		i, pos := lineOf(d, m.X(), m.Y())
		ln, bit := &l[d][i], uint64(1)<<(pos+margin)
		ln[Black] &^= bit
		ln[White] &^= bit
		if c&BlackStone != 0 {
			ln[Black] |= bit
		}
		if c&WhiteStone != 0 {
			ln[White] |= bit
		}
	}
}

// Lines returns the stones of the position by line. They belong to the board.
func (b *Board) Lines() *Lines { return &b.lines }

// An Encoder numbers what lies on and around a point in one direction: the input
// of a network, in training and in play. Both see black's stones as their own;
// package nn derives white's view from the numbers.
//
// A half line is the points on one side of the center, up to the reach; it ends
// early at the edge or a dead stone. With n points it has the number
//
//	(3^n-1)/2 + Σ digit(i)·3^i
//
// where point 0 is the nearest to the center and the digits are 0 for an empty
// point, 1 for a black and 2 for a white stone. If there are h half lines, a line
// with halves a ≥ b has the code
//
//	center·h(h+1)/2 + a(a+1)/2 + b
//
// so a line and its mirror image are the same.
type Encoder struct {
	reach        uint
	pairs        uint32         // of half lines, the order disregarded
	lower, upper [halves]uint16 // number of a half line, by black's and white's bits
	triangle     [halves]uint32 // n(n+1)/2
}

// halves is the number of contents of a half line of the greatest reach, two bits a
// point.
const halves = 1 << (2 * MaxReach)

// A LineCode is the code of the line through a point in a direction.
type LineCode struct {
	At   Move
	Dir  uint8
	Code uint32
}

// MaxReach is the greatest reach of an [Encoder].
const MaxReach = margin / 2

// NewEncoder returns an encoder of lines that reach 1 to MaxReach points to either
// side.
func NewEncoder(reach int) *Encoder {
	if reach < 1 || reach > MaxReach {
		panic("board: invalid reach")
	}
	e := &Encoder{reach: uint(reach)}
	n := 1 << reach
	for black := range n {
		for white := range n {
			var near, far [MaxReach]int
			for i := range reach {
				near[i] = black>>i&1 | white>>i&1<<1
				far[reach-1-i] = near[i]
			}
			e.upper[white*n+black] = uint16(halfLine(near[:reach]))
			e.lower[white*n+black] = uint16(halfLine(far[:reach]))
		}
	}
	for h := range halfLines(reach) + 1 {
		e.triangle[h] = uint32(h * (h + 1) / 2)
	}
	e.pairs = e.triangle[halfLines(reach)]
	return e
}

// halfLines returns the number of half lines of up to reach points.
func halfLines(reach int) int {
	n := 1
	for range reach {
		n = 3*n + 1
	}
	return n
}

// halfLine returns the number of the half line of points with the given contents,
// nearest first; it ends at the first that holds both bits.
func halfLine(points []int) int {
	n, power := 0, 1
	for _, p := range points {
		if p == own|other {
			break
		}
		n += p * power
		power *= 3
	}
	return (power-1)/2 + n
}

// Reach returns the number of points that a code covers on either side.
func (e *Encoder) Reach() int { return int(e.reach) }

// Codes returns the number of codes, which are 0 to Codes()-1.
func (e *Encoder) Codes() int { return 3 * int(e.pairs) }

// code returns the code of a window whose lowest bit is the lowest point.
func (e *Encoder) code(black, white uint64) uint32 {
	r := e.reach & 7
	mask := uint64(1)<<r - 1
	a := e.lower[(black&mask|white&mask<<r)%halves]
	b := e.upper[(black>>(r+1)&mask|white>>(r+1)&mask<<r)%halves]
	center := uint32(black>>r&1 | white>>r&1<<1)
	return center*e.pairs + e.triangle[max(a, b)%halves] + uint32(min(a, b))
}

// Codes are the codes of the lines of a position, by point and direction.
type Codes [stride * MaxSize][numDirs]uint32

// A CodeChange is a point one of whose codes changes. The type has no name of its own,
// so that a network's package can have the same one.
type CodeChange = struct {
	Point    int32
	Dir      int32
	Old, New uint32
}

// Update brings codes up to date around m, where lines have changed, and appends the
// changes. Dead stones have no codes.
func (e *Encoder) Update(dst []CodeChange, codes *Codes, l *Lines, m Move) []CodeChange {
	r := e.reach & 7
	x, y := m.X(), m.Y()
	for d := range numDirs {
		i, pos := lineOf(d, x, y)
		ln := &l[d][i&63]
		// Bit 0 is the point 2r below m; the window of the point r below begins
		// there.
		at := (uint(pos+margin) - 2*r) & 63
		black, white := ln[Black]>>at, ln[White]>>at
		q := int(m) - step[d]*int(r)
		for on := ^(black & white) >> r & (1<<(2*r+1) - 1); on != 0; on >>= 1 {
			if on&1 != 0 {
				c := &codes[q&(len(codes)-1)][d]
				if now := e.code(black, white); now != *c {
					dst = append(dst, CodeChange{int32(q), int32(d), *c, now})
					*c = now
				}
			}
			black >>= 1
			white >>= 1
			q += step[d]
		}
	}
	return dst
}

// All appends the codes of all lines of a board of the given size, point by point
// and for each in the order of the directions.
func (e *Encoder) All(dst []LineCode, l *Lines, width, height int) []LineCode {
	for y := range height {
		for x := range width {
			for d := range numDirs {
				i, pos := lineOf(d, x, y)
				ln := &l[d][i]
				at := uint(pos + margin)
				if ln[Black]&ln[White]>>at&1 != 0 {
					break
				}
				dst = append(dst, LineCode{Pt(x, y), uint8(d), e.code(ln[Black]>>(at-e.reach), ln[White]>>(at-e.reach))})
			}
		}
	}
	return dst
}
