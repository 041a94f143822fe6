package tournament

import (
	"context"
	"errors"
	"net"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
)

// playFakes lets two fake engines play, on 15x15 and with much time unless told
// otherwise.
func playFakes(t *testing.T, s settings, black, white []string) (result, []ply) {
	t.Helper()
	if s.size == 0 {
		s.size = 15
	}
	if s.turn == 0 {
		s.turn = 10 * time.Second
	}
	r, err := newReferee(s)
	if err != nil {
		t.Fatal(err)
	}
	var players [2]*player
	for c, command := range [2][]string{black, white} {
		if players[c], err = start(t.Context(), command); err != nil {
			t.Fatal(err)
		}
		defer players[c].close()
	}
	var plies []ply
	res, err := r.play(t.Context(), players, func(p ply) { plies = append(plies, p) })
	if err != nil {
		t.Fatal(err)
	}
	return res, plies
}

// parseMoves reads moves separated by blanks.
func parseMoves(t *testing.T, s string) []board.Move {
	t.Helper()
	var moves []board.Move
	for _, word := range strings.Fields(s) {
		m, err := board.ParseMove(word)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
	}
	return moves
}

func TestPlay(t *testing.T) {
	// White, unless told otherwise, plays along the top row; black's replies
	// lie in the middle, where they make a five.
	row := func(options ...string) []string {
		return fakeEngine(append(options, "5,7", "6,7", "7,7", "8,7", "9,7")...)
	}
	sixth := parseMoves(t, "d8 a1 e8 o1 f8 a15 h8 o15 i8 h15")
	var evens, odds []string // cells that fill 5x5 without a five
	for y := range 5 {
		for x := range 5 {
			if p := string(rune('0'+x)) + "," + string(rune('0'+y)); (x+2*y)%4 < 2 {
				evens = append(evens, p)
			} else {
				odds = append(odds, p)
			}
		}
	}
	tests := []struct {
		name         string
		settings     settings
		black, white []string
		end          end
		text         string // regular expression
	}{
		{"five", settings{}, row(), fakeEngine(), five, "black wins: f8 g8 h8 i8 j8"},
		{"white's five", settings{}, fakeEngine("0,0", "2,0", "4,0", "6,0", "8,0"), row(), five, "white wins: f8 g8 h8 i8 j8"},
		{"white to move", settings{opening: parseMoves(t, "h8 a1 i8 b1 j8")}, fakeEngine("6,7", "10,7"), fakeEngine(), five, "black wins: g8 h8 i8 j8 k8"},
		{"six in freestyle", settings{opening: sixth}, fakeEngine("6,7"), fakeEngine(), five, "black wins: d8 e8 f8 g8 h8 i8"},
		{"six in standard", settings{rule: board.Standard, opening: sixth}, fakeEngine("6,7", "EXIT"), fakeEngine(), crashed, "white wins"},
		{"six in renju", settings{rule: board.Renju, opening: sixth}, fakeEngine("6,7"), fakeEngine(), foul,
			`white wins: black's engine played g8, a foul \(overline\)`},
		{"full board", settings{size: 5}, fakeEngine(evens...), fakeEngine(odds...), drawn, "draw: the board is full"},
		{"loud", settings{}, row("-loud"), fakeEngine("-loud"), five, "black wins"},
		{"deaf", settings{}, row("-deaf"), fakeEngine("-deaf"), five, "black wins"},

		{"stalls", settings{turn: 50 * time.Millisecond}, fakeEngine("7,7", "STALL"), fakeEngine(), late, `white wins: black's engine did not answer within 1\.05s`},
		{"crashes", settings{}, fakeEngine(), fakeEngine("CRASH"), crashed,
			`black wins: white's engine ended with exit status 2, "panic: out of ideas\?\[2J"`},
		{"exits", settings{}, fakeEngine("EXIT"), fakeEngine(), crashed, "white wins: black's engine exited"},
		{"off the board", settings{}, fakeEngine("15,0"), fakeEngine(), illegal, "white wins: black's engine played 15,0, which is off the board"},
		{"far off the board", settings{}, fakeEngine("99,99"), fakeEngine(), illegal, "played 99,99, which is off the board"},
		{"occupied", settings{}, fakeEngine("7,7"), fakeEngine("7,7"), illegal, "black wins: white's engine played h8, which is occupied"},
		{"letters", settings{}, fakeEngine("h8"), fakeEngine(), illegal, `answered "h8", which is no move`},
		{"blank", settings{}, fakeEngine("7, 7"), fakeEngine(), illegal, `answered "7, 7", which is no move`},
		{"plus", settings{}, fakeEngine("+7,7"), fakeEngine(), illegal, ""},
		{"three numbers", settings{}, fakeEngine("7,7,1"), fakeEngine(), illegal, "no move"},
		{"suggests", settings{}, fakeEngine("SUGGEST 7,7"), fakeEngine(), illegal, `answered "SUGGEST 7,7"`},
		{"gives up", settings{}, fakeEngine("ERROR \x1b[31m"), fakeEngine(), illegal, `answered "ERROR \?\[31m"`},
		{"refuses", settings{}, fakeEngine(), fakeEngine("-refuse"), illegal, `black wins: white's engine answered START with "ERROR I would rather not"`},
		{"answers twice", settings{}, fakeEngine("-twice", "7,7"), fakeEngine(), illegal, `black's engine (said "7,7" without being asked|played h8, which is occupied)`},
		{"floods", settings{}, fakeEngine("-flood"), fakeEngine(), illegal, "white wins: black's engine "},
		{"long line", settings{}, fakeEngine("-long"), fakeEngine(), illegal, "white wins: black's engine printed a line of more than 65536 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, _ := playFakes(t, tt.settings, tt.black, tt.white)
			if res.end != tt.end || !regexp.MustCompile("^.*"+tt.text+".*$").MatchString(res.text) {
				t.Errorf("result %+v, want end %d, %s", res, tt.end, tt.text)
			}
			if strings.HasPrefix(res.text, "white wins") != (res.end != drawn && res.winner == board.White) {
				t.Errorf("winner %v, but %q", res.winner, res.text)
			}
		})
	}
}

