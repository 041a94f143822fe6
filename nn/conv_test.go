package nn

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// slowConv3x3 is the definition of Conv3x3.
func slowConv3x3(src, weights []float64, g Grid, in, out int) []float64 {
	points := g.Points()
	dst := make([]float64, len(src)/in*out)
	for i := range len(src) / in {
		n, y, x := i/points, i%points/g.Width, i%g.Width
		for t := range 9 {
			sy, sx := y+t/3-1, x+t%3-1
			if sy < 0 || sy >= g.Height || sx < 0 || sx >= g.Width {
				continue
			}
			for c, v := range src[(n*points+sy*g.Width+sx)*in:][:in] {
				for o := range out {
					dst[i*out+o] += v * weights[(t*in+c)*out+o]
				}
			}
		}
	}
	return dst
}

// TestConv3x3 compares convolutions with the definition.
func TestConv3x3(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var w Workspace
	for range 15 {
		g, in, out := anyGrid(rng), anyChannels(rng, 2), anyChannels(rng, 3)
		n := 1 + rng.IntN(1+2*newTiling(g).images) // blocks of images, not all full
		src, weights := normal(rng, n*g.Points()*in), normal(rng, 9*in*out)
		want := slowConv3x3(double(src), double(weights), g, in, out)
		for _, k := range kernels {
			dst, whole := buffer(rng, n*g.Points()*out)
			u, wholeU := buffer(rng, Conv3x3Size(in, out))
			conv3x3Weights(k, u, weights, in, out, &w)
			conv3x3(k, dst, src, u, g, in, out, &w)
			what := fmt.Sprintf("%s, %d of %v, %d to %d channels", k.name, n, g, in, out)
			near(t, what, dst, want, 5e-5)
			guarded(t, what, whole)
			guarded(t, what, wholeU)
		}
	}
}

// TestConv3x3Grad compares gradients with finite differences.
func TestConv3x3Grad(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var w Workspace
	for range 10 {
		g, in, out := Grid{5 + rng.IntN(5), 5 + rng.IntN(5)}, anyChannels(rng, 2), anyChannels(rng, 2)
		n := 1 + rng.IntN(1+newTiling(g).images)
		src, weights, ddst := normal(rng, n*g.Points()*in), normal(rng, 9*in*out), normal(rng, n*g.Points()*out)
		x, y, d := double(src), double(weights), double(ddst)
		loss := func() float64 { return product(slowConv3x3(x, y, g, in, out), d) }
		what := fmt.Sprintf("%d of %v, %d to %d channels", n, g, in, out)

		u := make([]float32, Conv3x3Size(out, in))
		Conv3x3WeightsT(u, weights, in, out, &w)
		dsrc, whole := buffer(rng, len(src))
		Conv3x3(dsrc, ddst, u, g, out, in, &w)
		slopes(t, rng, what+": source", dsrc, x, loss, 1e-4)
		guarded(t, what, whole)

		dweights, whole := buffer(rng, len(weights))
		clear(dweights)
		Conv3x3Grad(dweights, src, ddst, g, in, out, &w)
		slopes(t, rng, what+": weights", dweights, y, loss, 1e-4)
		guarded(t, what, whole)
		Conv3x3Grad(dweights, src, ddst, g, in, out, &w)
		for i := range dweights {
			dweights[i] /= 2
		}
		slopes(t, rng, what+": weights, added", dweights, y, loss, 1e-4)
	}
}

// TestConvKernels compares the steps of convolutions by every kernel with those of the
// generic one, bit by bit, and then convolutions.
func TestConvKernels(t *testing.T) {
	generic := kernels[0]
	for _, k := range kernels[1:] {
		rng := rand.New(rand.NewPCG(7, 8))
		steps := []struct {
			name      string
			src, dst  int
			got, want func(dst, src []float32, p pass)
		}{
			{"tileSrc", 6, 6, k.tileSrc, generic.tileSrc},
			{"tileDst", 6, 4, k.tileDst, generic.tileDst},
			{"tileDstT", 4, 6, k.tileDstT, generic.tileDstT},
			{"tileWeights", 3, 6, k.tileWeights, generic.tileWeights},
			{"tileWeightsT", 6, 3, k.tileWeightsT, generic.tileWeightsT},
		}
		for range 100 {
			for _, s := range steps {
				p := pass{lines: 1 + rng.IntN(6), width: anyChannels(rng, 5)}
				p.srcLine, p.srcStep = p.width, p.lines*p.width
				p.dstLine, p.dstStep = p.width, p.lines*p.width
				if rng.IntN(2) == 0 {
					p.srcLine, p.srcStep = s.src*p.width+rng.IntN(9), p.width
				}
				if rng.IntN(2) == 0 {
					p.dstLine, p.dstStep = s.dst*p.width+rng.IntN(9), p.width
				}
				src, _ := buffer(rng, (p.lines-1)*p.srcLine+(s.src-1)*p.srcStep+p.width)
				size := (p.lines-1)*p.dstLine + (s.dst-1)*p.dstStep + p.width
				got, gotAll := buffer(rng, size)
				want, wantAll := clone(gotAll, size)
				s.got(got, src, p)
				s.want(want, src, p)
				sameBits(t, fmt.Sprintf("%s %+v", s.name, p), gotAll, wantAll)
			}
			m, l, n := 4*(1+rng.IntN(5)), anyChannels(rng, 9), panelCols*(1+rng.IntN(3))
			a, _ := buffer(rng, m*l)
			b, _ := buffer(rng, l*n)
			got, gotAll := buffer(rng, m*n)
			want, wantAll := clone(gotAll, m*n)
			k.mulPanels(got, a, b, m, l, n)
			generic.mulPanels(want, a, b, m, l, n)
			sameBits(t, fmt.Sprintf("mulPanels %d %d %d", m, l, n), gotAll, wantAll)
		}
		for range 4 {
			g, in, out, n := anyGrid(rng), anyChannels(rng, 2), anyChannels(rng, 3), 1+rng.IntN(3)
			src, weights, ddst := normal(rng, n*g.Points()*in), normal(rng, 9*in*out), normal(rng, n*g.Points()*out)
			var dst, dweights [2][]float32
			for i, k := range []*kernel{k, generic} {
				var w Workspace
				u := make([]float32, Conv3x3Size(in, out))
				dst[i], dweights[i] = make([]float32, n*g.Points()*out), make([]float32, 9*in*out)
				conv3x3Weights(k, u, weights, in, out, &w)
				conv3x3(k, dst[i], src, u, g, in, out, &w)
				conv3x3Grad(k, dweights[i], src, ddst, g, in, out, &w)
			}
			sameBits(t, "conv3x3", dst[0], dst[1])
			sameBits(t, "conv3x3Grad", dweights[0], dweights[1])
		}
	}
}
