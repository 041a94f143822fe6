package tournament

import (
	"github.com/spf13/cobra"

	"kumiko/engine"
)

// Command is the command tournament, which plays tournaments of engines and
// shows what their results mean. Each subcommand has its own file; those that
// search use engines with these options.
func Command(options func() engine.Options) *cobra.Command {
	c := &cobra.Command{Use: "tournament", Short: "Play tournaments and rate engines"}
	c.AddCommand(
		runCommand(),
		resumeCommand(),
		statusCommand(),
		watchCommand(),
		reportCommand(),
		replayCommand(),
		exportCommand(),
		repairCommand(),
		rateCommand(),
		sprtCommand(),
		openingsCommand(options),
		checkCommand(),
		selfcheckCommand(),
		compatCommand(),
	)
	return c
}
