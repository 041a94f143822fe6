//go:build goexperiment.simd && amd64

package nn

import "simd/archsimd"

// Every kernel here ends with ClearAVXUpperBits, after its last vector operation and
// before any other floating-point code: without it the scalar code that follows runs
// at a quarter of its speed, as the processor keeps the upper halves of the registers
// alive.

func init() {
	if archsimd.X86.AVX2() && archsimd.X86.FMA() {
		kernels = append(kernels, &kernel{
			name:    "avx2",
			update:  updateAVX2,
			vecMat:  vecMatAVX2,
			dense:   denseAVX2,
			policy:  policyAVX2,
			lines:   linesAVX2,
			relu:    reluAVX2,
			bound:   boundAVX2,
			matMul:  matMulAVX2,
			sumRows: sumRowsAVX2,
			addRows: addRowsAVX2,
			rectify: rectifyAVX2,
			mask:    maskAVX2,
			dots:    dotsAVX2,

			tileSrc:      tileSrcAVX2,
			tileDst:      tileDstAVX2,
			tileDstT:     tileDstTAVX2,
			tileWeights:  tileWeightsAVX2,
			tileWeightsT: tileWeightsTAVX2,
			mulPanels:    mulPanelsAVX2,

			addBias:       addBiasAVX2,
			addPoints:     addPointsAVX2,
			add:           addAVX2,
			addRelu:       addReluAVX2,
			reluGrad:      reluGradAVX2,
			depthwise:     depthwiseAVX2,
			depthwiseGrad: depthwiseGradAVX2,
			pool:          poolAVX2,
			poolGrad:      poolGradAVX2,
		})
	}
}

type vec = archsimd.Float32x8

// at returns the lane floats of s from i on. Slices with both ends cost half of the
// instructions of s[i:], whose length has to be compared with lane, too.
func at(s []float32, i int) *[lane]float32 { return (*[lane]float32)(s[i : i+lane : len(s)]) }

func load(s []float32, i int) vec { return archsimd.LoadFloat32x8(at(s, i)) }

func updateAVX2(sums, pool, rows []float32, width int, changes []Change) {
	j := 0
	for ; j+4*lane <= width; j += 4 * lane {
		update32(sums[j:], pool[j:], rows[j:], width, changes)
	}
	for ; j < width; j += lane {
		update8(sums[j:], pool[j:], rows[j:], width, changes)
	}
	archsimd.ClearAVXUpperBits()
}

func update32(sums, pool, rows []float32, width int, changes []Change) {
	var zero vec
	p0, p1, p2, p3 := load(pool, 0), load(pool, lane), load(pool, 2*lane), load(pool, 3*lane)
	for i := range changes {
		c := &changes[i]
		sum := (*[4 * lane]float32)(sums[int(c.Point)*width:])
		before := (*[4 * lane]float32)(rows[int(c.Old)*width:])
		after := (*[4 * lane]float32)(rows[int(c.New)*width:])

		s := (*[lane]float32)(sum[0:8])
		old := archsimd.LoadFloat32x8(s)
		now := old.Add(archsimd.LoadFloat32x8((*[lane]float32)(after[0:8])).Sub(archsimd.LoadFloat32x8((*[lane]float32)(before[0:8]))))
		now.Store(s)
		p0 = p0.Add(now.Max(zero).Sub(old.Max(zero)))

		s = (*[lane]float32)(sum[8:16])
		old = archsimd.LoadFloat32x8(s)
		now = old.Add(archsimd.LoadFloat32x8((*[lane]float32)(after[8:16])).Sub(archsimd.LoadFloat32x8((*[lane]float32)(before[8:16]))))
		now.Store(s)
		p1 = p1.Add(now.Max(zero).Sub(old.Max(zero)))

		s = (*[lane]float32)(sum[16:24])
		old = archsimd.LoadFloat32x8(s)
		now = old.Add(archsimd.LoadFloat32x8((*[lane]float32)(after[16:24])).Sub(archsimd.LoadFloat32x8((*[lane]float32)(before[16:24]))))
		now.Store(s)
		p2 = p2.Add(now.Max(zero).Sub(old.Max(zero)))

		s = (*[lane]float32)(sum[24:32])
		old = archsimd.LoadFloat32x8(s)
		now = old.Add(archsimd.LoadFloat32x8((*[lane]float32)(after[24:32])).Sub(archsimd.LoadFloat32x8((*[lane]float32)(before[24:32]))))
		now.Store(s)
		p3 = p3.Add(now.Max(zero).Sub(old.Max(zero)))
	}
	p0.Store(at(pool, 0))
	p1.Store(at(pool, lane))
	p2.Store(at(pool, 2*lane))
	p3.Store(at(pool, 3*lane))
}

