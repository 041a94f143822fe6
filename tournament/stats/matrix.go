package stats

import "math"

// A matrix is square and symmetric, stored as a slice of rows.
type matrix [][]float64

func newMatrix(n int) matrix {
	m := make(matrix, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// addOuter adds weight·x·xᵀ, where x is u at i, -u at j and v at k.
func (m matrix) addOuter(i, j, k int, u, v, weight float64) {
	uu, uv := weight*u*u, weight*u*v
	m[i][i] += uu
	m[j][j] += uu
	m[i][j] -= uu
	m[j][i] -= uu
	m[i][k] += uv
	m[k][i] += uv
	m[j][k] -= uv
	m[k][j] -= uv
	m[k][k] += weight * v * v
}

// addCross adds weight·(x·eᵀ + e·xᵀ), where x is u at i, -u at j and v at k,
// and e is 1 at l, a different place.
func (m matrix) addCross(i, j, k int, u, v float64, l int, weight float64) {
	for _, at := range []struct {
		place int
		x     float64
	}{{i, u}, {j, -u}, {k, v}} {
		m[at.place][l] += weight * at.x
		m[l][at.place] += weight * at.x
	}
}

// cholesky replaces a positive definite matrix by the lower triangle L of L·Lᵀ
// = m. For any other matrix it returns false and leaves m undefined.
func (m matrix) cholesky() bool {
	for i := range m {
		for j := range i + 1 {
			sum := m[i][j]
			for k := range j {
				sum -= m[i][k] * m[j][k]
			}
			switch {
			case i > j:
				m[i][j] = sum / m[j][j]
			case sum > 0 && !math.IsInf(sum, 0):
				m[i][i] = math.Sqrt(sum)
			default:
				return false
			}
		}
	}
	return true
}

// solve replaces b by the solution of L·Lᵀ·x = b, where m is L from cholesky.
func (m matrix) solve(b []float64) {
	for i := range b {
		for k := range i {
			b[i] -= m[i][k] * b[k]
		}
		b[i] /= m[i][i]
	}
	for i := len(b) - 1; i >= 0; i-- {
		for k := i + 1; k < len(b); k++ {
			b[i] -= m[k][i] * b[k]
		}
		b[i] /= m[i][i]
	}
}

// inverse returns the inverse of L·Lᵀ, where m is L from cholesky.
func (m matrix) inverse() matrix {
	inv := newMatrix(len(m))
	for i := range inv {
		inv[i][i] = 1
		m.solve(inv[i])
	}
	return inv
}

// times returns the product of two matrices, which need not be symmetric.
func (m matrix) times(o matrix) matrix {
	product := newMatrix(len(m))
	for i, row := range m {
		for k, x := range row {
			if x != 0 {
				for j, y := range o[k] {
					product[i][j] += x * y
				}
			}
		}
	}
	return product
}

// scale multiplies all elements.
func (m matrix) scale(x float64) {
	for _, row := range m {
		for j := range row {
			row[j] *= x
		}
	}
}

// center turns a covariance of values into that of their differences from the
// mean of the first n: T·m·Tᵀ, where T subtracts the mean.
func (m matrix) center(n int) {
	for _, row := range m {
		subtractMean(row[:n])
	}
	for j := range m {
		mean := 0.0
		for i := range n {
			mean += m[i][j] / float64(n)
		}
		for i := range n {
			m[i][j] -= mean
		}
	}
}

// subtractMean shifts the mean of x to 0.
func subtractMean(x []float64) {
	mean := 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for i := range x {
		x[i] -= mean
	}
}

// clear zeroes row and column i.
func (m matrix) clear(i int) {
	clear(m[i])
	for _, row := range m {
		row[i] = 0
	}
}
