package report

import (
	"fmt"
	"math"
	"strings"

	"kumiko/engine/notation"
	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
)

func newViewEffort(e *Engine, i int) viewEffort {
	v := viewEffort{Color: colorOf(i), Name: e.Name}
	for _, c := range engineColumns {
		v.Cells = append(v.Cells, strings.Replace(c.value(e), notKnown, "–", 1))
	}
	return v
}

// openings fills in the openings.
func (v *view) openings(t *Tally) {
	if t.Games == 0 {
		return
	}
	v.OpeningNote = openingNote(t)
	for _, o := range mostDecisive(t.Openings) {
		if len(v.Decisive) < mostDecided && o.Black+o.White > 0 && o.Line > 0 {
			v.Decisive = append(v.Decisive, newViewOpening(t, &o))
		}
	}
	for i := range t.Openings[:min(len(t.Openings), mostOpenings)] {
		v.Openings = append(v.Openings, newViewOpening(t, &t.Openings[i]))
	}
	v.OpeningsCut = len(t.Openings) - len(v.Openings)
}

func newViewOpening(t *Tally, o *Opening) viewOpening {
	r := viewOpening{
		Line: o.Line, Pairs: o.Pairs, Black: o.Black, White: o.White, Other: o.Pairs - o.Black - o.White,
		Split: stats.Percent(o.Split(), 0), Score: stats.Percent(o.Score(), 1), Bias: minus(stats.Signed(o.Bias(), 0)),
		Moves: notation.FormatPosition(o.Moves, t.Config.Height, notation.FromTop),
	}
	r.Stones = stonesOf(o.Moves)
	x := 0.0
	for _, part := range []struct {
		class string
		n     int
	}{{"black", o.Black}, {"other", r.Other}, {"white", o.White}} {
		if part.n > 0 {
			width := float64(part.n) / float64(o.Pairs) * barWidth
			r.Parts = append(r.Parts, viewSegment{math.Round(10*x) / 10, math.Round(10*width) / 10, part.class})
			x += width
		}
	}
	return r
}

// failures fills in failures and warnings.
func (v *view) failures(log *journal.Log, t *Tally, d *pageData) {
	replay := make(map[int]bool)
	for i := range d.Games {
		replay[d.Games[i].Number] = true
	}
	list := t.Failures
	if n := len(list) - mostFailures; n > 0 {
		v.FailuresCut, list = n, list[n:]
	}
	for _, f := range list {
		v.Failures = append(v.Failures, viewFailure{
			Number: f.Number, Replay: replay[f.Number], Color: colorOf(f.Engine), Engine: t.Engines[f.Engine].Name,
			Opponent: t.Engines[f.Opponent].Name, Reason: string(f.Reason), Detail: d.hide(f.Detail), Plies: f.Plies, Transcript: f.Transcript,
		})
	}
	v.FailureNote = fmt.Sprintf("Games that were lost other than on the board: %d of %d.", len(t.Failures), t.Games)
	if len(t.Failures) == 0 {
		v.FailureNote = "No game was lost other than on the board."
	}
	for _, w := range log.Warnings {
		if w.Engine >= 0 && w.Engine < len(t.Engines) {
			v.Warnings = append(v.Warnings, viewWarning{t.Engines[w.Engine].Name, d.hide(w.Text), w.Number})
		}
	}
}
