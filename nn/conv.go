package nn

// A Workspace holds what layers compute in between. It grows as needed and may serve
// layers of all shapes, but only one call at a time. Its zero value is ready for use.
type Workspace struct{ pad, tile, v, m, u []float32 }

// sized returns n floats of a buffer, which it replaces if there are fewer.
func sized(s *[]float32, n int) []float32 {
	if cap(*s) < n {
		*s = make([]float32, n)
	}
	return (*s)[:n]
}

// Convolutions use Winograd's algorithm F(4x4, 3x3), as Lavin and Gray (2015, Fast
// Algorithms for Convolutional Neural Networks, arXiv 1509.09308) apply it: a tile d
// of 6x6 points of the source gives 4x4 points of the destination,
//
//	Aᵀ [(G w Gᵀ) ⊙ (Bᵀ d B)] A
//
//	     ⎡ 4  0 -5  0 1 0 ⎤       ⎡  1/4     0    0  ⎤        ⎡ 1 1  1 1  1 0 ⎤
//	     ⎢ 0 -4 -4  1 1 0 ⎥       ⎢ -1/6  -1/6  -1/6 ⎥   Aᵀ = ⎢ 0 1 -1 2 -2 0 ⎥
//	Bᵀ = ⎢ 0  4 -4 -1 1 0 ⎥   G = ⎢ -1/6   1/6  -1/6 ⎥        ⎢ 0 1  1 4  4 0 ⎥
//	     ⎢ 0 -2 -1  2 1 0 ⎥       ⎢ 1/24  1/12   1/6 ⎥        ⎣ 0 1 -1 8 -8 1 ⎦
//	     ⎢ 0  2 -1 -2 1 0 ⎥       ⎢ 1/24 -1/12   1/6 ⎥
//	     ⎣ 0  4  0 -5 0 1 ⎦       ⎣   0      0     1 ⎦
//
// The element-wise product is summed over the channels of the source, so for each of
// the 36 elements it is a product of the matrices [tiles][in] and [in][out]. These are
// 36 multiply-adds for 16 points, where the sum over the nine weights takes 144; on a
// grid of 15x15, which tiles exceed, 3.5 times fewer. A convolution of eight images
// from 64 to 64 channels takes less than half of the time that the sum would take at
// the peak of the processor. The price is exactness: the results differ from exact
// ones by 1.5e-6 of their size, the root of the mean square, where the sum's differ by
// 0.4e-6.
const (
	tileSize  = 4            // points of the destination along each side of a tile
	tileReach = tileSize + 2 // and of the source
	elements  = tileReach * tileReach
)

// blockTiles bounds how many tiles are transformed at once, unless an image has more.
// Of 64 to 64 channels they and their products take 1.2 MiB. Convolutions are as fast
// with a quarter of that, but gradients, which load and store 36 matrices of weights
// for every block, are not.
const blockTiles = 64

// A pass tells where the lines are to which a one-dimensional transform is applied, in
// every channel: element e of line l begins at l·line + e·step, in the source and in
// the destination.
type pass struct {
	lines, width     int
	srcLine, srcStep int
	dstLine, dstStep int
}

// A tiling tells how tiles cover a grid.
type tiling struct {
	rows, cols int // of tiles
	images     int // at most in a block
	padded     int // points in a row of a grid with its border
}

func newTiling(g Grid) tiling {
	t := tiling{rows: (g.Height + tileSize - 1) / tileSize, cols: (g.Width + tileSize - 1) / tileSize}
	t.images = max(1, blockTiles/t.tiles())
	t.padded = tileSize*t.cols + 2
	return t
}

// tiles returns the number of tiles of an image.
func (t tiling) tiles() int { return t.rows * t.cols }

// pad returns a copy of an image with a border of zeros: one point above it and to the
// left, and at least one below it and to the right. Only the first copy of a layer has
// to clear the border.
func (t tiling) pad(w *Workspace, src []float32, g Grid, width int, first bool) []float32 {
	dst := sized(&w.pad, t.padded*(tileSize*t.rows+2)*width)
	if first {
		clear(dst)
	}
	for y := range g.Height {
		copy(dst[((y+1)*t.padded+1)*width:], src[y*g.Width*width:][:g.Width*width])
	}
	return dst
}

