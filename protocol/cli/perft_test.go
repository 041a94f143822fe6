package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPerftCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "picture.txt")
	picture := "......\n..XXX.\n......\n......\n....OO\nblack to move"
	if err := os.WriteFile(file, []byte(picture), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args string
		want string // the first line, then depth and count of the others
	}{
		{"", "freestyle 15x15, black to move; 1 225; 2 50400; 3 11239200"},
		{"--rule standard --size 20 --depth 2", "standard 20x20, black to move; 1 400; 2 159600"},
		{"--rule caro5 --size 5x7 --depth 2", "caro5 5x7, black to move; 1 35; 2 1190"},
		{"--rule renju --moves h8h9j8 --depth 1", "renju 15x15, white to move; 1 222"},
		{"--depth 2 " + file, "freestyle 6x5, black to move; 1 25; 2 600"},
		{"--depth 1 --moves b2f2 " + file, "freestyle 6x5, black to move; 1 23"},
		{"--depth 2 --moves b2e4 " + file, "freestyle 6x5, black to move; 1 23; 2 462"}, // two fives
	} {
		out, err := run(t, Perft(), tt.args)
		if err != nil {
			t.Errorf("perft %s: %v", tt.args, err)
			continue
		}
		lines := strings.Split(strings.TrimSpace(out), "\n")
		got := lines[0]
		for _, line := range lines[2:] {
			got += "; " + strings.Join(strings.Fields(line)[:2], " ")
		}
		if got != tt.want {
			t.Errorf("perft %s: %s, want %s", tt.args, got, tt.want)
		}
	}
}

func TestPerftErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bad.txt")
	if err := os.WriteFile(file, []byte(".....\n..?..\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want string }{
		{"--rule go", `unknown rule "go"`},
		{"--size 15by15", `invalid board size "15by15"`},
		{"--size 4", "size 4x4"},
		{"--size 15x33", "size 15x33"},
		{"--size 15x", `invalid board size "15x"`},
		{"--depth 0", "depth must be at least 1, got 0"},
		{"--depth x", `invalid value "x"`},
		{"--moves h8h8", "move 2: h8 is occupied"},
		{"--moves h8p1", "move 2: p1 is off the board"},
		{"--moves h8,i9", `move 2: invalid point ",i9"`},
		{"--moves h8i", `move 2: invalid point "i"`},
		{"--rule renju --moves h7a1h9a15g8o1i8o15h8", "move 9: h8 is forbidden, double-three"},
		{"--nothing", "unknown flag --nothing"},
		{filepath.Join(dir, "none.txt"), "none.txt"},
		{file, "bad.txt: picture line 2, column 3: invalid point '?'"},
		{file + " " + file, `unexpected argument "`},
	} {
		out, err := run(t, Perft(), tt.args)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("perft %s: error %v, want %s", tt.args, err, tt.want)
		}
		if out != "" {
			t.Errorf("perft %s: error %v, and output %s", tt.args, err, out)
		}
	}
}

func TestPerftStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out strings.Builder
	err := Execute(ctx, Perft(), []string{"--depth", "9"}, &out)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if err := Execute(context.Background(), Perft(), nil, brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want %v", err, errBroken)
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }
