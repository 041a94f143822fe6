package wire

import "strings"

// An Entry is one point of a BOARD block. Field is 1 for a stone of the side
// to answer, 2 for the opponent's, 3 for one out of play, and 0 if none was
// given.
type Entry struct {
	X, Y, Field int
}

// ParseEntries reads a line of a BOARD block, in which several entries may be
// separated by blanks. It skips what is no entry. Done reports whether the
// line ended the block.
func ParseEntries(line string) (entries []Entry, done bool) {
	line = clean(line)
	if n, rest := numbers(line, ""); rest == "" && (len(n) == 2 || len(n) == 3) {
		return []Entry{entryOf(n)}, false // "7 7 1"
	}
	for line != "" {
		n, rest := list(line)
		word, next := cutWord(rest)
		switch {
		case n == nil && strings.EqualFold(word, "DONE"):
			return entries, true
		case strings.Trim(word, ",") == "" && (len(n) == 2 || len(n) == 3):
			entries = append(entries, entryOf(n))
		}
		line = next
	}
	return entries, false
}

func entryOf(n []int) Entry {
	e := Entry{X: n[0], Y: n[1]}
	if len(n) == 3 {
		e.Field = n[2]
	}
	return e
}
