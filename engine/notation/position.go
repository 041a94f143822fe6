package notation

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/engine/board"
)

// ParsePosition reads the moves of a string such as h8i7j9 like
// [board.ParseMoves], with rows counted from either end.
func ParsePosition(s string, width, height int, rows Rows) ([]board.Move, error) {
	at, err := newGrid(width, height)
	if err != nil {
		return nil, err
	}
	moves, err := board.ParseMoves(s)
	if err != nil {
		return nil, err
	}
	for i, m := range moves {
		if moves[i], err = at.putFrom(m, rows); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return moves, nil
}

// putFrom occupies the point that reads as m if rows count from the top.
func (g *grid) putFrom(m board.Move, rows Rows) (board.Move, error) {
	return g.put(m.X(), rows.number(m.Y(), g.height)-1)
}

// FormatPosition returns moves in the form that [ParsePosition] reads.
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
