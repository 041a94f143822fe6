package wire

import (
	"fmt"
	"strings"
	"time"

	"kumiko/engine/board"
)

// A Report is one PV of a search with its statistics.
type Report struct {
	Index, Count    int // of the line, from 0, and the number of lines
	Depth, SelDepth int
	Score           int    // for the side to move
	Eval            string // the same as text, or "+M5"
	WinRate         float64
	Nodes           int64
	Time            time.Duration
	Line            []board.Move
}

// maxMessage is the greatest length of a MESSAGE line that all managers accept.
const maxMessage = 240

// Summary returns the MESSAGE that accompanies a move. Managers search it for
// these words. It omits moves that would make it too long.
func (r Report) Summary() string {
	var text strings.Builder
	fmt.Fprintf(&text, "MESSAGE depth %d-%d ev %s n %d n/s %d tm %d",
		r.Depth, max(r.SelDepth, r.Depth), r.Eval, r.Nodes, r.speed(), r.Time.Milliseconds())
	sep := " pv "
	for _, m := range r.Line {
		next := sep + m.String()
		if text.Len()+len(next) > maxMessage {
			break
		}
		text.WriteString(next)
		sep = " "
	}
	return text.String()
}

// Realtime returns the lines by which GUIs draw the best line so far.
func (r Report) Realtime(o Order) []string {
	return []string{
		"MESSAGE REALTIME BEST " + o.Point(r.Line[0]),
		fmt.Sprintf("MESSAGE REALTIME VAL %d", r.Score),
		"MESSAGE REALTIME PV " + joined(r.Line, board.Move.String),
	}
}

// RealtimeRefresh clears the marks of an earlier search.
const RealtimeRefresh = "MESSAGE REALTIME REFRESH"

// Detail returns the statistics in the dialect of rapfi's GUIs.
func (r Report) Detail(o Order) []string {
	return []string{
		fmt.Sprintf("INFO PV %d", r.Index),
		fmt.Sprintf("INFO NUMPV %d", r.Count),
		fmt.Sprintf("INFO DEPTH %d", r.Depth),
		fmt.Sprintf("INFO SELDEPTH %d", max(r.SelDepth, r.Depth)),
		fmt.Sprintf("INFO NODES %d", r.Nodes),
		fmt.Sprintf("INFO TOTALNODES %d", r.Nodes),
		fmt.Sprintf("INFO TOTALTIME %d", r.Time.Milliseconds()),
		fmt.Sprintf("INFO SPEED %d", r.speed()),
		"INFO EVAL " + r.Eval,
		fmt.Sprintf("INFO WINRATE %.4f", r.WinRate),
		"INFO BESTLINE " + o.Points(r.Line),
		"INFO PV DONE",
	}
}

// speed returns the nodes per second.
func (r Report) speed() int64 {
	if r.Time <= 0 {
		return 0
	}
	return int64(float64(r.Nodes) / r.Time.Seconds())
}

// Limits returns the answer to YXSHOWINFO: the number of threads and the exponent
// of the largest hash_size.
func Limits(threads, hash int) []string {
	return []string{
		fmt.Sprintf("MESSAGE INFO MAX_THREAD_NUM %d", threads),
		fmt.Sprintf("MESSAGE INFO MAX_HASH_SIZE %d", hash),
	}
}
