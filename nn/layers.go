package nn

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
