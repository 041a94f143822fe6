package game

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/fakeengine"
)

// A row is a game of a fake with black, which may behave badly, against one
// that plays along.
type row struct {
	name     string
	settings Settings
	opening  string
	black    []string // words of the fake
	white    []string
	engine   func(t *testing.T, e *config.Engine) // changes black's
	want     string                               // result and reason
	detail   string                               // regular expression
	check    func(t *testing.T, m *match, e *Result)
}

// does says what a fake does.
func does(words ...string) []string { return words }

// five is a row of five for black. White plays along the top row meanwhile.
var five = does("5,7", "6,7", "7,7", "8,7", "9,7")

const fiveMoves = "f8a1g8b1h8c1i8d1j8"

// then returns the words of an engine that goes on with the five.
func then(w ...string) []string { return slices.Concat(w, five) }

// limits sets an engine's limits of time.
func limits(turn, margin, grace time.Duration) func(*testing.T, *config.Engine) {
	return func(_ *testing.T, e *config.Engine) { e.TC.Turn, e.Margin, e.Grace = turn, margin, grace }
}

// soon makes an engine lose that does not answer. It has time enough to print
// what should come before, whatever else the computer does.
func soon(_ *testing.T, e *config.Engine) {
	e.TC.Turn, e.Grace, e.Start = 2*time.Second, 0, 3*time.Second
}

// unix skips a row on Windows, which lacks what it tests.
func unix(t *testing.T, _ *config.Engine) {
	if runtime.GOOS == "windows" {
		t.Skip("not on Windows")
	}
}

func restart(r config.Restart) func(*testing.T, *config.Engine) {
	return func(_ *testing.T, e *config.Engine) { e.Restart = r }
}

// all checks one thing after the other.
func all(checks ...func(*testing.T, *match, *Result)) func(*testing.T, *match, *Result) {
	return func(t *testing.T, m *match, e *Result) {
		for _, f := range checks {
			f(t, m, e)
		}
	}
}

// again plays another game, in the same process of black's or in a new one.
func again(same bool, verdict, detail string) func(*testing.T, *match, *Result) {
	return func(t *testing.T, m *match, _ *Result) {
		t.Helper()
		before := m.pid(0)
		want(t, m.play(), verdict, detail)
		if (m.pid(0) == before) != same {
			t.Errorf("the second game is in the same process: %v", !same)
		}
	}
}

// stale checks how many moves of black's nobody had asked for.
func stale(n int) func(*testing.T, *match, *Result) {
	return func(t *testing.T, _ *match, e *Result) {
		t.Helper()
		if e.Stale != [2]int{n, 0} {
			t.Errorf("stale moves: %v, want %d", e.Stale, n)
		}
	}
}

// played checks the moves.
func played(moves string) func(*testing.T, *match, *Result) {
	return func(t *testing.T, _ *match, e *Result) {
		t.Helper()
		if e.Moves != moves {
			t.Errorf("moves %s, want %s", e.Moves, moves)
		}
	}
}

// told checks that a line was sent to black.
func told(line string) func(*testing.T, *match, *Result) {
	return func(t *testing.T, m *match, _ *Result) {
		t.Helper()
		if !slices.Contains(m.sent(0), line) {
			t.Errorf("%q was not sent", line)
		}
	}
}

// leaves checks what Close says of black.
func leaves(dirty bool) func(*testing.T, *match, *Result) {
	return func(t *testing.T, m *match, _ *Result) {
		t.Helper()
		if got := m.players[0].Close(); got != dirty {
			t.Errorf("a dirty exit: %v, want %v", got, dirty)
		}
		fakeengine.NoneLeft(t, "KUMIKO_TEST="+m.marks[0])
		if m.players[0].Close() {
			t.Error("nothing was left to be dirty")
		}
	}
}

// about checks the answer to ABOUT.
func about(text string) func(*testing.T, *match, *Result) {
	return func(t *testing.T, m *match, _ *Result) {
		t.Helper()
		if got := m.players[0].About(); got != text {
			t.Errorf("about %s, want %s", got, text)
		}
	}
}

