package journal

import (
	"fmt"

	"kumiko/engine/board"
	"kumiko/engine/notation"
)

// checkReason rejects a result that its reason, the settings or the last of n
// moves contradict.
func (l *Log) checkReason(e *End, n int) error {
	c := &l.Config
	mover, last := board.White, WhiteWins // of the last move
	if n%2 == 1 {
		mover, last = board.Black, BlackWins
	}
	draw, possible := true, true
	switch e.Reason {
	case Five:
		draw, possible = false, e.Result == last
	case ScoreLoss:
		draw = false
	case Forbidden:
		draw, possible = false, c.Rule.Rule == board.Renju && e.Result == WhiteWins
	case Full:
		possible = n == c.Width*c.Height
	case MaxPlies:
		possible = c.MaxPlies > 0 && n >= c.MaxPlies
	case SquaresLeft:
		possible = c.Width*c.Height-n <= c.DrawSquaresLeft
	case ScoreDraw:
	case StartExec, StartTimeout, StartError, Crash, TimeLoss, NoAnswer, IllegalOccupied, IllegalRange, Garbage, Flood, MemoryLoss, Swap2:
		draw = false
	default:
		return fmt.Errorf("unknown reason %q", e.Reason)
	}
	if !possible || draw != (e.Result == Draw) {
		return fmt.Errorf("result %s by %q after %d moves is impossible", e.Result, e.Reason, n)
	}
	five, err := l.endsWithFive(e.Moves, mover)
	switch {
	case err != nil:
		return err
	case e.Reason == Five && !five:
		return fmt.Errorf("result %s by %q, but the last move makes none", e.Result, e.Reason)
	case e.Reason == MemoryLoss && e.Result != last: // measured after the move
	case e.Reason != Five && five:
		return fmt.Errorf("result %s by %q, but the last move wins by five", e.Result, e.Reason)
	}
	return nil
}

// endsWithFive reports whether the last of moves, by the color mover, wins. A
// log has many games, so that the board is set up only for the few whose last
// move makes five in a row or more under rules that ask for more than that.
func (l *Log) endsWithFive(moves string, mover board.Color) (bool, error) {
	c := &l.Config
	list, err := notation.ParsePosition(moves, c.Width, c.Height, notation.FromTop)
	if err != nil || len(list) == 0 {
		return false, err
	}
	n := len(list) - 1
	long := longest(list, c.Width, c.Height)
	if long < 5 || c.Rule.Rule == board.Freestyle {
		return long >= 5, nil
	}
	b, err := board.New(c.Width, c.Height, c.Rule.Rule)
	if err != nil {
		return false, err
	}
	for _, m := range list[:n] {
		b.Place(m)
	}
	return b.Wins(list[n], mover), nil
}

// longest returns the length of the longest row of one color through the last
// of moves.
func longest(moves []board.Move, width, height int) int {
	var own [board.MaxSize][board.MaxSize]bool
	n := len(moves) - 1
	for i := n; i >= 0; i -= 2 {
		own[moves[i].Y()][moves[i].X()] = true
	}
	row := 0
	for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		length := 1
		for _, sign := range []int{1, -1} {
			dx, dy := sign*d[0], sign*d[1]
			x, y := moves[n].X()+dx, moves[n].Y()+dy
			for x >= 0 && x < width && y >= 0 && y < height && own[y][x] {
				length, x, y = length+1, x+dx, y+dy
			}
		}
		row = max(row, length)
	}
	return row
}
