package watch

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
)

// A state is everything that determines the screen except its size.
type state struct {
	*snapshot
	theme  *theme
	first  int // first board shown
	scroll int // standings rows scrolled off the top
	help   bool
}

// view draws the screen: exactly height rows of width columns.
func view(s state, width, height int) string {
	width, height = max(width, 0), max(height, 0)
	var lines []string
	switch {
	case width < minWidth || height < minHeight:
		lines = []string{fmt.Sprintf("%dx%d is too small:", width, height),
			fmt.Sprintf("%dx%d are needed", minWidth, minHeight)}
	case s.snapshot == nil:
		lines = []string{"reading the log"}
	case s.summary == nil:
		lines = append(fitAll([]string{"the log is empty so far"}, width, height-1), s.keys(width))
	default:
		lines = s.screen(width, height)
	}
	return strings.Join(fitAll(lines, width, height), "\n")
}

// screen draws a tournament.
func (s *state) screen(width, height int) []string {
	l := s.layout(width, height)
	lines := []string{s.title(width), s.progress(width)}
	if s.help {
		lines = append(lines, fitAll(helpText(s.theme), width, l.body)...)
		return append(lines, s.keys(width))
	}
	side := fitAll(s.side(l), l.side, l.body)
	boards := s.boards(l)
	for i := range l.body {
		lines = append(lines, boards[i]+side[i])
	}
	return append(lines, s.keys(width))
}

// layout computes the layout of the state.
func (s *state) layout(width, height int) layout {
	return arrange(width, height, s.size, len(s.games))
}

// boards draws the games that fit, each followed by a blank column.
func (s *state) boards(l layout) []string {
	lines := make([]string, l.body)
	first := s.firstBoard(l)
	for row := range l.rows {
		for col := range l.cols {
			panel := fitAll(nil, l.panel, l.height)
			if i := first + row*l.cols + col; i < len(s.games) {
				panel = s.games[i].panel(l, s.size, s.theme, s.clock())
			}
			for i, line := range panel {
				lines[row*l.height+i] += line + " "
			}
		}
	}
	return fitAll(lines, l.cols*(l.panel+1), l.body)
}

// firstBoard returns the first board to show: fewer games than before may need
// less room.
func (s *state) firstBoard(l layout) int {
	return max(min(s.first, len(s.games)-l.boards()), 0)
}

// title draws the names of the engines and the state of the tournament.
func (s *state) title(width int) string {
	status, style := s.status()
	status = clip(status, width/2)
	name := clip(s.summary.title, width-lipgloss.Width(status)-3)
	room := width - lipgloss.Width(name) - lipgloss.Width(status) - 6
	return " " + s.theme.title.Render(name) + "  " + s.theme.dim.Render(left(s.summary.details, room)) + "  " +
		style.Render(status)
}

// status returns the state of the tournament in few words.
func (s *state) status() (string, lipgloss.Style) {
	switch {
	case s.summary.verdict != "":
		return s.summary.verdict, s.theme.good
	case s.finished:
		return "finished", s.theme.good
	case s.dead:
		return "interrupted", s.theme.bad
	case s.silent() > s.summary.patience:
		return "nothing new for " + span(s.silent()), s.theme.bad
	case s.going == 0:
		return "no game is running", s.theme.dim
	}
	return fmt.Sprintf("%d running", s.going), s.theme.good
}

// until returns when the tournament was last seen alive.
func (s *state) until() time.Time {
	switch {
	case s.finished:
		return s.summary.last
	case s.going == 0 || s.dead || s.silent() > s.summary.patience:
		return s.written
	}
	return s.at
}

// clock returns the time that games show: it stands still if no process plays
// them.
func (s *state) clock() time.Time {
	if s.dead {
		return s.written
	}
	return s.at
}

// silent returns how long nothing has been written.
func (s *state) silent() time.Duration { return s.at.Sub(s.written) }

// progress draws the number of games played and the time taken.
func (s *state) progress(width int) string {
	sum := s.summary
	words := []string{fmt.Sprintf("%d of %d games", sum.played, sum.total)}
	now := s.until()
	if rest, ok := sum.rest(now); ok && !s.finished {
		to := span(rest) + " to go"
		if sum.test != nil {
			to = "at most " + to
		}
		words = append(words, to)
	}
	words = append(words, span(sum.elapsed(now))+" played")
	const least = 8 // columns of the bar
	text := ""
	for _, w := range words {
		if longer := text + "  " + w; lipgloss.Width(longer) <= width-least {
			text = longer
		}
	}
	return " " + s.bar(width-lipgloss.Width(text)-2, float64(sum.played)/float64(max(sum.total, 1))) + text
}

// bar draws a progress bar.
func (s *state) bar(width int, share float64) string {
	done := min(max(int(share*float64(width)), 0), max(width, 0))
	return s.theme.good.Render(strings.Repeat("━", done)) +
		s.theme.dim.Render(strings.Repeat("─", max(width-done, 0)))
}

// keys draws the last row: an error or the key bindings.
func (s *state) keys(width int) string {
	if s.snapshot != nil && s.problem != "" {
		return " " + s.theme.bad.Render(clip(s.problem, width-2))
	}
	return " " + s.theme.dim.Render(clip("q quit  ? help  tab ← → boards  n p pages  ↑ ↓ standings", width-2))
}

// helpText explains the keys.
func helpText(t *theme) []string {
	lines := []string{" " + t.head.Render("Keys"), ""}
	for _, k := range [][2]string{
		{"q, ctrl+c", "quit"},
		{"tab, → and ←", "next and previous board"},
		{"n and p", "next and previous page of boards"},
		{"↓ and ↑", "scroll the standings"},
		{"page up, down", "scroll them by pages"},
		{"home", "to the first board and engine"},
		{"?", "this help; any key leaves it"},
	} {
		lines = append(lines, "  "+t.title.Render(left(k[0], 16))+k[1])
	}
	return append(lines, "", " "+t.head.Render("Boards"), "",
		"  "+t.stones[0]+" has black and moved first; "+t.open+t.last[0]+t.close+" was played last.",
		"  Clocks: used, and what is left of the match time.",
		"  After them: depth, score and nodes of the last move.", "",
		" "+t.head.Render("Standings"), "",
		"  Elo, its 95 % error, points of games, won-drawn-lost.")
}