// quickly checks that the game had not to wait for a limit of time.
func quickly(t *testing.T, m *match, e *Result) {
	t.Helper()
	if total := m.ended.Sub(m.begun); total > patience/2 {
		t.Errorf("the game took %v", total)
	}
}

var starting = []row{
	{name: "plays along", want: "1-0 five", check: all(about(`"name=\"Fake\", version=\"1\""`), again(true, "1-0 five", ""), leaves(false))},
	{name: "ignores ABOUT", black: then("about="), want: "1-0 five", check: about("")},
	{name: "ABOUT with no quotes", black: then("about=line:name=Fake"), want: "1-0 five", check: about(`"name=Fake"`)},
	{name: "ABOUT late", black: does("about=", `line:name=\"Fake\"&5,7`, "6,7", "7,7", "8,7", "9,7"), want: "1-0 five", check: about(`"name=\"Fake\""`)},
	{name: "ABOUT unknown", black: then("about=line:UNKNOWN command"), want: "1-0 five", check: about("")},
	{name: "ok", black: then("start=line:ok"), want: "1-0 five"},
	{name: "OK with text", black: then("start=line: OK - everything is good"), want: "1-0 five"},
	{name: "OK twice", black: then("start=print:OK\\nOK\\n"), want: "1-0 five"},
	{name: "MESSAGE before OK", black: then("start=line:MESSAGE wait&line:debug 7,7&line:OK"), want: "1-0 five", check: stale(0)},
	{name: "banner before OK", black: then("launch=line:Fake 1.0&line:by nobody", "start=line:board is fine&line:OK"), want: "1-0 five"},
	{name: "move before OK", black: then("start=print:7,7\\nOK\\n"), want: "1-0 five", check: stale(1)},
	{name: "ends lines with CR", black: then(`eol=\r`), want: "1-0 five", check: played(fiveMoves)},
	{name: "ends lines with CR LF", black: then(`eol=\r\n`), want: "1-0 five", check: played(fiveMoves)},
	{name: "blank lines", black: then(`eol=\n\r\n\n\n`), want: "1-0 five", check: played(fiveMoves)},
	{name: "gets CR LF", black: five, engine: func(_ *testing.T, e *config.Engine) { e.CRLF = true }, want: "1-0 five"},
	{name: "starts slowly", black: then("start=sleep:300ms&line:OK"), want: "1-0 five", check: func(t *testing.T, _ *match, e *Result) {
		if d := e.Start[board.Black].Duration(); d < 300*time.Millisecond {
			t.Errorf("time to get ready: %v", d)
		}
	}},

	{name: "START is an error", black: does("start=line:ERROR too big"), want: "0-1 start-error", detail: `^answered START 15 with "ERROR too big"$`, check: leaves(false)},
	{name: "START is unknown", black: does("start=line:unknown START"), want: "0-1 start-error", detail: `"unknown START"`},
	{name: "never OK", black: does("start="), engine: func(_ *testing.T, e *config.Engine) { e.Start = 100 * time.Millisecond },
		want: "0-1 start-timeout", detail: "^did not answer START 15 within 100 ms$", check: leaves(false)},
	{name: "starts too slowly", black: does("start=stall"), engine: func(_ *testing.T, e *config.Engine) { e.Start = 100 * time.Millisecond }, want: "0-1 start-timeout"},
	{name: "OK without line end", black: does("start=print:OK&stall"), engine: soon, want: "0-1 start-timeout", detail: `; it printed "OK" without a line end$`},
	{name: "junk for OK", black: does("start=line:yes&stall"), engine: soon, want: "0-1 start-timeout", detail: `; it said "yes"$`},
	{name: "exits at START", black: does("start=exit:3"), want: "0-1 crash", detail: "^exited with code 3$", check: all(quickly, again(false, "0-1 crash", "code 3"))},
	{name: "exits at once", black: does("launch=exit:0"), want: "0-1 crash", detail: "^exited with code 0$", check: quickly},
	{name: "exits after OK", black: does("start=line:OK&exit:4"), want: "0-1 crash", detail: "^exited with code 4$", check: quickly},
	{name: "program is missing", engine: program("./no such engine"), want: "0-1 start-exec", detail: `^starting .*no such file`},
	{name: "program is not in PATH", engine: program("no-such-engine"), want: "0-1 start-exec", detail: `not in PATH`},
	{name: "program is a directory", engine: func(t *testing.T, e *config.Engine) { e.Args = []string{t.TempDir()} }, want: "0-1 start-exec", detail: "is a directory"},
	{name: "program is in no directory", engine: func(t *testing.T, e *config.Engine) { e.Args = []string{e.Args[0] + "/engine"} }, want: "0-1 start-exec", detail: "starting"},
	{name: "program is not executable", engine: notExecutable, want: "0-1 start-exec", detail: "is not executable"},
	{name: "program is text", engine: textProgram, want: "0-1 start-exec", detail: "neither a program nor a script"},
	{name: "directory is missing", engine: func(_ *testing.T, e *config.Engine) { e.Dir = "/no/such/directory" }, want: "0-1 start-exec", detail: "^working directory"},
	{name: "neither starts", black: does("start=exit:1"), white: does("start=exit:2"), want: "0-1 crash", detail: "code 1"},
	{name: "white does not start", white: does("start=exit:2"), want: "1-0 crash", detail: "code 2"},

	{name: "rectangular board", settings: Settings{Width: 9, Height: 7}, black: does("0,6", "1,6", "2,6", "3,6", "4,6"), want: "1-0 five", check: all(told("RECTSTART 9,7"), played("a7a1b7b1c7c1d7d1e7"))},
	{name: "RECTSTART is unknown", settings: Settings{Width: 9, Height: 7}, black: does("start=line:UNKNOWN"), want: "0-1 start-error", detail: `^answered RECTSTART 9,7 with "UNKNOWN"$`},
}

