// Package work runs jobs that a coordinator hands out to workers.
//
// A [Coordinator] knows everything and does nothing: one goroutine asks it for
// jobs and tells it what happens. A [Worker] does one job at a time and knows
// nothing but the job. Jobs go one way, events the other. If both are plain
// data, a worker may run on another machine; so a job carries everything needed
// to do it.
//
// [InOrder] is for jobs that are just numbers: it passes on their results in
// the order of the numbers, whatever the number of workers.
package work

import (
	"context"
	"sync"
)

// A Worker does jobs one after another. Both methods are called by the worker's
// own goroutine.
type Worker[J any] interface {
	// Do does a job. It returns soon after ctx ends.
	Do(ctx context.Context, job J) error
	// Close is called after the last job.
	Close()
}

// A State says what a coordinator has for a worker.
type State int

const (
	Ready State = iota // a job
	Wait               // nothing until something has happened
	Done               // nothing more
)

// A Coordinator hands out jobs. All its methods are called by the goroutine of
// [Pool.Run].
type Coordinator[J, E any] interface {
	// Next returns a job for an idle worker. After every event, finished job
	// and call, every idle worker is asked, longest-idle first.
	Next(worker int) (job J, state State)
	// Handle processes an event from a worker. The events of a worker arrive in
	// order, all events of a job before its end.
	Handle(worker int, event E)
	// Ended is called when a worker has finished a job, with the error of
	// [Worker.Do].
	Ended(worker int, job J, err error)
}

// A Pool is a set of workers.
type Pool[J, E any] struct {
	workers   int
	newWorker func(worker int, emit func(E)) Worker[J]

	mu    sync.Mutex
	queue []func(c Coordinator[J, E]) // what has happened
	wake  chan struct{}               // full if the queue may have something
}

// NewPool returns a pool of workers, numbered from 0, each made by its own
// goroutine. emit queues an event for the coordinator and returns at once, so a
// worker that watches a clock is never held up. A worker gets no new job before
// its events have been handled. It may emit events until Close returns.
func NewPool[J, E any](workers int, newWorker func(worker int, emit func(E)) Worker[J]) *Pool[J, E] {
	return &Pool[J, E]{workers: workers, newWorker: newWorker, wake: make(chan struct{}, 1)}
}

// Call queues f to be called on the coordinator's goroutine, between two calls
// of its methods, and returns at once. It serves signals and ticks of the
// clock. Calls still queued when Run returns are dropped.
func (p *Pool[J, E]) Call(f func()) {
	p.post(func(Coordinator[J, E]) { f() })
}

func (p *Pool[J, E]) post(f func(c Coordinator[J, E])) {
	p.mu.Lock()
	p.queue = append(p.queue, f)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default: // a wake-up is already pending
	}
}

// take waits for something to happen and returns it.
func (p *Pool[J, E]) take() []func(c Coordinator[J, E]) {
	<-p.wake
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.queue
	p.queue = nil
	return list
}

// Run starts the workers and lets the coordinator hand out jobs until it has
// returned Done for all of them, then closes the workers. When ctx ends, no new
// job is handed out and the running jobs must end; Run returns the cause if
// some worker was not done yet. It must be called only once.
func (p *Pool[J, E]) Run(ctx context.Context, c Coordinator[J, E]) error {
	stop := context.AfterFunc(ctx, func() { p.Call(func() {}) })
	defer stop()
	jobs := make([]chan J, p.workers)
	var idle []int // longest-idle first
	alive := p.workers
	for i := range jobs {
		jobs[i] = make(chan J, 1)
		idle = append(idle, i)
		go p.work(ctx, i, jobs[i], func() { idle = append(idle, i) }, func() { alive-- })
	}
	var cause error
	for {
		waiting := idle[:0]
		for _, i := range idle {
			job, state := *new(J), Done
			if ctx.Err() == nil {
				job, state = c.Next(i)
			} else {
				cause = context.Cause(ctx)
			}
			switch state {
			case Ready:
				jobs[i] <- job
			case Wait:
				waiting = append(waiting, i)
			default:
				close(jobs[i])
			}
		}
		idle = waiting
		if alive == 0 {
			return cause
		}
		for _, f := range p.take() {
			f(c)
		}
	}
}

// work is the life of a worker. Run's goroutine calls idle and gone.
func (p *Pool[J, E]) work(ctx context.Context, i int, jobs <-chan J, idle, gone func()) {
	w := p.newWorker(i, func(e E) {
		p.post(func(c Coordinator[J, E]) { c.Handle(i, e) })
	})
	for job := range jobs {
		err := w.Do(ctx, job)
		p.post(func(c Coordinator[J, E]) {
			c.Ended(i, job, err)
			idle()
		})
	}
	w.Close()
	p.post(func(Coordinator[J, E]) { gone() })
}
