package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// anyGrid returns a grid of 5 to 20 points in each direction.
func anyGrid(rng *rand.Rand) Grid { return Grid{5 + rng.IntN(16), 5 + rng.IntN(16)} }

// anyChannels returns up to most lanes.
func anyChannels(rng *rand.Rand, most int) int { return lane * (1 + rng.IntN(most)) }

// normal returns n random floats.
func normal(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// double returns x in float64.
func double(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// product returns the inner product of vectors.
func product(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// near fails if an element of got differs from want by more than tolerance times the
// root of the mean square of want.
func near(t *testing.T, what string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	scale := math.Sqrt(product(want, want) / float64(len(want)))
	for i, v := range want {
		if d := math.Abs(float64(got[i]) - v); !(d <= tolerance*scale) {
			t.Fatalf("%s: element %d is %v, want %v, where they are about %.3g", what, i, got[i], v, scale)
		}
	}
}

// slopes compares a gradient at some elements of x with finite differences of a loss,
// to a tolerance as in near.
func slopes(t *testing.T, rng *rand.Rand, what string, got []float32, x []float64, loss func() float64, tolerance float64) {
	t.Helper()
	if len(got) != len(x) {
		t.Fatalf("%s: gradient of %d elements, want %d", what, len(got), len(x))
	}
	d := double(got)
	scale := math.Sqrt(product(d, d) / float64(len(d)))
	for range 20 {
		const step = 1e-5
		i := rng.IntN(len(x))
		v := x[i]
		x[i] = v + step
		more := loss()
		x[i] = v - step
		less := loss()
		x[i] = v
		want := (more - less) / (2 * step)
		if diff := math.Abs(d[i] - want); !(diff <= tolerance*scale) {
			t.Fatalf("%s: slope of element %d is %v, want %v, where they are about %.3g", what, i, got[i], want, scale)
		}
	}
}

// guarded fails if a function has written outside the slice that buffer returned
// together with whole.
func guarded(t *testing.T, what string, whole []float32) {
	t.Helper()
	for i, v := range slices.Concat(whole[:lane+1], whole[len(whole)-lane:]) {
		if v != guard {
			t.Fatalf("%s: guard %d is %v", what, i, v)
		}
	}
}

// slowRelu is the definition of Relu.
func slowRelu(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = max(0, v)
	}
	return y
}

// slowDenseLayer is the definition of Dense.
func slowDenseLayer(src, weights, bias []float64, in, out int) []float64 {
	var dst []float64
	for i := range len(src) / in {
		for o := range out {
			sum := bias[o]
			for c := range in {
				sum += src[i*in+c] * weights[c*out+o]
			}
			dst = append(dst, sum)
		}
	}
	return dst
}

// TestDense compares dense layers with the definition, and their gradients with finite
// differences.
func TestDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 30 {
		n, in, out, rectify := 1+rng.IntN(12), anyChannels(rng, 4), anyChannels(rng, 4), i%2 == 0
		src, weights, bias, ddst := normal(rng, n*in), normal(rng, in*out), normal(rng, out), normal(rng, n*out)
		x, y, b, d := double(src), double(weights), double(bias), double(ddst)
		forward := func() []float64 {
			dst := slowDenseLayer(x, y, b, in, out)
			if rectify {
				dst = slowRelu(dst)
			}
			return dst
		}
		loss := func() float64 { return product(forward(), d) }
		what := fmt.Sprintf("%d of %d to %d", n, in, out)
		want := forward()
		for _, k := range kernels {
			dst, whole := buffer(rng, n*out)
			dense(k, dst, src, weights, bias, in, out, rectify)
			near(t, k.name+", "+what, dst, want, 1e-5)
			guarded(t, what, whole)
		}

		dst := make([]float32, n*out)
		Dense(dst, src, weights, bias, in, out, rectify)
		if rectify {
			ReluGrad(ddst, dst)
		}
		turned, dsrc := make([]float32, in*out), make([]float32, n*in)
		Transpose(turned, weights, in, out)
		MatMul(dsrc, ddst, turned, n, out, in)
		slopes(t, rng, what+": source", dsrc, x, loss, 1e-4)
		dweights, dbias := make([]float32, in*out), make([]float32, out)
		MatMulT(dweights, src, ddst, in, n, out)
		slopes(t, rng, what+": weights", dweights, y, loss, 1e-4)
		BiasGrad(dbias, ddst)
		slopes(t, rng, what+": bias", dbias, b, loss, 1e-4)
	}
}

// TestResidual checks additions, with bias and relu, and their gradients.
func TestResidual(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		points, width := 1+rng.IntN(50), anyChannels(rng, 4)
		a, b, bias, d := normal(rng, points*width), normal(rng, points*width), normal(rng, width), normal(rng, points*width)
		x, y, z, dd := double(a), double(b), double(bias), double(d)
		forward := func() []float64 {
			sum := make([]float64, len(x))
			for i := range x {
				sum[i] = x[i] + y[i] + z[i%width]
			}
			return slowRelu(sum)
		}
		loss := func() float64 { return product(forward(), dd) }

		dst, sum := make([]float32, len(a)), slices.Clone(a)
		AddBias(sum, bias)
		AddRelu(dst, sum, b)
		near(t, "sum", dst, forward(), 1e-6)
		for _, in := range []*[]float32{&sum, &b} {
			copied := slices.Clone(*in)
			if in == &sum {
				AddRelu(copied, copied, b)
			} else {
				AddRelu(copied, sum, copied)
			}
			sameBits(t, "sum in place", copied, dst)
		}

		ReluGrad(d, dst)
		slopes(t, rng, "a", d, x, loss, 1e-5)
		slopes(t, rng, "b", d, y, loss, 1e-5)
		dbias := make([]float32, width)
		BiasGrad(dbias, d)
		slopes(t, rng, "bias", dbias, z, loss, 1e-5)

		twice := slices.Clone(d)
		Add(twice, d)
		for i, v := range d {
			if twice[i] != 2*v {
				t.Fatalf("%v + %v = %v", v, v, twice[i])
			}
		}
	}
}

