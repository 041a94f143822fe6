package train

import (
	"math"
	"sync"

	"kumiko/engine/board"
	"kumiko/nn"
)

// shards is the number of parts in which a batch is processed. It is fixed, and sums
// over them are made in their order, so that results do not depend on the number of
// threads.
const shards = 4

// A batch computes losses and gradients of positions.
type batch struct {
	net      *nn.Net
	grad     *nn.Net
	policy   float32 // weight of the policy's loss
	threads  int
	encoder  *board.Encoder
	switched []uint32 // code -> code in the other view
	blank    map[[2]int]*board.Lines

	stems  []stem // by set of weights
	parts  [shards]part
	codes  [2][]uint32 // [positions][points][4], in black's view and in white's; later slots
	starts []int       // first point of each position
	grids  []grid
	batch  []position
}

// A stem computes the rows of the line codes of a batch.
type stem struct {
	slot  []int32     // of each code, -1 if it has none
	codes []uint32    // of each slot; slot 0 is the idle line
	lines [][3]uint16 // of all codes: center and half lines

	half0, tapped []float32 // [HalfLines][H], and its gradient
	mark          []float32 // [C], bounded; empty without marks
	h1, h2, rows  []float32 // [slots][H], [slots][H], [slots][C]
	d1, d2, drows []float32
	midT, rowT    []float32 // transposed weights
}

// A part is the work of one shard.
type part struct {
	loss   losses
	drows  [2][]float32 // by set
	grad   *nn.Net
	idle   [2][]float32 // gradient of f0, by set, [C]
	buffer workspace
}

// losses are sums over positions.
type losses struct {
	value, policy    float64
	values, policies int
	first, third     int // moves that the policy has first, and among the first three
}

// mean returns the mean loss of the value, NaN if there is none.
func (l *losses) mean() float64 { return l.value / float64(l.values) }

// meanPolicy returns the mean loss of the policy, NaN if there is none.
func (l *losses) meanPolicy() float64 { return l.policy / float64(l.policies) }

// share returns the share of n of the policies.
func (l *losses) share(n int) float64 { return float64(n) / float64(l.policies) }

func (l *losses) add(o losses) {
	l.value += o.value
	l.policy += o.policy
	l.values += o.values
	l.policies += o.policies
	l.first += o.first
	l.third += o.third
}

// workspace holds one position's values and their gradients.
type workspace struct {
	sums, grads  [2][]float32 // [points][C] by own and other view
	pool, dpool  [2][]float32
	x, dx        []float32
	v1, v2       []float32
	d1, d2       []float32
	logits, more []float32
	v1T, v2T     [2][]float32
}

const maxPoints = board.MaxSize * board.MaxSize

func newBatch(net *nn.Net, policy float64, threads int) *batch {
	s := net.Shape
	b := &batch{
		net: net, grad: nn.Zero(s, ""), policy: float32(policy), threads: threads,
		encoder: board.NewEncoder(s.Reach), switched: nn.Exchanged(s.Reach),
		blank: map[[2]int]*board.Lines{},
	}
	lines := linesOf(s.Reach)
	for range s.Sides {
		st := stem{slot: make([]int32, nn.NumCodes(s.Reach)), lines: lines}
		for i := range st.slot {
			st.slot[i] = -1
		}
		st.half0 = make([]float32, nn.HalfLines(s.Reach)*s.Hidden)
		st.tapped = make([]float32, len(st.half0))
		st.midT = make([]float32, s.Hidden*s.Hidden)
		st.rowT = make([]float32, s.Hidden*s.Channels)
		b.stems = append(b.stems, st)
	}
	for i := range b.parts {
		p := &b.parts[i]
		p.grad = nn.Zero(s, "")
		w := &p.buffer
		for v := range 2 {
			p.idle[v] = make([]float32, s.Channels)
			w.sums[v] = make([]float32, maxPoints*s.Channels)
			w.grads[v] = make([]float32, maxPoints*s.Channels)
			w.pool[v] = make([]float32, s.Channels)
			w.dpool[v] = make([]float32, s.Channels)
			w.v1T[v] = make([]float32, 2*s.Channels*s.Dense)
			w.v2T[v] = make([]float32, s.Dense*s.Dense)
		}
		w.x, w.dx = make([]float32, 2*s.Channels), make([]float32, 2*s.Channels)
		w.v1, w.v2 = make([]float32, s.Dense), make([]float32, s.Dense)
		w.d1, w.d2 = make([]float32, s.Dense), make([]float32, s.Dense)
		w.logits, w.more = make([]float32, maxPoints), make([]float32, maxPoints)
	}
	return b
}

