package nn

import "slices"

const (
	// RowBound bounds the elements of rows and marks. Sums of four and a mark are at
	// most 40, so their sum over 400 points stays below 2^14: with rowGrain, the
	// resolution of baked rows, that is 24 bits, and float32 is exact.
	RowBound = 8
	rowGrain = 1.0 / 1024

	// PoolShare is the factor of the pooled sums, which keeps them near 1.
	PoolShare = 1.0 / 16
)

// Tables are a network with the rows of all line codes computed.
type Tables struct {
	net   *Net
	width int       // of a row: 2·Channels
	rows  []float32 // [NumCodes][2][Channels]: of the code in the view of side 0, and in that of side 1
	marks []float32 // [2][2][Channels]: of a point without a mark, and with one; nil without marks
	idle  []float32 // [2][Channels]: f0 of either view

	// v1Weights is V1 of each set times PoolShare, so that pools need not be
	// multiplied by it; as a power of two, it changes no bit of the products.
	v1Weights [][]float32
}

// Reach returns the reach of the line codes.
func (t *Tables) Reach() int { return t.net.Reach }

// Marks reports whether points can be marked.
func (t *Tables) Marks() bool { return t.marks != nil }

// TablesSize returns the size in bytes of the tables that Bake makes.
func (n *Net) TablesSize() int { return 4 * NumCodes(n.Reach) * 2 * n.Channels }

// Bake computes the rows of all line codes.
func (n *Net) Bake() *Tables {
	c := n.Channels
	t := &Tables{net: n, width: 2 * c, rows: make([]float32, NumCodes(n.Reach)*2*c), idle: make([]float32, 2*c)}
	exchanged := Exchanged(n.Reach)
	for set := range n.Sets {
		rows := n.Rows(set)
		best().bound(rows, true)
		for code, other := range exchanged {
			row := t.rows[code*2*c:][:2*c]
			if set == 0 {
				copy(row, rows[code*c:][:c])
			}
			if set == n.Sides-1 {
				copy(row[c:], rows[int(other)*c:][:c])
			}
		}
	}
	for j, v := range t.rows[int(n.idleCode())*2*c:][:2*c] {
		t.idle[j] = max(4*v, 0)
	}
	if n.Marks > 0 {
		mark := slices.Concat(n.set(0).Mark, n.set(1).Mark)
		best().bound(mark, true)
		t.marks = append(make([]float32, 2*c), mark...)
	}
	for i := range n.Sets {
		w := slices.Clone(n.Sets[i].V1)
		for j := range w {
			w[j] *= PoolShare
		}
		t.v1Weights = append(t.v1Weights, w)
	}
	return t
}

// idleCode returns the code of a line of empty points only.
func (n *Net) idleCode() uint32 {
	empty := HalfLine(make([]int, n.Reach))
	return LineCode(n.Reach, Empty, empty, empty)
}

// IdleCode returns the code of a line of empty points only.
func IdleCode(reach int) uint32 { return (&Net{Shape: Shape{Reach: reach}}).idleCode() }

// Rows returns the rows [NumCodes][Channels] that a set of weights gives the line codes
// in its own view.
func (n *Net) Rows(set int) []float32 {
	const block = 256 // codes at a time, so that the hidden layers stay in the cache
	p := &n.Sets[set]
	h, c := n.Hidden, n.Channels
	half := make([]float32, HalfLines(n.Reach)*h)
	n.HalfRows(half, set)
	rows := make([]float32, NumCodes(n.Reach)*c)
	h1, h2 := make([]float32, 0, block*h), make([]float32, block*h)
	out := rows // not computed yet
	flush := func() {
		count := len(h1) / h
		n.Layers(set, out[:count*c], h1, h2[:count*h])
		out, h1 = out[count*c:], h1[:0]
	}
	// The codes in their order; see eachLine.
	for center := range 3 {
		for a := range HalfLines(n.Reach) {
			for b := 0; b <= a; {
				count := min(a+1-b, block-len(h1)/h)
				at := len(h1)
				h1 = h1[:at+count*h]
				Lines(h1[at:], p.Center[center*h:][:h], half[a*h:][:h], half[b*h:][:count*h])
				if b += count; len(h1) == cap(h1) {
					flush()
				}
			}
		}
	}
	flush()
	return rows
}

// HalfRows sets half [HalfLines][H] to what each half line adds to the first hidden
// layer of a set.
func (n *Net) HalfRows(half []float32, set int) {
	tap := n.Sets[set].Tap
	clear(half)
	n.eachTap(func(line, tapped int) {
		h := n.Hidden
		out := half[line*h:][:h]
		for j, v := range tap[tapped*h:][:h] {
			out[j] += v
		}
	})
}

// HalfRowsGrad adds the gradient of Tap to tap, given that of HalfRows.
func (n *Net) HalfRowsGrad(tap, half []float32) {
	n.eachTap(func(line, tapped int) {
		h := n.Hidden
		out := tap[tapped*h:][:h]
		for j, v := range half[line*h:][:h] {
			out[j] += v
		}
	})
}

// eachTap calls f with every half line and the number of each of its points' rows in
// Tap.
func (n *Net) eachTap(f func(line, tapped int)) {
	const off = 2 // of the grid
	for line := range HalfLines(n.Reach) {
		points := halfLinePoints(line)
		for d := range n.Reach {
			switch {
			case d >= len(points):
				f(line, 3*d+off)
			case points[d] != Empty:
				f(line, 3*d+points[d]-Own)
			}
		}
	}
}

// Layers computes the second hidden layer of a set and the rows of some codes from
// the first: rows [codes][C], h1 and h2 [codes][H].
func (n *Net) Layers(set int, rows, h1, h2 []float32) {
	p := &n.Sets[set]
	h, c := n.Hidden, n.Channels
	count := len(h1) / h
	for i := range count {
		copy(h2[i*h:], p.MidBias)
		copy(rows[i*c:], p.RowBias)
	}
	MatMul(h2, h1, p.Mid, count, h, h)
	Relu(h2)
	MatMul(rows, h2, p.Row, count, h, c)
	Bound(rows)
}
