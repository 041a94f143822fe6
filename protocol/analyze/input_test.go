package analyze

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/protocol/cli/golden"
)

// inputs returns flags with some values.
func inputs(rule, size, rows string, ply int) *input {
	return &input{&rule, &size, &rows, &ply}
}

const renLib = "\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x78\x08one\x00\x69\x81\x00\x00A\x00\x67\x40\x77\x40"

const drawing = "...X.\n..O..\n.....\n.....\n....."

// TestFormats reads one position in every format.
func TestFormats(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		in         *input
		rule       board.Rule
		size       string
		moves      string
		game       bool
	}{
		{"points", "h8i7g7", inputs("", "", "top", lastPly), board.Freestyle, "15", "h8i7g7", false},
		{"points in a file", "\n h8 i7 g7 \r\n\n", inputs("renju", "", "top", lastPly), board.Renju, "15", "h8i7g7", false},
		{"points from the bottom", "h8i9g9", inputs("", "", "bottom", lastPly), board.Freestyle, "15", "h8i7g7", false},
		{"points in capitals", "H8I7", inputs("", "20x12", "top", lastPly), board.Freestyle, "20x12", "h8i7", false},
		{"nothing", "", inputs("", "", "top", lastPly), board.Freestyle, "15", "", false},
		{"psq", "Piskvorky 20x20, 11:11, 0\r\n8,8,0\r\n9,7,12\r\na.exe\r\nb.exe\r\n0\r\n", inputs("", "", "top", lastPly), board.Freestyle, "20", "h8i7", true},
		{"psq, a position", "Piskvorky 20x20, 11:11, 0\r\n8,8,0\r\n9,7,12\r\n", inputs("", "20", "top", 1), board.Freestyle, "20", "h8", false},
		{"sgf", "(;SZ[19]RU[4]PB[a\x1b];B[hh];W[ig])", inputs("", "", "top", lastPly), board.Renju, "19", "h8i7", true},
		{"sgf with a rule's name", "\uFEFF(;RU[Caro];B[hh])", inputs("", "", "top", lastPly), board.Caro5, "15", "h8", true},
		{"sgf by another rule", "(;RU[Caro];B[h1])", inputs("standard", "", "bottom", lastPly), board.Standard, "15", "h15", true},
		{"sgf without moves", "(;AB[hh])", inputs("", "", "top", lastPly), board.Freestyle, "15", "", false},
		{"sav", "15\n15\n2\n7 7\n6 8\n", inputs("", "", "top", lastPly), board.Freestyle, "15", "h8i7", true},
		{"pos", "\x02\x70\x7e", inputs("", "", "top", lastPly), board.Freestyle, "15", "h8i7", true},
		{"RenLib", renLib, inputs("", "", "top", lastPly), board.Freestyle, "15", "h8i7g7", true},
		{"drawing", drawing, inputs("caro6", "", "top", lastPly), board.Caro6, "5", "", false},
	} {
		file := filepath.Join(t.TempDir(), "in")
		golden.Write(t, file, tt.text)
		args := []string{file, "-"}
		if isPosition(tt.text) {
			args = []string{tt.text, "-"}
		}
		for _, arg := range args {
			if tt.text == "" && arg == "-" {
				continue
			}
			r, err := tt.in.read(arg, strings.NewReader(tt.text))
			if err != nil {
				t.Errorf("%s, %q: %v", tt.name, arg, err)
				continue
			}
			size := board.FormatSize(r.start.Width(), r.start.Height())
			if got := notation.FormatPosition(r.moves, r.start.Height(), notation.FromTop); got != tt.moves || size != tt.size || r.start.Rule() != tt.rule || r.game != tt.game {
				t.Errorf("%s, %q: %s on %s by %v, game %v", tt.name, arg, got, size, r.start.Rule(), r.game)
			}
			if strings.ContainsRune(r.names[0], '\x1b') {
				t.Errorf("%s: the name %q could control a terminal", tt.name, r.names[0])
			}
		}
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string][2]string{
		"Piskvorky 15x15, 11:11, 0\n8,8,0\na.exe\nb.exe\n0\n": {"a.exe", "b.exe"},
		"Piskvorky 15x15, 11:11, 1\n8,8,0\na.exe\nb.exe\n0\n": {"b.exe", "a.exe"},
		"(;PB[anna]PW[bert]RE[B+1];B[hh])":                    {"anna", "bert"},
	} {
		if r := read(t, board.Freestyle, text); r.names != want {
			t.Errorf("%s: names %q, want %q", text, r.names, want)
		}
	}
}

