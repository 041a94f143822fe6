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

// exportCommand is the command export, which writes the games in other formats.
func exportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "export FOLDER --format FORMAT [flags]",
		Short: "Write the games of a tournament as psq, SGF, PGN or CSV",
		Args:  cobra.ExactArgs(1),
	}
	format := c.Flags().String("format", "", "`format`: psq, sgf, pgn (results for Ordo and BayesElo, with the moves as comments), csv, or offset (the openings)")
	out := c.Flags().String("out", "", "`file` to write; for psq a folder, with a file for each game (default standard output)")
	c.RunE = func(c *cobra.Command, dirs []string) error {
		log, err := journal.Read(dirs[0])
		if err != nil {
			return err
		}
		return export(c.OutOrStdout(), log, dirs[0], *format, *out)
	}
	return c
}

// export writes the games of the tournament in dir in a format.
func export(stdout io.Writer, log *journal.Log, dir, format, out string) error {
	if format == "psq" {
		if out == "" {
			return errors.New("psq needs --out, a folder for the games")
		}
		return report.ExportPSQ(out, log)
	}
	x, ok := map[string]struct {
		kind  outfile.Kind
		write func(io.Writer, *journal.Log) error
	}{
		"sgf": {report.SGFFile, report.WriteSGF}, "pgn": {report.PGNFile, report.WritePGN},
		"csv": {report.CSVFile, report.WriteCSV}, "offset": {report.OpeningsFile, report.WriteOpenings},
	}[format]
	if !ok {
		return fmt.Errorf("unknown format %q, want psq, sgf, pgn, csv or offset", format)
	}
	if out == "" {
		return x.write(stdout, log)
	}
	if err := outfile.Check(out, x.kind, dir); err != nil {
		return err
	}
	return outfile.Write(out, func(w io.Writer) error { return x.write(w, log) })
}
