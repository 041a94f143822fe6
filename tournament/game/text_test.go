package game

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
)

func TestParseMove(t *testing.T) {
	for _, tt := range []struct {
		text string
		want board.Move
		ok   bool
	}{
		{"0,0", board.Pt(0, 0), true},
		{"7,7", board.Pt(7, 7), true},
		{"14,0", board.Pt(14, 0), true},
		{"0,31", board.Pt(0, 31), true},
		{" 7 ,\t7 ", board.Pt(7, 7), true},
		{"+7,+0", board.Pt(7, 0), true},
		{"007,07", board.Pt(7, 7), true},
		{"-0,3", board.Pt(0, 3), true},
		{"-1,3", board.NoMove, true},
		{"32,3", board.NoMove, true},
		{"3,32", board.NoMove, true},
		{"99,0", board.NoMove, true},
		{"999999999,-999999999", board.NoMove, true},
		{"9999999999,0", board.NoMove, false},
		{"", board.NoMove, false},
		{",", board.NoMove, false},
		{"7", board.NoMove, false},
		{"7,", board.NoMove, false},
		{",7", board.NoMove, false},
		{"7;7", board.NoMove, false},
		{"7 7", board.NoMove, false},
		{"7,7,1", board.NoMove, false},
		{"7,7 8,8", board.NoMove, false},
		{"h8", board.NoMove, false},
		{"(7,7)", board.NoMove, false},
		{"7.0,7", board.NoMove, false},
		{"0x7,7", board.NoMove, false},
		{"7_0,7", board.NoMove, false},
		{"--7,7", board.NoMove, false},
		{"+-7,7", board.NoMove, false},
		{"- 7,7", board.NoMove, false},
		{"7,7\x00", board.NoMove, false},
		{"\ufeff7,7", board.NoMove, false},
		{"\u0667,7", board.NoMove, false},
		{"OK", board.NoMove, false},
	} {
		if m, ok := parseMove(tt.text); m != tt.want || ok != tt.ok {
			t.Errorf("%q is %v, %v, want %v, %v", tt.text, m, ok, tt.want, tt.ok)
		}
	}
}

// FuzzParseMove compares parseMove with a regular expression.
func FuzzParseMove(f *testing.F) {
	for _, s := range []string{"7,7", "7;7", "-1,3", "99,0", " +7 , 7\t", "7,7,1", "7, 7x", "", ",", "é,7", "1234567890,1"} {
		f.Add(s)
	}
	re := regexp.MustCompile(`^[ \t]*([+-]?[0-9]{1,9})[ \t]*,[ \t]*([+-]?[0-9]{1,9})[ \t]*$`)
	f.Fuzz(func(t *testing.T, s string) {
		want := board.NoMove
		xy := re.FindStringSubmatch(s)
		if xy != nil {
			x, errX := strconv.Atoi(xy[1])
			y, errY := strconv.Atoi(xy[2])
			if errX != nil || errY != nil {
				t.Fatal(errX, errY)
			}
			if x >= 0 && y >= 0 && x < board.MaxSize && y < board.MaxSize {
				want = board.Pt(x, y)
			}
		}
		got, ok := parseMove(s)
		if got != want || ok != (xy != nil) {
			t.Errorf("%q is %v, %v, want %v, %v", s, got, ok, want, xy != nil)
		}
		if ok && got != board.NoMove {
			if again, ok := parseMove(wire(got)); again != got || !ok {
				t.Errorf("%v is written %s and read as %v", got, wire(got), again)
			}
		}
	})
}

func TestRemark(t *testing.T) {
	for _, tt := range []struct {
		line, text string
		ok         bool
	}{
		{"MESSAGE depth 3", "depth 3", true},
		{"  message \t depth  3 ", "depth  3", true},
		{"Debug\t7,7", "7,7", true},
		{"MESSAGE", "", true},
		{"MESSAGES 7", "7", false},
		{"7,7 MESSAGE", "MESSAGE", false},
		{"", "", false},
		{"  ", "", false},
	} {
		if text, ok := remark(tt.line); text != tt.text || ok != tt.ok {
			t.Errorf("%q is %q, %v, want %q, %v", tt.line, text, ok, tt.text, tt.ok)
		}
	}
}

func TestIsProposal(t *testing.T) {
	for line, want := range map[string]bool{
		"7,7 8,8 9,9": true, "7,7": true, " 7,7\t8,8 ": true, "SWAP": true, " swap ": true,
		"": false, " ": false, "SWAP 7,7": false, "7,7 x": false, "7,7,1 8,8,2": false, "7, 7": false, "OK": false,
	} {
		if isProposal(line) != want {
			t.Errorf("%q is a proposal: %v", line, !want)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"7;7", `"7;7"`},
		{"\x1b[2Jé\x00\xff\"", `"\x1b[2J\u00e9\x00\xff\""`},
		{strings.Repeat("x", 200), `"` + strings.Repeat("x", 200) + `"`},
		{strings.Repeat("x", 201), `"` + strings.Repeat("x", 200) + `"...`},
	} {
		if got := quote(tt.text); got != tt.want {
			t.Errorf("%q is quoted %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestShow(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ms", time.Nanosecond: "0 ms", 1500 * time.Microsecond: "1.5 ms", 1001 * time.Microsecond: "1.001 ms", 2 * time.Second: "2000 ms",
	} {
		if got := show(d); got != want {
			t.Errorf("%d ns are %s, want %s", d, got, want)
		}
	}
}
