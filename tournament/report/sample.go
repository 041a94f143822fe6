package report

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

// A SampleFormat is a format of c-gomoku-cli's position samples.
type SampleFormat string

// The formats.
const (
	SampleCSV     SampleFormat = "csv"     // lines of position, move and result
	SampleBin     SampleFormat = "bin"     // an entry per position
	SampleBinpack SampleFormat = "binpack" // an entry per game, with scores
)

// WriteSamples writes positions of games with the move played and the result
// for the player to move, as c-gomoku-cli does: each position after the opening
// with probability freq. Games that an engine lost other than on the board have
// none. The same log and seed give the same samples.
func WriteSamples(w io.Writer, log *journal.Log, format SampleFormat, freq float64, seed uint64) error {
	c := &log.Config
	if err := errors.Join(format.Check(), format.CheckSamples(c)); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for e := range games(log) {
		if e.Reason.Failed() {
			continue
		}
		moves, err := notation.ParsePosition(e.Moves, c.Width, c.Height, notation.FromTop)
		if err != nil {
			return fmt.Errorf("game %d: %w", e.Number, err)
		}
		rng := rand.New(rand.NewPCG(seed, uint64(e.Number)))
		var plies []int
		for k := e.Open; k < len(moves); k++ {
			if rng.Float64() < freq {
				plies = append(plies, k)
			}
		}
		if _, err := out.Write(format.game(c, e, moves, plies)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Check reports an unknown format.
func (f SampleFormat) Check() error {
	if f != SampleCSV && f != SampleBin && f != SampleBinpack {
		return fmt.Errorf("unknown format %q of samples, want csv, bin or binpack", f)
	}
	return nil
}

// CheckSamples reports settings that a format cannot encode.
func (f SampleFormat) CheckSamples(c *config.Config) error {
	if f != SampleCSV && (c.Width != c.Height || c.Width > 22 || c.Rule.Code() > 7) {
		return fmt.Errorf("samples as %s hold square boards up to 22x22 and rules 0, 1 and 4, not %s and %d", f, c.Size(), c.Rule.Code())
	}
	return nil
}

// game returns the samples of a game at the given plies, counted from 0.
func (f SampleFormat) game(c *config.Config, e *journal.End, moves []board.Move, plies []int) []byte {
	var b []byte
	switch f {
	case SampleBinpack:
		if len(plies) > 0 {
			b = appendPack(b, c, e, moves, plies)
		}
	case SampleBin:
		for _, k := range plies {
			b = binary.LittleEndian.AppendUint16(b, uint16(e.Result.Points(board.Color(k%2))|k<<2|c.Width<<11))
			b = binary.LittleEndian.AppendUint16(b, uint16(c.Rule.Code()|packPoint(moves[k])<<3))
			b = appendPoints(b, moves[:k])
		}
	default:
		for _, k := range plies {
			b = fmt.Appendf(b, "%s,%s,%d\n", notation.FormatPosition(moves[:k], c.Height, notation.FromTop),
				notation.FormatPosition(moves[k:k+1], c.Height, notation.FromTop), e.Result.Points(board.Color(k%2)))
		}
	}
	return b
}

// appendPack appends an entry of the format binpack: the moves from the first
// sampled one to the last. Moves not sampled in between have no score, like
// those whose score is unknown.
func appendPack(b []byte, c *config.Config, e *journal.End, moves []board.Move, plies []int) []byte {
	first, last := plies[0], plies[len(plies)-1]
	n := last - first + 1
	points := e.Result.Points(board.Color(first % 2))
	b = binary.LittleEndian.AppendUint32(b, uint32(c.Width|c.Rule.Code()<<5|points<<8|(last+1)<<12|first<<22))
	b = binary.LittleEndian.AppendUint32(b, uint32(n)<<14) // the low bits are an unused tag
	b = appendPoints(b, moves[:first])
	for k := first; k <= last; k++ {
		const isFirst, isLast, noScore = 1, 2, 4 // of the moves in a position: there is one
		flags, score := isFirst|isLast|noScore, int16(0)
		if k == plies[0] {
			plies = plies[1:]
			if v, ok := sampleScore(infoAt(e, k-e.Open)); ok {
				flags, score = isFirst|isLast, v
			}
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(flags|packPoint(moves[k])<<6))
		b = binary.LittleEndian.AppendUint16(b, uint16(score))
	}
	return b
}

// sampleScore returns a score in the engine's own unit; mates map to the
// bounds.
func sampleScore(i *telemetry.Info) (score int16, ok bool) {
	if i == nil {
		return 0, false
	}
	v, kind, ok := i.Value()
	switch {
	case !ok || kind == telemetry.WinRate:
		return 0, false
	case kind == telemetry.Mate:
		v = math.Copysign(math.Inf(1), v)
	}
	return int16(min(max(v, math.MinInt16), math.MaxInt16)), true
}

// packPoint encodes a point as five bits of column and five of row.
func packPoint(m board.Move) int { return m.X()<<5 | m.Y() }

func appendPoints(b []byte, moves []board.Move) []byte {
	for _, m := range moves {
		b = binary.LittleEndian.AppendUint16(b, uint16(packPoint(m)))
	}
	return b
}
