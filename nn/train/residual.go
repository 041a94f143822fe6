package train

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"kumiko/engine/board"
	"kumiko/nn"
	"kumiko/tournament/outfile"
)

// residual is the architecture of residual networks, which see planes.
type residual struct{ nn.ResidualShape }

func (a *residual) file() outfile.Kind {
	return outfile.Kind{Name: "a residual network", Match: nn.IsResidualFile}
}

func (a *residual) flags() []string {
	return []string{fmt.Sprintf("--blocks %d", a.Blocks), fmt.Sprintf("--channels %d", a.Channels), fmt.Sprintf("--head %d", a.Head)}
}

func (a *residual) random(name string, rng *rand.Rand) network {
	return nn.NewResidual(a.ResidualShape, name, rng)
}

func (a *residual) zero(name string) network { return nn.ZeroResidual(a.ResidualShape, name) }

func (a *residual) read(r io.Reader) (network, error) {
	n, err := nn.ReadResidual(r)
	if err != nil {
		return nil, err
	}
	return n, sameShape(n.ResidualShape, a.ResidualShape)
}

func (a *residual) learner(n network, policy float64, threads int) learner {
	return newResidualBatch(n.(*nn.Residual), policy, threads)
}

func (a *residual) policies() bool { return true }

// Planes are the input of towers as they are.
var _ [nn.InputChannels]float32 = [board.PlaneChannels]float32{}

// chunk is how many positions a shard evaluates at once. More need more memory: a tower
// keeps what it computes until it has the gradient.
const chunk = 16

// A residualBatch computes losses and gradients of positions.
type residualBatch struct {
	net, grad *nn.Residual
	policy    float32 // weight of the policy's loss
	threads   int
	tower     *nn.Tower
	parts     [shards]residualPart
}

// A residualPart is the work of one shard.
type residualPart struct {
	loss   losses
	grad   *nn.Residual
	space  nn.TowerWorkspace
	planes board.Planes
	order  []int // of positions, by the size of the board
	shares []share

	input               []float32 // [chunk][points][InputChannels]
	values, dvalues     []float32 // [chunk]
	policies, dpolicies []float32 // [chunk][points]
}

func newResidualBatch(net *nn.Residual, policy float64, threads int) *residualBatch {
	b := &residualBatch{
		net: net, grad: nn.ZeroResidual(net.ResidualShape, ""), policy: float32(policy), threads: threads,
		tower: nn.NewTower(net, true),
	}
	for i := range b.parts {
		p := &b.parts[i]
		p.grad = nn.ZeroResidual(net.ResidualShape, "")
		p.values, p.dvalues = make([]float32, chunk), make([]float32, chunk)
	}
	return b
}

func (b *residualBatch) gradient() network { return b.grad }

func (b *residualBatch) run(from *set, list []position, learn bool) losses {
	b.tower.Update()
	each(b.threads, func(i int) {
		p := &b.parts[i]
		p.loss = losses{}
		clearWeights(p.grad)
		lo, hi := span(len(list), i)
		b.shard(p, from, list[lo:hi], learn)
	})
	var sum losses
	for i := range b.parts {
		sum.add(b.parts[i].loss)
	}
	if !learn {
		return sum
	}
	var grads [shards]network
	for i := range b.parts {
		grads[i] = b.parts[i].grad
	}
	addShards(b.grad, &grads, len(list))
	return sum
}

// shard adds the losses of positions, and their gradients if learn is set. Towers take
// positions on boards of one size.
func (b *residualBatch) shard(p *residualPart, from *set, list []position, learn bool) {
	p.order = p.order[:0]
	for i := range list {
		p.order = append(p.order, i)
	}
	size := func(i int) int {
		at := list[i].stones
		return int(from.stones[at])<<8 | int(from.stones[at+1])
	}
	slices.SortStableFunc(p.order, func(i, k int) int { return cmp.Compare(size(i), size(k)) })
	for rest := p.order; len(rest) > 0; {
		n := 1
		for n < min(len(rest), chunk) && size(rest[n]) == size(rest[0]) {
			n++
		}
		b.chunk(p, from, list, rest[:n], learn)
		rest = rest[n:]
	}
}

