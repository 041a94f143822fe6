package board

import (
	"fmt"
	"strconv"
	"strings"
)

// Board sizes that [New] accepts, for width and height alike.
const (
	MinSize = 5
	MaxSize = 32
)

// stride is the distance in a [Move] between a point and the one below it.
// It is fixed, so that the step along each direction is a constant.
const stride = 32

// A Move is a point of the board, packed as y*32 + x with x the column
// counted from the left and y the row counted from the top, both from 0.
type Move uint16

// NoMove is no point of any board.
const NoMove Move = 0xFFFF

// Pt returns the point in column x and row y. Both must be in 0..31;
// whether the point lies on a given board is for [Board.On] to say.
func Pt(x, y int) Move { return Move(y*stride + x) }

// X returns the column of m, counted from the left from 0.
func (m Move) X() int { return int(m % stride) }

// Y returns the row of m, counted from the top from 0.
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

// ParseMoves reads points written one after the other, such as h8i7j9. Blanks
// may stand between them. If there is an error, the points before it are
// returned as well.
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

// pointEnd returns where the point at the beginning of s ends: behind the
// digits behind the letters.
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

// ParseSize reads the size of a board: 15 for a square, 20x15 for a
// rectangle of 20 columns and 15 rows.
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

// FormatSize returns the size of a board as [ParseSize] reads it.
func FormatSize(width, height int) string {
	if width == height {
		return strconv.Itoa(width)
	}
	return fmt.Sprintf("%dx%d", width, height)
}

// CheckSize reports whether there are boards of a size.
func CheckSize(width, height int) error {
	if width < MinSize || width > MaxSize || height < MinSize || height > MaxSize {
		return fmt.Errorf("board size %dx%d is not within %d to %d", width, height, MinSize, MaxSize)
	}
	return nil
}
