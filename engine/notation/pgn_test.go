package notation

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestReadPGN has games in forms that tools write and people make, each with
// its players and results.
func TestReadPGN(t *testing.T) {
	const win, loss = "A-B 1-0", "A-B 0-1"
	full := func(result string) string {
		return fmt.Sprintf("[White \"A\"]\n[Black \"B\"]\n[Result %q]\n\n", result)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", " \n\n", ""},
		{"results alone as moves", full("1-0") + "1-0\n\n" + full("0-1") + "0-1\n", win + "; " + loss},
		{"tags only", full("1-0") + full("0-1") + full("1/2-1/2"), "A-B 1-0; A-B 0-1; A-B 1/2-1/2"},
		{"tags without blank lines", strings.ReplaceAll(full("1-0")+full("0-1"), "\n\n", "\n"), win + "; " + loss},
		{"tags of games of different orders", "[Event \"x\"]\n" + full("1-0") + "[Result \"0-1\"]\n[Black \"B\"]\n[White \"A\"]\n", win + "; " + loss},
		{"tags that only the second game has", full("1-0") + "[Event \"x\"]\n[Termination \"y\"]\n" + full("0-1"), win + "; " + loss},
		{"blank lines among tags", "\n\n[White \"A\"]\n\n\n[Black \"B\"]\n\n[Result \"1-0\"]\n[Round \"3\"]\n\n\n\n1-0", win},
		{"no blank line before the moves", "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n1. h8 i9 1-0\n" + full("0-1") + "0-1", win + "; " + loss},
		{"blank lines among moves", full("1-0") + "1. h8\n\ni9\n\n\n2. j10 1-0\n\n" + full("0-1") + "0-1", win + "; " + loss},
		{"CR LF", strings.ReplaceAll(full("1-0")+"1-0\n", "\n", "\r\n"), win},
		{"CR", strings.ReplaceAll(full("1-0")+"1-0\n"+full("0-1")+"0-1\n", "\n", "\r"), win + "; " + loss},
		{"one line", "[White \"A\"] [Black \"B\"][Result\t\"1-0\"] 1. h8 1-0 [White \"A\"][Black \"B\"] 0-1", win + "; " + loss},
		{"tabs, blanks and line ends in tags", "[\tWhite\n\t\"A\"  ]\n[ Black\u00a0\"B\" ]\n[Result\v\"1-0\"\n]\n*", win},
		{"lower-case tags", "[white \"A\"]\n[black \"B\"]\n[result \"1-0\"]\n", win},
		{"a mark of UTF-8", "\uFEFF" + full("1-0") + "1-0\n\n\uFEFF" + full("0-1") + "0-1\n", win + "; " + loss},
		{"UTF-16", string(encode16("\uFEFF"+full("1-0")+"1-0", 0)), win},
		{"UTF-16, little-endian", string(encode16("\uFEFF"+full("1-0")+"1-0", 1)), win},
		{"Latin-1", "[White \"Nov\xe1k\"]\n[Black \"Nov\xe9k\"]\n[Result \"1-0\"]\n", "Novák-Novék 1-0"},
		{"UTF-8", "[White \"Novák\"]\n[Black \"黑\"]\n[Result \"1-0\"]\n", "Novák-黑 1-0"},
		{"backslashes and quotes", `[White "a\\b \"c\" C:\dir"][Black "d\\"][Result "1-0"]`, `a\b "c" C:\dir-d\ 1-0`},
		{"brackets, semicolons and braces in names", `[White "[x] {y} ;z"][Black "% (1-0) [White "][Result "0-1"] 0-1`, "[x] {y} ;z-% (1-0) [White  0-1"},
		{"comments", "; [White \"X\"]\n% [Black \"Y\"]\n{ [Result \"*\"] \n\n} [White \"A\" ; A\n] {b} [Black \"B\"]\n1. h8 {1-0 ; (} i9 ; 0-1 }\n% 0-1\n1-0{end}", win},
		{"no escape in the middle of a line", "[White \"A\"]\n[Black \"B\"]\n h8 % 1-0", win},
		{"variations", full("1-0") + "1. h8 (1. i9 (1. j10 0-1) 0-1) i9 1-0", win},
		{"NAGs and marks", full("1-0") + "1.h8! $14 i9?? 2.j10+ <x> -- Z0 $1$2 1-0", win},
		{"results that only one place has", "[White \"A\"][Black \"B\"] 1-0 " + full("*") + "0-1 " + full("1-0") + "*", win + "; " + loss + "; " + win},
		{"unfinished", full("*") + "*", "A-B *"},
		{"the last line without its end", full("1-0") + "1. h8 i9", win},
	} {
		games, err := ReadPGN([]byte(tt.text))
		var list []string
		for _, g := range games {
			list = append(list, g.Tags["White"]+"-"+g.Tags["Black"]+" "+g.Result)
		}
		if got := strings.Join(list, "; "); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

// encode16 encodes text as UTF-16, with the high byte of each unit first or second.
func encode16(text string, high int) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if high == 0 {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// TestReadPGNErrors reads files that cannot be read without losing something.
func TestReadPGNErrors(t *testing.T) {
	const good = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0\n\n" // six lines
	for _, tt := range []struct {
		text, want string
		line       int
	}{
		{"[White \"A\"]\n[Result \"1-0\"]\n1-0", "without a tag Black", 7},
		{"[White \"A\"]\n[White \"B\"]\n[Black \"C\"]\n1-0", "without a tag Black", 7},
		{"1. h8 1-0", "without a tag White", 7},
		{"some text\n[White \"A\"]", "without a tag White", 7},
		{"[White \"A\"]\n[Black \"B\"]\n1. h8", `game of "A" and "B" without a result`, 7},
		{"[White \"A\"]\n[Black \"B\"]\n[Result \"1:0\"]\n1-0", `unknown result "1:0"`, 7},
		{"[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n0-1", `result "1-0" in the tags, but "0-1" after the moves`, 7},
		{"[White \"A\"]\n[Black \"A\"]\n1-0", `game of "A" against itself`, 7},
		{"[White \"\"]\n[Black \"B\"]\n1-0", `unknown player: White is ""`, 7},
		{"[White \"A\"]\n[Black \"?\"]\n1-0", `unknown player: Black is "?"`, 7},
		{"[White \"A\"]\n[Black B]\n1-0", "the value of tag Black is not in quotes", 8},
		{"[White \"A\"]\n[\"B\"]\n1-0", "tag without a name", 8},
		{"[White \"A\"]\n[Black \"B]\n1-0", "unterminated quote", 8},
		{"[White \"A\"]\n[Black \"B\\\"]\n1-0", "unterminated quote", 8},
		{"[White \"A\"]\n[Black \"B \"x\"\"]\n1-0", `tag Black: no ']' after its value`, 8},
		{"[White \"A\"]\n[Black \"B\"\n[Result \"1-0\"]", `tag Black: no ']' after its value`, 8},
		{"[White \"A\"]\n[Black \"B\"]\n\n1. h8 ] 1-0", "unexpected ']'", 10},
		{"[White \"A\"]\n[Black \"B\"]\n\n1. h8 } 1-0", "unexpected '}'", 10},
		{"[White \"A\"]\n[Black \"B\"]\n\n1. h8 \"x\" 1-0", `unexpected '"'`, 10},
		{"[White \"A\"]\n[Black \"B\"]\n\n1. h8 { 1-0\n\n" + good, `"{" without "}"`, 10},
		{"[White \"A\"]\n[Black \"B\"]\n\n1. h8 ( 1-0\n\n" + good, `"(" without ")"`, 10},
		{"[White \"A\"]\n[Black \"B\"]\n\n1. h8 ) 1-0\n\n" + good, `")" without "("`, 10},
		{"[", "tag without a name", 7},
		{"[White", "the value of tag White is not in quotes", 7},
	} {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			games, err := ReadPGN([]byte(strings.ReplaceAll(good+tt.text, "\n", end)))
			at, ok := errors.AsType[*Error](err)
			if !ok || at.Line != tt.line || !strings.Contains(at.Err.Error(), tt.want) || games != nil {
				t.Errorf("%q: %v, %v; want line %d: %s", tt.text, games, err, tt.line, tt.want)
			}
		}
	}
}

// TestPGNLayouts writes games in random layouts, all of which mean the same thing.
func TestPGNLayouts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	one := func(list ...string) string { return list[random.IntN(len(list))] }
	names := []string{"A", "a b", `back\slash\`, `q"uote"`, "{[(;%", "Novák", "1-0", " x ", "\t", "棋"}
	for range 2000 {
		end := one("\n", "\r\n", "\r")
		gap := func() string { // white space that may hold a comment
			return one(" ", "\t", end, end+end, " {x [White \"y\"] }", ";z )"+end, end+"% 1-0"+end, "\u00a0", "\f", "  ")
		}
		var b strings.Builder
		var want []PGNGame
		onlyTags := random.IntN(3) == 0
		for range 1 + random.IntN(5) {
			white, black := random.IntN(len(names)), random.IntN(len(names)-1)
			if black >= white {
				black++
			}
			g := PGNGame{Tags: map[string]string{"White": "w" + names[white], "Black": "b" + names[black]}, Result: results[random.IntN(3)]}
			tags := []string{"White", "Black"}
			if onlyTags || random.IntN(2) == 0 {
				tags = append(tags, "Result")
				g.Tags["Result"] = g.Result
			}
			if random.IntN(2) == 0 {
				tags = append(tags, "Zeta")
				g.Tags["Zeta"] = names[random.IntN(len(names))]
			}
			for k, i := range random.Perm(len(tags)) {
				if onlyTags {
					i = k // the same first tag in all games
				}
				value := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(g.Tags[tags[i]])
				b.WriteString("[" + one("", gap()) + tags[i] + one("", gap()) + `"` + value + `"` + one("", gap()) + "]" + one("", gap()))
			}
			b.WriteString(gap())
			if !onlyTags {
				moves := random.IntN(4)
				for range moves {
					b.WriteString(one("1.", "h8", "i9!?", "$3", "(1-0 (x) )", "(0-1)", "h8{1-0}", "-", "1/2") + gap())
				}
				if moves == 0 || random.IntN(4) > 0 || g.Tags["Result"] == "" {
					b.WriteString(g.Result + gap())
				}
			}
			want = append(want, g)
		}
		games, err := ReadPGN([]byte(b.String()))
		if err != nil || len(games) != len(want) {
			t.Fatalf("%q: %d games, %v; want %d", b.String(), len(games), err, len(want))
		}
		for i, g := range games {
			if g.Result != want[i].Result || !maps.Equal(g.Tags, want[i].Tags) {
				t.Fatalf("%q: game %d is %v, want %v", b.String(), i, g, want[i])
			}
		}
	}
}

// FuzzReadPGN demands an error of a line, or games that read the same when they
// are written anew.
func FuzzReadPGN(f *testing.F) {
	f.Add([]byte("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. h8 {x} (y) i9 ;z\n1-0\n"))
	f.Add([]byte("\xff\xfe[\x00W\x00"))
	f.Add([]byte("[White \"\\\\\"][Black \"\\\"\"]\r\r% *\n*"))
	f.Fuzz(func(t *testing.T, data []byte) {
		games, err := ReadPGN(data)
		if err != nil {
			if at, ok := errors.AsType[*Error](err); !ok || at.Line < 1 || at.Line > 1+len(data) {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		var b strings.Builder
		for _, g := range games {
			for _, name := range []string{"White", "Black", "Result"} {
				if value, ok := g.Tags[name]; ok {
					fmt.Fprintf(&b, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
				}
			}
			b.WriteString("\n" + g.Result + "\n\n")
		}
		again, err := ReadPGN([]byte(b.String()))
		if err != nil || len(again) != len(games) {
			t.Fatalf("%q became %q: %d games of %d, %v", data, b.String(), len(again), len(games), err)
		}
		for i, g := range again {
			if g.Result != games[i].Result || g.Tags["White"] != games[i].Tags["White"] || g.Tags["Black"] != games[i].Tags["Black"] {
				t.Fatalf("%q: %v became %v", data, games[i], g)
			}
		}
	})
}
