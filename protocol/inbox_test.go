package protocol

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"kumiko/engine"
)

func TestKinds(t *testing.T) {
	for text, want := range map[string]kind{
		"":                       blank,
		" \t\x00":                blank,
		"TURN 7,7":               waits,
		"TURN":                   waits,
		"7,7,1":                  waits,
		"FOO":                    waits,
		"DONE":                   waits,
		"START 15":               waits,
		"restart":                waits,
		"ABOUT":                  waits,
		"YXSHOWINFO":             waits,
		"END":                    ends,
		"end":                    ends,
		"STOP":                   stops,
		"yxstop":                 stops,
		"INFO rule 1":            informs,
		"INFO":                   informs,
		"INFO timeout_turn":      informs,
		"INFO timeout_turn x":    informs,
		"INFO timeout_turn 1":    informs,
		"INFO timeout_match 0":   informs,
		"INFO time_left 0":       informs,
		"info TIMEOUT_TURN 0":    hurries,
		"INFO timeout_turn 0 ms": hurries,
		"INFO timeout_turn -1":   hurries0,
	} {
		if got := kindOf(text); got != want {
			t.Errorf("kindOf(%q) = %d, want %d", text, got, want)
		}
	}
}

// A slowInbox is an inbox that scans every line.
type slowInbox struct {
	lines []string // all that ever were put in
	taken int
}

func (q *slowInbox) next(infoOnly bool) (text string, ok bool) {
	if q.taken == len(q.lines) {
		return "", false
	}
	text = q.lines[q.taken]
	if infoOnly && !strings.HasPrefix(text, "INFO") {
		return "", false
	}
	q.taken++
	return text, true
}

func (q *slowInbox) after(n int, negativeStops bool) waiting {
	var w waiting
	for _, text := range q.lines[n:] {
		switch {
		case text == "END":
			w.end = true
		case text == "STOP", text == "INFO timeout_turn 0", text == "INFO timeout_turn -1" && negativeStops:
			w.stop = true
		case !strings.HasPrefix(text, "INFO"):
			w.command = true
		}
	}
	return w
}

func TestInbox(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		q, slow := newInbox(), &slowInbox{}
		var asked int64
		for range rng.IntN(3000) {
			switch rng.IntN(9) {
			case 0, 1, 2, 3:
				text := []string{"STOP", "INFO timeout_turn 0", "INFO timeout_turn -1", "INFO rule 4", "INFO rule 1",
					"TURN 7,7", "FOO", "END", fmt.Sprint("FOO ", strings.Repeat("x", rng.IntN(300)))}[rng.IntN(9)]
				if rng.IntN(500) == 0 {
					text = "FOO " + strings.Repeat("y", rng.IntN(1<<18))
				}
				q.add([]byte(text), time.Now())
				q.add([]byte("  "), time.Now())
				slow.lines = append(slow.lines, text)
			case 4, 5, 6, 7:
				infoOnly := rng.IntN(4) == 0
				l, ok := q.take, false
				if infoOnly {
					l = q.takeInfo
				}
				got, ok := l()
				want, wantOK := slow.next(infoOnly)
				if got.text != want || ok != wantOK {
					t.Fatalf("took %q %v, want %q %v", got.text, ok, want, wantOK)
				}
			case 8:
				if rng.IntN(2) == 0 {
					asked = q.count()
				}
				negative := rng.IntN(2) == 0
				if got, want := q.after(asked, negative), slow.after(int(asked), negative); got != want {
					t.Fatalf("waiting %+v, want %+v", got, want)
				}
			}
		}
	}
}

// The time when a line was read is kept.
func TestInboxTimes(t *testing.T) {
	q := newInbox()
	start := time.Now()
	for i := range 10 {
		q.add([]byte("A"), start.Add(time.Duration(i)*time.Second))
	}
	for i := range 10 {
		l, _ := q.take()
		if d := l.at.Sub(start); d != time.Duration(i)*time.Second {
			t.Errorf("line %d was read after %v", i, d)
		}
	}
}

// An inbox is bounded in bytes, whatever the lines; beyond that it blocks the
// reader, or drops lines if it would block forever.
func TestInboxIsBounded(t *testing.T) {
	for _, text := range []string{"A", "7,7,1", strings.Repeat("x", maxLine)} {
		q := newInbox()
		full := make(chan int)
		go func() {
			n := 0
			for q.add([]byte(text), time.Now()) {
				n++
			}
			full <- n
		}()
		for !q.after(0, true).full {
			time.Sleep(time.Millisecond)
		}
		bytes := 0
		for _, c := range q.chunks {
			bytes += cap(c)
		}
		if bytes != q.size || bytes > maxWaiting+maxLine+chunkSize {
			t.Errorf("%.5q: %d bytes of chunks, %d counted", text, bytes, q.size)
		}
		for range q.put/2 + 2 { // room for more
			q.take()
		}
		for !q.after(0, true).full {
			time.Sleep(time.Millisecond)
		}
		q.close()
		if n := int64(<-full); n != q.put {
			t.Errorf("%.5q: %d lines were taken in, %d put", text, n, q.put)
		}
	}
}

