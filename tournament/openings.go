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
	list, faults, err := parseOpenings(text, &c)
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

// parseOpenings returns the openings of the book that c names, with this text,
// and what is wrong with other lines of it. That there are neither is an error.
func parseOpenings(text []byte, c *config.Config) (list []opening.Opening, faults []error, err error) {
	format, err := opening.ParseFormat(c.Openings.Type)
	if err != nil {
		return nil, nil, err
	}
	list, err = opening.Read(filepath.Base(c.Openings.File), text, opening.Options{
		Format: format, Width: c.Width, Height: c.Height, Rule: c.Rule.Rule, Plies: c.Openings.Plies,
	})
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		faults = joined.Unwrap()
	} else if err != nil {
		faults = []error{err}
	}
	if len(list)+len(faults) == 0 {
		return nil, nil, fmt.Errorf("%s has no openings", c.Openings.File)
	}
	return list, faults, nil
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
