package telemetry

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kumiko/protocol/cli/golden"
)

// infoOf returns what lines tell, which are separated by newlines.
func infoOf(lines string) Info {
	var p Parser
	for line := range strings.SplitSeq(lines, "\n") {
		p.Line(line)
	}
	return p.Info()
}

// TestEngines reads what engines really printed, from START to the end.
func TestEngines(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		var p Parser
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			switch word, rest, _ := strings.Cut(line, " "); word {
			case "MESSAGE", "DEBUG", "INFO":
				p.Line(rest)
			case "OK":
			default:
				data, err := json.Marshal(p.Info())
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString(line + " " + string(data) + "\n")
				p.Reset()
			}
		}
		golden.Compare(t, strings.TrimSuffix(file, ".txt")+".golden", got.String())
	}
}

// TestLine has a line of each engine whose form is known from its source or
// its logs, and the corners of the grammar.
func TestLine(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		lines string
		want  Info
	}{
		{"", Info{}},
		{"SlowRenju 1.5 is ready.", Info{}},
		{"depth 11-17 ev 188 n 57220 n/s 380957 tm 150 pv i10 h10",
			Info{11, 17, 57220, 380957, 150 * ms, "188", "i10 h10"}},
		// Embryo and Rapfi.
		{"depth 12-17 ev -M8 n 86K n/ms 964 tm 90 pv I8 G8", Info{12, 17, 86000, 964000, 90 * ms, "-M8", "I8 G8"}},
		{"DEPTH 12-17 EV +M* N 7M N/MS 964 TM 90 PV (NONE)", Info{12, 17, 7e6, 964000, 90 * ms, "+M*", ""}},
		{"Depth 2-3 | Eval 126 | Time 0ms | I7 G9\nSpeed 1312K | Depth 18-25 | Eval 265 | Node 223K | Time 12s",
			Info{18, 25, 223000, 1312000, 12000 * ms, "265", "I7 G9"}},
		{"[Pondering] Speed 123M | Depth 1-0 | Eval 5 | Node 2G | Time 4min", Info{1, 0, 2e9, 123e6, 240000 * ms, "5", ""}},
		{"(1) -34 (W 48.20, D 1.00, S 0.10) | V 12K | SD 12 | H8 I9\nSpeed 12K | Visit 13K | Time 1033ms",
			Info{0, 12, 13000, 12000, 1033 * ms, "", "H8 I9"}},
		{"multipv 1 ev -34 w 48.20 d 1.00 stdev 0.10 v 12K seldepth 12 n 13K n/ms 12 tm 33 prior 0.2 pv H8\n" +
			"multipv 2 ev -99 w 28.20 d 1.00 stdev 0.10 v 1K seldepth 2 n 13K n/ms 12 tm 33 prior 0.2 pv A1",
			Info{0, 12, 13000, 12000, 33 * ms, "-34", "H8"}},
		{"depth 5-7 multipv 2 ev 188 n 57220 pv i10 h10", Info{}},
		// AlphaGomoku, also in Yixin-Board.
		{"depth 1-9 ev 53.2 winrate 50.1 drawrate 6.2 n 1234 n/s 567 tm 2345 pv Xh7 Oi6",
			Info{1, 9, 1234, 567, 2345 * ms, "53.2%", "Xh7 Oi6"}},
		{"ev 0.7 winrate 0.4 drawrate 0.6", Info{Score: "0.7%"}},
		{"depth 1-9 ev L12 winrate 0.0 drawrate 0.0 n 1234", Info{Depth: 1, SelDepth: 9, Nodes: 1234, Score: "L12"}},
		{"Depth: 1-5 | Time: 123MS | Node: 1234\nSpeed: 10032 | Evaluation: 53.2\nBestline: [H8] [I9]",
			Info{1, 5, 1234, 10032, 123 * ms, "53.2", "[H8] [I9]"}},
		// Katagomo.
		{"Visits 812 Winrate 53.21% Drawrate 1.20% Time 1.234 PV H8 I9", Info{0, 0, 812, 0, 1234 * ms, "53.21%", "H8 I9"}},
		{"Visits 812 Winrate 53.21% Drawrate 1.20% Time 12.000 (PDA 1.50) PV", Info{0, 0, 812, 0, 12000 * ms, "53.21%", ""}},
		// Scripts around a network.
		{"winrate: 0.5312, bestmove: H8 (34 v), visits: 812, time: 2.3412s, v/s: 346.8", Info{0, 0, 812, 347, 2341 * ms, "53.12%", ""}},
		{"winrate: 1.0000, drawrate: 0.0000, bestmove: H8, time: 12.34ms", Info{Score: "100%", Time: 12 * ms}},
		// PentaZen's and Barbakan's words.
		{"dep 9 sc -14 nd 20k sp 900k", Info{9, 0, 20000, 900000, 0, "-14", ""}},
		{"value 35, called 1234", Info{Nodes: 1234, Score: "35"}},
		// Carbon.
		{"eval 177, depth 7, nodes 97426, speed 851", Info{7, 0, 97426, 851000, 0, "177", ""}},
		{"[7,8] value 30, level 5, combo 3, nodes 123, speed 45 k", Info{0, 0, 123, 45000, 0, "30", ""}},
		// Wine.
		{"depth=8 NPS=827k\nbest: [7,8] val=350\nbestLine: [7,8] [7,6]", Info{8, 0, 0, 827000, 0, "350", "[7,8] [7,6]"}},
		{"bestLine:", Info{}},
		// Yixin-Board's reports.
		{"REALTIME BEST 9,6\nREALTIME VAL -12\nREALTIME PV j7 h9\nREALTIME POS 3,3\nREALTIME DONE 1,1", Info{Score: "-12", PV: "j7 h9"}},
		{"PV 0\nNUMPV 2\nDEPTH 3\nSELDEPTH 7\nNODES 5\nTOTALNODES 77\nTOTALTIME 12\nSPEED 6400\nEVAL 146\nWINRATE 0.64\nBESTLINE 8,6 6,8\nPV DONE\n" +
			"PV 1\nNUMPV 2\nDEPTH 1\nSELDEPTH 1\nNODES 1\nTOTALNODES 1\nEVAL -5\nWINRATE 0.1\nBESTLINE 0,0\nPV DONE\nTOTALTIME 13",
			Info{3, 7, 77, 6400, 13 * ms, "146", "8,6 6,8"}},
		{"PV 0\nWINRATE 1\nBESTLINE 7,7\nPV DONE", Info{Score: "100%", PV: "7,7"}},
		// The last value counts; a depth without a selective one has none.
		{"depth 5-9 ev 1\ndepth 6 ev 2", Info{Depth: 6, Score: "2"}},
		// Units behind values, values before words.
		{"57220 nodes, 1.3M n/s", Info{Nodes: 57220, Speed: 1300000}},
		{"searched at full power (380957 nps)", Info{Speed: 380957}},
		{"speed 1.3M n/s time 1.5 s nodes 20k", Info{Nodes: 20000, Speed: 1300000, Time: 1500 * ms}},
		{"speed 964 n/ms time 3 ms", Info{Speed: 964000, Time: 3 * ms}},
		{"speed 12kn/s", Info{Speed: 12000}},
		{"n/ms 1.2k tm 7", Info{Speed: 1200000, Time: 7 * ms}},
		// What makes no sense is skipped.
		{"time limit 500 nodes 30", Info{Nodes: 30}},
		{"depth x ev y n -5 n/s 1e9 tm soon pv", Info{}},
		{"depth 99999999 n 99999999T nodes 1234567890123456789012 tm 99999999999999", Info{}},
		{"score 12345678901234567890123456789 eval is", Info{}},
		{"depth -5 ev - winrate", Info{}},
		{"n 1.2.3 speed 5 apples depth 3-x", Info{Speed: 5}},
		{"pv h8 \x00\xff i9\x1b[2J\tj10 | time 5", Info{PV: "h8 ?? i9?[2J j10"}},
		{"ev +5\xff9", Info{Score: "+5?9"}},
	}
	for _, tt := range tests {
		if got := infoOf(tt.lines); got != tt.want {
			t.Errorf("%q:\ngot  %+v\nwant %+v", tt.lines, got, tt.want)
		}
	}
}