// slowDepthwise3x3 is the definition of Depthwise3x3.
func slowDepthwise3x3(src, weights []float64, g Grid, channels int) []float64 {
	points := g.Points()
	dst := make([]float64, len(src))
	for i := range dst {
		p, c := i/channels, i%channels
		n, y, x := p/points, p%points/g.Width, p%g.Width
		for t := range 9 {
			sy, sx := y+t/3-1, x+t%3-1
			if sy >= 0 && sy < g.Height && sx >= 0 && sx < g.Width {
				dst[i] += src[(n*points+sy*g.Width+sx)*channels+c] * weights[t*channels+c]
			}
		}
	}
	return dst
}

// TestDepthwise3x3 compares convolutions of single channels with the definition, and
// their gradients with finite differences.
func TestDepthwise3x3(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 20 {
		g, channels, n := anyGrid(rng), anyChannels(rng, 3), 1+rng.IntN(2)
		size := n * g.Points() * channels
		src, weights, ddst := normal(rng, size), normal(rng, 9*channels), normal(rng, size)
		x, y, d := double(src), double(weights), double(ddst)
		loss := func() float64 { return product(slowDepthwise3x3(x, y, g, channels), d) }
		what := fmt.Sprintf("%d of %v, %d channels", n, g, channels)

		dst, whole := buffer(rng, size)
		Depthwise3x3(dst, src, weights, g, channels)
		near(t, what, dst, slowDepthwise3x3(x, y, g, channels), 1e-5)
		guarded(t, what, whole)

		dsrc := make([]float32, size)
		Depthwise3x3Source(dsrc, ddst, weights, g, channels)
		slopes(t, rng, what+": source", dsrc, x, loss, 1e-4)
		dweights := make([]float32, 9*channels)
		Depthwise3x3Grad(dweights, src, ddst, g, channels)
		slopes(t, rng, what+": weights", dweights, y, loss, 1e-4)
	}
}

// slowPoolBoard is the definition of PoolBoard.
func slowPoolBoard(src []float64, points, channels int) []float64 {
	var dst []float64
	for ; len(src) > 0; src = src[points*channels:] {
		mean, most := make([]float64, channels), make([]float64, channels)
		copy(most, src)
		for i, v := range src[:points*channels] {
			mean[i%channels] += v / float64(points)
			most[i%channels] = max(most[i%channels], v)
		}
		dst = append(append(dst, mean...), most...)
	}
	return dst
}

