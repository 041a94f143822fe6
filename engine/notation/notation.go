// Package notation reads and writes games in the forms that managers and
// viewers of five in a row exchange: psq of Piskvork, SGF, and strings of
// points such as h8i7j9. In all of them the players move in turn, the first
// with black, and every move goes to an empty point of the board; whatever
// breaks that is refused, with the number of the line where there are lines.
// The rules of the game are not looked at.
package notation

import (
	"fmt"
	"time"

	"kumiko/engine/board"
)

// NoTime is the time of a move of which no time was recorded.
const NoTime time.Duration = -1

// A Ply is one move of a recorded game.
type Ply struct {
	Move board.Move
	Time time.Duration // taken for the move, in whole milliseconds, or NoTime
}

// Rows says from where a form counts rows: 1 is the top row or the bottom one.
type Rows uint8

const (
	FromTop    Rows = iota // Gomocup's judge, c-gomoku-cli, this program
	FromBottom             // Yixin-Board's getpos, RenLib and most of renju
)

// number returns the number of row y, counted from 0 from the top. It is its
// own inverse up to the 1: the row numbered n is number(n-1, height)-1.
func (r Rows) number(y, height int) int {
	if r == FromBottom {
		return height - y
	}
	return y + 1
}

// A grid watches over the moves of a game while they are read or written.
type grid struct {
	width, height int
	taken         [board.MaxSize][board.MaxSize]bool
}

// newGrid returns the grid of an empty board.
func newGrid(width, height int) (*grid, error) {
	if min(width, height) < board.MinSize || max(width, height) > board.MaxSize {
		return nil, fmt.Errorf("a board of %dx%d is not between %d and %d", width, height, board.MinSize, board.MaxSize)
	}
	return &grid{width: width, height: height}, nil
}

// put takes the point in column x and row y, both from 0.
func (g *grid) put(x, y int) (board.Move, error) {
	if x < 0 || x >= g.width || y < 0 || y >= g.height {
		return board.NoMove, fmt.Errorf("column %d, row %d from the top is off the %dx%d board", x+1, y+1, g.width, g.height)
	}
	m := board.Pt(x, y)
	if g.taken[y][x] {
		return m, fmt.Errorf("a second stone on %v", m)
	}
	g.taken[y][x] = true
	return m, nil
}

// putMove takes the point m.
func (g *grid) putMove(m board.Move) error {
	if m == board.NoMove {
		return fmt.Errorf("no move")
	}
	_, err := g.put(m.X(), m.Y())
	return err
}
