package wire

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/engine/board"
)

// Fixed replies. Some managers compare them exactly.
const (
	OK   = "OK"
	Swap = "SWAP"
)

// An Order is the order of a point's two numbers.
type Order uint8

// All managers but Yixin-Board write column,row.
const (
	ColumnRow Order = iota
	RowColumn
)

// ParseOrder returns the order of a text such as "row,column".
func ParseOrder(text string) (o Order, ok bool) {
	switch strings.ToLower(text) {
	case "column,row":
		return ColumnRow, true
	case "row,column":
		return RowColumn, true
	}
	return ColumnRow, false
}

// Swap converts the two numbers of a line to column and row, or back.
func (o Order) Swap(a, b int) (int, int) {
	if o == RowColumn {
		return b, a
	}
	return a, b
}

// Point formats a point.
func (o Order) Point(m board.Move) string {
	a, b := o.Swap(m.X(), m.Y())
	return strconv.Itoa(a) + "," + strconv.Itoa(b)
}

// Points formats points separated by blanks.
func (o Order) Points(moves []board.Move) string {
	return joined(moves, o.Point)
}

// Forbid returns the answer to YXSHOWFORBID.
func (o Order) Forbid(points []board.Move) string {
	var s strings.Builder
	s.WriteString("FORBID ")
	for _, m := range points {
		a, b := o.Swap(m.X(), m.Y())
		fmt.Fprintf(&s, "%02d%02d", a, b)
	}
	s.WriteByte('.')
	return s.String()
}

// Error returns the reply to a command that cannot be executed.
func Error(text string) string { return "ERROR " + text }

// UnknownWord returns the reply to an unknown command. It repeats the word as far
// as it is short and plain.
func UnknownWord(word string) string {
	const most = 20
	return "UNKNOWN command " + plain(word[:min(len(word), most)])
}

// plain replaces characters that some managers cannot read.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case isBlank(r):
			return ' '
		case r < 0x7F:
			return r
		}
		return '?'
	}, text)
}

// AboutLine returns the answer to ABOUT. Some managers end a value at a comma or an
// equals sign.
func AboutLine(name, version, author string) string {
	return fmt.Sprintf(`name="%s", version="%s", author="%s"`, name, version, author)
}

// IsNews reports whether a line may come at any time and is not a reply.
func IsNews(line string) bool {
	return strings.HasPrefix(line, "MESSAGE ") || strings.HasPrefix(line, "INFO ")
}

// joined formats moves separated by blanks.
func joined(moves []board.Move, text func(board.Move) string) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = text(m)
	}
	return strings.Join(words, " ")
}
