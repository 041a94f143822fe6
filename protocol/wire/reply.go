package wire

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/engine/board"
)

// The replies that are words. Some managers compare them as they are.
const (
	OK   = "OK"
	Swap = "SWAP"
)

// An Order says which of a point's two numbers comes first.
type Order uint8

// Everybody writes column,row but Yixin-Board.
const (
	ColumnRow Order = iota
	RowColumn
)

// Swap returns two numbers of a line as column and row, or the reverse.
func (o Order) Swap(a, b int) (int, int) {
	if o == RowColumn {
		return b, a
	}
	return a, b
}

// Point writes a point.
func (o Order) Point(m board.Move) string {
	a, b := o.Swap(m.X(), m.Y())
	return strconv.Itoa(a) + "," + strconv.Itoa(b)
}

// Points writes points separated by blanks.
func (o Order) Points(moves []board.Move) string {
	return joined(moves, o.Point)
}

// Forbid lists points as YXSHOWFORBID is answered.
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

// Error answers a command that cannot be obeyed.
func Error(text string) string { return "ERROR " + text }

// UnknownWord answers a word that is no command of ours. It repeats the word
// as far as it is short and plain.
func UnknownWord(word string) string {
	const most = 20
	return "UNKNOWN command " + plain(word[:min(len(word), most)])
}

// plain replaces what some managers cannot read.
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

// AboutLine answers ABOUT. Some managers take a comma or an equals sign within a
// value for the end of it.
func AboutLine(name, version, author string) string {
	return fmt.Sprintf(`name="%s", version="%s", author="%s"`, name, version, author)
}

// IsNews reports whether a line may come at any time, answering no command.
func IsNews(line string) bool {
	return strings.HasPrefix(line, "MESSAGE ") || strings.HasPrefix(line, "INFO ")
}

// joined writes moves separated by blanks.
func joined(moves []board.Move, text func(board.Move) string) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = text(m)
	}
	return strings.Join(words, " ")
}
