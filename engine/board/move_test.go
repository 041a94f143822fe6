package board

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestMoveText(t *testing.T) {
	for _, tt := range []struct {
		m    Move
		text string
	}{
		{Pt(0, 0), "a1"},
		{Pt(7, 7), "h8"},
		{Pt(14, 0), "o1"},
		{Pt(0, 14), "a15"},
		{Pt(25, 9), "z10"},
		{Pt(26, 9), "aa10"},
		{Pt(31, 31), "af32"},
	} {
		if got := tt.m.String(); got != tt.text {
			t.Errorf("(%d,%d) is written %s, want %s", tt.m.X(), tt.m.Y(), got, tt.text)
		}
		for _, text := range []string{tt.text, strings.ToUpper(tt.text)} {
			if m, err := ParseMove(text); m != tt.m || err != nil {
				t.Errorf("ParseMove(%q) = %v, %v", text, m, err)
			}
		}
	}
	if got := NoMove.String(); got != "-" {
		t.Errorf("NoMove is written %q", got)
	}
}

func TestMovePacking(t *testing.T) {
	for y := range MaxSize {
		for x := range MaxSize {
			m := Pt(x, y)
			if m.X() != x || m.Y() != y {
				t.Errorf("Pt(%d, %d) has X %d and Y %d", x, y, m.X(), m.Y())
			}
			if got, err := ParseMove(m.String()); got != m || err != nil {
				t.Errorf("ParseMove(%q) = %v, %v", m, got, err)
			}
		}
	}
}

func TestParseMoveErrors(t *testing.T) {
	for _, s := range []string{
		"", "-", "h", "8", "8h", "h0", "h-1", "h+8", "h33", "h8 ", " h8", "h 8", "h8.", "ag1", "zz1",
		"aaa1", "h99999999999999999999", "h8i9", "7,7", "[1", "`1", "é8", "h８",
	} {
		if m, err := ParseMove(s); err == nil {
			t.Errorf("ParseMove(%q) = %v, want an error", s, m)
		} else if m != NoMove || !strings.Contains(err.Error(), "invalid point") {
			t.Errorf("ParseMove(%q) = %v, %v", s, m, err)
		}
	}
}

func FuzzParseMove(f *testing.F) {
	for _, s := range []string{"a1", "h8", "AF32", "z10", "h08", "", "aa", "h-1", "h+1", "\xff1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseMove(s)
		if err != nil {
			if m != NoMove {
				t.Errorf("ParseMove(%q) = %v with error %v", s, m, err)
			}
			return
		}
		if m.X() >= MaxSize || m.Y() >= MaxSize {
			t.Errorf("ParseMove(%q) = (%d,%d)", s, m.X(), m.Y())
		}
		if again, err := ParseMove(m.String()); again != m || err != nil {
			t.Errorf("%q is read as %v, but %v as %v, %v", s, m, m, again, err)
		}
	})
}

// ParseMoves reads what the moves write, with blanks or without, and every
// list of moves is read back as it was.
func FuzzParseMoves(f *testing.F) {
	for _, s := range []string{"h8i9o15a1", "H8 i9\to15", "ff32aa1", "a0", "", "8", "h", "a1 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		moves, err := ParseMoves(s)
		if err != nil && !strings.HasPrefix(err.Error(), fmt.Sprintf("move %d: ", len(moves)+1)) {
			t.Errorf("ParseMoves(%q) = %v with error %v", s, moves, err)
		}
		text := ""
		for _, m := range moves {
			text += m.String()
		}
		if again, err := ParseMoves(text); !slices.Equal(again, moves) || err != nil {
			t.Errorf("%q is read as %v, but %q as %v, %v", s, moves, text, again, err)
		}
	})
}

func TestParseSize(t *testing.T) {
	for _, tt := range []struct {
		text          string
		width, height int
		err           string
	}{
		{"15", 15, 15, ""},
		{"20x15", 20, 15, ""},
		{"5x32", 5, 32, ""},
		{"4", 0, 0, "board size 4x4 is not within 5 to 32"},
		{"15x33", 0, 0, "board size 15x33"},
		{"15by15", 0, 0, `invalid board size "15by15"`},
		{"15x", 0, 0, `invalid board size "15x"`},
		{"", 0, 0, `invalid board size ""`},
		{"15x15x15", 0, 0, "invalid board size"},
	} {
		w, h, err := ParseSize(tt.text)
		switch {
		case tt.err == "" && (err != nil || w != tt.width || h != tt.height):
			t.Errorf("%q: %dx%d, %v", tt.text, w, h, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%q: error %v, want %s", tt.text, err, tt.err)
		}
	}
	for w := MinSize; w <= MaxSize; w++ {
		for h := MinSize; h <= MaxSize; h++ {
			text := FormatSize(w, h)
			if gotW, gotH, err := ParseSize(text); gotW != w || gotH != h || err != nil || (w == h) == strings.Contains(text, "x") {
				t.Errorf("%dx%d is written %q and read %dx%d, %v", w, h, text, gotW, gotH, err)
			}
		}
	}
}

func TestRuleNames(t *testing.T) {
	for r := range Rule(NumRules) {
		if got, err := ParseRule(r.String()); got != r || err != nil {
			t.Errorf("ParseRule(%q) = %v, %v", r, got, err)
		}
	}
	for alias, want := range map[string]Rule{"exact": Standard, "caro": Caro5, "Renju": Renju, "CARO6": Caro6} {
		if got, err := ParseRule(alias); got != want || err != nil {
			t.Errorf("ParseRule(%q) = %v, %v, want %v", alias, got, err, want)
		}
	}
	for _, s := range []string{"", "gomoku", "caro7", "4", " renju"} {
		if _, err := ParseRule(s); err == nil || !strings.Contains(err.Error(), "freestyle") {
			t.Errorf("ParseRule(%q): error %v, want one that lists the rules", s, err)
		}
	}
}

func TestRuleOfCode(t *testing.T) {
	for _, tt := range []struct {
		codes string // the codes of a rule, without the bit for continuous games
		rule  Rule
	}{
		{"\x00\x10", Freestyle},
		{"\x01\x11", Standard},
		{"\x04\x05\x0c\x0d", Renju},
		{"\x08\x18", Caro6},
		{"\x09", Caro5},
	} {
		for _, code := range tt.codes {
			for _, bit := range []int{0, 2} {
				if bit == 0 && code == rune(tt.codes[0]) && tt.rule.Code() != int(code) {
					t.Errorf("%v has code %d, want %d", tt.rule, tt.rule.Code(), code)
				}
				rule, continuous := RuleOfCode(int(code) + bit)
				if rule != tt.rule || continuous != (bit == 2) {
					t.Errorf("code %d is %v, continuous %v; want %v", int(code)+bit, rule, continuous, tt.rule)
				}
			}
		}
	}
}

func TestColors(t *testing.T) {
	if Black.Opponent() != White || White.Opponent() != Black {
		t.Error("the players are not each other's opponents")
	}
	if Black.Stone() != BlackStone || White.Stone() != WhiteStone {
		t.Error("a player has the other's stones")
	}
	if Black.String() != "black" || White.String() != "white" {
		t.Errorf("the players are called %v and %v", Black, White)
	}
}
