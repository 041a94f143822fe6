package train

import "math"

// An optimizer changes weights by AdamW (Loshchilov and Hutter 2019) and averages
// them.
type optimizer struct {
	net     network
	m, v    network // means of the gradient and of its square
	average network // of the weights
	decay   float64 // of the weights of layers, per step and rate
	step    int
}

const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
	// clip bounds the norm of a gradient.
	clip = 1
	// averageRate is the weight of old weights in their average.
	averageRate = 0.999
)

// newOptimizer returns an optimizer of net, given networks of its shape whose weights
// are zero.
func newOptimizer(net network, decay float64, zero func() network) *optimizer {
	o := &optimizer{net: net, m: zero(), v: zero(), average: zero(), decay: decay}
	copyWeights(o.average, net)
	return o
}

// copyWeights copies the weights of a network to another one of its shape.
func copyWeights(to, from network) {
	source := from.Tensors()
	for i, t := range to.Tensors() {
		copy(*t.Data, *source[i].Data)
	}
}

// update makes a step with a gradient.
func (o *optimizer) update(grad network, rate float64) {
	o.step++
	gs, ms, vs, ws, as := grad.Tensors(), o.m.Tensors(), o.v.Tensors(), o.net.Tensors(), o.average.Tensors()
	var square float64
	for _, t := range gs {
		for _, g := range *t.Data {
			square += float64(g) * float64(g)
		}
	}
	scale := float32(1)
	if norm := math.Sqrt(square); norm > clip {
		scale = float32(clip / norm)
	}
	correct1 := 1 / (1 - math.Pow(beta1, float64(o.step)))
	correct2 := 1 / (1 - math.Pow(beta2, float64(o.step)))
	// The average begins as the mean of the first weights.
	keep := float32(min(averageRate, float64(o.step)/float64(o.step+10)))
	for t := range gs {
		m, v, w, a := *ms[t].Data, *vs[t].Data, *ws[t].Data, *as[t].Data
		decay := float32(0)
		if gs[t].In > 0 {
			decay = float32(rate * o.decay)
		}
		for i, g := range *gs[t].Data {
			g *= scale
			m[i] = beta1*m[i] + (1-beta1)*g
			v[i] = beta2*v[i] + (1-beta2)*g*g
			w[i] -= decay*w[i] + float32(rate*correct1*float64(m[i])/(math.Sqrt(float64(v[i])*correct2)+epsilon))
			a[i] = keep*a[i] + (1-keep)*w[i]
		}
	}
}

// rate returns the learning rate of a step: a linear rise over the first 2 %, then
// half a cosine down to a hundredth.
func rate(top float64, step, steps int) float64 {
	rise := max(1, steps/50)
	if step < rise {
		return top * float64(step+1) / float64(rise)
	}
	done := float64(step-rise) / float64(max(1, steps-rise))
	return top * (0.01 + 0.99*(1+math.Cos(math.Pi*done))/2)
}
