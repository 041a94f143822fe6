//go:build goexperiment.simd && amd64

package nn

import "simd/archsimd"

// The transforms take a slice for each element of a line, all of the same length, so
// that the loop over the channels checks no bounds.

func tileSrcAVX2(dst, src []float32, p pass) {
	four := archsimd.BroadcastFloat32x8(4)
	minusFour := archsimd.BroadcastFloat32x8(-4)
	n := p.width
	for l := range p.lines {
		s, d := src[l*p.srcLine:], dst[l*p.dstLine:]
		s0 := s[:n:n]
		s1 := s[p.srcStep:][:n:n]
		s2 := s[2*p.srcStep:][:n:n]
		s3 := s[3*p.srcStep:][:n:n]
		s4 := s[4*p.srcStep:][:n:n]
		s5 := s[5*p.srcStep:][:n:n]
		d0 := d[:n:n]
		d1 := d[p.dstStep:][:n:n]
		d2 := d[2*p.dstStep:][:n:n]
		d3 := d[3*p.dstStep:][:n:n]
		d4 := d[4*p.dstStep:][:n:n]
		d5 := d[5*p.dstStep:][:n:n]
		for j := 0; j <= n-lane; j += lane {
			x0 := archsimd.LoadFloat32x8((*[lane]float32)(s0[j : j+lane]))
			x1 := archsimd.LoadFloat32x8((*[lane]float32)(s1[j : j+lane]))
			x2 := archsimd.LoadFloat32x8((*[lane]float32)(s2[j : j+lane]))
			x3 := archsimd.LoadFloat32x8((*[lane]float32)(s3[j : j+lane]))
			x4 := archsimd.LoadFloat32x8((*[lane]float32)(s4[j : j+lane]))
			x5 := archsimd.LoadFloat32x8((*[lane]float32)(s5[j : j+lane]))
			a, b := minusFour.MulAdd(x2, x4), minusFour.MulAdd(x1, x3)
			e, f := x4.Sub(x2), x3.Sub(x1)
			four.MulAdd(x0.Sub(x2), e).Store((*[lane]float32)(d0[j : j+lane]))
			minusFour.MulAdd(f, x5.Sub(x3)).Store((*[lane]float32)(d5[j : j+lane]))
			f = f.Add(f)
			a.Add(b).Store((*[lane]float32)(d1[j : j+lane]))
			a.Sub(b).Store((*[lane]float32)(d2[j : j+lane]))
			e.Add(f).Store((*[lane]float32)(d3[j : j+lane]))
			e.Sub(f).Store((*[lane]float32)(d4[j : j+lane]))
		}
	}
	archsimd.ClearAVXUpperBits()
}

func tileDstAVX2(dst, src []float32, p pass) {
	two := archsimd.BroadcastFloat32x8(2)
	four := archsimd.BroadcastFloat32x8(4)
	eight := archsimd.BroadcastFloat32x8(8)
	n := p.width
	for l := range p.lines {
		s, d := src[l*p.srcLine:], dst[l*p.dstLine:]
		s0 := s[:n:n]
		s1 := s[p.srcStep:][:n:n]
		s2 := s[2*p.srcStep:][:n:n]
		s3 := s[3*p.srcStep:][:n:n]
		s4 := s[4*p.srcStep:][:n:n]
		s5 := s[5*p.srcStep:][:n:n]
		d0 := d[:n:n]
		d1 := d[p.dstStep:][:n:n]
		d2 := d[2*p.dstStep:][:n:n]
		d3 := d[3*p.dstStep:][:n:n]
		for j := 0; j <= n-lane; j += lane {
			x0 := archsimd.LoadFloat32x8((*[lane]float32)(s0[j : j+lane]))
			x1 := archsimd.LoadFloat32x8((*[lane]float32)(s1[j : j+lane]))
			x2 := archsimd.LoadFloat32x8((*[lane]float32)(s2[j : j+lane]))
			x3 := archsimd.LoadFloat32x8((*[lane]float32)(s3[j : j+lane]))
			x4 := archsimd.LoadFloat32x8((*[lane]float32)(s4[j : j+lane]))
			x5 := archsimd.LoadFloat32x8((*[lane]float32)(s5[j : j+lane]))
			a, b := x1.Add(x2), x1.Sub(x2)
			e, f := x3.Add(x4), x3.Sub(x4)
			x0.Add(a.Add(e)).Store((*[lane]float32)(d0[j : j+lane]))
			two.MulAdd(f, b).Store((*[lane]float32)(d1[j : j+lane]))
			four.MulAdd(e, a).Store((*[lane]float32)(d2[j : j+lane]))
			eight.MulAdd(f, b).Add(x5).Store((*[lane]float32)(d3[j : j+lane]))
		}
	}
	archsimd.ClearAVXUpperBits()
}

func tileDstTAVX2(dst, src []float32, p pass) {
	four := archsimd.BroadcastFloat32x8(4)
	n := p.width
	for l := range p.lines {
		s, d := src[l*p.srcLine:], dst[l*p.dstLine:]
		s0 := s[:n:n]
		s1 := s[p.srcStep:][:n:n]
		s2 := s[2*p.srcStep:][:n:n]
		s3 := s[3*p.srcStep:][:n:n]
		d0 := d[:n:n]
		d1 := d[p.dstStep:][:n:n]
		d2 := d[2*p.dstStep:][:n:n]
		d3 := d[3*p.dstStep:][:n:n]
		d4 := d[4*p.dstStep:][:n:n]
		d5 := d[5*p.dstStep:][:n:n]
		for j := 0; j <= n-lane; j += lane {
			x0 := archsimd.LoadFloat32x8((*[lane]float32)(s0[j : j+lane]))
			x1 := archsimd.LoadFloat32x8((*[lane]float32)(s1[j : j+lane]))
			x2 := archsimd.LoadFloat32x8((*[lane]float32)(s2[j : j+lane]))
			x3 := archsimd.LoadFloat32x8((*[lane]float32)(s3[j : j+lane]))
			a, b := x0.Add(x2), x1.Add(x3)
			e, f := four.MulAdd(x2, x0), four.MulAdd(x3, x1)
			f = f.Add(f)
			x0.Store((*[lane]float32)(d0[j : j+lane]))
			a.Add(b).Store((*[lane]float32)(d1[j : j+lane]))
			a.Sub(b).Store((*[lane]float32)(d2[j : j+lane]))
			e.Add(f).Store((*[lane]float32)(d3[j : j+lane]))
			e.Sub(f).Store((*[lane]float32)(d4[j : j+lane]))
			x3.Store((*[lane]float32)(d5[j : j+lane]))
		}
	}
	archsimd.ClearAVXUpperBits()
}

