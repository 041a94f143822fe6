package board

// Symmetries returns the number of symmetries of a board of the given size: eight
// for a square, four for any other rectangle. They are numbered from 0, the
// identity.
func Symmetries(width, height int) int {
	if width == height {
		return 8
	}
	return 4
}

// Symmetry returns the image of m under symmetry sym of a board of the given
// size. The bits of sym are steps, applied in this order:
//
//	1  mirror left and right
//	2  mirror top and bottom
//	4  exchange columns and rows (squares only)
//
// so sym 3 is a half turn, and 5 and 6 are the quarter turns. NoMove maps to
// itself.
func Symmetry(m Move, width, height, sym int) Move {
	if m == NoMove {
		return m
	}
	x, y := m.X(), m.Y()
	if sym&1 != 0 {
		x = width - 1 - x
	}
	if sym&2 != 0 {
		y = height - 1 - y
	}
	if sym&4 != 0 {
		x, y = y, x
	}
	return Pt(x, y)
}

// InverseSymmetry returns the symmetry that undoes sym: the quarter turns
// undo each other, and every other symmetry undoes itself.
func InverseSymmetry(sym int) int {
	switch sym {
	case 5:
		return 6
	case 6:
		return 5
	}
	return sym
}