func TestPVLength(t *testing.T) {
	got := infoOf("pv " + strings.Repeat(" h8", 1e5)).PV
	if want := strings.TrimSuffix(strings.Repeat("h8 ", 85), " "); got != want {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
	if got := infoOf("pv " + strings.Repeat("x", maxPV+1)).PV; got != "" {
		t.Errorf("one word of %d bytes", len(got))
	}
	if got := infoOf("pv " + strings.Repeat("x", maxPV)).PV; len(got) != maxPV {
		t.Errorf("%d bytes, want %d", len(got), maxPV)
	}
}

func TestValue(t *testing.T) {
	tests := []struct {
		score string
		v     float64
		kind  Kind
		ok    bool
	}{
		{"-34", -34, Centi, true},
		{"+0.25", 0.25, Centi, true},
		{"30000", 30000, Centi, true},
		{"+M12", 12, Mate, true},
		{"-M8", -8, Mate, true},
		{"M3", 3, Mate, true},
		{"#-3", 0, Mate, false},
		{"+M*", math.Inf(1), Mate, true},
		{"-M*", math.Inf(-1), Mate, true},
		{"W5", 5, Mate, true},
		{"L12", -12, Mate, true},
		{"D9", 0, Centi, true},
		{"53.2%", 0.532, WinRate, true},
		{"100%", 1, WinRate, true},
		{"120%", 1.2, WinRate, false},
		{"-5%", -.05, WinRate, false},
		{"", 0, Centi, false},
		{"-", 0, Centi, false},
		{"+M", 0, Mate, false},
		{"M99999", 0, Mate, false},
		{"1.2.3", 0, Centi, false},
		{"12?", 0, Centi, false},
	}
	for _, tt := range tests {
		v, kind, ok := Info{Score: tt.score}.Value()
		if ok != tt.ok || ok && (math.Abs(v-tt.v) > 1e-12 || kind != tt.kind) && v != tt.v {
			t.Errorf("%q: got %v, %v, %v", tt.score, v, kind, ok)
		}
	}
}

func TestJSON(t *testing.T) {
	full := Info{11, 17, 57220, 380957, 150 * time.Millisecond, "+M12", "i10 h10"}
	const text = `{"d":11,"sd":17,"n":57220,"s":"+M12","sp":380957,"t":150,"pv":"i10 h10"}`
	got, err := json.Marshal(full)
	if err != nil || string(got) != text {
		t.Errorf("got %s, %v", got, err)
	}
	for _, want := range []Info{{}, full, {Score: "53.2%"}} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := Info{Depth: 99, PV: "old"}
		if err := json.Unmarshal(data, &got); err != nil || got != want {
			t.Errorf("%s: got %+v, %v", data, got, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"d":"x"}`), &full); err == nil {
		t.Error("a depth of x")
	}
}

func TestRegexp(t *testing.T) {
	p, err := NewRegexp(`^ply (?P<depth>\S+)(?: (?P<seldepth>\d+))? is (?P<score>.*?) after (?P<nodes>\S+), (?P<speed>.*) in (?P<time>[^:]*): (?P<pv>.*)$`)
	if err != nil {
		t.Fatal(err)
	}
	p.Line("depth 99 ev 99")
	p.Line("ply 7-12 is  rather good  after 20k, 1.3M n/s in 23 ms:  h8  i9 ")
	p.Line("ply of little use")
	want := Info{7, 12, 20000, 1300000, 23 * time.Millisecond, "rather good", "h8 i9"}
	if got := p.Info(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	p.Reset()
	p.Line("ply 8 14 is +5 after x, y in z: ")
	if got, want := p.Info(), (Info{Depth: 8, SelDepth: 14, Score: "+5"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for expr, want := range map[string]string{
		"(":             "missing closing",
		"depth":         "no named group",
		"(?P<dept>.)":   `unknown group "dept"`,
		"(.)(?P<pv>x)(": "missing closing",
	} {
		if p, err := NewRegexp(expr); err == nil || !strings.Contains(err.Error(), want) || p != nil {
			t.Errorf("%q: %v, want an error with %q", expr, err, want)
		}
	}
}

// Line is called while a game's clock runs.
func TestLineAllocatesNothing(t *testing.T) {
	var p Parser
	lines := []string{
		"depth 12-17 ev +M11 n 86K n/ms 964 tm 90 pv I8 G8 H7 G6 H9 H6",
		"Speed 1312K | Depth 18-25 | Eval 265 | Node 223K | Time 170ms",
		"Load config from config.toml \xff",
	}
	n := testing.AllocsPerRun(100, func() {
		for _, line := range lines {
			p.Line(line)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzLine(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text[:min(len(text), 600)]))
	}
	f.Add("57220 nodes, 1.3M n/s time 2.5 s winrate 0.53 pv h8 | x | H8")
	f.Add("PV 1\nPV DONE\nPV 0 (\nbestline=9,9\nmultipv 1 depth 1-2-3 ev .-+%")
	re, err := NewRegexp(`(?P<score>\S+)\D(?P<depth>\S+) ?(?P<time>.*?) (?P<speed>.*?) (?P<nodes>\d*)(?P<seldepth>.)?(?P<pv>.*)`)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		re.Reset()
		for _, p := range []*Parser{{}, re} {
			for line := range strings.SplitSeq(lines, "\n") {
				p.Line(line)
			}
			i := p.Info()
			if i.Depth < 0 || i.SelDepth < 0 || i.Nodes < 0 || i.Speed < 0 || i.Time < 0 {
				t.Errorf("negative: %+v", i)
			}
			if i.Depth > maxDepth || i.SelDepth > maxDepth || i.Nodes > maxCount || i.Speed > maxCount || i.Time > maxTime ||
				len(i.Score) > maxScore+1 || len(i.PV) > maxPV {
				t.Errorf("too large: %+v", i)
			}
			if v, kind, ok := i.Value(); ok && (math.IsNaN(v) || kind == WinRate && (v < 0 || v > 1)) {
				t.Errorf("value %v of %q", v, i.Score)
			}
			data, err := json.Marshal(i)
			if err != nil {
				t.Fatal(err)
			}
			var back Info
			if err := json.Unmarshal(data, &back); err != nil || back != i {
				t.Errorf("%+v became %+v by %s, %v", i, back, data, err)
			}
		}
	})
}

func BenchmarkLine(b *testing.B) {
	for name, line := range map[string]string{
		"kumiko": "depth 11-17 ev 188 n 57220 n/s 380957 tm 150 pv i10 h10 g9 h9 i9 f8",
		"rapfi":  "Speed 1312K | Depth 18-25 | Eval 265 | Node 223K | Time 170ms",
		"other":  "Load config from config.toml and be of no use to anybody else at all",
	} {
		b.Run(name, func(b *testing.B) {
			var p Parser
			for b.Loop() {
				p.Line(line)
			}
		})
	}
}

func BenchmarkInfo(b *testing.B) {
	var p Parser
	p.Line("depth 11-17 ev 188 n 57220 n/s 380957 tm 150 pv i10 h10 g9 h9 i9 f8")
	for b.Loop() {
		p.Info()
	}
}

// FuzzReadPlain compares what is read fast with what package json reads.
func FuzzReadPlain(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"d":11,"sd":17,"n":57220,"s":"188","sp":380957,"t":150,"pv":"i10 h10"}`, `{"s":"+M12"}`, `{"d":1,}`,
		`{"d":01}`, `{"d":-1}`, `{"d":1,"d":2}`, `{"x":1}`, `{"s":"\u00e4"}`, `{"s":"a\\n"}`, `{"d":1}x`, `{"d":1`, `{"d":"1"}`, `{"s":1}`, `{ "d":1}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := readPlain(data)
		if !ok {
			return
		}
		var want wireInfo
		if err := json.Unmarshal(data, &want); err != nil || got != want {
			t.Fatalf("%s: %+v, want %+v, %v", data, got, want, err)
		}
	})
}

func BenchmarkUnmarshal(b *testing.B) {
	data := []byte(`{"d":11,"sd":17,"n":57220,"s":"188","sp":380957,"t":150,"pv":"i10 h10 i9 i8 h9 g9"}`)
	for _, way := range []struct {
		name string
		read func() error
	}{
		{"plain", func() error { return new(Info).UnmarshalJSON(data) }},
		{"json", func() error { return json.Unmarshal(data, new(wireInfo)) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			for b.Loop() {
				if err := way.read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
