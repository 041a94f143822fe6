package analyze

import (
	"fmt"
	"io"
	"strings"

	"kumiko/engine"
	"kumiko/engine/board"
)

// labels name the best moves on a board. X and O are stones.
const labels = "ABCDEFGHIJKLMNPQRSTUVWYZ"

// writeText writes a report for people to read.
func writeText(w io.Writer, r *report) error {
	t := textWriter{report: r}
	if r.record.game {
		t.game()
	} else {
		t.position(r.last())
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// A textWriter collects the lines of a report.
type textWriter struct {
	*report
	strings.Builder
}

func (t *textWriter) printf(format string, args ...any) { fmt.Fprintf(&t.Builder, format, args...) }

// position writes a position with its lines.
func (t *textWriter) position(p *position) {
	b := p.board
	t.printf("%v %dx%d, %s\n", b.Rule(), b.Width(), b.Height(), t.status(p))
	t.picture(p)
	if p.ending != open {
		return
	}
	t.printf("%-3s %-5s %7s %9s  %s\n", "", "move", "score", "win rate", "line")
	for i, l := range p.lines {
		label := ""
		if i < len(labels) {
			label = labels[i : i+1]
		}
		t.printf("%-3s %-5s %7s %9s  %s\n", label, t.record.name(l.moves[0]), scoreText(l.score), percent(l.score.WinRate()), t.record.list(l.moves))
	}
	t.printf("depth %d-%d, %d nodes\n", p.depth, p.selDepth, p.nodes)
	if p.fours != nil {
		t.printf("%v has %s\n", b.Side(), foursText(p.fours, t.record))
	}
}

// status says whose turn it is, or how the game has ended.
func (t *textWriter) status(p *position) string {
	switch p.ending {
	case won:
		return fmt.Sprintf("%v has won with %s", colorAt(p.board, p.five[0]), t.record.list(p.five))
	case full:
		return "a draw: the board is full"
	case stuck:
		return fmt.Sprintf("%v has no legal move", p.board.Side())
	}
	after := ""
	if p.ply > 0 {
		after = " after " + count(p.ply, "move")
	}
	return fmt.Sprintf("%v to move%s", p.board.Side(), after)
}

// picture draws the board, the best moves with their labels.
func (t *textWriter) picture(p *position) {
	b := p.board
	pitch := 2
	if b.Width() > 26 {
		pitch = 3
	}
	label := map[board.Move]byte{}
	for i, l := range p.lines {
		if i < len(labels) {
			label[l.moves[0]] = labels[i]
		}
	}
	t.printf("  ")
	for x := range b.Width() {
		t.printf("%*s", pitch, strings.TrimRight(board.Pt(x, 0).String(), "0123456789"))
	}
	t.printf("\n")
	for y := range b.Height() {
		t.printf("%2s", strings.TrimLeft(t.record.name(board.Pt(0, y)), "a"))
		for x := range b.Width() {
			m := board.Pt(x, y)
			c := ".XO#"[b.At(m)]
			if l, ok := label[m]; ok {
				c = l
			} else if m == b.Last() {
				c |= 0x20
			}
			t.printf("%*c", pitch, c)
		}
		t.printf("\n")
	}
}

// game writes the report of a game.
func (t *textWriter) game() {
	r := t.record
	b := r.start
	t.printf("%v %dx%d, %s: %s – %s", b.Rule(), b.Width(), b.Height(), count(len(r.moves), "move"), r.player(board.Black), r.player(board.White))
	if r.result != "" {
		t.printf(", %s", r.result)
	}
	t.printf("\n")
	last := t.last()
	if last == nil {
		t.printf("interrupted before any move was analysed\n")
		return
	}
	if !t.complete() {
		t.printf("interrupted: only moves %d to %d were analysed\n", t.positions[0].ply+1, last.ply)
	}
	t.picture(last)
	if last.ending != open {
		t.printf("%s\n", t.status(last))
	}
	t.printf("\n%5s %-5s    %7s %9s %9s %9s  %s\n", "", "move", "score", "win rate", "best", "lost", "best line")
	for i := range t.verdicts {
		t.verdict(&t.verdicts[i])
	}
	if last.ending == open {
		l := last.lines[0]
		t.printf("%4d. %-5s    %7s %9s %9s %9s  %s\n", last.ply+1, "", "", "", percent(l.score.WinRate()), "", t.record.list(l.moves))
	}
	t.printf("\n")
	for _, c := range []board.Color{board.Black, board.White} {
		sum := tallyOf(t.verdicts, c)
		t.printf("%s: %s, %s, %s, %d doubtful, %s lost on average", r.player(c), count(sum.moves, "move"), count(sum.marks[blunder], "blunder"),
			count(sum.marks[mistake], "mistake"), sum.marks[doubtful], percent(sum.lost))
		if sum.missed > 0 {
			t.printf(", %s by fours missed", count(sum.missed, "win"))
		}
		if sum.allowed > 0 {
			t.printf(", %s by fours allowed", count(sum.allowed, "win"))
		}
		t.printf("\n")
	}
}

// verdict writes the line of a move, and more of a bad one.
func (t *textWriter) verdict(v *verdict) {
	best := ""
	if v.move != v.best.moves[0] {
		best = t.record.list(v.best.moves)
	}
	lost := ""
	if v.lost >= 0.0005 {
		lost = percent(v.lost)
	}
	t.printf("%s\n", strings.TrimRight(fmt.Sprintf("%4d. %-5s %-2s %7s %9s %9s %9s  %s", v.ply, t.record.name(v.move), v.mark.symbol(), scoreText(v.score), percent(v.rate),
		percent(v.best.score.WinRate()), lost, best), " "))
	for _, remark := range v.remarks(t.record) {
		t.printf("%6s%s\n", "", remark)
	}
}

// remarks says in words what is bad about a move, with the lines that show it.
func (v *verdict) remarks(r *record) (list []string) {
	if v.mark == unmarked && v.allowed == nil {
		return nil
	}
	if n, wins := v.best.score.Mate(); v.missed != nil {
		list = append(list, "misses "+foursText(v.missed, r))
	} else if wins && n > 0 {
		list = append(list, fmt.Sprintf("misses a win in %s: %s", plies(n), r.list(v.best.moves)))
	}
	n, decided := v.reply.score.Mate()
	switch {
	case v.allowed != nil:
		list = append(list, "allows "+foursText(v.allowed, r))
	case decided && n > 0:
		list = append(list, fmt.Sprintf("allows a win in %s: %s", plies(n), r.list(v.reply.moves)))
	case v.reply.moves != nil:
		list = append(list, fmt.Sprintf("answered by %s", r.list(v.reply.moves)))
	}
	return list
}

// foursText describes a victory by fours, which may consist of the five alone.
func foursText(fours []board.Move, r *record) string {
	if len(fours) == 1 {
		return "a five on " + r.name(fours[0])
	}
	return fmt.Sprintf("a win by fours in %s: %s", plies(len(fours)), r.list(fours))
}

// unproven is the score of a win that a search has found but not proven.
const unproven = engine.MateBound - 1

// scoreText returns a score with its sign, or won? or lost? for an unproven win or loss.
func scoreText(s engine.Score) string {
	switch _, decided := s.Mate(); {
	case s == unproven:
		return "won?"
	case s == -unproven:
		return "lost?"
	case decided || s <= 0:
		return s.String()
	}
	return "+" + s.String()
}

// percent formats a share.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// count returns a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// plies returns a number of plies.
func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}