func update8(sums, pool, rows []float32, width int, changes []Change) {
	var zero vec
	p := load(pool, 0)
	for i := range changes {
		c := &changes[i]
		sum := at(sums, int(c.Point)*width)
		old := archsimd.LoadFloat32x8(sum)
		now := old.Add(load(rows, int(c.New)*width).Sub(load(rows, int(c.Old)*width)))
		now.Store(sum)
		p = p.Add(now.Max(zero).Sub(old.Max(zero)))
	}
	p.Store(at(pool, 0))
}

func vecMatAVX2(dst, x, w []float32) {
	vecTimes(dst, x, w)
	archsimd.ClearAVXUpperBits()
}

// vecTimes adds x·w to dst. A sum has to wait for the one before, so it helps to make
// as many at once as there are.
func vecTimes(dst, x, w []float32) {
	n := len(dst)
	j := 0
	for ; j+4*lane <= n; j += 4 * lane {
		d0, d1, d2, d3 := load(dst, j), load(dst, j+lane), load(dst, j+2*lane), load(dst, j+3*lane)
		for l, v := range x {
			row := (*[4 * lane]float32)(w[l*n+j:])
			a := archsimd.BroadcastFloat32x8(v)
			d0 = a.MulAdd(archsimd.LoadFloat32x8((*[lane]float32)(row[0:8])), d0)
			d1 = a.MulAdd(archsimd.LoadFloat32x8((*[lane]float32)(row[8:16])), d1)
			d2 = a.MulAdd(archsimd.LoadFloat32x8((*[lane]float32)(row[16:24])), d2)
			d3 = a.MulAdd(archsimd.LoadFloat32x8((*[lane]float32)(row[24:32])), d3)
		}
		d0.Store(at(dst, j))
		d1.Store(at(dst, j+lane))
		d2.Store(at(dst, j+2*lane))
		d3.Store(at(dst, j+3*lane))
	}
	for ; j+2*lane <= n; j += 2 * lane {
		d0, d1 := load(dst, j), load(dst, j+lane)
		for l, v := range x {
			row := (*[2 * lane]float32)(w[l*n+j:])
			a := archsimd.BroadcastFloat32x8(v)
			d0 = a.MulAdd(archsimd.LoadFloat32x8((*[lane]float32)(row[0:8])), d0)
			d1 = a.MulAdd(archsimd.LoadFloat32x8((*[lane]float32)(row[8:16])), d1)
		}
		d0.Store(at(dst, j))
		d1.Store(at(dst, j+lane))
	}
	for ; j < n; j += lane {
		d := load(dst, j)
		for l, v := range x {
			d = archsimd.BroadcastFloat32x8(v).MulAdd(load(w, l*n+j), d)
		}
		d.Store(at(dst, j))
	}
}

func denseAVX2(dst, bias, x, w []float32) {
	copy(dst, bias)
	vecTimes(dst, x, w)
	rectified(dst)
	archsimd.ClearAVXUpperBits()
}

func reluAVX2(x []float32) {
	rectified(x)
	archsimd.ClearAVXUpperBits()
}

func rectified(x []float32) {
	var zero vec
	for j := 0; j < len(x); j += lane {
		load(x, j).Max(zero).Store(at(x, j))
	}
}

func policyAVX2(dst, sums, weights []float32, points []int32, own int) {
	var zero vec
	width := len(weights)
	c := width / 2
	for i, p := range points {
		sum := sums[int(p)*width:][:width]
		var s vec
		for j := 0; j < c; j += lane {
			s = load(sum, own+j).Max(zero).MulAdd(load(weights, j), s)
		}
		for j := 0; j < c; j += lane {
			s = load(sum, c-own+j).Max(zero).MulAdd(load(weights, c+j), s)
		}
		dst[i] = horizontal(s)
	}
	archsimd.ClearAVXUpperBits()
}

// horizontal adds up lanes in the order of sumLanes.
func horizontal(s vec) float32 {
	x := s.GetLo().Add(s.GetHi())
	x = x.AddPairs(x)
	return x.AddPairs(x).GetElem(0)
}

func linesAVX2(dst, center, a, b []float32) {
	var zero vec
	width := len(center)
	for j := 0; j < width; j += lane {
		c, first := load(center, j), load(a, j)
		for i := j; i < len(dst); i += width {
			c.Add(first.Add(load(b, i))).Max(zero).Store(at(dst, i))
		}
	}
	archsimd.ClearAVXUpperBits()
}

