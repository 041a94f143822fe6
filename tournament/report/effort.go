package report

import (
	"math"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

// An Effort is what an engine's moves cost, measured by the harness, and what
// the engine reported about them.
type Effort struct {
	Moves   int
	Time    time.Duration // total of all moves
	MaxTime time.Duration // maximum of a move
	Memory  int64         // peak, in KiB; 0 means unknown
	Start   time.Duration // maximum time to get ready
	Stale   int           // unsolicited moves

	depths, depthMoves int
	nodes              float64
	nodesTime          time.Duration // time of the moves with known nodes
}

// add adds the effort of the engine with color c in a game.
func (f *Effort) add(e *journal.End, c board.Color) {
	f.Memory = max(f.Memory, e.Memory[c])
	f.Start = max(f.Start, e.Start[c].Duration())
	f.Stale += e.Stale[c]
	for i := range e.Times {
		if (e.Open+i)%2 == int(c) {
			f.addMove(e.Times[i].Duration(), infoOf(e, i))
		}
	}
}

func (f *Effort) addMove(took time.Duration, info *telemetry.Info) {
	f.Moves++
	f.Time += took
	f.MaxTime = max(f.MaxTime, took)
	if info == nil {
		return
	}
	if info.Depth > 0 {
		f.depths += info.Depth
		f.depthMoves++
	}
	if n := nodesOf(took, info); n > 0 && took > 0 {
		f.nodes += n
		f.nodesTime += took
	}
}

// infoOf returns what was reported about move i after the opening, or nil.
func infoOf(e *journal.End, i int) *telemetry.Info {
	if i >= len(e.Info) {
		return nil
	}
	return e.Info[i]
}

// nodesOf returns the nodes of a move, derived from the speed if necessary, or
// 0 if unknown.
func nodesOf(took time.Duration, info *telemetry.Info) float64 {
	if info.Nodes > 0 {
		return float64(info.Nodes)
	}
	return float64(info.Speed) * took.Seconds()
}

// TimePerMove returns the mean time in seconds, or NaN without moves.
func (f *Effort) TimePerMove() float64 { return f.Time.Seconds() / float64(f.Moves) }

// Depth returns the mean reported depth, or NaN if none was reported.
func (f *Effort) Depth() float64 { return float64(f.depths) / float64(f.depthMoves) }

// Speed returns the nodes per second of the harness's clock over the moves with
// known nodes, or NaN if there are none.
func (f *Effort) Speed() float64 {
	if f.nodesTime == 0 {
		return math.NaN()
	}
	return f.nodes / f.nodesTime.Seconds()
}
