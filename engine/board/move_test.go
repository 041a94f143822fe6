package board

import (
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
		} else if m != NoMove || !strings.Contains(err.Error(), "board: ") {
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

func TestRuleNames(t *testing.T) {
	for r := range Rule(NumRules) {
		if got, err := ParseRule(r.String()); got != r || err != nil {
			t.Errorf("ParseRule(%q) = %v, %v", r, got, err)
		}
	}
	for _, s := range []string{"", "Renju", "gomoku", "caro"} {
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
