package fit

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
)

// options are what the command line asks for.
type options struct {
	out        string
	start      *pattern.Tables // where the priors hold the tables; nil for zero
	records    []string
	lambda     float64
	scale      float64 // of the scores of the search; 0 to fit it
	strength   float64
	orderScale float64
	validation float64
	steps      int
	seed       uint64
	fits       string // of the tables, those to fit
}

// What to fit.
const (
	fitValues = "values"
	fitOrders = "orders"
	fitBoth   = "both"
)

// Command is the subcommand train.
func Command(ctx context.Context, args []string, stdout io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	s, err := collect(o)
	if err != nil {
		return err
	}
	if s.training.values.size() == 0 || s.training.orders.size() == 0 {
		return errors.New("the records hold no position to learn from")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// Hours may go into the fit: whether it can be kept is found out before.
	f, err := os.CreateTemp(filepath.Dir(o.out), filepath.Base(o.out)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // of no effect once it has its name
	t := o.fit(s, stdout)
	if err := errors.Join(t.Write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), o.out)
}

// parse reads the command line.
func parse(args []string, stdout io.Writer) (_ *options, err error) {
	var o options
	fs := flag.NewFlagSet("train", flag.ContinueOnError)
	fs.StringVar(&o.out, "out", "", "file to write the pattern tables to")
	start := fs.String("start", "", "file of pattern tables, of any rule, to improve; the fewer games, the less they change, and their scale is kept")
	fs.Float64Var(&o.lambda, "lambda", 0.5, "weight of the search's scores against the results of the games, 0 to 1")
	fs.Float64Var(&o.scale, "scale", 0, "factor of the search's scores; 0 chooses, for each record, the one that predicts the results best")
	fs.Float64Var(&o.strength, "prior", 20, "how many positions the priors are worth")
	fs.Float64Var(&o.orderScale, "order-scale", 0.35, "factor of what is learned about moves, to fit in with the search's own history")
	fs.Float64Var(&o.validation, "validation", 0.1, "share of the games that are kept for validation")
	fs.IntVar(&o.steps, "steps", 400, "steps of the minimizer")
	fs.StringVar(&o.fits, "fit", fitBoth, "tables to fit: values, orders or both; the others stay as they were")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of the choice of games for validation")
	fs.SetOutput(io.Discard) // the caller prints the error
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stdout)
			fmt.Fprintln(stdout, "usage: train [flags] record…")
			fs.PrintDefaults()
		}
		return nil, err
	}
	o.records = fs.Args()
	switch {
	case o.out == "":
		return nil, errors.New("name the file to write with -out")
	case len(o.records) == 0:
		return nil, errors.New("name the records to learn from")
	case slices.Contains(o.records, o.out):
		return nil, fmt.Errorf("-out %s would replace a record to learn from", o.out)
	case !(o.lambda >= 0 && o.lambda <= 1):
		return nil, fmt.Errorf("lambda %v is not within 0 and 1", o.lambda)
	case !(o.scale >= 0 && o.scale <= 100):
		return nil, fmt.Errorf("scale %v is not within 0 and 100", o.scale)
	case !(o.strength >= 0 && o.strength < math.Inf(1)):
		return nil, fmt.Errorf("prior %v is negative or infinite", o.strength)
	case !(o.orderScale > 0 && o.orderScale <= 100):
		return nil, fmt.Errorf("order scale %v is not within 0 and 100", o.orderScale)
	case !(o.validation >= 0 && o.validation < 1):
		return nil, fmt.Errorf("validation %v is not a share below 1", o.validation)
	case o.fits != fitBoth && o.fits != fitValues && o.fits != fitOrders:
		return nil, fmt.Errorf("nothing is called %q among values, orders and both", o.fits)
	case o.steps < 1:
		return nil, fmt.Errorf("%d steps are too few", o.steps)
	}
	for i, name := range o.records {
		if slices.Contains(o.records[:i], name) {
			return nil, fmt.Errorf("record %s is named twice: its games would be learned from and validated on", name)
		}
	}
	if *start == "" {
		return &o, nil
	}
	o.start, err = readTables(*start)
	return &o, err
}

