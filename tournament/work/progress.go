package work

import (
	"context"
	"fmt"
	"time"
)

// A Progress measures a run in games, including those played before a resume.
type Progress struct {
	start         time.Time
	before, total int
}

// NewProgress begins a run in which before games have already been played.
func NewProgress(before, total int) *Progress {
	return &Progress{time.Now(), before, total}
}

// Line says how many games have been played, how fast, and how long the rest
// will take, such as "64 of 1000 games, 12.3/s, about 1m20s to go".
func (p *Progress) Line(done int) string {
	text := fmt.Sprintf("%d of %d games", done, p.total)
	if done <= p.before {
		return text
	}
	each := time.Since(p.start) / time.Duration(done-p.before)
	if each < time.Second {
		text += fmt.Sprintf(", %.1f/s", float64(time.Second)/float64(max(each, 1)))
	} else {
		text += fmt.Sprintf(", %.1f s each", each.Seconds())
	}
	if done < p.total {
		text += fmt.Sprintf(", about %v to go", Rough(each*time.Duration(p.total-done)))
	}
	return text
}

// Rough rounds d for display.
func Rough(d time.Duration) time.Duration {
	switch {
	case d > time.Hour:
		return d.Round(time.Minute)
	case d > time.Minute:
		return d.Round(10 * time.Second)
	}
	return d.Round(time.Second)
}

// exitInterrupted is the exit code of a run that can be continued.
const exitInterrupted = 2

// Interrupted is the error of a run that was interrupted and continues when the
// same command is given again. It is a [context.Canceled].
type Interrupted struct{ Done, Total int }

func (e *Interrupted) Error() string {
	return fmt.Sprintf("interrupted after %d of %d games; the same command goes on", e.Done, e.Total)
}

// ExitCode returns the exit code of the process.
func (e *Interrupted) ExitCode() int { return exitInterrupted }

func (e *Interrupted) Unwrap() error { return context.Canceled }
