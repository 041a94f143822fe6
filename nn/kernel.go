package nn

import "math"

// A kernel is one implementation of the loops in which networks spend their time.
// All kernels give the same bits; see Exactness in the package comment.
type kernel struct {
	name string
	// update replaces rows in the sums of points and keeps the pool of what is
	// positive in them:
	//
	//	sums [][width], pool [width], rows [][width]
	update func(sums, pool, rows []float32, width int, changes []Change)
	// vecMat adds x·w to dst:
	//
	//	dst [n], x [k], w [k][n], n a multiple of lane
	vecMat func(dst, x, w []float32)
	// dense sets dst to relu(bias + x·w), with the dimensions of vecMat.
	dense func(dst, bias, x, w []float32)
	// policy sets dst to the products of relu of the sums of points with weights.
	// The view that begins at own is multiplied by the first half of them, the
	// other one by the second:
	//
	//	dst, points [points], sums [][2·C], weights [2][C]
	policy func(dst, sums, weights []float32, points []int32, own int)
	// lines sets every row of dst to relu(center + (a + the row of b)):
	//
	//	dst, b [][width], center, a [width]
	lines func(dst, center, a, b []float32)
	// relu replaces what is negative by zero.
	relu func(x []float32)
	// bound limits x to ±RowBound and, if round is set, rounds it to multiples of
	// rowGrain. NaN becomes RowBound.
	bound func(x []float32, round bool)
	// matMul adds a·b to dst, where element (i, l) of a is a[i*ai+l*al]:
	//
	//	dst [m][n], b [k][n], k at least 1, n a multiple of lane
	matMul func(dst, a, b []float32, m, k, n, ai, al int)
	// sumRows sets every point to the sum of four rows:
	//
	//	dst [points][width], rows [][width], index [points][4]
	sumRows func(dst, rows []float32, index []uint32, width int)
	// addRows adds every point to four rows:
	//
	//	rows [][width], src [points][width], index [points][4]
	addRows func(rows, src []float32, index []uint32, width int)
	// rectify replaces what is negative by zero and adds up the points:
	//
	//	x [points][width], pool [width]
	rectify func(x, pool []float32)
	// mask sets dst where x is positive to the gradient of the pool, plus that
	// of the point times the weights, and elsewhere to zero:
	//
	//	dst, x [points][width], pool, weights [width], grads [points]
	mask func(dst, x, pool, weights, grads []float32)
	// dots sets dst to the products of the points with weights:
	//
	//	dst [points], x [points][width], weights [width]
	dots func(dst, x, weights []float32)

	// The transforms of tiles by Bᵀ, Aᵀ, A, G and Gᵀ; see Conv3x3. They take 6, 6, 4,
	// 3 and 6 elements and make 6, 4, 6, 6 and 3 of them. The width of the pass must
	// be a multiple of lane.
	tileSrc, tileDst, tileDstT, tileWeights, tileWeightsT func(dst, src []float32, p pass)
	// mulPanels sets dst to a·b, where b is in panels of panelCols columns:
	//
	//	dst [m][n], a [m][k], panels [n/panelCols][k][panelCols]
	//
	// m must be a multiple of 4, k one of lane and n one of panelCols.
	mulPanels func(dst, a, panels []float32, m, k, n int)

	// addBias adds bias to every point:
	//
	//	x [points][width], bias [width]
	addBias func(x, bias []float32)
	// addPoints adds up points:
	//
	//	dst [width], src [points][width]
	addPoints func(dst, src []float32)
	// add adds src to dst.
	add func(dst, src []float32)
	// addRelu sets dst to relu(a + b). dst may be one of them.
	addRelu func(dst, a, b []float32)
	// reluGrad sets grads to zero where x is not positive.
	reluGrad func(grads, x []float32)
	// depthwise sets dst to the sums of up to nine points of src times weights, whose
	// order it reverses if flip is set:
	//
	//	dst, src [points][width], weights [3][3][width]
	depthwise func(dst, src, weights []float32, g Grid, width int, flip bool)
	// depthwiseGrad adds the gradient of the weights of depthwise to dweights.
	depthwiseGrad func(dweights, src, ddst []float32, g Grid, width int)
	// pool sets dst to the mean and the maximum of points:
	//
	//	dst [2][width], src [points][width]
	pool func(dst, src []float32)
	// poolGrad sets dsrc to the gradient of pool.
	poolGrad func(dsrc, src, dst, ddst []float32)
}

