package game

import (
	"fmt"
	"testing"
	"time"

	"kumiko/tournament/config"
)

func TestClock(t *testing.T) {
	const (
		ms    = time.Millisecond
		never = 1<<31 - 1
	)
	type step struct {
		limit time.Duration // of the next move
		left  int64         // told before it
		spend time.Duration
	}
	for _, tt := range []struct {
		tc    config.TC
		steps []step
	}{
		{config.TC{}, []step{{unlimited, never, time.Hour}, {unlimited, never, 0}}},
		{config.TC{Turn: 5 * ms}, []step{{5 * ms, never, 5 * ms}, {5 * ms, never, 9 * ms}, {5 * ms, never, 0}}},
		{config.TC{Turn: time.Hour}, []step{{time.Hour, never, 0}}},
		{config.TC{Match: time.Hour}, []step{{time.Hour, 3600000, 10 * ms}, {time.Hour - 10*ms, 3599990, time.Minute}, {59*time.Minute - 10*ms, 3539990, 0}}},
		{config.TC{Match: 100 * ms, Turn: 30 * ms}, []step{
			{30 * ms, 100, 30 * ms}, {30 * ms, 70, 35 * ms}, {30 * ms, 35, 10 * ms}, {25 * ms, 25, 25 * ms}, {0, 0, 3 * ms}, {0, 0, 0}}},
		{config.TC{Match: 100 * ms, Inc: 10 * ms}, []step{
			{100 * ms, 100, 100 * ms}, {10 * ms, 10, 0}, {20 * ms, 20, 25 * ms}, {10 * ms, 10, 4 * ms}, {16 * ms, 16, 0}}},
		{config.TC{Match: 50 * ms, Turn: 20 * ms, Inc: 30 * ms}, []step{{20 * ms, 50, 20 * ms}, {20 * ms, 60, 0}, {20 * ms, 90, 0}}},
		{config.TC{Match: time.Second}, []step{
			{time.Second, 1000, 999*ms + 1}, {ms - 1, 0, 0}, {ms - 1, 0, ms - 2}, {1, 0, 0}}},
	} {
		c := newClock(tt.tc)
		for i, s := range tt.steps {
			if limit, info := c.limit(), c.info(); limit != s.limit || info != fmt.Sprint("INFO time_left ", s.left) {
				t.Errorf("%v: move %d may take %v, %s, want %v and %d", tt.tc, i, limit, info, s.limit, s.left)
			}
			c.spend(s.spend)
		}
	}
}
