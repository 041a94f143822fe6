package tournament

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/tournament/report"
)

// openingsCommand is the command openings, which reads a book, reports its
// faults and writes the valid openings in another format.
func openingsCommand(options func() engine.Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "openings FILE|--stats FOLDER [flags]",
		Short: "Check, convert and make books of openings",
		Long: `Check and convert a book of openings. Playable openings are written one per line; each of the others gets
an error. The file builtin is the built-in book for the rule and the size.`,
		Args: cobra.MaximumNArgs(1),
	}
	c.AddCommand(generateCommand(options))
	fs := c.Flags()
	var kind string
	var plies int
	fs.StringVar(&kind, "type", "", "`format` of the file: "+strings.Join(opening.FormatNames, ", ")+" (default by its name)")
	fs.IntVar(&plies, "plies", 0, "`stones` to take from each opening; 0 for all")
	to := fs.String("to", opening.Pos.String(), "`format` to write: pos or offset")
	rule := fs.String("rule", "freestyle", "`rule` of the game: "+board.RuleNames)
	size := fs.String("size", "15", "`size` of the board, such as 15 or 20x15")
	dedupe := fs.Bool("dedupe-symmetry", false, "drop images of earlier openings under the symmetries of the board")
	statistics := fs.String("stats", "", "instead, show the results of the openings in the tournament in this `folder`")
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
		var cfg config.Config
		if err := errors.Join(cfg.Rule.UnmarshalText([]byte(*rule)), cfg.SetSize(*size)); err != nil {
			return err
		}
		if plies < 0 {
			return fmt.Errorf("plies must be at least 0, got %d", plies)
		}
		format, err := lineFormat(*to)
		if err != nil {
			return err
		}
		cfg.Openings = config.Openings{File: files[0], Type: cmp.Or(kind, opening.GuessFormat(files[0]).String()), Plies: plies}
		o, err := cfg.Book()
		if err != nil {
			return err
		}
		text, err := opening.ReadFile(files[0], o)
		if err != nil {
			return err
		}
		name := filepath.Base(files[0])
		list, faults, err := opening.Read(name, text, o)
		if err != nil {
			return err
		}
		if *dedupe {
			var images []error
			list, images = dropImages(name, list, &cfg)
			faults = append(faults, images...)
		}
		for _, o := range list {
			if _, err := fmt.Fprintln(c.OutOrStdout(), o.Format(format, cfg.Width, cfg.Height)); err != nil {
				return err
			}
		}
		if len(faults) > 0 {
			return fmt.Errorf("%d openings are right, %d are not:\n%w", len(list), len(faults), errors.Join(faults...))
		}
		return nil
	}
	return c
}

// lineFormat parses the name of a format with one opening per line.
func lineFormat(name string) (opening.Format, error) {
	f, err := opening.ParseFormat(name)
	if err != nil || f != opening.Pos && f != opening.Offset {
		return 0, fmt.Errorf("unknown format %q to write, want pos or offset", name)
	}
	return f, nil
}

// dropImages drops openings that are images of earlier ones.
func dropImages(file string, list []opening.Opening, c *config.Config) (kept []opening.Opening, faults []error) {
	seen := make(map[string]int)
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
