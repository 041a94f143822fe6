package notation

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"kumiko/engine/board"
)

func moves(t *testing.T, s string) []board.Move {
	t.Helper()
	list, err := board.ParseMoves(s)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestReadSav(t *testing.T) {
	got, err := ReadSav([]byte("12\r\n20\r\n3\r\n7 7\r\n8 10\r\n11 19\r\n"))
	if want := (&Saved{20, 12, moves(t, "h8k9t12")}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, tt := range []struct{ text, want string }{
		{"15\n", "line 2: no width"},
		{"15\nx\n0\n", `line 2: invalid width "x"`},
		{"15\n15\n-1\n", `line 3: invalid number of moves "-1"`},
		{"15\n40\n0\n", "line 1: board size 40x15 is not within"},
		{"15\n15\n2\n7 7\n", "line 3: 2 moves are announced, but 1 lines follow"},
		{"15\n15\n1\n7 15\n", "line 4: move 1: column 16, row 8 from the top is off the 15x15 board"},
		{"15\n15\n2\n7 7\n7 7\n", "line 5: move 2: h8 is occupied"},
		{"15\n15\n1\n7,7\n", `line 4: move 1: invalid point "7,7", want a row and a column such as 7 7`},
	} {
		var at *Error
		if _, err := ReadSav([]byte(tt.text)); !errors.As(err, &at) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestReadPos(t *testing.T) {
	// Row 6 and column 8, row 0 and column 14.
	got, err := ReadPos([]byte{2, 8*15 + 6, 14 * 15})
	if want := (&Saved{15, 15, moves(t, "i7o1")}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, tt := range []struct{ data, want string }{
		{"", "no number of moves"},
		{"\x02\x10", "2 moves are announced, but 1 bytes follow"},
		{"\x01\xe1", "move 1: byte 225: column 16"},
		{"\x02\x10\x10", "move 2: byte 16: b2 is occupied"},
	} {
		if _, err := ReadPos([]byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.data, err, tt.want)
		}
	}
}

func TestReadRenLib(t *testing.T) {
	const head = "\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
	// The main line h8 i7 g7 with a comment and a text, and a variation after it.
	const lib = head + "\x00\x00\x78\x08one\x00\x69\x81\x00\x00A\x00\x67\x40\x77\x40"
	got, err := ReadRenLib([]byte(lib))
	if want := (&Saved{15, 15, moves(t, "h8i7g7")}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	// Both texts are padded to an even length; old versions have no root and another flag.
	old := strings.NewReplacer("\x78\x08one\x00", "\x78\x21\x00\x00four\x00\x00A\x00", head+"\x00\x00", head).Replace(lib)
	if again, err := ReadRenLib([]byte(old)); err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("%v, %v, want %v", again, err, got)
	}
	for _, tt := range []struct{ data, want string }{
		{"RenLib", "not a library of RenLib"},
		{head[:10], "not a library of RenLib"},
		{head, "the file ends within a branch"},
		{head + "\x00", "byte 20: the file ends within a node"},
		{head + "\x78\x00\x78\x40", "byte 22: move 2: h8 is occupied"},
		{head + "\x70\x40", "byte 20: move 1: column 0"},
		{head + "\x78\x00\x00\x40", "byte 22: move 2: pass"},
		{head + "\x78\x08abc", "byte 22: unterminated text"},
		{head + "\x78\x01", "byte 24: unterminated text"},
	} {
		if _, err := ReadRenLib([]byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.data, err, tt.want)
		}
	}
}

func TestAppendTree(t *testing.T) {
	one := func(name, value string) []Node { return []Node{{{name, []string{value}}}} }
	tree := &GameTree{Nodes: one("B", "hh"), Branches: []*GameTree{
		{Nodes: one("W", "ii"), Branches: []*GameTree{{Nodes: one("B", "jj")}, {Nodes: one("B", "gg")}}},
		{Nodes: one("C", `a ] and a \`)},
	}}
	out, err := AppendTree([]byte("x"), tree)
	if want := "x(;B[hh]\n(;W[ii]\n(;B[jj])\n(;B[gg]))\n(;C[a \\] and a \\\\]))\n"; err != nil || string(out) != want {
		t.Errorf("%s, %v, want %s", out, err, want)
	}
	games, err := ReadSGF(out, FromTop)
	if err != nil || !reflect.DeepEqual(Moves(games[0].Plies), moves(t, "h8i9j10")) {
		t.Errorf("read as %v, %v", games, err)
	}
	for _, bad := range []*GameTree{{}, {Nodes: one("b", "hh")}, {Nodes: one("B", "hh"), Branches: []*GameTree{{}}}} {
		if out, err := AppendTree([]byte("x"), bad); err == nil || string(out) != "x" {
			t.Errorf("%v: %q, %v", bad, out, err)
		}
	}
}

func TestReadSGFPosition(t *testing.T) {
	for _, tt := range []struct {
		text   string
		stones string // black, then white
		starts board.Color
		moves  string
	}{
		{"(;AB[hh][ii]AW[jj];W[aa];B[bb])", "h8i9 j10", board.White, "a1b2"},
		{"(;AB[hh][ii]AW[jj]PL[B];B[aa])", "h8i9 j10", board.Black, "a1"},
		{"(;PL[white];W[aa])", " ", board.White, "a1"},
		{"(;B[hh];W[ii])", " ", board.Black, "h8i9"},
	} {
		games, err := ReadSGFPosition([]byte(tt.text), FromTop)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var stones [2]string
		for _, s := range games[0].Setup {
			stones[s.Cell-1] += s.Move.String()
		}
		if got := stones[0] + " " + stones[1]; got != tt.stones || games[0].Starts != tt.starts || !reflect.DeepEqual(Moves(games[0].Plies), moves(t, tt.moves)) {
			t.Errorf("%s: %v", tt.text, games[0])
		}
		if _, err := AppendSGF(nil, games[0], FromTop); (err == nil) != (tt.stones == " " && tt.starts == board.Black) {
			t.Errorf("%s: written: %v", tt.text, err)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"(;AB[hh]AW[hh])", "line 1: AW: h8 is occupied"},
		{"(;AB[hh]\nPL[x])", "line 1: invalid player PL[x], want B or W"},
		{"(;AB[hh];B[ii])", "line 1: move 1: invalid move B"},
		{"(;B[hh]\n;AB[ii])", "line 2: move 2: AB sets up stones out of turn"},
	} {
		if _, err := ReadSGFPosition([]byte(tt.text), FromTop); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
	if _, err := ReadSGF([]byte("(;AB[hh])"), FromTop); err == nil {
		t.Error("ReadSGF accepts stones out of turn")
	}
}
