package nn

import "math"

// A Grid is the size of the grids that activations belong to. Activations are
// [points][channels], with the points by rows; a batch is [n][points][channels]. All
// numbers of channels are multiples of 8.
type Grid struct{ Height, Width int }

// Points returns how many points a grid has.
func (g Grid) Points() int { return g.Height * g.Width }

// Dense sets dst to src times weights plus bias, and to relu of it if rectify is set:
//
//	dst [n][out], src [n][in], weights [in][out], bias [out]
//
// With the points of a batch as its rows it is a convolution of width 1. Its gradients
// are those of [MatMul]: the weights' by [MatMulT], the source's from weights that
// [Transpose] has turned, the bias's by [BiasGrad], all after [ReluGrad].
func Dense(dst, src, weights, bias []float32, in, out int, rectify bool) {
	dense(best(), dst, src, weights, bias, in, out, rectify)
}

func dense(k *kernel, dst, src, weights, bias []float32, in, out int, rectify bool) {
	n := len(src) / in
	dst = dst[:n*out]
	for i := range n {
		copy(dst[i*out:][:out], bias)
	}
	if n < 4 { // a tile of matMul has four rows
		for i := range n {
			k.vecMat(dst[i*out:][:out], src[i*in:][:in], weights)
		}
	} else {
		k.matMul(dst, src, weights, n, in, out, in, 1)
	}
	if rectify {
		k.relu(dst)
	}
}

// Transpose sets dst [cols][rows] to the transposed matrix of src [rows][cols].
func Transpose(dst, src []float32, rows, cols int) {
	for i := range rows {
		for j, v := range src[i*cols:][:cols] {
			dst[j*rows+i] = v
		}
	}
}

// AddBias adds bias [channels] to every point of x [points][channels].
func AddBias(x, bias []float32) { best().addBias(x, bias) }

// BiasGrad adds the points of src [points][channels] to dst [channels]: the gradient of
// AddBias with respect to the bias.
func BiasGrad(dst, src []float32) { best().addPoints(dst, src) }

// Add adds src to dst, of the same length: the gradients of two ways to the same
// activations.
func Add(dst, src []float32) { best().add(dst, src) }

// AddRelu sets dst to relu(a + b), the end of a residual block. dst may be one of them.
func AddRelu(dst, a, b []float32) { best().addRelu(dst, a, b) }

// ReluGrad is the gradient of Relu and AddRelu: it sets grads to zero where x, the
// result, is not positive. What is left of AddRelu's is the gradient of both terms.
func ReluGrad(grads, x []float32) { best().reluGrad(grads, x) }

// Depthwise3x3 sets dst to the convolution of every channel of src with weights of its
// own, where points beyond the grid are left out:
//
//	dst, src [n][points][channels], weights [3][3][channels]
func Depthwise3x3(dst, src, weights []float32, g Grid, channels int) {
	depthwise3x3(best(), dst, src, weights, g, channels, false)
}

// Depthwise3x3Source sets dsrc to the gradient of Depthwise3x3 with respect to src.
func Depthwise3x3Source(dsrc, ddst, weights []float32, g Grid, channels int) {
	depthwise3x3(best(), dsrc, ddst, weights, g, channels, true)
}

func depthwise3x3(k *kernel, dst, src, weights []float32, g Grid, channels int, flip bool) {
	size := g.Points() * channels
	for i := 0; i+size <= len(src); i += size {
		k.depthwise(dst[i:][:size], src[i:][:size], weights, g, channels, flip)
	}
}

// Depthwise3x3Grad adds the gradient of Depthwise3x3 with respect to the weights to
// dweights [3][3][channels].
func Depthwise3x3Grad(dweights, src, ddst []float32, g Grid, channels int) {
	depthwise3x3Grad(best(), dweights, src, ddst, g, channels)
}

func depthwise3x3Grad(k *kernel, dweights, src, ddst []float32, g Grid, channels int) {
	size := g.Points() * channels
	for i := 0; i+size <= len(src); i += size {
		k.depthwiseGrad(dweights, src[i:][:size], ddst[i:][:size], g, channels)
	}
}

// PoolBoard sets dst to the mean and the maximum of each channel over the points:
//
//	dst [n][2·channels], src [n][points][channels]
func PoolBoard(dst, src []float32, points, channels int) {
	poolBoard(best(), dst, src, points, channels)
}

func poolBoard(k *kernel, dst, src []float32, points, channels int) {
	for i := range len(src) / (points * channels) {
		k.pool(dst[i*2*channels:][:2*channels], src[i*points*channels:][:points*channels])
	}
}

// PoolBoardGrad sets dsrc to the gradient of PoolBoard, whose source and destination
// src and dst were. Of several maxima the first has the gradient.
func PoolBoardGrad(dsrc, src, dst, ddst []float32, points, channels int) {
	poolBoardGrad(best(), dsrc, src, dst, ddst, points, channels)
}

func poolBoardGrad(k *kernel, dsrc, src, dst, ddst []float32, points, channels int) {
	size := points * channels
	for i := range len(src) / size {
		at := i * 2 * channels
		k.poolGrad(dsrc[i*size:][:size], src[i*size:][:size], dst[at:][:2*channels], ddst[at:][:2*channels])
	}
}

// PoolRegions divides the grid into r by r regions and sets dst to the means of each
// channel over the points of each region:
//
//	dst [n][r][r][channels], src [n][points][channels]
//
// The heights of regions differ by at most one, as do their widths. Mirror images have
// mirrored regions, except that r is even and the grid odd. r must not be greater than
// the height or the width.
func PoolRegions(dst, src []float32, g Grid, channels, r int) {
	poolRegions(best(), dst, src, g, channels, r)
}

