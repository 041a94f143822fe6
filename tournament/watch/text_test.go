package watch

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
)

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"Kumiko 1.0", "Kumiko 1.0"},
		{"五目並べ", "五目並べ"},
		{"evil\x1b[2J\x07\r\n\t", `evil\x1b[2J\a\r\n\t`},
		{"\u009b31m", `\u009b31m`},                           // the one-byte form of escape and bracket
		{"a\u202eb\u2066c\u200dd", `a\u202eb\u2066c\u200dd`}, // directions of writing, joiner
		{"e\u0301\u0301\u0301x\ufe0f", "ex"},                 // marks, also those that choose an emoji
		{"🇩🇪", "??"},
		{"👍🏽", "👍"},              // color of skin
		{"\xff\xfe", `\xff\xfe`}, // no UTF-8
		{"a\u00a0b", `a\u00a0b`}, // a blank that is none
		{strings.Repeat("x", 1000), strings.Repeat("x", maxText)},
	} {
		if got := plain(tt.in); got != tt.want {
			t.Errorf("plain(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		in    string
		width int
		want  string
	}{
		{"Kumiko", 6, "Kumiko"},
		{"Kumiko", 5, "Kumi…"},
		{"Kumiko", 1, "…"},
		{"Kumiko", 0, ""},
		{"Kumiko", -3, ""},
		{"", 0, ""},
		{"五目並べ", 8, "五目並べ"},
		{"五目並べ", 7, "五目並…"},
		{"五目並べ", 6, "五目…"},
		{"五目並べ", 2, "…"},
	} {
		if got := clip(tt.in, tt.width); got != tt.want {
			t.Errorf("clip(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("Kumiko\x1b[31m", 5)
	f.Add("五目並べ👩‍👩‍👧🇩🇪é", 7)
	f.Add("\xff\u202e", -1)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = min(width, 300)
		p := plain(s)
		if !utf8.ValidString(p) || strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("plain(%q) = %q", s, p)
		}
		if c := clip(p, width); lipgloss.Width(c) > max(width, 0) {
			t.Errorf("clip(%q, %d) = %q, which has %d columns", p, width, c, lipgloss.Width(c))
		}
		styled := lipgloss.NewStyle().Bold(true).Render(p)
		for _, line := range []string{left(p, width), right(p, width), fit(p, width), fit(styled, width)} {
			if got := lipgloss.Width(line); got != max(width, 0) {
				t.Errorf("%q has %d columns, want %d", line, got, width)
			}
		}
	})
}

func TestTimes(t *testing.T) {
	const day = 24 * time.Hour
	for _, tt := range []struct {
		d           time.Duration
		clock, span string
	}{
		{0, "0.0", "0s"},
		{99 * time.Millisecond, "0.0", "0s"},
		{12340 * time.Millisecond, "12.3", "12s"},
		{time.Minute - 1, "59.9", "59s"},
		{time.Minute, "1:00", "1m"},
		{272 * time.Second, "4:32", "4m"},
		{time.Hour - 1, "59:59", "59m"},
		{3723 * time.Second, "1:02:03", "1h02m"},
		{day + 3*time.Hour, "27:00:00", "1d3h"},
		{-1500 * time.Millisecond, "-1.5", "0s"},
		{-90 * time.Second, "-1:30", "0s"},
		{math.MinInt64, "-0.0", "0s"},
	} {
		if got := clock(tt.d); got != tt.clock {
			t.Errorf("clock(%v) = %q, want %q", tt.d, got, tt.clock)
		}
		if got := span(tt.d); got != tt.span {
			t.Errorf("span(%v) = %q, want %q", tt.d, got, tt.span)
		}
	}
}

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n    int64
		want string
	}{
		{0, "0"}, {812, "812"}, {999, "999"}, {1000, "1k"}, {1234, "1.23k"}, {51234, "51.2k"}, {512345, "512k"},
		{999499, "999k"}, {999999, "1M"}, {1234567, "1.23M"}, {5e9, "5G"}, {7e12, "7T"}, {1 << 53, "9.01P"}, {1<<63 - 1, "9.22E"}, {-5000, "-5e+03"},
	} {
		if got := count(tt.n); got != tt.want {
			t.Errorf("count(%d) = %q, want %q", tt.n, got, tt.want)
		}
	}
}