// panelCols is how many columns of a matrix are contiguous in a panel.
const panelCols = 2 * lane

// kernels lists the implementations that this machine can run, slowest first. The
// first is the reference for the others.
var kernels = []*kernel{{
	name:    "generic",
	update:  updateGeneric,
	vecMat:  vecMatGeneric,
	dense:   denseGeneric,
	policy:  policyGeneric,
	lines:   linesGeneric,
	relu:    reluGeneric,
	bound:   boundGeneric,
	matMul:  matMulGeneric,
	sumRows: sumRowsGeneric,
	addRows: addRowsGeneric,
	rectify: rectifyGeneric,
	mask:    maskGeneric,
	dots:    dotsGeneric,

	tileSrc:      tileSrcGeneric,
	tileDst:      tileDstGeneric,
	tileDstT:     tileDstTGeneric,
	tileWeights:  tileWeightsGeneric,
	tileWeightsT: tileWeightsTGeneric,
	mulPanels:    mulPanelsGeneric,

	addBias:       addBiasGeneric,
	addPoints:     addPointsGeneric,
	add:           addGeneric,
	addRelu:       addReluGeneric,
	reluGrad:      reluGradGeneric,
	depthwise:     depthwiseGeneric,
	depthwiseGrad: depthwiseGradGeneric,
	pool:          poolGeneric,
	poolGrad:      poolGradGeneric,
}}

// best returns the fastest kernel.
func best() *kernel { return kernels[len(kernels)-1] }

// mulAdd returns a·b + c as a fused multiply-add rounds it.
func mulAdd(a, b, c float32) float32 { return float32(float64(a)*float64(b) + float64(c)) }

// mulAddTo is mulAdd for a factor that a loop has in common. To convert it in the loop
// would cost three times as much: the instruction keeps half of the register that it
// writes to, so it waits for the step before.
func mulAddTo(a float64, b, c float32) float32 { return float32(a*float64(b) + float64(c)) }

// positive returns v if it is positive and otherwise 0, even of NaN, as the vector
// instruction does; so NaN goes no further.
func positive(v float32) float32 {
	if v > 0 {
		return v
	}
	return 0
}

func updateGeneric(sums, pool, rows []float32, width int, changes []Change) {
	for _, c := range changes {
		sum := sums[int(c.Point)*width:][:width]
		before := rows[int(c.Old)*width:][:width]
		after := rows[int(c.New)*width:][:width]
		for j, old := range sum {
			now := old + (after[j] - before[j])
			sum[j] = now
			pool[j] += positive(now) - positive(old)
		}
	}
}

func vecMatGeneric(dst, x, w []float32) {
	for l, v := range x {
		row := w[l*len(dst):][:len(dst)]
		v := float64(v)
		for j := range dst {
			dst[j] = mulAddTo(v, row[j], dst[j])
		}
	}
}

func denseGeneric(dst, bias, x, w []float32) {
	copy(dst, bias)
	vecMatGeneric(dst, x, w)
	reluGeneric(dst)
}

func policyGeneric(dst, sums, weights []float32, points []int32, own int) {
	width := len(weights)
	c := width / 2
	for i, p := range points {
		sum := sums[int(p)*width:][:width]
		var lanes [lane]float32
		for j, v := range sum[own:][:c] {
			lanes[j%lane] = mulAdd(positive(v), weights[j], lanes[j%lane])
		}
		for j, v := range sum[c-own:][:c] {
			lanes[j%lane] = mulAdd(positive(v), weights[c+j], lanes[j%lane])
		}
		dst[i] = sumLanes(&lanes)
	}
}

// sumLanes adds up lanes in the order of vector instructions.
func sumLanes(s *[lane]float32) float32 {
	return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
}

func linesGeneric(dst, center, a, b []float32) {
	width := len(center)
	for ; len(dst) > 0; dst, b = dst[width:], b[width:] {
		for j, v := range b[:width] {
			dst[j] = positive(center[j] + (a[j] + v))
		}
	}
}

func reluGeneric(x []float32) {
	for j, v := range x {
		x[j] = positive(v)
	}
}

func boundGeneric(x []float32, round bool) {
	for j, v := range x {
		if round {
			v = float32(math.RoundToEven(float64(v)/rowGrain)) * rowGrain
		}
		if !(v < RowBound) {
			v = RowBound
		}
		x[j] = max(-RowBound, v)
	}
}

