package tournament

import (
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/tournament/play"
)

// selfcheckCommand is the command selfcheck, which measures what a tournament
// adds to the time of a move.
func selfcheckCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "selfcheck [flags]",
		Short: "Measure what a tournament adds to the time of a move",
		Long: `Measure the round trip of a command to an engine that answers at once:
the time that the harness, both pipes and the system add to a move.`,
		Args: cobra.NoArgs,
	}
	n := c.Flags().Int("count", 5000, "`moves` to measure")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *n < 1 {
			return fmt.Errorf("count must be at least 1, got %d", *n)
		}
		l, err := play.Measure(c.Context(), *n)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "Latency of a move over %d moves: median %v, 99 %% within %v, longest %v\n",
			*n, l.Median.Duration(), l.P99.Duration(), l.Max.Duration())
		return err
	}
	return c
}