func tileWeightsAVX2(dst, src []float32, p pass) {
	quarter := archsimd.BroadcastFloat32x8(1. / 4)
	sixth := archsimd.BroadcastFloat32x8(1. / 6)
	minusSixth := archsimd.BroadcastFloat32x8(-1. / 6)
	twelfth := archsimd.BroadcastFloat32x8(1. / 12)
	twentyFourth := archsimd.BroadcastFloat32x8(1. / 24)
	n := p.width
	for l := range p.lines {
		s, d := src[l*p.srcLine:], dst[l*p.dstLine:]
		s0 := s[:n:n]
		s1 := s[p.srcStep:][:n:n]
		s2 := s[2*p.srcStep:][:n:n]
		d0 := d[:n:n]
		d1 := d[p.dstStep:][:n:n]
		d2 := d[2*p.dstStep:][:n:n]
		d3 := d[3*p.dstStep:][:n:n]
		d4 := d[4*p.dstStep:][:n:n]
		d5 := d[5*p.dstStep:][:n:n]
		for j := 0; j <= n-lane; j += lane {
			x0 := archsimd.LoadFloat32x8((*[lane]float32)(s0[j : j+lane]))
			x1 := archsimd.LoadFloat32x8((*[lane]float32)(s1[j : j+lane]))
			x2 := archsimd.LoadFloat32x8((*[lane]float32)(s2[j : j+lane]))
			a, e, f := x0.Add(x2), sixth.MulAdd(x2, x0.Mul(twentyFourth)), x1.Mul(twelfth)
			x0.Mul(quarter).Store((*[lane]float32)(d0[j : j+lane]))
			a.Add(x1).Mul(minusSixth).Store((*[lane]float32)(d1[j : j+lane]))
			a.Sub(x1).Mul(minusSixth).Store((*[lane]float32)(d2[j : j+lane]))
			e.Add(f).Store((*[lane]float32)(d3[j : j+lane]))
			e.Sub(f).Store((*[lane]float32)(d4[j : j+lane]))
			x2.Store((*[lane]float32)(d5[j : j+lane]))
		}
	}
	archsimd.ClearAVXUpperBits()
}

func tileWeightsTAVX2(dst, src []float32, p pass) {
	quarter := archsimd.BroadcastFloat32x8(1. / 4)
	sixth := archsimd.BroadcastFloat32x8(1. / 6)
	minusSixth := archsimd.BroadcastFloat32x8(-1. / 6)
	twelfth := archsimd.BroadcastFloat32x8(1. / 12)
	twentyFourth := archsimd.BroadcastFloat32x8(1. / 24)
	n := p.width
	for l := range p.lines {
		s, d := src[l*p.srcLine:], dst[l*p.dstLine:]
		s0 := s[:n:n]
		s1 := s[p.srcStep:][:n:n]
		s2 := s[2*p.srcStep:][:n:n]
		s3 := s[3*p.srcStep:][:n:n]
		s4 := s[4*p.srcStep:][:n:n]
		s5 := s[5*p.srcStep:][:n:n]
		d0 := d[:n:n]
		d1 := d[p.dstStep:][:n:n]
		d2 := d[2*p.dstStep:][:n:n]
		for j := 0; j <= n-lane; j += lane {
			x0 := archsimd.LoadFloat32x8((*[lane]float32)(s0[j : j+lane]))
			x1 := archsimd.LoadFloat32x8((*[lane]float32)(s1[j : j+lane]))
			x2 := archsimd.LoadFloat32x8((*[lane]float32)(s2[j : j+lane]))
			x3 := archsimd.LoadFloat32x8((*[lane]float32)(s3[j : j+lane]))
			x4 := archsimd.LoadFloat32x8((*[lane]float32)(s4[j : j+lane]))
			x5 := archsimd.LoadFloat32x8((*[lane]float32)(s5[j : j+lane]))
			a, b := x1.Add(x2), x2.Sub(x1)
			e, f := x3.Add(x4), x3.Sub(x4)
			twentyFourth.MulAdd(e, minusSixth.MulAdd(a, x0.Mul(quarter))).Store((*[lane]float32)(d0[j : j+lane]))
			sixth.MulAdd(b, f.Mul(twelfth)).Store((*[lane]float32)(d1[j : j+lane]))
			sixth.MulAdd(e.Sub(a), x5).Store((*[lane]float32)(d2[j : j+lane]))
		}
	}
	archsimd.ClearAVXUpperBits()
}

func mulPanelsAVX2(dst, a, panels []float32, m, k, n int) {
	for j := 0; j < n; j += panelCols {
		panel := panels[j*k:][:k*panelCols]
		for i := 0; i < m; i += tileRows {
			tileTimes(dst[i*n+j:], n, a[i*k:], panel, k, 1, false)
		}
	}
	archsimd.ClearAVXUpperBits()
}
