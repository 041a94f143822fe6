package protocol

import (
	"fmt"
	"math"
	"strings"
	"time"

	"kumiko/engine"
	"kumiko/engine/board"
)

const (
	// maxMessage is the length of a MESSAGE line that every manager takes.
	maxMessage = 240

	// quietLeft and quietMargin keep MESSAGE lines away from the deadlines:
	// some managers forgive a late move, but not after another late line.
	quietLeft   = time.Second
	quietMargin = 10 * time.Millisecond

	// evenScale is the score that wins e times out of e+1.
	evenScale = 200
)

// realtime reports whether INFO show_detail asked for marks on the board.
func (s *settings) realtime() bool { return s.detail == 1 || s.detail >= 3 }

// detailed reports whether INFO show_detail asked for every line's numbers.
func (s *settings) detailed() bool { return s.detail >= 2 }

// summary returns the MESSAGE that goes with a move, "" if there is nothing
// to tell or it is better to be quiet. Managers look for these words in it.
func (s *search) summary(r engine.Result) string {
	limit := hardLimit(s.limits)
	elapsed := time.Since(s.limits.Start)
	if s.stopped || r.Nodes == 0 || s.limits.Left < quietLeft || elapsed > limit-quietMargin {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "MESSAGE depth %d-%d ev %v n %d n/s %d tm %d",
		r.Depth, max(r.SelDepth, r.Depth), r.Score,
		r.Nodes, perSecond(r.Nodes, r.Time), r.Time.Milliseconds())
	sep := " pv "
	for _, m := range r.PV {
		next := sep + m.String()
		if text.Len()+len(next) > maxMessage {
			break
		}
		text.WriteString(next)
		sep = " "
	}
	return text.String()
}

// realtimeLines returns the lines by which GUIs draw the best line so far.
func (c *controller) realtimeLines(i engine.Info) []string {
	if len(i.PV) == 0 {
		return nil
	}
	return []string{
		"MESSAGE REALTIME BEST " + c.coords(i.PV[0]),
		fmt.Sprintf("MESSAGE REALTIME VAL %d", i.Score),
		"MESSAGE REALTIME PV " + joinMoves(i.PV, board.Move.String),
	}
}

// detailLines returns the lines in which GUIs of rapfi's dialect expect the
// numbers of one of several lines.
func (c *controller) detailLines(i engine.Info, pvs int) []string {
	if len(i.PV) == 0 {
		return nil
	}
	return []string{
		fmt.Sprintf("INFO PV %d", i.PVIndex),
		fmt.Sprintf("INFO NUMPV %d", pvs),
		fmt.Sprintf("INFO DEPTH %d", i.Depth),
		fmt.Sprintf("INFO SELDEPTH %d", max(i.SelDepth, i.Depth)),
		fmt.Sprintf("INFO NODES %d", i.Nodes),
		fmt.Sprintf("INFO TOTALNODES %d", i.Nodes),
		fmt.Sprintf("INFO TOTALTIME %d", i.Time.Milliseconds()),
		fmt.Sprintf("INFO SPEED %d", perSecond(i.Nodes, i.Time)),
		"INFO EVAL " + i.Score.String(),
		fmt.Sprintf("INFO WINRATE %.4f", winRate(i.Score)),
		"INFO BESTLINE " + joinMoves(i.PV, c.coords),
		"INFO PV DONE",
	}
}

// joinMoves writes moves separated by blanks.
func joinMoves(moves []board.Move, text func(board.Move) string) string {
	var words []string
	for _, m := range moves {
		words = append(words, text(m))
	}
	return strings.Join(words, " ")
}

// winRate returns the chance to win that a score stands for.
func winRate(s engine.Score) float64 {
	if _, ok := s.Mate(); ok {
		if s > 0 {
			return 1
		}
		return 0
	}
	return 1 / (1 + math.Exp(-float64(s)/evenScale))
}

// perSecond returns n per second of d.
func perSecond(n int64, d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	return int64(float64(n) / d.Seconds())
}
