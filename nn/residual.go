package nn

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
)

// A ResidualShape gives the dimensions of a residual network.
type ResidualShape struct {
	Planes   int // of the input
	Blocks   int // of the tower
	Channels int // of the tower
	Head     int // width of the hidden layers of the heads
}

// Limits of a [ResidualShape]; Channels and Head are multiples of lane.
const (
	maxBlocks = 40
	maxTower  = 256
	maxHead   = 256
)

// InputChannels is the number of channels of a point of the input, as layers take
// channels by eight. Those that follow the planes are not used.
const InputChannels = lane

// Check returns an error if a shape is invalid.
func (s ResidualShape) Check() error {
	if s.Planes < 1 || s.Planes > InputChannels {
		return fmt.Errorf("planes must be 1 to %d, got %d", InputChannels, s.Planes)
	}
	if s.Blocks < 1 || s.Blocks > maxBlocks {
		return fmt.Errorf("blocks must be 1 to %d, got %d", maxBlocks, s.Blocks)
	}
	return cmp.Or(checkWidth("channels", s.Channels, maxTower), checkWidth("head width", s.Head, maxHead))
}

// A Residual is a residual network with a policy and a value; see the package comment.
// B stands for Blocks, C for Channels, H for Head.
type Residual struct {
	ResidualShape
	Name string // what it is for, such as the rule of a game

	Stem     []float32 // [3][3][Planes][C]
	StemBias []float32 // [C]
	First    []float32 // [B][3][3][C][C], input first, as in all that follow
	Bias1    []float32 // [B][C]
	Second   []float32 // [B][3][3][C][C]
	Bias2    []float32 // [B][C]
	P1       []float32 // [C][H], of a point
	Pool     []float32 // [2][C][H], of the means and the maxima
	P1Bias   []float32 // [H]
	P2       []float32 // [H]
	V1       []float32 // [2][C][H], of the means and the maxima
	V1Bias   []float32 // [H]
	V2       []float32 // [H]
	V2Bias   []float32 // [1]
}

// Tensors returns the parts of n, in the order of files.
func (n *Residual) Tensors() []Tensor {
	b, c, h := n.Blocks, n.Channels, n.Head
	return []Tensor{
		{"stem", &n.Stem, 9 * n.Planes * c, 9 * n.Planes},
		{"stem bias", &n.StemBias, c, 0},
		{"first", &n.First, b * 9 * c * c, 9 * c},
		{"first bias", &n.Bias1, b * c, 0},
		{"second", &n.Second, b * 9 * c * c, 9 * c},
		{"second bias", &n.Bias2, b * c, 0},
		{"policy 1", &n.P1, c * h, c},
		{"policy pool", &n.Pool, 2 * c * h, 2 * c},
		{"policy bias", &n.P1Bias, h, 0},
		{"policy 2", &n.P2, h, h},
		{"value 1", &n.V1, 2 * c * h, 2 * c},
		{"value 1 bias", &n.V1Bias, h, 0},
		{"value 2", &n.V2, h, h},
		{"value 2 bias", &n.V2Bias, 1, 0},
	}
}

// ZeroResidual returns a network whose weights are all zero.
func ZeroResidual(s ResidualShape, name string) *Residual {
	if err := s.Check(); err != nil {
		panic("nn: " + err.Error())
	}
	n := &Residual{ResidualShape: s, Name: name}
	for _, t := range n.Tensors() {
		*t.Data = make([]float32, t.Size)
	}
	return n
}

