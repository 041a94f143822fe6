package board

import "math/bits"

// Forbidden returns why black may not play the empty point m in renju, or
// NotForbidden; under other rules no point is forbidden. The side to move does
// not matter.
//
// It follows the rules of the Renju International Federation, 9.2 and 9.3. A
// move that makes a five is never forbidden. Two fours in one line are a
// double-four. A three counts only if some point turns it into a straight four
// without making a five elsewhere, and is not itself forbidden after the move:
// hence the recursion, which ends because each level adds a stone.
func (b *Board) Forbidden(m Move) Forbidden {
	if b.rule != Renju || b.Shape(m, Black) != ShapeForbidden {
		return NotForbidden
	}
	return b.forbidden(m)
}

// AllForbidden appends the empty points that black may not play.
func (b *Board) AllForbidden(dst []Move) []Move {
	first := len(dst)
	dst = b.Find(dst, Black, ShapeForbidden)
	kept := dst[:first]
	for _, m := range dst[first:] {
		if b.forbidden(m) != NotForbidden {
			kept = append(kept, m)
		}
	}
	return kept
}

// forbidden implements Forbidden. It reads the lines alone, so it also works
// where some stones are only marked there.
func (b *Board) forbidden(m Move) Forbidden {
	var code Code
	for d := range numDirs {
		code = code.with(d, b.lineAt(m, Black, d))
	}
	if b.tables.shapes[Black][code] != ShapeForbidden {
		return NotForbidden
	}
	var fours, threes int
	overline := false
	for d := range numDirs {
		switch code.Line(d) {
		case LineFour, LineOpenFour:
			fours++
		case LineDoubleFour:
			fours += 2
		case LineThree, LineThreePlus:
			threes++
		case LineOverline:
			overline = true
		}
	}
	switch {
	case fours > 1:
		return DoubleFour
	case threes > 1 && b.realThrees(m, code) > 1:
		return DoubleThree
	case overline:
		return Overline
	}
	return NotForbidden
}

// realThrees counts the directions in which a black stone on m makes a three
// that can legally become a straight four.
func (b *Board) realThrees(m Move, code Code) int {
	b.mark(m)
	defer b.mark(m)
	n := 0
	for d := range numDirs {
		if l := code.Line(d); (l == LineThree || l == LineThreePlus) && b.realThree(m, d) {
			n++
		}
	}
	return n
}

// realThree reports whether the marked stone on m is part of a three in the
// direction dir.
func (b *Board) realThree(m Move, dir int) bool {
	line, pos := lineOf(dir, m.X(), m.Y())
	black := b.lines[dir][line][Black] >> (pos + margin - 3)
	for k := -3; k <= 3; k++ {
		if black>>(k+3)&1 != 0 {
			continue
		}
		x, y := m.X()+dirX[dir]*k, m.Y()+dirY[dir]*k
		if uint(x) >= uint(b.width) || uint(y) >= uint(b.height) {
			continue
		}
		q := Pt(x, y)
		if b.cells[q] != Empty || b.lineAt(q, Black, dir) != LineOpenFour {
			continue
		}
		// The straight four must hold m: all points between are black.
		lo, hi := min(k, 0)+3, max(k, 0)+3
		between := uint64(1)<<hi - uint64(1)<<lo
		if between &^= 1 << (k + 3); bits.OnesCount64(black&between) != bits.OnesCount64(between) {
			continue
		}
		if !b.fiveAt(q) && b.forbidden(q) == NotForbidden {
			return true
		}
	}
	return false
}

// fiveAt reports whether black makes a five on the empty point q.
func (b *Board) fiveAt(q Move) bool {
	for d := range numDirs {
		if b.lineAt(q, Black, d) == LineFive {
			return true
		}
	}
	return false
}

// mark adds a black stone on m to the lines only, or removes it.
func (b *Board) mark(m Move) {
	for d := range numDirs {
		l, pos := lineOf(d, m.X(), m.Y())
		b.lines[d][l][Black] ^= 1 << (pos + margin)
	}
}