func matMulGeneric(dst, a, b []float32, m, k, n, ai, al int) {
	for i := range m {
		out := dst[i*n:][:n]
		for l := range k {
			v := float64(a[i*ai+l*al])
			row := b[l*n:][:n]
			for j := range out {
				out[j] = mulAddTo(v, row[j], out[j])
			}
		}
	}
}

func sumRowsGeneric(dst, rows []float32, index []uint32, width int) {
	for p := range len(index) / 4 {
		at := index[4*p:][:4]
		r0, r1 := rows[int(at[0])*width:][:width], rows[int(at[1])*width:][:width]
		r2, r3 := rows[int(at[2])*width:][:width], rows[int(at[3])*width:][:width]
		out := dst[p*width:][:width]
		for j := range out {
			out[j] = (r0[j] + r1[j]) + (r2[j] + r3[j])
		}
	}
}

func addRowsGeneric(rows, src []float32, index []uint32, width int) {
	for i, at := range index {
		row := rows[int(at)*width:][:width]
		for j, v := range src[i/4*width:][:width] {
			row[j] += v
		}
	}
}

func rectifyGeneric(x, pool []float32) {
	for ; len(x) > 0; x = x[len(pool):] {
		for j, v := range x[:len(pool)] {
			v = positive(v)
			x[j] = v
			pool[j] += v
		}
	}
}

func maskGeneric(dst, x, pool, weights, grads []float32) {
	width := len(pool)
	for p, g := range grads {
		out := dst[p*width:][:width]
		g := float64(g)
		for j, v := range x[p*width:][:width] {
			if v > 0 {
				out[j] = mulAddTo(g, weights[j], pool[j])
			} else {
				out[j] = 0
			}
		}
	}
}

// dotsGeneric adds up eight interleaved sums, as vector kernels do.
func dotsGeneric(dst, x, weights []float32) {
	width := len(weights)
	for p := range dst {
		var lanes [lane]float32
		for j, v := range x[p*width:][:width] {
			lanes[j%lane] = mulAdd(v, weights[j], lanes[j%lane])
		}
		dst[p] = sumLanes(&lanes)
	}
}

// MatMul adds a·b to dst, matrices of m×k, k×n and m×n by rows. n must be a multiple
// of 8.
func MatMul(dst, a, b []float32, m, k, n int) { best().matMul(dst, a, b, m, k, n, k, 1) }

// MatMulT adds aᵀ·b to dst, where a is k×m: the gradient of weights, from the inputs
// and the gradients of the outputs of k samples.
func MatMulT(dst, a, b []float32, m, k, n int) { best().matMul(dst, a, b, m, k, n, 1, m) }

// VecMat adds x [k] times w [k][n] to dst [n]. n must be a multiple of 8.
func VecMat(dst, x, w []float32) { best().vecMat(dst, x, w) }

// SumRows sets every point of dst [points][width] to the sum of the four rows that
// index [points][4] names. width must be a multiple of 8, here and below.
func SumRows(dst, rows []float32, index []uint32, width int) { best().sumRows(dst, rows, index, width) }

// AddRows adds every point of src [points][width] to its four rows: the gradient of
// SumRows.
func AddRows(rows, src []float32, index []uint32, width int) { best().addRows(rows, src, index, width) }

// Rectify replaces what is negative in x [points][width] by zero and adds the points
// to pool [width].
func Rectify(x, pool []float32) { best().rectify(x, pool) }

// Mask is the gradient of Rectify and Dots together: where x is positive it sets dst
// to that of the pool plus that of the point's product times the weights, elsewhere to
// zero.
func Mask(dst, x, pool, weights, grads []float32) { best().mask(dst, x, pool, weights, grads) }

// Dots sets dst [points] to the products of x [points][width] with weights [width].
func Dots(dst, x, weights []float32) { best().dots(dst, x, weights) }

// Relu replaces what is negative in x by zero. The length of x must be a multiple of 8,
// as must be those of the next ones.
func Relu(x []float32) { best().relu(x) }

// Bound limits the elements of rows to ±RowBound.
func Bound(rows []float32) { best().bound(rows, false) }

// Lines sets every row of dst to relu(center + (a + the row of b)): the first hidden
// layer of the lines of a center, a half line and several others. dst and b are
// [lines][width], center and a [width].
func Lines(dst, center, a, b []float32) { best().lines(dst, center, a, b) }
