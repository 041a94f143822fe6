// Package notation reads and writes games as text, in the formats used by
// managers and viewers of five in a row: Piskvork's psq, SGF, and strings of
// points such as h8i7j9. It also reads PGN. In psq, SGF and strings the players
// move in turn, black first, each to an empty point of the board; anything else
// is an error, with its line number where there are lines. The rules of the game
// are not checked.
package notation

import (
	"errors"
	"fmt"
	"time"

	"kumiko/engine/board"
)

// NoTime is the time of a move without a recorded time.
const NoTime time.Duration = -1

// A Ply is one move of a recorded game.
type Ply struct {
	Move board.Move
	Time time.Duration // taken for the move, in whole milliseconds, or NoTime
	Note string        // a note on the move, such as "depth 11"; only in SGF
}

// An Error is an error in a text, with its line.
type Error struct {
	Line int // from 1
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Moves returns the moves of plies.
func Moves(plies []Ply) []board.Move {
	moves := make([]board.Move, len(plies))
	for i, p := range plies {
		moves[i] = p.Move
	}
	return moves
}

// milliseconds returns a time read from a record.
func milliseconds(ms int) (time.Duration, error) {
	const longest = int(time.Hour/time.Millisecond) * 24 * 365
	if ms < 0 || ms > longest {
		return NoTime, fmt.Errorf("invalid time of %d ms", ms)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// Rows is the direction in which rows are counted: row 1 is the top or the bottom
// one.
type Rows uint8

const (
	FromTop    Rows = iota // Gomocup's judge, c-gomoku-cli, this program
	FromBottom             // Yixin-Board's getpos, RenLib and most of renju
)

// number returns the number of row y, which counts from 0 at the top. It is its
// own inverse except for an offset of 1: row number n is number(n-1, height)-1.
func (r Rows) number(y, height int) int {
	if r == FromBottom {
		return height - y
	}
	return y + 1
}

// A grid checks that moves are on the board and on empty points.
type grid struct {
	width, height int
	occupied      [board.MaxSize][board.MaxSize]bool
}

// newGrid returns the grid of an empty board.
func newGrid(width, height int) (*grid, error) {
	if err := board.CheckSize(width, height); err != nil {
		return nil, err
	}
	return &grid{width: width, height: height}, nil
}

// put occupies the point in column x and row y, both from 0.
func (g *grid) put(x, y int) (board.Move, error) {
	if x < 0 || x >= g.width || y < 0 || y >= g.height {
		return board.NoMove, fmt.Errorf("column %d, row %d from the top is off the %dx%d board", x+1, y+1, g.width, g.height)
	}
	m := board.Pt(x, y)
	if g.occupied[y][x] {
		return m, fmt.Errorf("%v is occupied", m)
	}
	g.occupied[y][x] = true
	return m, nil
}

// putMove occupies the point m.
func (g *grid) putMove(m board.Move) error {
	if m == board.NoMove {
		return errors.New("no move")
	}
	_, err := g.put(m.X(), m.Y())
	return err
}
