package play

import (
	"fmt"
	"io"

	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/telemetry"
)

// compat writes the lines of c-gomoku-cli, for scripts that read them.
type compat struct {
	w       io.Writer
	scores  map[int]*report.Match // by pairing
	workers map[int]int           // by running game, from 1
}

func (o *compat) event(s *Status, e any) {
	switch e := e.(type) {
	case *journal.Start:
		o.workers[e.Number] = e.Worker + 1
		o.line("[%d] %s", e.Worker+1, report.StartedLine(s.Config, &e.Game, s.Games))
	case *journal.End:
		o.line("[%d] %s", o.workers[e.Number], report.FinishedLine(s.Config, e))
		delete(o.workers, e.Number)
		o.line("%s", report.ScoreLine(s.Config, o.score(e)))
		if s.Test != nil {
			o.line("%s", report.SPRTLine(s.Test))
		}
	case *journal.Void:
		o.line("[%d] game %d is void: %s", o.workers[e.Number], e.Number, e.Why)
	}
}

func (o *compat) line(format string, args ...any) {
	fmt.Fprintln(o.w, telemetry.Printable(fmt.Sprintf(format, args...)))
}

// score counts a game to those of its pairing, of which the first engine is
// that with the lower number.
func (o *compat) score(e *journal.End) *report.Match {
	m := o.scores[e.Pairing]
	if m == nil {
		m = &report.Match{A: min(e.Black, e.White), B: max(e.Black, e.White)}
		o.scores[e.Pairing] = m
	}
	m.Results.First[e.Points(m.A)]++
	return m
}

func (o *compat) begin(*Status)       {}
func (o *compat) interrupted(*Status) {}
func (o *compat) tick(*Status)        {}
func (o *compat) end(*Status)         {}
