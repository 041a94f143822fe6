package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/telemetry"
)

var at = time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC)

// newRun opens a log of two engines.
func newRun() *Run {
	c := config.Default()
	c.MemoryLimit = config.MemoryPoll // as it was in the first version
	c.Engines = []config.Engine{{Name: "A", Args: []string{"a"}}, {Name: "B", Args: []string{"b"}}}
	return &Run{Version: 1, ID: "x", At: at, Config: c, Openings: 3, Host: Host{OS: "plan9"}}
}

// newEnd is the result of a game between them.
func newEnd(number int) *End {
	return &End{
		Game: Game{Number: number, Pair: (number - 1) / 2, Round: (number - 1) / 2, Leg: (number - 1) % 2, Black: (number - 1) % 2, White: number % 2},
		At:   at,
		Outcome: Outcome{
			Result: BlackWins, Reason: TimeLoss, Text: "Black win", Moves: "h8h9i8", Open: 1,
			Times: []Micros{12, 13}, Info: []*telemetry.Info{nil, {Depth: 7, Score: "+M3"}},
		},
	}
}

// allEvents are one of each kind.
func allEvents() []Event {
	run := newRun()
	return []Event{
		run,
		&Resume{At: at, Config: run.Config, Hash: Hashes{Engines: []string{"1", "2"}}, Accept: []string{"B"}},
		&Start{Game: Game{Number: 1, White: 1}, At: at, Open: "h8"},
		&Moves{Number: 1, Ply: 1, Moves: "h9", Times: []Micros{12}, Info: []*telemetry.Info{{Nodes: 5}}},
		newEnd(1),
		&Start{Game: Game{Number: 2, Black: 1, Leg: 1}, At: at, Worker: 1},
		&Void{Number: 2, At: at, Why: "interrupted"},
		&Warning{Engine: 1, Number: 1, At: at, Kind: DirtyExit, Text: "stayed"},
		&Disqualify{Engine: 0, At: at, Why: "fails"},
		&Verdict{At: at, Pairs: 10, LLR: 2.5, Accepted: "H1", Why: "far"},
		&Ready{Number: 1, At: at}, // and what the first version of the log had not
	}
}