// TestInputErrors checks that an error names the file, the place and the fault.
func TestInputErrors(t *testing.T) {
	for _, tt := range []struct {
		text string
		in   *input
		want string
	}{
		{"", inputs("", "", "top", lastPly), "it is empty"},
		{"a\x00b", inputs("", "", "top", lastPly), "neither a position nor a game: it holds zero bytes"},
		{"h8i9\nh8\n", inputs("", "", "top", lastPly), "line 2: text after the position in line 1"},
		{"h8i9h8", inputs("", "", "top", lastPly), "move 3: h8 is occupied"},
		{"h8z9", inputs("", "", "top", lastPly), "move 2: column 26, row 9 from the top is off the 15x15 board"},
		{"h7a1h9a15g8o1i8o15h8", inputs("renju", "", "top", lastPly), "move 9: h8 is forbidden, double-three"},
		{"h8a1i8a3j8a5k8a7l8a9", inputs("", "", "top", lastPly), "move 10: black has won before it, by the rule freestyle, with h8 i8 j8 k8 l8"},
		{"Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", inputs("", "", "top", lastPly), "line 3: h8 is occupied"},
		{"Piskvorky 15x15, 11:11, 0\n8,8,0\n", inputs("", "20", "top", lastPly), "the board is 15x15, not 20x20 as by --size"},
		{"Piskvorky 15x15, 11:11, 0\n8,8,0\n", inputs("", "", "top", 2), "ply 2 of a game of 1 move"},
		{"(;B[hh]\n;W[hh])", inputs("", "", "top", lastPly), "line 2: move 2: h8 is occupied"},
		{"(;RU[chess];B[hh])", inputs("", "", "top", lastPly), `line 1: RU: unknown rule "chess"`},
		{"(;B[hh])\n(;B[ii])", inputs("", "", "top", lastPly), "line 2: another game, and 2 in all: want one"},
		{"(;B[hh]", inputs("", "", "top", lastPly), "line 1: unterminated game tree"},
		{"(;AB[hh][ih][jh][kh][lh]PL[W];W[aa])", inputs("", "", "top", lastPly), "move 1: black has won before it"},
		{"15\n15\n1\n7 x\n", inputs("", "", "top", lastPly), `line 4: move 1: invalid point "7 x"`},
		{renLib[:24], inputs("", "", "top", lastPly), "unterminated text"},
		{"...X.\n..?..\n", inputs("", "", "top", lastPly), "picture line 2, column 3: invalid point '?'"},
		{drawing, inputs("", "15", "top", lastPly), "the board is 5x5, not 15x15 as by --size"},
	} {
		file := filepath.Join(t.TempDir(), "in")
		golden.Write(t, file, tt.text)
		_, err := tt.in.read(file, nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), file+": ") {
			t.Errorf("%q: %v, want %s: %s", tt.text, err, file, tt.want)
		}
	}
	big := bytes.NewReader(make([]byte, maxInput+1))
	if _, err := inputs("", "", "top", lastPly).read("-", big); err == nil || !strings.Contains(err.Error(), "standard input: more than 1048576 bytes") {
		t.Errorf("endless input: %v", err)
	}
}

// FuzzParse reads anything. What is read can be replayed, drawn, and written as SGF
// that is read as the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "h8i9 g7", "H8\n", drawing, "15\n15\n2\n7 7\n6 8\n", "\x02\x70\x7e", renLib,
		"Piskvorky 20x20, 11:11, 0\r\n8,8,0\r\n9,7,12\r\na.exe\r\nb.exe\r\n0\r\n",
		"(;SZ[19]RU[4]PB[a];B[hh];W[ig])", "(;AB[hh][aa]AW[jj]PL[B];B[bb])", missedGame} {
		f.Add([]byte(text), uint8(0), false)
		f.Add([]byte(text), uint8(2), true)
	}
	file, err := os.ReadFile("testdata/game.psq")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file, uint8(1), false)
	f.Fuzz(func(t *testing.T, text []byte, rule uint8, bottom bool) {
		s := settings{rule: board.Rule(rule % board.NumRules)}
		if bottom {
			s.rows = notation.FromBottom
		}
		r, err := s.parse(text)
		if err != nil {
			return
		}
		r.rows = s.rows
		b := r.start.Clone()
		if err := b.PlaceAll(r.moves); err != nil {
			t.Fatal(err)
		}
		if got := r.at(len(r.moves)); got.String() != b.String() {
			t.Fatalf("at the end\n%v, want\n%v", got, b)
		}
		if _, err := notation.ParsePosition(r.list(r.moves), b.Width(), b.Height(), s.rows); err != nil && r.start.Stones() == 0 {
			t.Fatalf("names %s: %v", r.list(r.moves), err)
		}
		if checkSGF(r) != nil {
			return
		}
		var out bytes.Buffer
		if err := writeSGF(&out, &report{record: r}); err != nil {
			t.Fatal(err)
		}
		again, err := settings{}.parse(out.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", out.Bytes(), err)
		}
		if !slices.Equal(again.moves, r.moves) || again.start.String() != r.start.String() || again.start.Rule() != r.start.Rule() {
			t.Fatalf("%q, written as %s", text, out.Bytes())
		}
	})
}
