package protocol

import (
	"math/rand/v2"
	"testing"
	"time"

	"kumiko/engine"
)

const ms = time.Millisecond

// answer plays a move of a limit: the search ends at its deadline and the
// answer is written some time after that. It returns the margin before the
// limit at which the answer was there.
func (p *pace) answer(limit, after time.Duration) (left time.Duration) {
	deadline := limit - p.forSearch(limit)
	written := deadline + after
	p.note(written, deadline, limit)
	return limit - written
}

// The margin begins at 25 ms, becomes 10 where answers are on time, and never
// less; on Windows 20.
func TestPaceCalms(t *testing.T) {
	for _, c := range []struct {
		goos string
		want []time.Duration // after so many times eight answers
	}{
		{"linux", []time.Duration{25 * ms, 25 * ms / 2, 10 * ms, 10 * ms}},
		{"windows", []time.Duration{25 * ms, 20 * ms, 20 * ms, 20 * ms}},
	} {
		p := newPace(c.goos)
		for i, want := range c.want {
			if got := p.margin(500 * ms); got != want {
				t.Errorf("%s: margin %v after %d answers, want %v", c.goos, got, calmAnswers*i, want)
			}
			for range calmAnswers {
				if left := p.answer(500*ms, time.Duration(rand.IntN(3))*ms); left < p.least {
					t.Errorf("%s: answered %v before the limit", c.goos, left)
				}
			}
		}
	}
}

// The margin is the 99.9 % quantile of the lateness, of which the last 1024
// answers count: the worst of less than a thousand, the second worst of more.
func TestPaceQuantile(t *testing.T) {
	p := newPace("linux")
	for i := range 200 {
		late := 0 * ms
		if i%50 == 20 {
			late = time.Duration(15+i/50) * ms // 15, 16, 17, 18
		}
		p.note(480*ms+wayOut+late, 480*ms, 500*ms)
	}
	if got := p.margin(500 * ms); got != 18*ms {
		t.Errorf("margin %v, want the worst, 18ms", got)
	}
	for range maxSamples - 200 {
		p.note(480*ms, 480*ms, 500*ms)
	}
	if got := p.margin(500 * ms); got != 17*ms {
		t.Errorf("margin %v, want the second worst, 17ms", got)
	}
	for range 200 {
		p.note(480*ms, 480*ms, 500*ms)
	}
	if got := p.margin(500 * ms); got != leastMargin {
		t.Errorf("margin %v when all has been forgotten, want %v", got, leastMargin)
	}
}

// A late answer doubles the margin, and what has been late is kept in mind
// when it sinks again. A process that was suspended does not lose all time.
func TestPaceDoubles(t *testing.T) {
	p := newPace("linux")
	if left := p.answer(500*ms, 29*ms); left >= 0 {
		t.Fatalf("answered %v before the limit, want a late answer", left)
	}
	if got := p.margin(500 * ms); got != 50*ms {
		t.Errorf("margin %v after a late answer, want 50ms", got)
	}
	for range 10 * calmAnswers {
		p.answer(500*ms, ms)
	}
	if got := p.margin(500 * ms); got != 26*ms {
		t.Errorf("margin %v, want as much as the answer was late, 26ms", got)
	}
	p.answer(500*ms, 3*time.Second)
	if got := p.margin(500 * ms); got != mostMargin {
		t.Errorf("margin %v after a suspension, want %v", got, mostMargin)
	}
	for range maxSamples + 1 {
		p.answer(500*ms, ms)
	}
	if got := p.margin(500 * ms); got != leastMargin {
		t.Errorf("margin %v long after a suspension, want %v", got, leastMargin)
	}
}

// One answer that was late by a large part of the limit costs less and less, and never
// less than is cheap; of a long limit it costs a small part and is kept in mind.
func TestPaceFades(t *testing.T) {
	p := newPace("linux")
	for range 4 * calmAnswers {
		p.answer(200*ms, ms)
	}
	p.answer(200*ms, 85*ms+wayOut)
	for range 4 * calmAnswers {
		p.answer(200*ms, ms) // the floor is low again
	}
	last := p.margin(200 * ms)
	if last != 85*ms/2 {
		t.Errorf("margin %v after %d answers, want half of 85ms", last, fadeAfter)
	}
	for range 200 {
		p.answer(200*ms, ms)
		m := p.margin(200 * ms)
		if m > last {
			t.Fatalf("margin %v after %v", m, last)
		}
		last = m
	}
	if want := 200 * ms / 16; last != want {
		t.Errorf("margin %v, want %v", last, want)
	}
	if got := p.margin(5 * time.Second); got != 85*ms {
		t.Errorf("margin %v of 5s, want 85ms", got)
	}
}

// Whatever the lateness is like, few answers are late.
func TestPaceHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, jitter := range []time.Duration{ms, 10 * ms, 40 * ms} {
		p := newPace("linux")
		late := 0
		for range 3_000 {
			after := time.Duration(rng.ExpFloat64() * float64(jitter) / 7) // one in a thousand is above jitter
			if p.answer(500*ms, after) <= 0 {
				late++
			}
		}
		if late > 10 || p.margin(500*ms) > 2*jitter+leastMargin {
			t.Errorf("jitter %v: %d of 3000 answers late, margin %v", jitter, late, p.margin(500*ms))
		}
	}
}

// Only answers to searches that used their time, and had some, are measured.
func TestClock(t *testing.T) {
	long := engine.Limits{Start: time.Now().Add(-490 * ms), Turn: 500 * ms, Left: engine.NoLimit}
	for _, c := range []struct {
		name   string
		search search
		want   int
	}{
		{"used its time", search{limits: long, deadline: 480 * ms}, 1},
		{"ended before", search{limits: long, deadline: time.Hour}, 0},
		{"no limit", search{limits: long, deadline: engine.NoLimit}, 0},
		{"at once", search{limits: long, deadline: 0}, 0},
		{"stopped", search{limits: long, deadline: 480 * ms, stopped: true}, 0},
		{"waited for some time", search{limits: long, deadline: 480 * ms, waited: 300 * ms}, 1},
		{"waited for all its time", search{limits: long, deadline: 480 * ms, waited: 480 * ms}, 0},
	} {
		k := controller{pace: newPace("linux")}
		k.clock(&c.search)
		if n := len(k.pace.late); n != c.want {
			t.Errorf("%s: %d answers measured, want %d", c.name, n, c.want)
		}
	}
}
