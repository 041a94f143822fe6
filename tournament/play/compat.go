package play

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/telemetry"
)

// compat writes the lines of c-gomoku-cli, for scripts that read them.
type compat struct {
	w       io.Writer
	every   int // games between two summaries
	start   time.Time
	begun   int // games
	ended   int
	scores  map[int]*report.Match // by pairing
	workers map[int]int           // by running game, from 1
}

func (o *compat) event(s *Status, e journal.Event) {
	switch e := e.(type) {
	case *journal.Start:
		o.begun++
		o.workers[e.Number] = e.Worker + 1
		o.line("[%d] %s", e.Worker+1, report.StartedLine(s.Config, &e.Game, s.Games))
	case *journal.End:
		o.line("[%d] %s", o.workers[e.Number], report.FinishedLine(s.Config, e))
		delete(o.workers, e.Number)
		o.line("%s", report.ScoreLine(s.Config, o.score(e)))
		if s.Test != nil {
			o.line("%s", report.SPRTLine(s.Test))
		}
		if o.ended++; o.ended%o.every == 0 {
			o.summary(s)
		}
	case *journal.Void:
		o.begun--
		o.line("[%d] game %d is void: %s", o.workers[e.Number], e.Number, e.Why)
	}
}

func (o *compat) line(format string, args ...any) {
	fmt.Fprintln(o.w, telemetry.Printable(fmt.Sprintf(format, args...)))
}

// summary writes the standings of all pairings and, while games are left to
// begin, an estimate of the time left.
func (o *compat) summary(s *Status) {
	o.line("Tournament update:")
	for _, pairing := range slices.Sorted(maps.Keys(o.scores)) {
		o.line("%s", report.ResultsLine(s.Config, o.scores[pairing]))
	}
	if left := s.Games - o.begun; left > 0 {
		each := max(time.Since(o.start), time.Millisecond) / time.Duration(o.begun)
		eta := int((each * time.Duration(left)).Seconds())
		o.line("Matches/min: %.3f, Estimated time to complete: %02d:%02d:%02d", float64(time.Minute)/float64(each), eta/3600, eta/60%60, eta%60)
	}
}

// score counts a game for its pairing, whose first engine is the one with the
// lower number.
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
