package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"kumiko/engine/board"
)

// Perft is the command perft: it prints the counts of [board.Perft] for every
// depth up to a limit.
func Perft() *cobra.Command {
	c := &cobra.Command{
		Use:   "perft [PICTURE] [flags]",
		Short: "Count the move sequences of a position",
		Long: `Count the sequences of legal moves from a position, for every depth up to a limit.
The position is an empty board, the moves of --moves, or the picture of a board in a file.`,
		Args: cobra.MaximumNArgs(1),
	}
	rule := c.Flags().String("rule", "freestyle", "`rule` of the game: "+board.RuleNames)
	size := c.Flags().String("size", "15", "`size` of the board, such as 15 or 20x15")
	depth := c.Flags().Int("depth", 3, "greatest `number` of moves")
	moves := c.Flags().String("moves", "", "`moves` that are played first, such as h8i9")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *depth < 1 {
			return fmt.Errorf("depth must be at least 1, got %d", *depth)
		}
		b, err := perftBoard(*rule, *size, args)
		if err != nil {
			return err
		}
		list, err := board.ParseMoves(*moves)
		if err == nil {
			err = b.PlaceAll(list)
		}
		if err != nil {
			return fmt.Errorf("--moves: %w", err)
		}
		return perft(c.Context(), b, *depth, c.OutOrStdout())
	}
	return c
}

// perftBoard returns the board in the picture file that is named, or an empty
// board of a size.
func perftBoard(rule, size string, files []string) (*board.Board, error) {
	r, err := board.ParseRule(rule)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		width, height, err := board.ParseSize(size)
		if err != nil {
			return nil, err
		}
		return board.New(width, height, r)
	}
	picture, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	b, err := board.Parse(r, string(picture))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", files[0], err)
	}
	return b, nil
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
