package fit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/tournament/outfile"
)

// options are the options of the command line.
type options struct {
	out        string
	startName  string          // file of start, startNone, or "" for the default
	start      *pattern.Tables // the means of the priors; nil for zero
	records    []string
	lambda     float64
	scale      float64 // of the search scores; 0 to fit it
	strength   float64
	orderScale float64
	validation float64
	steps      int
	seed       uint64
	fits       string // the tables to fit
}

// tablesFile is what the command writes.
var tablesFile = outfile.Kind{Name: "a file of pattern tables", Match: pattern.IsFile}

// What to fit.
const (
	fitValues = "values"
	fitOrders = "orders"
	fitBoth   = "both"
)

// startNone is the value of --start for a fit from scratch.
const startNone = "none"

// Command returns the command train, which fits pattern tables to records of
// games. By default it improves those that tables returns for the rule of the
// games.
func Command(tables func(board.Rule) *pattern.Tables) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "train --out FILE RECORD… [flags]",
		Short: "Fit pattern tables to recorded games",
		Args:  cobra.MinimumNArgs(1),
	}
	flags := c.Flags()
	flags.StringVar(&o.out, "out", "", "`file` to write the pattern tables to")
	flags.StringVar(&o.startName, "start", "", "`file` of pattern tables to improve, or none (default: those of this program); the fewer games, the less they change; their scale is kept")
	flags.Float64Var(&o.lambda, "lambda", 0.5, "`weight` of the search scores against the results of the games, 0 to 1")
	flags.Float64Var(&o.scale, "scale", 0, "`factor` of the search scores; 0 chooses for each record the one that predicts the results best")
	flags.Float64Var(&o.strength, "prior", 20, "weight of the priors in `positions`")
	flags.Float64Var(&o.orderScale, "order-scale", 0.35, "`factor` of the fitted move order, to balance it with the history of the search")
	flags.Float64Var(&o.validation, "validation", 0.1, "`share` of the games kept for validation")
	flags.IntVar(&o.steps, "steps", 400, "`steps` of the minimizer")
	flags.StringVar(&o.fits, "fit", fitBoth, "`tables` to fit: values, orders or both; the others stay as they were")
	flags.Uint64Var(&o.seed, "seed", 1, "`seed` of the choice of games for validation")
	c.RunE = func(c *cobra.Command, records []string) error {
		o.records = records
		if err := o.check(); err != nil {
			return err
		}
		return o.train(c.Context(), tables, c.OutOrStdout())
	}
	return c
}

// check returns an error if the options are invalid.
func (o *options) check() error {
	switch {
	case o.out == "":
		return errors.New("missing --out, the file to write")
	case slices.ContainsFunc(o.records, func(name string) bool { return outfile.Same(name, o.out) }):
		return fmt.Errorf("--out %s would replace a record to learn from", o.out)
	case !(o.lambda >= 0 && o.lambda <= 1):
		return fmt.Errorf("lambda must be 0 to 1, got %v", o.lambda)
	case !(o.scale >= 0 && o.scale <= 100):
		return fmt.Errorf("scale must be 0 to 100, got %v", o.scale)
	case !(o.strength >= 0 && o.strength < math.Inf(1)):
		return fmt.Errorf("prior must be at least 0 and finite, got %v", o.strength)
	case !(o.orderScale > 0 && o.orderScale <= 100):
		return fmt.Errorf("order-scale must be above 0 and at most 100, got %v", o.orderScale)
	case !(o.validation >= 0 && o.validation < 1):
		return fmt.Errorf("validation must be at least 0 and below 1, got %v", o.validation)
	case o.fits != fitBoth && o.fits != fitValues && o.fits != fitOrders:
		return fmt.Errorf("unknown tables %q, want values, orders or both", o.fits)
	case o.steps < 1:
		return fmt.Errorf("steps must be at least 1, got %d", o.steps)
	}
	for i, name := range o.records {
		if slices.ContainsFunc(o.records[:i], func(other string) bool { return outfile.Same(name, other) }) {
			return fmt.Errorf("record %s is named twice: its games would be used for both training and validation", name)
		}
	}
	return nil
}

// train fits tables to the records and writes them.
func (o *options) train(ctx context.Context, tables func(board.Rule) *pattern.Tables, stdout io.Writer) error {
	// The fit may take hours: check first that the result can be written.
	if err := outfile.CheckLater(o.out, tablesFile); err != nil {
		return err
	}
	s, err := collect(o, stdout)
	if err != nil {
		return err
	}
	if s.training.values.size() == 0 || s.training.orders.size() == 0 {
		return errors.New("the records hold no position to learn from")
	}
	switch o.startName {
	case startNone:
	case "":
		o.start = tables(s.rule)
	default:
		if o.start, err = pattern.ReadFile(o.startName, s.rule); err != nil {
			return err
		}
	}
	t := o.fit(ctx, s, stdout)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("interrupted, nothing was written: %w", err)
	}
	return outfile.Write(o.out, t.Write)
}