// linesOf returns the center and the half lines of every code.
func linesOf(reach int) [][3]uint16 {
	lines := make([][3]uint16, nn.NumCodes(reach))
	for center := range 3 {
		for x := range nn.HalfLines(reach) {
			for y := range x + 1 {
				lines[nn.LineCode(reach, center, x, y)] = [3]uint16{uint16(center), uint16(x), uint16(y)}
			}
		}
	}
	return lines
}

// each runs f for every shard, on all threads.
func each(threads int, f func(i int)) {
	if threads <= 1 {
		for i := range shards {
			f(i)
		}
		return
	}
	var wait sync.WaitGroup
	next := make(chan int, shards)
	for i := range shards {
		next <- i
	}
	close(next)
	for range threads {
		wait.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	wait.Wait()
}

// span returns the part of n that belongs to shard i.
func span(n, i int) (from, to int) { return n * i / shards, n * (i + 1) / shards }

// run returns the losses of positions and, if learn is set, leaves their mean gradient
// in b.grad.
func (b *batch) run(from *set, list []position, learn bool) losses {
	b.encode(from, list)
	for s := range b.stems {
		b.forward(s)
	}
	each(b.threads, func(i int) {
		p := &b.parts[i]
		p.loss = losses{}
		clearWeights(p.grad)
		for s := range b.stems {
			p.drows[s] = resize(p.drows[s], len(b.stems[s].codes)*b.net.Channels)
			clear(p.drows[s])
			clear(p.idle[s])
			nn.Transpose(p.buffer.v1T[s], b.net.Sets[s].V1, 2*b.net.Channels, b.net.Dense)
			nn.Transpose(p.buffer.v2T[s], b.net.Sets[s].V2, b.net.Dense, b.net.Dense)
		}
		lo, hi := span(len(list), i)
		for n := lo; n < hi; n++ {
			b.position(p, n, learn)
		}
	})
	var sum losses
	for i := range b.parts {
		sum.add(b.parts[i].loss)
	}
	if !learn {
		return sum
	}
	for s := range b.stems {
		b.backward(s)
	}
	var grads [shards]network
	for i := range b.parts {
		grads[i] = b.parts[i].grad
	}
	addShards(b.grad, &grads, len(list))
	return sum
}

// addShards sets sum to the mean gradient of n positions, given the gradients of shards,
// which it adds up in their order.
func addShards(sum network, parts *[shards]network, n int) {
	clearWeights(sum)
	scale := 1 / float32(n)
	sums := sum.Tensors()
	for _, p := range parts {
		for t, tensor := range p.Tensors() {
			to := *sums[t].Data
			for j, v := range *tensor.Data {
				to[j] += v * scale
			}
		}
	}
}

// clearWeights sets all weights to zero.
func clearWeights(n network) {
	for _, t := range n.Tensors() {
		clear(*t.Data)
	}
}

func resize(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n, n+n/4)
	}
	return s[:n]
}

