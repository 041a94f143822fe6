package check

import (
	"strings"
	"testing"
)

// tableAfter returns what the board is after lines.
func tableAfter(lines ...string) *table {
	t := newTable()
	for _, line := range lines {
		t.hear(line)
	}
	return t
}

func TestTable(t *testing.T) {
	tests := []struct {
		lines         string
		width, height int
		taken, asked  int
	}{
		{"", 0, 0, 0, 0},
		{"START 15", 15, 15, 0, 0},
		{"START 15 20", 15, 20, 0, 0},
		{"\uFEFF start  15\r", 15, 15, 0, 0},
		{"RECTSTART 15,20", 15, 20, 0, 0},
		{"START -5", 0, 0, 0, 0},
		{"START x", 0, 0, 0, 0},
		{"START 15|START 99999999999999999999", 15, 15, 0, 0},
		{"START 15|BEGIN", 15, 15, 0, 1},
		{"START 15|TURN 7,7", 15, 15, 1, 1},
		{"START 15|TURN 7 , 7", 15, 15, 1, 1},
		{"START 15|TURN 99,7", 15, 15, 0, 1},
		{"START 15|TURN 7,7|RESTART", 15, 15, 0, 1},
		{"START 15|TURN 7,7|TAKEBACK 7,7", 15, 15, 0, 1},
		{"START 15|PLAY 7,7", 15, 15, 0, 1},
		{"START 15|BOARD|1,1,1|2,2,2||DONE", 15, 15, 2, 1},
		{"START 15|TURN 7,7|BOARD|1,1,1|2,2,2|x|DONE", 15, 15, 1, 2},
		{"START 15|TURN 7,7|BOARD|1,1,1|99,1,1|2,2,2|DONE", 15, 15, 1, 2},
		{"START 15|TURN 7,7|BOARD 1,1,1 2,2,2 1,1,2 DONE", 15, 15, 1, 2},
		{"START 15|YXBOARD|1,1,1|x|DONE", 15, 15, 0, 0},
		{"START 15|TURN 7,7|BOARD|1,1,1|DONE", 15, 15, 1, 2},
		{"START 15|BOARD 1,1,1 2,2,2 done", 15, 15, 2, 1},
		{"START 15|YXBOARD|1,1,1|DONE", 15, 15, 1, 0},
		{"START 15|SWAP2BOARD|1,1|DONE", 15, 15, 1, 1},
		{"START 15|INFO rule 1|FOO|DONE", 15, 15, 0, 0},
	}
	for _, tt := range tests {
		got := tableAfter(strings.Split(tt.lines, "|")...)
		if got.width != tt.width || got.height != tt.height || len(got.taken) != tt.taken || got.asked != tt.asked {
			t.Errorf("%q: %dx%d, %d taken, %d asked", tt.lines, got.width, got.height, len(got.taken), got.asked)
		}
	}
	if p := tableAfter("START 15", "TURN 7,7").free(); p == (point{7, 7}) || p.x < 6 || p.x > 8 {
		t.Errorf("free: %v", p)
	}
}