// columns returns the number of columns of transformed weights: panels have 16, so an
// odd group of eight is followed by eight columns of zeros.
func columns(out int) int { return (out + panelCols - 1) / panelCols * panelCols }

// Conv3x3Size returns the length of the transformed weights of a convolution.
func Conv3x3Size(in, out int) int { return elements * in * columns(out) }

// Conv3x3Weights transforms weights for Conv3x3:
//
//	dst [Conv3x3Size(in, out)], weights [3][3][in][out]
func Conv3x3Weights(dst, weights []float32, in, out int, w *Workspace) {
	conv3x3Weights(best(), dst, weights, in, out, w)
}

// conv3x3Weights sets dst to panels [36][columns/16][in][16].
func conv3x3Weights(k *kernel, dst, weights []float32, in, out int, w *Workspace) {
	cols := columns(out)
	dst = dst[:elements*in*cols]
	if cols > out {
		clear(dst)
	}
	const width = panelCols
	tile := sized(&w.tile, tileReach*3*width)
	for j := 0; j < out; j += width {
		for i := range in {
			n := min(width, out-j)
			k.tileWeights(tile, weights[i*out+j:], pass{3, n, in * out, 3 * in * out, width, 3 * width})
			k.tileWeights(dst[j*in+i*width:], tile, pass{tileReach, n, 3 * width, width, tileReach * in * cols, in * cols})
		}
	}
}

// Conv3x3WeightsT transforms weights so that Conv3x3, from out to in channels, gives
// the gradient of a convolution with respect to its source from that with respect to
// its destination:
//
//	dst [Conv3x3Size(out, in)], weights [3][3][in][out]
func Conv3x3WeightsT(dst, weights []float32, in, out int, w *Workspace) {
	conv3x3WeightsT(best(), dst, weights, in, out, w)
}

func conv3x3WeightsT(k *kernel, dst, weights []float32, in, out int, w *Workspace) {
	flipped := sized(&w.u, 9*in*out)
	for t := range 9 {
		Transpose(flipped[t*in*out:][:in*out], weights[(8-t)*in*out:][:in*out], in, out)
	}
	conv3x3Weights(k, dst, flipped, out, in, w)
}

// Conv3x3 sets dst to the convolution of src with weights, where points beyond the
// grid are zero:
//
//	dst [n][points][out], src [n][points][in], weights from Conv3x3Weights
func Conv3x3(dst, src, weights []float32, g Grid, in, out int, w *Workspace) {
	conv3x3(best(), dst, src, weights, g, in, out, w)
}

func conv3x3(k *kernel, dst, src, weights []float32, g Grid, in, out int, w *Workspace) {
	t := newTiling(g)
	cols := columns(out)
	points := g.Points()
	n := len(src) / (points * in)
	for first := 0; first < n; first += t.images {
		images := min(t.images, n-first)
		// Matrix products make four rows at once. What the last ones make of the rows
		// that follow the tiles is not used.
		rows := (images*t.tiles() + 3) / 4 * 4
		v := sized(&w.v, elements*rows*in)
		t.transform(k, v, src[first*points*in:], g, in, images, rows, first == 0, w)
		m := sized(&w.m, elements*rows*cols)
		for e := range elements {
			k.mulPanels(m[e*rows*cols:][:rows*cols], v[e*rows*in:][:rows*in], weights[e*in*cols:][:in*cols], rows, in, cols)
		}
		t.collect(k, dst[first*points*out:], m, g, out, images, rows, w)
	}
}

// transform sets v [36][rows][width] to Bᵀ d B of the tiles of images. As neighbors
// overlap, it computes Bᵀ d for a whole row of tiles first.
func (t tiling) transform(k *kernel, v, src []float32, g Grid, width, images, rows int, first bool, w *Workspace) {
	row := t.padded * width
	strip := sized(&w.tile, tileReach*row)
	at := 0
	for i := range images {
		padded := t.pad(w, src[i*g.Points()*width:], g, width, first && i == 0)
		for y := range t.rows {
			k.tileSrc(strip, padded[y*tileSize*row:], pass{1, row, 0, row, 0, row})
			for x := range t.cols {
				k.tileSrc(v[at:], strip[x*tileSize*width:], pass{tileReach, width, row, width, tileReach * rows * width, rows * width})
				at += width
			}
		}
	}
}

