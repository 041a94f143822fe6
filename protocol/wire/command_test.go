package wire

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	tests := []struct {
		line string
		want Command
		bad  bool
	}{
		{line: "", want: Command{Verb: Blank}},
		{line: " \t\x00\uFEFF", want: Command{Verb: Blank}},
		{line: "START 15", want: Command{Verb: Start, X: 15, Y: 15}},
		{line: "start 15 20", want: Command{Verb: Start, X: 15, Y: 20}},
		{line: "Start\t15 , 20\r", want: Command{Verb: Start, X: 15, Y: 20}},
		{line: "START 15x20", want: Command{Verb: Start, X: 15, Y: 20}},
		{line: "\uFEFFSTART 15 X 20", want: Command{Verb: Start, X: 15, Y: 20}},
		{line: "START", want: Command{Verb: Start}, bad: true},
		{line: "START x", want: Command{Verb: Start}, bad: true},
		{line: "START 15x", want: Command{Verb: Start}, bad: true},
		{line: "START 15.0", want: Command{Verb: Start}, bad: true},
		{line: "START 1 2 3", want: Command{Verb: Start}, bad: true},
		{line: "START 99999999999999999999", want: Command{Verb: Start, X: 1<<31 - 1, Y: 1<<31 - 1}},
		{line: "START15", want: Command{Verb: Unknown}},
		{line: "RECTSTART 15, 20", want: Command{Verb: RectStart, X: 15, Y: 20}},
		{line: "RECTSTART 15", want: Command{Verb: RectStart}, bad: true},
		{line: "TURN 7,8", want: Command{Verb: Turn, X: 7, Y: 8}},
		{line: "TURN 7 , 8 ", want: Command{Verb: Turn, X: 7, Y: 8}},
		{line: "TURN 7 8", want: Command{Verb: Turn, X: 7, Y: 8}},
		{line: "TURN 7,8,1", want: Command{Verb: Turn, X: 7, Y: 8}},
		{line: "TURN +7,-8", want: Command{Verb: Turn, X: 7, Y: -8}},
		{line: "TURN 7", want: Command{Verb: Turn}, bad: true},
		{line: "TURN 7,", want: Command{Verb: Turn}, bad: true},
		{line: "TURN 7,,8", want: Command{Verb: Turn}, bad: true},
		{line: "TURN 7-8", want: Command{Verb: Turn}, bad: true},
		{line: "TURN h8", want: Command{Verb: Turn}, bad: true},
		{line: "TURN 7,8x", want: Command{Verb: Turn}, bad: true},
		{line: "TAKEBACK 0,0", want: Command{Verb: TakeBack}},
		{line: "play 1,2", want: Command{Verb: Play, X: 1, Y: 2}},
		{line: "INFO Folder C:\\My  Files\\ ", want: Command{Verb: Info, Setting: Setting{Key: "folder", Value: "C:\\My  Files\\"}}},
		{line: "info", want: Command{Verb: Info}},
		{line: "INFO TIMEOUT_TURN 1000ms", want: Command{Verb: Info, Setting: Setting{TimeoutTurn, "1000ms", 1000, true}}},
		{line: "INFO max_memory -99999999999999999999", want: Command{Verb: Info, Setting: Setting{MaxMemory, "-99999999999999999999", -math.MaxInt64, true}}},
		{line: "YXNBEST 3", want: Command{Verb: YXNBest, X: 3}},
		{line: "YXNBEST", want: Command{Verb: YXNBest, X: 1}},
		{line: "stop", want: Command{Verb: Stop}},
		{line: "YXSTOP", want: Command{Verb: Stop}},
		{line: "7,7", want: Command{Verb: Unknown}},
	}
	for _, test := range tests {
		got, err := Parse(test.line)
		if (err != nil) != test.bad {
			t.Errorf("Parse(%q): error %v", test.line, err)
			continue
		}
		got.Word, got.Args = "", ""
		if got != test.want {
			t.Errorf("Parse(%q) = %+v, want %+v", test.line, got, test.want)
		}
	}
}

func TestUnknownWord(t *testing.T) {
	for word, want := range map[string]string{
		"FOO":                    "UNKNOWN command FOO",
		"\xff\xfe":               "UNKNOWN command ??",
		strings.Repeat("x", 999): "UNKNOWN command xxxxxxxxxxxxxxxxxxxx",
	} {
		if got := UnknownWord(word); got != want {
			t.Errorf("UnknownWord(%q) = %q, want %q", word, got, want)
		}
	}
}

// FuzzParse looks for panics and for parts of commands that make no sense.
func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"START 15", "start 15 15", "RECTSTART 15, 20", "TURN 7 , 7", "BOARD 7,7,1 8,8,2 DONE",
		"INFO timeout_turn 1000", "\uFEFFINFO folder C:\\a b", "\uFEFF \uFEFF", "YXNBEST 2", "😀", "TURN -99999999999999999999,1",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c, err := Parse(line)
		switch {
		case c.Verb == Blank && (c.Word != "" || err != nil):
			t.Errorf("a blank line with %+v, %v", c, err)
		case c.Verb != Blank && c.Word == "":
			t.Errorf("no word in %+v", c)
		case strings.IndexFunc(c.Word, isBlank) >= 0:
			t.Errorf("word %q has blanks", c.Word)
		case !hasNumbers(c.Verb) && (c.X != 0 || c.Y != 0):
			t.Errorf("numbers in %+v", c)
		}
		again, err2 := Parse(" " + c.Word + "\t" + c.Args + "\r\n")
		if again != c && utf8.ValidString(line) || (err == nil) != (err2 == nil) {
			t.Errorf("%q is %+v, but written again %+v", line, c, again)
		}
		if reply := UnknownWord(c.Word); len(reply) > 40 || strings.IndexFunc(reply, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
			t.Errorf("reply %q", reply)
		}
	})
}

func hasNumbers(v Verb) bool {
	switch v {
	case Start, RectStart, Turn, TakeBack, Play, YXNBest:
		return true
	}
	return false
}