// NewResidual returns a network with random weights. They are scaled so that a tower of
// any height learns without normalization (Zhang, Dauphin and Ma 2019, Fixup): every
// block begins as the identity, as its second convolution is zero, and the first is
// smaller the more blocks there are. Value and policy begin at zero, too.
func NewResidual(s ResidualShape, name string, rng *rand.Rand) *Residual {
	n := ZeroResidual(s, name)
	for _, t := range n.Tensors() {
		if t.Data == &n.Second || t.Data == &n.P2 || t.Data == &n.V2 || t.In == 0 {
			continue
		}
		scale := math.Sqrt(2 / float64(t.In))
		if t.Data == &n.First {
			scale /= math.Sqrt(float64(s.Blocks))
		}
		for j := range *t.Data {
			(*t.Data)[j] = float32(rng.NormFloat64() * scale)
		}
	}
	return n
}

// A Tower computes a residual network. Any number of goroutines may use it, each with a
// workspace of its own.
type Tower struct {
	ResidualShape
	net             *Residual
	k               *kernel
	stem            []float32   // transformed, as are the following
	first, second   [][]float32 // by block
	firstT, secondT [][]float32 // for gradients with respect to the source
	p1T, poolT, v1T []float32   // transposed
	scratch         Workspace
	padded          []float32 // [3][3][InputChannels][C]: the weights of the stem
}

// TowerSize returns the size in bytes of the weights of a tower that does not learn.
func (n *Residual) TowerSize() int {
	c := n.Channels
	return 4 * (9*InputChannels*c + Conv3x3Size(InputChannels, c) + 2*n.Blocks*Conv3x3Size(c, c))
}

// NewTower returns a tower that computes n. If learn is set, it can compute gradients,
// too.
func NewTower(n *Residual, learn bool) *Tower { return newTower(best(), n, learn) }

func newTower(k *kernel, n *Residual, learn bool) *Tower {
	t := &Tower{ResidualShape: n.ResidualShape, net: n, k: k}
	c := n.Channels
	t.padded = make([]float32, 9*InputChannels*c)
	t.stem = make([]float32, Conv3x3Size(InputChannels, c))
	for range n.Blocks {
		t.first = append(t.first, make([]float32, Conv3x3Size(c, c)))
		t.second = append(t.second, make([]float32, Conv3x3Size(c, c)))
		if learn {
			t.firstT = append(t.firstT, make([]float32, Conv3x3Size(c, c)))
			t.secondT = append(t.secondT, make([]float32, Conv3x3Size(c, c)))
		}
	}
	if learn {
		t.p1T = make([]float32, c*n.Head)
		t.poolT, t.v1T = make([]float32, 2*c*n.Head), make([]float32, 2*c*n.Head)
	}
	t.Update()
	return t
}

// Update takes over the weights of the network, which have changed. No other goroutine
// may use the tower meanwhile.
func (t *Tower) Update() {
	n, c := t.net, t.Channels
	for tap := range 9 {
		copy(t.padded[tap*InputChannels*c:], n.Stem[tap*n.Planes*c:][:n.Planes*c])
	}
	conv3x3Weights(t.k, t.stem, t.padded, InputChannels, c, &t.scratch)
	size := 9 * c * c
	for i := range t.first {
		conv3x3Weights(t.k, t.first[i], n.First[i*size:][:size], c, c, &t.scratch)
		conv3x3Weights(t.k, t.second[i], n.Second[i*size:][:size], c, c, &t.scratch)
	}
	for i := range t.firstT {
		conv3x3WeightsT(t.k, t.firstT[i], n.First[i*size:][:size], c, c, &t.scratch)
		conv3x3WeightsT(t.k, t.secondT[i], n.Second[i*size:][:size], c, c, &t.scratch)
	}
	if t.p1T != nil {
		Transpose(t.p1T, n.P1, c, n.Head)
		Transpose(t.poolT, n.Pool, 2*c, n.Head)
		Transpose(t.v1T, n.V1, 2*c, n.Head)
	}
}

