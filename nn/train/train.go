package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/tournament/outfile"
)

// reportEvery is the time between two lines of progress within an epoch.
const reportEvery = 20 * time.Second

// saveEvery is the time after which the state is saved within an epoch.
var saveEvery = 2 * time.Minute

// A run is a training. After each epoch, and now and then within one, its state is
// written, so that it can be continued; see [run.save].
type run struct {
	*options
	data
	learner learner
	opt     *optimizer
	points  []point // of the curve, one for each epoch done
	sum     losses  // of the epoch that has begun
}

// A point is the losses after an epoch.
type point struct {
	Training, Validation, Policy float64 // means; NaN if nothing was measured
	First, Third                 float64 // shares of moves that the policy has first, and among its first three
}

// train trains a network and writes it.
func (o *options) train(ctx context.Context, tables func(board.Rule) *pattern.Tables, stdout io.Writer) error {
	c := collector{share: o.share, lambda: o.lambda, rng: rand.New(rand.NewPCG(o.seed, 0)), tables: tables, policies: o.arch.policies()}
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
	name := c.rule.String()
	net := o.arch.random(name, rand.New(rand.NewPCG(o.seed, 1)))
	r.learner = o.arch.learner(net, o.policy, o.threads)
	r.opt = newOptimizer(net, o.decay, func() network { return o.arch.zero(name) })
	if err := r.load(); err != nil {
		return err
	}
	if r.opt.step > 0 {
		more := ""
		if begun := r.begun(); begun > 0 {
			more = fmt.Sprintf(", and %d%% of the next", 100*begun/r.perEpoch())
		}
		fmt.Fprintf(stdout, "%s: %d of %d epochs are done%s\n", r.stateFile(), len(r.points), o.epochs, more)
	}
	return r.train(ctx, stdout)
}

// perEpoch returns the number of batches in an epoch.
func (r *run) perEpoch() int { return len(r.training.positions) / r.size }

// begun returns how many batches of the epoch that has begun are done.
func (r *run) begun() int { return r.opt.step - r.perEpoch()*len(r.points) }

// train trains up to the last epoch.
func (r *run) train(ctx context.Context, stdout io.Writer) error {
	clock := &clock{start: time.Now(), total: (r.perEpoch()*r.epochs - r.opt.step) * r.size}
	for len(r.points) < r.epochs {
		epoch := len(r.points) + 1
		p, err := r.epoch(ctx, stdout, clock)
		if err != nil {
			return &interrupted{epoch - 1, r.epochs, err}
		}
		r.points, r.sum = append(r.points, p), losses{}
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

// epoch shows every position once, in random order and in a random symmetry, from where
// the state has left off.
func (r *run) epoch(ctx context.Context, stdout io.Writer, clock *clock) (point, error) {
	epoch, perEpoch := len(r.points), r.perEpoch()
	order := rand.New(rand.NewPCG(r.seed, uint64(epoch)+2)).Perm(len(r.training.positions))
	syms := rand.New(rand.NewPCG(r.seed, uint64(epoch)<<32))
	for range r.begun() * r.size {
		syms.IntN(maxSymmetries)
	}
	list := make([]position, r.size)
	saved := time.Now()
	for i := r.begun(); i < perEpoch; i++ {
		if err := ctx.Err(); err != nil {
			return point{}, errors.Join(err, r.save())
		}
		for k := range list {
			list[k] = r.training.positions[order[i*r.size+k]]
			list[k].sym = uint8(syms.IntN(maxSymmetries))
		}
		r.sum.add(r.learner.run(&r.training, list, true))
		r.opt.update(r.learner.gradient(), rate(r.rate, r.opt.step, perEpoch*r.epochs))
		if clock.add(len(list)) {
			fmt.Fprintf(stdout, "epoch %d of %d, %d%%: training %.5f; %v\n", epoch+1, r.epochs, 100*(i+1)/perEpoch, r.sum.mean(), clock)
		}
		if time.Since(saved) >= saveEvery && i+1 < perEpoch {
			if err := r.save(); err != nil {
				return point{}, err
			}
			saved = time.Now()
		}
	}
	v := r.validate()
	return point{r.sum.mean(), v.mean(), v.meanPolicy(), v.share(v.first), v.share(v.third)}, nil
}

// validate returns the losses of the average of the weights.
func (r *run) validate() losses {
	b := r.arch.learner(r.opt.average, r.policy, r.threads)
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
