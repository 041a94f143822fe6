package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"kumiko/engine/board"
	"kumiko/nn"
)

// randomSet returns positions on boards of several sizes.
func randomSet(t testing.TB, rng *rand.Rand, n int) *set {
	t.Helper()
	s := &set{}
	for range n {
		b, err := board.New(7+rng.IntN(4), 7+rng.IntN(4), board.Renju)
		if err != nil {
			t.Fatal(err)
		}
		var stones []board.Stone
		var empty []board.Move
		for y := range b.Height() {
			for x := range b.Width() {
				if rng.IntN(3) == 0 { // mostly black, whose points are forbidden
					stones = append(stones, board.Stone{Move: board.Pt(x, y), Cell: board.Cell(1 + rng.IntN(4)/3)})
				} else {
					empty = append(empty, board.Pt(x, y))
				}
			}
		}
		side := board.Color(rng.IntN(2))
		if err := b.Setup(stones, side); err != nil {
			t.Fatal(err)
		}
		p := position{stones: len(s.stones), side: uint8(side), prior: float32(rng.NormFloat64()), target: rng.Float32(), move: board.NoMove}
		if rng.IntN(3) > 0 {
			p.move = empty[rng.IntN(len(empty))]
		}
		s.positions = append(s.positions, p)
		s.add(b)
	}
	return s
}

// randomNet returns a network without a zero weight.
func randomNet(rng *rand.Rand, s nn.Shape) *nn.Net {
	n := nn.New(s, "test", rng)
	for i := range n.Sets {
		for _, t := range n.Sets[i].Tensors(s) {
			for j := range *t.Data {
				(*t.Data)[j] += float32(rng.NormFloat64()) / 8
			}
		}
	}
	return n
}

// slowLoss returns the mean loss of positions by the definition of the network, in
// float64 and point by point.
func slowLoss(n *nn.Net, s *set, policyWeight float64) float64 {
	var sum float64
	for i := range s.positions {
		p := &s.positions[i]
		g := s.grid(p)
		side := int(p.side)
		own, pool := slowFeatures(n, &g, side)
		other, pool2 := slowFeatures(n, &g, 1-side)
		w := &n.Sets[side%n.Sides]
		v := slowDense(w.B1, append(pool, pool2...), w.V1, true)
		v = slowDense(w.B2, v, w.V2, true)
		logit := float64(w.B3[0]) + float64(w.Prior[0])*float64(p.prior)
		for j, x := range v {
			logit += x * float64(w.V3[j])
		}
		q, t := 1/(1+math.Exp(-logit)), float64(p.target)
		sum -= t*math.Log(q) + (1-t)*math.Log(1-q)
		if p.move == board.NoMove {
			continue
		}
		taken := map[int]bool{}
		for _, stones := range g.stones {
			for k := 0; k < len(stones); k += 2 {
				taken[int(stones[k+1])*g.width+int(stones[k])] = true
			}
		}
		var total, mine float64
		for at := range own {
			if taken[at] {
				continue
			}
			var l float64
			for j := range n.Channels {
				l += own[at][j]*float64(w.Policy[j]) + other[at][j]*float64(w.Policy[n.Channels+j])
			}
			total += math.Exp(l)
			if at == p.move.Y()*g.width+p.move.X() {
				mine = l
			}
		}
		sum += policyWeight * (math.Log(total) - mine)
	}
	return sum / float64(len(s.positions))
}

