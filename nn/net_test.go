package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A grid is a position: what its points hold in the view of side 0, and which of them
// are marked.
type grid struct {
	width, height int
	points        []int
	marked        []bool
}

// randomGrid returns a grid of which about half the points are empty.
func randomGrid(rng *rand.Rand, width, height int) grid {
	g := grid{width, height, make([]int, width*height), make([]bool, width*height)}
	for i := range g.points {
		if rng.IntN(2) == 0 {
			g.points[i] = 1 + rng.IntN(2)
		}
	}
	for i := range g.marked {
		g.marked[i] = rng.IntN(6) == 0
	}
	return g
}

// steps are the four directions.
var steps = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// half returns what the points of a half line hold, nearest to point p first.
func (g grid) half(reach, p, dx, dy int) (points []int) {
	x, y := p%g.width, p/g.width
	for range reach {
		x, y = x+dx, y+dy
		if x < 0 || x >= g.width || y < 0 || y >= g.height {
			break
		}
		points = append(points, g.points[y*g.width+x])
	}
	return points
}

// codes returns the codes of the lines through a point.
func (g grid) codes(reach, p int) (codes [4]uint32) {
	for d, s := range steps {
		codes[d] = LineCode(reach, g.points[p], HalfLine(g.half(reach, p, s[0], s[1])), HalfLine(g.half(reach, p, -s[0], -s[1])))
	}
	return codes
}

// seenBy returns the grid in the view of a side.
func (g grid) seenBy(side int) grid {
	points := slices.Clone(g.points)
	for i, p := range points {
		if side == 1 {
			points[i] = []int{Empty, Other, Own}[p]
		}
	}
	return grid{g.width, g.height, points, g.marked}
}

// slowDense returns bias + x·w.
func slowDense(bias, x, w []float32) []float32 {
	out := slices.Clone(bias)
	for j := range out {
		for l, v := range x {
			out[j] = mulAdd(v, w[l*len(out)+j], out[j])
		}
	}
	return out
}

func relu(x []float32) []float32 {
	for j, v := range x {
		x[j] = max(v, 0)
	}
	return x
}

// slowRow computes the row of a line by convolution.
func slowRow(n *Net, p *Params, center int, halves ...[]int) []float32 {
	var sums [2][]float32
	for i, points := range halves {
		sums[i] = make([]float32, n.Hidden)
		for d := range n.Reach {
			kind := 2 // off the grid
			if d < len(points) {
				kind = points[d] - 1
			}
			for j := range sums[i] {
				if kind >= 0 {
					sums[i][j] += p.Tap[(3*d+kind)*n.Hidden+j]
				}
			}
		}
	}
	h1 := make([]float32, n.Hidden)
	for j := range h1 {
		h1[j] = p.Center[center*n.Hidden+j] + (sums[0][j] + sums[1][j])
	}
	row := slowDense(p.RowBias, relu(slowDense(p.MidBias, relu(h1), p.Mid)), p.Row)
	for j, v := range row {
		row[j] = rounded(v)
	}
	return row
}

// rounded is what is baked of a weight.
func rounded(v float32) float32 {
	return max(-RowBound, min(RowBound, float32(math.RoundToEven(float64(v)*1024)/1024)))
}

// slowFeatures returns f of every point in the view of a side, by convolution along
// the lines of the grid, and the pool.
func slowFeatures(n *Net, g grid, side int) (features [][]float32, pool []float32) {
	p := &n.Sets[side%n.Sides]
	g = g.seenBy(side)
	nothing := make([]int, n.Reach)
	idle := slowRow(n, p, Empty, nothing, nothing)
	pool = make([]float32, n.Channels)
	for at, center := range g.points {
		sum := make([]float32, n.Channels)
		for _, s := range steps {
			for j, v := range slowRow(n, p, center, g.half(n.Reach, at, s[0], s[1]), g.half(n.Reach, at, -s[0], -s[1])) {
				sum[j] += v
			}
		}
		if n.Marks > 0 && g.marked[at] {
			for j, v := range p.Mark {
				sum[j] += rounded(v)
			}
		}
		features = append(features, relu(sum))
		for j := range pool {
			pool[j] += sum[j] - max(4*idle[j], 0)
		}
	}
	for j := range pool {
		pool[j] /= 16
	}
	return features, pool
}

// An evaluation is what a network says of a grid, by the side to move.
type evaluation struct {
	value  [2]float32
	policy [2][]float32
}

