package board

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// Perft counts the sequences of depth legal moves from the position on b. A
// winning move ends its sequence, so that it counts as a last move only;
// moves that are fouls are not played. The counts are known for many
// positions, which makes them a test of everything the board does.
func Perft(b *Board, depth int) uint64 {
	n, _ := perft(context.Background(), b, depth)
	return n
}

// perft is Perft until ctx is done.
func perft(ctx context.Context, b *Board, depth int) (uint64, error) {
	switch {
	case depth <= 0:
		return 1, nil
	case depth == 1:
		return countLegal(b), nil
	case depth > 2 && ctx.Err() != nil:
		return 0, ctx.Err()
	}
	var n uint64
	for y := range b.Height() {
		for x := range b.Width() {
			m := Pt(x, y)
			if !b.Legal(m) || b.Wins(m, b.Side()) {
				continue
			}
			b.Place(m)
			k, err := perft(ctx, b, depth-1)
			b.Undo()
			if err != nil {
				return 0, err
			}
			n += k
		}
	}
	return n, nil
}

// countLegal returns the number of legal moves. Only where lines look like a
// foul are the points tried one by one.
func countLegal(b *Board) uint64 {
	n := uint64(b.Width()*b.Height() - b.Stones())
	if b.Rule() != Renju || b.Side() != Black || b.Count(Black, ShapeFoul) == 0 {
		return n
	}
	for y := range b.Height() {
		for x := range b.Width() {
			if m := Pt(x, y); b.Empty(m) && !b.Legal(m) {
				n--
			}
		}
	}
	return n
}

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
	if err := placeAll(b, *moves); err != nil {
		return fmt.Errorf("-moves: %w", err)
	}
	return printPerft(ctx, b, *depth, stdout)
}

// perftBoard returns the board in the picture file that is named, or an empty
// board of the size given.
func perftBoard(rule Rule, size string, files []string) (*Board, error) {
	switch len(files) {
	case 0:
		w, h, err := parseSize(size)
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
		n, err := perft(ctx, b, d)
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

// parseSize reads N for a square or WxH for a rectangle.
func parseSize(s string) (width, height int, err error) {
	ws, hs, rectangle := strings.Cut(s, "x")
	if !rectangle {
		hs = ws
	}
	width, errW := strconv.Atoi(ws)
	height, errH := strconv.Atoi(hs)
	if errW != nil || errH != nil {
		return 0, 0, fmt.Errorf("-size %q, want a form such as 15 or 20x15", s)
	}
	return width, height, nil
}

// placeAll plays moves written one after the other, such as h8i9j10.
func placeAll(b *Board, moves string) error {
	for n := 1; moves != ""; n++ {
		end := 0
		for end < len(moves) && (moves[end] < '0' || moves[end] > '9') {
			end++
		}
		for end < len(moves) && moves[end] >= '0' && moves[end] <= '9' {
			end++
		}
		m, err := ParseMove(moves[:end])
		moves = moves[end:]
		switch {
		case err != nil:
			return fmt.Errorf("move %d: %w", n, err)
		case !b.On(m):
			return fmt.Errorf("move %d: %v is not on the board", n, m)
		case !b.Empty(m):
			return fmt.Errorf("move %d: %v is occupied", n, m)
		case !b.Legal(m):
			return fmt.Errorf("move %d: %v is a foul, %v", n, m, b.Foul(m))
		}
		b.Place(m)
	}
	return nil
}
