package watch

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"charm.land/lipgloss/v2"

	"kumiko/tournament/telemetry"
)

// maxText bounds the runes of a text from the log: no screen shows more.
const maxText = 200

// plain makes a text from the log safe for a terminal and for a table in it: it
// is printable, the halves of flags become "?", and combining marks are
// dropped, since terminals disagree about the width of such sequences.
func plain(s string) string {
	n := 0
	s = telemetry.Printable(s)
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) || r >= 0x1F3FB && r <= 0x1F3FF { // also skin tones
			return -1
		}
		if n++; n > maxText {
			return -1
		}
		if r == unicode.ReplacementChar || r >= 0x1F1E6 && r <= 0x1F1FF {
			return '?'
		}
		return r
	}, s)
}

// clip cuts a plain text to a number of columns and marks the cut.
func clip(s string, width int) string {
	if len(s) <= width || lipgloss.Width(s) <= width { // no rune is wider than its bytes
		return s
	}
	used := 0
	for i, r := range s {
		w := lipgloss.Width(string(r))
		if used+w > width-1 {
			if width < 1 {
				return ""
			}
			return s[:i] + "…"
		}
		used += w
	}
	return s
}

// left and right pad or cut a plain text to a number of columns.
func left(s string, width int) string {
	s = clip(s, width)
	return s + blank(width-lipgloss.Width(s))
}

func right(s string, width int) string {
	s = clip(s, width)
	return blank(width-lipgloss.Width(s)) + s
}

func blank(n int) string { return strings.Repeat(" ", max(n, 0)) }

// fit pads or cuts a styled line to a number of columns.
func fit(line string, width int) string {
	switch w := lipgloss.Width(line); {
	case w < width:
		return line + blank(width-w)
	case w > width && width <= 0:
		return ""
	case w > width:
		// A wide rune at the edge leaves a column unused.
		line = lipgloss.NewStyle().MaxWidth(width).Render(line)
		return line + blank(width-lipgloss.Width(line))
	}
	return line
}

// fitAll makes a block of that many lines and columns.
func fitAll(lines []string, width, height int) []string {
	block := make([]string, height)
	for i := range block {
		if i < len(lines) {
			block[i] = fit(lines[i], width)
		} else {
			block[i] = blank(width)
		}
	}
	return block
}

// clock formats a time compactly: 12.3, 4:32 or 1:02:03.
func clock(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", max(-d, 0) // the minimum has no negative
	}
	if d < time.Minute {
		return sign + strconv.FormatFloat(float64(d/(100*time.Millisecond))/10, 'f', 1, 64)
	}
	s := int64(d / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%s%d:%02d", sign, s/60, s%60)
	}
	return fmt.Sprintf("%s%d:%02d:%02d", sign, s/3600, s/60%60, s%60)
}

// span formats how long a tournament takes: 45s, 12m, 3h10m or 2d4h.
func span(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d/time.Minute%60)
	}
	return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d/time.Hour%24)
}

// count formats a number of nodes with three digits: 812, 51.2k or 1.23M.
func count(n int64) string {
	x, thousands := float64(n), 0
	for ; x >= 999.5; x /= 1000 {
		thousands++
	}
	return strconv.FormatFloat(x, 'g', 3, 64) + []string{"", "k", "M", "G", "T", "P", "E"}[thousands]
}

// plural formats a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
