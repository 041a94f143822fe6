package report

import (
	"fmt"
	"strings"

	"kumiko/engine/board"
)

// A viewGrid holds the lines of a small board.
type viewGrid struct{ Lines, ViewBox string } // Lines is the d of a path

// A viewStone is a stone on a small board.
type viewStone struct {
	X, Y  int
	Class string
}

// newGrid draws the lines of a small board.
func newGrid(width, height int) viewGrid {
	var b strings.Builder
	for x := range width {
		fmt.Fprintf(&b, "M%d 0V%d", x, height-1)
	}
	for y := range height {
		fmt.Fprintf(&b, "M0 %dH%d", y, width-1)
	}
	return viewGrid{b.String(), fmt.Sprintf("-1 -1 %d %d", width+1, height+1)}
}

// stonesOf places moves, starting with black.
func stonesOf(moves []board.Move) (list []viewStone) {
	for i, m := range moves {
		list = append(list, viewStone{m.X(), m.Y(), board.Color(i % 2).String()})
	}
	return list
}
