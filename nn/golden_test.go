package nn

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"kumiko/nn/nntest"
)

// goldenTolerance is what the golden tests allow for the rounding of float32, as a part
// of the greatest magnitude.
const goldenTolerance = 1e-5

// TestGoldenLayers compares layers and their gradients with PyTorch's.
func TestGoldenLayers(t *testing.T) {
	const n = 3
	grid := Grid{Height: 7, Width: 5}
	points := grid.Points()
	golden := nntest.Read(t, "testdata/layers.golden")
	get := golden.Get
	compare := func(name string, got []float32) {
		t.Helper()
		golden.Compare(name, got, goldenTolerance)
	}
	zeros := func(n int) []float32 { return make([]float32, n) }
	var w Workspace

	{
		const in, out = 8, 24
		dst, transformed := zeros(n*points*out), zeros(Conv3x3Size(in, out))
		Conv3x3Weights(transformed, get("conv.weights"), in, out, &w)
		Conv3x3(dst, get("conv.src"), transformed, grid, in, out, &w)
		compare("conv.dst", dst)
		dsrc, turned := zeros(n*points*in), zeros(Conv3x3Size(out, in))
		Conv3x3WeightsT(turned, get("conv.weights"), in, out, &w)
		Conv3x3(dsrc, get("conv.ddst"), turned, grid, out, in, &w)
		compare("conv.dsrc", dsrc)
		dweights := zeros(9 * in * out)
		Conv3x3Grad(dweights, get("conv.src"), get("conv.ddst"), grid, in, out, &w)
		compare("conv.dweights", dweights)
	}
	{
		const c = 16
		dst, dsrc, dweights := zeros(n*points*c), zeros(n*points*c), zeros(9*c)
		Depthwise3x3(dst, get("depthwise.src"), get("depthwise.weights"), grid, c)
		compare("depthwise.dst", dst)
		Depthwise3x3Source(dsrc, get("depthwise.ddst"), get("depthwise.weights"), grid, c)
		compare("depthwise.dsrc", dsrc)
		Depthwise3x3Grad(dweights, get("depthwise.src"), get("depthwise.ddst"), grid, c)
		compare("depthwise.dweights", dweights)
	}
	{
		const rows, in, out = 5, 24, 16
		dst := zeros(rows * out)
		Dense(dst, get("dense.src"), get("dense.weights"), get("dense.bias"), in, out, true)
		compare("dense.dst", dst)
		ddst := append([]float32(nil), get("dense.ddst")...)
		ReluGrad(ddst, dst)
		dbias, dweights, dsrc, turned := zeros(out), zeros(in*out), zeros(rows*in), zeros(in*out)
		BiasGrad(dbias, ddst)
		compare("dense.dbias", dbias)
		MatMulT(dweights, get("dense.src"), ddst, in, rows, out)
		compare("dense.dweights", dweights)
		Transpose(turned, get("dense.weights"), in, out)
		MatMul(dsrc, ddst, turned, rows, out, in)
		compare("dense.dsrc", dsrc)
	}
	{
		dst := zeros(len(get("addrelu.a")))
		AddRelu(dst, get("addrelu.a"), get("addrelu.b"))
		compare("addrelu.dst", dst)
		grads := append([]float32(nil), get("addrelu.ddst")...)
		ReluGrad(grads, dst)
		compare("addrelu.da", grads)
		compare("addrelu.db", grads)
	}
	{
		const c = 8
		dst, dsrc := zeros(n*2*c), zeros(n*points*c)
		PoolBoard(dst, get("board.src"), points, c)
		compare("board.dst", dst)
		PoolBoardGrad(dsrc, get("board.src"), dst, get("board.ddst"), points, c)
		compare("board.dsrc", dsrc)
	}
	{
		const c, r = 8, 3
		dst, dsrc := zeros(n*r*r*c), zeros(n*points*c)
		PoolRegions(dst, get("regions.src"), grid, c, r)
		compare("regions.dst", dst)
		PoolRegionsGrad(dsrc, get("regions.ddst"), grid, c, r)
		compare("regions.dsrc", dsrc)
	}
}

// TestGoldenNets compares networks from files that Go did not write with what PyTorch
// computes of the same weights by two-dimensional convolutions.
func TestGoldenNets(t *testing.T) {
	golden := nntest.Read(t, "testdata/nets.golden")
	for name, rule := range map[string]string{"plain": "freestyle", "marked": "renju"} {
		data, err := os.ReadFile("testdata/" + name + ".net")
		if err != nil {
			t.Fatal(err)
		}
		n, err := ReadFor(bytes.NewReader(data), rule)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(fileOf(t, n), data) {
			t.Errorf("%s: Write gives other bytes than golden.py", name)
		}
		tables := n.Bake()
		for _, size := range [][2]int{{15, 15}, {20, 20}, {6, 9}} {
			at := fmt.Sprintf("%s.%dx%d", name, size[0], size[1])
			g := grid{width: size[1], height: size[0], points: make([]int, size[0]*size[1]), marked: make([]bool, size[0]*size[1])}
			for i := range g.points {
				g.points[i] = int(golden.Get(at + ".black")[i]) + 2*int(golden.Get(at + ".white")[i])
				g.marked[i] = golden.Get(at + ".marked")[i] != 0
			}
			p := start(NewAccumulator(tables, len(g.points)), g)
			for side := range 2 {
				got := p.evaluate(golden.Get(fmt.Sprintf("%s.prior%d", at, side))[0])
				golden.Compare(fmt.Sprintf("%s.value%d", at, side), got.value[side:][:1], goldenTolerance)
				golden.Compare(fmt.Sprintf("%s.policy%d", at, side), got.policy[side], goldenTolerance)
			}
		}
	}
}
