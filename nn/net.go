package nn

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
)

// A Shape gives the dimensions of a network.
type Shape struct {
	Reach    int // points on either side of the center of a line code
	Hidden   int // channels of the two hidden layers of the line convolution
	Channels int // channels of a view of a point
	Dense    int // width of the two hidden layers of the value head
	Sides    int // sets of weights: 1, or 2 if the sides have their own
	Marks    int // planes of marked points: 0 or 1
}

// Limits of a [Shape]. Widths are multiples of lane.
const (
	maxReach    = 5
	maxHidden   = 256
	maxChannels = 128
	maxDense    = 128
	lane        = 8
)

// Check returns an error if a shape is invalid.
func (s Shape) Check() error {
	if s.Reach < 1 || s.Reach > maxReach {
		return fmt.Errorf("reach must be 1 to %d, got %d", maxReach, s.Reach)
	}
	if s.Sides != 1 && s.Sides != 2 {
		return fmt.Errorf("sides must be 1 or 2, got %d", s.Sides)
	}
	if s.Marks != 0 && s.Marks != 1 {
		return fmt.Errorf("marks must be 0 or 1, got %d", s.Marks)
	}
	return cmp.Or(checkWidth("hidden channels", s.Hidden, maxHidden), checkWidth("channels", s.Channels, maxChannels), checkWidth("dense width", s.Dense, maxDense))
}

// checkWidth returns an error if a number of channels is not one that kernels take.
func checkWidth(name string, n, limit int) error {
	if n < lane || n > limit || n%lane != 0 {
		return fmt.Errorf("%s must be a multiple of %d up to %d, got %d", name, lane, limit, n)
	}
	return nil
}

// Params are the weights of a network, or of one side's if the sides have their own.
// H stands for Hidden, C for Channels, D for Dense.
type Params struct {
	Tap     []float32 // [Reach][3][H]: by distance-1 and own, other, off the grid
	Center  []float32 // [3][H]: empty, own, other
	Mid     []float32 // [H][H], input first, as in all that follow
	MidBias []float32 // [H]
	Row     []float32 // [H][C]
	RowBias []float32 // [C]
	Mark    []float32 // [Marks][C]
	Policy  []float32 // [2][C]: own and other view
	V1      []float32 // [2][C][D]: own and other view
	B1      []float32 // [D]
	V2      []float32 // [D][D]
	B2      []float32 // [D]
	V3      []float32 // [D]
	B3      []float32 // [1]
	Prior   []float32 // [1]
}

// A Tensor is a named part of [Params].
type Tensor struct {
	Name string
	Data *[]float32
	Size int
	In   int // inputs of each output, for the scale of random weights; 0 for a bias
}

// Tensors returns the parts of p, which has shape s, in the order of files.
func (p *Params) Tensors(s Shape) []Tensor {
	h, c, d := s.Hidden, s.Channels, s.Dense
	return []Tensor{
		{"tap", &p.Tap, s.Reach * 3 * h, 2 * s.Reach},
		{"center", &p.Center, 3 * h, 2 * s.Reach},
		{"mid", &p.Mid, h * h, h},
		{"mid bias", &p.MidBias, h, 0},
		{"row", &p.Row, h * c, h},
		{"row bias", &p.RowBias, c, 0},
		{"mark", &p.Mark, s.Marks * c, 0},
		{"policy", &p.Policy, 2 * c, 2 * c},
		{"v1", &p.V1, 2 * c * d, 2 * c},
		{"b1", &p.B1, d, 0},
		{"v2", &p.V2, d * d, d},
		{"b2", &p.B2, d, 0},
		{"v3", &p.V3, d, d},
		{"b3", &p.B3, 1, 0},
		{"prior", &p.Prior, 1, 0},
	}
}

// A Net is a network.
type Net struct {
	Shape
	Name string   // what it is for, such as the rule of a game
	Sets []Params // as many as Sides
}

// Tensors returns the parts of all sets of n, in the order of files.
func (n *Net) Tensors() []Tensor {
	var all []Tensor
	for i := range n.Sets {
		all = append(all, n.Sets[i].Tensors(n.Shape)...)
	}
	return all
}

// Zero returns a network whose weights are all zero.
func Zero(s Shape, name string) *Net {
	if err := s.Check(); err != nil {
		panic("nn: " + err.Error())
	}
	n := &Net{Shape: s, Name: name, Sets: make([]Params, s.Sides)}
	for i := range n.Sets {
		for _, t := range n.Sets[i].Tensors(s) {
			*t.Data = make([]float32, t.Size)
		}
	}
	return n
}

// New returns a network with random weights (He and others 2015), whose value is the
// prior: its last layers begin at zero.
func New(s Shape, name string, rng *rand.Rand) *Net {
	n := Zero(s, name)
	for i := range n.Sets {
		p := &n.Sets[i]
		for _, t := range p.Tensors(s) {
			if t.In == 0 {
				continue
			}
			scale := math.Sqrt(2 / float64(t.In))
			for j := range *t.Data {
				(*t.Data)[j] = float32(rng.NormFloat64() * scale)
			}
		}
		// Four rows are added at a point, and hundreds of points pooled.
		for j := range p.Row {
			p.Row[j] /= 4
		}
		clear(p.Policy)
		clear(p.V3)
		p.Prior[0] = 1
	}
	return n
}

// set returns the weights of a side.
func (n *Net) set(side int) *Params { return &n.Sets[side%n.Sides] }
