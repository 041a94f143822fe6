package tournament

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kumiko/tournament/journal"
	"kumiko/tournament/outfile"
	"kumiko/tournament/report"
)

// reportFlags are the flags of the command report.
type reportFlags struct {
	html, json, csv, model string
	anchors                []string
	games                  int
}

// reportCommand is the command report: everything about a tournament, as text
// or in other formats.
func reportCommand() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report FOLDER [flags]",
		Short: "Report on a tournament, as text, HTML, JSON or CSV",
		Long:  "Report on a tournament. Without a file in the flags, the report is written as text to standard output.",
		Args:  cobra.ExactArgs(1),
	}
	fs := c.Flags()
	fs.StringVar(&f.html, "html", "", "write a self-contained HTML page with replayable games to this `file`")
	fs.StringVar(&f.json, "json", "", "write the numbers as JSON to this `file`; - is standard output")
	fs.StringVar(&f.csv, "csv", "", "write a line for each game to this `file`; - is standard output")
	fs.StringVar(&f.model, "model", "logistic", "`model` of ratings: logistic, or bayeselo as Gomocup uses it")
	fs.StringArrayVar(&f.anchors, "anchor", nil, "fix a rating, `NAME=ELO` (repeatable); without one the mean is 0")
	fs.IntVar(&f.games, "games", 2000, "`games` that can be replayed in the HTML page")
	c.RunE = func(c *cobra.Command, dirs []string) error {
		log, err := journal.Read(dirs[0])
		if err != nil {
			return err
		}
		return f.write(c.OutOrStdout(), log, dirs[0])
	}
	return c
}

// write writes the report of the tournament in dir in all requested formats.
func (f *reportFlags) write(stdout io.Writer, log *journal.Log, dir string) error {
	if f.games < 0 {
		return fmt.Errorf("games must be at least 0, got %d", f.games)
	}
	o, err := f.options(log)
	if err != nil {
		return err
	}
	if f.html == "" && f.json == "" && f.csv == "" {
		return report.WriteText(stdout, log, o)
	}
	type target struct {
		file  string
		kind  outfile.Kind
		write func(io.Writer) error
	}
	list := []target{
		{f.html, report.HTMLFile, func(w io.Writer) error {
			return report.WriteHTML(w, log, report.HTMLOptions{Options: o, Games: f.games})
		}},
		{f.json, report.JSONFile, func(w io.Writer) error { return report.WriteJSON(w, log, o) }},
		{f.csv, report.CSVFile, func(w io.Writer) error { return report.WriteCSV(w, log) }},
	}
	for i, x := range list {
		if err := outfile.Check(x.file, x.kind, dir); err != nil {
			return err
		}
		for _, y := range list[:i] {
			if x.file != "" && y.file != "" && (x.file == y.file || outfile.Same(x.file, y.file)) {
				return fmt.Errorf("%s is named for %s and for %s", x.file, y.kind.Name, x.kind.Name)
			}
		}
	}
	for _, x := range list {
		switch x.file {
		case "":
		case "-":
			err = errors.Join(err, x.write(stdout))
		default:
			err = errors.Join(err, outfile.Write(x.file, x.write))
		}
	}
	return err
}

// options returns the options for rating.
func (f *reportFlags) options(log *journal.Log) (report.Options, error) {
	anchors, err := parseAnchors(f.anchors, log.Config.Names())
	if err != nil {
		return report.Options{}, err
	}
	model, err := parseModel(f.model)
	return report.Options{Model: model, Anchors: anchors}, err
}
