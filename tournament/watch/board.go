package watch

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"kumiko/engine/board"
)

// panel draws a game: the board with its last move in brackets, and what is
// known about the players. It has l.panel columns and l.height rows.
func (g *game) panel(l layout, size [2]int, t *theme, now time.Time) []string {
	var lines []string
	if l.form != tiny {
		lines = append(lines, g.title(l.panel, t, now))
	}
	for c := range g.players {
		lines = append(lines, g.player(board.Color(c), l, t, now)...)
	}
	lines = append(lines, g.grid(l, size, t)...)
	return fitAll(lines, l.panel, l.height)
}

// title draws the number and state of the game.
func (g *game) title(width int, t *theme, now time.Time) string {
	name := fmt.Sprintf("#%d ", g.number)
	state := g.result
	switch {
	case state != "":
	case g.lost:
		state = fmt.Sprintf("round %d  to be played again", g.round)
	case g.since.IsZero():
		state = fmt.Sprintf("round %d  starting", g.round)
	default:
		state = fmt.Sprintf("round %d  move %d  %s", g.round, len(g.moves)+1, clock(g.spent(now)))
	}
	return " " + t.head.Render(name) + clip(state, width-1-len(name))
}

// player draws a player in one row, or in two if there is room.
func (g *game) player(c board.Color, l layout, t *theme, now time.Time) []string {
	p := &g.players[c]
	toMove := g.result == "" && g.side == c
	used, rest := p.used, p.left
	if toMove {
		used += g.spent(now)
		rest -= g.spent(now)
	}
	times := clock(used)
	if p.limited {
		times += "/" + clock(rest)
	}
	mark, name := " ", t.dim
	if toMove {
		mark, name = "›", t.title
	}
	if l.form == full {
		return []string{
			mark + t.stones[c] + " " + name.Render(left(p.name, l.panel-4-lipgloss.Width(times))) + " " + times,
			"   " + t.dim.Render(clip(strings.Join(p.said(), " "), l.panel-3)),
		}
	}
	const least = 6 // columns of the name
	for _, word := range p.said() {
		if longer := times + " " + word; lipgloss.Width(longer) <= l.panel-4-least {
			times = longer
		}
	}
	return []string{mark + t.stones[c] + " " + name.Render(left(p.name, l.panel-4-lipgloss.Width(times))) + " " + times}
}

// said returns what the engine said about its last move: depth, score, nodes
// and speed, as far as known.
func (p *player) said() []string {
	if p.info == nil {
		return nil
	}
	var words []string
	if d := p.info.Depth; d > 0 {
		depth := fmt.Sprintf("d%d", d)
		if p.info.SelDepth > d {
			depth += fmt.Sprintf("-%d", p.info.SelDepth)
		}
		words = append(words, depth)
	}
	if p.info.Score != "" {
		words = append(words, clip(plain(p.info.Score), 8))
	}
	if p.info.Nodes > 0 {
		words = append(words, count(p.info.Nodes))
	}
	if p.info.Speed > 0 {
		words = append(words, count(p.info.Speed)+"/s")
	}
	return words
}

// grid draws as much of the board as fits, around the last move.
func (g *game) grid(l layout, size [2]int, t *theme) []string {
	cells := make(map[board.Move]board.Color, len(g.moves))
	last := board.NoMove
	x, y := size[0]/2, size[1]/2
	for ply, m := range g.moves {
		if m.X() < size[0] && m.Y() < size[1] {
			cells[m], last = colorAt(ply), m
			x, y = m.X(), m.Y()
		}
	}
	left, top := window(x, l.boardCols, size[0]), window(y, l.boardRows, size[1])
	lines := make([]string, l.boardRows)
	for row := range lines {
		lines[row] = g.row(top+row, left, l, t, cells, last)
	}
	return lines
}

// row draws a row of the board. Between points, and at both ends, is a column
// for the brackets around the last stone, unless the board is too wide.
func (g *game) row(y, left int, l layout, t *theme, cells map[board.Move]board.Color, last board.Move) string {
	var b strings.Builder
	for x := left; ; x++ {
		if l.pitch > 1 || x == left {
			b.WriteString(bracket(x, y, l, t, last))
		}
		if x == left+l.boardCols {
			return b.String()
		}
		m := board.Pt(x, y)
		c, stone := cells[m]
		switch {
		case !stone:
			b.WriteString(t.empty)
		case m == last:
			b.WriteString(t.last[c])
		default:
			b.WriteString(t.stones[c])
		}
	}
}

// bracket returns the character before a point.
func bracket(x, y int, l layout, t *theme, last board.Move) string {
	if last != board.NoMove && last.Y() == y && l.pitch > 1 {
		switch x {
		case last.X():
			return t.open
		case last.X() + 1:
			return t.close
		}
	}
	return " "
}
