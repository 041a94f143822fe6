package journal

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"kumiko/tournament/schedule"
)

// A bookLines holds the lines of a book's openings, as far as games have named
// them: a log does not hold the book.
type bookLines struct {
	lines map[int]int
	order [][2]int       // of the first openings named: index and line, in order
	votes map[[2]int]int // if not nil, check only counts how often a line is named for an index
}

// maxOrdered bounds bookLines.order.
const maxOrdered = 4096

// errLine is the error of two games that name different lines for one opening: either
// may be the damaged one.
var errLine = errors.New("contradicts the games before")

// check rejects a line for a scheduled opening that contradicts those before:
// an opening has one line, and later openings have later ones.
func (b *bookLines) check(g schedule.Game, line int) error {
	if g.Opening < 0 {
		if line != 0 {
			return fmt.Errorf("opening %d, but there is no book", line)
		}
		return nil
	}
	if b.votes != nil {
		b.votes[[2]int{g.Opening, line}]++
		return nil
	}
	if known, ok := b.lines[g.Opening]; ok {
		if known != line {
			return fmt.Errorf("opening %d %w: they have opening %d here", line, errLine, known)
		}
		return nil
	}
	if !b.add(g.Opening, line) {
		return fmt.Errorf("opening %d %w: its place is between others", line, errLine)
	}
	return nil
}

// add adds the line of an opening, unless it is out of order.
func (b *bookLines) add(index, line int) bool {
	at, _ := slices.BinarySearchFunc(b.order, index, func(o [2]int, index int) int { return cmp.Compare(o[0], index) })
	if at > 0 && b.order[at-1][1] > line || at < len(b.order) && b.order[at][1] < line {
		return false
	}
	if b.lines == nil {
		b.lines = make(map[int]int)
	}
	b.lines[index] = line
	if len(b.order) < maxOrdered {
		b.order = slices.Insert(b.order, at, [2]int{index, line})
	}
	return true
}

// elected returns the lines that most votes name, as far as they are in order.
func (b *bookLines) elected() bookLines {
	list := slices.SortedFunc(maps.Keys(b.votes), func(x, y [2]int) int {
		return cmp.Or(cmp.Compare(b.votes[y], b.votes[x]), slices.Compare(x[:], y[:]))
	})
	var won bookLines
	for _, v := range list {
		if _, ok := won.lines[v[0]]; !ok {
			won.add(v[0], v[1])
		}
	}
	return won
}
