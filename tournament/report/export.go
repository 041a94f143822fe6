package report

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/tournament/outfile"
	"kumiko/tournament/telemetry"
)

// recordPlies returns the moves of a game with their times to the millisecond;
// opening moves have time 0.
func recordPlies(c *config.Config, e *journal.End) ([]notation.Ply, error) {
	moves, err := notation.ParsePosition(e.Moves, c.Width, c.Height, notation.FromTop)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", e.Number, err)
	}
	list := make([]notation.Ply, len(moves))
	for i, m := range moves {
		list[i].Move = m
		switch k := i - e.Open; {
		case k < 0:
		case k < len(e.Times):
			list[i].Time = e.Times[k].Duration().Round(time.Millisecond)
		default:
			list[i].Time = notation.NoTime
		}
	}
	return list, nil
}

// writePSQ writes a game in Piskvork's format. Black is named first. Piskvork's
// codes give the ending: 0 regular, 15 on time, -2 another failure.
func writePSQ(w io.Writer, c *config.Config, e *journal.End) error {
	list, err := recordPlies(c, e)
	if err != nil {
		return err
	}
	code := 0
	switch {
	case isTimeLoss(e.Reason):
		code = 15
	case e.Reason.Failed():
		code = -2
	}
	g := notation.NewPSQ(c.Width, c.Height, list, c.Engines[e.Black].Name, c.Engines[e.White].Name, code)
	text, err := notation.AppendPSQ(nil, g)
	if err != nil {
		return fmt.Errorf("game %d: %w", e.Number, err)
	}
	_, err = w.Write(text)
	return err
}

// ExportPSQ writes each finished game into its own file, 000017.psq for the
// seventeenth. It makes the folder if necessary.
func ExportPSQ(dir string, log *journal.Log) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := func(e *journal.End) string { return filepath.Join(dir, fmt.Sprintf("%06d.psq", e.Number)) }
	for e := range games(log) {
		if err := outfile.Check(name(e), PSQFile); err != nil {
			return err
		}
	}
	for e := range games(log) {
		if err := outfile.Write(name(e), func(w io.Writer) error { return writePSQ(w, &log.Config, e) }); err != nil {
			return err
		}
	}
	return nil
}

// WriteSGF writes the finished games, one game tree after another. The
// properties are c-gomoku-cli's, except that GC says how the game ended, and
// the comment of a move adds depth and score to the time.
func WriteSGF(w io.Writer, log *journal.Log) error {
	out := bufio.NewWriter(w)
	c := &log.Config
	results := map[journal.Result]string{journal.BlackWins: "B+1", journal.WhiteWins: "W+1", journal.Draw: "0"}
	var text []byte
	for e := range games(log) {
		list, err := recordPlies(c, e)
		if err != nil {
			return err
		}
		for i := range list {
			if k := i - e.Open; k >= 0 && list[i].Time >= 0 {
				list[i].Note = note(infoAt(e, k))
			}
		}
		black, white := c.Engines[e.Black].Name, c.Engines[e.White].Name
		g := notation.NewSGF(c.Width, c.Height, list, e.Open, black, white, results[e.Result], c.Rule.Code(), e.At.UTC())
		for _, p := range [][2]string{{"GN", strconv.Itoa(e.Number)}, {"EV", black + " x " + white}, {"RO", roundOf(e)}, {"GC", e.Text}} {
			g.Info = append(g.Info, notation.Property{Name: p[0], Values: []string{p[1]}})
		}
		if text, err = notation.AppendSGF(text[:0], g, notation.FromTop); err != nil {
			return fmt.Errorf("game %d: %w", e.Number, err)
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
	return out.Flush()
}

// infoAt returns what was said about a move, counted from the opening, or nil.
func infoAt(e *journal.End, k int) *telemetry.Info {
	if k >= len(e.Info) {
		return nil
	}
	return e.Info[k]
}

// note returns the depth and score in words, as far as known.
func note(i *telemetry.Info) string {
	var words []string
	if i != nil && i.Depth > 0 {
		words = append(words, fmt.Sprintf("depth %d", i.Depth))
	}
	if i != nil && i.Score != "" {
		words = append(words, "score "+i.Score)
	}
	return strings.Join(words, ", ")
}

// roundOf returns the round and leg of a game, from 1.
func roundOf(e *journal.End) string { return fmt.Sprintf("%d.%d", e.Round+1, e.Leg+1) }

// WritePGN writes the finished games as c-gomoku-cli does, for rating programs
// such as Ordo and BayesElo: tags without moves, which such programs would take
// for chess moves. Colors are the real ones, so Black moves first, and the
// result is White's. Unlike c-gomoku-cli it adds the moves, with the opening,
// as a comment.
func WritePGN(w io.Writer, log *journal.Log) error {
	out := bufio.NewWriter(w)
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	results := map[journal.Result]string{journal.BlackWins: "0-1", journal.WhiteWins: "1-0", journal.Draw: "1/2-1/2"}
	for e := range games(log) {
		for _, tag := range [][2]string{
			{"Event", strconv.Itoa(e.Number)}, {"Date", e.At.UTC().Format("2006.01.02 15:04:05")}, {"Round", roundOf(e)},
			{"Black", log.Config.Engines[e.Black].Name}, {"White", log.Config.Engines[e.White].Name}, {"Result", results[e.Result]},
			{"Termination", e.Text}, {"PlyCount", strconv.Itoa(plies(e) - e.Open)},
		} {
			fmt.Fprintf(out, "[%s \"%s\"]\n", tag[0], quote.Replace(telemetry.Printable(tag[1])))
		}
		if _, err := fmt.Fprintf(out, "\n%s%s\n\n", moveComment(e.Moves), results[e.Result]); err != nil {
			return err
		}
	}
	return out.Flush()
}

// moveComment formats moves as a PGN comment in lines of 20 moves, or returns
// "" if there are none.
func moveComment(moves string) string {
	if moves == "" {
		return ""
	}
	var b strings.Builder
	for i := 0; moves != ""; i++ {
		var move string
		move, moves = cutMove(moves)
		switch {
		case i == 0:
			b.WriteString("{")
		case i%20 == 0:
			b.WriteString("\n")
		default:
			b.WriteString(" ")
		}
		b.WriteString(move)
	}
	b.WriteString("}\n")
	return b.String()
}

// WriteOpenings writes the openings of the finished games, each once and as in
// the book, in Gomocup's format: a line has the columns and rows of its stones,
// relative to the middle point.
func WriteOpenings(w io.Writer, log *journal.Log) error {
	out := bufio.NewWriter(w)
	c := &log.Config
	seen := make(map[string]bool)
	for e := range games(log) {
		list := bookMoves(c, e)
		o := opening.Opening{Moves: list}
		if text := o.Format(opening.Offset, c.Width, c.Height); text != "" && !seen[text] {
			seen[text] = true
			if _, err := out.WriteString(text + "\n"); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
