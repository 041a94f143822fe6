package train

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
	"kumiko/tournament/outfile"
)

// reportEvery is the time between two lines of progress within an epoch.
const reportEvery = 20 * time.Second

// A run is a training. After each epoch its state is written, so that it can be
// continued; see [run.save].
type run struct {
	*options
	data
	batch  *batch
	opt    *optimizer
	points []point // of the curve, one for each epoch done
}

// A point is the losses after an epoch.
type point struct {
	Training, Validation, Policy float64 // means; NaN if nothing was measured
	First, Third                 float64 // shares of moves that the policy has first, and among its first three
}

// train trains a network and writes it.
func (o *options) train(ctx context.Context, tables func(board.Rule) *pattern.Tables, stdout io.Writer) error {
	c := collector{share: o.share, lambda: o.lambda, rng: rand.New(rand.NewPCG(o.seed, 0)), tables: tables}
	for _, name := range o.records {
		torn, err := c.file(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if torn != nil {
			fmt.Fprintf(stdout, "%s: skipped %v\n", name, torn)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "training:   %d games, %d positions\nvalidation: %d games, %d positions\n",
		c.training.games, len(c.training.positions), c.validation.games, len(c.validation.positions))
	if len(c.training.positions) < o.size {
		return fmt.Errorf("%d positions to learn from, fewer than the %d of a batch", len(c.training.positions), o.size)
	}
	if len(c.validation.positions) > 0 {
		scale, loss := c.validation.tables()
		fmt.Fprintf(stdout, "tables:     %.5f, scaled by %.2f %.5f; entropy of the targets %.5f\n", c.validation.tablesLoss(1), scale, loss, c.validation.entropy())
	}
	r := &run{options: o, data: c.data}
	net := nn.New(o.shape, c.rule.String(), rand.New(rand.NewPCG(o.seed, 1)))
	r.batch = newBatch(net, o.policy, o.threads)
	r.opt = newOptimizer(net, o.decay)
	if err := r.load(); err != nil {
		return err
	}
	if n := len(r.points); n > 0 {
		fmt.Fprintf(stdout, "%s: %d of %d epochs are done\n", r.stateFile(), n, o.epochs)
	}
	return r.train(ctx, stdout)
}

// train trains up to the last epoch.
func (r *run) train(ctx context.Context, stdout io.Writer) error {
	perEpoch := len(r.training.positions) / r.size
	clock := &clock{start: time.Now(), total: perEpoch * (r.epochs - len(r.points)) * r.size}
	for len(r.points) < r.epochs {
		epoch := len(r.points) + 1
		p, err := r.epoch(ctx, stdout, clock)
		if err != nil {
			return &interrupted{epoch - 1, r.epochs, err}
		}
		r.points = append(r.points, p)
		fmt.Fprintf(stdout, "epoch %d of %d: training %.5f, validation %s; policy %s, first %s, in first three %s; %v\n", epoch, r.epochs,
			p.Training, figure("%.5f", p.Validation), figure("%.4f", p.Policy), figure("%.1f%%", 100*p.First), figure("%.1f%%", 100*p.Third), clock)
		if err := r.save(); err != nil {
			return err
		}
		if err := r.curves(); err != nil {
			return fmt.Errorf("%w; the same command goes on after epoch %d", err, epoch)
		}
	}
	if err := outfile.Write(r.out, r.opt.average.Write); err != nil {
		return err
	}
	return os.Remove(r.stateFile())
}

// epoch shows every position once, in random order.
func (r *run) epoch(ctx context.Context, stdout io.Writer, clock *clock) (point, error) {
	epoch := len(r.points)
	perEpoch := len(r.training.positions) / r.size
	order := rand.New(rand.NewPCG(r.seed, uint64(epoch)+2)).Perm(len(r.training.positions))
	list := make([]position, r.size)
	var sum losses
	for i := range perEpoch {
		if err := ctx.Err(); err != nil {
			return point{}, err
		}
		for k := range list {
			list[k] = r.training.positions[order[i*r.size+k]]
		}
		sum.add(r.batch.run(&r.training, list, true))
		r.opt.update(r.batch.grad, rate(r.rate, r.opt.step, perEpoch*r.epochs))
		if clock.add(len(list)) {
			fmt.Fprintf(stdout, "epoch %d of %d, %d%%: training %.5f; %v\n", epoch+1, r.epochs, 100*(i+1)/perEpoch, sum.mean(), clock)
		}
	}
	v := r.validate()
	return point{sum.mean(), v.mean(), v.meanPolicy(), v.share(v.first), v.share(v.third)}, nil
}

// validate returns the losses of the average of the weights.
func (r *run) validate() losses {
	b := newBatch(r.opt.average, r.policy, r.threads)
	s := &r.validation
	var sum losses
	for at := 0; at < len(s.positions); at += r.size {
		sum.add(b.run(s, s.positions[at:min(at+r.size, len(s.positions))], false))
	}
	return sum
}

// A clock measures the speed of a training.
type clock struct {
	start, said time.Time
	done, total int // positions
}

// add counts positions and reports whether it is time for a line.
func (c *clock) add(n int) bool {
	c.done += n
	if c.said.IsZero() {
		c.said = c.start
	}
	if time.Since(c.said) < reportEvery {
		return false
	}
	c.said = time.Now()
	return true
}

// String returns the speed, and the time to go.
func (c *clock) String() string {
	spent := time.Since(c.start)
	text := fmt.Sprintf("%.0f/s", float64(c.done)/spent.Seconds())
	if c.done == 0 {
		return text
	}
	rest := time.Duration(float64(spent) * float64(c.total-c.done) / float64(c.done)).Round(time.Second)
	if rest > 0 {
		text += fmt.Sprintf(", about %v to go", rest)
	}
	return text
}

// interrupted is the error of a run that can be continued.
type interrupted struct {
	done, total int
	error
}

func (e *interrupted) Error() string {
	return fmt.Sprintf("interrupted after %d of %d epochs; the same command goes on", e.done, e.total)
}

func (e *interrupted) Unwrap() error { return e.error }

// figure formats a measured number, n/a if nothing was measured.
func figure(format string, v float64) string {
	if v != v {
		return "n/a"
	}
	return fmt.Sprintf(format, v)
}