// collect sets images to Aᵀ m A, where m is [36][rows][columns]. It computes Aᵀ m for a
// whole row of tiles first.
func (t tiling) collect(k *kernel, dst, m []float32, g Grid, out, images, rows int, w *Workspace) {
	cols := columns(out)
	row := t.cols * cols
	buffer := sized(&w.tile, tileSize*tileReach*row+tileSize*tileSize*out)
	strip, clipped := buffer[:tileSize*tileReach*row], buffer[tileSize*tileReach*row:]
	at := 0
	for i := range images {
		image := dst[i*g.Points()*out:][:g.Points()*out]
		for y := 0; y < g.Height; y += tileSize {
			k.tileDst(strip, m[at:], pass{tileReach, row, rows * cols, tileReach * rows * cols, row, tileReach * row})
			at += row
			for x := range t.cols {
				to := image[(y*g.Width+x*tileSize)*out:]
				high, wide := min(tileSize, g.Height-y), min(tileSize, g.Width-x*tileSize)
				p := pass{high, out, tileReach * row, row, g.Width * out, out}
				if wide == tileSize {
					k.tileDst(to, strip[x*cols:], p)
					continue
				}
				p.dstLine = tileSize * out
				k.tileDst(clipped, strip[x*cols:], p)
				for r := range high {
					copy(to[r*g.Width*out:][:wide*out], clipped[r*tileSize*out:])
				}
			}
		}
	}
}

// Conv3x3Grad adds the gradient with respect to the weights to dweights:
//
//	dweights [3][3][in][out], src [n][points][in], ddst [n][points][out]
//
// That with respect to src is a convolution; see Conv3x3WeightsT.
func Conv3x3Grad(dweights, src, ddst []float32, g Grid, in, out int, w *Workspace) {
	conv3x3Grad(best(), dweights, src, ddst, g, in, out, w)
}

// conv3x3Grad transposes every step of conv3x3, so that it has as few multiply-adds.
func conv3x3Grad(k *kernel, dweights, src, ddst []float32, g Grid, in, out int, w *Workspace) {
	t := newTiling(g)
	points := g.Points()
	n := len(src) / (points * in)
	u := sized(&w.u, elements*in*out)
	clear(u)
	for first := 0; first < n; first += t.images {
		images := min(t.images, n-first)
		rows := images * t.tiles()
		v := sized(&w.v, elements*rows*in)
		t.transform(k, v, src[first*points*in:], g, in, images, rows, true, w)
		m := sized(&w.m, elements*rows*out)
		t.transformGrad(k, m, ddst[first*points*out:], g, out, images, rows, w)
		for e := range elements {
			k.matMul(u[e*in*out:][:in*out], v[e*rows*in:][:rows*in], m[e*rows*out:][:rows*out], in, rows, out, 1, in)
		}
	}
	tile := sized(&w.tile, 3*(tileReach+3)*out)
	sum := tile[3*tileReach*out:]
	for i := range in {
		k.tileWeightsT(tile, u[i*out:], pass{tileReach, out, in * out, tileReach * in * out, out, tileReach * out})
		k.tileWeightsT(sum, tile, pass{3, out, tileReach * out, out, 3 * out, out})
		for e := range 9 {
			k.add(dweights[(e*in+i)*out:][:out], sum[e*out:][:out])
		}
	}
}

// transformGrad sets m [36][rows][width] to A y Aᵀ of the tiles of images of
// gradients, of which it computes A y for a whole row first.
func (t tiling) transformGrad(k *kernel, m, ddst []float32, g Grid, width, images, rows int, w *Workspace) {
	row := tileSize * t.cols * width
	strip := sized(&w.tile, tileReach*row)
	at := 0
	for i := range images {
		padded := t.pad(w, ddst[i*g.Points()*width:], g, width, i == 0)
		for y := range t.rows {
			from := ((y*tileSize+1)*t.padded + 1) * width
			k.tileDstT(strip, padded[from:], pass{1, row, 0, t.padded * width, 0, row})
			for x := range t.cols {
				k.tileDstT(m[at:], strip[x*tileSize*width:], pass{tileReach, width, row, width, tileReach * rows * width, rows * width})
				at += width
			}
		}
	}
}