// chunk is shard for positions on boards of one size.
func (b *residualBatch) chunk(p *residualPart, from *set, list []position, order []int, learn bool) {
	first := from.grid(&list[order[0]])
	size := nn.Grid{Height: first.height, Width: first.width}
	points := size.Points()
	p.input = resize(p.input, len(order)*points*nn.InputChannels)
	p.policies, p.dpolicies = resize(p.policies, len(order)*points), resize(p.dpolicies, len(order)*points)
	for k, i := range order {
		g := from.grid(&list[i])
		p.planes.Data = p.input[k*points*nn.InputChannels:][: 0 : points*nn.InputChannels]
		g.encode(&p.planes, &list[i])
	}
	if learn {
		b.tower.ForwardKeep(p.values, p.policies, p.input, size, &p.space)
	} else {
		b.tower.Forward(p.values, p.policies, p.input, size, &p.space)
	}
	for k, i := range order {
		pos := &list[i]
		p.dvalues[k] = p.loss.addValue(p.values[k], pos.target)
		logits, d := p.policies[k*points:][:points], p.dpolicies[k*points:][:points]
		if pos.move == board.NoMove {
			clear(d)
			continue
		}
		g := from.grid(pos)
		for _, stones := range g.stones {
			g.each(stones, pos.sym, func(m board.Move) { logits[m.Y()*g.width+m.X()] = impossible })
		}
		p.shares = g.shares(p.shares[:0], pos)
		p.loss.addPolicy(logits, p.shares)
		for j, v := range logits {
			d[j] = v * b.policy
		}
		for _, s := range p.shares {
			d[s.point] -= b.policy * s.share
		}
	}
	if learn {
		b.tower.Backward(p.grad, p.dvalues, p.dpolicies, &p.space)
	}
}

// encode sets the planes to a position in its symmetry.
func (g *grid) encode(to *board.Planes, p *position) {
	to.Clear(g.width, g.height, board.Color(p.side))
	for c, stones := range g.stones {
		g.each(stones, p.sym, func(m board.Move) { to.Stone(m, board.Color(c)) })
	}
	to.Last(g.turn(p.last, p.sym))
	g.each(g.marked, p.sym, to.Forbid)
}

// each calls f with the points of coordinates in a symmetry.
func (g *grid) each(coordinates []uint8, sym uint8, f func(m board.Move)) {
	for k := 0; k < len(coordinates); k += 2 {
		f(g.turn(board.Pt(int(coordinates[k]), int(coordinates[k+1])), sym))
	}
}

// turn returns a point in a symmetry. All numbers of symmetries divide maxSymmetries, so
// none is preferred.
func (g *grid) turn(m board.Move, sym uint8) board.Move {
	return board.Symmetry(m, g.width, g.height, int(sym)%board.Symmetries(g.width, g.height))
}

// shares appends the shares of the policy that a position teaches, the greatest first:
// the search's effort by move if it is known, or else its move.
func (g *grid) shares(dst []share, p *position) []share {
	add := func(m board.Move, n float32) {
		m = g.turn(m, p.sym)
		dst = append(dst, share{m.Y()*g.width + m.X(), n})
	}
	if len(g.policy) == 0 {
		add(p.move, 1)
		return dst
	}
	first := len(dst)
	var total float32
	g.eachPolicy(func(m board.Move, n uint16) {
		add(m, float32(n))
		total += float32(n)
		if last := len(dst) - 1; dst[last].share > dst[first].share {
			dst[first], dst[last] = dst[last], dst[first]
		}
	})
	for i := range dst[first:] {
		dst[first+i].share /= total
	}
	return dst
}
