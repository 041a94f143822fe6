package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomResidual returns a network without a zero weight.
func randomResidual(rng *rand.Rand, s ResidualShape) *Residual {
	n := NewResidual(s, "test", rng)
	for _, t := range n.Tensors() {
		for j := range *t.Data {
			(*t.Data)[j] += float32(rng.NormFloat64()) / 16
		}
	}
	return n
}

// randomPlanes returns an input whose unused channels are not zero.
func randomPlanes(rng *rand.Rand, n int, g Grid) []float32 {
	x := normal(rng, n*g.Points()*InputChannels)
	for i := range x {
		if rng.IntN(2) == 0 {
			x[i] = 0
		}
	}
	return x
}

// slowResidual computes the definition of a network, point by point in float64.
func slowResidual(n *Residual, planes []float32, g Grid) (values, policies []float64) {
	c := n.Channels
	for ; len(planes) > 0; planes = planes[g.Points()*InputChannels:] {
		var x []float64
		for p := range g.Points() {
			x = append(x, double(planes[p*InputChannels:][:n.Planes])...)
		}
		x = slowRelu(addRows(slowConv3x3(x, double(n.Stem), g, n.Planes, c), n.StemBias))
		for b := range n.Blocks {
			weights := func(all []float32) []float64 { return double(all[b*9*c*c:][:9*c*c]) }
			y := slowRelu(addRows(slowConv3x3(x, weights(n.First), g, c, c), n.Bias1[b*c:][:c]))
			z := addRows(slowConv3x3(y, weights(n.Second), g, c, c), n.Bias2[b*c:][:c])
			for i := range x {
				z[i] += x[i]
			}
			x = slowRelu(z)
		}
		pool := slowPoolBoard(x, g.Points(), c)
		v := slowRelu(slowDenseLayer(pool, double(n.V1), double(n.V1Bias), 2*c, n.Head))
		values = append(values, float64(n.V2Bias[0])+product(v, double(n.V2)))
		bias := slowDenseLayer(pool, double(n.Pool), double(n.P1Bias), 2*c, n.Head)
		hidden := slowRelu(slowDenseLayer(x, double(n.P1), bias, c, n.Head))
		for p := range g.Points() {
			policies = append(policies, product(hidden[p*n.Head:][:n.Head], double(n.P2)))
		}
	}
	return values, policies
}

// addRows adds bias to every row of x.
func addRows(x []float64, bias []float32) []float64 {
	for i := range x {
		x[i] += float64(bias[i%len(bias)])
	}
	return x
}

// anyResidual returns a small random network and a batch for it.
func anyResidual(rng *rand.Rand) (n *Residual, g Grid, planes []float32) {
	n = randomResidual(rng, ResidualShape{Planes: 1 + rng.IntN(8), Blocks: 1 + rng.IntN(3), Channels: anyChannels(rng, 3), Head: anyChannels(rng, 2)})
	g = Grid{5 + rng.IntN(8), 5 + rng.IntN(8)}
	return n, g, randomPlanes(rng, 1+rng.IntN(6), g)
}

// TestResidualForward compares networks with their definition, for every kernel and with
// one workspace for all.
func TestResidualForward(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var w TowerWorkspace
	for range 12 {
		n, g, planes := anyResidual(rng)
		wantValues, wantPolicies := slowResidual(n, planes, g)
		for _, k := range kernels {
			values, wholeV := buffer(rng, len(wantValues))
			policies, wholeP := buffer(rng, len(wantPolicies))
			what := fmt.Sprintf("%s, %+v, %v", k.name, n.ResidualShape, g)
			tower := newTower(k, n, false)
			tower.Forward(values, policies, planes, g, &w)
			near(t, what+": values", values, wantValues, 1e-4)
			near(t, what+": policies", policies, wantPolicies, 1e-4)
			guarded(t, what, wholeV)
			guarded(t, what, wholeP)
		}
	}
}

// TestResidualBatch evaluates each position of a batch alone: the bits are the same.
func TestResidualBatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	n := randomResidual(rng, ResidualShape{4, 2, 16, 8})
	g := Grid{9, 11}
	const batch = 13
	planes := randomPlanes(rng, batch, g)
	tower := NewTower(n, false)
	var w TowerWorkspace
	values, policies := make([]float32, batch), make([]float32, batch*g.Points())
	tower.Forward(values, policies, planes, g, &w)
	value, policy := make([]float32, 1), make([]float32, g.Points())
	for i := range batch {
		tower.Forward(value, policy, planes[i*g.Points()*InputChannels:][:g.Points()*InputChannels], g, &w)
		if value[0] != values[i] || !slices.Equal(policy, policies[i*g.Points():][:g.Points()]) {
			t.Errorf("position %d alone: %v, in the batch %v", i, value[0], values[i])
		}
	}
}

// TestResidualKernels compares values, policies and gradients by every kernel with the
// generic one's, bit by bit.
func TestResidualKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 6 {
		n, g, planes := anyResidual(rng)
		batch := len(planes) / (g.Points() * InputChannels)
		dvalues, dpolicies := normal(rng, batch), normal(rng, batch*g.Points())
		var first [][]float32
		for i, k := range kernels {
			tower := newTower(k, n, true)
			var w TowerWorkspace
			values, policies := make([]float32, batch), make([]float32, batch*g.Points())
			grad := ZeroResidual(n.ResidualShape, "")
			tower.ForwardKeep(values, policies, planes, g, &w)
			tower.Backward(grad, dvalues, dpolicies, &w)
			all := [][]float32{values, policies}
			for _, tensor := range grad.Tensors() {
				all = append(all, *tensor.Data)
			}
			if i == 0 {
				first = all
			}
			for j := range all {
				sameBits(t, fmt.Sprintf("%s: part %d", k.name, j), all[j], first[j])
			}
		}
	}
}