// encode finds the codes of all positions and gives them slots.
func (b *batch) encode(from *set, list []position) {
	b.batch = list
	b.starts, b.grids = b.starts[:0], b.grids[:0]
	points := 0
	for i := range list {
		g := from.grid(&list[i])
		b.starts, b.grids = append(b.starts, points), append(b.grids, g)
		points += g.width * g.height
		if size := [2]int{g.width, g.height}; b.blank[size] == nil {
			b.blank[size] = new(board.Lines)
			b.blank[size].Clear(g.width, g.height)
		}
	}
	b.starts = append(b.starts, points)
	for v := range b.codes {
		if cap(b.codes[v]) < 4*points {
			b.codes[v] = make([]uint32, 4*points)
		}
		b.codes[v] = b.codes[v][:4*points]
	}
	each(b.threads, func(i int) {
		var lines board.Lines
		buf := make([]board.LineCode, 0, 4*maxPoints)
		lo, hi := span(len(list), i)
		for n := lo; n < hi; n++ {
			g := &b.grids[n]
			lines = *b.blank[[2]int{g.width, g.height}]
			for c, stones := range g.stones {
				for k := 0; k < len(stones); k += 2 {
					lines.Put(board.Pt(int(stones[k]), int(stones[k+1])), board.Color(c).Stone())
				}
			}
			buf = b.encoder.All(buf[:0], &lines, g.width, g.height)
			black := b.codes[0][4*b.starts[n]:][:len(buf)]
			white := b.codes[1][4*b.starts[n]:][:len(buf)]
			for k := range buf {
				black[k] = buf[k].Code
				white[k] = b.switched[buf[k].Code]
			}
		}
	})
	for s := range b.stems {
		st := &b.stems[s]
		for _, code := range st.codes {
			st.slot[code] = -1
		}
		st.codes = append(st.codes[:0], nn.IdleCode(b.net.Reach))
		st.slot[st.codes[0]] = 0
	}
	for v := range b.codes {
		st := &b.stems[v%len(b.stems)]
		for k, code := range b.codes[v] {
			slot := st.slot[code]
			if slot < 0 {
				slot = int32(len(st.codes))
				st.slot[code] = slot
				st.codes = append(st.codes, code)
			}
			b.codes[v][k] = uint32(slot)
		}
	}
}

// forward computes the rows of the codes of a batch.
func (b *batch) forward(s int) {
	st, p := &b.stems[s], &b.net.Sets[s]
	h, c := b.net.Hidden, b.net.Channels
	b.net.HalfRows(st.half0, s)
	st.mark = append(st.mark[:0], p.Mark...)
	nn.Bound(st.mark)
	n := len(st.codes)
	st.h1, st.h2, st.rows = resize(st.h1, n*h), resize(st.h2, n*h), resize(st.rows, n*c)
	each(b.threads, func(i int) {
		lo, hi := span(n, i)
		for at := lo; at < hi; at++ {
			line := &st.lines[st.codes[at]]
			center := p.Center[int(line[0])*h:][:h]
			x, y := st.half0[int(line[1])*h:][:h], st.half0[int(line[2])*h:][:h]
			nn.Lines(st.h1[at*h:][:h], center, x, y)
		}
		b.net.Layers(s, st.rows[lo*c:hi*c], st.h1[lo*h:hi*h], st.h2[lo*h:hi*h])
	})
}

