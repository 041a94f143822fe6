package fit

import "math"

// An objective returns its value at x and stores its gradient in grad.
type objective func(x, grad []float64) float64

const (
	// memory is the number of steps from which L-BFGS estimates the curvature.
	memory = 12
	// maxHalvings bounds the line search.
	maxHalvings = 30
	// sufficient is the share of the predicted decrease that a step must achieve.
	sufficient = 1e-4
)

// minimize improves x by up to steps steps of L-BFGS (Nocedal and Wright,
// Numerical Optimization, algorithm 7.5) with backtracking. It ends early when
// the norm of the gradient falls below tolerance or no step helps. f must be
// convex. If report is not nil, it is called after each step and returns whether
// to continue.
func minimize(f objective, x []float64, steps int, tolerance float64, report func(step int, value float64) bool) float64 {
	n := len(x)
	grad, next, nextGrad := make([]float64, n), make([]float64, n), make([]float64, n)
	value := f(x, grad)
	var h curvature
	for step := 1; step <= steps && norm(grad) > tolerance; step++ {
		dir := h.direction(grad)
		slope := dot(dir, grad)
		size := 1.0
		if len(h) == 0 {
			size = min(1, 1/norm(grad))
		}
		v := math.Inf(1)
		for range maxHalvings {
			for i := range next {
				next[i] = x[i] + size*dir[i]
			}
			if v = f(next, nextGrad); v <= value+sufficient*size*slope {
				break
			}
			size /= 2
		}
		if !(v < value) {
			break
		}
		h.add(x, next, grad, nextGrad)
		copy(x, next)
		copy(grad, nextGrad)
		value = v
		if report != nil && !report(step, value) {
			break
		}
	}
	return value
}

// A change is one step of the minimizer: the changes of x and of the gradient.
type change struct {
	x, grad []float64
	product float64 // their scalar product
}

// curvature holds the latest steps, oldest first.
type curvature []change

// add records a step, unless its curvature is not positive.
func (h *curvature) add(x, next, grad, nextGrad []float64) {
	m := change{x: make([]float64, len(x)), grad: make([]float64, len(x))}
	for i := range x {
		m.x[i] = next[i] - x[i]
		m.grad[i] = nextGrad[i] - grad[i]
	}
	m.product = dot(m.x, m.grad)
	if m.product <= 1e-12*dot(m.grad, m.grad) {
		return
	}
	if len(*h) == memory {
		*h = append((*h)[:0], (*h)[1:]...)
	}
	*h = append(*h, m)
}

// direction returns minus the gradient times the inverse curvature.
func (h curvature) direction(grad []float64) []float64 {
	d := make([]float64, len(grad))
	for i, g := range grad {
		d[i] = -g
	}
	if len(h) == 0 {
		return d
	}
	share := make([]float64, len(h))
	for i := len(h) - 1; i >= 0; i-- {
		share[i] = dot(h[i].x, d) / h[i].product
		addScaled(d, -share[i], h[i].grad)
	}
	last := h[len(h)-1]
	scale := last.product / dot(last.grad, last.grad)
	for i := range d {
		d[i] *= scale
	}
	for i, m := range h {
		addScaled(d, share[i]-dot(m.grad, d)/m.product, m.x)
	}
	return d
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += float64(a[i] * b[i])
	}
	return s
}

func norm(a []float64) float64 { return math.Sqrt(dot(a, a)) }

// addScaled adds a multiple of b to a.
func addScaled(a []float64, by float64, b []float64) {
	for i := range a {
		a[i] += float64(by * b[i])
	}
}
