package tournament

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/telemetry"
)

// statusCommand is the command status: how a tournament stands, in short.
func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status FOLDER",
		Short: "Show how a tournament stands",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, dirs []string) error {
			log, err := journal.Read(dirs[0])
			if err != nil {
				return err
			}
			return writeStatus(c.OutOrStdout(), log)
		},
	}
}

// writeStatus writes how a tournament stands.
func writeStatus(stdout io.Writer, log *journal.Log) error {
	t := report.NewTally(log)
	s, err := report.StandingsOf(t, report.Options{})
	if err != nil {
		return err
	}
	state := "interrupted, or running"
	switch {
	case log.Verdict != nil:
		state = telemetry.Printable(log.Verdict.Why)
	case t.Games == t.Total:
		state = "finished"
	}
	fmt.Fprintf(stdout, "%d of %d games: %s\n", t.Games, t.Total, state)
	for _, n := range slices.Sorted(maps.Keys(log.Running)) {
		g := log.Running[n]
		fmt.Fprintf(stdout, "begun and not ended: game %d, %s vs %s, %d moves\n", n,
			telemetry.Printable(log.Config.Engines[g.Black].Name), telemetry.Printable(log.Config.Engines[g.White].Name), len(g.Moves.Times))
	}
	return report.WriteSummary(stdout, log, t, s)
}
