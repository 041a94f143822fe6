package engine

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/solve"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// The bench gives the same result every time.
func TestBenchReproducible(t *testing.T) {
	signature := func() string {
		all := ""
		if err := Bench(t.Context(), testOptions, 6, func(p BenchPosition, res Result) {
			all += fmt.Sprintln(p.Name, res.Move, res.Score, res.Nodes, res.PV)
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	first := signature()
	if again := signature(); again != first {
		t.Errorf("first\n%sthen\n%s", first, again)
	}
}

// Setting up a rule does not count towards the time of a search. Here it is slow, as
// the evaluator takes long to make.
func TestBenchTime(t *testing.T) {
	const making = 100 * time.Millisecond
	o := testOptions
	made := 0
	o.Evaluator = func(patterns Evaluator) Evaluator {
		made++
		time.Sleep(making)
		return patterns
	}
	if err := Bench(t.Context(), o, 1, func(p BenchPosition, res Result) {
		if res.Time >= making {
			t.Errorf("%s: a search of depth 1 took %v", p.Name, res.Time)
		}
	}); err != nil {
		t.Fatal(err)
	}
	// The positions of a rule follow each other, so that its tables are made once.
	rules := map[board.Rule]bool{}
	list, err := BenchPositions()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		rules[p.Board.Rule()] = true
	}
	if made != len(rules) {
		t.Errorf("%d evaluators made for %d rules", made, len(rules))
	}
}

// The bench positions are unfinished games without a VCF, which would end the
// search at once.
func TestBenchPositions(t *testing.T) {
	list, err := BenchPositions()
	if err != nil {
		t.Fatal(err)
	}
	v := solve.NewVCF(16)
	for _, p := range list {
		if five := fiveOf(p.Board); five != nil {
			t.Errorf("%s: a five on the board", p.Name)
		}
		if n, _ := v.Solve(p.Board, solve.MaxFours, 100_000); n > 0 {
			t.Errorf("%s: won by fours", p.Name)
		}
	}
}

func TestPlayedBoard(t *testing.T) {
	for _, c := range []struct {
		rule  string
		size  int
		moves string
		err   string
	}{
		{"freestyle", 15, "h8i9o15a1", ""},
		{"renju", 20, "", ""},
		{"freestyle", 30, "aa1ab30", ""},
		{"go", 15, "h8", "unknown rule"},
		{"freestyle", 4, "h8", "size"},
		{"freestyle", 15, "h8h8", "move 2: h8 is occupied"},
		{"freestyle", 15, "p1", "move 1: p1 is off the board"},
		{"freestyle", 15, "h8 i9", ""},
		{"freestyle", 15, "h", "invalid point"},
		{"freestyle", 15, "8", "invalid point"},
	} {
		b, err := playedBoard(c.rule, c.size, c.moves)
		switch {
		case c.err == "" && err != nil:
			t.Errorf("%s %d %s: %v", c.rule, c.size, c.moves, err)
		case c.err == "":
			if b.Width() != c.size || b.Rule().String() != c.rule {
				t.Errorf("%s %d %s: %v, %d columns", c.rule, c.size, c.moves, b.Rule(), b.Width())
			}
		case err == nil || !strings.Contains(err.Error(), c.err):
			t.Errorf("%s %d %s: error %v, want one with %q", c.rule, c.size, c.moves, err, c.err)
		}
	}
}
