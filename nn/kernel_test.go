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
			for range 300 {
				m, l, n := rng.IntN(14), 1+rng.IntN(40), lane*(1+rng.IntN(8))
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
			}
		})
	}
}

// clone returns a copy of a buffer of n floats.
func clone(whole []float32, n int) (data, copied []float32) {
	copied = slices.Clone(whole)
	return copied[lane+1:][:n:n], copied
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
			changes[i] = Change{int32(rng.IntN(points)), uint32(rng.IntN(numRows)), uint32(rng.IntN(numRows))}
		}
		k.update(got, pool, rows, width, changes)
		generic.update(want, pool2, rows, width, changes)
		sameBits(t, what("update"), gotAll, wantAll)
		sameBits(t, what("update's pool"), poolAll, poolAll2)
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
