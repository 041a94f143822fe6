package fit

import (
	"math"
	"slices"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
)

// outcome is the known value of a position for the side to move.
type outcome struct {
	score  float32 // of the search, in logits
	proven bool    // score is infinite of its sign
	played bool    // the game continued from here and has a result
	result float32 // 1 won, 0.5 draw, 0 lost
}

// target blends the score of the search with the result of the game, if any.
func (o outcome) target(lambda float64) float64 {
	chance := sigmoid(float64(o.score))
	if o.proven {
		chance = 0
		if o.score > 0 {
			chance = 1
		}
	}
	if !o.played {
		return chance
	}
	return lambda*chance + (1-lambda)*float64(o.result)
}

// values is a dataset for Value and Threats. Its numbers are Value for each player
// that has its own, then Threats.
type values struct {
	tables   int     // of Value: 2 in renju, else 1
	ends     []int32 // by sample, the end of its features in the following two
	index    []uint16
	count    []int16 // how often the number counts for the side to move
	outcomes []outcome
	targets  []float32
}

// tablesOf returns the number of tables that a rule needs for both players.
func tablesOf(r board.Rule) int {
	if r == board.Renju {
		return 2
	}
	return 1
}

// table returns the index of c's table.
func table(c board.Color, tables int) int { return int(c) & (tables - 1) }

// newValueDesign returns the parameters of Value and Threats.
func newValueDesign(r board.Rule) *design {
	d := &design{}
	d.codeTables(r)
	d.threatTable()
	return d
}

func (v *values) size() int { return len(v.ends) }

// counts is scratch memory for counting codes: the count of each code, and the
// codes whose count may not be zero.
type counts struct {
	of   []int16
	seen []uint16
}

// add appends a position as a sample.
func (v *values) add(b *board.Board, o outcome, n *counts) {
	if n.of == nil {
		n.of = make([]int16, v.tables*pattern.NumCodes)
	}
	own := b.Side()
	for y := range b.Height() {
		for x := range b.Width() {
			m := board.Pt(x, y)
			if !b.Empty(m) {
				continue
			}
			n.count(v.number(b, m, own), 1)
			n.count(v.number(b, m, own.Opponent()), -1)
		}
	}
	for _, i := range n.seen {
		if n.of[i] != 0 {
			v.index = append(v.index, i)
			v.count = append(v.count, n.of[i])
			n.of[i] = 0
		}
	}
	n.seen = n.seen[:0]
	v.index = append(v.index, uint16(v.tables*pattern.NumCodes+pattern.Threats(b)))
	v.count = append(v.count, 1)
	v.ends = append(v.ends, int32(len(v.index)))
	v.outcomes = append(v.outcomes, o)
}

// number returns the index of the number of c's code at m.
func (v *values) number(b *board.Board, m board.Move, c board.Color) int {
	return table(c, v.tables)*pattern.NumCodes + pattern.Index(b.Code(m, c))
}

// count adds by to the count of number i.
func (n *counts) count(i int, by int16) {
	if n.of[i] == 0 {
		n.seen = append(n.seen, uint16(i))
	}
	n.of[i] += by
}

// aim sets the targets.
func (v *values) aim(lambda float64) {
	v.targets = v.targets[:0]
	for _, o := range v.outcomes {
		v.targets = append(v.targets, float32(o.target(lambda)))
	}
}

// logit returns the sum of the numbers for sample i.
func (v *values) logit(numbers []float64, i int) float64 {
	start, end := span(v.ends, i)
	z := 0.0
	for k, j := range v.index[start:end] {
		z += float64(float64(v.count[int(start)+k]) * numbers[j])
	}
	return z
}

// loss implements [dataset] with the cross entropy.
func (v *values) loss(numbers, grad []float64) float64 {
	total := 0.0
	per := 1 / float64(max(1, v.size()))
	for i := range v.size() {
		z := v.logit(numbers, i)
		t := float64(v.targets[i])
		total += crossEntropy(z, t)
		if grad == nil {
			continue
		}
		g := (sigmoid(z) - t) * per
		start, end := span(v.ends, i)
		for k, j := range v.index[start:end] {
			grad[j] += float64(g * float64(v.count[int(start)+k]))
		}
	}
	return total * per
}

// span returns the bounds of the i-th piece of a list, given all ends.
func span(ends []int32, i int) (start, end int32) {
	if i > 0 {
		start = ends[i-1]
	}
	return start, ends[i]
}

// scoreScale returns the factor with which the scores of the search, in logits,
// best predict the results of the games, or NaN if there are none.
func scoreScale(outcomes []outcome) float64 {
	if !slices.ContainsFunc(outcomes, func(o outcome) bool { return o.played && !o.proven }) {
		return math.NaN()
	}
	return leastOn(0.05, 4, func(scale float64) float64 {
		total := 0.0
		for _, o := range outcomes {
			if o.played && !o.proven {
				total += crossEntropy(scale*float64(o.score), float64(o.result))
			}
		}
		return total
	})
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// crossEntropy returns the cost, in nats, of predicting logit z for probability t.
// Its minimum is the entropy of t.
func crossEntropy(z, t float64) float64 {
	return math.Max(z, 0) - z*t + math.Log1p(math.Exp(-math.Abs(z)))
}

// leastOn returns the approximate minimizer of f between low and high, by golden
// section on a logarithmic scale.
func leastOn(low, high float64, f func(float64) float64) float64 {
	const golden = 0.6180339887498949
	a, b := math.Log(low), math.Log(high)
	x, y := b-golden*(b-a), a+golden*(b-a)
	fx, fy := f(math.Exp(x)), f(math.Exp(y))
	for b-a > 1e-3 {
		if fx < fy {
			b, y, fy = y, x, fx
			x = b - golden*(b-a)
			fx = f(math.Exp(x))
		} else {
			a, x, fx = x, y, fy
			y = a + golden*(b-a)
			fy = f(math.Exp(y))
		}
	}
	return math.Exp((a + b) / 2)
}

// resultLoss returns the mean cross entropy against the results of the games
// alone, NaN if there are none.
func (v *values) resultLoss(numbers []float64) float64 {
	total, n := 0.0, 0
	for i, o := range v.outcomes {
		if o.played {
			total += crossEntropy(v.logit(numbers, i), float64(o.result))
			n++
		}
	}
	return total / float64(n)
}