// write writes events to a log in a new folder.
func write(t *testing.T, events ...Event) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "log")
	w, err := Create(dir, events[0].(*Run))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events[1:] {
		w.Add(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestEvents writes events of every kind and reads them.
func TestEvents(t *testing.T) {
	events := allEvents()
	dir := write(t, events...)
	text, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		got, err := parseEvent(line)
		if err != nil || !reflect.DeepEqual(got, events[i]) {
			t.Errorf("line %d, %s: got %+v, %v; want %+v", i+1, line, got, err, events[i])
		}
	}
	log, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if log.Played != 1 || len(log.Games) != 1 || len(log.Running) != 0 || len(log.Voids) != 1 || len(log.Warnings) != 1 ||
		log.Disqualified[0] == nil || log.Verdict == nil || log.Hash.Engines[1] != "2" {
		t.Errorf("%+v", log)
	}
}

// TestBytes writes events as the first version of the log did, byte by byte, but for
// the checksum.
func TestBytes(t *testing.T) {
	want, err := os.ReadFile("testdata/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for _, e := range allEvents() {
		if got, err = AppendEvent(got, e); err != nil {
			t.Fatal(err)
		}
	}
	lines := bytes.Split(got, []byte("\n"))
	for i, line := range bytes.Split(bytes.TrimSpace(want), []byte("\n")) {
		if summed, err := checkSum(lines[i]); !summed || err != nil {
			t.Errorf("line %d: checksum %t, %v", i+1, summed, err)
		}
		if lines[i] = append(lines[i][:len(lines[i])-sumSize], '}'); !bytes.Equal(line, lines[i]) {
			t.Errorf("line %d is\n%s, want\n%s", i+1, lines[i], line)
		}
	}
}

// TestRunning keeps the moves of a game until it ends.
func TestRunning(t *testing.T) {
	log := New(newRun())
	for _, e := range []Event{
		&Start{Game: Game{Number: 1, White: 1}, Open: "h8"},
		&Moves{Number: 1, Ply: 1, Moves: "h9", Times: []Micros{1}},
		&Moves{Number: 1, Ply: 2, Moves: "h10i8", Times: []Micros{2, 3}, Info: []*telemetry.Info{nil, {Depth: 3}}},
		&Moves{Number: 9, Moves: "a1"}, // of no game that runs
	} {
		if err := log.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	m := log.Running[1].Moves
	if m.Moves != "h9h10i8" || len(m.Times) != 3 || len(m.Info) != 3 || m.Info[0] != nil || m.Info[2].Depth != 3 {
		t.Errorf("%+v", m)
	}
	if err := log.Add(newEnd(1)); err != nil || len(log.Running) != 0 || log.Played != 1 {
		t.Errorf("%v: %+v", err, log)
	}
	again := newEnd(1)
	again.Result = WhiteWins
	if err := log.Add(again); err != nil || log.Games[0].Result != BlackWins || log.Played != 1 {
		t.Errorf("a second result of a game counts: %v, %+v", err, log.Games[0])
	}
}

// TestRefused names the line that cannot be.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{`{"t":"end","g":0,"b":0,"w":1,"res":"1-0"}`, `event "end": game 0 of 20`},
		{`{"t":"end","g":21,"pair":10,"r":10,"b":0,"w":1,"res":"1-0"}`, "game 21 of 20"},
		{`{"t":"end","g":16777216,"b":0,"w":1,"res":"1-0"}`, "game 16777216 of 20"},
		{`{"t":"end","g":1,"b":0,"w":2,"res":"1-0"}`, "game 1: engine 2 of 2"},
		{`{"t":"end","g":1,"b":1,"w":1,"res":"1-0"}`, "not those of the schedule"},
		{`{"t":"end","g":1,"b":1,"w":0,"res":"1-0"}`, "not those of the schedule"},
		{`{"t":"end","g":1,"b":0,"w":1,"pair":7,"res":"1-0"}`, "pair 7, leg 0, pairing 0, round 0: not as in the schedule"},
		{`{"t":"end","g":1,"b":0,"w":1,"leg":1,"res":"1-0"}`, "not as in the schedule"},
		{`{"t":"end","g":1,"b":0,"w":1,"m":9000000000000000000,"res":"1-0"}`, "not as in the schedule"},
		{`{"t":"end","g":1,"b":0,"w":1,"r":-1,"res":"1-0"}`, "not as in the schedule"},
		{`{"t":"end","g":1,"b":0,"w":1,"op":-1,"res":"1-0"}`, "opening -1"},
		{`{"t":"end","g":1,"b":0,"w":1,"sym":8,"res":"1-0"}`, "symmetry 8"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"2-0"}`, `unknown result "2-0"`},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mv":"h8h9","open":3}`, "2 moves, 3 of them the opening's"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mv":"h8h9","open":-1}`, "-1 of them the opening's"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mv":"h8h9","open":-9223372036854775808}`, "of them the opening's"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mv":"h8h9","open":1,"us":[1,2]}`, "with 2 times"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mv":"h8h9","open":1,"us":[-1]}`, "a time of -1 microseconds"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mv":"h8h9","open":1,"us":[9000000000000000000]}`, "a time of 9000000000000000000"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","lag":-1}`, "a time of -1"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","start":[0,-1]}`, "a time of -1"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mem":[-1,0]}`, "-1 KiB of memory"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","stale":[0,-1]}`, "-1 stale moves"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mv":"h8p9"}`, "game 1: "},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mv":"h8h8"}`, "game 1: "},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"fove"}`, `unknown reason "fove"`},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","mv":"h8"}`, `unknown reason ""`},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"five"}`, `by "five" after 0 moves is impossible`},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"0-1","why":"five","mv":"a1a2b1b2c1c2d1d2e1"}`, `by "five" after 9 moves is impossible`},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1/2-1/2","why":"five","mv":"a1a2b1b2c1c2d1d2e1"}`, "is impossible"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"five","mv":"a1a2b1b2c1c2d1d2f1"}`, "the last move makes none"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"0-1","why":"time","mv":"a1a2b1b2c1c2d1d2e1"}`, "the last move wins by five"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"memory","mv":"a1a2b1b2c1c2d1d2e1"}`, "the last move wins by five"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"0-1","why":"memory","mv":"a1a2b1b2c1c2d1d2e1"}`, ""},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"five","mv":"a1a2b1b2c1c2d1d2e1"}`, ""},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1/2-1/2","why":"full","mv":"a1"}`, `"full" after 1 moves is impossible`},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1/2-1/2","why":"max-plies","mv":"a1"}`, "is impossible"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1/2-1/2","why":"squares-left","mv":"a1"}`, "is impossible"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1/2-1/2","why":"crash"}`, "is impossible"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1/2-1/2","why":"score-loss"}`, "is impossible"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"score-draw"}`, "is impossible"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"0-1","why":"foul"}`, "is impossible"}, // not in renju
		{`{"t":"end","g":1,"b":0,"w":1,"op":9223372036854775807,"res":"1-0"}`, "opening 9223372036854775807"},
		{`{"t":"end","g":1,"b":0,"w":1,"sym":3,"res":"1-0"}`, "symmetry 3, but the schedule has 0"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"time","mv":"h8","us":[1],"info":[{"d":4611686018427387904}]}`, "remark 1: depth 4611686018427387904"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"time","mv":"h8","us":[1],"info":[{"n":9223372036854775807}]}`, "nodes 9223372036854775807"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"time","mv":"h8","us":[1],"info":[{"n":-1}]}`, "nodes -1"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"time","mv":"h8","us":[1],"info":[{"sp":-9223372036854775808}]}`, "speed -9223372036854775808"},
		{`{"t":"end","g":1,"b":0,"w":1,"res":"1-0","why":"time","mv":"h8","us":[1],"info":[{"t":9223372036854775807}]}`, "time of 9223372036854775807 ms"},
		{`{"t":"end","g":99999999999,"b":0,"w":1,"res":"1-0"}`, "game 99999999999"},
		{`{"t":"end","g":99999999999999999999,"b":0,"w":1,"res":"1-0"}`, `event "end": json: cannot unmarshal`},
		{`{"t":"end","g":"x"}`, "cannot unmarshal"},
		{`{"t":"end","g":1`, "unexpected end"},
		{`{"t":"start","g":1,"b":0,"w":2}`, `event "start": game 1: engine 2 of 2`},
		{`{"t":"start","g":1,"b":0,"w":1,"wk":-1}`, "worker -1"},
		{`{"t":"start","g":1,"b":0,"w":1,"wk":900000000}`, "worker 900000000"},
		{`{"t":"start","g":1,"b":0,"w":1,"open":"zz"}`, "game 1: "},
		{`{"t":"void","g":-5}`, `event "void": game -5 of 20`},
		{`{"t":"warning","eng":-1}`, `event "warning": engine -1 of 2`},
		{`{"t":"verdict","pairs":-1}`, "a verdict after -1 pairs"},
		{`{"t":"resume","config":{"engines":[]}}`, `event "resume": `},
		{`{"t":"resume"}`, `event "resume": `},
		{`hello`, "not an event"},
		{"{\"t\":\"something \xeeew\"}", "not UTF-8"},
		{"{\"t\":\"warning\",\"eng\":0,\"text\":\"\xc2\"}", `event "warning": not UTF-8`},
		{`{"t":"run","v":1}`, "a second run"},
		{`{"t":"disqualify","eng":5}`, "engine 5 of 2"},
		{`{"t":"something new","x":1}`, ""},
		{`{"t":"something new","x":1`, `event "something new": unexpected end`},
		{``, ""},
	} {
		dir := write(t, newRun())
		name := filepath.Join(dir, FileName)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, append(text, tt.line+"\n"...), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err = Read(dir)
		w, _, appendErr := Append(dir)
		if appendErr == nil {
			w.Close()
		}
		if fmt.Sprint(err) != fmt.Sprint(appendErr) {
			t.Errorf("%s: reading it: %v; going on with it: %v", tt.line, err, appendErr)
		}
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.line, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), FileName+":2: ") {
			t.Errorf("%s: error %v, want %q in line 2", tt.line, err, tt.want)
		}
	}
	late := newRun()
	late.Version = Version + 1
	if err := new(Log).Add(late); err == nil || !strings.Contains(err.Error(), "later version") {
		t.Errorf("a log of a later version: %v", err)
	}
	if err := new(Log).Add(newEnd(1)); err == nil {
		t.Error("a log may begin with a result")
	}
}