// slowEvaluate computes a network on a grid by its definition.
func slowEvaluate(n *Net, g grid, prior float32) (e evaluation) {
	var features [2][][]float32
	var pool [2][]float32
	for side := range 2 {
		features[side], pool[side] = slowFeatures(n, g, side)
	}
	for side := range 2 {
		p := &n.Sets[side%n.Sides]
		v1 := relu(slowDense(p.B1, append(slices.Clone(pool[side]), pool[1-side]...), p.V1))
		v2 := relu(slowDense(p.B2, v1, p.V2))
		e.value[side] = slowValue(p, v2, prior)
		for at := range g.points {
			e.policy[side] = append(e.policy[side], slowPolicy(p, features[side][at], features[1-side][at]))
		}
	}
	return e
}

// slowValue computes the last layer of the value.
func slowValue(p *Params, v2 []float32, prior float32) float32 {
	return mulAdd(prior, p.Prior[0], p.B3[0]) + slowDot(v2, p.V3)
}

// slowPolicy computes the policy's logit of a point.
func slowPolicy(p *Params, own, other []float32) float32 {
	return slowDot(slices.Concat(own, other), p.Policy)
}

// slowDot multiplies vectors. Eight sums take turns.
func slowDot(x, w []float32) float32 {
	var s [8]float32
	for j := range x {
		s[j%8] = mulAdd(x[j], w[j], s[j%8])
	}
	return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
}

// A player keeps an accumulator up to date with a grid.
type player struct {
	sums   *Accumulator
	codes  [][4]uint32
	marked []bool
}

// start adds the points of a grid.
func start(sums *Accumulator, g grid) *player {
	p := &player{sums: sums, codes: make([][4]uint32, len(g.points)), marked: make([]bool, len(g.points))}
	sums.Reset()
	for at := range g.points {
		p.codes[at] = g.codes(sums.Reach(), at)
		sums.Add(at, &p.codes[at])
	}
	p.mark(g)
	return p
}

// mark marks the points of a grid.
func (p *player) mark(g grid) {
	if !p.sums.Marks() {
		return
	}
	for at, on := range g.marked {
		if on != p.marked[at] {
			p.sums.Mark(int32(at), on)
			p.marked[at] = on
		}
	}
}

// follow applies the changes that lead to another grid of the same size, in any order.
func (p *player) follow(rng *rand.Rand, g grid) {
	var changes []Change
	for at := range g.points {
		for d, code := range g.codes(p.sums.Reach(), at) {
			if old := &p.codes[at][d]; *old != code {
				changes = append(changes, Change{int32(at), 0, *old, code})
				*old = code
			}
		}
	}
	rng.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
	p.sums.Apply(changes)
	p.mark(g)
}

// evaluate asks for everything.
func (p *player) evaluate(prior float32) (e evaluation) {
	var all []int32
	for at := range p.codes {
		all = append(all, int32(at))
	}
	for side := range 2 {
		e.value[side] = p.sums.Value(side, prior)
		e.policy[side] = make([]float32, len(all))
		p.sums.Policy(side, all, e.policy[side])
	}
	return e
}

// sameEvaluation compares evaluations bit by bit.
func sameEvaluation(t *testing.T, got, want evaluation) {
	t.Helper()
	for side := range 2 {
		if math.Float32bits(got.value[side]) != math.Float32bits(want.value[side]) {
			t.Fatalf("side %d: value %v, want %v", side, got.value[side], want.value[side])
		}
		for i, w := range want.policy[side] {
			if g := got.policy[side][i]; math.Float32bits(g) != math.Float32bits(w) {
				t.Fatalf("side %d: policy of point %d is %v, want %v", side, i, g, w)
			}
		}
	}
}

// eachTestKernel runs a test with accumulators of every kernel.
func eachTestKernel(t *testing.T, f func(t *testing.T, use func(*Accumulator) *Accumulator)) {
	for _, k := range kernels {
		t.Run("kernel="+k.name, func(t *testing.T) {
			f(t, func(a *Accumulator) *Accumulator {
				a.k = k
				return a
			})
		})
	}
}

