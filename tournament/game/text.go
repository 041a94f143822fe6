package game

import (
	"strconv"
	"strings"
	"time"

	"kumiko/engine/board"
)

// wire formats a move as the protocol does.
func wire(m board.Move) string { return strconv.Itoa(m.X()) + "," + strconv.Itoa(m.Y()) }

// parseMove parses a move. It may be off the board, as NoMove is. Blanks around
// the numbers are accepted, as by most managers, and so are signs.
func parseMove(s string) (m board.Move, ok bool) {
	left, right, _ := strings.Cut(s, ",")
	x, okX := parseNumber(left)
	y, okY := parseNumber(right)
	if !okX || !okY {
		return board.NoMove, false
	}
	if x < 0 || y < 0 || x >= board.MaxSize || y >= board.MaxSize {
		return board.NoMove, true
	}
	return board.Pt(x, y), true
}

func isMove(line string) bool {
	_, ok := parseMove(line)
	return ok
}

// parseNumber parses a number of at most nine digits, with an optional sign.
func parseNumber(s string) (n int, ok bool) {
	s = strings.Trim(s, " \t")
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" || len(digits) > 9 {
		return 0, false
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	if s[0] == '-' {
		n = -n
	}
	return n, true
}

// remark returns the text of a MESSAGE or DEBUG line, which is for people only.
func remark(line string) (text string, ok bool) {
	word, rest := cutWord(line)
	return rest, is(word, "MESSAGE") || is(word, "DEBUG")
}

// cutWord takes the first word off a line.
func cutWord(line string) (word, rest string) {
	line = strings.Trim(line, " \t")
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimLeft(line[i:], " \t")
}

// is reports whether a word is a keyword of the protocol, ignoring case.
func is(word, keyword string) bool { return strings.EqualFold(word, keyword) }

// quote makes engine output safe for records and terminals.
func quote(s string) string {
	const most = 200
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "..."
	}
	return strconv.QuoteToASCII(s)
}

// show formats a time in milliseconds.
func show(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', -1, 64) + " ms"
}
