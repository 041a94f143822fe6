package nn

// A Change is a line whose code changes: that of a point in some direction. Codes are
// in the view of side 0.
type Change = struct {
	Point    int32
	Dir      int32 // for the caller
	Old, New uint32
}

// An Accumulator holds the sums over the lines of a grid and their pool, and evaluates
// them. It is not safe for concurrent use.
type Accumulator struct {
	*Tables
	k      *kernel
	sums   []float32 // [points][2][Channels]
	pool   []float32 // [2][Channels]
	in, v1 []float32
	v2     []float32
	out    [1]float32
	mark   [1]Change
}

// NewAccumulator returns an accumulator of a grid without points, which are numbered
// from 0 to points-1.
func NewAccumulator(t *Tables, points int) *Accumulator {
	return &Accumulator{
		Tables: t,
		k:      best(),
		sums:   make([]float32, points*t.width),
		pool:   make([]float32, t.width),
		in:     make([]float32, t.width),
		v1:     make([]float32, t.net.Dense),
		v2:     make([]float32, t.net.Dense),
	}
}

// Reset removes all points.
func (a *Accumulator) Reset() { clear(a.pool) }

// Add adds a point with the codes of its lines.
func (a *Accumulator) Add(point int, codes *[4]uint32) {
	sum := a.sums[point*a.width:][:a.width]
	a.k.sumRows(sum, a.rows, codes[:], a.width)
	for j, v := range sum {
		a.pool[j] += max(v, 0) - a.idle[j]
	}
}

// Apply changes codes of points that were added.
func (a *Accumulator) Apply(changes []Change) { a.k.update(a.sums, a.pool, a.rows, a.width, changes) }

// Mark marks a point that was added, or takes its mark away. The network must have
// marks, and what it does must be a change.
func (a *Accumulator) Mark(point int32, on bool) {
	c := &a.mark[0]
	*c = Change{Point: point, Old: 1, New: 0}
	if on {
		c.Old, c.New = 0, 1
	}
	a.k.update(a.sums, a.pool, a.marks, a.width, a.mark[:])
}

// Value returns the value for a side, in logits, given an evaluation to correct.
func (a *Accumulator) Value(side int, prior float32) float32 {
	c := a.net.Channels
	p := a.net.set(side)
	own := side & 1 * c
	copy(a.in[:c], a.pool[own:])
	copy(a.in[c:], a.pool[c-own:][:c])
	a.k.dense(a.v1, p.B1, a.in, a.v1Weights[side%a.net.Sides])
	a.k.dense(a.v2, p.B2, a.v1, p.V2)
	a.k.dots(a.out[:], a.v2, p.V3)
	return mulAdd(prior, p.Prior[0], p.B3[0]) + a.out[0]
}

// Policy sets dst to the policy's logits of points for a side.
func (a *Accumulator) Policy(side int, points []int32, dst []float32) {
	a.k.policy(dst, a.sums, a.net.set(side).Policy, points, side&1*a.net.Channels)
}
