package work

import (
	"cmp"
	"context"
)

// A Func does the job with the given number.
type Func[R any] func(ctx context.Context, number int) (R, error)

// ahead bounds how far the workers may run ahead of the last result handed on,
// in jobs per worker: one slow job must not fill the memory with results of
// fast ones.
const ahead = 64

// InOrder has workers do the jobs from first up to but not including end, and
// passes their results to take in the order of their numbers. Each worker has
// its own function, made by its own goroutine.
//
// The first job in this order to fail stops the run; the results before it are
// still passed on. An error from take, or the end of ctx, stops the run at
// once.
func InOrder[R any](ctx context.Context, first, end, workers int, newFunc func(worker int) Func[R], take func(number int, result R) error) error {
	workers = max(1, min(workers, end-first))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := NewPool(workers, func(i int, emit func(result[R])) Worker[int] {
		return &numberWorker[R]{newFunc(i), emit}
	})
	o := &order[R]{
		end: end, next: first, take: take, cancel: cancel, ahead: ahead * workers,
		results: map[int]result[R]{}, due: first,
	}
	err := p.Run(ctx, o)
	if o.due >= end {
		return o.err // even if ctx has ended since
	}
	return cmp.Or(err, o.err)
}

// A result is the outcome of a job.
type result[R any] struct {
	number int
	value  R
	err    error
}

// A numberWorker calls its function and emits the results.
type numberWorker[R any] struct {
	do   Func[R]
	emit func(result[R])
}

// Do implements [Worker].
func (w *numberWorker[R]) Do(ctx context.Context, number int) error {
	v, err := w.do(ctx, number)
	w.emit(result[R]{number, v, err})
	return nil
}

// Close implements [Worker].
func (w *numberWorker[R]) Close() {}

// order hands out numbers and passes on results.
type order[R any] struct {
	next, end int // the next number to hand out, and the last plus one
	ahead     int
	take      func(number int, result R) error
	cancel    context.CancelCauseFunc

	results map[int]result[R] // waiting for the ones before them
	due     int               // number of the next result to pass on
	err     error             // of job due; stops the run
}

// Next implements [Coordinator].
func (o *order[R]) Next(int) (number int, s State) {
	switch {
	case o.next >= o.end:
		return 0, Done
	case o.next >= o.due+o.ahead:
		return 0, Wait
	}
	o.next++
	return o.next - 1, Ready
}

// Handle implements [Coordinator].
func (o *order[R]) Handle(_ int, r result[R]) {
	o.results[r.number] = r
	if r.err != nil {
		o.end = min(o.end, r.number) // what follows is not needed
	}
	for o.err == nil {
		r, ok := o.results[o.due]
		if !ok {
			return
		}
		delete(o.results, o.due)
		if o.err = r.err; o.err == nil {
			o.err = o.take(o.due, r.value)
			o.due++
		}
		if o.err != nil {
			o.cancel(o.err)
		}
	}
}

// Ended implements [Coordinator].
func (o *order[R]) Ended(int, int, error) {}
