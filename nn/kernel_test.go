package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// guard surrounds the slices that kernels write to.
const guard = 12345.5

// buffer returns n random floats, special values among them, between guards and at an
// odd offset.
func buffer(rng *rand.Rand, n int) (data, whole []float32) {
	whole = slices.Repeat([]float32{guard}, n+2*lane+1)
	data = whole[lane+1 : lane+1+n : lane+1+n]
	special := []float32{0, float32(math.Copysign(0, -1)), 1e30, -1e30, math.SmallestNonzeroFloat32, 1}
	for i := range data {
		data[i] = float32(rng.NormFloat64())
		if rng.IntN(20) == 0 {
			data[i] = special[rng.IntN(len(special))]
		}
	}
	return data, whole
}

// sameBits compares what the kernels computed, guards included.
func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: element %d is %v (%#x), want %v (%#x)", what, i-lane-1, got[i], math.Float32bits(got[i]), want[i], math.Float32bits(want[i]))
		}
	}
}

// TestKernels compares every kernel with the generic one, bit by bit.
func TestKernels(t *testing.T) {
	generic := kernels[0]
	for _, k := range kernels[1:] {
		t.Run(k.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			for width := lane; width <= 10*lane; width += lane {
				for _, points := range []int{0, 1, 2, 3, 25, 81} {
					testPoints(t, rng, k, generic, width, points)
				}
			}
			for i := range 300 {
				m, l, n := rng.IntN(14), 1+rng.IntN(40), lane*(1+rng.IntN(8))
				if i%10 == 0 {
					l = 1 + rng.IntN(400) // more than fits a panel
				}
				a, _ := buffer(rng, m*l)
				b, _ := buffer(rng, l*n)
				got, gotAll := buffer(rng, m*n)
				_, wantAll := clone(gotAll, m*n)
				want := wantAll[lane+1:][:m*n]
				ai, al := l, 1
				if rng.IntN(2) == 0 {
					ai, al = 1, m
				}
				k.matMul(got, a, b, m, l, n, ai, al)
				generic.matMul(want, a, b, m, l, n, ai, al)
				sameBits(t, fmt.Sprintf("matMul %d %d %d", m, l, n), gotAll, wantAll)

				x, _ := buffer(rng, l)
				got, gotAll = buffer(rng, n)
				want, wantAll = clone(gotAll, n)
				k.vecMat(got, x, b)
				generic.vecMat(want, x, b)
				sameBits(t, fmt.Sprintf("vecMat %d %d", l, n), gotAll, wantAll)

				bias, _ := buffer(rng, n)
				k.dense(got, bias, x, b)
				generic.dense(want, bias, x, b)
				sameBits(t, fmt.Sprintf("dense %d %d", l, n), gotAll, wantAll)
			}
		})
	}
}

// clone returns a copy of a buffer of n floats.
func clone(whole []float32, n int) (data, copied []float32) {
	copied = slices.Clone(whole)
	return copied[lane+1:][:n:n], copied
}

// TestInputs checks that kernels leave what they only read as it is.
func TestInputs(t *testing.T) {
	const width, points = 2 * lane, 9
	for _, k := range kernels {
		rng := rand.New(rand.NewPCG(1, 2))
		var inputs, copies [][]float32
		input := func(n int) []float32 {
			data, whole := buffer(rng, n)
			inputs, copies = append(inputs, whole), append(copies, slices.Clone(whole))
			return data
		}
		output := func(n int) []float32 {
			data, _ := buffer(rng, n)
			return data
		}
		index := make([]uint32, 4*points)
		k.update(output(points*width), output(width), input(width), width, []Change{{Point: 3}, {Point: 8}})
		k.vecMat(output(width), input(points), input(points*width))
		k.dense(output(width), input(width), input(points), input(points*width))
		k.policy(output(2), input(points*width), input(width), []int32{0, 8}, width/2)
		k.lines(output(points*width), input(width), input(width), input(points*width))
		k.matMul(output(points*width), input(points*points), input(points*width), points, points, width, points, 1)
		k.matMul(output(points*width), input(points*points), input(points*width), points, points, width, 1, points)
		k.sumRows(output(points*width), input(width), index, width)
		k.addRows(output(width), input(points*width), index, width)
		k.mask(output(points*width), input(points*width), input(width), input(width), input(points))
		k.dots(output(points), input(points*width), input(width))
		p := pass{points, width, width, points * width, width, points * width}
		for _, f := range []func(dst, src []float32, p pass){k.tileSrc, k.tileDst, k.tileDstT, k.tileWeights, k.tileWeightsT} {
			f(output(6*points*width), input(6*points*width), p)
		}
		k.mulPanels(output(4*width), input(4*width), input(width*width), 4, width, width)
		k.addBias(output(points*width), input(width))
		k.addPoints(output(width), input(points*width))
		k.add(output(width), input(width))
		k.addRelu(output(width), input(width), input(width))
		k.reluGrad(output(width), input(width))
		k.depthwise(output(points*width), input(points*width), input(9*width), Grid{3, 3}, width, true)
		k.depthwiseGrad(output(9*width), input(points*width), input(points*width), Grid{3, 3}, width)
		k.pool(output(2*width), input(points*width))
		k.poolGrad(output(points*width), input(points*width), input(2*width), input(2*width))
		for i := range inputs {
			sameBits(t, fmt.Sprintf("%s: input %d", k.name, i), inputs[i], copies[i])
		}
	}
}

