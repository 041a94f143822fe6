package train

import (
	"fmt"
	"io"
	"math/rand/v2"

	"kumiko/nn"
	"kumiko/tournament/outfile"
)

// A network is the weights that a training changes, their gradient, or the like.
type network interface {
	Tensors() []nn.Tensor
	Write(w io.Writer) error
}

// An architecture is a kind of network, with its dimensions. All kinds are trained by
// the same run.
type architecture interface {
	Check() error
	file() outfile.Kind
	flags() []string // that determine the dimensions
	random(name string, rng *rand.Rand) network
	zero(name string) network
	read(r io.Reader) (network, error)
	learner(n network, policy float64, threads int) learner
	// policies reports whether the search's effort by move is learned from, where a
	// record has it.
	policies() bool
}

// A learner computes the losses of positions and, if learn is set, their mean gradient,
// in which the policy's loss has a weight.
type learner interface {
	run(from *set, list []position, learn bool) losses
	gradient() network
}

// lines is the architecture of networks over line codes, which correct the tables.
type lines struct{ nn.Shape }

func (a *lines) file() outfile.Kind { return outfile.Kind{Name: "a network", Match: nn.IsFile} }

func (a *lines) flags() []string {
	return []string{
		fmt.Sprintf("--reach %d", a.Reach), fmt.Sprintf("--hidden %d", a.Hidden), fmt.Sprintf("--channels %d", a.Channels),
		fmt.Sprintf("--dense %d", a.Dense), fmt.Sprintf("--sides %d", a.Sides), fmt.Sprintf("--marks %d", a.Marks),
	}
}

func (a *lines) random(name string, rng *rand.Rand) network { return nn.New(a.Shape, name, rng) }

func (a *lines) zero(name string) network { return nn.Zero(a.Shape, name) }

func (a *lines) read(r io.Reader) (network, error) {
	n, err := nn.Read(r)
	if err != nil {
		return nil, err
	}
	return n, sameShape(n.Shape, a.Shape)
}

func (a *lines) learner(n network, policy float64, threads int) learner {
	return newBatch(n.(*nn.Net), policy, threads)
}

func (a *lines) policies() bool { return false }

func (b *batch) gradient() network { return b.grad }

// sameShape returns an error if weights have another shape than they should.
func sameShape[S comparable](got, want S) error {
	if got != want {
		return fmt.Errorf("weights of shape %+v, want %+v", got, want)
	}
	return nil
}
