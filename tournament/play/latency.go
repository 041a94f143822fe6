package play

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/process"
)

// Measure measures the latency with an engine that answers UNKNOWN to
// everything: this program.
func Measure(ctx context.Context, n int) (journal.Latency, error) {
	self, err := os.Executable()
	if err != nil {
		return journal.Latency{}, err
	}
	p, err := process.Start(process.Spec{Args: []string{self, "echo"}})
	if err != nil {
		return journal.Latency{}, err
	}
	defer p.Stop("END", time.Second)
	const warmUp = 20
	took := make([]time.Duration, 0, n)
	timeout := time.After(time.Minute)
	for i := range n + warmUp {
		sent, err := p.Send("ECHO")
		if err != nil {
			return journal.Latency{}, err
		}
		select {
		case _, ok := <-p.Lines():
			if !ok {
				return journal.Latency{}, errors.New("the self-check engine has exited")
			}
		case <-timeout:
			return journal.Latency{}, errors.New("the self-check engine does not answer")
		case <-ctx.Done():
			return journal.Latency{}, context.Cause(ctx)
		}
		if i >= warmUp {
			took = append(took, time.Since(sent))
		}
	}
	slices.Sort(took)
	at := func(i int) journal.Micros { return journal.Micros(took[i].Microseconds()) }
	return journal.Latency{Median: at(n / 2), P99: at(n * 99 / 100), Max: at(n - 1)}, nil
}

// startMoves is how many moves are measured before a tournament, which takes
// some hundredths of a second.
const startMoves = 500

// selfCheck measures the latency and warns of anything that would distort the
// clocks.
func (t *Tournament) selfCheck(ctx context.Context) (*journal.Latency, error) {
	l, err := Measure(ctx, startMoves)
	if err != nil {
		return nil, fmt.Errorf("self-check: %w", err)
	}
	threads := 1
	for i := range t.cfg.Engines {
		e := &t.cfg.Engines[i]
		threads = max(threads, e.Threads)
		if hasClock(e) && l.P99.Duration() > e.Margin/2 {
			t.warn("%s: the harness alone takes %v for 1 %% of the moves, more than half the margin of %v", e.Name, l.P99.Duration(), e.Margin)
		}
	}
	if cpus := runtime.NumCPU(); t.cfg.Concurrency*threads > cpus {
		t.warn("%d games with %d threads each share %d processors: engines cost each other time", t.cfg.Concurrency, threads, cpus)
	}
	return &l, nil
}

// hasClock reports whether time is an engine's actual limit rather than a
// safeguard.
func hasClock(e *config.Engine) bool { return e.Nodes == 0 && e.Depth == 0 }