// slowFeatures returns f of every point in the view of a side, and the pool.
func slowFeatures(n *nn.Net, g *grid, view int) (features [][]float64, pool []float64) {
	cells := map[[2]int]int{}
	for c, stones := range g.stones {
		for k := 0; k < len(stones); k += 2 {
			state := nn.Other
			if c == view {
				state = nn.Own
			}
			cells[[2]int{int(stones[k]), int(stones[k+1])}] = state
		}
	}
	marked := map[[2]int]bool{}
	for k := 0; k < n.Marks*len(g.marked); k += 2 {
		marked[[2]int{int(g.marked[k]), int(g.marked[k+1])}] = true
	}
	w := &n.Sets[view%n.Sides]
	row := func(center int, halves [2][]int) []float64 {
		h := make([]float64, n.Hidden)
		for j := range h {
			h[j] = float64(w.Center[center*n.Hidden+j])
			for _, points := range halves {
				for d := range n.Reach {
					state := 2
					if d < len(points) {
						state = points[d] - 1
					}
					if state >= 0 {
						h[j] += float64(w.Tap[(3*d+state)*n.Hidden+j])
					}
				}
			}
			h[j] = max(h[j], 0)
		}
		return slowDense(w.RowBias, slowDense(w.MidBias, h, w.Mid, true), w.Row, false)
	}
	pool = make([]float64, n.Channels)
	nothing := make([]int, n.Reach)
	idle := row(nn.Empty, [2][]int{nothing, nothing})
	for y := range g.height {
		for x := range g.width {
			f := make([]float64, n.Channels)
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				var halves [2][]int
				for side, sign := range []int{-1, 1} {
					for k := 1; k <= n.Reach; k++ {
						px, py := x+sign*k*d[0], y+sign*k*d[1]
						if px < 0 || py < 0 || px >= g.width || py >= g.height {
							break
						}
						halves[side] = append(halves[side], cells[[2]int{px, py}])
					}
				}
				for j, v := range row(cells[[2]int{x, y}], halves) {
					f[j] += v
				}
			}
			if marked[[2]int{x, y}] {
				for j := range f {
					f[j] += float64(w.Mark[j])
				}
			}
			for j := range f {
				f[j] = max(f[j], 0)
				pool[j] += (f[j] - max(4*idle[j], 0)) / 16
			}
			features = append(features, f)
		}
	}
	return features, pool
}

func slowDense(bias []float32, x []float64, w []float32, rectified bool) []float64 {
	out := make([]float64, len(bias))
	for j := range out {
		out[j] = float64(bias[j])
		for i, v := range x {
			out[j] += v * float64(w[i*len(out)+j])
		}
		if rectified {
			out[j] = max(out[j], 0)
		}
	}
	return out
}

// TestGradients compares the loss with that by the definition, and the gradient of
// every tensor with finite differences of it.
func TestGradients(t *testing.T) {
	const policyWeight = 0.3
	for _, sides := range []int{1, 2} {
		rng := rand.New(rand.NewPCG(1, uint64(sides)))
		shape := nn.Shape{Reach: 2, Hidden: 8, Channels: 8, Dense: 8, Sides: sides, Marks: 1}
		net := randomNet(rng, shape)
		s := randomSet(t, rng, 12)
		b := newBatch(net, policyWeight, 1)
		l := b.run(s, s.positions, true)
		got := (l.value + policyWeight*l.policy) / float64(len(s.positions))
		if want := slowLoss(net, s, policyWeight); math.Abs(got-want) > 1e-5 {
			t.Errorf("%d sides: loss %v, want %v", sides, got, want)
		}
		for i := range net.Sets {
			grads := b.grad.Sets[i].Tensors(shape)
			for k, tensor := range net.Sets[i].Tensors(shape) {
				moved := false
				for range 12 {
					j := rng.IntN(tensor.Size)
					w := &(*tensor.Data)[j]
					old := *w
					*w = old + 1e-5
					up, high := slowLoss(net, s, policyWeight), float64(*w)
					*w = old - 1e-5
					down, low := slowLoss(net, s, policyWeight), float64(*w)
					*w = old
					want := (up - down) / (high - low)
					moved = moved || want != 0
					if got := float64((*grads[k].Data)[j]); math.Abs(got-want) > 1e-5+1e-3*math.Abs(want) {
						t.Errorf("%d sides, set %d, %s[%d]: gradient %v, want %v", sides, i, tensor.Name, j, got, want)
					}
				}
				if !moved {
					t.Errorf("%d sides, set %d, %s: no weight has a gradient", sides, i, tensor.Name)
				}
			}
		}
	}
}

