package telemetry

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printable makes a foreign text, such as the name of an engine, a book or a
// file, safe on a terminal and within a line: unprintable bytes are escaped as
// in a Go string, such as \x1b. Distinct texts stay distinct except for
// backslashes, which are not escaped.
func Printable(text string) string {
	safe := true
	for _, r := range text {
		safe = safe && r != utf8.RuneError && strconv.IsPrint(r)
	}
	if safe {
		return text
	}
	var b strings.Builder
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case strconv.IsPrint(r):
			b.WriteString(text[:n])
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[n:]
	}
	return b.String()
}

// PrintableLines is Printable for a text of several lines.
func PrintableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}
