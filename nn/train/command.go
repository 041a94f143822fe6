package train

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
	"kumiko/tournament/jsonl"
	"kumiko/tournament/outfile"
)

// options are the options of the command line.
type options struct {
	out      string
	records  []string
	arch     architecture
	epochs   int
	size     int // of a batch
	rate     float64
	decay    float64
	policy   float64
	lambda   float64
	share    float64 // of the games kept for validation
	seed     uint64
	threads  int
	csv, svg string
}

// Command returns the command net, which trains a network that corrects the pattern
// tables returned for the rule of the games.
func Command(tables func(board.Rule) *pattern.Tables) *cobra.Command {
	a := new(lines)
	o := options{arch: a, epochs: 10, size: 1024, rate: 0.002, policy: 0.02}
	return o.command("net", "Train a network on recorded games", tables, func(c *cobra.Command) {
		flags := c.Flags()
		flags.IntVar(&a.Reach, "reach", 4, "`points` that a line covers on either side")
		flags.IntVar(&a.Hidden, "hidden", 128, "`channels` of the hidden layers of lines")
		flags.IntVar(&a.Channels, "channels", 16, "`channels` of a point in either view")
		flags.IntVar(&a.Dense, "dense", 32, "`width` of the hidden layers of the value")
		flags.IntVar(&a.Sides, "sides", 1, "`sets` of weights: 1, or 2 for a set of each side's own")
		flags.IntVar(&a.Marks, "marks", 0, "`planes` of marked points: 1 for those forbidden to black in renju")
	})
}

// ResidualCommand returns the command residual, which trains a residual network. The
// tables are what its losses are compared with.
func ResidualCommand(tables func(board.Rule) *pattern.Tables) *cobra.Command {
	a := &residual{nn.ResidualShape{Planes: board.NumPlanes}}
	o := options{arch: a, epochs: 10, size: 256, rate: 0.002, policy: 0.3}
	return o.command("residual", "Train a residual network on recorded games", tables, func(c *cobra.Command) {
		flags := c.Flags()
		flags.IntVar(&a.Blocks, "blocks", 4, "`blocks` of the tower")
		flags.IntVar(&a.Channels, "channels", 32, "`channels` of the tower")
		flags.IntVar(&a.Head, "head", 32, "`width` of the hidden layers of policy and value")
	})
}

// command returns a command that trains a network, whose dimensions get flags by shape.
// What o holds are the defaults.
func (o *options) command(name, short string, tables func(board.Rule) *pattern.Tables, shape func(*cobra.Command)) *cobra.Command {
	c := &cobra.Command{
		Use:   name + " --out FILE RECORD… [flags]",
		Short: short,
		Args:  cobra.MinimumNArgs(1),
	}
	flags := c.Flags()
	flags.StringVar(&o.out, "out", "", "`file` to write the network to")
	shape(c)
	flags.IntVar(&o.epochs, "epochs", o.epochs, "`times` that each position is seen")
	flags.IntVar(&o.size, "batch", o.size, "`positions` in a batch")
	flags.Float64Var(&o.rate, "rate", o.rate, "greatest learning `rate`")
	flags.Float64Var(&o.decay, "decay", 0.01, "weight `decay`, times the rate")
	flags.Float64Var(&o.policy, "policy", o.policy, "`weight` of the policy's loss")
	flags.Float64Var(&o.lambda, "lambda", 1, "`weight` of the search scores against the results of the games, 0 to 1")
	flags.Float64Var(&o.share, "validation", 0.05, "`share` of the games kept for validation")
	flags.Uint64Var(&o.seed, "seed", 1, "random `seed`")
	flags.IntVar(&o.threads, "threads", 1, "number of `threads`; the result does not depend on it")
	flags.StringVar(&o.csv, "csv", "", "`file` to write the losses to, as comma-separated values")
	flags.StringVar(&o.svg, "svg", "", "`file` to draw the losses in")
	c.RunE = func(c *cobra.Command, records []string) error {
		o.records = records
		if err := o.check(); err != nil {
			return err
		}
		lock, err := jsonl.Acquire(jsonl.LockName(o.out))
		if err != nil {
			return err
		}
		return errors.Join(o.train(c.Context(), tables, c.OutOrStdout()), lock.Abandon())
	}
	return c
}

// check returns an error if the options are invalid.
func (o *options) check() error {
	switch {
	case o.out == "":
		return errors.New("missing --out, the file to write")
	case o.epochs < 1 || o.epochs > 10_000:
		return fmt.Errorf("epochs must be 1 to 10000, got %d", o.epochs)
	case o.size < 1 || o.size > 1<<16:
		return fmt.Errorf("batch must be 1 to %d, got %d", 1<<16, o.size)
	case !(o.rate > 0 && o.rate <= 1):
		return fmt.Errorf("rate must be above 0 and at most 1, got %v", o.rate)
	case !(o.decay >= 0 && o.decay <= 10):
		return fmt.Errorf("decay must be 0 to 10, got %v", o.decay)
	case !(o.policy >= 0 && o.policy <= 100):
		return fmt.Errorf("policy must be 0 to 100, got %v", o.policy)
	case !(o.lambda >= 0 && o.lambda <= 1):
		return fmt.Errorf("lambda must be 0 to 1, got %v", o.lambda)
	case !(o.share >= 0 && o.share < 1):
		return fmt.Errorf("validation must be at least 0 and below 1, got %v", o.share)
	case o.threads < 1 || o.threads > shards:
		return fmt.Errorf("threads must be 1 to %d, got %d", shards, o.threads)
	}
	if err := o.arch.Check(); err != nil {
		return err
	}
	for i, name := range o.records {
		for _, other := range []string{o.out, o.stateFile(), o.csv, o.svg} {
			if other != "" && outfile.Same(name, other) {
				return fmt.Errorf("%s would replace a record to learn from", other)
			}
		}
		if slices.ContainsFunc(o.records[:i], func(other string) bool { return outfile.Same(name, other) }) {
			return fmt.Errorf("record %s is named twice: its games would be used for both training and validation", name)
		}
	}
	if err := outfile.Distinct(o.out, o.stateFile(), o.csv, o.svg); err != nil {
		return err
	}
	return errors.Join(outfile.CheckLater(o.out, o.arch.file()), checkCurve(o.csv, csvFile), checkCurve(o.svg, svgFile))
}

// checkCurve is [outfile.CheckLater] for a file of the losses, which may be a pipe or a
// device.
func checkCurve(name string, k outfile.Kind) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	return outfile.CheckLater(name, k)
}

// What the command writes besides.
var (
	csvFile = outfile.Kind{Name: "a table of losses", Match: startsWith(csvHeader)}
	svgFile = outfile.Kind{Name: "a drawing of losses", Match: startsWith(svgHeader)}
)

func startsWith(text string) func(start []byte) bool {
	return func(start []byte) bool { return bytes.HasPrefix(start, []byte(text)) }
}
