package journal

import (
	"cmp"
	"fmt"
	"slices"

	"kumiko/tournament/schedule"
)

// A bookLines holds the lines of a book's openings, as far as games have named
// them: a log does not hold the book.
type bookLines struct {
	lines map[int]int
	order [][2]int // of the first openings named: index and line, in order
}

// maxOrdered bounds bookLines.order.
const maxOrdered = 4096

// check rejects a line for a scheduled opening that contradicts those before:
// an opening has one line, and later openings have later ones.
func (b *bookLines) check(g schedule.Game, line int) error {
	if g.Opening < 0 {
		if line != 0 {
			return fmt.Errorf("opening %d, but there is no book", line)
		}
		return nil
	}
	if known, ok := b.lines[g.Opening]; ok {
		if known != line {
			return fmt.Errorf("opening %d, but the schedule has the opening of %d", line, known)
		}
		return nil
	}
	at, _ := slices.BinarySearchFunc(b.order, g.Opening, func(o [2]int, index int) int { return cmp.Compare(o[0], index) })
	if at > 0 && b.order[at-1][1] > line || at < len(b.order) && b.order[at][1] < line {
		return fmt.Errorf("opening %d is not that of the schedule", line)
	}
	if b.lines == nil {
		b.lines = make(map[int]int)
	}
	b.lines[g.Opening] = line
	if len(b.order) < maxOrdered {
		b.order = slices.Insert(b.order, at, [2]int{g.Opening, line})
	}
	return nil
}
