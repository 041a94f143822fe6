//go:build goexperiment.simd && amd64

package nn

import (
	"math"
	"simd/archsimd"
)

func addBiasAVX2(x, bias []float32) {
	for j := 0; j < len(bias); j += lane {
		b := load(bias, j)
		for i := j; i < len(x); i += len(bias) {
			load(x, i).Add(b).Store(at(x, i))
		}
	}
	archsimd.ClearAVXUpperBits()
}

func addPointsAVX2(dst, src []float32) {
	for j := 0; j < len(dst); j += lane {
		s := load(dst, j)
		for i := j; i < len(src); i += len(dst) {
			s = s.Add(load(src, i))
		}
		s.Store(at(dst, j))
	}
	archsimd.ClearAVXUpperBits()
}

func addAVX2(dst, src []float32) {
	for j := 0; j < len(src); j += lane {
		load(dst, j).Add(load(src, j)).Store(at(dst, j))
	}
	archsimd.ClearAVXUpperBits()
}

func addReluAVX2(dst, a, b []float32) {
	var zero vec
	for j := 0; j < len(a); j += lane {
		load(a, j).Add(load(b, j)).Max(zero).Store(at(dst, j))
	}
	archsimd.ClearAVXUpperBits()
}

func reluGradAVX2(grads, x []float32) {
	var zero vec
	for j := 0; j < len(x); j += lane {
		load(grads, j).Masked(load(x, j).Greater(zero)).Store(at(grads, j))
	}
	archsimd.ClearAVXUpperBits()
}

// depthwiseAVX2 keeps the nine weights of eight channels in registers for all inner
// points, which have nine points around them. The others are computed one by one.
func depthwiseAVX2(dst, src, weights []float32, g Grid, width int, flip bool) {
	first, step := 0, width
	if flip {
		first, step = 8*width, -width
	}
	row := g.Width * width
	for j := 0; j < width; j += lane {
		w0 := load(weights, first+j)
		w1 := load(weights, first+step+j)
		w2 := load(weights, first+2*step+j)
		w3 := load(weights, first+3*step+j)
		w4 := load(weights, first+4*step+j)
		w5 := load(weights, first+5*step+j)
		w6 := load(weights, first+6*step+j)
		w7 := load(weights, first+7*step+j)
		w8 := load(weights, first+8*step+j)
		for y := 1; y < g.Height-1; y++ {
			for mid := y*row + width + j; mid < (y+1)*row-width; mid += width {
				up, down := mid-row, mid+row
				var d vec
				d = load(src, up-width).MulAdd(w0, d)
				d = load(src, up).MulAdd(w1, d)
				d = load(src, up+width).MulAdd(w2, d)
				d = load(src, mid-width).MulAdd(w3, d)
				d = load(src, mid).MulAdd(w4, d)
				d = load(src, mid+width).MulAdd(w5, d)
				d = load(src, down-width).MulAdd(w6, d)
				d = load(src, down).MulAdd(w7, d)
				d = load(src, down+width).MulAdd(w8, d)
				d.Store(at(dst, mid))
			}
		}
	}
	last := -1
	border(g, func(p, q, t int) {
		out := dst[p*width:][:width]
		if p != last {
			clear(out)
			last = p
		}
		products(out, src[q*width:][:width], weights[first+t*step:])
	})
	archsimd.ClearAVXUpperBits()
}

// products adds the products of the elements of a and b to dst.
func products(dst, a, b []float32) {
	for j := 0; j < len(dst); j += lane {
		load(a, j).MulAdd(load(b, j), load(dst, j)).Store(at(dst, j))
	}
}

func depthwiseGradAVX2(dweights, src, ddst []float32, g Grid, width int) {
	row := g.Width * width
	for j := 0; j < width; j += lane {
		w0 := load(dweights, j)
		w1 := load(dweights, width+j)
		w2 := load(dweights, 2*width+j)
		w3 := load(dweights, 3*width+j)
		w4 := load(dweights, 4*width+j)
		w5 := load(dweights, 5*width+j)
		w6 := load(dweights, 6*width+j)
		w7 := load(dweights, 7*width+j)
		w8 := load(dweights, 8*width+j)
		for y := 1; y < g.Height-1; y++ {
			for mid := y*row + width + j; mid < (y+1)*row-width; mid += width {
				up, down := mid-row, mid+row
				d := load(ddst, mid)
				w0 = load(src, up-width).MulAdd(d, w0)
				w1 = load(src, up).MulAdd(d, w1)
				w2 = load(src, up+width).MulAdd(d, w2)
				w3 = load(src, mid-width).MulAdd(d, w3)
				w4 = load(src, mid).MulAdd(d, w4)
				w5 = load(src, mid+width).MulAdd(d, w5)
				w6 = load(src, down-width).MulAdd(d, w6)
				w7 = load(src, down).MulAdd(d, w7)
				w8 = load(src, down+width).MulAdd(d, w8)
			}
		}
		w0.Store(at(dweights, j))
		w1.Store(at(dweights, width+j))
		w2.Store(at(dweights, 2*width+j))
		w3.Store(at(dweights, 3*width+j))
		w4.Store(at(dweights, 4*width+j))
		w5.Store(at(dweights, 5*width+j))
		w6.Store(at(dweights, 6*width+j))
		w7.Store(at(dweights, 7*width+j))
		w8.Store(at(dweights, 8*width+j))
	}
	border(g, func(p, q, t int) {
		products(dweights[t*width:][:width], src[q*width:][:width], ddst[p*width:])
	})
	archsimd.ClearAVXUpperBits()
}

func poolAVX2(dst, src []float32) {
	width := len(dst) / 2
	scale := archsimd.BroadcastFloat32x8(1 / float32(len(src)/width))
	low := archsimd.BroadcastFloat32x8(float32(math.Inf(-1)))
	for j := 0; j < width; j += lane {
		var sum vec
		most := low
		for i := j; i < len(src); i += width {
			v := load(src, i)
			sum, most = sum.Add(v), v.Max(most)
		}
		sum.Mul(scale).Store(at(dst, j))
		most.Store(at(dst, width+j))
	}
	archsimd.ClearAVXUpperBits()
}

func poolGradAVX2(dsrc, src, dst, ddst []float32) {
	width := len(dst) / 2
	scale := archsimd.BroadcastFloat32x8(1 / float32(len(src)/width))
	for j := 0; j < width; j += lane {
		mean, most, high := load(ddst, j).Mul(scale), load(ddst, width+j), load(dst, width+j)
		for i := j; i < len(src); i += width {
			v := load(src, i)
			mean.Add(most.Masked(v.Equal(high))).Store(at(dsrc, i))
			most = most.Masked(v.NotEqual(high))
		}
	}
	archsimd.ClearAVXUpperBits()
}