// slowPoolRegions is the definition of PoolRegions, for regions that begin at edges.
func slowPoolRegions(src []float64, g Grid, channels, r int) []float64 {
	var dst []float64
	for ; len(src) > 0; src = src[g.Points()*channels:] {
		sums, counts := make([]float64, r*r*channels), make([]float64, r*r)
		for y := range g.Height {
			for x := range g.Width {
				i := 0
				for edge(g.Height, r, i/r+1) <= y {
					i += r
				}
				for edge(g.Width, r, i%r+1) <= x {
					i++
				}
				counts[i]++
				for c := range channels {
					sums[i*channels+c] += src[(y*g.Width+x)*channels+c]
				}
			}
		}
		for i := range sums {
			sums[i] /= counts[i/channels]
		}
		dst = append(dst, sums...)
	}
	return dst
}

// TestPool compares pools with their definitions, and their gradients with finite
// differences.
func TestPool(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	for range 20 {
		g, channels, n, r := anyGrid(rng), anyChannels(rng, 3), 1+rng.IntN(2), 1+rng.IntN(5)
		size := n * g.Points() * channels
		src := normal(rng, size)
		x := double(src)
		what := fmt.Sprintf("%d of %v, %d channels", n, g, channels)

		dst, whole := buffer(rng, n*2*channels)
		PoolBoard(dst, src, g.Points(), channels)
		near(t, what, dst, slowPoolBoard(x, g.Points(), channels), 1e-5)
		guarded(t, what, whole)
		dsrc, ddst := make([]float32, size), normal(rng, len(dst))
		d := double(ddst)
		PoolBoardGrad(dsrc, src, dst, ddst, g.Points(), channels)
		slopes(t, rng, what, dsrc, x, func() float64 { return product(slowPoolBoard(x, g.Points(), channels), d) }, 1e-5)

		what = fmt.Sprintf("%s, %d by %d regions", what, r, r)
		dst, whole = buffer(rng, n*r*r*channels)
		PoolRegions(dst, src, g, channels, r)
		near(t, what, dst, slowPoolRegions(x, g, channels, r), 1e-5)
		guarded(t, what, whole)
		ddst = normal(rng, len(dst))
		d = double(ddst)
		PoolRegionsGrad(dsrc, ddst, g, channels, r)
		slopes(t, rng, what, dsrc, x, func() float64 { return product(slowPoolRegions(x, g, channels, r), d) }, 1e-5)
	}
}

// TestPoolTies checks that one of several maxima has the gradient: the first.
func TestPoolTies(t *testing.T) {
	const points = 4
	src := make([]float32, points*lane)
	src[0*lane] = -1
	src[1*lane], src[3*lane] = 2, 2
	for _, k := range kernels {
		dst, ddst, dsrc := make([]float32, 2*lane), make([]float32, 2*lane), make([]float32, len(src))
		ddst[0], ddst[lane] = 8, 1
		poolBoard(k, dst, src, points, lane)
		poolBoardGrad(k, dsrc, src, dst, ddst, points, lane)
		for p, want := range []float32{2, 3, 2, 2} {
			if dst[0] != 0.75 || dst[lane] != 2 || dsrc[p*lane] != want {
				t.Errorf("%s: mean %v, maximum %v, gradient of point %d %v, want 0.75, 2, %v", k.name, dst[0], dst[lane], p, dsrc[p*lane], want)
			}
		}
	}
}

// TestRegions checks that regions are of near-equal size, and that they mirror where
// they can.
func TestRegions(t *testing.T) {
	for n := 1; n <= 25; n++ {
		for r := 1; r <= n; r++ {
			least, most := n, 0
			for i := range r {
				size := edge(n, r, i+1) - edge(n, r, i)
				least, most = min(least, size), max(most, size)
				if (r%2 == 1 || n%2 == 0) && edge(n, r, i) != n-edge(n, r, r-i) {
					t.Errorf("%d regions of %d points: edge %d at %d does not mirror", r, n, i, edge(n, r, i))
				}
			}
			if edge(n, r, 0) != 0 || edge(n, r, r) != n || least < 1 || most > least+1 {
				t.Errorf("%d regions of %d points: from %d to %d, of %d to %d points", r, n, edge(n, r, 0), edge(n, r, r), least, most)
			}
		}
	}
}

