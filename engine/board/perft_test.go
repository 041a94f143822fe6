package board

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/engine/board/boardtest"
)

// leafCounts are the counts of perft with what the last moves are.
type leafCounts struct{ moves, wins, forbidden int }

// countLeaves is Perft one move at a time.
func countLeaves(b *Board, depth int) (n leafCounts) {
	for m := range emptyPoints(b) {
		wins := b.Wins(m, b.Side())
		switch {
		case !b.Legal(m):
			if depth == 1 {
				n.forbidden++
			}
		case depth == 1:
			n.moves++
			if wins {
				n.wins++
			}
		case !wins:
			b.Place(m)
			k := countLeaves(b, depth-1)
			b.Undo()
			n = leafCounts{n.moves + k.moves, n.wins + k.wins, n.forbidden + k.forbidden}
		}
	}
	return n
}

func TestPerftCases(t *testing.T) {
	type record struct {
		position
		Perft     []int
		Wins      []int `json:"wins_at_last_ply"`
		Forbidden []int `json:"forbidden_at_last_ply"`
	}
	checked := [4]int{}
	for _, r := range readCases[record](t, "perft.jsonl") {
		b := r.board(t)
		before := b.String()
		for i := range r.Perft {
			depth := i + 1
			if depth > 2 && testing.Short() {
				continue
			}
			if got := perft(b, depth); got != uint64(r.Perft[i]) {
				t.Errorf("%s, %v: perft of %d: %d, want %d", r.ID, b.Rule(), depth, got, r.Perft[i])
			}
			checked[depth]++
			if depth > 2 && !*long {
				continue
			}
			want := leafCounts{r.Perft[i], r.Wins[i], r.Forbidden[i]}
			if got := countLeaves(b, depth); got != want {
				t.Errorf("%s, %v: counts of %d: %+v, want %+v", r.ID, b.Rule(), depth, got, want)
			}
		}
		if b.String() != before {
			t.Errorf("%s: perft left\n%vof\n%v", r.ID, b, before)
		}
	}
	t.Logf("positions by depth: %v", checked[1:])
}

// leaves is Perft on the twin.
func (n *naive) leaves(side Color, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var sum uint64
	for _, p := range n.Points(boardtest.Empty) {
		if !n.Legal(p, sign(side)) || depth > 1 && n.Wins(p, sign(side)) {
			continue
		}
		n.With(p, sign(side), func() { sum += n.leaves(side.Opponent(), depth-1) })
	}
	return sum
}

// Boards that are nearly full, with all ways to fill them.
func TestPerftToTheEnd(t *testing.T) {
	for _, picture := range []string{`
		X X . X O X
		O . O . X O
		X X O X . O
		. X O O X X
		X . X X O .
		O O X O O O
		black to move`, `
		. X X X X . X X
		O O . O O # . O
		X X X . X O O .
		O . O O O . X O
		X X O X # X O O
		white to move`,
	} {
		for rule := range Rule(NumRules) {
			b := mustParse(t, rule, picture)
			twin := naiveOf(b)
			for depth := range b.Width()*b.Height() - b.Stones() + 2 {
				if depth > 5 && !*long {
					break
				}
				if got, want := perft(b, depth), twin.leaves(b.Side(), depth); got != want {
					t.Errorf("%v: perft of %d: %d, want %d\n%v", rule, depth, got, want, b)
				}
			}
		}
	}
}

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
		{"-rule standard -size 20 -depth 2", "standard 20x20, black to move; 1 400; 2 159600"},
		{"-rule caro5 -size 5x7 -depth 2", "caro5 5x7, black to move; 1 35; 2 1190"},
		{"-rule renju -moves h8h9j8 -depth 1", "renju 15x15, white to move; 1 222"},
		{"-depth 2 " + file, "freestyle 6x5, black to move; 1 25; 2 600"},
		{"-depth 1 -moves b2f2 " + file, "freestyle 6x5, black to move; 1 23"},
		{"-depth 2 -moves b2e4 " + file, "freestyle 6x5, black to move; 1 23; 2 462"}, // two fives
	} {
		var out strings.Builder
		if err := PerftCommand(context.Background(), strings.Fields(tt.args), &out); err != nil {
			t.Errorf("perft %s: %v", tt.args, err)
			continue
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		got := lines[0]
		for _, line := range lines[2:] {
			got += "; " + strings.Join(strings.Fields(line)[:2], " ")
		}
		if got != tt.want {
			t.Errorf("perft %s: %s, want %s", tt.args, got, tt.want)
		}
	}
}

// perft is Perft without an end.
func perft(b *Board, depth int) uint64 {
	n, err := Perft(context.Background(), b, depth)
	if err != nil {
		panic(err)
	}
	return n
}

func TestPerftCommandHelp(t *testing.T) {
	var out strings.Builder
	if err := PerftCommand(context.Background(), []string{"-h"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"usage: perft", "-rule name", "-size N or WxH", "-depth", "-moves"} {
		if !strings.Contains(out.String(), s) {
			t.Errorf("help lacks %q:\n%s", s, out.String())
		}
	}
}

func TestPerftCommandErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bad.txt")
	if err := os.WriteFile(file, []byte(".....\n..?..\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want string }{
		{"-rule go", `unknown rule "go"`},
		{"-size 15by15", `invalid board size "15by15"`},
		{"-size 4", "size 4x4"},
		{"-size 15x33", "size 15x33"},
		{"-size 15x", `invalid board size "15x"`},
		{"-depth 0", "-depth 0, want at least 1"},
		{"-depth x", `invalid value "x"`},
		{"-moves h8h8", "move 2: h8 is occupied"},
		{"-moves h8p1", "move 2: p1 is off the board"},
		{"-moves h8,i9", `move 2: invalid point ",i9"`},
		{"-moves h8i", `move 2: invalid point "i"`},
		{"-rule renju -moves h7a1h9a15g8o1i8o15h8", "move 9: h8 is forbidden, double-three"},
		{"-nothing", "not defined: -nothing"},
		{filepath.Join(dir, "none.txt"), "none.txt"},
		{file, "bad.txt: picture line 2, column 3: '?'"},
		{file + " " + file, "one picture file is enough"},
	} {
		var out strings.Builder
		err := PerftCommand(context.Background(), strings.Fields(tt.args), &out)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("perft %s: error %v, want %s", tt.args, err, tt.want)
		}
		if out.Len() > 0 {
			t.Errorf("perft %s: error %v, and output %s", tt.args, err, out.String())
		}
	}
}

func TestPerftCommandStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out strings.Builder
	err := PerftCommand(ctx, []string{"-depth", "9"}, &out)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if err := PerftCommand(context.Background(), nil, brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want %v", err, errBroken)
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func BenchmarkPerft(b *testing.B) {
	for rule := range Rule(NumRules) {
		b.Run("rule="+rule.String(), func(b *testing.B) {
			board, err := New(15, 15, rule)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				perft(board, 2)
			}
		})
	}
}
