package report

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

// samplesOf writes samples.
func samplesOf(t *testing.T, log *journal.Log, format SampleFormat, freq float64) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSamples(&b, log, format, freq, 1); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// point unpacks a point of a binary sample.
func point(v uint16) board.Move { return board.Pt(int(v>>5&31), int(v&31)) }

// decodeBin turns samples of the format bin into lines of CSV.
func decodeBin(t *testing.T, b []byte) string {
	var out strings.Builder
	for len(b) > 0 {
		head, next := binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:])
		result, ply := head&3, int(head>>2&511)
		if head>>11 != 15 || next&7 != 1 {
			t.Fatalf("size %d, rule %d", head>>11, next&7)
		}
		for i := range ply {
			out.WriteString(point(binary.LittleEndian.Uint16(b[4+2*i:])).String())
		}
		fmt.Fprintf(&out, ",%v,%d\n", point(next>>3), result)
		b = b[4+2*ply:]
	}
	return out.String()
}

// decodePack turns samples of the format binpack into lines of CSV, if all
// positions were sampled, and counts the moves with a score.
func decodePack(t *testing.T, b []byte) (csv string, scores int) {
	var out strings.Builder
	for len(b) > 0 {
		head, next := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		result, total, first, n := int(head>>8&15), int(head>>12&1023), int(head>>22), int(next>>14)
		if head&31 != 15 || head>>5&7 != 1 || total != first+n || next&(1<<14-1) != 0 {
			t.Fatalf("head %x %x", head, next)
		}
		b = b[8:]
		var moves string
		for range first {
			moves += point(binary.LittleEndian.Uint16(b)).String()
			b = b[2:]
		}
		for range n {
			flags := binary.LittleEndian.Uint16(b)
			if flags&3 != 3 || flags&0x38 != 0 {
				t.Fatalf("flags %x", flags)
			}
			if flags&4 == 0 {
				scores++
			} else if b[2]|b[3] != 0 {
				t.Fatal("score bytes are set for a move without a score")
			}
			m := point(flags >> 6)
			fmt.Fprintf(&out, "%s,%v,%d\n", moves, m, result)
			moves, result, b = moves+m.String(), 2-result, b[4:]
		}
	}
	return out.String(), scores
}

func TestWriteSamples(t *testing.T) {
	m := newMaker(9, 20, "A", "B", "C")
	m.failures = 0.3
	m.cfg.Rule.Rule = board.Standard
	log := m.log(t, 0)
	var want strings.Builder
	failed := 0
	for e := range games(log) {
		if e.Reason.Failed() {
			failed++
			continue
		}
		moves, err := notation.ParsePosition(e.Moves, 15, 15, notation.FromTop)
		if err != nil {
			t.Fatal(err)
		}
		for k := e.Open; k < len(moves); k++ {
			result := map[journal.Result]int{journal.BlackWins: 2, journal.WhiteWins: 0, journal.Draw: 1}[e.Result]
			if k%2 == 1 {
				result = 2 - result
			}
			for _, p := range moves[:k] {
				want.WriteString(p.String())
			}
			fmt.Fprintf(&want, ",%v,%d\n", moves[k], result)
		}
	}
	all := string(samplesOf(t, log, SampleCSV, 1))
	if all != want.String() || failed == 0 {
		t.Errorf("%d failures; got %.400s\nwant %.400s", failed, all, want.String())
	}
	if got := decodeBin(t, samplesOf(t, log, SampleBin, 1)); got != all {
		t.Errorf("bin is\n%.400s\nwant\n%.400s", got, all)
	}
	got, scores := decodePack(t, samplesOf(t, log, SampleBinpack, 1))
	if got != all || scores == 0 || scores == strings.Count(all, "\n") {
		t.Errorf("binpack has %d scores:\n%.400s\nwant\n%.400s", scores, got, all)
	}
	lines := make(map[string]bool)
	for line := range strings.Lines(all) {
		lines[line] = true
	}
	some := string(samplesOf(t, log, SampleCSV, 0.25))
	for line := range strings.Lines(some) {
		if !lines[line] {
			t.Errorf("unexpected sample %q", line)
		}
	}
	if n, of := strings.Count(some, "\n"), strings.Count(all, "\n"); n < of/5 || n > of/3 {
		t.Errorf("%d of %d sampled, want a quarter", n, of)
	}
	if got := decodeBin(t, samplesOf(t, log, SampleBin, 0.25)); got != some {
		t.Errorf("bin samples other positions: %.300s, %.300s", got, some)
	}
	if b := samplesOf(t, log, SampleBinpack, 0); len(b) > 0 {
		t.Errorf("%d bytes without a sample", len(b))
	}
}