func TestSatisfies(t *testing.T) {
	board := tableAfter("START 15", "TURN 7,7")
	tests := []struct {
		want, line, fault string
	}{
		{"ok", "OK", ""},
		{"ok", "ok", "it is not exactly OK"},
		{"ok", "OK ", "it is not exactly OK"},
		{"ready", "ok - ready", ""},
		{"ready", "OKAY", "it is not OK"},
		{"move", "8,8", ""},
		{"move", " 8, 8 ", ""},
		{"move", "7,7", "the point is taken"},
		{"move", "15,0", "it is off the board of 15x15"},
		{"move", "-1,0", "it is off the board of 15x15"},
		{"move", "8,8 9,9", "it is not a move"},
		{"move", "8;8", "it is not a move"},
		{"move", "", "it is not a move"},
		{"move only 1,1 2,2", "2,2", ""},
		{"move only 1,1 2,2", "3,3", "it is another"},
		{"move not 1,1", "1,1", "it is not"},
		{"points 3", "1,1 2,2 3,3", ""},
		{"points 3", "1,1 2,2", "it has 2 points"},
		{"points 1 2", "1,1", ""},
		{"points 1 2", "1,1 7,7", "7,7: the point is taken"},
		{"points 2", "1,1 1,1", "1,1 comes twice"},
		{"points 1", "SWAP", "it has 0 points"},
		{"swap", "Swap", ""},
		{"swap", "SWAP2", "it is not SWAP"},
		{"error", "ERROR what", ""},
		{"unknown", "ERROR what", "it is not UNKNOWN"},
		{"about", `name="A", x`, ""},
		{"about", `Name A`, `it has no name="…"`},
		{"about plain", `name="A", author="B"`, ""},
		{"about plain", `name="A", author="B, C"`, `the part "C\"" is not a pair of a name and a value`},
		{"about plain", `name="A=B"`, `the part "name=\"A=B\"" is not a pair of a name and a value`},
		{"forbid 0707", "FORBID 0707.", ""},
		{"forbid 0707", "FORBID .", "it is not FORBID 0707."},
		{"any", "whatever", ""},
		{"silent", "whatever", "nothing was asked"},
	}
	for _, tt := range tests {
		var s step
		if err := s.parseWants(tt.want); err != nil {
			t.Fatal(err)
		}
		if got := board.satisfies(s.wants[0], tt.line); got != tt.fault {
			t.Errorf("%s: %q: %q, want %q", tt.want, tt.line, got, tt.fault)
		}
	}
}

func TestHygiene(t *testing.T) {
	tests := []struct{ line, monitor string }{
		{"OK", ""}, {"ok", ""}, {"7,7", ""}, {"7,7 8,8 9,9", ""}, {"SWAP", ""}, {"MESSAGE all is well", ""},
		{"ERROR", ""}, {"UNKNOWN x", ""}, {"FORBID 0707.", ""}, {`name="A", version="1"`, ""}, {"  ", ""},
		{"MESSAGE", "form"}, {"message x", "form"}, {"error x", "form"}, {"7, 7", "form"}, {"7,7 ", "form"}, {" 7,7", "form"},
		{"+7,7", "form"}, {"7,7  8,8", "form"}, {"7,7\t8,8", "form"}, {"(7,7)", "form"}, {"hello", "form"}, {"MESSAGE ü", "form"},
		{"MESSAGE \x1b", "form"}, {"7,7,1", "form"},
		{"DEBUG x", "debug"}, {"debug", "debug"}, {"SUGGEST 7,7", "suggest"},
	}
	for _, tt := range tests {
		h := hygiene{faults: map[string][]string{}}
		h.line(tt.line)
		got := ""
		for monitor := range h.faults {
			got += monitor
		}
		if got != tt.monitor {
			t.Errorf("%q: %q, want %q: %q", tt.line, got, tt.monitor, h.faults)
		}
	}
	h := hygiene{faults: map[string][]string{}}
	for range 3 {
		h.line("hello")
		h.unasked("7,7")
		h.unasked("ERROR x")
	}
	if len(h.faults["form"]) != 1 || len(h.faults["count"]) != 1 {
		t.Errorf("%q", h.faults)
	}
}

// FuzzLines has an engine print anything.
func FuzzLines(f *testing.F) {
	for _, line := range []string{"OK", "7,7", "7, 7 8,8", `name="x=y",`, "\xff,\x00", "99999999999999999999,1", "-,-", "SUGGEST 1,1", "1,1 1,1 1,1"} {
		f.Add(line)
	}
	var s step
	for _, w := range []string{"ok | ready | error | unknown | swap | silent | any | about | about plain | forbid 0707", "move only 1,1 not 2,2", "points 1 2 3"} {
		if err := s.parseWants(w); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, line string) {
		board := tableAfter("START 15", "TURN 7,7")
		for _, w := range s.wants {
			if board.satisfies(w, line) == "" && w.form == formMove {
				if p, _ := leadingPoint(line); p != (point{1, 1}) {
					t.Errorf("%q is not a move to 1,1", line)
				}
			}
		}
		h := hygiene{faults: map[string][]string{}}
		h.line(line)
		if text := shown(line); len(text) > maxShown+40 {
			t.Errorf("%d bytes shown", len(text))
		}
		board.hear(line)
		if line == strings.ToUpper(line) && !isExact(line) && len(h.faults) == 0 && points(line) != nil {
			t.Errorf("%q has nothing wrong", line)
		}
	})
}