func boundAVX2(x []float32, round bool) {
	low, high := archsimd.BroadcastFloat32x8(-RowBound), archsimd.BroadcastFloat32x8(RowBound)
	if round {
		scale, grain := archsimd.BroadcastFloat32x8(1/rowGrain), archsimd.BroadcastFloat32x8(rowGrain)
		for j := 0; j < len(x); j += lane {
			load(x, j).Mul(scale).RoundToEven().Mul(grain).Min(high).Max(low).Store(at(x, j))
		}
	} else {
		for j := 0; j < len(x); j += lane {
			load(x, j).Min(high).Max(low).Store(at(x, j))
		}
	}
	archsimd.ClearAVXUpperBits()
}

// A product is computed by tiles of 4 rows and 16 columns: their 8 vectors stay in
// registers, and they are as many as it takes to begin two multiply-adds in every
// cycle if each takes four. (Five rows would not fit the 15 registers that Go
// leaves: half the speed.) The columns of b are copied to a panel in which they are
// contiguous, so that the inner loop needs no more integer registers than there are.
// A product of 256x64x64 runs at 77 % of what BenchmarkPeak measures; it was 36 % with
// the inner loop working on dst and b themselves.
const (
	tileRows   = 4
	panelDepth = 128 // of 8 KiB, which the first-level cache holds
)

func matMulAVX2(dst, a, b []float32, m, k, n, ai, al int) {
	i := 0
	if k >= lane { // otherwise panels do not pay
		i = m - m%tileRows
		tiles(dst, a, b, i, k, n, ai, al)
	}
	for ; i < m; i++ {
		rowTimes(dst[i*n:][:n], a[i*ai:], b, k, al)
	}
	archsimd.ClearAVXUpperBits()
}

// tiles computes m rows of a product, which must be a multiple of tileRows.
func tiles(dst, a, b []float32, m, k, n, ai, al int) {
	var whole [panelDepth * panelCols]float32
	for l := 0; l < k; l += panelDepth {
		depth := min(panelDepth, k-l)
		panel := whole[:depth*panelCols]
		j := 0
		for ; j+panelCols <= n; j += panelCols {
			for r := range depth {
				from := (l+r)*n + j
				load(b, from).Store(at(panel, r*panelCols))
				load(b, from+lane).Store(at(panel, r*panelCols+lane))
			}
			for i := 0; i < m; i += tileRows {
				tileTimes(dst[i*n+j:], n, a[i*ai+l*al:], panel, ai, al, true)
			}
		}
		if j < n { // eight columns are left: the tile has eight more, of what was there
			for r := range depth {
				load(b, (l+r)*n+j).Store(at(panel, r*panelCols))
			}
			var c [tileRows * panelCols]float32
			for i := 0; i < m; i += tileRows {
				for r := range tileRows {
					load(dst, (i+r)*n+j).Store(at(c[:], r*panelCols))
				}
				tileTimes(c[:], panelCols, a[i*ai+l*al:], panel, ai, al, true)
				for r := range tileRows {
					load(c[:], r*panelCols).Store(at(dst, (i+r)*n+j))
				}
			}
		}
	}
}

