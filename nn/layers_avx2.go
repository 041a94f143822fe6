//go:build goexperiment.simd && amd64

package nn

import "simd/archsimd"

func addBiasAVX2(x, bias []float32) {
	for j := 0; j < len(bias); j += lane {
		b := load(bias, j)
		for i := j; i < len(x); i += len(bias) {
			load(x, i).Add(b).Store(at(x, i))
		}
	}
	archsimd.ClearAVXUpperBits()
}

func addPointsAVX2(dst, src []float32) {
	for j := 0; j < len(dst); j += lane {
		s := load(dst, j)
		for i := j; i < len(src); i += len(dst) {
			s = s.Add(load(src, i))
		}
		s.Store(at(dst, j))
	}
	archsimd.ClearAVXUpperBits()
}

func addAVX2(dst, src []float32) {
	for j := 0; j < len(src); j += lane {
		load(dst, j).Add(load(src, j)).Store(at(dst, j))
	}
	archsimd.ClearAVXUpperBits()
}

func addReluAVX2(dst, a, b []float32) {
	var zero vec
	for j := 0; j < len(a); j += lane {
		load(a, j).Add(load(b, j)).Max(zero).Store(at(dst, j))
	}
	archsimd.ClearAVXUpperBits()
}

func reluGradAVX2(grads, x []float32) {
	var zero vec
	for j := 0; j < len(x); j += lane {
		load(grads, j).Masked(load(x, j).Greater(zero)).Store(at(grads, j))
	}
	archsimd.ClearAVXUpperBits()
}