// backward adds the gradient of the weights of a stem to those of the shards.
func (b *batch) backward(s int) {
	st, p := &b.stems[s], &b.net.Sets[s]
	h, c := b.net.Hidden, b.net.Channels
	n := len(st.codes)
	st.drows = resize(st.drows, n*c)
	st.d1, st.d2 = resize(st.d1, n*h), resize(st.d2, n*h)
	nn.Transpose(st.midT, p.Mid, h, h)
	nn.Transpose(st.rowT, p.Row, h, c)
	for k := range b.parts {
		stop(b.parts[k].grad.Sets[s].Mark, st.mark)
	}
	each(b.threads, func(i int) {
		lo, hi := span(n, i)
		if lo == hi {
			return
		}
		drows := st.drows[lo*c : hi*c]
		clear(drows)
		for k := range b.parts {
			for j, v := range b.parts[k].drows[s][lo*c : hi*c] {
				drows[j] += v
			}
		}
		if lo == 0 {
			// f0 = relu(4·row of the idle line)
			for k := range b.parts {
				for j, v := range b.parts[k].idle[s] {
					if st.rows[j] > 0 {
						drows[j] += 4 * v
					}
				}
			}
		}
		stop(drows, st.rows[lo*c:hi*c])
		g := &b.parts[i].grad.Sets[s]
		h1, h2 := st.h1[lo*h:hi*h], st.h2[lo*h:hi*h]
		d1, d2 := st.d1[lo*h:hi*h], st.d2[lo*h:hi*h]
		addUp(g.RowBias, drows)
		nn.MatMulT(g.Row, h2, drows, h, hi-lo, c)
		clear(d2)
		nn.MatMul(d2, drows, st.rowT, hi-lo, c, h)
		drop(d2, h2)
		addUp(g.MidBias, d2)
		nn.MatMulT(g.Mid, h1, d2, h, hi-lo, h)
		clear(d1)
		nn.MatMul(d1, d2, st.midT, hi-lo, h, h)
		drop(d1, h1)
	})
	// The sums over codes are made in their order.
	g := &b.parts[0].grad.Sets[s]
	clear(st.tapped)
	for at := range n {
		line := &st.lines[st.codes[at]]
		d := st.d1[at*h:][:h]
		center := g.Center[int(line[0])*h:][:h]
		x, y := st.tapped[int(line[1])*h:][:h], st.tapped[int(line[2])*h:][:h]
		for j, v := range d {
			center[j] += v
			x[j] += v
			y[j] += v
		}
	}
	b.net.HalfRowsGrad(g.Tap, st.tapped)
}

// addUp adds the rows of m to sum.
func addUp(sum, m []float32) {
	for ; len(m) > 0; m = m[len(sum):] {
		for j, v := range m[:len(sum)] {
			sum[j] += v
		}
	}
}

// stop clears the gradient of rows at their bounds, unless it leads back.
func stop(drows, rows []float32) {
	for j, v := range rows {
		if v >= nn.RowBound && drows[j] < 0 || v <= -nn.RowBound && drows[j] > 0 {
			drows[j] = 0
		}
	}
}

// drop clears d where x is not positive.
func drop(d, x []float32) {
	for j, v := range x {
		if !(v > 0) {
			d[j] = 0
		}
	}
}

