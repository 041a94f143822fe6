package work

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	for _, tt := range []struct {
		before, done, total int
		took                time.Duration
		want                string
	}{
		{0, 0, 10, time.Second, "0 of 10 games"},
		{5, 5, 10, time.Second, "5 of 10 games"},
		{0, 64, 1000, 6400 * time.Millisecond, "64 of 1000 games, 10.0/s, about 1m30s to go"},
		{100, 104, 1000, 10 * time.Second, "104 of 1000 games, 2.5 s each, about 37m20s to go"},
		{0, 1, 10_000, time.Second, "1 of 10000 games, 1.0 s each, about 2h47m0s to go"},
		{990, 1000, 1000, time.Second, "1000 of 1000 games, 10.0/s"},
		{0, 9, 10, 0, "9 of 10 games, 1000000000.0/s, about 0s to go"},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := NewProgress(tt.before, tt.total)
			time.Sleep(tt.took)
			if got := p.Line(tt.done); got != tt.want {
				t.Errorf("%d to %d of %d in %v: %q, want %q", tt.before, tt.done, tt.total, tt.took, got, tt.want)
			}
		})
	}
}

func TestInterrupted(t *testing.T) {
	var err error = &Interrupted{3, 10}
	var coded interface{ ExitCode() int }
	if !errors.As(err, &coded) || coded.ExitCode() != 2 || !errors.Is(err, context.Canceled) {
		t.Errorf("%#v", err)
	}
	if want := "interrupted after 3 of 10 games; the same command goes on"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}