// TestConvolution compares baked rows and incremental sums with the convolution that
// they stand for, on grids of all sizes.
func TestConvolution(t *testing.T) {
	for _, s := range []Shape{
		{Reach: 4, Hidden: 16, Channels: 16, Dense: 16, Sides: 1},
		{Reach: 4, Hidden: 24, Channels: 8, Dense: 32, Sides: 2},
		{Reach: 5, Hidden: 8, Channels: 16, Dense: 8, Sides: 2},
		{Reach: 3, Hidden: 8, Channels: 24, Dense: 8, Sides: 2, Marks: 1},
		{Reach: 2, Hidden: 8, Channels: 8, Dense: 8, Sides: 1, Marks: 1},
		{Reach: 5, Hidden: 8, Channels: 24, Dense: 24, Sides: 1},
	} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			t.Parallel()
			n := randomNet(s, "")
			tables := n.Bake()
			eachTestKernel(t, func(t *testing.T, use func(*Accumulator) *Accumulator) {
				rng := rand.New(rand.NewPCG(1, 2))
				sums := use(NewAccumulator(tables, 20*20))
				for size := 5; size <= 20; size++ {
					g := randomGrid(rng, size, size)
					if size%4 == 0 {
						g = randomGrid(rng, size, 5+rng.IntN(16))
					}
					p := start(sums, g)
					for range 2 {
						for range 1 + rng.IntN(8) {
							g.points[rng.IntN(len(g.points))] = rng.IntN(3)
							g.marked[rng.IntN(len(g.points))] = rng.IntN(2) == 0
							p.follow(rng, g)
						}
						prior := float32(rng.NormFloat64())
						sameEvaluation(t, p.evaluate(prior), slowEvaluate(n, g, prior))
					}
				}
			})
		})
	}
}

// TestOrder plays long games in which moves come and go: the sums do not drift.
func TestOrder(t *testing.T) {
	n := randomNet(Shape{Reach: 4, Hidden: 8, Channels: 16, Dense: 16, Sides: 1, Marks: 1}, "")
	tables := n.Bake()
	eachTestKernel(t, func(t *testing.T, use func(*Accumulator) *Accumulator) {
		rng := rand.New(rand.NewPCG(1, 2))
		g := randomGrid(rng, 20, 20)
		p := start(use(NewAccumulator(tables, len(g.points))), g)
		for range 300 {
			g.points[rng.IntN(len(g.points))] = rng.IntN(3)
			g.marked[rng.IntN(len(g.points))] = rng.IntN(2) == 0
			p.follow(rng, g)
		}
		fresh := start(use(NewAccumulator(tables, len(g.points))), g)
		for j, v := range fresh.sums.pool {
			if p.sums.pool[j] != v {
				t.Fatalf("the pool of channel %d is %v, want %v", j, p.sums.pool[j], v)
			}
		}
		sameEvaluation(t, p.evaluate(0.5), fresh.evaluate(0.5))
	})
}

// TestSymmetries turns and mirrors a grid: its evaluation turns with it. It also
// exchanges the sides.
func TestSymmetries(t *testing.T) {
	const size = 11
	n := randomNet(Shape{Reach: 4, Hidden: 16, Channels: 16, Dense: 16, Sides: 1}, "")
	tables := n.Bake()
	rng := rand.New(rand.NewPCG(1, 2))
	g := randomGrid(rng, size, size)
	want := start(NewAccumulator(tables, size*size), g).evaluate(1)
	for symmetry := range 8 {
		turned := grid{size, size, make([]int, size*size), make([]bool, size*size)}
		there := make([]int, size*size)
		for at := range g.points {
			x, y := at%size, at/size
			if symmetry&1 != 0 {
				x = size - 1 - x
			}
			if symmetry&2 != 0 {
				y = size - 1 - y
			}
			if symmetry&4 != 0 {
				x, y = y, x
			}
			there[at] = y*size + x
			turned.points[there[at]] = g.points[at]
		}
		got := start(NewAccumulator(tables, size*size), turned).evaluate(1)
		back := evaluation{value: got.value}
		for side := range 2 {
			for at := range g.points {
				back.policy[side] = append(back.policy[side], got.policy[side][there[at]])
			}
		}
		sameEvaluation(t, back, want)
	}
	other := start(NewAccumulator(tables, size*size), g.seenBy(1)).evaluate(1)
	slices.Reverse(other.value[:])
	slices.Reverse(other.policy[:])
	sameEvaluation(t, other, want)
}

// TestIdleLand checks that points that nothing is near do not count.
func TestIdleLand(t *testing.T) {
	n := randomNet(Shape{Reach: 5, Hidden: 16, Channels: 16, Dense: 16, Sides: 2}, "")
	a := NewAccumulator(n.Bake(), 400)
	idle := IdleCode(5)
	for p := range 400 {
		a.Add(p, &[4]uint32{idle, idle, idle, idle})
	}
	for j, v := range a.pool {
		if v != 0 {
			t.Errorf("the pool of channel %d is %v", j, v)
		}
	}
}

