package tournament

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/report"
)

// parseLog reads flags, and the tournament that the only other argument names.
func parseLog(fs *pflag.FlagSet, args []string, stdout io.Writer, read func(path string) (*journal.Log, error)) (*journal.Log, error) {
	dirs, err := parse(fs, args, stdout, 1, 1)
	if err != nil {
		return nil, err
	}
	return read(dirs[0])
}

// statusCommand is the command status: how a tournament stands, in short.
func statusCommand(ctx context.Context, args []string, stdout io.Writer) error {
	fs := newFlags("status", "FOLDER")
	log, err := parseLog(fs, args, stdout, journal.ReadAll)
	if err != nil {
		return err
	}
	t := report.NewTally(log)
	s, err := report.StandingsOf(t, report.Options{})
	if err != nil {
		return err
	}
	state := "interrupted, or running"
	switch {
	case log.Verdict != nil:
		state = log.Verdict.Why
	case t.Games == t.Total:
		state = "finished"
	}
	fmt.Fprintf(stdout, "%d of %d games: %s\n", t.Games, t.Total, state)
	for _, n := range slices.Sorted(maps.Keys(log.Running)) {
		g := log.Running[n]
		fmt.Fprintf(stdout, "begun and not ended: game %d, %s vs %s, %d moves\n", n,
			log.Config.Engines[g.Black].Name, log.Config.Engines[g.White].Name, len(g.Moves.Times))
	}
	return report.WriteSummary(stdout, log, t, s)
}

// reportFlags are those of the command report.
type reportFlags struct {
	html, json, csv, model string
	anchors                []string
	games                  int
}

// reportCommand is the command report: all about a tournament, as text or in
// other forms.
func reportCommand(ctx context.Context, args []string, stdout io.Writer) error {
	var f reportFlags
	fs := newFlags("report", "FOLDER [flags]\nWithout a file named by the flags the report is text on standard output.")
	fs.StringVar(&f.html, "html", "", "write one page of HTML to this `file`, with all games to replay")
	fs.StringVar(&f.json, "json", "", "write the numbers as JSON to this `file`; - is standard output")
	fs.StringVar(&f.csv, "csv", "", "write a line for each game to this `file`; - is standard output")
	fs.StringVar(&f.model, "model", "logistic", "`model` of ratings: logistic, or bayeselo as Gomocup uses it")
	fs.StringArrayVar(&f.anchors, "anchor", nil, "a rating that is fixed, `NAME=ELO` (repeat); otherwise their mean is 0")
	fs.IntVar(&f.games, "games", 2000, "games in the page of HTML that can be replayed")
	log, err := parseLog(fs, args, stdout, journal.Read)
	if err != nil {
		return err
	}
	if f.games < 0 {
		return fmt.Errorf("--games %d is negative", f.games)
	}
	o, err := f.options(log)
	if err != nil {
		return err
	}
	if f.html == "" && f.json == "" && f.csv == "" {
		return report.WriteText(stdout, log, o)
	}
	for _, x := range []struct {
		file  string
		write func(io.Writer) error
	}{
		{f.html, func(w io.Writer) error {
			return report.WriteHTML(w, log, report.HTMLOptions{Options: o, Games: f.games})
		}},
		{f.json, func(w io.Writer) error { return report.WriteJSON(w, log, o) }},
		{f.csv, func(w io.Writer) error { return report.WriteCSV(w, log) }},
	} {
		switch x.file {
		case "":
		case "-":
			err = errors.Join(err, x.write(stdout))
		default:
			err = errors.Join(err, writeFile(x.file, x.write))
		}
	}
	return err
}

// options returns how engines are to be rated.
func (f *reportFlags) options(log *journal.Log) (report.Options, error) {
	anchors, err := parseAnchors(f.anchors, log.Config.Names())
	if err != nil {
		return report.Options{}, err
	}
	model, err := parseModel(f.model)
	return report.Options{Model: model, Anchors: anchors}, err
}

