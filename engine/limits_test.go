package engine

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// The time for a move never exceeds the time available less a margin.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		name     string
		limits   Limits
		moves    int
		hard     [2]time.Duration // least and greatest
		soft     [2]time.Duration
		unending bool
	}{
		{name: "at once", limits: Limits{Turn: 0, Left: NoLimit}},
		{name: "zero", limits: Limits{}},
		{name: "nothing left", limits: Limits{Turn: 5000 * ms, Left: 0}},
		{name: "less than nothing left", limits: Limits{Turn: 5000 * ms, Left: -300 * ms}},
		{name: "no limit", limits: Limits{Turn: -1, Left: NoLimit}, unending: true},
		{name: "no match limit", limits: Limits{Turn: -1, Left: NoLimit, Match: -1}, unending: true},
		{name: "1 ms", limits: Limits{Turn: 1 * ms, Left: NoLimit},
			hard: [2]time.Duration{1, ms}, soft: [2]time.Duration{1, ms}},
		{name: "100 ms", limits: Limits{Turn: 100 * ms, Left: NoLimit},
			hard: [2]time.Duration{75 * ms, 75 * ms}, soft: [2]time.Duration{75 * ms, 75 * ms}},
		{name: "a second", limits: Limits{Turn: 1000 * ms, Left: NoLimit},
			hard: [2]time.Duration{975 * ms, 975 * ms}, soft: [2]time.Duration{975 * ms, 975 * ms}},
		{name: "a second with a margin", limits: Limits{Turn: 1000 * ms, Left: NoLimit, Margin: 13 * ms},
			hard: [2]time.Duration{987 * ms, 987 * ms}, soft: [2]time.Duration{987 * ms, 987 * ms}},
		{name: "a margin that is not there", limits: Limits{Turn: 30 * ms, Left: NoLimit, Margin: 60 * ms},
			hard: [2]time.Duration{10 * ms, 10 * ms}, soft: [2]time.Duration{10 * ms, 10 * ms}},
		{name: "a long turn", limits: Limits{Turn: 30_000 * ms, Left: NoLimit},
			hard: [2]time.Duration{29_975 * ms, 29_975 * ms}, soft: [2]time.Duration{29_975 * ms, 29_975 * ms}},
		{name: "Gomocup's fast games", limits: Limits{Turn: 5000 * ms, Left: 120_000 * ms},
			hard: [2]time.Duration{4975 * ms, 4975 * ms}, soft: [2]time.Duration{2000 * ms, 4975 * ms}},
		{name: "Gomocup, near the end", limits: Limits{Turn: 5000 * ms, Left: 3000 * ms}, moves: 50,
			hard: [2]time.Duration{100 * ms, 1500 * ms}, soft: [2]time.Duration{50 * ms, 500 * ms}},
		{name: "800 ms left", limits: Limits{Turn: 5000 * ms, Left: 800 * ms}, moves: 60,
			hard: [2]time.Duration{5 * ms, 200 * ms}, soft: [2]time.Duration{5 * ms, 100 * ms}},
		{name: "20 ms left", limits: Limits{Turn: 5000 * ms, Left: 20 * ms}, moves: 90,
			hard: [2]time.Duration{0, 5 * ms}, soft: [2]time.Duration{0, 5 * ms}},
		{name: "the manager's infinity", limits: Limits{Turn: 2147483647 * ms, Left: NoLimit},
			hard: [2]time.Duration{time.Hour, 2147483647 * ms}, soft: [2]time.Duration{time.Hour, 2147483647 * ms}},
		{name: "infinity left", limits: Limits{Turn: 5000 * ms, Left: 2147483647 * ms},
			hard: [2]time.Duration{4975 * ms, 4975 * ms}, soft: [2]time.Duration{4000 * ms, 4975 * ms}},
		{name: "match only", limits: Limits{Turn: -1, Left: NoLimit, Match: 60_000 * ms},
			hard: [2]time.Duration{2000 * ms, 15_000 * ms}, soft: [2]time.Duration{1000 * ms, 5000 * ms}},
		{name: "what is left outranks the match", limits: Limits{Turn: -1, Left: 800 * ms, Match: 600_000 * ms},
			hard: [2]time.Duration{5 * ms, 100 * ms}, soft: [2]time.Duration{5 * ms, 100 * ms}},
	} {
		b := newBudget(c.limits, c.moves)
		if c.unending {
			if b.hard != NoLimit || b.soft != NoLimit || b.saving {
				t.Errorf("%s: %+v, want no limit", c.name, b)
			}
			continue
		}
		if b.hard < c.hard[0] || b.hard > c.hard[1] {
			t.Errorf("%s: hard limit %v, want %v to %v", c.name, b.hard, c.hard[0], c.hard[1])
		}
		if b.soft < c.soft[0] || b.soft > c.soft[1] || b.soft > b.hard {
			t.Errorf("%s: soft limit %v, want %v to %v", c.name, b.soft, c.soft[0], c.soft[1])
		}
	}
}

