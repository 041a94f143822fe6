package board

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// PerftCommand runs the perft command: it prints to stdout the counts of
// [Perft] for every depth up to the one asked for. The position is an empty
// board, the moves given by -moves, or a picture in the file named by args.
func PerftCommand(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("perft", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the caller prints the error
	ruleName := flags.String("rule", "freestyle", "`name` of the rule")
	size := flags.String("size", "15", "size of the board, `N or WxH`")
	depth := flags.Int("depth", 3, "greatest number of moves")
	moves := flags.String("moves", "", "`moves` played already, such as h8i9")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stdout, "usage: perft [flags] [picture file]")
			flags.SetOutput(stdout)
			flags.PrintDefaults()
			return nil
		}
		return err
	}
	if *depth < 1 {
		return fmt.Errorf("-depth %d, want at least 1", *depth)
	}
	rule, err := ParseRule(*ruleName)
	if err != nil {
		return err
	}
	b, err := perftBoard(rule, *size, flags.Args())
	if err != nil {
		return err
	}
	list, err := ParseMoves(*moves)
	if err == nil {
		err = b.PlaceAll(list)
	}
	if err != nil {
		return fmt.Errorf("-moves: %w", err)
	}
	return printPerft(ctx, b, *depth, stdout)
}

// perftBoard returns the board in the picture file that is named, or an empty
// board of the size given.
func perftBoard(rule Rule, size string, files []string) (*Board, error) {
	switch len(files) {
	case 0:
		w, h, err := ParseSize(size)
		if err != nil {
			return nil, err
		}
		return New(w, h, rule)
	case 1:
		picture, err := os.ReadFile(files[0])
		if err != nil {
			return nil, err
		}
		b, err := Parse(rule, string(picture))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[0], err)
		}
		return b, nil
	}
	return nil, fmt.Errorf("%q: one picture file is enough", files)
}

func printPerft(ctx context.Context, b *Board, depth int, stdout io.Writer) error {
	if _, err := fmt.Fprintf(stdout, "%v %dx%d, %v to move\n%5s %20s %10s %12s\n",
		b.Rule(), b.Width(), b.Height(), b.Side(), "depth", "count", "time", "count/s"); err != nil {
		return err
	}
	for d := 1; d <= depth; d++ {
		start := time.Now()
		n, err := Perft(ctx, b, d)
		if err != nil {
			return fmt.Errorf("depth %d: %w", d, err)
		}
		t := time.Since(start)
		if _, err := fmt.Fprintf(stdout, "%5d %20d %9.3fs %12.3g\n", d, n, t.Seconds(), float64(n)/max(t.Seconds(), 1e-9)); err != nil {
			return err
		}
	}
	return nil
}