// TestThreads computes the same bits with any number of threads.
func TestThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	shape := nn.Shape{Reach: 3, Hidden: 8, Channels: 8, Dense: 8, Sides: 2, Marks: 1}
	net := randomNet(rng, shape)
	s := randomSet(t, rng, 30)
	one, four := newBatch(net, 0.1, 1), newBatch(net, 0.1, 4)
	for range 3 {
		if a, b := one.run(s, s.positions, true), four.run(s, s.positions, true); a != b {
			t.Errorf("losses %+v and %+v", a, b)
		}
		for i := range net.Sets {
			other := four.grad.Sets[i].Tensors(shape)
			for k, tensor := range one.grad.Sets[i].Tensors(shape) {
				for j, v := range *tensor.Data {
					if w := (*other[k].Data)[j]; math.Float32bits(v) != math.Float32bits(w) {
						t.Fatalf("%s[%d]: %v and %v", tensor.Name, j, v, w)
					}
				}
			}
		}
	}
}

// TestGrid reads back the stones and the forbidden points of positions.
func TestGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	s := &set{}
	var boards []*board.Board
	for range 20 {
		b, err := board.New(5+rng.IntN(28), 5+rng.IntN(28), board.Renju)
		if err != nil {
			t.Fatal(err)
		}
		var stones []board.Stone
		for y := range b.Height() {
			for x := range b.Width() {
				if c := board.Cell(rng.IntN(3)); c != board.Empty {
					stones = append(stones, board.Stone{Move: board.Pt(x, y), Cell: c})
				}
			}
		}
		if err := b.Setup(stones, board.Black); err != nil {
			t.Fatal(err)
		}
		s.positions = append(s.positions, position{stones: len(s.stones)})
		s.add(b)
		boards = append(boards, b)
	}
	forbidden := 0
	for i, b := range boards {
		g := s.grid(&s.positions[i])
		for k := 0; k < len(g.marked); k += 2 {
			forbidden++
			if m := board.Pt(int(g.marked[k]), int(g.marked[k+1])); b.Forbidden(m) == board.NotForbidden {
				t.Errorf("%v is not forbidden\n%v", m, b)
			}
		}
		if want := len(b.AllForbidden(nil)); len(g.marked) != 2*want {
			t.Errorf("%d forbidden points, want %d", len(g.marked)/2, want)
		}
		count := 0
		for c, stones := range g.stones {
			for k := 0; k < len(stones); k += 2 {
				count++
				if m := board.Pt(int(stones[k]), int(stones[k+1])); b.At(m) != board.Color(c).Stone() {
					t.Fatalf("%v holds %v, want %v", m, b.At(m), board.Color(c))
				}
			}
		}
		if g.width != b.Width() || g.height != b.Height() || count != b.Stones() {
			t.Errorf("%dx%d with %d stones, want %dx%d with %d", g.width, g.height, count, b.Width(), b.Height(), b.Stones())
		}
	}
	if forbidden == 0 {
		t.Error("no point was forbidden")
	}
}

// BenchmarkRun learns from positions as they are in training.
func BenchmarkRun(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	net := randomNet(rng, nn.Shape{Reach: 4, Hidden: 64, Channels: 16, Dense: 16, Sides: 1})
	s := &set{}
	bd, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		b.Fatal(err)
	}
	for range 1024 {
		bd.Clear()
		for range 10 + rng.IntN(40) {
			if m := board.Pt(3+rng.IntN(9), 3+rng.IntN(9)); bd.Empty(m) {
				bd.Place(m)
			}
		}
		s.positions = append(s.positions, position{stones: len(s.stones), side: uint8(bd.Side()), target: rng.Float32(), move: board.Pt(0, 0)})
		s.add(bd)
	}
	batch := newBatch(net, 0.02, 1)
	for b.Loop() {
		batch.run(s, s.positions, true)
	}
	b.ReportMetric(1024*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}
