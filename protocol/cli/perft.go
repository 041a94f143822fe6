package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"kumiko/engine/board"
)

// Perft returns the command perft, which prints the counts of [board.Perft] for
// every depth up to a limit.
func Perft() *cobra.Command {
	c := &cobra.Command{
		Use:   "perft [PICTURE] [flags]",
		Short: "Count the move sequences of a position",
		Long: `Count the sequences of legal moves from a position, for every depth up to a limit.
The position is an empty board, the moves of --moves, or the picture of a board in a file.`,
		Args: cobra.MaximumNArgs(1),
	}
	position := positionFlags(c)
	depth := c.Flags().Int("depth", 3, "greatest `number` of moves")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *depth < 1 {
			return fmt.Errorf("depth must be at least 1, got %d", *depth)
		}
		b, err := position(args)
		if err != nil {
			return err
		}
		return perft(c.Context(), b, *depth, c.OutOrStdout())
	}
	return c
}

// perft prints a line for every depth.
func perft(ctx context.Context, b *board.Board, depth int, w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%v %dx%d, %v to move\n%5s %20s %10s %12s\n",
		b.Rule(), b.Width(), b.Height(), b.Side(), "depth", "count", "time", "count/s"); err != nil {
		return err
	}
	for d := 1; d <= depth; d++ {
		start := time.Now()
		n, err := board.Perft(ctx, b, d)
		if err != nil {
			return fmt.Errorf("depth %d: %w", d, err)
		}
		t := time.Since(start)
		if _, err := fmt.Fprintf(w, "%5d %20d %9.3fs %12.3g\n", d, n, t.Seconds(), float64(n)/max(t.Seconds(), 1e-9)); err != nil {
			return err
		}
	}
	return nil
}