// TestResidualGradients compares the gradient of every tensor with finite differences
// of the definition, and adds it twice.
func TestResidualGradients(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var w TowerWorkspace
	for range 3 {
		n := randomResidual(rng, ResidualShape{4, 1 + rng.IntN(2), 8, 8})
		g := Grid{5 + rng.IntN(3), 5 + rng.IntN(3)}
		batch := 1 + rng.IntN(5)
		planes := randomPlanes(rng, batch, g)
		dvalues, dpolicies := normal(rng, batch), normal(rng, batch*g.Points())
		loss := func() float64 {
			values, policies := slowResidual(n, planes, g)
			return product(values, double(dvalues)) + product(policies, double(dpolicies))
		}
		tower := NewTower(n, true)
		grad := ZeroResidual(n.ResidualShape, "")
		for range 2 {
			tower.ForwardKeep(make([]float32, batch), make([]float32, batch*g.Points()), planes, g, &w)
			tower.Backward(grad, dvalues, dpolicies, &w)
		}
		grads := grad.Tensors()
		for i, tensor := range n.Tensors() {
			d := double(*grads[i].Data)
			scale := math.Sqrt(product(d, d)/float64(len(d))) / 2
			if scale == 0 {
				t.Errorf("%s: no weight has a gradient", tensor.Name)
			}
			bad := 0
			for range min(12, tensor.Size) {
				j := rng.IntN(tensor.Size)
				p := &(*tensor.Data)[j]
				old := *p
				*p = old + 1e-4
				more, high := loss(), float64(*p)
				*p = old - 1e-4
				less, low := loss(), float64(*p)
				*p = old
				if want := (more - less) / (high - low); math.Abs(d[j]/2-want) > 2e-3*scale+1e-3*math.Abs(want) {
					bad++
					t.Logf("%s[%d]: gradient %v, want %v, where they are about %.3g", tensor.Name, j, d[j]/2, want, scale)
				}
			}
			// A relu or a maximum may change within a difference, but rarely.
			if bad > 1 {
				t.Errorf("%s: %d wrong slopes", tensor.Name, bad)
			}
		}
	}
}

// TestResidualUpdate changes weights: towers follow when they are told.
func TestResidualUpdate(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	n := randomResidual(rng, ResidualShape{4, 2, 8, 8})
	g := Grid{7, 7}
	planes := randomPlanes(rng, 1, g)
	tower := NewTower(n, true)
	for _, tensor := range n.Tensors() {
		(*tensor.Data)[0]++
	}
	tower.Update()
	var got, want [2][]float32
	var w TowerWorkspace
	for i, tower := range []*Tower{tower, NewTower(n, true)} {
		values, policies := make([]float32, 1), make([]float32, g.Points())
		grad := ZeroResidual(n.ResidualShape, "")
		tower.ForwardKeep(values, policies, planes, g, &w)
		tower.Backward(grad, values, policies, &w)
		got[i], want[i] = append(values, policies...), grad.Stem
	}
	sameBits(t, "outputs", got[0], got[1])
	sameBits(t, "gradient", want[0], want[1])
}

// TestResidualStart pins that a new network is the stem and nothing else, whatever its
// height, so that no normalization is needed.
func TestResidualStart(t *testing.T) {
	g := Grid{15, 15}
	planes := randomPlanes(rand.New(rand.NewPCG(1, 1)), 1, g)
	for _, blocks := range []int{1, maxBlocks} {
		n := NewResidual(ResidualShape{4, blocks, 16, 8}, "test", rand.New(rand.NewPCG(1, 2)))
		values, policies := make([]float32, 1), make([]float32, g.Points())
		var w TowerWorkspace
		NewTower(n, true).ForwardKeep(values, policies, planes, g, &w)
		if values[0] != 0 || slices.ContainsFunc(policies, func(p float32) bool { return p != 0 }) {
			t.Errorf("%d blocks: value %v and policy are not zero", blocks, values[0])
		}
		size := g.Points() * 16
		sameBits(t, "the tower", w.x[blocks][:size], w.x[0][:size])
	}
}

// TestResidualAllocatesNothing evaluates and learns with a workspace that has grown.
func TestResidualAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	n := randomResidual(rng, ResidualShape{4, 2, 16, 8})
	tower, g := NewTower(n, true), Grid{9, 9}
	planes, values, policies := randomPlanes(rng, 8, g), make([]float32, 8), make([]float32, 8*g.Points())
	grad := ZeroResidual(n.ResidualShape, "")
	var w TowerWorkspace
	small := Grid{5, 6}
	for name, f := range map[string]func(){
		"Forward":          func() { tower.Forward(values, policies, planes, g, &w) },
		"Forward of fewer": func() { tower.Forward(values, policies, planes[:small.Points()*InputChannels], small, &w) },
		"Update":           tower.Update,
		"learning": func() {
			tower.ForwardKeep(values, policies, planes, g, &w)
			tower.Backward(grad, values, policies, &w)
		},
	} {
		if allocs := testing.AllocsPerRun(10, f); allocs > 0 {
			t.Errorf("%s allocates %v times", name, allocs)
		}
	}
}
