package report

import (
	"math"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

// An Effort is what an engine's moves took, by the harness's clock, and what the
// engine reported about them.
type Effort struct {
	Moves   int
	Time    time.Duration // for all moves
	MaxTime time.Duration // for one
	Memory  int64         // most, in KiB; 0 is unknown
	Start   time.Duration // most, to get ready
	Stale   int           // moves printed when none was asked for

	depths, depthMoves int
	nodes              float64
	nodesTime          time.Duration // of the moves whose nodes are known
}

// add takes in what the engine with color c did in a game.
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

// infoOf is what was reported about move i after the opening; nil if nothing.
func infoOf(e *journal.End, i int) *telemetry.Info {
	if i >= len(e.Info) {
		return nil
	}
	return e.Info[i]
}

// nodesOf is how many nodes a move took, perhaps from the speed; 0 if neither
// is known.
func nodesOf(took time.Duration, info *telemetry.Info) float64 {
	if info.Nodes > 0 {
		return float64(info.Nodes)
	}
	return float64(info.Speed) * took.Seconds()
}

// TimePerMove is the mean in seconds; NaN without moves.
func (f *Effort) TimePerMove() float64 { return f.Time.Seconds() / float64(f.Moves) }

// Depth is the mean of the reported depths; NaN if there are none.
func (f *Effort) Depth() float64 { return float64(f.depths) / float64(f.depthMoves) }

// Speed is how many nodes were searched in a second of the harness's clock,
// over the moves of which it is known; NaN if there are none.
func (f *Effort) Speed() float64 {
	if f.nodesTime == 0 {
		return math.NaN()
	}
	return f.nodes / f.nodesTime.Seconds()
}