// TestBounds checks that rows are bounded multiples of the grain, even those of a
// network whose weights are absurd.
func TestBounds(t *testing.T) {
	n := randomNet(Shape{Reach: 2, Hidden: 16, Channels: 8, Dense: 8, Sides: 1}, "")
	for j := range n.Sets[0].Row {
		n.Sets[0].Row[j] *= 100
	}
	bounded := 0
	for i, v := range n.Bake().rows {
		if v < -RowBound || v > RowBound || v*1024 != float32(math.Trunc(float64(v*1024))) {
			t.Fatalf("float %d of the rows is %v", i, v)
		}
		if v == RowBound || v == -RowBound {
			bounded++
		}
	}
	if bounded == 0 {
		t.Error("no row was bounded")
	}
}

// TestAbsurdWeights evaluates a network whose convolution overflows: a file may hold
// it, and rows must be numbers.
func TestAbsurdWeights(t *testing.T) {
	n := randomNet(Shape{Reach: 3, Hidden: 16, Channels: 8, Dense: 8, Sides: 1}, "")
	for j, w := range n.Sets[0].Tap {
		n.Sets[0].Tap[j] = float32(math.Copysign(math.MaxFloat32, float64(w)))
	}
	for i, v := range n.Bake().rows {
		if !(v >= -RowBound && v <= RowBound) {
			t.Fatalf("float %d of the rows is %v", i, v)
		}
	}
}

// TestPinned pins the function, so that networks in files keep their meaning.
func TestPinned(t *testing.T) {
	n := randomNet(Shape{Reach: 4, Hidden: 16, Channels: 8, Dense: 16, Sides: 2}, "")
	tables := n.Bake()
	eachTestKernel(t, func(t *testing.T, use func(*Accumulator) *Accumulator) {
		g := randomGrid(rand.New(rand.NewPCG(1, 2)), 15, 15)
		e := start(use(NewAccumulator(tables, len(g.points))), g).evaluate(-0.25)
		got := fmt.Sprint(e.value, e.policy[0][112], e.policy[1][112])
		if want := "[-2.9061728 4.2958646] -0.63327724 0.7437353"; got != want {
			t.Errorf("values and policies %s, want %s", got, want)
		}
	})
}

// TestAllocations checks that evaluating allocates nothing.
func TestAllocations(t *testing.T) {
	n := randomNet(playShape, "")
	tables := n.Bake()
	eachTestKernel(t, func(t *testing.T, use func(*Accumulator) *Accumulator) {
		rng := rand.New(rand.NewPCG(1, 2))
		g := randomGrid(rng, 15, 15)
		sums := use(NewAccumulator(tables, len(g.points)))
		codes := start(sums, g).codes
		changes := []Change{{3, 0, codes[3][0], 17}, {200, 0, codes[200][1], 4711}}
		points, dst := []int32{0, 7, 224}, make([]float32, 3)
		if count := testing.AllocsPerRun(100, func() {
			sums.Reset()
			for at := range codes {
				sums.Add(at, &codes[at])
			}
			sums.Apply(changes)
			sums.Value(1, 0.5)
			sums.Policy(1, points, dst)
		}); count != 0 {
			t.Errorf("%v allocations", count)
		}
	})
}

// TestShape refuses what kernels and files cannot hold.
func TestShape(t *testing.T) {
	if err := playShape.Check(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		shape Shape
		want  string
	}{
		{Shape{}, "reach must be 1 to 5, got 0"},
		{Shape{6, 64, 16, 16, 1, 0}, "reach must be 1 to 5, got 6"},
		{Shape{4, 60, 16, 16, 1, 0}, "hidden channels must be a multiple of 8 up to 256, got 60"},
		{Shape{4, 64, -8, 16, 1, 0}, "channels must be a multiple of 8 up to 128, got -8"},
		{Shape{4, 64, 16, 136, 1, 0}, "dense width must be a multiple of 8 up to 128, got 136"},
		{Shape{4, 64, 16, 16, 1, 2}, "marks must be 0 or 1, got 2"},
		{Shape{4, 64, 16, 16, 0, 0}, "sides must be 1 or 2, got 0"},
	} {
		if err := c.shape.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.shape, err, c.want)
		}
	}
}

// TestNew checks that a new network leaves the prior as it is.
func TestNew(t *testing.T) {
	for _, sides := range []int{1, 2} {
		n := New(Shape{Reach: 4, Hidden: 16, Channels: 16, Dense: 16, Sides: sides}, "", rand.New(rand.NewPCG(1, 2)))
		g := randomGrid(rand.New(rand.NewPCG(1, 2)), 15, 15)
		e := start(NewAccumulator(n.Bake(), len(g.points)), g).evaluate(0.75)
		if e.value != [2]float32{0.75, 0.75} || slices.Max(e.policy[0]) != 0 || slices.Min(e.policy[1]) != 0 {
			t.Errorf("%d sides: values %v, policies up to %v", sides, e.value, slices.Max(e.policy[0]))
		}
	}
}
