package tournament

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/tournament/record"
	"kumiko/tournament/report"
)

// openingsCommand is the command openings: it reads a book, says what is wrong
// with it, and writes what is right in a form that is wanted.
func openingsCommand(ctx context.Context, args []string, stdout io.Writer) error {
	var c config.Config
	fs := newFlags("openings", "FILE [flags]\nWrites the openings that can be played, one a line, and an error for each of the others.")
	form := fs.String("type", "", "`form` of the file: offset, pos or psq (default: by its name)")
	to := fs.String("to", "pos", "`form` to write: pos or offset")
	rule := fs.String("rule", "freestyle", "`name` of the rule")
	size := fs.String("size", "15", "`size` of the board, such as 15 or 20x15")
	plies := fs.Int("plies", 0, "stones to take of each opening; 0 is all")
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
	if *plies < 0 {
		return fmt.Errorf("--plies %d is negative", *plies)
	}
	if *form == "" {
		*form = config.GuessType(files[0])
	}
	list, faults, err := readOpenings(files[0], *form, &c, *plies)
	if err != nil {
		return err
	}
	if len(list) == 0 && len(faults) == 0 {
		return fmt.Errorf("%s has no openings", files[0])
	}
	if *dedupe {
		list, faults = dropImages(list, faults, &c, filepath.Base(files[0]))
	}
	for _, o := range list {
		line := record.FormatPosition(o.Moves, c.Height, record.FromTop)
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

// readOpenings reads a book; faults are what is wrong with single lines.
func readOpenings(file, form string, c *config.Config, plies int) (list []opening.Opening, faults []error, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	format, err := opening.ParseFormat(form)
	if err != nil {
		return nil, nil, err
	}
	list, err = opening.Read(filepath.Base(file), text, opening.Options{
		Format: format, Width: c.Width, Height: c.Height, Rule: c.Rule.Rule, Plies: plies,
	})
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return list, joined.Unwrap(), nil
	} else if err != nil {
		return list, []error{err}, nil
	}
	return list, nil, nil
}

// dropImages leaves out openings that are images of others above.
func dropImages(list []opening.Opening, faults []error, c *config.Config, file string) ([]opening.Opening, []error) {
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