// TestTold checks what an engine learns before its first move.
func TestTold(t *testing.T) {
	_, plies := playFakes(t, settings{rule: board.Caro5, opening: parseMoves(t, "h8 a1")},
		fakeEngine("9,9", "EXIT"), fakeEngine())
	want := "10000 0 2147483647 367001600 1 9"
	if len(plies) != 2 || plies[0].said != want || plies[1].said != want {
		t.Errorf("plies %+v, want two with %q", plies, want)
	}
	if len(plies) > 0 && plies[0].move != board.Pt(9, 9) {
		t.Errorf("first move %v, want j10", plies[0].move)
	}
	for code, rule := range map[int]board.Rule{0: board.Freestyle, 1: board.Standard, 4: board.Renju, 9: board.Caro5, 8: board.Caro6} {
		if got := ruleCode(rule); got != code {
			t.Errorf("%v has the code %d, want %d", rule, got, code)
		}
	}
}

func TestBadOpening(t *testing.T) {
	for _, s := range []settings{
		{size: 4},
		{size: 15, opening: parseMoves(t, "h8 h8")},
		{size: 15, opening: parseMoves(t, "p1")},
		{size: 15, opening: parseMoves(t, "a1 a3 b1 b3 c1 c3 d1 d3 e1")},
		{size: 15, rule: board.Renju, opening: parseMoves(t, "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1")},
	} {
		if _, err := newReferee(s); err == nil {
			t.Errorf("settings %+v are accepted", s)
		}
	}
}

// TestInterrupt checks that a game ends at once when nobody wants it any more.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := newReferee(settings{size: 15, turn: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	var players [2]*player
	for c, command := range [2][]string{fakeEngine("7,7", "STALL"), fakeEngine()} {
		if players[c], err = start(ctx, command); err != nil {
			t.Fatal(err)
		}
		defer players[c].close()
	}
	begun := time.Now()
	res, err := r.play(ctx, players, func(ply) {
		if r.board.Ply() == 2 {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("result %+v, error %v, want one that tells of the interruption", res, err)
	}
	if d := time.Since(begun); d > 10*time.Second {
		t.Errorf("the game ended after %v", d)
	}
}

// TestNothingStays checks that what an engine has started ends with it.
func TestNothingStays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there only the engine itself is killed")
	}
	for _, last := range []string{"7,7", "STALL", "CRASH", "EXIT"} {
		t.Run(last, func(t *testing.T) {
			t.Parallel()
			testNothingStays(t, last)
		})
	}
}

func testNothingStays(t *testing.T, last string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p, err := start(t.Context(), fakeEngine("-parent", listener.Addr().String(), last))
	if err != nil {
		t.Fatal(err)
	}
	child, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, f := p.ask(startLimit, "START 15"); f != nil {
		t.Error(f.text)
	}
	p.ask(100*time.Millisecond, "BEGIN")
	p.close()
	child.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := child.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the child lives on (%v)", err)
	}
}

func TestStartFails(t *testing.T) {
	if _, err := start(t.Context(), []string{"./no such engine"}); err == nil {
		t.Error("a program that does not exist was started")
	}
}
