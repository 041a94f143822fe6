package telemetry

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for _, tt := range [][2]string{
		{"", ""}, {"Kumiko 2.0 (renju)", "Kumiko 2.0 (renju)"}, {"Novák 黑", "Novák 黑"}, {`C:\x`, `C:\x`},
		{"\x1b[2J\x07", `\x1b[2J\a`}, {"a\r\nb\tc\x00", `a\r\nb\tc\x00`}, {"\x9b31m", `\x9b31m`}, {"\u009b31m", `\u009b31m`},
		{"right\u202eleft\u2028", `right\u202eleft\u2028`}, {"Nov\xe1k", `Nov\xe1k`}, {"\ufffd", "\ufffd"}, {"\u00a0", `\u00a0`}, {"'", "'"},
	} {
		if got := Printable(tt[0]); got != tt[1] {
			t.Errorf("Printable(%q) = %q, want %q", tt[0], got, tt[1])
		}
	}
	if got := PrintableLines("a\x1b\nb\r\n"); got != "a\\x1b\nb\\r\n" {
		t.Errorf("lines: %q", got)
	}
}

// FuzzPrintable: nothing gets through that does not belong on a terminal, and
// what is harmless is left alone.
func FuzzPrintable(f *testing.F) {
	f.Add("\x1b[31m\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Printable(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q became %q", s, got)
		}
		if again := Printable(got); again != got {
			t.Fatalf("%q became %q", got, again)
		}
	})
}