// replayCommand is the command replay: a game, board by board.
func replayCommand(ctx context.Context, args []string, stdout io.Writer) error {
	fs := newFlags("replay", "FOLDER GAME [flags]")
	transcript := fs.Bool("transcript", false, "what was said to the engines and by them, if it was kept")
	last := fs.Bool("last", false, "only the last board")
	rest, err := parse(fs, args, stdout, 2, 2)
	if err != nil {
		return err
	}
	log, err := journal.Read(rest[0])
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(rest[1])
	if err != nil || n < 1 || n > len(log.Games) || log.Games[n-1] == nil {
		return fmt.Errorf("there is no game %q that ended", rest[1])
	}
	e := log.Games[n-1]
	if *transcript {
		return writeTranscript(stdout, rest[0], e)
	}
	return replay(stdout, &log.Config, e, *last)
}

// writeTranscript writes the dialogue of a game.
func writeTranscript(w io.Writer, dir string, e *journal.End) error {
	if e.Transcript == "" {
		return fmt.Errorf("the dialogue of game %d was not kept (--transcripts all keeps that of all games)", e.Number)
	}
	if !filepath.IsLocal(e.Transcript) {
		return fmt.Errorf("game %d: %q is not in the tournament's folder", e.Number, e.Transcript)
	}
	text, err := os.ReadFile(filepath.Join(dir, e.Transcript))
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// replay writes the boards of a game, with clocks and what engines said.
func replay(w io.Writer, c *config.Config, e *journal.End, last bool) error {
	moves, err := notation.ParsePosition(e.Moves, c.Width, c.Height, notation.FromTop)
	if err != nil {
		return fmt.Errorf("game %d: %w", e.Number, err)
	}
	b, err := board.New(c.Width, c.Height, c.Rule.Rule)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	fmt.Fprintln(&out, report.FinishedLine(c, e))
	var used [2]journal.Micros
	for i, m := range moves {
		side := b.Side()
		if !b.On(m) || !b.Empty(m) {
			return fmt.Errorf("game %d: move %d, %v, cannot be played", e.Number, i+1, m)
		}
		b.Place(m)
		if i < e.Open {
			if i == e.Open-1 && !last {
				fmt.Fprintf(&out, "\nopening, line %d of the book\n%v", e.Opening, b)
			}
			continue
		}
		text := fmt.Sprintf("\nmove %d: %v %v", i+1, side, m)
		if k := i - e.Open; k < len(e.Times) {
			used[side] += e.Times[k]
			text += fmt.Sprintf(" in %.3f s, %.3f s so far", e.Times[k].Duration().Seconds(), used[side].Duration().Seconds())
			if k < len(e.Info) && e.Info[k] != nil {
				text += fmt.Sprintf("; depth %d, score %s, nodes %d, pv %s", e.Info[k].Depth, e.Info[k].Score, e.Info[k].Nodes, e.Info[k].PV)
			}
		}
		if !last || i == len(moves)-1 {
			fmt.Fprintf(&out, "%s\n%v", text, b)
		}
	}
	fmt.Fprintf(&out, "\n%s", e.Text)
	if e.Detail != "" {
		fmt.Fprintf(&out, " (%s: %s)", e.Reason, e.Detail)
	}
	fmt.Fprintln(&out)
	_, err = out.WriteTo(w)
	return err
}

// exportCommand is the command export: the games in other forms.
func exportCommand(ctx context.Context, args []string, stdout io.Writer) error {
	fs := newFlags("export", "FOLDER --format FORM [flags]")
	format := fs.String("format", "", "`form`: psq, sgf, pgn (of results, for Ordo and BayesElo), csv, or offset (the openings)")
	out := fs.String("out", "", "`file` to write; for psq a folder, with a file for each game (default: standard output)")
	log, err := parseLog(fs, args, stdout, journal.Read)
	if err != nil {
		return err
	}
	if *format == "psq" {
		if *out == "" {
			return errors.New("export: --out is missing: the folder for the games")
		}
		return report.ExportPSQ(*out, log)
	}
	write, ok := map[string]func(io.Writer, *journal.Log) error{
		"sgf": report.WriteSGF, "pgn": report.WritePGN, "csv": report.WriteCSV, "offset": report.WriteOpenings,
	}[*format]
	if !ok {
		return fmt.Errorf("export: --format %q is none of psq, sgf, pgn, csv, offset", *format)
	}
	if *out == "" {
		return write(stdout, log)
	}
	return writeFile(*out, func(w io.Writer) error { return write(w, log) })
}
