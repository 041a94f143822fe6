package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/journal"
)

// csvHeads are the columns of WriteCSV. Those of engines come twice, for black
// and for white. Times, depths and scores are lists for the moves after the
// opening.
var csvHeads = []string{
	"game", "pair", "leg", "round", "ended", "black", "white", "result", "reason", "detail", "opening", "symmetry",
	"plies", "opening_plies", "lag_us", "moves", "times_us", "depths", "scores", "transcript",
}

// csvSideHeads are the columns of an engine.
var csvSideHeads = []string{"moves", "time_us", "max_us", "depth", "nps", "memory_kib", "start_us", "stale"}

// WriteCSV writes a header and a line for each finished game, in schedule
// order.
func WriteCSV(w io.Writer, log *journal.Log) error {
	out := csv.NewWriter(w)
	heads := csvHeads
	for c := board.Black; c <= board.White; c++ {
		for _, h := range csvSideHeads {
			heads = append(heads[:len(heads):len(heads)], c.String()+"_"+h)
		}
	}
	if err := out.Write(heads); err != nil {
		return err
	}
	for e := range games(log) {
		if err := out.Write(csvRow(log, e)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvRow(log *journal.Log, e *journal.End) []string {
	row := []string{
		strconv.Itoa(e.Number), strconv.Itoa(e.Pair), strconv.Itoa(e.Leg), strconv.Itoa(e.Round),
		e.At.UTC().Format(time.RFC3339Nano), log.Config.Engines[e.Black].Name, log.Config.Engines[e.White].Name,
		string(e.Result), string(e.Reason), e.Detail, strconv.Itoa(e.Opening), strconv.Itoa(e.Sym),
		strconv.Itoa(plies(e)), strconv.Itoa(e.Open), strconv.FormatInt(int64(e.Lag), 10), e.Moves,
		csvList(e, func(k int) string { return strconv.FormatInt(int64(e.Times[k]), 10) }),
		csvList(e, func(k int) string {
			if i := infoAt(e, k); i != nil && i.Depth > 0 {
				return strconv.Itoa(i.Depth)
			}
			return "-"
		}),
		csvList(e, func(k int) string {
			if i := infoAt(e, k); i != nil && i.Score != "" {
				return strings.Join(strings.Fields(i.Score), "") // a regular expression may have matched blanks
			}
			return "-"
		}),
		e.Transcript,
	}
	for c := board.Black; c <= board.White; c++ {
		var f Effort
		f.add(e, c)
		row = append(row, strconv.Itoa(f.Moves), micros(f.Time), micros(f.MaxTime), csvNumber(f.Depth(), 2), csvNumber(f.Speed(), 0),
			strconv.FormatInt(f.Memory, 10), micros(f.Start), strconv.Itoa(f.Stale))
	}
	return row
}

// csvList formats the values of the moves after the opening, separated by
// blanks.
func csvList(e *journal.End, value func(k int) string) string {
	list := make([]string, len(e.Times))
	for k := range list {
		list[k] = value(k)
	}
	return strings.Join(list, " ")
}

// micros formats a duration in microseconds.
func micros(d time.Duration) string { return strconv.FormatInt(d.Microseconds(), 10) }

// csvNumber formats a number, or "" if there is none.
func csvNumber(x float64, digits int) string {
	if x != x {
		return ""
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}
