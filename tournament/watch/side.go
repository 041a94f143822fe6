package watch

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// widest bounds the columns of the side panel: more do not help readability.
const widest = 100

// side draws the panel with the standings and other sections. Space that a
// section does not need goes to the others.
func (s *state) side(l layout) []string {
	width := min(l.side, widest)
	lines := s.test(width)
	lines = append(lines, s.standings(width, s.rows(l))...)
	lines = append(lines, s.match(width)...)
	if n := len(s.summary.troubles); n > 0 {
		title := "Warnings"
		if s.summary.failed > 0 {
			title = fmt.Sprintf("Failures (%d)", s.summary.failed)
		}
		rest := l.body - len(lines)
		lines = append(lines, s.section(title, s.summary.troubles, width, min(n+1, max(rest/3, 3), rest))...)
	}
	if n := len(s.summary.results); n > 0 {
		lines = append(lines, s.section("Results", s.summary.results, width, l.body-len(lines))...)
	}
	return lines
}

// rows returns how many engines of the standings fit: half of the panel is for
// other sections, if any.
func (s *state) rows(l layout) int {
	sum := s.summary
	rest := l.body - len(s.test(l.side)) - len(s.match(l.side)) - 1
	others := 0
	for _, list := range [][]line{sum.troubles, sum.results} {
		if len(list) > 0 {
			others += len(list) + 1
		}
	}
	return max(min(len(sum.standings), max(rest/2, rest-others)), 0)
}

// heading draws the title of a section.
func (s *state) heading(text string, width int) string {
	text = clip(text, width-2)
	return s.theme.head.Render(text) + " " +
		s.theme.dim.Render(strings.Repeat("─", max(width-lipgloss.Width(text)-1, 0)))
}

// section draws a title and as many lines as fit.
func (s *state) section(title string, list []line, width, height int) []string {
	if height < 2 {
		return nil
	}
	lines := []string{s.heading(title, width)}
	for _, l := range list[:min(len(list), height-1)] {
		style := lipgloss.NewStyle()
		switch l.mood {
		case good:
			style = s.theme.good
		case bad:
			style = s.theme.bad
		}
		lines = append(lines, style.Render(clip(l.text, width)))
	}
	return lines
}

// standings draws the table of n engines. Columns that do not fit are dropped,
// last first.
func (s *state) standings(width, n int) []string {
	list := s.summary.standings
	first := s.firstRow(n)
	title := "Standings"
	if n < len(list) {
		title += fmt.Sprintf(" %d-%d of %d", first+1, first+n, len(list))
	}
	lines := []string{s.heading(title, width)}
	t := newTable(list)
	columns, name := t.choose(width)
	for i := first; i < first+n; i++ {
		row := t.rows[i]
		text := left(row[0], name)
		if list[i].out {
			text = s.theme.bad.Strikethrough(true).Render(text)
		}
		for c := 1; c < columns; c++ {
			text += " " + right(row[c], t.widths[c])
		}
		lines = append(lines, text)
	}
	return lines
}

// A table is the text of the standings. Its columns are the names, ratings,
// errors, points and results.
type table struct {
	rows   [][5]string
	widths [5]int
}

func newTable(list []standing) table {
	var t table
	for i, e := range list {
		row := [5]string{
			fmt.Sprintf("%2d %s", i+1, e.name), signed(e.elo), margin(e.margin),
			strconv.FormatFloat(e.points, 'f', -1, 64) + "/" + strconv.Itoa(e.games),
			fmt.Sprintf("%d-%d-%d", e.wins, e.draws, e.losses),
		}
		for c, text := range row {
			t.widths[c] = max(t.widths[c], lipgloss.Width(text))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// choose returns how many columns fit, and the width of the first.
func (t *table) choose(width int) (columns, name int) {
	const least, most = 12, 36 // width of names: enough to read, but keeping the numbers near
	for columns = len(t.widths); ; columns-- {
		name = width
		for _, w := range t.widths[1:columns] {
			name -= 1 + w
		}
		if name >= min(least, t.widths[0]) || columns == 2 {
			return columns, max(min(name, t.widths[0], most), 0)
		}
	}
}

// firstRow returns the first of n engines to show.
func (s *state) firstRow(n int) int {
	return max(min(s.scroll, len(s.summary.standings)-n), 0)
}

// signed formats a rating.
func signed(x float64) string {
	if math.IsNaN(x) {
		return "n/a"
	}
	return fmt.Sprintf("%+.0f", math.Round(x)+0) // -0 becomes 0
}

// margin formats an error.
func margin(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "±n/a"
	}
	return fmt.Sprintf("±%.0f", x)
}

// match draws the result of the first of two engines against the second.
func (s *state) match(width int) []string {
	m := s.summary.match
	if m == nil || math.IsNaN(m.elo.Value) {
		return nil
	}
	los := "n/a"
	if !math.IsNaN(m.los) {
		los = fmt.Sprintf("%.1f%%", 100*m.los)
	}
	elo := fmt.Sprintf("Elo diff %s %s  LOS %s", signed(m.elo.Value), margin(m.elo.Margin()), los)
	lines := []string{clip(elo, width)}
	if c := m.pairs; c.N() > 0 {
		lines = append(lines, clip(fmt.Sprintf("Ptnml [%d, %d, %d, %d, %d]", c[0], c[1], c[2], c[3], c[4]), width))
	}
	return lines
}

// test draws the sequential test: its ratio between the bounds.
func (s *state) test(width int) []string {
	t := s.summary.test
	if t == nil {
		return nil
	}
	low, high := fmt.Sprintf("%.2f ", t.lower), fmt.Sprintf(" %.2f", t.upper)
	room := width - len(low) - len(high)
	return []string{
		s.heading(fmt.Sprintf("SPRT, %s", plural(t.pairs, "pair")), width),
		low + s.scale(t, room) + high,
		clip(fmt.Sprintf("LLR %.2f (%.0f%%) [%g, %g] %s", t.llr, 100*t.progress, t.elo0, t.elo1, t.unit), width),
	}
}

// scale draws the ratio as a point between the bounds.
func (s *state) scale(t *test, width int) string {
	if width < 3 {
		return blank(width)
	}
	at := func(llr float64) int {
		share := (llr - t.lower) / (t.upper - t.lower)
		if math.IsNaN(share) {
			share = 0
		}
		return int(min(max(share, 0), 1)*float64(width-1) + 0.5)
	}
	cells := make([]string, width)
	for i := range cells {
		cells[i] = "─"
	}
	cells[0], cells[at(0)], cells[width-1] = "├", "┼", "┤"
	style := s.theme.good
	if t.llr < 0 {
		style = s.theme.bad
	}
	cells[at(t.llr)] = style.Render("●")
	return strings.Join(cells, "")
}
