package tournament

import (
	"bytes"
	"errors"
	"flag"
	"regexp"
	"strings"
	"testing"

	"kumiko/engine/board"
)

// quoteCommand writes a command so that a shell reads it.
func quoteCommand(command []string) string {
	var words []string
	for _, w := range command {
		words = append(words, "'"+w+"'")
	}
	return strings.Join(words, " ")
}

func TestDemo(t *testing.T) {
	var out bytes.Buffer
	err := DemoCommand(t.Context(), []string{"-size", "9", "-rule", "renju", "-turn", "20ms", "-seed", "5",
		"-black", quoteCommand(fakeEngine("0,8", "1,8", "2,8", "3,8", "4,8")),
		"-white", quoteCommand(fakeEngine("0,0", "2,0", "4,0", "6,0"))}, &out)
	if err != nil {
		t.Error(err)
	}
	got := out.String()
	for _, want := range []string{
		`^black tournament\.test, white tournament\.test, renju 9x9, 20ms a move\n\n` +
			`opening( [c-g][3-7]){4} \(-seed 5\)\n` +
			`   a b c d e f g h i\n 1 \. \.`,
		`\nmove 5: black a9 in \d\.\d{3} s\n   a b c`,
		"\n 9 x . . . . . . . .\nwhite to move\n20 0 2147483647 367001600 1 4\n",
		`\nmove 6: white a1 in `,
		"\n 9 X X X X x . . . .\nwhite to move\n20 .*\n\nblack wins: a9 b9 c9 d9 e9\n$",
	} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("no match for %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Error("escape sequences in a file")
	}
}

func TestDemoFault(t *testing.T) {
	var out bytes.Buffer
	err := DemoCommand(t.Context(), []string{
		"-black", quoteCommand(fakeEngine()), "-white", quoteCommand(fakeEngine("EXIT"))}, &out)
	if !errors.Is(err, errFault) {
		t.Errorf("error %v, want %v", err, errFault)
	}
	if !strings.HasSuffix(out.String(), "\n\nblack wins: white's engine exited\n") {
		t.Errorf("no result line at the end of\n%s", out.String())
	}
}

func TestDemoArguments(t *testing.T) {
	for _, args := range []string{"-size 4", "-size 33", "-rule chess", "-turn -1s", "-turn 2", "-black '", "-black #", "more", "-black ./nobody"} {
		var out bytes.Buffer
		// A mistake that goes unnoticed must not start the test binary as an
		// engine: it would test itself.
		all := append([]string{"-white", "./nobody"}, strings.SplitN(args, " ", 2)...)
		if err := DemoCommand(t.Context(), all, &out); err == nil {
			t.Errorf("%s is accepted", args)
		}
		if out.Len() > 0 {
			t.Errorf("%s: output %q", args, out.String())
		}
	}
	var out bytes.Buffer
	if err := DemoCommand(t.Context(), []string{"-h"}, &out); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: error %v", err)
	}
	if !strings.Contains(out.String(), "-turn duration") {
		t.Errorf("-h prints %q", out.String())
	}
}

func TestRandomOpening(t *testing.T) {
	seen := map[string]bool{}
	for size := board.MinSize; size <= board.MaxSize; size++ {
		for seed := range uint64(50) {
			opening := randomOpening(seed, size)
			seen[points(opening)] = true
			if _, err := newReferee(settings{rule: board.Renju, size: size, opening: opening}); err != nil {
				t.Errorf("size %d, seed %d: %v", size, seed, err)
			}
		}
	}
	if len(seen) < 500 {
		t.Errorf("only %d openings", len(seen))
	}
}

func TestScreen(t *testing.T) {
	b, err := board.New(5, 5, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := &screen{w: &out, inPlace: true}
	s.draw("", b, "")
	b.Place(board.Pt(0, 0))
	s.draw("one", b, "two")
	const rest = " 2 . . . . .\x1b[K\n 3 . . . . .\x1b[K\n 4 . . . . .\x1b[K\n 5 . . . . .\x1b[K\n"
	want := "\x1b[K\n   a b c d e\x1b[K\n 1 . . . . .\x1b[K\n" + rest + "black to move\x1b[K\n\x1b[K\n" +
		"\x1b[9Aone\x1b[K\n   a b c d e\x1b[K\n 1 x . . . .\x1b[K\n" + rest + "white to move\x1b[K\ntwo\x1b[K\n"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if newScreen(&out, 5).inPlace {
		t.Error("a buffer is drawn on as if it were a terminal")
	}
}
