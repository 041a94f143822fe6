package wire

import (
	"fmt"
	"strings"

	"kumiko/engine/board"
)

// An Entry is one stone of a block. Field is 1 for a stone of the side to answer,
// 2 for the opponent's, 3 for one out of play, and 0 if missing; managers also
// send other numbers.
type Entry struct {
	X, Y  int // column and row
	Field int
}

// A Block collects the lines after BOARD, YXBOARD or SWAP2BOARD up to DONE: one
// per stone, x,y or x,y,field. Several stones may be on one line, including that
// of the command; blanks may separate the numbers of a stone alone on its line,
// and commas may follow a stone.
type Block struct {
	word          string
	order         Order
	width, height int
	entries       []Entry
	seen          [board.MaxSize]uint32 // by row, the points of entries
	line          int                   // the number of the last line
	err           error                 // about the first bad one
}

// NewBlock begins the block of a command on a board of the given size. If the size
// is 0, points may lie off the board.
func NewBlock(command string, o Order, width, height int) *Block {
	return &Block{word: strings.ToUpper(command), order: o, width: width, height: height}
}

// Open reads the stones on the line of the command as if each had its own line.
// done reports whether they end the block.
func (b *Block) Open(args string) (done bool) { return b.read(args, "") }

// Add reads the next line. Blank lines do not count.
func (b *Block) Add(line string) (done bool) {
	line = clean(line)
	if line == "" {
		return false
	}
	if word, _ := cutWord(line); !strings.EqualFold(word, "DONE") {
		b.line++
	}
	return b.read(line, line)
}

// Entries returns the stones in order, all on different points of the board, or an
// error for the first invalid line.
func (b *Block) Entries() ([]Entry, error) {
	if b.err != nil {
		return nil, b.err
	}
	return b.entries, nil
}

// read reads stones from s. Errors quote the whole line, or the stone if line is
// empty.
func (b *Block) read(s, line string) (done bool) {
	s = clean(s)
	n, rest := numbers(s, "")
	blanks := rest == "" && (len(n) == 2 || len(n) == 3) // "7 7 1"
	for s != "" {
		text := ""
		if blanks {
			text, s = s, ""
		} else {
			text, n, s = cutEntry(s)
			if n == nil && strings.EqualFold(text, "DONE") {
				return true
			}
		}
		if line != "" {
			text = line
		} else {
			b.line++
		}
		b.append(n, text)
	}
	return false
}

// append appends the stone of two or three numbers, read from text.
func (b *Block) append(n []int, text string) {
	if b.err != nil {
		return
	}
	fail := func(format string) {
		b.err = fmt.Errorf("line %d of %s: "+format, b.line, b.word, quoted(text))
	}
	if len(n) != 2 && len(n) != 3 {
		fail("invalid stone %s")
		return
	}
	var e Entry
	e.X, e.Y = b.order.Swap(n[0], n[1])
	if len(n) == 3 {
		e.Field = n[2]
	}
	if b.width > 0 {
		if e.X < 0 || e.Y < 0 || e.X >= b.width || e.Y >= b.height {
			fail("%s is off the board")
			return
		}
		if b.seen[e.Y]&(1<<e.X) != 0 {
			fail("%s repeats a point")
			return
		}
		b.seen[e.Y] |= 1 << e.X
		b.entries = append(b.entries, e)
	}
}

// cutEntry cuts the first stone off s, with the commas that follow it. Anything
// else is cut at the next blank and has no numbers.
func cutEntry(s string) (text string, n []int, rest string) {
	n, rest = list(s, 3)
	text = s[:len(s)-len(rest)]
	rest = strings.TrimLeft(rest, ",")
	if n == nil || rest != "" && !isBlank(rune(rest[0])) {
		text, rest = cutWord(s)
		return text, nil, rest
	}
	rest = strings.TrimLeftFunc(rest, isBlank)
	for strings.HasPrefix(rest, ",") { // "7,7,1 , 8,8,2"
		word, next := cutWord(rest)
		if strings.Trim(word, ",") != "" {
			break
		}
		rest = next
	}
	return text, n, rest
}

// quoted returns text in quotes, shortened and limited to what managers can read.
func quoted(text string) string {
	const most = 40
	end := ""
	if len(text) > most {
		text, end = text[:most], "..."
	}
	return `"` + plain(text) + end + `"`
}
