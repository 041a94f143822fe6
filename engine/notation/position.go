package notation

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/engine/board"
)

// ParsePosition reads the moves of a string such as h8i7j9: for each a letter,
// a for the leftmost column, in either case and with none left out, and the
// number of the row. Columns past z are aa, ab and so on. Blanks may stand
// between moves.
func ParsePosition(s string, width, height int, rows Rows) ([]board.Move, error) {
	at, err := newGrid(width, height)
	if err != nil {
		return nil, err
	}
	var moves []board.Move
	for rest := strings.TrimLeft(s, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		end := pointEnd(rest)
		m, err := at.putText(rest[:end], rows)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", len(moves)+1, err)
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

// putText takes the point that s names.
func (g *grid) putText(s string, rows Rows) (board.Move, error) {
	m, err := board.ParseMove(s)
	if err != nil {
		return m, fmt.Errorf("%q is not a point such as h8", s)
	}
	return g.put(m.X(), rows.number(m.Y(), g.height)-1)
}

// FormatPosition returns a string that [ParsePosition] reads.
func FormatPosition(moves []board.Move, height int, rows Rows) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(pointText(m, height, rows))
	}
	return b.String()
}

// pointText returns the name of a point.
func pointText(m board.Move, height int, rows Rows) string {
	letters := strings.TrimRight(m.String(), "0123456789")
	return letters + strconv.Itoa(rows.number(m.Y(), height))
}
