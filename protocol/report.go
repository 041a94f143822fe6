package protocol

import (
	"time"

	"kumiko/engine"
	"kumiko/protocol/wire"
)

const (
	// quietLeft and quietMargin keep MESSAGE lines away from the deadlines:
	// some managers forgive a late move, but not after another late line.
	quietLeft   = time.Second
	quietMargin = 10 * time.Millisecond
)

// realtime reports whether INFO show_detail requests marks on the board.
func (s *settings) realtime() bool { return s.detail == 1 || s.detail >= 3 }

// detailed reports whether INFO show_detail requests statistics of every line.
func (s *settings) detailed() bool { return s.detail >= 2 }

// summary returns the MESSAGE that accompanies a move, or "" if there is nothing to
// report or time is short.
func (s *search) summary(r engine.Result) string {
	limit := hardLimit(s.limits)
	elapsed := time.Since(s.limits.Start)
	if s.stopped || r.Nodes == 0 || s.limits.Left < quietLeft || elapsed > limit-quietMargin {
		return ""
	}
	return reportOf(engine.Info{Depth: r.Depth, SelDepth: r.SelDepth, Score: r.Score,
		Nodes: r.Nodes, Time: r.Time, PV: r.PV}).Summary()
}

// reportOf returns the report of a line.
func reportOf(i engine.Info) wire.Report {
	return wire.Report{Index: i.PVIndex, Count: max(i.NumPV, 1), Depth: i.Depth, SelDepth: i.SelDepth,
		Score: int(i.Score), Eval: i.Score.String(), WinRate: i.Score.WinRate(),
		Nodes: i.Nodes, Time: i.Time, Line: i.PV}
}
