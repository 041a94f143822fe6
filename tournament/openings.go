package tournament

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/tournament/play"
	"kumiko/tournament/report"
)

// openingsCommand is the command openings: it reads a book, says what is wrong
// with it, and writes what is right in a form that is wanted.
func openingsCommand(ctx context.Context, args []string, stdout io.Writer) error {
	var c config.Config
	fs := newFlags("openings", "FILE [flags]\nWrites the openings that can be played, one a line, and an error for each of the others.")
	fs.StringVar(&c.Openings.Type, "type", "", "`form` of the file: offset, pos or psq (default: by its name)")
	to := fs.String("to", "pos", "`form` to write: pos or offset")
	rule := fs.String("rule", "freestyle", "`name` of the rule")
	size := fs.String("size", "15", "`size` of the board, such as 15 or 20x15")
	fs.IntVar(&c.Openings.Plies, "plies", 0, "stones to take of each opening; 0 is all")
	dedupe := fs.Bool("dedupe-symmetry", false, "leave out images of openings above under the symmetries of the board")
	statistics := fs.String("stats", "", "instead, tell how the openings did in the tournament in this `folder`")
	files, err := parse(fs, args, stdout, 0, 1)
	if err != nil {
		return err
	}
	if *statistics != "" {
		log, err := journal.Read(*statistics)
		if err != nil {
			return err
		}
		return report.WriteOpeningTable(stdout, report.NewTally(log))
	}
	if len(files) == 0 {
		return errors.New("openings: a file is missing (-h explains)")
	}
	if err := errors.Join(c.Rule.UnmarshalText([]byte(*rule)), c.SetSize(*size)); err != nil {
		return err
	}
	if *to != "pos" && *to != "offset" {
		return fmt.Errorf("--to %q is neither pos nor offset", *to)
	}
	if c.Openings.Plies < 0 {
		return fmt.Errorf("--plies %d is negative", c.Openings.Plies)
	}
	c.Openings.File = files[0]
	if c.Openings.Type == "" {
		c.Openings.Type = config.GuessType(files[0])
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	list, faults, err := play.ReadBook(text, &c)
	if err != nil {
		return err
	}
	if *dedupe {
		list, faults = dropImages(list, faults, &c)
	}
	for _, o := range list {
		line := notation.FormatPosition(o.Moves, c.Height, notation.FromTop)
		if *to == "offset" {
			line = opening.FormatOffset(o.Moves, c.Width, c.Height)
		}
		fmt.Fprintln(stdout, line)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d openings are right, %d are not:\n%w", len(list), len(faults), errors.Join(faults...))
	}
	return nil
}

// dropImages leaves out openings that are images of others above.
func dropImages(list []opening.Opening, faults []error, c *config.Config) ([]opening.Opening, []error) {
	file := filepath.Base(c.Openings.File)
	seen := make(map[string]int)
	var kept []opening.Opening
	for _, o := range list {
		key := o.Canonical(c.Width, c.Height)
		if line, ok := seen[key]; ok {
			faults = append(faults, &opening.Error{File: file, Line: o.Line, Err: fmt.Errorf("an image of line %d", line)})
			continue
		}
		seen[key] = o.Line
		kept = append(kept, o)
	}
	return kept, faults
}
