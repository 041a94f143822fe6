package tournament

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/tournament/play"
	"kumiko/tournament/report"
)

// openingsCommand is the command openings: it reads a book, says what is wrong
// with it, and writes what is right in another format.
func openingsCommand() *cobra.Command {
	var cfg config.Config
	c := &cobra.Command{
		Use:   "openings FILE|--stats FOLDER [flags]",
		Short: "Check and convert a book of openings",
		Long: `Check and convert a book of openings. The openings that can be played are written one a line,
and an error for each of the others.`,
		Args: cobra.MaximumNArgs(1),
	}
	fs := c.Flags()
	fs.StringVar(&cfg.Openings.Type, "type", "", "`format` of the file: offset, pos or psq (default: by its name)")
	to := fs.String("to", "pos", "`format` to write: pos or offset")
	rule := fs.String("rule", "freestyle", "`rule` of the game: "+board.RuleNames)
	size := fs.String("size", "15", "`size` of the board, such as 15 or 20x15")
	fs.IntVar(&cfg.Openings.Plies, "plies", 0, "`stones` to take of each opening; 0 is all")
	dedupe := fs.Bool("dedupe-symmetry", false, "leave out images of earlier openings under the symmetries of the board")
	statistics := fs.String("stats", "", "instead, show how the openings did in the tournament in this `folder`")
	c.RunE = func(c *cobra.Command, files []string) error {
		if *statistics != "" {
			log, err := journal.Read(*statistics)
			if err != nil {
				return err
			}
			return report.WriteOpeningTable(c.OutOrStdout(), report.NewTally(log))
		}
		if len(files) == 0 {
			return fmt.Errorf("missing argument, want %q", c.UseLine())
		}
		if err := errors.Join(cfg.Rule.UnmarshalText([]byte(*rule)), cfg.SetSize(*size)); err != nil {
			return err
		}
		if *to != "pos" && *to != "offset" {
			return fmt.Errorf("unknown format %q, want pos or offset", *to)
		}
		if cfg.Openings.Plies < 0 {
			return fmt.Errorf("plies must be at least 0, got %d", cfg.Openings.Plies)
		}
		cfg.Openings.File = files[0]
		if cfg.Openings.Type == "" {
			cfg.Openings.Type = config.GuessType(files[0])
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			return err
		}
		list, faults, err := play.ReadBook(text, &cfg)
		if err != nil {
			return err
		}
		if *dedupe {
			list, faults = dropImages(list, faults, &cfg)
		}
		for _, o := range list {
			line := notation.FormatPosition(o.Moves, cfg.Height, notation.FromTop)
			if *to == "offset" {
				line = o.Format(opening.Offset, cfg.Width, cfg.Height)
			}
			fmt.Fprintln(c.OutOrStdout(), line)
		}
		if len(faults) > 0 {
			return fmt.Errorf("%d openings are right, %d are not:\n%w", len(list), len(faults), errors.Join(faults...))
		}
		return nil
	}
	return c
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