// tileTimes adds the product of tileRows rows of a with a panel to rows of dst, which
// are n apart, or sets them to it.
//
// The compiler moves all loads of a basic block to its beginning, where they do not
// fit the registers, and all accumulators to other registers at the end of a loop. So
// a turn of the main loop makes four steps, and a check that the compiler cannot rule
// out parts each from the next.
func tileTimes(dst []float32, n int, a, panel []float32, ai, al int, add bool) {
	var c00, c01, c10, c11, c20, c21, c30, c31 vec
	d0, d1 := (*[panelCols]float32)(dst), (*[panelCols]float32)(dst[n:])
	d2, d3 := (*[panelCols]float32)(dst[2*n:]), (*[panelCols]float32)(dst[3*n:])
	if add {
		c00, c01 = archsimd.LoadFloat32x8((*[lane]float32)(d0[0:8])), archsimd.LoadFloat32x8((*[lane]float32)(d0[8:16]))
		c10, c11 = archsimd.LoadFloat32x8((*[lane]float32)(d1[0:8])), archsimd.LoadFloat32x8((*[lane]float32)(d1[8:16]))
		c20, c21 = archsimd.LoadFloat32x8((*[lane]float32)(d2[0:8])), archsimd.LoadFloat32x8((*[lane]float32)(d2[8:16]))
		c30, c31 = archsimd.LoadFloat32x8((*[lane]float32)(d3[0:8])), archsimd.LoadFloat32x8((*[lane]float32)(d3[8:16]))
	}
	a0 := a[:(len(panel)/panelCols-1)*al+1]
	a1, a2, a3 := a[ai:][:len(a0)], a[2*ai:][:len(a0)], a[3*ai:][:len(a0)]
	at := 0
	for len(panel) >= 4*panelCols {
		b := (*[4 * panelCols]float32)(panel)
		if uint(at) >= uint(len(a0)) {
			break
		}
		b0 := archsimd.LoadFloat32x8((*[lane]float32)(b[0:8]))
		b1 := archsimd.LoadFloat32x8((*[lane]float32)(b[8:16]))
		v := archsimd.BroadcastFloat32x8(a0[at])
		c00, c01 = v.MulAdd(b0, c00), v.MulAdd(b1, c01)
		v = archsimd.BroadcastFloat32x8(a1[at])
		c10, c11 = v.MulAdd(b0, c10), v.MulAdd(b1, c11)
		v = archsimd.BroadcastFloat32x8(a2[at])
		c20, c21 = v.MulAdd(b0, c20), v.MulAdd(b1, c21)
		v = archsimd.BroadcastFloat32x8(a3[at])
		c30, c31 = v.MulAdd(b0, c30), v.MulAdd(b1, c31)
		at += al
		if uint(at) >= uint(len(a0)) {
			break
		}
		b0 = archsimd.LoadFloat32x8((*[lane]float32)(b[16:24]))
		b1 = archsimd.LoadFloat32x8((*[lane]float32)(b[24:32]))
		v = archsimd.BroadcastFloat32x8(a0[at])
		c00, c01 = v.MulAdd(b0, c00), v.MulAdd(b1, c01)
		v = archsimd.BroadcastFloat32x8(a1[at])
		c10, c11 = v.MulAdd(b0, c10), v.MulAdd(b1, c11)
		v = archsimd.BroadcastFloat32x8(a2[at])
		c20, c21 = v.MulAdd(b0, c20), v.MulAdd(b1, c21)
		v = archsimd.BroadcastFloat32x8(a3[at])
		c30, c31 = v.MulAdd(b0, c30), v.MulAdd(b1, c31)
		at += al
		if uint(at) >= uint(len(a0)) {
			break
		}
		b0 = archsimd.LoadFloat32x8((*[lane]float32)(b[32:40]))
		b1 = archsimd.LoadFloat32x8((*[lane]float32)(b[40:48]))
		v = archsimd.BroadcastFloat32x8(a0[at])
		c00, c01 = v.MulAdd(b0, c00), v.MulAdd(b1, c01)
		v = archsimd.BroadcastFloat32x8(a1[at])
		c10, c11 = v.MulAdd(b0, c10), v.MulAdd(b1, c11)
		v = archsimd.BroadcastFloat32x8(a2[at])
		c20, c21 = v.MulAdd(b0, c20), v.MulAdd(b1, c21)
		v = archsimd.BroadcastFloat32x8(a3[at])
		c30, c31 = v.MulAdd(b0, c30), v.MulAdd(b1, c31)
		at += al
		if uint(at) >= uint(len(a0)) {
			break
		}
		b0 = archsimd.LoadFloat32x8((*[lane]float32)(b[48:56]))
		b1 = archsimd.LoadFloat32x8((*[lane]float32)(b[56:64]))
		v = archsimd.BroadcastFloat32x8(a0[at])
		c00, c01 = v.MulAdd(b0, c00), v.MulAdd(b1, c01)
		v = archsimd.BroadcastFloat32x8(a1[at])
		c10, c11 = v.MulAdd(b0, c10), v.MulAdd(b1, c11)
		v = archsimd.BroadcastFloat32x8(a2[at])
		c20, c21 = v.MulAdd(b0, c20), v.MulAdd(b1, c21)
		v = archsimd.BroadcastFloat32x8(a3[at])
		c30, c31 = v.MulAdd(b0, c30), v.MulAdd(b1, c31)
		at += al
		panel = panel[4*panelCols:]
	}
	for len(panel) >= panelCols {
		b := (*[panelCols]float32)(panel)
		if uint(at) >= uint(len(a0)) {
			break
		}
		b0 := archsimd.LoadFloat32x8((*[lane]float32)(b[0:8]))
		b1 := archsimd.LoadFloat32x8((*[lane]float32)(b[8:16]))
		v := archsimd.BroadcastFloat32x8(a0[at])
		c00, c01 = v.MulAdd(b0, c00), v.MulAdd(b1, c01)
		v = archsimd.BroadcastFloat32x8(a1[at])
		c10, c11 = v.MulAdd(b0, c10), v.MulAdd(b1, c11)
		v = archsimd.BroadcastFloat32x8(a2[at])
		c20, c21 = v.MulAdd(b0, c20), v.MulAdd(b1, c21)
		v = archsimd.BroadcastFloat32x8(a3[at])
		c30, c31 = v.MulAdd(b0, c30), v.MulAdd(b1, c31)
		at += al
		panel = panel[panelCols:]
	}
	c00.Store((*[lane]float32)(d0[0:8]))
	c01.Store((*[lane]float32)(d0[8:16]))
	c10.Store((*[lane]float32)(d1[0:8]))
	c11.Store((*[lane]float32)(d1[8:16]))
	c20.Store((*[lane]float32)(d2[0:8]))
	c21.Store((*[lane]float32)(d2[8:16]))
	c30.Store((*[lane]float32)(d3[0:8]))
	c31.Store((*[lane]float32)(d3[8:16]))
}

