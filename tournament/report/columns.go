package report

import (
	"strconv"

	"kumiko/tournament/stats"
)

// An engineColumn is a column of the table of what engines used and reported, in
// the text and in the page.
type engineColumn struct {
	text, page string // its heads; a text without one does not have the column
	value      func(e *Engine) string
}

// engineColumns are the columns after the engine's name.
var engineColumns = []engineColumn{
	{"Moves", "Moves", func(e *Engine) string { return strconv.Itoa(e.Effort.Moves) }},
	{"s/move", "s per move", func(e *Engine) string { return stats.Number(e.Effort.TimePerMove(), 3) }},
	{"max s", "longest, s", func(e *Engine) string { return stats.Number(e.Effort.MaxTime.Seconds(), 3) }},
	{"Depth", "Depth", func(e *Engine) string { return stats.Number(e.Effort.Depth(), 1) }},
	{"kN/s", "knodes/s", func(e *Engine) string { return stats.Number(e.Effort.Speed()/1000, 0) }},
	{"MiB", "Memory, MiB", func(e *Engine) string {
		if e.Effort.Memory <= 0 {
			return notKnown
		}
		return stats.Number(float64(e.Effort.Memory)/1024, 0)
	}},
	{"Start s", "Start, s", func(e *Engine) string { return stats.Number(e.Effort.Start.Seconds(), 2) }},
	{"Time-losses", "Time losses", func(e *Engine) string { return strconv.Itoa(e.Failures.TimeLosses()) }},
	{"Crashes", "Crashes", func(e *Engine) string { return strconv.Itoa(e.Failures.Crashes()) }},
	{"Others", "Others", func(e *Engine) string { return strconv.Itoa(e.Failures.Others()) }},
	{"", "Stale moves", func(e *Engine) string { return strconv.Itoa(e.Effort.Stale) }},
	{"Warnings", "Warnings", func(e *Engine) string { return strconv.Itoa(e.Warnings) }},
}

// notKnown stands where nothing was measured, in the text.
const notKnown = "n/a"