// TestLayerKernels compares what layers are made of, by every kernel, with that of the
// generic one, bit by bit.
func TestLayerKernels(t *testing.T) {
	generic := kernels[0]
	for _, k := range kernels[1:] {
		rng := rand.New(rand.NewPCG(9, 10))
		for range 60 {
			g, width := Grid{1 + rng.IntN(7), 1 + rng.IntN(7)}, anyChannels(rng, 9)
			size := g.Points() * width
			a, _ := buffer(rng, size)
			b, _ := buffer(rng, size)
			point, _ := buffer(rng, width)
			weights, _ := buffer(rng, 9*width)
			dpool, _ := buffer(rng, 2*width)
			pool := make([]float32, 2*width)
			generic.pool(pool, a)
			flip := rng.IntN(2) == 0
			for _, test := range []struct {
				name string
				size int
				f    func(k *kernel, dst []float32)
			}{
				{"addBias", size, func(k *kernel, dst []float32) { k.addBias(dst, point) }},
				{"addPoints", width, func(k *kernel, dst []float32) { k.addPoints(dst, a) }},
				{"add", size, func(k *kernel, dst []float32) { k.add(dst, a) }},
				{"addRelu", size, func(k *kernel, dst []float32) { k.addRelu(dst, a, b) }},
				{"addRelu in place", size, func(k *kernel, dst []float32) { k.addRelu(dst, a, dst) }},
				{"reluGrad", size, func(k *kernel, dst []float32) { k.reluGrad(dst, a) }},
				{"depthwise", size, func(k *kernel, dst []float32) { k.depthwise(dst, a, weights, g, width, flip) }},
				{"depthwiseGrad", 9 * width, func(k *kernel, dst []float32) { k.depthwiseGrad(dst, a, b, g, width) }},
				{"pool", 2 * width, func(k *kernel, dst []float32) { k.pool(dst, a) }},
				{"poolGrad", size, func(k *kernel, dst []float32) { k.poolGrad(dst, a, pool, dpool) }},
			} {
				got, gotAll := buffer(rng, test.size)
				want, wantAll := clone(gotAll, test.size)
				test.f(k, got)
				test.f(generic, want)
				sameBits(t, fmt.Sprintf("%s, %v, width %d", test.name, g, width), gotAll, wantAll)
			}
		}
	}
}

// TestLayersAllocateNothing checks that neither layers nor gradients allocate memory
// once the workspace is large enough.
func TestLayersAllocateNothing(t *testing.T) {
	const in, out, n, r = 8, 16, 2, 3
	g := Grid{6, 7}
	rng := rand.New(rand.NewPCG(1, 5))
	points := n * g.Points()
	src, dst, weights := normal(rng, points*in), make([]float32, points*out), normal(rng, 9*in*out)
	u, uT := make([]float32, Conv3x3Size(in, out)), make([]float32, Conv3x3Size(out, in))
	pool, regions := make([]float32, n*2*in), make([]float32, n*r*r*in)
	same := make([]float32, points*in)
	var w Workspace
	for name, f := range map[string]func(){
		"Conv3x3Weights":     func() { Conv3x3Weights(u, weights, in, out, &w) },
		"Conv3x3WeightsT":    func() { Conv3x3WeightsT(uT, weights, in, out, &w) },
		"Conv3x3":            func() { Conv3x3(dst, src, u, g, in, out, &w) },
		"Conv3x3Grad":        func() { Conv3x3Grad(weights, src, dst, g, in, out, &w) },
		"Dense":              func() { Dense(dst, src, weights[:in*out], weights[:out], in, out, true) },
		"Dense of one":       func() { Dense(dst, src[:in], weights[:in*out], weights[:out], in, out, true) },
		"AddBias":            func() { AddBias(same, weights[:in]) },
		"BiasGrad":           func() { BiasGrad(weights[:in], src) },
		"Add":                func() { Add(same, src) },
		"AddRelu":            func() { AddRelu(same, same, src) },
		"ReluGrad":           func() { ReluGrad(same, src) },
		"Depthwise3x3":       func() { Depthwise3x3(same, src, weights, g, in) },
		"Depthwise3x3Source": func() { Depthwise3x3Source(same, src, weights, g, in) },
		"Depthwise3x3Grad":   func() { Depthwise3x3Grad(weights, src, same, g, in) },
		"PoolBoard":          func() { PoolBoard(pool, src, g.Points(), in) },
		"PoolBoardGrad":      func() { PoolBoardGrad(same, src, pool, pool, g.Points(), in) },
		"PoolRegions":        func() { PoolRegions(regions, src, g, in, r) },
		"PoolRegionsGrad":    func() { PoolRegionsGrad(same, regions, g, in, r) },
	} {
		if allocs := testing.AllocsPerRun(10, f); allocs > 0 {
			t.Errorf("%s allocates %v times", name, allocs)
		}
	}
}
