package fit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"kumiko/engine/pattern"
)

// options are what the command line asks for.
type options struct {
	out        string
	start      *pattern.Tables // where the priors hold the tables; nil for zero
	records    []string
	lambda     float64
	scale      float64 // of the scores of the search; 0 to fit it
	strength   float64
	orderScale float64
	validation float64
	steps      int
	seed       uint64
	fits       string // of the tables, those to fit
}

// What to fit.
const (
	fitValues = "values"
	fitOrders = "orders"
	fitBoth   = "both"
)

// Command is the command train: it fits pattern tables to records of games.
func Command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "train --out FILE RECORD… [flags]",
		Short: "Fit pattern tables to recorded games",
		Args:  cobra.MinimumNArgs(1),
	}
	fs := c.Flags()
	fs.StringVar(&o.out, "out", "", "`file` to write the pattern tables to")
	start := fs.String("start", "", "`file` of pattern tables, of any rule, to improve; the fewer games, the less they change, and their scale is kept")
	fs.Float64Var(&o.lambda, "lambda", 0.5, "`weight` of the search's scores against the results of the games, 0 to 1")
	fs.Float64Var(&o.scale, "scale", 0, "`factor` of the search's scores; 0 chooses, for each record, the one that predicts the results best")
	fs.Float64Var(&o.strength, "prior", 20, "`positions` that the priors are worth")
	fs.Float64Var(&o.orderScale, "order-scale", 0.35, "`factor` of what is learned about moves, to fit in with the search's own history")
	fs.Float64Var(&o.validation, "validation", 0.1, "`share` of the games kept for validation")
	fs.IntVar(&o.steps, "steps", 400, "`steps` of the minimizer")
	fs.StringVar(&o.fits, "fit", fitBoth, "`tables` to fit: values, orders or both; the others stay as they were")
	fs.Uint64Var(&o.seed, "seed", 1, "`seed` of the choice of games for validation")
	c.RunE = func(c *cobra.Command, records []string) (err error) {
		o.records = records
		if err := o.check(); err != nil {
			return err
		}
		if *start != "" {
			if o.start, err = readTables(*start); err != nil {
				return err
			}
		}
		return o.train(c.Context(), c.OutOrStdout())
	}
	return c
}

// check reports what is wrong with the command line.
func (o *options) check() error {
	switch {
	case o.out == "":
		return errors.New("name the file to write with --out")
	case slices.Contains(o.records, o.out):
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
		if slices.Contains(o.records[:i], name) {
			return fmt.Errorf("record %s is named twice: its games would be learned from and validated on", name)
		}
	}
	return nil
}

// train fits tables to the records and writes them.
func (o *options) train(ctx context.Context, stdout io.Writer) error {
	s, err := collect(o)
	if err != nil {
		return err
	}
	if s.training.values.size() == 0 || s.training.orders.size() == 0 {
		return errors.New("the records hold no position to learn from")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// Hours may go into the fit: whether it can be kept is found out before.
	f, err := os.CreateTemp(filepath.Dir(o.out), filepath.Base(o.out)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // of no effect once it has its name
	t := o.fit(s, stdout)
	if err := errors.Join(t.Write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), o.out)
}

// readTables reads tables from a file.
func readTables(name string) (*pattern.Tables, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := pattern.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}
