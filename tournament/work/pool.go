// Package work lets workers do jobs that a coordinator hands out.
//
// A [Coordinator] knows everything and does nothing: one goroutine asks it for
// jobs and tells it what happens. A [Worker] does one job at a time and knows
// nothing but the job. Between them go jobs one way and events the other. If
// both are plain data, a worker may be on another machine; that is why
// a job says all that there is to know about it.
//
// [InOrder] is for jobs that are mere numbers: it hands on their results in
// the order of the numbers, whatever the number of workers.
package work

import (
	"context"
	"sync"
)

// A Worker does jobs, one after the other. Both methods are called by one
// goroutine, which is the worker's own.
type Worker[J any] interface {
	// Do does a job. It returns soon after ctx ends.
	Do(ctx context.Context, job J) error
	// Close comes after the last job.
	Close()
}

// A State says what a coordinator has for a worker.
type State int

const (
	Ready State = iota // a job
	Wait               // nothing until something has happened
	Done               // nothing any more
)

// A Coordinator hands out jobs. All its methods are called by the goroutine of
// [Pool.Run].
type Coordinator[J, E any] interface {
	// Next returns a job for an idle worker. Every idle worker is asked after
	// every event, end of a job and call, the one that is idle for longest
	// first.
	Next(worker int) (job J, state State)
	// Handle takes an event of a worker's in. The events of a worker come in
	// their order, before the end of the job during which they happened.
	Handle(worker int, event E)
	// Ended takes in that a worker has done a job, with the error of
	// [Worker.Do].
	Ended(worker int, job J, err error)
}

// A Pool is a number of workers.
type Pool[J, E any] struct {
	workers   int
	newWorker func(worker int, emit func(E)) Worker[J]

	mu    sync.Mutex
	queue []func(c Coordinator[J, E]) // what has happened
	wake  chan struct{}               // full if the queue may have something
}

// NewPool returns a pool of workers, numbered from 0. Each is made by its own
// goroutine. An event that it emits waits until the coordinator has time for
// it, but emit returns at once: a worker with a clock to watch is never held
// up, and has no further job before its events have been taken in. It may emit
// events until Close returns.
func NewPool[J, E any](workers int, newWorker func(worker int, emit func(E)) Worker[J]) *Pool[J, E] {
	return &Pool[J, E]{workers: workers, newWorker: newWorker, wake: make(chan struct{}, 1)}
}

// Call calls f between two calls of the coordinator's methods, on the same
// goroutine: a signal or a tick of the clock goes this way. It returns at
// once. What is left when Run returns is not called.
func (p *Pool[J, E]) Call(f func()) {
	p.post(func(Coordinator[J, E]) { f() })
}

func (p *Pool[J, E]) post(f func(c Coordinator[J, E])) {
	p.mu.Lock()
	p.queue = append(p.queue, f)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default: // it is going to be woken
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
// said Done to all of them. All workers are closed then. When ctx ends, no
// further job is handed out and the jobs under way have to end; the cause is
// returned if some worker was not done yet. Run is called once.
func (p *Pool[J, E]) Run(ctx context.Context, c Coordinator[J, E]) error {
	stop := context.AfterFunc(ctx, func() { p.Call(func() {}) })
	defer stop()
	jobs := make([]chan J, p.workers)
	var idle []int // by how long they are, the longest first
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

// work is the life of a worker. idle and gone are called by the goroutine of
// Run.
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
