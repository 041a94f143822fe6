package nn

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// playShape is the shape of the networks for play.
var playShape = Shape{Reach: 4, Hidden: 128, Channels: 16, Dense: 32, Sides: 1}

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

// peak makes multiply-adds as fast as the core can, and returns how many. It is nil
// where that is not known.
var peak func() int

// againstPeak benchmarks a function that makes multiply-adds. Before every call of it
// it calls peak; other work on the machine slows both down, so the shortest time of
// one is compared with the shortest of the other. It reports the rate of multiply-adds
// in that time, and which part of the peak that is, and returns the time.
func againstPeak(b *testing.B, multiplyAdds int, f func()) (shortest time.Duration) {
	b.Helper()
	var total time.Duration
	own, other, others := time.Hour, time.Hour, 0
	for b.Loop() {
		start := time.Now()
		if peak != nil {
			others = peak()
		}
		middle := time.Now()
		f()
		end := time.Now()
		total += end.Sub(middle)
		own, other = min(own, end.Sub(middle)), min(other, middle.Sub(start))
	}
	b.ReportMetric(float64(total.Nanoseconds())/float64(b.N), "ns/op")
	rate := 2e-9 * float64(multiplyAdds) / own.Seconds()
	b.ReportMetric(rate, "GFLOPS")
	if peak != nil {
		b.ReportMetric(100*rate/(2e-9*float64(others)/other.Seconds()), "%peak")
	}
	return own
}

// layerSizes are channels and images of 15x15 points.
var layerSizes = [][2]int{{32, 1}, {64, 1}, {64, 8}}

// eachLayer runs a benchmark for every kernel and size. make returns a function of a
// layer with as many channels in as out, and the number of its multiply-adds.
func eachLayer(b *testing.B, make func(g Grid, channels, n int) (f func(), multiplyAdds int)) {
	eachKernel(b, func(b *testing.B) {
		for _, size := range layerSizes {
			b.Run(fmt.Sprintf("size=15x15x%d/batch=%d", size[0], size[1]), func(b *testing.B) {
				f, count := make(Grid{15, 15}, size[0], size[1])
				againstPeak(b, count, f)
			})
		}
	})
}

// conv3x3Adds returns the multiply-adds of a convolution, without those that
// transforms take. The sum over nine weights makes 3.5 times as many on a grid of
// 15x15.
func conv3x3Adds(g Grid, channels, n int) int {
	return n * newTiling(g).tiles() * elements * channels * channels
}

// BenchmarkConv3x3 convolves, with weights transformed beforehand.
func BenchmarkConv3x3(b *testing.B) {
	eachLayer(b, func(g Grid, channels, n int) (func(), int) {
		src, dst, u := noise(n*g.Points()*channels), noise(n*g.Points()*channels), make([]float32, Conv3x3Size(channels, channels))
		var w Workspace
		Conv3x3Weights(u, noise(9*channels*channels), channels, channels, &w)
		return func() { Conv3x3(dst, src, u, g, channels, channels, &w) }, conv3x3Adds(g, channels, n)
	})
}

// BenchmarkConv3x3Grad computes the gradient with respect to the weights.
func BenchmarkConv3x3Grad(b *testing.B) {
	eachLayer(b, func(g Grid, channels, n int) (func(), int) {
		src, ddst, dweights := noise(n*g.Points()*channels), noise(n*g.Points()*channels), noise(9*channels*channels)
		var w Workspace
		return func() { Conv3x3Grad(dweights, src, ddst, g, channels, channels, &w) }, conv3x3Adds(g, channels, n)
	})
}

// BenchmarkConv3x3Weights transforms weights.
func BenchmarkConv3x3Weights(b *testing.B) {
	eachKernel(b, func(b *testing.B) {
		u, weights := make([]float32, Conv3x3Size(64, 64)), noise(9*64*64)
		var w Workspace
		for b.Loop() {
			Conv3x3Weights(u, weights, 64, 64, &w)
		}
	})
}

// BenchmarkConv3x3WeightsT transforms weights for the gradient.
func BenchmarkConv3x3WeightsT(b *testing.B) {
	eachKernel(b, func(b *testing.B) {
		u, weights := make([]float32, Conv3x3Size(64, 64)), noise(9*64*64)
		var w Workspace
		for b.Loop() {
			Conv3x3WeightsT(u, weights, 64, 64, &w)
		}
	})
}