// TestFollower follows a log through a torn line that is cut off.
func TestFollower(t *testing.T) {
	dir := write(t, newRun(), newEnd(1))
	f, err := NewFollower(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	update := func(want int) {
		t.Helper()
		if err := f.Update(); err != nil || f.Log().Played != want {
			t.Fatalf("%d games, %v; want %d", f.Log().Played, err, want)
		}
	}
	update(1)
	file, err := os.OpenFile(filepath.Join(dir, FileName), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	line, err := AppendEvent(nil, newEnd(2))
	if err != nil {
		t.Fatal(err)
	}
	half := len(line) / 2
	if _, err := file.Write(line[:half]); err != nil {
		t.Fatal(err)
	}
	update(1)
	if _, err := file.Write(line[half:]); err != nil {
		t.Fatal(err)
	}
	update(2)
	if _, err := file.WriteString(`{"t":"end","g":3,`); err != nil {
		t.Fatal(err)
	}
	file.Close()
	update(2)
	w, log, err := Append(dir)
	if err != nil || log.Played != 2 {
		t.Fatalf("%v, %+v", err, log)
	}
	w.Add(newEnd(4))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	update(3)
	if f.Log().Games[3] == nil {
		t.Error("game 4 is missing")
	}
}

func TestLock(t *testing.T) {
	dir := write(t, newRun())
	w, _, err := Append(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Append(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("a second writer: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, newRun()); err == nil {
		t.Error("a log was made in a folder that has one")
	}
	if _, _, err := Append(t.TempDir()); err == nil {
		t.Error("an empty folder is a tournament")
	}
}

// TestFailed reports a log that cannot be written, and loses no caller.
func TestFailed(t *testing.T) {
	dir := write(t, newRun())
	w, _, err := Append(dir)
	if err != nil {
		t.Fatal(err)
	}
	w.log.Close()
	for n := range 1000 {
		w.Add(newEnd(n + 1))
	}
	<-w.Failed()
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "the log cannot be written") {
		t.Errorf("error %v", err)
	}
}

func TestPoints(t *testing.T) {
	e := newEnd(1)
	for _, tt := range []struct {
		r    Result
		want [2]int
	}{{BlackWins, [2]int{2, 0}}, {WhiteWins, [2]int{0, 2}}, {Draw, [2]int{1, 1}}} {
		e.Result = tt.r
		e.Black, e.White = 1, 0
		if got := [2]int{e.Points(1), e.Points(0)}; got != tt.want {
			t.Errorf("%s: black and white score %v, want %v", tt.r, got, tt.want)
		}
		loser, ok := e.Loser()
		if ok != (tt.r != Draw) || ok && tt.r.Points(loser) != 0 {
			t.Errorf("%s: loser %v, %v", tt.r, loser, ok)
		}
	}
	if e.Engine(board.Black) != 1 || e.Engine(board.White) != 0 {
		t.Error("engines and colors are mixed up")
	}
}

// FuzzLog reads logs that begin well.
func FuzzLog(f *testing.F) {
	for _, e := range allEvents()[1:] {
		line, err := AppendEvent(nil, e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		log := New(newRun())
		event, err := parseEvent(line)
		if err != nil || event == nil {
			return
		}
		if log.Add(event) != nil {
			return
		}
		again, err := AppendEvent(nil, event)
		if err != nil {
			return // a time that JSON cannot have
		}
		back, err := parseEvent(bytes.TrimSpace(again))
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		if third, err := AppendEvent(nil, back); err != nil || !bytes.Equal(third, again) {
			t.Fatalf("%s becomes %s, %v", again, third, err)
		}
	})
}