func program(args ...string) func(*testing.T, *config.Engine) {
	return func(_ *testing.T, e *config.Engine) { e.Args = args }
}

func notExecutable(t *testing.T, e *config.Engine) {
	unix(t, e)
	writeProgram(t, e, 0o644)
}

func textProgram(t *testing.T, e *config.Engine) {
	unix(t, e)
	writeProgram(t, e, 0o755)
}

func writeProgram(t *testing.T, e *config.Engine, mode os.FileMode) {
	file := filepath.Join(t.TempDir(), "pbrain")
	if err := os.WriteFile(file, []byte("hello, world, this is no program\n"), mode); err != nil {
		t.Fatal(err)
	}
	e.Args = []string{file}
}

var moving = []row{
	{name: "no line end", black: does("print:7,7&stall"), engine: soon, want: "0-1 no-answer", detail: `; it printed "7,7" without a line end$`, check: again(false, "0-1 no-answer", "")},
	{name: "no line end, then exit", black: does("print:7,7&exit:1"), want: "0-1 crash", detail: `^exited with code 1 \(partial line "7,7"\)$`, check: quickly},
	{name: "late within margin", black: then("sleep:100ms&4,7"), engine: limits(50*time.Millisecond, patience, 0), want: "1-0 five", check: func(t *testing.T, _ *match, e *Result) {
		if e.Times[0].Duration() < 100*time.Millisecond {
			t.Errorf("the move took %v", e.Times[0].Duration())
		}
	}},
	{name: "late within grace", black: does("sleep:100ms&4,7"), engine: limits(20*time.Millisecond, 10*time.Millisecond, patience),
		want: "0-1 time", detail: `^took 1\d\d\.\d+ ms, [\d.]+ ms more than 20 ms and the margin of 10 ms$|^took \d{3,}`, check: again(true, "0-1 time", "")},
	{name: "never answers", black: does("stall"), engine: limits(50*time.Millisecond, 20*time.Millisecond, 30*time.Millisecond),
		want: "0-1 no-answer", detail: "^no answer within 50 ms, margin 20 ms and grace 30 ms$", check: leaves(false)},
	{name: "never answers the second time", black: does("7,7", "stall"), engine: soon, want: "0-1 no-answer", check: all(played("h8a1"), again(false, "0-1 no-answer", ""))},
	{name: "answers twice", black: then(`print:4,7\n3,7\n`), want: "1-0 five", check: all(stale(1), played("e8a1f8b1g8c1h8d1i8"))},
	{name: "answers twice to the end", black: does(`print:5,7\n1,14\n`, `print:6,7\n2,14\n`, `print:7,7\n3,14\n`, `print:8,7\n4,14\n`, `9,7`), want: "1-0 five", check: all(stale(4), played(fiveMoves))},
	{name: "tells of its last move", black: does(`print:5,7\nMESSAGE depth 9 name=x\n`, "6,7", "7,7", "8,7", "9,7"), want: "1-0 five", check: func(t *testing.T, m *match, e *Result) {
		if e.Info != nil || e.Stale != [2]int{} { // too late for the one, too early for the other
			t.Errorf("info %v, stale %v", e.Info, e.Stale)
		}
	}},
	{name: "move after the last", black: does("5,7", "6,7", "7,7", "8,7", `print:9,7\n0,14\n`, "0,0"), want: "1-0 five", check: func(t *testing.T, m *match, e *Result) {
		second := m.play() // notices the one of the first game, if that has not
		if n := e.Stale[0] + second.Stale[0]; n < 1 || second.Moves != fiveMoves {
			t.Errorf("%d stale moves; %s, then %s", n, e.Moves, second.Moves)
		}
	}},
	{name: "move too many before losing", black: does("0,0", "2,0", "4,0", "6,0", `print:8,0\n14,14\n`), white: does("5,7", "6,7", "7,7", "8,7", "sleep:300ms&9,7"), want: "0-1 five", check: stale(1)},
	{name: "some junk", black: then(`line:hello&line:7;7&line:7,7,1&line:(7,7)&line:h8&line:7&line:,&line:a,b&4,7`), want: "1-0 five", check: played("e8a1f8b1g8c1h8d1i8")},
	{name: "much junk", black: does("flood:32:x"), want: "0-1 garbage", detail: `^printed 32 lines that are not moves, the last "x"$`, check: all(quickly, again(true, "0-1 garbage", ""))},
	{name: "as much junk as allowed", black: then("flood:31:x&4,7"), want: "1-0 five"},
	{name: "semicolon", black: does("line:7;7"), engine: soon, want: "0-1 garbage", detail: `; it said "7;7"$`},
	{name: "three numbers", black: does("line:7,7,1"), engine: soon, want: "0-1 garbage", detail: `"7,7,1"`},
	{name: "letters", black: does("line:h8"), engine: soon, want: "0-1 garbage", detail: `"h8"`},
	{name: "nothing of use", black: does("line:none"), engine: soon, want: "0-1 garbage", detail: `"none"`},
	{name: "terminal codes", black: does(`line:\x1b[31m\u2028`), engine: soon, want: "0-1 garbage", detail: `"\\x1b\[31m\\u2028"`},
	{name: "blanks", black: then(`line: \t4 ,  7 `), want: "1-0 five", check: played("e8a1f8b1g8c1h8d1i8")},
	{name: "plus", black: then(`line:+4,+7`), want: "1-0 five", check: played("e8a1f8b1g8c1h8d1i8")},
	{name: "occupied by white", black: does("7,7", "0,0"), want: "0-1 illegal-occupied", detail: "^played a1, which is occupied$", check: all(played("h8a1"), again(true, "0-1 illegal-occupied", ""))},
	{name: "occupied by itself", black: does("7,7", "7,7"), want: "0-1 illegal-occupied", detail: "^played h8"},
	{name: "off the board", black: does("15,0"), want: "0-1 illegal-range", detail: "^played 15,0, which is off the board$", check: again(true, "0-1 illegal-range", "")},
	{name: "below the board", black: does("14,15"), want: "0-1 illegal-range", detail: "^played 14,15,"},
	{name: "far off the board", black: does("99,0"), want: "0-1 illegal-range", detail: "^played 99,0,"},
	{name: "very far off the board", black: does("0,999999999"), want: "0-1 illegal-range"},
	{name: "no number so big", black: does("line:0,9999999999"), engine: soon, want: "0-1 garbage"},
	{name: "negative", black: does("-1,3"), want: "0-1 illegal-range", detail: "^played -1,3,"},
	{name: "not ASCII", black: then(`line:\x00\xff\xfe7,7&line:\u00e97,7&line:MESSAGE \xff&4,7`), want: "1-0 five", check: played("e8a1f8b1g8c1h8d1i8")},
	{name: "INFO is unknown", black: then("info=line:UNKNOWN command"), want: "1-0 five"},
	{name: "INFO is an error", black: then("info=line:ERROR no"), want: "1-0 five"},
	{name: "INFO is OK", black: then("info=line:OK"), want: "1-0 five"},
	{name: "TURN is OK", black: does("line:OK"), engine: soon, want: "0-1 no-answer", detail: `; it said "OK"$`},
	{name: "TURN is an error", black: does("line:ERROR I give up"), engine: soon, want: "0-1 no-answer", detail: `; it said "ERROR I give up"$`},
	{name: "suggests", black: then("line:SUGGEST 4,7"), want: "1-0 five", check: all(told("PLAY 4,7"), played("e8a1f8b1g8c1h8d1i8"))},
	{name: "suggests nothing", black: does("line:SUGGEST"), engine: soon, want: "0-1 garbage", detail: `"SUGGEST"`},
	{name: "10 MB of MESSAGE after moving", black: does("5,7&flood:100000:MESSAGE "+long, "6,7", "7,7", "8,7", "9,7"), want: "1-0 five", check: all(stale(0), played(fiveMoves))},
	{name: "10 MB of DEBUG before moving", black: does("flood:100000:DEBUG "+long+"&5,7", "6,7", "7,7", "8,7", "9,7"), want: "1-0 five", check: all(stale(0), played(fiveMoves))},
	{name: "10 MB of MESSAGE and no move", black: does("flood:100000:MESSAGE " + long), engine: soon, want: "0-1 no-answer"},
	{name: "MESSAGE without end", black: does("flood:1000000000:MESSAGE " + long), engine: limits(100*time.Millisecond, 0, 100*time.Millisecond), want: "0-1 no-answer", check: quickly},
	{name: "moves without end", black: does("flood:1000000000:7,7"), white: does("sleep:300ms&move"), want: "0-1 flood", detail: "^printed more than 256 unsolicited lines", check: all(quickly, again(false, "0-1 flood", ""))},
	{name: "a long line", black: does("fill:100000&stall"), want: "0-1 flood", detail: "^printed a line of more than 65536 bytes", check: quickly},
	{name: "a long MESSAGE", black: does("print:MESSAGE &fill:100000&line:&7,7"), want: "0-1 flood", check: quickly},
	{name: "10 MB of errors", black: then("flood-stderr:100000:" + long + "&4,7"), want: "1-0 five", check: played("e8a1f8b1g8c1h8d1i8")},
	{name: "errors are no moves", black: then("flood-stderr:3:8,8&4,7"), want: "1-0 five", check: all(stale(0), played("e8a1f8b1g8c1h8d1i8"))},
	{name: "tells of its move", black: does("line:MESSAGE depth 11-17 ev 188 n 57220 n/s 380957 tm 150 pv i10 h10&5,7", "6,7", "7,7", "line:DEBUG depth 3&8,7", "9,7"), want: "1-0 five", check: informs},
}