// BenchmarkDense computes convolutions of width 1.
func BenchmarkDense(b *testing.B) {
	eachLayer(b, func(g Grid, channels, n int) (func(), int) {
		src, dst, weights, bias := noise(n*g.Points()*channels), noise(n*g.Points()*channels), noise(channels*channels), noise(channels)
		return func() { Dense(dst, src, weights, bias, channels, channels, true) }, n * g.Points() * channels * channels
	})
}

// BenchmarkDepthwise3x3 convolves single channels.
func BenchmarkDepthwise3x3(b *testing.B) {
	eachLayer(b, func(g Grid, channels, n int) (func(), int) {
		src, dst, weights := noise(n*g.Points()*channels), noise(n*g.Points()*channels), noise(9*channels)
		return func() { Depthwise3x3(dst, src, weights, g, channels) }, 9 * n * g.Points() * channels
	})
}

// BenchmarkDepthwise3x3Grad computes the gradient with respect to the weights.
func BenchmarkDepthwise3x3Grad(b *testing.B) {
	eachLayer(b, func(g Grid, channels, n int) (func(), int) {
		src, ddst, dweights := noise(n*g.Points()*channels), noise(n*g.Points()*channels), noise(9*channels)
		return func() { Depthwise3x3Grad(dweights, src, ddst, g, channels) }, 9 * n * g.Points() * channels
	})
}

// BenchmarkElements measures the layers that load more than they compute, on an image
// of 15x15x64.
func BenchmarkElements(b *testing.B) {
	g := Grid{15, 15}
	const channels = 64
	x, y, bias := noise(g.Points()*channels), noise(g.Points()*channels), noise(channels)
	pool, regions := noise(2*channels), noise(9*channels)
	eachKernel(b, func(b *testing.B) {
		for _, layer := range []struct {
			name string
			f    func()
		}{
			{"AddBias", func() { AddBias(x, bias) }},
			{"BiasGrad", func() { BiasGrad(bias, x) }},
			{"Add", func() { Add(x, y) }},
			{"AddRelu", func() { AddRelu(x, x, y) }},
			{"ReluGrad", func() { ReluGrad(x, y) }},
			{"PoolBoard", func() { PoolBoard(pool, x, g.Points(), channels) }},
			{"PoolBoardGrad", func() { PoolBoardGrad(x, y, pool, pool, g.Points(), channels) }},
			{"PoolRegions", func() { PoolRegions(regions, x, g, channels, 3) }},
			{"PoolRegionsGrad", func() { PoolRegionsGrad(x, regions, g, channels, 3) }},
		} {
			b.Run(layer.name, func(b *testing.B) {
				b.SetBytes(int64(4 * len(x)))
				for b.Loop() {
					layer.f()
				}
			})
		}
	})
}

// noise returns n random floats.
func noise(n int) []float32 { return normal(rand.New(rand.NewPCG(1, 2)), n) }

// adds returns the multiply-adds of an evaluation on one position, without those of
// transforms and of adding up.
func (s ResidualShape) adds(g Grid) int {
	conv := newTiling(g).tiles() * elements * s.Channels
	heads := g.Points()*s.Head*(s.Channels+1) + 4*s.Channels*s.Head + s.Head
	return conv*InputChannels + 2*s.Blocks*conv*s.Channels + heads
}

// BenchmarkResidual evaluates batches of positions.
func BenchmarkResidual(b *testing.B) {
	eachKernel(b, func(b *testing.B) {
		for _, s := range []ResidualShape{{4, 4, 32, 32}, {4, 6, 64, 32}, {4, 10, 96, 32}} {
			for _, batch := range []int{1, 8, 32} {
				b.Run(fmt.Sprintf("size=15x15x%d/blocks=%d/batch=%d", s.Channels, s.Blocks, batch), func(b *testing.B) {
					g := Grid{15, 15}
					tower := NewTower(NewResidual(s, "", rand.New(rand.NewPCG(1, 2))), false)
					planes, values, policies := noise(batch*g.Points()*InputChannels), make([]float32, batch), make([]float32, batch*g.Points())
					var w TowerWorkspace
					d := againstPeak(b, batch*s.adds(g), func() { tower.Forward(values, policies, planes, g, &w) })
					b.ReportMetric(float64(batch)/d.Seconds(), "evaluations/s")
				})
			}
		}
	})
}
