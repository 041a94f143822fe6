package fit

import (
	"math"
	"math/bits"
	"slices"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
)

// orders is a dataset for Attack and Defend. Its numbers are Attack for each
// player that has its own, then Defend likewise.
type orders struct {
	tables int     // of each kind: 2 in renju, else 1
	ends   []int32 // by sample, the end of its candidates in the following two
	attack []uint16
	defend []uint16
	chosen []int32 // by sample, the candidate that was played
}

// newOrderDesign returns the parameters of Attack and Defend.
func newOrderDesign(r board.Rule) *design {
	d := &design{}
	d.codeTables(r)
	d.codeTables(r)
	return d
}

func (o *orders) size() int { return len(o.ends) }

// add appends as a sample a position in which best was played, unless there is no
// choice or best is not a candidate.
func (o *orders) add(b *board.Board, best board.Move) {
	c := b.Side()
	start := len(o.attack)
	chosen := -1
	for y := range b.Height() {
		for row := b.Near(y); row != 0; row &= row - 1 {
			m := board.Pt(bits.TrailingZeros32(row), y)
			if !isCandidate(b, m) {
				continue
			}
			if m == best {
				chosen = len(o.attack) - start
			}
			o.attack = append(o.attack, o.number(0, b, m, c))
			o.defend = append(o.defend, o.number(1, b, m, c.Opponent()))
		}
	}
	if chosen < 0 || len(o.attack) < start+2 {
		o.attack, o.defend = o.attack[:start], o.defend[:start]
		return
	}
	o.ends = append(o.ends, int32(len(o.attack)))
	o.chosen = append(o.chosen, int32(chosen))
}

// number returns the index of the number of c's code at m; kind is 0 for attack,
// 1 for defend.
func (o *orders) number(kind int, b *board.Board, m board.Move, c board.Color) uint16 {
	return uint16((kind*o.tables+table(c, o.tables))*pattern.NumCodes + pattern.Index(b.Code(m, c)))
}

// isCandidate reports whether the search would consider m: it is legal and, if the
// opponent threatens an open four, it prevents that or is a four.
func isCandidate(b *board.Board, m board.Move) bool {
	c := b.Side()
	o := c.Opponent()
	shape := b.Shape(m, c)
	if shape == board.ShapeForbidden {
		return b.Legal(m)
	}
	if shape >= board.ShapeFour || b.Count(o, board.ShapeOpenFour) == 0 {
		return true
	}
	var buf [64]board.Move
	for _, p := range b.Find(buf[:0], o, board.ShapeOpenFour) {
		if b.ShapeAfter(p, o, m, c) >= board.ShapeOpenFour {
			return false
		}
	}
	return true
}

// logits stores the logits of the candidates of sample i.
func (o *orders) logits(dst, numbers []float64, i int) []float64 {
	start, end := span(o.ends, i)
	dst = dst[:0]
	for k := start; k < end; k++ {
		dst = append(dst, numbers[o.attack[k]]+numbers[o.defend[k]])
	}
	return dst
}

// loss implements [dataset] with the cross entropy.
func (o *orders) loss(numbers, grad []float64) float64 {
	total := 0.0
	per := 1 / float64(max(1, o.size()))
	var z []float64
	for i := range o.size() {
		z = o.logits(z, numbers, i)
		best := z[o.chosen[i]]
		total += softmax(z) - best
		if grad == nil {
			continue
		}
		z[o.chosen[i]] -= 1
		start, _ := span(o.ends, i)
		for k, g := range z {
			grad[o.attack[int(start)+k]] += float64(g * per)
			grad[o.defend[int(start)+k]] += float64(g * per)
		}
	}
	return total * per
}

// softmax converts logits to probabilities and returns the logarithm of the sum
// of their exponentials.
func softmax(z []float64) float64 {
	top := slices.Max(z)
	sum := 0.0
	for i := range z {
		z[i] = math.Exp(z[i] - top)
		sum += z[i]
	}
	for i := range z {
		z[i] /= sum
	}
	return top + math.Log(sum)
}

// hits returns the share of samples in which the numbers rank the chosen move
// among the first n, or NaN if there are no samples. Candidates of equal worth
// share their ranks.
func (o *orders) hits(numbers []float64, n int) float64 {
	total := 0.0
	var z []float64
	for i := range o.size() {
		z = o.logits(z, numbers, i)
		before, equal := 0, 0
		for _, v := range z {
			switch {
			case v > z[o.chosen[i]]:
				before++
			case v == z[o.chosen[i]]:
				equal++
			}
		}
		total += min(1, max(0, float64(n-before)/float64(equal)))
	}
	return total / float64(o.size())
}

// typical returns the median logit of the n-th best candidate over all samples that
// have one, or 0 if none has.
func (o *orders) typical(numbers []float64, n int) float64 {
	var list, z []float64
	for i := range o.size() {
		z = o.logits(z, numbers, i)
		if len(z) >= n {
			slices.Sort(z)
			list = append(list, z[len(z)-n])
		}
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}
