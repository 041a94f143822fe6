// Package analyze explains positions and games: the best moves with their lines, the
// mistakes of a game, and pictures.
package analyze

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"kumiko/engine"
	"kumiko/engine/proof"
	"kumiko/tournament/outfile"
)

// forms are the formats of a report.
var forms = []struct {
	name  string
	write func(io.Writer, *report) error
	check func(*record) error // whether it can hold a record
}{
	{"text", writeText, nil},
	{"json", writeJSON, nil},
	{"sgf", writeSGF, checkSGF},
}

// What POSITION|FILE may be, for help.
const inputHelp = `The argument is a position, points in a row such as h8i9g7, or a file with one, or - for
standard input. A file holds points, a drawn board as perft reads it, or a game: psq, SGF, sav and
pos of Yixin-Board, or the main line of a library of RenLib.`

// Command returns the command analyze, which searches with an engine with the given
// options.
func Command(options func() engine.Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "analyze POSITION|FILE|- [flags]",
		Short: "Show the best moves of a position, or the mistakes of a game",
		Long: `Show the best moves of a position, with their lines, or the mistakes of a whole game: the moves
after which the win rate is lower than after the best one, by 5 % (?!, doubtful), 10 % (?, mistake)
or 20 % (??, blunder), and the wins by fours that were missed or allowed, with the line that shows it.

` + inputHelp + `
Of a game every position is searched, the last one first; --ply picks one of them.

On a terminal the progress is shown. An interrupt ends the search and shows what is known.`,
		Args: cobra.ExactArgs(1),
	}
	in := addInput(c)
	f := c.Flags()
	wholeGame := f.Bool("game", false, "take points in a row for a game rather than a position")
	lines := f.Int("lines", 0, "`number` of best moves to show (default 3, of a game 1)")
	limit := f.Duration("time", 0, "`time` for each position, such as 500ms (default 5s, of a game 1s)")
	nodes := f.Int64("nodes", 0, "`nodes` to search in each position, instead of --time")
	format := f.String("format", "text", "`format` of the report: text, json (lines of JSON), or sgf (with comments, marks and variations)")
	proofName := f.String("proof", "", "`file` for the proof of the best move, if it wins; verify checks it")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case f.Changed("lines") && (*lines < 1 || *lines > len(labels)):
			return fmt.Errorf("lines must be 1 to %d, got %d", len(labels), *lines)
		case f.Changed("nodes") && *nodes < 1:
			return fmt.Errorf("nodes must be at least 1, got %d", *nodes)
		case f.Changed("time") && *limit < time.Millisecond:
			return fmt.Errorf("time must be at least 1ms, got %v", *limit)
		case f.Changed("time") && f.Changed("nodes"):
			return errors.New("--time and --nodes exclude each other")
		}
		form := -1
		for i := range forms {
			if forms[i].name == *format {
				form = i
			}
		}
		if form < 0 {
			return fmt.Errorf("unknown format %q, want text, json or sgf", *format)
		}
		if err := outfile.CheckLater(*proofName, proofFile); err != nil {
			return fmt.Errorf("--proof: %w", err)
		}
		r, err := in.read(args[0], c.InOrStdin())
		if err != nil {
			return err
		}
		r.game = r.game || *wholeGame && len(r.moves) > 0
		if r.game && *proofName != "" {
			return errors.New("--proof needs a position: choose one of the game with --ply")
		}
		if check := forms[form].check; check != nil {
			if err := check(r); err != nil {
				return err
			}
		}
		s := newSearcher(options(), limitsOf(r, *limit, *nodes), linesOf(r, *lines))
		p := newProgress(c.ErrOrStderr(), r)
		s.progress = p.show
		rep := s.examine(c.Context(), r)
		p.wipe()
		if err := forms[form].write(c.OutOrStdout(), rep); err != nil {
			return err
		}
		return errors.Join(writeProof(c.Context(), rep, *proofName), c.Context().Err())
	}
	return c
}

// limitsOf returns the limits for each position of a record, from flags that are 0 if
// they were not given.
func limitsOf(r *record, limit time.Duration, nodes int64) engine.Limits {
	l := engine.Limits{Turn: limit, Left: engine.NoLimit, Nodes: nodes}
	switch {
	case nodes > 0:
		l.Turn = -1
	case limit > 0:
	case r.game:
		l.Turn = time.Second
	default:
		l.Turn = 5 * time.Second
	}
	return l
}

// linesOf returns the number of lines for each position of a record.
func linesOf(r *record, lines int) int {
	switch {
	case lines > 0:
		return lines
	case r.game:
		return 1
	}
	return 3
}

// proofFile is the kind of file that prove and analyze write.
var proofFile = outfile.Kind{Name: "a proof", Match: proof.IsFile}

// writeProof writes the proof of the best move, if a file for it is named.
func writeProof(ctx context.Context, r *report, name string) error {
	if name == "" || ctx.Err() != nil && r.last().proof == nil {
		return nil
	}
	p := r.last().proof
	if p == nil {
		return fmt.Errorf("no win proven, so %s was not written", name)
	}
	return outfile.Write(name, p.Write)
}

// The kinds of files that draw writes.
var (
	svgFile = outfile.Kind{Name: "a picture in SVG", Match: func(start []byte) bool { return bytes.HasPrefix(start, []byte("<svg ")) }}
	pngFile = outfile.Kind{Name: "a picture in PNG", Match: func(start []byte) bool { return bytes.HasPrefix(start, []byte("\x89PNG")) }}
)
