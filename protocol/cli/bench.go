package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kumiko/engine"
)

// Bench returns the command bench, which searches fixed positions with an engine
// with the given options.
func Bench(options func() engine.Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench [flags]",
		Short: "Search fixed positions; print the signature and the speed",
		Args:  cobra.NoArgs,
	}
	depth := c.Flags().Int("depth", engine.BenchDepth, "search depth in `plies`; the signature is for the default")
	threads := c.Flags().Int("threads", 1, "number of search `threads`; the signature is for one")
	evaluator := c.Flags().String("evaluator", engine.ByTables.String(), "`evaluator`: "+engine.EvaluationNames)
	search := c.Flags().String("search", engine.AlphaBeta.String(), "`search`: "+engine.SearchNames)
	c.RunE = func(c *cobra.Command, args []string) error {
		if *depth < 1 || *depth > engine.MaxDepth {
			return fmt.Errorf("depth must be 1 to %d, got %d", engine.MaxDepth, *depth)
		}
		if *threads < 1 || *threads > engine.MaxThreads() {
			return fmt.Errorf("threads must be 1 to %d, got %d", engine.MaxThreads(), *threads)
		}
		o := options()
		o.Threads = *threads
		var err error
		if o.Evaluation, err = engine.ParseEvaluation(*evaluator); err != nil {
			return err
		}
		if o.Search, err = engine.ParseSearch(*search); err != nil {
			return err
		}
		return bench(c, o, *depth)
	}
	return c
}

// bench prints the result of each position, and the totals.
func bench(c *cobra.Command, o engine.Options, depth int) error {
	w := c.OutOrStdout()
	var nodes int64
	var total time.Duration
	err := engine.Bench(c.Context(), o, depth, func(p engine.BenchPosition, res engine.Result) {
		nodes += res.Nodes
		total += res.Time
		fmt.Fprintf(w, "%-9v %2dx%-2d %-4v depth %2d score %6v nodes %9d\n", p.Board.Rule(),
			p.Board.Width(), p.Board.Height(), res.Move, res.Depth, res.Score, res.Nodes)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "nodes %d\nnodes/second %d\n", nodes, int64(float64(nodes)/total.Seconds()))
	return err
}