func TestSampleScore(t *testing.T) {
	for score, want := range map[string]int16{"12": 12, "-34.6": -34, "99999": 32767, "+M3": 32767, "-M5": -32768, "-99999": -32768} {
		if got, ok := sampleScore(&telemetry.Info{Score: score}); !ok || got != want {
			t.Errorf("%s is %d, %v, want %d", score, got, ok, want)
		}
	}
	for _, score := range []string{"", "53.2%"} {
		if got, ok := sampleScore(&telemetry.Info{Score: score}); ok {
			t.Errorf("%s is %d", score, got)
		}
	}
}

func TestSamplesRefused(t *testing.T) {
	m := newMaker(9, 1, "A", "B")
	log := m.log(t, 0)
	for _, tt := range []struct {
		change func()
		format SampleFormat
		want   string
	}{
		{func() {}, "xml", `unknown format "xml" of samples`},
		{func() { log.Config.Width = 20 }, SampleBin, "square boards"},
		{func() { log.Config.Width, log.Config.Height = 23, 23 }, SampleBinpack, "up to 22x22"},
		{func() { log.Config.Width, log.Config.Height, log.Config.Rule.Rule = 15, 15, board.Caro5 }, SampleBin, "not 15x15 and 9"},
	} {
		tt.change()
		if err := WriteSamples(new(bytes.Buffer), log, tt.format, 1, 1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.format, err, tt.want)
		}
	}
}

// TestWriteMessages numbers messages by the stones that their moves made, also
// where only the end of a dialogue is left.
func TestWriteMessages(t *testing.T) {
	log := newMaker(1, 1, "A", "B").log(t, 0)
	e := log.Games[0]
	e.Moves, e.Open, e.Result, e.Reason, e.Black, e.White = "h8h9i8i9j8", 1, journal.BlackWins, journal.TimeLoss, 1, 0
	log.Games = log.Games[:1]
	const whole = `== B
+0.1 < START 15
+0.1 < BEGIN
+0.1 > MESSAGE of the game before
+0.1 < RESTART
+0.1 > MESSAGE before all
+0.1 < BOARD
+0.1 < DONE
+0.2 > MESSAGE three \x1b[2J
+0.2 > 8,7
+0.2 < TURN 8,8
+0.2 > message five
+0.2 > DEBUG nothing
+0.2 > 9,7
== A
+0.1 < START 15
+0.1 < TURN 7,7
+0.2 > MESSAGE two
+0.3 > MESSAGE two again
+0.3 < TURN 8,7
+0.4 > MESSAGE four
+0.4 < TURN 9,7
+0.4 > MESSAGE six, too late
`
	const lines = "2) A: two\n2) A: two again\n3) B: three \\x1b[2J\n4) A: four\n5) B: five\n6) A: six, too late\n"
	cut := strings.Replace(whole, "+0.1 < START 15\n+0.1 < TURN 7,7\n+0.2 > MESSAGE two\n+0.3 > MESSAGE two again\n+0.3 < TURN 8,7\n+0.4 > MESSAGE four\n", "", 1)
	for _, tt := range []struct{ dialogue, want string }{
		{whole, lines},
		{cut, "(the first messages of A were not kept)\n3) B: three \\x1b[2J\n5) B: five\n6) A: six, too late\n"},
		{"", ""},
	} {
		var b bytes.Buffer
		err := WriteMessages(&b, log, func(*journal.End) ([]byte, error) { return []byte(tt.dialogue), nil })
		want := "----------------------------------------\nGame ID: 1\nEngines: B x A\n" + tt.want
		if err != nil || b.String() != want {
			t.Errorf("got\n%s%v\nwant\n%s", b.String(), err, want)
		}
	}
}