var long = strings.Repeat("blah ", 20)

func informs(t *testing.T, _ *match, e *Result) {
	if len(e.Info) != 9 || e.Info[0] == nil || e.Info[6] == nil || e.Info[8] != nil {
		t.Fatalf("info %v", e.Info)
	}
	i := e.Info[0]
	if i.Depth != 11 || i.SelDepth != 17 || i.Score != "188" || i.Nodes != 57220 || i.Speed != 380957 || i.Time != 150*time.Millisecond || i.PV != "i10 h10" {
		t.Errorf("info %+v", i)
	}
	if i := e.Info[6]; i.Depth != 3 || i.Nodes != 0 {
		t.Errorf("info %+v", i)
	}
}

var processes = []row{
	{name: "exits", black: does("7,7", "exit:0"), want: "0-1 crash", detail: "^exited with code 0$", check: all(quickly, played("h8a1"), again(false, "0-1 crash", ""), leaves(false))},
	{name: "exits with an error", black: does("7,7", "exit:7"), want: "0-1 crash", detail: "^exited with code 7$"},
	{name: "exits after its move", black: does("7,7&exit:7"), white: does("sleep:300ms&move"), want: "0-1 crash", detail: "code 7", check: played("h8a1")},
	{name: "exits after winning", black: does("5,7", "6,7", "7,7", "8,7", "9,7&exit:7"), want: "1-0 five", check: func(t *testing.T, m *match, e *Result) {
		<-m.players[0].proc.Done()
		again(false, "1-0 five", "")(t, m, e)
	}},
	{name: "a fault of segmentation", black: does("segv"), engine: unix, want: "0-1 crash", detail: "^was killed by SIGSEGV$", check: quickly},
	{name: "dies and leaves a child", black: does("fork&7,7", "exit:1"), want: "0-1 crash", detail: "code 1", check: quickly},
	{name: "dies and leaves a daemon", black: does("daemon&7,7", "exit:1"), engine: unix, want: "0-1 crash", detail: "code 1", check: quickly},
	{name: "stalls with a child", black: does("fork&stall"), engine: soon, want: "0-1 no-answer", check: leaves(false)},
	{name: "stalls with a daemon", black: does("daemon&stall"), engine: soon, want: "0-1 no-answer", check: leaves(false)},
	{name: "leaves a child", black: does("fork&5,7", "6,7", "7,7", "8,7", "9,7"), engine: unix, want: "1-0 five", check: leaves(true)},
	{name: "leaves a daemon", black: does("daemon&5,7", "6,7", "7,7", "8,7", "9,7"), engine: unix, want: "1-0 five", check: leaves(true)},
	{name: "hangs on END", black: then("end=stall"), want: "1-0 five", check: all(again(true, "1-0 five", ""), leaves(true))},
	{name: "hangs on END always", black: then("end=stall"), engine: restart(config.RestartAlways), want: "1-0 five", check: all(again(false, "1-0 five", ""), leaves(true))},
	{name: "says something on END", black: then("end=line:bye&line:1,1&exit:1"), want: "1-0 five", check: leaves(false)},
	{name: "closes its input", black: does("close-stdin&7,7&stall"), engine: unix, want: "0-1 crash", detail: "^closed its input$", check: quickly},
	{name: "closes its output", black: does("close-stdout&stall"), want: "0-1 crash", detail: "^closed its output$", check: quickly},
	{name: "closes its output and exits", black: does("close-stdout&sleep:50ms&exit:5"), want: "0-1 crash", detail: "^exited with code 5$", check: quickly},
	{name: "reads nothing", settings: Settings{Width: 32, Height: 32}, opening: bigOpening(), black: does("launch=line:OK&stall"), engine: soon, want: "0-1 no-answer"},
	{name: "uses too much memory", black: does("alloc:192&7,7"), engine: memory(128), want: "0-1 memory", detail: `^used \d+ of 128 MiB of memory: memory=SIZE sets another limit, --memory-limit announce enforces none$`, check: all(usedMemory(192), says(`^White win by opponent over its memory limit \(\d+ of 128 MiB\), ended by the tournament$`), again(false, "0-1 memory", ""), leaves(false))},
	{name: "uses memory", black: then("alloc:192&4,7"), engine: memory(4000), want: "1-0 five", check: usedMemory(192)},

	{name: "RESTART is good", black: five, engine: restart(config.RestartNever), want: "1-0 five", check: all(again(true, "1-0 five", ""), again(true, "1-0 five", ""), told("RESTART"))},
	{name: "RESTART is unknown", black: then("restart=line:UNKNOWN command"), want: "1-0 five", check: all(again(false, "1-0 five", ""), again(false, "1-0 five", ""), leaves(false))},
	{name: "RESTART is not answered", black: then("restart="), engine: func(_ *testing.T, e *config.Engine) { e.Start = 3 * time.Second }, want: "1-0 five", check: all(again(false, "1-0 five", ""), notTwice, leaves(false))},
	{name: "RESTART is unknown but must do", black: then("restart=line:UNKNOWN command"), engine: restart(config.RestartNever), want: "1-0 five", check: again(true, "0-1 start-error", `^answered RESTART with "UNKNOWN command"$`)},
	{name: "exits at RESTART", black: then("restart=exit:2"), want: "1-0 five", check: again(false, "1-0 five", "")},
	{name: "exits at RESTART that must do", black: then("restart=exit:2"), engine: restart(config.RestartNever), want: "1-0 five", check: again(true, "0-1 crash", "code 2")},
	{name: "never restarts", black: five, engine: restart(config.RestartAlways), want: "1-0 five", check: all(again(false, "1-0 five", ""), leaves(false))},
	{name: "fails though RESTART must do", black: does("7,7", "stall"), engine: func(_ *testing.T, e *config.Engine) {
		soon(nil, e)
		e.Restart = config.RestartNever
	}, want: "0-1 no-answer", check: again(false, "0-1 no-answer", "")},
	{name: "has ended though RESTART must do", black: does("7,7", "exit:1"), engine: restart(config.RestartNever), want: "0-1 crash", check: again(false, "0-1 crash", "")},
}

