package report

import (
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/journal"
)

// Failures counts failures by kind.
type Failures map[journal.Reason]int

// Total counts failures of all kinds.
func (f Failures) Total() int { return f.sum(func(journal.Reason) bool { return true }) }

// TimeLosses counts answers that came too late or never.
func (f Failures) TimeLosses() int { return f.sum(isTimeLoss) }

// Crashes counts processes that could not start or died.
func (f Failures) Crashes() int { return f.sum(isCrash) }

// Others counts all other failures, such as illegal moves.
func (f Failures) Others() int {
	return f.sum(func(r journal.Reason) bool { return !isTimeLoss(r) && !isCrash(r) })
}

func (f Failures) sum(of func(journal.Reason) bool) (n int) {
	for r, k := range f {
		if of(r) {
			n += k
		}
	}
	return n
}

func isTimeLoss(r journal.Reason) bool {
	return r == journal.TimeLoss || r == journal.NoAnswer || r == journal.StartTimeout
}

func isCrash(r journal.Reason) bool {
	return r == journal.Crash || r == journal.StartExec
}

// A Failure is a game that an engine lost other than on the board.
type Failure struct {
	Number     int // of the game
	At         time.Time
	Engine     int
	Opponent   int
	Plies      int // stones on the board
	Reason     journal.Reason
	Detail     string
	Transcript string // a file in the tournament's folder, or ""
}

func newFailure(e *journal.End, loser board.Color) Failure {
	return Failure{
		Number: e.Number, At: e.At, Engine: e.Engine(loser), Opponent: e.Engine(loser.Opponent()),
		Plies: plies(e), Reason: e.Reason, Detail: e.Detail, Transcript: e.Transcript,
	}
}
