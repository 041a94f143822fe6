package fit

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
)

// fit fits all tables and reports how good they are. It returns nil if ctx ends
// first.
func (o *options) fit(ctx context.Context, s *samples, stdout io.Writer) *pattern.Tables {
	a, v := &s.training, &s.validation
	fmt.Fprintf(stdout, "training:   %d games, %d positions with values, %d with moves\n",
		a.games, a.values.size(), a.orders.size())
	fmt.Fprintf(stdout, "validation: %d games, %d positions with values, %d with moves\n",
		v.games, v.values.size(), v.orders.size())
	if v.values.size() == 0 || v.orders.size() == 0 {
		fmt.Fprintln(stdout, "Warning: no game was left for validation, so nothing tells how good the tables are on other games")
	}
	a.values.aim(o.lambda)
	v.values.aim(o.lambda)
	fmt.Fprintf(stdout, "scale of the scores of each record: %v\n", figures("%.3f", s.scales...))

	hand := pattern.Hand(s.rule)
	before := hand
	valueDesign, orderDesign := newValueDesign(s.rule), newOrderDesign(s.rule)
	if o.start != nil {
		before = o.start
		valueDesign.start = valueNumbers(before)
		orderDesign.start = scaled(orderNumbers(before), 1/o.orderScale)
	}
	value, order := valueNumbers(before), orderNumbers(before)
	if o.fits != fitOrders {
		value = valueDesign.fit(&a.values, o.strength, o.steps, progress(ctx, stdout, "value"))
		if o.start != nil {
			keepScale(value, valueNumbers(o.start), &a.values)
		}
	}
	if o.fits != fitValues {
		order = orderDesign.fit(&a.orders, o.strength, o.steps, progress(ctx, stdout, "order"))
		align(order, o.orderScale, &a.orders, orderNumbers(hand))
	}
	if ctx.Err() != nil {
		return nil
	}
	t := assemble(s.rule, before, value, order)
	compare(stdout, "hand-made", hand, s)
	if o.start != nil {
		compare(stdout, "start", o.start, s)
	}
	compare(stdout, "fitted", t, s)
	return t
}

// progress returns a function that reports some steps of the minimizer and stops
// it when ctx ends.
func progress(ctx context.Context, w io.Writer, name string) func(step int, value float64) bool {
	return func(step int, value float64) bool {
		if step%25 == 0 {
			fmt.Fprintf(w, "%s: step %d, loss with priors %.5f\n", name, step, value)
		}
		return ctx.Err() == nil
	}
}

// compare prints the losses of tables: of the values, as they are and scaled by the
// best factor, and of the move order.
func compare(w io.Writer, name string, t *pattern.Tables, s *samples) {
	a, v := &s.training, &s.validation
	value, order := valueNumbers(t), orderNumbers(t)
	valueScale, orderScale := bestScale(&a.values, value), bestScale(&a.orders, order)
	loss := func(d dataset, numbers []float64) string {
		if d.size() == 0 {
			return notMeasured
		}
		return figures("%.5f", d.loss(numbers, nil))
	}
	fmt.Fprintf(w, "%s:\n", name)
	fmt.Fprintf(w, "  value loss: training %s, validation %s, of results alone %s; scaled by %.2f %s\n",
		loss(&a.values, value), loss(&v.values, value), figures("%.5f", v.values.resultLoss(value)),
		valueScale, loss(&v.values, scaled(value, valueScale)))
	fmt.Fprintf(w, "  order loss: training %s, validation %s; scaled by %.2f %s; best move first %s, in first three %s\n",
		loss(&a.orders, order), loss(&v.orders, order),
		orderScale, loss(&v.orders, scaled(order, orderScale)),
		figures("%.1f%%", 100*v.orders.hits(order, 1)), figures("%.1f%%", 100*v.orders.hits(order, 3)))
}

// notMeasured is printed for what cannot be measured.
const notMeasured = "n/a"

// figures formats numbers, NaN as notMeasured.
func figures(format string, list ...float64) string {
	var text []string
	for _, x := range list {
		if math.IsNaN(x) {
			text = append(text, notMeasured)
		} else {
			text = append(text, fmt.Sprintf(format, x))
		}
	}
	return strings.Join(text, ", ")
}

// bestScale returns the factor by which numbers explain a dataset best.
func bestScale(d dataset, numbers []float64) float64 {
	return leastOn(0.05, 20, func(f float64) float64 { return d.loss(scaled(numbers, f), nil) })
}

func scaled(numbers []float64, by float64) []float64 {
	s := make([]float64, len(numbers))
	addScaled(s, by, numbers)
	return s
}

// keepScale scales the value numbers to have the same best factor as the model:
// the search's margins are tuned to the model's scale, which need not be that of
// true logits.
func keepScale(numbers, model []float64, v *values) {
	f := bestScale(v, numbers) / bestScale(v, model)
	for i := range numbers {
		numbers[i] *= f
	}
}

// align scales and shifts the worths of moves, which does not change their order,
// to the range that the search's constants expect: the typical worth of the tenth
// best move becomes that of the model.
func align(worths []float64, scale float64, o *orders, model []float64) {
	for i := range worths {
		worths[i] *= scale
	}
	const rank = 10
	shift := (o.typical(model, rank) - o.typical(worths, rank)) / 2
	for i := range worths {
		worths[i] += shift // once for the attack and once for the defence
	}
}

// assemble makes tables from fitted numbers. Codes with a five keep their old
// numbers, which no sample covers.
func assemble(r board.Rule, before *pattern.Tables, value, order []float64) *pattern.Tables {
	t := *before
	n := tablesOf(r)
	for _, code := range codes() {
		if hasFive(code) {
			continue
		}
		k := pattern.Index(code)
		for c := range t.Value {
			i := table(board.Color(c), n)*pattern.NumCodes + k
			t.Value[c][k] = quantize(value[i])
			t.Attack[c][k] = quantize(order[i])
			t.Defend[c][k] = quantize(order[n*pattern.NumCodes+i])
		}
	}
	for mask := range t.Threats {
		t.Threats[mask] = quantize(value[n*pattern.NumCodes+mask])
	}
	return &t
}

func hasFive(code board.Code) bool {
	for dir := range 4 {
		if code.Line(dir) == board.LineFive {
			return true
		}
	}
	return false
}

// largest bounds the numbers of a table, so that the sum of two fits in an int16.
const largest = 16000

// quantize converts logits to the units of the tables.
func quantize(logits float64) int16 {
	return int16(math.Round(max(-largest, min(largest, logits*pattern.Logit))))
}

// valueNumbers returns the numbers of tables for a values dataset.
func valueNumbers(t *pattern.Tables) []float64 {
	numbers := make([]float64, 0, 2*pattern.NumCodes+pattern.NumThreats)
	for c := range tablesOf(t.Rule) {
		numbers = appendLogits(numbers, t.Value[c][:])
	}
	return appendLogits(numbers, t.Threats[:])
}

// orderNumbers returns the numbers of tables for an orders dataset.
func orderNumbers(t *pattern.Tables) []float64 {
	numbers := make([]float64, 0, 4*pattern.NumCodes)
	for c := range tablesOf(t.Rule) {
		numbers = appendLogits(numbers, t.Attack[c][:])
	}
	for c := range tablesOf(t.Rule) {
		numbers = appendLogits(numbers, t.Defend[c][:])
	}
	return numbers
}

func appendLogits(dst []float64, table []int16) []float64 {
	for _, v := range table {
		dst = append(dst, float64(v)/pattern.Logit)
	}
	return dst
}
