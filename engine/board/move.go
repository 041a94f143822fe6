package board

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits of the width and the height of a board.
const (
	MinSize = 5
	MaxSize = 32
)

// stride is the difference in a [Move] between a point and the one below it. It
// is fixed, so that the step in each direction is a constant.
const stride = 32

// A Move is a point of the board, packed as y*32 + x, where x is the column from
// the left and y the row from the top, both from 0.
type Move uint16

// NoMove is no point of any board.
const NoMove Move = 0xFFFF

// Pt returns the point in column x and row y, both in 0..31. [Board.On] reports
// whether it lies on a board.
func Pt(x, y int) Move { return Move(y*stride + x) }

// X returns the column of m from the left, from 0.
func (m Move) X() int { return int(m % stride) }

// Y returns the row of m from the top, from 0.
func (m Move) Y() int { return int(m / stride) }

// String returns m as tournament managers write it: a letter for the column,
// a for the leftmost, and a number for the row, 1 for the top one. Columns
// past z continue as aa, ab and so on. NoMove is "-".
func (m Move) String() string {
	if m >= stride*MaxSize {
		return "-"
	}
	x := m.X()
	col := string(rune('a' + x%26))
	if x >= 26 {
		col = "a" + col
	}
	return col + strconv.Itoa(m.Y()+1)
}

// ParseMove reads the form that [Move.String] writes, in either case.
func ParseMove(s string) (Move, error) {
	i, x := 0, 0
	for i < len(s) && i < 2 && (s[i]|0x20) >= 'a' && (s[i]|0x20) <= 'z' {
		x = x*26 + int(s[i]|0x20-'a') + 1
		i++
	}
	y, err := strconv.Atoi(s[i:])
	if i == 0 || err != nil || x > MaxSize || y < 1 || y > MaxSize || s[i] == '+' {
		return NoMove, fmt.Errorf("invalid point %.20q, want one such as h8", s)
	}
	return Pt(x-1, y-1), nil
}

// ParseMoves reads a sequence of points such as h8i7j9, with optional blanks
// between them. On error it also returns the points before it.
func ParseMoves(s string) ([]Move, error) {
	var moves []Move
	for rest := strings.TrimLeft(s, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		end := pointEnd(rest)
		m, err := ParseMove(rest[:end])
		if err != nil {
			return moves, fmt.Errorf("move %d: %w", len(moves)+1, err)
		}
		moves = append(moves, m)
		rest = rest[end:]
	}
	return moves, nil
}

// pointEnd returns where the point at the beginning of s ends: after its letters
// and digits.
func pointEnd(s string) int {
	i := 0
	for i < len(s) && (s[i] < '0' || s[i] > '9') && s[i] != ' ' && s[i] != '\t' {
		i++
	}
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return max(i, 1)
}

// ParseSize reads a board size: 15 for a square, 20x15 for 20 columns and 15
// rows.
func ParseSize(s string) (width, height int, err error) {
	w, h, rectangle := strings.Cut(s, "x")
	if !rectangle {
		h = w
	}
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if errW != nil || errH != nil {
		return 0, 0, fmt.Errorf("invalid board size %.20q, want one such as 15 or 20x15", s)
	}
	return width, height, CheckSize(width, height)
}

// FormatSize returns a board size in the form that [ParseSize] reads.
func FormatSize(width, height int) string {
	if width == height {
		return strconv.Itoa(width)
	}
	return fmt.Sprintf("%dx%d", width, height)
}

// CheckSize returns an error unless a board may have the given size.
func CheckSize(width, height int) error {
	if width < MinSize || width > MaxSize || height < MinSize || height > MaxSize {
		return fmt.Errorf("board size %dx%d is not within %d to %d", width, height, MinSize, MaxSize)
	}
	return nil
}
