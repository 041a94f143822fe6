package nn

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// playShape is the shape of the networks for play.
var playShape = Shape{Reach: 4, Hidden: 64, Channels: 16, Dense: 16, Sides: 1}

// eachKernel runs a benchmark for every kernel, as the best one.
func eachKernel(b *testing.B, f func(b *testing.B)) {
	all := kernels
	defer func() { kernels = all }()
	for i, k := range all {
		kernels = all[:i+1]
		b.Run("kernel="+k.name, f)
	}
}

// BenchmarkMatMul reports the rate of multiply-adds of the trainer's largest product.
func BenchmarkMatMul(b *testing.B) {
	eachKernel(b, func(b *testing.B) {
		for _, size := range [][3]int{{256, 64, 64}, {256, 64, 16}, {64, 256, 64}} {
			m, k, n := size[0], size[1], size[2]
			b.Run(fmt.Sprintf("size=%dx%dx%d", m, k, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				x, _ := buffer(rng, m*k)
				y, _ := buffer(rng, k*n)
				dst := make([]float32, m*n)
				for i := range x {
					x[i] = rng.Float32()
				}
				for i := range y {
					y[i] = rng.Float32()
				}
				for b.Loop() {
					MatMul(dst, x, y, m, k, n)
				}
				b.ReportMetric(2e-9*float64(m*k*n)*float64(b.N)/b.Elapsed().Seconds(), "GFLOPS")
			})
		}
	})
}

// BenchmarkBake computes the rows of all codes.
func BenchmarkBake(b *testing.B) {
	eachKernel(b, func(b *testing.B) {
		for _, reach := range []int{4, 5} {
			b.Run(fmt.Sprintf("reach=%d", reach), func(b *testing.B) {
				s := playShape
				s.Reach = reach
				n := New(s, "", rand.New(rand.NewPCG(1, 2)))
				for b.Loop() {
					n.Bake()
				}
			})
		}
	})
}

// BenchmarkApply changes 36 codes, as one stone does.
func BenchmarkApply(b *testing.B) {
	eachKernel(b, func(b *testing.B) {
		a, changes := playAccumulator()
		i := 0
		for b.Loop() {
			a.Apply(changes[i%len(changes)])
			i++
		}
	})
}

// BenchmarkValue evaluates.
func BenchmarkValue(b *testing.B) {
	eachKernel(b, func(b *testing.B) {
		a, _ := playAccumulator()
		for b.Loop() {
			a.Value(0, 0.1)
		}
	})
}

// BenchmarkPolicy computes the logits of 60 points.
func BenchmarkPolicy(b *testing.B) {
	eachKernel(b, func(b *testing.B) {
		a, _ := playAccumulator()
		points, dst := make([]int32, 60), make([]float32, 60)
		for i := range points {
			points[i] = int32(3 * i)
		}
		for b.Loop() {
			a.Policy(1, points, dst)
		}
	})
}

// playAccumulator returns an accumulator of 225 points, and lists of changes that undo
// each other in pairs.
func playAccumulator() (*Accumulator, [][]Change) {
	rng := rand.New(rand.NewPCG(1, 2))
	a := NewAccumulator(New(playShape, "", rng).Bake(), 225)
	var codes [225][4]uint32
	for p := range codes {
		for d := range codes[p] {
			codes[p][d] = uint32(rng.IntN(1600))
		}
		a.Add(p, &codes[p])
	}
	var lists [][]Change
	for range 50 {
		var there, back []Change
		for _, p := range rng.Perm(225)[:36] {
			c := Change{int32(p), 0, codes[p][0], uint32(rng.IntN(1600))}
			there = append(there, c)
			back = append(back, Change{c.Point, 0, c.New, c.Old})
		}
		lists = append(lists, there, back)
	}
	return a, lists
}