// readTables reads tables from a file.
func readTables(name string) (*pattern.Tables, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := pattern.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// fit fits all tables and says how good they are.
func (o *options) fit(s *samples, stdout io.Writer) *pattern.Tables {
	a, v := &s.training, &s.validation
	fmt.Fprintf(stdout, "training:   %d games, %d positions with values, %d with moves\n",
		a.games, a.values.size(), a.orders.size())
	fmt.Fprintf(stdout, "validation: %d games, %d positions with values, %d with moves\n",
		v.games, v.values.size(), v.orders.size())
	a.values.aim(o.lambda)
	v.values.aim(o.lambda)
	fmt.Fprintf(stdout, "scale of the scores of each record: %.3f\n", s.scales)

	hand := pattern.Hand(s.rule)
	before := hand
	valueDesign, orderDesign := newValueDesign(s.rule), newOrderDesign(s.rule)
	if o.start != nil {
		start := *o.start
		start.Rule = s.rule
		o.start, before = &start, &start
		valueDesign.start = valueNumbers(before)
		orderDesign.start = scaled(orderNumbers(before), 1/o.orderScale)
	}
	value, order := valueNumbers(before), orderNumbers(before)
	if o.fits != fitOrders {
		value = valueDesign.fit(&a.values, o.strength, o.steps, progress(stdout, "value"))
		if o.start != nil {
			keepScale(value, valueNumbers(o.start), &a.values)
		}
	}
	if o.fits != fitValues {
		order = orderDesign.fit(&a.orders, o.strength, o.steps, progress(stdout, "order"))
		align(order, o.orderScale, &a.orders, orderNumbers(hand))
	}
	t := assemble(s.rule, before, value, order)
	compare(stdout, "hand-made", hand, s)
	if o.start != nil {
		compare(stdout, "start", o.start, s)
	}
	compare(stdout, "fitted", t, s)
	return t
}

// progress returns a function that reports some steps of the minimizer.
func progress(w io.Writer, name string) func(step int, value float64) {
	return func(step int, value float64) {
		if step%25 == 0 {
			fmt.Fprintf(w, "%s: step %d, loss with priors %.5f\n", name, step, value)
		}
	}
}

// compare prints the losses of tables: of values, by the best factor if they
// were scaled, and of moves.
func compare(w io.Writer, name string, t *pattern.Tables, s *samples) {
	a, v := &s.training, &s.validation
	value, order := valueNumbers(t), orderNumbers(t)
	valueScale, orderScale := bestScale(&a.values, value), bestScale(&a.orders, order)
	fmt.Fprintf(w, "%s:\n", name)
	fmt.Fprintf(w, "  value loss: training %.5f, validation %.5f, of results alone %.5f; scaled by %.2f %.5f\n",
		a.values.loss(value, nil), v.values.loss(value, nil), v.values.resultLoss(value),
		valueScale, v.values.loss(scaled(value, valueScale), nil))
	fmt.Fprintf(w, "  order loss: training %.5f, validation %.5f; scaled by %.2f %.5f; best move first %.1f%%, in first three %.1f%%\n",
		a.orders.loss(order, nil), v.orders.loss(order, nil),
		orderScale, v.orders.loss(scaled(order, orderScale), nil),
		100*v.orders.hits(order, 1), 100*v.orders.hits(order, 3))
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

// keepScale scales the numbers of values so that the factor that would suit
// them best is the model's: the search's margins have been tuned to its scale,
// whatever that of true logits is.
func keepScale(numbers, model []float64, v *values) {
	f := bestScale(v, numbers) / bestScale(v, model)
	for i := range numbers {
		numbers[i] *= f
	}
}

// align scales the worths of moves and shifts them all, which changes nothing
// about the order, to where the search's constants expect them: the tenth best
// move of most positions is worth what it is worth in a model.
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

// assemble makes tables of fitted numbers. Codes with a five keep what they had
// before: nothing is ever asked about them that games could tell.
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

// largest bounds what a table may hold, so that two of its numbers add up to
// an int16.
const largest = 16000

// quantize turns logits into the unit of the tables.
func quantize(logits float64) int16 {
	return int16(math.Round(max(-largest, min(largest, logits*unit))))
}

// valueNumbers returns the numbers of tables that a values dataset judges.
func valueNumbers(t *pattern.Tables) []float64 {
	numbers := make([]float64, 0, 2*pattern.NumCodes+pattern.NumThreats)
	for c := range tablesOf(t.Rule) {
		numbers = appendLogits(numbers, t.Value[c][:])
	}
	return appendLogits(numbers, t.Threats[:])
}

// orderNumbers returns the numbers of tables that an orders dataset judges.
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
		dst = append(dst, float64(v)/unit)
	}
	return dst
}