// position adds the loss of a position, and its gradient if learn is set.
func (b *batch) position(p *part, n int, learn bool) {
	pos := &b.batch[n]
	w := &p.buffer
	c, dn := b.net.Channels, b.net.Dense
	points := b.starts[n+1] - b.starts[n]
	side := int(pos.side)
	set := side % b.net.Sides
	net, grad := &b.net.Sets[set], &p.grad.Sets[set]
	var index [2][]uint32
	var stems [2]int
	for v := range 2 { // own and other view
		view := side ^ v
		stems[v] = view % b.net.Sides
		st := &b.stems[stems[v]]
		index[v] = b.codes[view][4*b.starts[n]:][:4*points]
		sums := w.sums[v][:points*c]
		nn.SumRows(sums, st.rows, index[v], c)
		if len(st.mark) > 0 {
			b.grids[n].eachMark(func(point int) { addUp(sums[point*c:][:c], st.mark) })
		}
		clear(w.pool[v])
		nn.Rectify(sums, w.pool[v])
		for j, v0 := range w.pool[v] {
			w.x[v*c+j] = (v0 - float32(points)*max(4*st.rows[j], 0)) * nn.PoolShare
		}
	}
	// The value.
	copy(w.v1, net.B1)
	nn.VecMat(w.v1, w.x, net.V1)
	nn.Relu(w.v1)
	copy(w.v2, net.B2)
	nn.VecMat(w.v2, w.v1, net.V2)
	nn.Relu(w.v2)
	logit := net.B3[0] + net.Prior[0]*pos.prior
	for j, v := range w.v2 {
		logit += v * net.V3[j]
	}
	d := p.loss.addValue(logit, pos.target)

	// The policy.
	logits, more := w.logits[:points], w.more[:points]
	chosen := -1
	if pos.move != board.NoMove {
		chosen = pos.move.Y()*b.grids[n].width + pos.move.X()
		nn.Dots(logits, w.sums[0][:points*c], net.Policy[:c])
		nn.Dots(more, w.sums[1][:points*c], net.Policy[c:])
		for i, v := range more {
			logits[i] += v
		}
		exclude(logits, &b.grids[n])
		p.loss.addPolicy(logits, []share{{chosen, 1}})
	}
	if !learn {
		return
	}
	if chosen < 0 {
		clear(logits)
	} else {
		for i := range logits {
			logits[i] *= b.policy
		}
		logits[chosen] -= b.policy
		for v := range 2 {
			nn.VecMat(grad.Policy[v*c:][:c], logits, w.sums[v][:points*c])
		}
	}
	grad.B3[0] += d
	grad.Prior[0] += d * pos.prior
	for j, v := range w.v2 {
		grad.V3[j] += d * v
		w.d2[j] = 0
		if v > 0 {
			w.d2[j] = d * net.V3[j]
		}
	}
	addUp(grad.B2, w.d2)
	nn.MatMul(grad.V2, w.v1, w.d2, dn, 1, dn)
	clear(w.d1)
	nn.VecMat(w.d1, w.d2, w.v2T[set])
	drop(w.d1, w.v1)
	addUp(grad.B1, w.d1)
	nn.MatMul(grad.V1, w.x, w.d1, 2*c, 1, dn)
	clear(w.dx)
	nn.VecMat(w.dx, w.d1, w.v1T[set])
	for v := range 2 {
		for j, g := range w.dx[v*c:][:c] {
			g *= nn.PoolShare
			w.dpool[v][j] = g
			p.idle[stems[v]][j] -= float32(points) * g
		}
		grads := w.grads[v][:points*c]
		nn.Mask(grads, w.sums[v][:points*c], w.dpool[v], net.Policy[v*c:][:c], logits)
		nn.AddRows(p.drows[stems[v]], grads, index[v], c)
		if mark := p.grad.Sets[stems[v]].Mark; len(mark) > 0 {
			b.grids[n].eachMark(func(point int) { addUp(mark, grads[point*c:][:c]) })
		}
	}
}

// impossible is the logit of a move that cannot be made.
var impossible = float32(math.Inf(-1))

// exclude makes the stones of a position impossible moves.
func exclude(logits []float32, g *grid) {
	for _, stones := range g.stones {
		for k := 0; k < len(stones); k += 2 {
			logits[int(stones[k+1])*g.width+int(stones[k])] = impossible
		}
	}
}

// addValue adds the loss of a value, and returns its slope.
func (l *losses) addValue(logit, target float32) float32 {
	q := 1 / (1 + math.Exp(-float64(logit)))
	t := float64(target)
	l.values++
	l.value -= t*math.Log(max(q, 1e-12)) + (1-t)*math.Log(max(1-q, 1e-12))
	return float32(q - t)
}

// A share is the share of a point in a policy that is learned.
type share struct {
	point int
	share float32
}

// addPolicy adds the loss of a policy, given its logits and the shares that it should
// have, the greatest first. It leaves probabilities in logits.
func (l *losses) addPolicy(logits []float32, want []share) {
	top := impossible
	better := 0
	chosen := logits[want[0].point]
	for _, v := range logits {
		top = max(top, v)
		if v > chosen {
			better++
		}
	}
	var sum, fit float64
	for _, w := range want {
		fit += float64(w.share) * float64(logits[w.point]-top)
	}
	for i, v := range logits {
		e := float32(math.Exp(float64(v - top)))
		logits[i] = e
		sum += float64(e)
	}
	l.policies++
	l.policy += math.Log(sum) - fit
	if better == 0 {
		l.first++
	}
	if better < 3 {
		l.third++
	}
	scale := float32(1 / sum)
	for i := range logits {
		logits[i] *= scale
	}
}