// Whatever the limits, a move takes less than the time available: less by the
// margin, or by two thirds if there is little.
func TestBudgetMargin(t *testing.T) {
	times := []time.Duration{1, ms, 7 * ms, 30 * ms, 100 * ms, 500 * ms, 999 * ms, 1000 * ms, 5000 * ms,
		30_000 * ms, 300_000 * ms, 1e6 * ms, 2147483647 * ms, NoLimit}
	for _, turn := range times {
		for _, left := range times {
			for moves := range 200 {
				l := Limits{Turn: turn, Left: left, Margin: time.Duration(moves%7) * 4 * ms}
				margin := l.Margin
				if margin == 0 {
					margin = DefaultMargin
				}
				b := newBudget(l, moves)
				limit := min(turn, left)
				if limit == NoLimit {
					continue
				}
				if b.hard > limit-min(margin, limit*2/3) || b.hard < 0 || b.soft < 0 || b.soft > b.hard || b.hard != l.Deadline(moves) {
					t.Fatalf("turn %v, left %v, move %d: %+v", turn, left, moves, b)
				}
				if limit >= 5000*ms && b.hard < 50*ms {
					t.Fatalf("turn %v, left %v, move %d: %+v, want more", turn, left, moves, b)
				}
			}
		}
	}
}

// A game of 100 moves ends in time even if every move takes as long as allowed
// plus the latency to the manager's clock; and the time is used while it matters.
func TestBudgetGame(t *testing.T) {
	const overhead = 10 * ms
	for _, c := range []struct {
		match, turn time.Duration
	}{
		{30_000 * ms, 5000 * ms},
		{120_000 * ms, 5000 * ms},
		{180_000 * ms, 30_000 * ms},
		{1000_000 * ms, 300_000 * ms},
		{60_000 * ms, -1},
	} {
		left := c.match
		for moves := range 100 {
			left -= newBudget(Limits{Turn: c.turn, Left: left}, moves).hard + overhead
			if left <= 0 {
				t.Errorf("match %v, turn %v: out of time at move %d", c.match, c.turn, moves+1)
				break
			}
		}
		left = c.match
		for moves := range 30 {
			left -= newBudget(Limits{Turn: c.turn, Left: left}, moves).soft + overhead
		}
		if left > c.match*2/3 {
			t.Errorf("match %v, turn %v: %v unused after 30 moves", c.match, c.turn, left)
		}
	}
}

func TestControl(t *testing.T) {
	for _, c := range []struct {
		name    string
		control *control
		nodes   int64
		want    bool
	}{
		{"no limit", &control{hard: NoLimit}, 1 << 60, false},
		{"nodes left", &control{hard: NoLimit, nodes: 10}, 9, false},
		{"no nodes left", &control{hard: NoLimit, nodes: 10}, 10, true},
		{"time left", &control{hard: time.Hour, start: time.Now()}, 1, false},
		{"no time left", &control{hard: time.Minute, start: time.Now().Add(-time.Hour)}, 1 << 40, true},
		{"no time at all", &control{start: time.Now().Add(-1)}, 1 << 40, true},
	} {
		if got := c.control.expired(c.nodes); got != c.want {
			t.Errorf("%s: expired %t, want %t", c.name, got, c.want)
		}
		c.control.stop.Store(true)
		if !c.control.expired(0) {
			t.Errorf("%s: goes on when stopped", c.name)
		}
	}
}