// A TowerWorkspace holds the activations of a tower. It grows as needed and may serve
// towers of all shapes, but only one call at a time. Its zero value is ready for use.
type TowerWorkspace struct {
	layers Workspace
	// With P for n·points:
	x      [][]float32 // [P][C], after the stem and every block
	y      [][]float32 // [P][C], within every block
	z      []float32   // [P][C]
	pool   []float32   // [n][2·C]
	h      []float32   // [P][H], of the policy
	global []float32   // [n][H], the pool's part of it
	v      []float32   // [n][H], of the value

	planes []float32 // the input of Forward
	grid   Grid

	dx, dy, dz  []float32 // [P][C]
	dh          []float32 // [P][H]
	dglobal, dv []float32 // [n][H]
	dpool       []float32 // [n][2·C]
	padded      []float32 // [3][3][InputChannels][C]
}

// Forward evaluates a batch of n positions on one grid:
//
//	values [n], policies [n][points], planes [n][points][InputChannels]
//
// Values are logits for the side to move, policies logits of every point. It allocates
// nothing once w has grown.
func (t *Tower) Forward(values, policies, planes []float32, g Grid, w *TowerWorkspace) {
	points := g.Points()
	for size := together * points * InputChannels; len(planes) > size; planes = planes[size:] {
		t.forward(values[:together], policies[:together*points], planes[:size], g, w, false)
		values, policies = values[together:], policies[together*points:]
	}
	t.forward(values, policies, planes, g, w, false)
}

// together is how many positions are evaluated at once: more do not fit into the caches,
// and each layer would load what the one before has stored from memory.
const together = 8

// ForwardKeep is Forward, but keeps what Backward needs: w, and the planes.
func (t *Tower) ForwardKeep(values, policies, planes []float32, g Grid, w *TowerWorkspace) {
	t.forward(values, policies, planes, g, w, true)
}

// grow returns the i-th of buffers of size floats.
func grow(s *[][]float32, i, size int) []float32 {
	for len(*s) <= i {
		*s = append(*s, nil)
	}
	b := sized(&(*s)[i], size)
	(*s)[i] = b
	return b
}

func (t *Tower) forward(values, policies, planes []float32, g Grid, w *TowerWorkspace, keep bool) {
	net, c, h, points := t.net, t.Channels, t.Head, g.Points()
	n := len(planes) / (points * InputChannels)
	if n == 0 {
		return
	}
	w.planes, w.grid = planes, g
	size := n * points * c
	x := grow(&w.x, 0, size)
	conv3x3(t.k, x, planes[:n*points*InputChannels], t.stem, g, InputChannels, c, &w.layers)
	t.k.addBias(x, net.StemBias)
	t.k.relu(x)
	z := sized(&w.z, size)
	for i := range t.first {
		to, inner := 0, 0
		if keep {
			to, inner = i+1, i
		}
		y := grow(&w.y, inner, size)
		conv3x3(t.k, y, x, t.first[i], g, c, c, &w.layers)
		t.k.addBias(y, net.Bias1[i*c:][:c])
		t.k.relu(y)
		conv3x3(t.k, z, y, t.second[i], g, c, c, &w.layers)
		t.k.addBias(z, net.Bias2[i*c:][:c])
		next := grow(&w.x, to, size)
		t.k.addRelu(next, z, x)
		x = next
	}

	pool := sized(&w.pool, n*2*c)
	poolBoard(t.k, pool, x, points, c)
	v := sized(&w.v, n*h)
	dense(t.k, v, pool, net.V1, net.V1Bias, 2*c, h, true)
	t.k.dots(values[:n], v, net.V2)
	for i := range n {
		values[i] += net.V2Bias[0]
	}

	global := sized(&w.global, n*h)
	dense(t.k, global, pool, net.Pool, net.P1Bias, 2*c, h, false)
	hidden := sized(&w.h, n*points*h)
	for i := range n {
		dense(t.k, hidden[i*points*h:][:points*h], x[i*points*c:][:points*c], net.P1, global[i*h:][:h], c, h, true)
	}
	t.k.dots(policies[:n*points], hidden, net.P2)
}

