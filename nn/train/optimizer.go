package train

import (
	"math"

	"kumiko/nn"
)

// An optimizer changes weights by AdamW (Loshchilov and Hutter 2019) and averages
// them.
type optimizer struct {
	net     *nn.Net
	m, v    *nn.Net // means of the gradient and of its square
	average *nn.Net // of the weights
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

func newOptimizer(net *nn.Net, decay float64) *optimizer {
	o := &optimizer{net: net, m: nn.Zero(net.Shape, net.Name), v: nn.Zero(net.Shape, net.Name), average: nn.Zero(net.Shape, net.Name), decay: decay}
	for s := range net.Sets {
		to := o.average.Sets[s].Tensors(net.Shape)
		for t, tensor := range net.Sets[s].Tensors(net.Shape) {
			copy(*to[t].Data, *tensor.Data)
		}
	}
	return o
}

// update makes a step with a gradient.
func (o *optimizer) update(grad *nn.Net, rate float64) {
	o.step++
	shape := o.net.Shape
	var square float64
	for s := range grad.Sets {
		for _, t := range grad.Sets[s].Tensors(shape) {
			for _, g := range *t.Data {
				square += float64(g) * float64(g)
			}
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
	for s := range grad.Sets {
		gs, ms, vs := grad.Sets[s].Tensors(shape), o.m.Sets[s].Tensors(shape), o.v.Sets[s].Tensors(shape)
		ws, as := o.net.Sets[s].Tensors(shape), o.average.Sets[s].Tensors(shape)
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
