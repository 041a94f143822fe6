package fakeengine

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

// talk starts an engine, sends it lines and returns what it prints and how it
// ends.
func talk(t *testing.T, words []string, lines string) (out string, code int) {
	t.Helper()
	args := Args(words...)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(lines, "|", "\n") + "\n")
	text, _ := cmd.Output()
	return strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\n", "|"), cmd.ProcessState.ExitCode()
}

func TestWords(t *testing.T) {
	for _, tt := range []struct{ words, lines, want string }{
		{"", "START 15|ABOUT|BEGIN|TURN 1,0|END|BEGIN", `OK|name="Fake", version="1"|0,0|2,0`},
		{"7,7 sleep:1ms&8,8", "START 15|BEGIN|TURN 7,8|TURN 9,9|RESTART|BEGIN", "OK|7,7|8,8|0,0|OK|7,7"},
		{"start=line:OK&line:hello info=line:what about=", "START 15|INFO rule 1|ABOUT", "OK|hello|what"},
		{"", "FOO||START 3|START 15|TURN 99,1|TURN 1,1|TURN 1,1", "UNKNOWN command|ERROR sizes from 5 to 100, such as 20|OK|ERROR off the board|0,0|ERROR taken"},
		{"", "START 15|BOARD|0,0,1|1,0,2|DONE|TAKEBACK 0,0|TAKEBACK 0,0|PLAY 0,0", "OK|2,0|OK|ERROR no stone|0,0"},
		{"", "START 15|SWAP2BOARD|DONE|SWAP2BOARD|1,1|2,2|3,3|DONE|YXBOARD|1,1,1|DONE", "OK|7,7 8,8 9,9|3,3 4,4"},
		{"mover=well", "START 15|INFO rule 4|BOARD|0,0,1|5,5,2|1,0,1|6,5,2|2,0,1|7,5,2|3,0,1|8,5,2|DONE", "OK|4,0"},
		{"mover=well fault=misses_wins", "START 15|BOARD|0,0,1|5,5,2|1,0,1|6,5,2|2,0,1|7,5,2|3,0,1|8,5,2|DONE", "OK|4,5"},
		{"form=line:Y;X then=line:x&move", "START 15|BEGIN|TURN 3,3", "OK|x|0;0|x|0;1"},
		{"any=echo eol=!", "a|END", "a!"},
	} {
		words := strings.Fields(tt.words)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ")
		}
		if got, code := talk(t, words, tt.lines); got != tt.want || code != 0 {
			t.Errorf("%s: to %s: got %s, code %d, want %s", tt.words, tt.lines, got, code, tt.want)
		}
	}
}

// TestRefusals wants an engine to die of what is wrong in a test.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		words, lines string
		code         int
	}{
		{"fault=laziness", "", 2},
		{"begin=exit:0", "", 2},
		{"mover=best", "START 15|BEGIN", 2},
		{"strict=yes", "START x", 99},
		{"strict=yes", "START 15|TURN 15,0", 99},
		{"strict=yes", "START 15|BOARD|0,0,1|DONE", 99},
		{"strict=yes", "START 15|BOARD|0,0,1|0,0,2|DONE", 99},
		{"strict=yes", "START 15|BOARD|0,0|DONE", 99},
		{"strict=yes", "FOO", 99},
	} {
		if got, code := talk(t, strings.Fields(tt.words), tt.lines); code != tt.code {
			t.Errorf("%s: to %s: got %s, code %d, want %d", tt.words, tt.lines, got, code, tt.code)
		}
	}
}