func TestInboxLosesCounted(t *testing.T) {
	q := newInbox()
	q.setUnread(true)
	for !q.after(0, true).full {
		q.add([]byte("A"), time.Now())
	}
	for range 7 {
		q.add([]byte("B"), time.Now())
	}
	if q.takeLost() != 0 {
		t.Error("lines are told lost before those are obeyed that came first")
	}
	if q.ending() {
		t.Error("ends")
	}
	q.add([]byte("END"), time.Now())
	if !q.ending() {
		t.Error("END is ignored when the queue is full")
	}
	for {
		if l, ok := q.take(); !ok {
			break
		} else if l.text != "A" {
			t.Fatalf("took %q", l.text)
		}
	}
	if n := q.takeLost(); n != 8 {
		t.Errorf("%d lines lost, want 8", n)
	}
	if n := q.takeLost(); n != 0 {
		t.Errorf("%d lines lost again", n)
	}
}

// What waits for a search with some limit, but none of time, waits no longer
// than half a minute after its request.
func TestYieldAfter(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		age     time.Duration
		stopped bool
	}{{0, false}, {limitedTurn - time.Second, false}, {limitedTurn, true}, {time.Hour, true}} {
		s := search{limits: engine.Limits{Start: now.Add(-c.age)}, cancel: func() {}}
		s.yieldAfter(limitedTurn)
		if s.stopped != c.stopped || (s.yield == nil) != c.stopped {
			t.Errorf("after %v: stopped %v, later %v", c.age, s.stopped, s.yield != nil)
		}
	}
}

// What waits decides whether a search goes on.
func TestOverhear(t *testing.T) {
	minute := engine.Limits{Turn: time.Minute, Left: engine.NoLimit}
	none := engine.Limits{Turn: -1, Left: engine.NoLimit}
	depth := engine.Limits{Turn: -1, Left: engine.NoLimit, Depth: 8}
	hours := engine.Limits{Turn: 10 * time.Hour, Left: engine.NoLimit}
	for _, c := range []struct {
		name   string
		before string // lines obeyed before the search was asked for
		after  string
		limits engine.Limits
		age    time.Duration
		stop   bool
		over   bool
	}{
		{name: "nothing", limits: none},
		{name: "a command", after: "ABOUT", limits: minute},
		{name: "a command, for long", after: "ABOUT", limits: minute, age: 50 * time.Second},
		{name: "a command, without limit", after: "ABOUT", limits: none, stop: true},
		{name: "a command, with a limit of depth", after: "ABOUT", limits: depth},
		{name: "a command, with a limit of depth, for long", after: "ABOUT", limits: depth, age: time.Minute, stop: true},
		{name: "a command, with a limit of hours", after: "ABOUT", limits: hours},
		{name: "a command, with a limit of hours, for long", after: "ABOUT", limits: hours, age: time.Minute, stop: true},
		{name: "INFO", after: "INFO rule 1|INFO timeout_turn 5", limits: none},
		{name: "STOP", after: "STOP", limits: minute, stop: true},
		{name: "STOP behind others", after: "TURN 1,1|INFO rule 1|TURN 2,2|YXSTOP|TURN 3,3", limits: minute, stop: true},
		{name: "zero", after: "INFO timeout_turn 0", limits: minute, stop: true},
		{name: "zero behind others", after: "TURN 1,1|INFO timeout_turn 0|INFO timeout_turn 5", limits: minute, stop: true},
		{name: "STOP before", before: "STOP", after: "TURN 1,1", limits: minute},
		{name: "zero before", before: "INFO timeout_turn 0|INFO timeout_turn 60000", after: "ABOUT", limits: minute},
		{name: "END", after: "END", limits: minute, over: true},
		{name: "END behind others", after: "TURN 1,1|END|TURN 2,2", limits: minute, over: true},
	} {
		k := controller{in: newInbox(), out: newOutlet(io.Discard, newInbox())}
		lines := func(text string) {
			for line := range strings.SplitSeq(text, "|") {
				k.in.add([]byte(line), time.Now())
			}
		}
		lines(c.before)
		for {
			if _, ok := k.in.take(); !ok {
				break
			}
		}
		c.limits.Start = time.Now().Add(-c.age)
		k.search = &search{limits: c.limits, asked: k.in.count(), cancel: func() {}}
		lines(c.after)
		over, err := k.overhear()
		if over != c.over || k.search.stopped != c.stop || err != nil {
			t.Errorf("%s: stopped %v, over %v, %v", c.name, k.search.stopped, over, err)
		}
	}
}