// The following products are exact, as one factor is a power of two. So they may be
// fused with the addition or not.

func tileSrcGeneric(dst, src []float32, p pass) {
	for l := range p.lines {
		for j := range p.width {
			s, d := src[l*p.srcLine+j:], dst[l*p.dstLine+j:]
			s0, s1, s2, s3, s4, s5 := s[0], s[p.srcStep], s[2*p.srcStep], s[3*p.srcStep], s[4*p.srcStep], s[5*p.srcStep]
			a, b := s4-4*s2, s3-4*s1
			e, f := s4-s2, s3-s1
			d[0] = e + 4*(s0-s2)
			d[p.dstStep] = a + b
			d[2*p.dstStep] = a - b
			d[3*p.dstStep] = e + 2*f
			d[4*p.dstStep] = e - 2*f
			d[5*p.dstStep] = (s5 - s3) - 4*f
		}
	}
}

func tileDstGeneric(dst, src []float32, p pass) {
	for l := range p.lines {
		for j := range p.width {
			s, d := src[l*p.srcLine+j:], dst[l*p.dstLine+j:]
			s1, s2, s3, s4 := s[p.srcStep], s[2*p.srcStep], s[3*p.srcStep], s[4*p.srcStep]
			a, b := s1+s2, s1-s2
			e, f := s3+s4, s3-s4
			d[0] = s[0] + (a + e)
			d[p.dstStep] = b + 2*f
			d[2*p.dstStep] = a + 4*e
			d[3*p.dstStep] = (b + 8*f) + s[5*p.srcStep]
		}
	}
}

func tileDstTGeneric(dst, src []float32, p pass) {
	for l := range p.lines {
		for j := range p.width {
			s, d := src[l*p.srcLine+j:], dst[l*p.dstLine+j:]
			s0, s1, s2, s3 := s[0], s[p.srcStep], s[2*p.srcStep], s[3*p.srcStep]
			a, b := s0+s2, s1+s3
			e, f := s0+4*s2, s1+4*s3
			d[0] = s0
			d[p.dstStep] = a + b
			d[2*p.dstStep] = a - b
			d[3*p.dstStep] = e + 2*f
			d[4*p.dstStep] = e - 2*f
			d[5*p.dstStep] = s3
		}
	}
}

func tileWeightsGeneric(dst, src []float32, p pass) {
	for l := range p.lines {
		for j := range p.width {
			s, d := src[l*p.srcLine+j:], dst[l*p.dstLine+j:]
			s0, s1, s2 := s[0], s[p.srcStep], s[2*p.srcStep]
			a := s0 + s2
			e := mulAdd(1./6, s2, float32(s0*(1./24)))
			f := float32(s1 * (1. / 12))
			d[0] = s0 * (1. / 4)
			d[p.dstStep] = (a + s1) * (-1. / 6)
			d[2*p.dstStep] = (a - s1) * (-1. / 6)
			d[3*p.dstStep] = e + f
			d[4*p.dstStep] = e - f
			d[5*p.dstStep] = s2
		}
	}
}

func tileWeightsTGeneric(dst, src []float32, p pass) {
	for l := range p.lines {
		for j := range p.width {
			s, d := src[l*p.srcLine+j:], dst[l*p.dstLine+j:]
			s1, s2, s3, s4 := s[p.srcStep], s[2*p.srcStep], s[3*p.srcStep], s[4*p.srcStep]
			a, b := s1+s2, s2-s1
			e, f := s3+s4, s3-s4
			d[0] = mulAdd(1./24, e, mulAdd(-1./6, a, float32(s[0]*(1./4))))
			d[p.dstStep] = mulAdd(1./6, b, float32(f*(1./12)))
			d[2*p.dstStep] = mulAdd(1./6, e-a, s[5*p.srcStep])
		}
	}
}

func mulPanelsGeneric(dst, a, panels []float32, m, k, n int) {
	for i := range m {
		for j := 0; j < n; j += panelCols {
			out := dst[i*n+j:][:panelCols]
			clear(out)
			for l, v := range a[i*k:][:k] {
				row := panels[j*k+l*panelCols:][:panelCols]
				v := float64(v)
				for c := range out {
					out[c] = mulAddTo(v, row[c], out[c])
				}
			}
		}
	}
}