// Backward adds the gradient of the weights to grad, given that of what the last
// ForwardKeep with w returned. The tower must be one that learns.
func (t *Tower) Backward(grad *Residual, dvalues, dpolicies []float32, w *TowerWorkspace) {
	net, c, h, g := t.net, t.Channels, t.Head, w.grid
	points := g.Points()
	n := len(w.planes) / (points * InputChannels)
	if n == 0 {
		return
	}
	k := t.k
	size := n * points * c
	x := w.x[t.Blocks][:size]
	pool, v, hidden := w.pool[:n*2*c], w.v[:n*h], w.h[:n*points*h]

	// The value.
	for _, d := range dvalues[:n] {
		grad.V2Bias[0] += d
	}
	k.vecMat(grad.V2, dvalues[:n], v)
	dv := sized(&w.dv, n*h)
	outer(dv, dvalues[:n], net.V2)
	k.reluGrad(dv, v)
	k.addPoints(grad.V1Bias, dv)
	k.matMul(grad.V1, pool, dv, 2*c, n, h, 1, 2*c)
	dpool := sized(&w.dpool, n*2*c)
	clear(dpool)
	k.matMul(dpool, dv, t.v1T, n, h, 2*c, h, 1)

	// The policy.
	k.vecMat(grad.P2, dpolicies[:n*points], hidden)
	dh := sized(&w.dh, n*points*h)
	outer(dh, dpolicies[:n*points], net.P2)
	k.reluGrad(dh, hidden)
	k.matMul(grad.P1, x, dh, c, n*points, h, 1, c)
	dglobal := sized(&w.dglobal, n*h)
	clear(dglobal)
	for i := range n {
		k.addPoints(dglobal[i*h:][:h], dh[i*points*h:][:points*h])
	}
	k.addPoints(grad.P1Bias, dglobal)
	k.matMul(grad.Pool, pool, dglobal, 2*c, n, h, 1, 2*c)
	k.matMul(dpool, dglobal, t.poolT, n, h, 2*c, h, 1)

	// The tower, from its end; dx is the gradient of x.
	dx, dy, dz := sized(&w.dx, size), sized(&w.dy, size), sized(&w.dz, size)
	poolBoardGrad(k, dx, x, pool, dpool, points, c)
	k.matMul(dx, dh, t.p1T, n*points, h, c, h, 1)
	weights := 9 * c * c
	for i := t.Blocks - 1; i >= 0; i-- {
		k.reluGrad(dx, w.x[i+1][:size])
		k.addPoints(grad.Bias2[i*c:][:c], dx)
		y := w.y[i][:size]
		conv3x3Grad(k, grad.Second[i*weights:][:weights], y, dx, g, c, c, &w.layers)
		conv3x3(k, dy, dx, t.secondT[i], g, c, c, &w.layers)
		k.reluGrad(dy, y)
		k.addPoints(grad.Bias1[i*c:][:c], dy)
		conv3x3Grad(k, grad.First[i*weights:][:weights], w.x[i][:size], dy, g, c, c, &w.layers)
		conv3x3(k, dz, dy, t.firstT[i], g, c, c, &w.layers)
		k.add(dx, dz)
	}
	k.reluGrad(dx, w.x[0][:size])
	k.addPoints(grad.StemBias, dx)
	padded := sized(&w.padded, 9*InputChannels*c)
	clear(padded)
	conv3x3Grad(k, padded, w.planes[:n*points*InputChannels], dx, g, InputChannels, c, &w.layers)
	for tap := range 9 {
		k.add(grad.Stem[tap*t.Planes*c:][:t.Planes*c], padded[tap*InputChannels*c:][:t.Planes*c])
	}
}

// outer sets dst [rows][len(b)] to the products of the elements of a and b.
func outer(dst, a, b []float32) {
	for i, v := range a {
		row := dst[i*len(b):][:len(b)]
		for j, w := range b {
			row[j] = v * w
		}
	}
}
