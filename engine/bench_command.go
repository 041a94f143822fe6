package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"
)

// BenchCommand is the subcommand bench of an engine with the options o.
func BenchCommand(o Options, args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	depth := fs.Int("depth", BenchDepth, "plies to search; the signature is that of the default")
	threads := fs.Int("threads", 1, "threads that search; the signature is that of a single one")
	fs.SetOutput(io.Discard) // the caller prints the error
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stdout)
			fmt.Fprintln(stdout, "usage: bench [flags]")
			fs.PrintDefaults()
		}
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	if *depth < 1 || *depth > maxDepth {
		return fmt.Errorf("depth %d is not within 1 to %d", *depth, maxDepth)
	}
	if *threads < 1 || *threads > MaxThreads() {
		return fmt.Errorf("%d threads are not within 1 to %d", *threads, MaxThreads())
	}
	o.Threads = *threads
	return printBench(stdout, o, *depth)
}

// printBench writes what each position of the bench came to, and the sums.
func printBench(w io.Writer, o Options, depth int) error {
	var nodes int64
	var total time.Duration
	err := Bench(context.Background(), o, depth, func(p BenchPosition, res Result) {
		nodes += res.Nodes
		total += res.Time
		fmt.Fprintf(w, "%-9v %2dx%-2d %-4v depth %2d score %6v nodes %9d\n", p.Board.Rule(),
			p.Board.Width(), p.Board.Height(), res.Move, res.Depth, res.Score, res.Nodes)
	})
	if err == nil {
		fmt.Fprintf(w, "nodes %d\nnodes/second %d\n", nodes, int64(float64(nodes)/total.Seconds()))
	}
	return err
}
