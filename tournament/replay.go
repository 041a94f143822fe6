package tournament

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/telemetry"
)

// replayCommand is the command replay, which shows a game board by board.
func replayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "replay FOLDER GAME [flags]",
		Short: "Show a game, or its dialogue",
		Args:  cobra.ExactArgs(2),
	}
	transcript := c.Flags().Bool("transcript", false, "show what was said to the engines and by them, if it was kept")
	last := c.Flags().Bool("last", false, "show only the last board")
	c.RunE = func(c *cobra.Command, args []string) error {
		log, err := journal.Read(args[0])
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(args[1])
		if err != nil || n < 1 || n > len(log.Games) || log.Games[n-1] == nil {
			return fmt.Errorf("no finished game %q", args[1])
		}
		e := log.Games[n-1]
		if *transcript {
			return writeTranscript(c.OutOrStdout(), args[0], e)
		}
		return replay(c.OutOrStdout(), &log.Config, e, *last)
	}
	return c
}

// writeTranscript writes the dialogue of a game.
func writeTranscript(w io.Writer, dir string, e *journal.End) error {
	text, err := readTranscript(dir, e)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, telemetry.PrintableLines(string(text)))
	return err
}

// readTranscript returns the dialogue of a game.
func readTranscript(dir string, e *journal.End) ([]byte, error) {
	if e.Transcript == "" {
		return nil, fmt.Errorf("the dialogue of game %d was not kept (--transcripts all keeps that of all games)", e.Number)
	}
	if !filepath.IsLocal(e.Transcript) {
		return nil, fmt.Errorf("game %d: transcript %q is outside the tournament's folder", e.Number, e.Transcript)
	}
	return os.ReadFile(filepath.Join(dir, e.Transcript))
}

// replay writes the boards of a game, with clocks and the engines' remarks.
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
		text := fmt.Sprintf("move %d: %v %v", i+1, side, m)
		if k := i - e.Open; k < len(e.Times) {
			used[side] += e.Times[k]
			text += fmt.Sprintf(" in %.3f s, %.3f s so far", e.Times[k].Duration().Seconds(), used[side].Duration().Seconds())
			if k < len(e.Info) && e.Info[k] != nil {
				text += fmt.Sprintf("; depth %d, score %s, nodes %d, pv %s", e.Info[k].Depth, e.Info[k].Score, e.Info[k].Nodes, e.Info[k].PV)
			}
		}
		if !last || i == len(moves)-1 {
			fmt.Fprintf(&out, "\n%s\n%v", telemetry.Printable(text), b)
		}
	}
	text := e.Text
	if e.Detail != "" {
		text += fmt.Sprintf(" (%s: %s)", e.Reason, e.Detail)
	}
	fmt.Fprintf(&out, "\n%s\n", telemetry.Printable(text))
	_, err = out.WriteTo(w)
	return err
}