// TestNotFinite checks that what weights without measure lead to goes no further.
func TestNotFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := []float32{nan, inf, -inf, 1, -1, float32(math.Copysign(0, -1)), 0, -nan}
	zero := make([]float32, len(x))
	for _, k := range kernels {
		positive := []float32{0, inf, 0, 1, 0, 0, 0, 0}
		got := slices.Clone(x)
		k.relu(got)
		sameBits(t, k.name+" relu", got, positive)
		k.lines(got, zero, zero, x)
		sameBits(t, k.name+" lines", got, positive)
		copy(got, x)
		k.rectify(got, make([]float32, len(x)))
		sameBits(t, k.name+" rectify", got, positive)
		k.dense(got, x, nil, nil)
		sameBits(t, k.name+" dense", got, positive)
		k.addRelu(got, x, zero)
		sameBits(t, k.name+" addRelu", got, positive)
		ones := []float32{1, 1, 1, 1, 1, 1, 1, 1}
		k.reluGrad(ones, x)
		sameBits(t, k.name+" reluGrad", ones, []float32{0, 1, 0, 1, 0, 0, 0, 0})
		for _, round := range []bool{false, true} {
			copy(got, x)
			k.bound(got, round)
			sameBits(t, k.name+" bound", got, []float32{RowBound, RowBound, -RowBound, 1, -1, x[5], 0, RowBound})
		}
	}
}

// testPoints compares the kernels that work point by point.
func testPoints(t *testing.T, rng *rand.Rand, k, generic *kernel, width, points int) {
	t.Helper()
	const numRows = 17
	what := func(name string) string { return fmt.Sprintf("%s, width %d, %d points", name, width, points) }
	rows, rowsAll := buffer(rng, numRows*width)
	for i := range rows {
		if rng.IntN(4) > 0 || math.Abs(float64(rows[i])) > 1000 {
			rows[i] = float32(rng.IntN(8192)-4096) / 4096
		}
	}
	index := make([]uint32, 4*points)
	for i := range index {
		index[i] = uint32(rng.IntN(numRows))
	}
	weights, _ := buffer(rng, width)
	grads, _ := buffer(rng, points)

	// Sums, then everything that starts from them.
	got, gotAll := buffer(rng, points*width)
	want, wantAll := clone(gotAll, points*width)
	k.sumRows(got, rows, index, width)
	generic.sumRows(want, rows, index, width)
	sameBits(t, what("sumRows"), gotAll, wantAll)

	pool, poolAll := buffer(rng, width)
	pool2, poolAll2 := clone(poolAll, width)
	if points > 0 {
		changes := make([]Change, rng.IntN(50))
		for i := range changes {
			changes[i] = Change{int32(rng.IntN(points)), 0, uint32(rng.IntN(numRows)), uint32(rng.IntN(numRows))}
		}
		k.update(got, pool, rows, width, changes)
		generic.update(want, pool2, rows, width, changes)
		sameBits(t, what("update"), gotAll, wantAll)
		sameBits(t, what("update's pool"), poolAll, poolAll2)
	}

	if width%(2*lane) == 0 {
		some := make([]int32, points/2)
		for i := range some {
			some[i] = int32(rng.IntN(points))
		}
		own := rng.IntN(2) * width / 2
		out, outAll := buffer(rng, len(some))
		out2, outAll2 := clone(outAll, len(some))
		k.policy(out, got, weights, some, own)
		generic.policy(out2, got, weights, some, own)
		sameBits(t, what("policy"), outAll, outAll2)
	}

	lines, linesAll := buffer(rng, points*width)
	lines2, linesAll2 := clone(linesAll, points*width)
	k.lines(lines, weights, pool, got)
	generic.lines(lines2, weights, pool, got)
	sameBits(t, what("lines"), linesAll, linesAll2)

	for _, round := range []bool{false, true} {
		x, xAll := buffer(rng, points*width)
		x2, xAll2 := clone(xAll, points*width)
		k.bound(x, round)
		generic.bound(x2, round)
		sameBits(t, what("bound"), xAll, xAll2)
		k.relu(x)
		generic.relu(x2)
		sameBits(t, what("relu"), xAll, xAll2)
	}

	k.rectify(got, pool)
	generic.rectify(want, pool2)
	sameBits(t, what("rectify"), gotAll, wantAll)
	sameBits(t, what("rectify's pool"), poolAll, poolAll2)

	dst, dstAll := buffer(rng, points*width)
	dst2, dstAll2 := clone(dstAll, points*width)
	k.mask(dst, got, pool, weights, grads)
	generic.mask(dst2, got, pool, weights, grads)
	sameBits(t, what("mask"), dstAll, dstAll2)

	_, rowsAll2 := clone(rowsAll, numRows*width)
	k.addRows(rows, dst, index, width)
	generic.addRows(rowsAll2[lane+1:][:numRows*width], dst, index, width)
	sameBits(t, what("addRows"), rowsAll, rowsAll2)

	out, outAll := buffer(rng, points)
	out2, outAll2 := clone(outAll, points)
	k.dots(out, got, weights)
	generic.dots(out2, got, weights)
	sameBits(t, what("dots"), outAll, outAll2)
}