func poolRegions(k *kernel, dst, src []float32, g Grid, channels, r int) {
	clear(dst[:len(src)/g.Points()*r*r])
	for ; len(src) > 0; src = src[g.Points()*channels:] {
		for i := range r * r {
			top, bottom := edge(g.Height, r, i/r), edge(g.Height, r, i/r+1)
			left, right := edge(g.Width, r, i%r), edge(g.Width, r, i%r+1)
			region := dst[:channels]
			for y := top; y < bottom; y++ {
				k.addPoints(region, src[(y*g.Width+left)*channels:][:(right-left)*channels])
			}
			scale := 1 / float32((bottom-top)*(right-left))
			for j := range region {
				region[j] *= scale
			}
			dst = dst[channels:]
		}
	}
}

// PoolRegionsGrad sets dsrc to the gradient of PoolRegions.
func PoolRegionsGrad(dsrc, ddst []float32, g Grid, channels, r int) {
	for ; len(ddst) > 0; dsrc = dsrc[g.Points()*channels:] {
		for i := range r * r {
			top, bottom := edge(g.Height, r, i/r), edge(g.Height, r, i/r+1)
			left, right := edge(g.Width, r, i%r), edge(g.Width, r, i%r+1)
			scale := 1 / float32((bottom-top)*(right-left))
			first := dsrc[(top*g.Width+left)*channels:][:channels]
			for j, v := range ddst[:channels] {
				first[j] = v * scale
			}
			for y := top; y < bottom; y++ {
				for x := left; x < right; x++ {
					copy(dsrc[(y*g.Width+x)*channels:][:channels], first)
				}
			}
			ddst = ddst[channels:]
		}
	}
}

// edge returns where region i of r along a side of n points begins: at the nearest
// point, in a way that mirrors.
func edge(n, r, i int) int {
	if 2*i > r {
		return n - edge(n, r, r-i)
	}
	return (2*i*n + r) / (2 * r)
}

func addBiasGeneric(x, bias []float32) {
	for ; len(x) > 0; x = x[len(bias):] {
		for j, v := range bias {
			x[j] += v
		}
	}
}

func addPointsGeneric(dst, src []float32) {
	for ; len(src) > 0; src = src[len(dst):] {
		for j := range dst {
			dst[j] += src[j]
		}
	}
}

func addGeneric(dst, src []float32) {
	for j, v := range src {
		dst[j] += v
	}
}

func addReluGeneric(dst, a, b []float32) {
	for j, v := range a {
		dst[j] = positive(v + b[j])
	}
}

func reluGradGeneric(grads, x []float32) {
	for j, v := range x {
		if !(v > 0) {
			grads[j] = 0
		}
	}
}

func depthwiseGeneric(dst, src, weights []float32, g Grid, width int, flip bool) {
	clear(dst)
	taps(g, func(p, q, t int) {
		if flip {
			t = 8 - t
		}
		out, in, w := dst[p*width:][:width], src[q*width:][:width], weights[t*width:][:width]
		for j, v := range in {
			out[j] = mulAdd(v, w[j], out[j])
		}
	})
}

func depthwiseGradGeneric(dweights, src, ddst []float32, g Grid, width int) {
	taps(g, func(p, q, t int) {
		d, in, w := ddst[p*width:][:width], src[q*width:][:width], dweights[t*width:][:width]
		for j, v := range in {
			w[j] = mulAdd(v, d[j], w[j])
		}
	})
}

// taps calls f for every point p and each of the nine points q around it that the grid
// has, with the number t of its weight. Inner points, which have all nine, come first,
// so that vector kernels need not look at the border among them.
func taps(g Grid, f func(p, q, t int)) {
	for y := 1; y < g.Height-1; y++ {
		for x := 1; x < g.Width-1; x++ {
			around(g, y, x, f)
		}
	}
	border(g, f)
}

// border calls f as taps does, but only for the points on the border.
func border(g Grid, f func(p, q, t int)) {
	for y := range g.Height {
		for x := 0; x < g.Width; x++ {
			if 0 < y && y < g.Height-1 && 0 < x && x < g.Width-1 {
				x = g.Width - 1
			}
			around(g, y, x, f)
		}
	}
}

// around calls f as taps does, but only for the point at y and x.
func around(g Grid, y, x int, f func(p, q, t int)) {
	for t := range 9 {
		sy, sx := y+t/3-1, x+t%3-1
		if sy >= 0 && sy < g.Height && sx >= 0 && sx < g.Width {
			f(y*g.Width+x, sy*g.Width+sx, t)
		}
	}
}

func poolGeneric(dst, src []float32) {
	width := len(dst) / 2
	mean, most := dst[:width], dst[width:]
	clear(mean)
	for j := range most {
		most[j] = float32(math.Inf(-1))
	}
	scale := 1 / float32(len(src)/width)
	for ; len(src) > 0; src = src[width:] {
		for j, v := range src[:width] {
			mean[j] += v
			if v > most[j] {
				most[j] = v
			}
		}
	}
	for j := range mean {
		mean[j] *= scale
	}
}

func poolGradGeneric(dsrc, src, dst, ddst []float32) {
	width := len(dst) / 2
	scale := 1 / float32(len(src)/width)
	for j := range width {
		mean, most := float32(ddst[j]*scale), ddst[width+j]
		for i := j; i < len(src); i += width {
			add := float32(0)
			if src[i] == dst[width+j] {
				add, most = most, 0
			}
			dsrc[i] = mean + add
		}
	}
}
