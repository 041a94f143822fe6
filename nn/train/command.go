package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/cobra"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
)

// options are the options of the command line.
type options struct {
	out        string
	records    []string
	shape      nn.Shape
	epochs     int
	batch      int
	rate       float64
	decay      float64
	policy     float64
	lambda     float64
	validation float64
	seed       uint64
	threads    int
}

// Command returns the command net, which trains a network that corrects the pattern
// tables returned for the rule of the games.
func Command(tables func(board.Rule) *pattern.Tables) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "net --out FILE RECORD… [flags]",
		Short: "Train a network on recorded games",
		Args:  cobra.MinimumNArgs(1),
	}
	fs := c.Flags()
	fs.StringVar(&o.out, "out", "", "`file` to write the network to")
	fs.IntVar(&o.shape.Reach, "reach", 4, "`points` that a line covers on either side")
	fs.IntVar(&o.shape.Hidden, "hidden", 64, "`channels` of the hidden layers of lines")
	fs.IntVar(&o.shape.Channels, "channels", 16, "`channels` of a point in either view")
	fs.IntVar(&o.shape.Dense, "dense", 16, "`width` of the hidden layers of the value")
	fs.IntVar(&o.shape.Sides, "sides", 1, "`sets` of weights: 1, or 2 for a set of each side's own")
	fs.IntVar(&o.epochs, "epochs", 10, "`times` that each position is seen")
	fs.IntVar(&o.batch, "batch", 1024, "`positions` in a batch")
	fs.Float64Var(&o.rate, "rate", 0.002, "greatest learning `rate`")
	fs.Float64Var(&o.decay, "decay", 0.01, "weight `decay`, times the rate")
	fs.Float64Var(&o.policy, "policy", 0.02, "`weight` of the policy's loss")
	fs.Float64Var(&o.lambda, "lambda", 1, "`weight` of the search scores against the results of the games, 0 to 1")
	fs.Float64Var(&o.validation, "validation", 0.05, "`share` of the games kept for validation")
	fs.Uint64Var(&o.seed, "seed", 1, "random `seed`")
	fs.IntVar(&o.threads, "threads", 1, "number of `threads`; the result does not depend on it")
	c.RunE = func(c *cobra.Command, records []string) error {
		o.records = records
		return o.train(c.Context(), tables, c.OutOrStdout())
	}
	return c
}

// train trains a network and writes it.
func (o *options) train(ctx context.Context, tables func(board.Rule) *pattern.Tables, stdout io.Writer) error {
	if o.out == "" {
		return errors.New("missing --out, the file to write")
	}
	if err := o.shape.Check(); err != nil {
		return err
	}
	c := collector{share: o.validation, lambda: o.lambda, rng: rand.New(rand.NewPCG(o.seed, 0)), tables: tables}
	for _, name := range o.records {
		torn, err := c.file(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if torn != nil {
			fmt.Fprintf(stdout, "%s: skipped %v\n", name, torn)
		}
	}
	fmt.Fprintf(stdout, "training:   %d games, %d positions\nvalidation: %d games, %d positions\n",
		c.training.games, len(c.training.positions), c.validation.games, len(c.validation.positions))
	scale, loss := c.validation.tables()
	fmt.Fprintf(stdout, "tables: value loss %.5f, scaled by %.2f %.5f; entropy of the targets %.5f\n", c.validation.tablesLoss(1), scale, loss, c.validation.entropy())

	net := nn.New(o.shape, c.rule.String(), rand.New(rand.NewPCG(o.seed, 1)))
	b := newBatch(net, o.policy, o.threads)
	opt := newOptimizer(net, o.decay)
	perEpoch := len(c.training.positions) / o.batch
	steps := perEpoch * o.epochs
	list := make([]position, o.batch)
	start := time.Now()
	seen := 0
	for epoch := range o.epochs {
		order := rand.New(rand.NewPCG(o.seed, uint64(epoch)+2)).Perm(len(c.training.positions))
		var sum losses
		for i := range perEpoch {
			if err := ctx.Err(); err != nil {
				return err
			}
			for k := range list {
				list[k] = c.training.positions[order[i*o.batch+k]]
			}
			sum.add(b.run(&c.training, list, true))
			opt.update(b.grad, rate(o.rate, opt.step, steps))
			seen += len(list)
		}
		v := o.validate(&c.validation, opt.average)
		fmt.Fprintf(stdout, "epoch %d of %d: training %.5f, validation %.5f; policy %.4f, first %.1f%%, in first three %.1f%%; %.0f positions/s\n", epoch+1, o.epochs,
			sum.value/float64(sum.values), v.value/float64(v.values), v.policy/float64(v.policies),
			100*float64(v.first)/float64(v.policies), 100*float64(v.third)/float64(v.policies), float64(seen)/time.Since(start).Seconds())
		if err := write(o.out, opt.average); err != nil {
			return err
		}
	}
	return nil
}

func write(name string, n *nn.Net) error {
	f, err := os.Create(name + ".tmp")
	if err != nil {
		return err
	}
	if err := errors.Join(n.Write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}

// validate returns the losses of a network.
func (o *options) validate(s *set, net *nn.Net) losses {
	b := newBatch(net, o.policy, o.threads)
	var sum losses
	for at := 0; at < len(s.positions); at += o.batch {
		sum.add(b.run(s, s.positions[at:min(at+o.batch, len(s.positions))], false))
	}
	return sum
}

// tablesLoss returns the cross entropy of the priors, times a scale.
func (s *set) tablesLoss(scale float64) float64 {
	var sum float64
	for i := range s.positions {
		p := &s.positions[i]
		q := 1 / (1 + math.Exp(-float64(p.prior)*scale))
		t := float64(p.target)
		sum -= t*math.Log(max(q, 1e-12)) + (1-t)*math.Log(max(1-q, 1e-12))
	}
	return sum / float64(len(s.positions))
}

// entropy returns the mean entropy of the targets, which no prediction falls below.
func (s *set) entropy() float64 {
	var sum float64
	for i := range s.positions {
		for _, t := range []float64{float64(s.positions[i].target), 1 - float64(s.positions[i].target)} {
			if t > 0 {
				sum -= t * math.Log(t)
			}
		}
	}
	return sum / float64(len(s.positions))
}

// tables returns the scale of the priors with the least cross entropy, and that.
func (s *set) tables() (scale, loss float64) {
	lo, hi := 0.1, 10.0
	for range 40 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if s.tablesLoss(a) < s.tablesLoss(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return (lo + hi) / 2, s.tablesLoss((lo + hi) / 2)
}
