package board

import "math/bits"

// HasFour reports whether some stone of c would make a four or better, or in
// renju a shape that may turn out to be a legal four.
func (b *Board) HasFour(c Color) bool {
	return b.Count(c, ShapeFour)+b.Count(c, ShapeFourPlus)+b.Count(c, ShapeFourThree)+
		b.Count(c, ShapeOpenFour)+b.Count(c, ShapeFive)+b.Count(c, ShapeForbidden) > 0
}

// MakesFour reports whether a stone of c on the empty point m makes a four or
// better in some direction, legal or not.
func (b *Board) MakesFour(m Move, c Color) bool {
	if b.Shape(m, c) != ShapeForbidden {
		return b.Shape(m, c) >= ShapeFour
	}
	for d := range 4 {
		if l := b.Line(m, c, d); l == LineFour || l == LineOpenFour {
			return true
		}
	}
	return false
}

// First returns an empty point where a stone of c makes s, which is ShapeFour or
// better. There must be one.
func (b *Board) First(c Color, s Shape) Move {
	for y := range b.Height() {
		for row := b.Fours(c, y); row != 0; row &= row - 1 {
			m := Pt(bits.TrailingZeros32(row), y)
			if b.Shape(m, c) == s {
				return m
			}
		}
	}
	panic("board: counted shape not found")
}

// FiveDefences appends to dst the points that leave c without a five, given
// that c can make one: usually that single point, none if c has several, and in
// caro sometimes also a point that blocks an end.
func (b *Board) FiveDefences(dst []Move, c Color) []Move {
	var buf [8]Move
	fives := b.Find(buf[:0], c, ShapeFive)
	if !b.rule.Caro() {
		if len(fives) == 1 {
			dst = append(dst, fives[0])
		}
		return dst
	}
	n := len(dst)
	dst = b.Defences(dst, fives[0], c, ShapeFive)
	return b.KeepDefences(dst, n, fives[1:], c, ShapeFive)
}

// KeepDefences drops from dst[n:] the points that do not also hold c's shape on
// each of the given points below s.
func (b *Board) KeepDefences(dst []Move, n int, points []Move, c Color, s Shape) []Move {
	kept := dst[:n]
next:
	for _, z := range dst[n:] {
		for _, p := range points {
			if b.ShapeAfter(p, c, z, c.Opponent()) >= s {
				continue next
			}
		}
		kept = append(kept, z)
	}
	return kept
}

// ShapeAfter returns what a stone of c on the empty point m would make after a
// stone of player by on the empty point z: the current shape of m if z is outside
// its window, and ShapeNone if z is m.
func (b *Board) ShapeAfter(m Move, c Color, z Move, by Color) Shape {
	if z == m {
		return ShapeNone
	}
	dir, dist := b.aligned(m, z)
	if dir < 0 {
		return b.Shape(m, c)
	}
	l, pos := lineOf(dir, m.X(), m.Y())
	r := int(b.radius)
	bit := dist + r // of z in the window, the center left out
	if dist > 0 {
		bit--
	}
	key := b.window(dir, l, pos) | 1<<(uint(bit)+2*b.radius*uint(by))
	line := Line(b.tables.lines[key] >> (4 * c) & 15)
	return b.tables.shapes[c][b.Code(m, c).with(dir, line)]
}

// aligned returns the direction of the line through m and z, and z's signed
// distance from m along it. The direction is -1 if there is no such line or z
// lies outside m's window.
func (b *Board) aligned(m, z Move) (dir, dist int) {
	dx, dy := z.X()-m.X(), z.Y()-m.Y()
	switch {
	case dy == 0:
		dir, dist = 0, dx
	case dx == 0:
		dir, dist = 1, dy
	case dx == dy:
		dir, dist = 2, dx
	case dx == -dy:
		dir, dist = 3, dx
	default:
		return -1, 0
	}
	if r := int(b.radius); dist < -r || dist > r {
		return -1, 0
	}
	return dir, dist
}

// Defences appends to dst every empty point where a stone of c's opponent
// makes c's shape on the empty point m weaker than s, m itself first. s must be
// a shape made of threes, fours and fives alone.
func (b *Board) Defences(dst []Move, m Move, c Color, s Shape) []Move {
	dst = append(dst, m)
	for d := range numDirs {
		// A weaker line contributes nothing to the shape.
		if b.Line(m, c, d) >= LineBlockedThree {
			dst = b.inWindow(dst, m, d, func(z Move) bool {
				return b.ShapeAfter(m, c, z, c.Opponent()) < s
			})
		}
	}
	return dst
}

// Helpers appends to dst every empty point where a further stone of c makes
// c's shape on the empty point m as strong as s.
func (b *Board) Helpers(dst []Move, m Move, c Color, s Shape) []Move {
	for d := range numDirs {
		dst = b.inWindow(dst, m, d, func(z Move) bool { return b.ShapeAfter(m, c, z, c) >= s })
	}
	return dst
}

// FivePoint returns a point where c makes a five after the four on the empty
// point m, or NoMove if there is none.
func (b *Board) FivePoint(m Move, c Color) Move {
	var buf [2 * margin]Move
	for d := range numDirs {
		if l := b.Line(m, c, d); l == LineFour || l == LineOpenFour || l == LineDoubleFour {
			if at := b.inWindow(buf[:0], m, d, func(z Move) bool {
				return b.ShapeAfter(z, c, m, c) == ShapeFive
			}); len(at) > 0 {
				return at[0]
			}
		}
	}
	return NoMove
}

// inWindow appends to dst the empty points of m's window in direction dir that
// satisfy ok.
func (b *Board) inWindow(dst []Move, m Move, dir int, ok func(Move) bool) []Move {
	r := int(b.radius)
	for k := -r; k <= r; k++ {
		x, y := m.X()+dirX[dir]*k, m.Y()+dirY[dir]*k
		if k == 0 || uint(x) >= uint(b.width) || uint(y) >= uint(b.height) {
			continue
		}
		if z := Pt(x, y); b.cells[z] == Empty && ok(z) {
			dst = append(dst, z)
		}
	}
	return dst
}
