package play

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"kumiko/tournament/journal"
	"kumiko/tournament/work"
)

// run plays until all games are played or something ends the tournament.
func (c *coordinator) run(ctx context.Context, workers int) error {
	games, abort := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abort(nil)
	c.abort = abort
	pool := work.NewPool(workers, func(i int, emit func(Event)) work.Worker[Job] {
		return newWorker(i, workers == 1, emit)
	})
	defer c.listen(ctx, pool.Call)()
	c.show(observer.begin)
	c.decide()
	for i := range c.cfg.Engines { // again, since a resume readmits all
		c.disqualify(i)
	}
	if err := pool.Run(games, c); err != nil {
		c.harness.Warn().Err(err).Msg("games were aborted")
	}
	if c.unlogged {
		// A game that the log does not have does not count.
		if log, err := journal.Read(c.dir); err == nil {
			c.state = log
		}
	}
	c.show(observer.end)
	return c.result()
}

// statusInterval is the time between two updates of the status line.
const statusInterval = 250 * time.Millisecond

// listen calls the coordinator, on its goroutine, on anything but events from
// workers. The function it returns stops that.
func (c *coordinator) listen(ctx context.Context, call func(func())) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ticker := time.NewTicker(statusInterval)
	quit := make(chan struct{})
	var listener sync.WaitGroup
	listener.Go(func() {
		cancelled, logFailed, n := ctx.Done(), c.log.Failed(), 0
		for {
			select {
			case <-cancelled:
				cancelled = nil
				call(func() { c.interrupt(1) })
			case <-signals:
				n++
				call(func() { c.interrupt(n) })
			case <-logFailed:
				logFailed = nil
				call(c.logFailed)
			case <-ticker.C:
				call(func() { c.show(observer.tick) })
			case <-quit:
				return
			}
		}
	})
	return func() {
		signal.Stop(signals)
		ticker.Stop()
		close(quit)
		listener.Wait()
	}
}

// interrupt handles the first or a later interrupt.
func (c *coordinator) interrupt(which int) {
	if which <= c.interrupts {
		return // already handled
	}
	c.interrupts = which
	c.stop("interrupted")
	if which > 1 {
		c.abort(ErrInterrupted)
	}
	c.harness.Warn().Int("times", which).Int("running", len(c.state.Running)).Msg("interrupted")
	c.show(observer.interrupted)
}

// logFailed ends everything: unrecorded games are useless.
func (c *coordinator) logFailed() {
	c.unlogged = true
	c.fail(errors.New("the log cannot be written"))
	c.abort(c.failed)
}

// stop lets no new games begin.
func (c *coordinator) stop(why string) {
	if c.stopping == "" {
		c.stopping = why
	}
}

// fail ends the tournament for a reason other than a result.
func (c *coordinator) fail(err error) {
	if c.failed == nil {
		c.failed = err
	}
	c.stop(err.Error())
}