// rowTimes adds the product of a row of a with b to dst.
func rowTimes(dst, a, b []float32, k, al int) {
	n := len(dst)
	j := 0
	for ; j+2*lane <= n; j += 2 * lane {
		d0, d1 := load(dst, j), load(dst, j+lane)
		for l := range k {
			v := archsimd.BroadcastFloat32x8(a[l*al])
			row := (*[2 * lane]float32)(b[l*n+j:])
			d0 = v.MulAdd(archsimd.LoadFloat32x8((*[lane]float32)(row[0:8])), d0)
			d1 = v.MulAdd(archsimd.LoadFloat32x8((*[lane]float32)(row[8:16])), d1)
		}
		d0.Store(at(dst, j))
		d1.Store(at(dst, j+lane))
	}
	for ; j < n; j += lane {
		d := load(dst, j)
		for l := range k {
			d = archsimd.BroadcastFloat32x8(a[l*al]).MulAdd(load(b, l*n+j), d)
		}
		d.Store(at(dst, j))
	}
}

func sumRowsAVX2(dst, rows []float32, index []uint32, width int) {
	for p := range len(index) / 4 {
		i := (*[4]uint32)(index[4*p:])
		r0, r1 := rows[int(i[0])*width:][:width], rows[int(i[1])*width:][:width]
		r2, r3 := rows[int(i[2])*width:][:width], rows[int(i[3])*width:][:width]
		out := dst[p*width:][:width]
		for j := 0; j < len(out); j += lane {
			load(r0, j).Add(load(r1, j)).Add(load(r2, j).Add(load(r3, j))).Store(at(out, j))
		}
	}
	archsimd.ClearAVXUpperBits()
}

func addRowsAVX2(rows, src []float32, index []uint32, width int) {
	for p := range len(index) / 4 {
		i := (*[4]uint32)(index[4*p:])
		in := src[p*width:][:width]
		for _, r := range i {
			row := rows[int(r)*width:][:width]
			for j := 0; j < len(in); j += lane {
				load(row, j).Add(load(in, j)).Store(at(row, j))
			}
		}
	}
	archsimd.ClearAVXUpperBits()
}

func rectifyAVX2(x, pool []float32) {
	var zero vec
	width := len(pool)
	for j := 0; j < width; j += lane {
		p := load(pool, j)
		for i := j; i < len(x); i += width {
			v := load(x, i).Max(zero)
			v.Store(at(x, i))
			p = p.Add(v)
		}
		p.Store(at(pool, j))
	}
	archsimd.ClearAVXUpperBits()
}

func maskAVX2(dst, x, pool, weights, grads []float32) {
	var zero vec
	width := len(pool)
	for j := 0; j < width; j += lane {
		p, w := load(pool, j), load(weights, j)
		i := j
		for _, g := range grads {
			v := archsimd.BroadcastFloat32x8(g).MulAdd(w, p)
			v.Masked(load(x, i).Greater(zero)).Store(at(dst, i))
			i += width
		}
	}
	archsimd.ClearAVXUpperBits()
}

func dotsAVX2(dst, x, weights []float32) {
	width := len(weights)
	for p := range dst {
		var s vec
		for j := 0; j < width; j += lane {
			s = load(x, p*width+j).MulAdd(load(weights, j), s)
		}
		dst[p] = horizontal(s)
	}
	archsimd.ClearAVXUpperBits()
}
