package report

import (
	"strings"
	"unicode/utf8"
)

// A table is text in columns.
type table struct {
	heads []string // those that begin with < are left-aligned, without it
	rows  [][]string
}

func newTable(heads ...string) *table { return &table{heads: heads} }

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// String returns the table with two blanks between columns.
func (t *table) String() string {
	left := make([]bool, len(t.heads))
	heads := make([]string, len(t.heads))
	widths := make([]int, len(t.heads))
	for i, h := range t.heads {
		heads[i], left[i] = strings.CutPrefix(h, "<")
		widths[i] = utf8.RuneCountInString(heads[i])
	}
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		var text strings.Builder
		for i, cell := range cells {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				text.WriteString("  ")
			}
			if left[i] {
				text.WriteString(cell + pad)
			} else {
				text.WriteString(pad + cell)
			}
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
	line(heads)
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}
