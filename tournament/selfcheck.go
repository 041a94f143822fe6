package tournament

import (
	"context"
	"fmt"
	"io"

	"kumiko/tournament/play"
)

// selfcheckCommand is the command selfcheck: it measures what a tournament
// adds to the time of a move.
func selfcheckCommand(ctx context.Context, args []string, stdout io.Writer) error {
	fs := newFlags("selfcheck", "[flags]\nMeasures the time from a command to an engine that answers at once until its answer is at hand:\nwhat the harness, both pipes and the system add to a move.")
	n := fs.Int("count", 5000, "`moves` to measure")
	if _, err := parse(fs, args, stdout, 0, 0); err != nil {
		return err
	}
	if *n < 1 {
		return fmt.Errorf("--count %d is less than 1", *n)
	}
	l, err := play.Measure(ctx, *n)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "Latency of a move over %d moves: median %v, 99 %% within %v, longest %v\n",
		*n, l.Median.Duration(), l.P99.Duration(), l.Max.Duration())
	return nil
}