// notTwice checks that RESTART is not tried again when it was not answered.
func notTwice(t *testing.T, m *match, _ *Result) {
	e := m.play()
	want(t, e, "1-0 five", "")
	if d := e.Start[board.Black].Duration(); d >= m.players[0].engine.Start {
		t.Errorf("getting ready again took %v", d)
	}
}

// memory sets a limit in MiB.
func memory(mib int64) func(*testing.T, *config.Engine) {
	return func(t *testing.T, e *config.Engine) {
		if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
			t.Skip("the use of memory is not known on this system")
		}
		e.Memory = mib << 20
	}
}

// says checks the text of the reason.
func says(pattern string) func(*testing.T, *match, *Result) {
	return func(t *testing.T, _ *match, e *Result) {
		t.Helper()
		if !regexp.MustCompile(pattern).MatchString(e.Text) {
			t.Errorf("text %q, want %s", e.Text, pattern)
		}
	}
}

// usedMemory checks that black has used so many MiB and white has not.
func usedMemory(mib int64) func(*testing.T, *match, *Result) {
	return func(t *testing.T, _ *match, e *Result) {
		t.Helper()
		if e.Memory[0] < mib<<10 || e.Memory[1] >= mib<<10 {
			t.Errorf("used KiB of memory: %v, %d MiB by black", e.Memory, mib)
		}
	}
}

// bigOpening returns an opening of 1000 stones for a board of 32x32, without
// a five.
func bigOpening() string {
	var stones [2][]board.Move
	for i := range 32 * 32 {
		x, y := i%32, i/32
		c := (x + 2*y) % 4 / 2
		stones[c] = append(stones[c], board.Pt(x, y))
	}
	var text strings.Builder
	for i := range 500 {
		text.WriteString(notation.FormatPosition([]board.Move{stones[0][i], stones[1][i]}, 15, notation.FromTop))
	}
	return text.String()
}

// TestFailures plays against engines that behave badly, and against some that
// do nothing wrong.
func TestFailures(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string][]row{"starting": starting, "moving": moving, "processes": processes} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range rows {
				t.Run(r.name, r.run)
			}
		})
	}
}

func (r *row) run(t *testing.T) {
	t.Parallel()
	black := engine(t, "black", r.black...)
	if r.engine != nil {
		r.engine(t, &black)
	}
	m := newMatch(t, r.settings, r.opening, black, engine(t, "white", r.white...))
	e := m.play()
	want(t, e, r.want, r.detail)
	if r.check != nil {
		r.check(t, m, e)
	}
}
