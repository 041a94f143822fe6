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

// statusCommand is the command status, which summarizes a tournament.
func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status FOLDER",
		Short: "Show how a tournament stands",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, dirs []string) error {
			// If a tournament ends after its lock was checked, the log, which
			// is read later, has all its games.
			playing, err := journal.Playing(dirs[0])
			if err != nil {
				return err
			}
			log, err := journal.Read(dirs[0])
			if err != nil {
				return err
			}
			return writeStatus(c.OutOrStdout(), dirs[0], log, playing)
		},
	}
}

// writeStatus writes a summary of a tournament; playing is whether a process
// plays it.
func writeStatus(stdout io.Writer, dir string, log *journal.Log, playing bool) error {
	t := report.NewTally(log)
	s, err := report.StandingsOf(t, report.Options{})
	if err != nil {
		return err
	}
	state := "interrupted; continue with: tournament resume " + dir
	switch {
	case log.Verdict != nil:
		state = log.Verdict.Why
	case t.Finished():
		state = "finished"
	case playing:
		state = "running"
	}
	fmt.Fprintf(stdout, "%d of %d games: %s\n", t.Games, t.Total, telemetry.Printable(state))
	if t.Dropped > 0 {
		fmt.Fprintf(stdout, "games of disqualified engines, which are not played: %d\n", t.Dropped)
	}
	for _, n := range slices.Sorted(maps.Keys(log.Running)) {
		fmt.Fprintln(stdout, runningLine(log, log.Running[n], playing))
	}
	return report.WriteSummary(stdout, log, t, s)
}

// runningLine describes the progress of a running game.
func runningLine(log *journal.Log, g *journal.Running, playing bool) string {
	state, progress := "running", fmt.Sprintf("%d moves", len(g.Moves.Times))
	switch {
	case !playing:
		state = "to be played again"
	case !g.Thinking():
		progress = "the engines are starting"
	}
	name := func(i int) string { return telemetry.Printable(log.Config.Engines[i].Name) }
	return fmt.Sprintf("%s: game %d, %s vs %s, %s", state, g.Number, name(g.Black), name(g.White), progress)
}
