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
			matMul:  matMulAVX2,
			sumRows: sumRowsAVX2,
			addRows: addRowsAVX2,
			rectify: rectifyAVX2,
			mask:    maskAVX2,
			dots:    dotsAVX2,
		})
	}
}

type vec = archsimd.Float32x8

// at returns the lane floats of s from i on.
func at(s []float32, i int) *[lane]float32 { return (*[lane]float32)(s[i:]) }

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
	for ; j < n; j += lane {
		d := load(dst, j)
		for l, v := range x {
			d = archsimd.BroadcastFloat32x8(v).MulAdd(load(w, l*n+j), d)
		}
		d.Store(at(dst, j))
	}
	archsimd.ClearAVXUpperBits()
}

func matMulAVX2(dst, a, b []float32, m, k, n, ai, al int) {
	j := 0
	for ; j+2*lane <= n; j += 2 * lane {
		i := 0
		for ; i+4 <= m; i += 4 {
			tile4x16(dst[i*n+j:], a[i*ai:], b[j:], k, n, ai, al)
		}
		for ; i < m; i++ {
			tile1x8(dst[i*n+j:], a[i*ai:], b[j:], k, n, al)
			tile1x8(dst[i*n+j+lane:], a[i*ai:], b[j+lane:], k, n, al)
		}
	}
	for ; j < n; j += lane {
		for i := range m {
			tile1x8(dst[i*n+j:], a[i*ai:], b[j:], k, n, al)
		}
	}
	archsimd.ClearAVXUpperBits()
}

// tile4x16 computes 4 rows of 16 columns of a product.
func tile4x16(dst, a, b []float32, k, n, ai, al int) {
	c00, c01 := load(dst, 0), load(dst, lane)
	c10, c11 := load(dst, n), load(dst, n+lane)
	c20, c21 := load(dst, 2*n), load(dst, 2*n+lane)
	c30, c31 := load(dst, 3*n), load(dst, 3*n+lane)
	a1, a2, a3 := a[ai:], a[2*ai:], a[3*ai:]
	at0, bt := 0, 0
	for range k {
		row := (*[2 * lane]float32)(b[bt:])
		b0 := archsimd.LoadFloat32x8((*[lane]float32)(row[0:8]))
		b1 := archsimd.LoadFloat32x8((*[lane]float32)(row[8:16]))
		v := archsimd.BroadcastFloat32x8(a[at0])
		c00, c01 = v.MulAdd(b0, c00), v.MulAdd(b1, c01)
		v = archsimd.BroadcastFloat32x8(a1[at0])
		c10, c11 = v.MulAdd(b0, c10), v.MulAdd(b1, c11)
		v = archsimd.BroadcastFloat32x8(a2[at0])
		c20, c21 = v.MulAdd(b0, c20), v.MulAdd(b1, c21)
		v = archsimd.BroadcastFloat32x8(a3[at0])
		c30, c31 = v.MulAdd(b0, c30), v.MulAdd(b1, c31)
		at0 += al
		bt += n
	}
	c00.Store(at(dst, 0))
	c01.Store(at(dst, lane))
	c10.Store(at(dst, n))
	c11.Store(at(dst, n+lane))
	c20.Store(at(dst, 2*n))
	c21.Store(at(dst, 2*n+lane))
	c30.Store(at(dst, 3*n))
	c31.Store(at(dst, 3*n+lane))
}

// tile1x8 computes 8 columns of a row of a product.
func tile1x8(dst, a, b []float32, k, n, al int) {
	c := load(dst, 0)
	for l := range k {
		c = archsimd.BroadcastFloat32x8(a[l*al]).MulAdd(load(b, l*n), c)
	}
	c.Store(at(dst, 0))
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
	var sums [lane]float32
	for p := range dst {
		var s vec
		for j := 0; j < width; j += lane {
			s = load(x, p*width+j).MulAdd(load(weights, j), s)
		}
		s.Store(&sums)
		dst[p] = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
	}
	archsimd.ClearAVXUpperBits()
}
