package engine

import (
	"bytes"
	"flag"
	"kumiko/engine/solve"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// benchOutput runs the bench and returns what it writes.
func benchOutput(t *testing.T, depth int) string {
	t.Helper()
	var out bytes.Buffer
	if err := printBench(&out, testOptions, depth); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// numbers are what changes from one search to the next.
var numbers = regexp.MustCompile(`score +[+-]?M?\d+|nodes +\d+|nodes/second +\d+| [a-z]\d+ +depth`)

// unnumbered replaces the moves and numbers of the bench by signs.
func unnumbered(s string) string {
	return numbers.ReplaceAllStringFunc(s, func(m string) string {
		word, _, _ := strings.Cut(strings.TrimSpace(m), " ")
		if strings.HasSuffix(m, "depth") {
			return " MOVE depth"
		}
		return word + " N"
	})
}

// The form of the bench's output is what other programs read. The numbers in
// it are for the commit message to tell.
func TestBenchForm(t *testing.T) {
	const golden = "bench.golden"
	got := unnumbered(benchOutput(t, 2))
	name := filepath.Join("testdata", golden)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%swant\n%s(-update rewrites %s)", got, want, golden)
	}
}

// The bench visits the same positions every time.
func TestBenchReproducible(t *testing.T) {
	signature := func() string {
		all, _, _ := strings.Cut(benchOutput(t, 6), "nodes/second")
		return all
	}
	first := signature()
	if again := signature(); again != first {
		t.Errorf("first\n%sthen\n%s", first, again)
	}
}

func TestBenchCommand(t *testing.T) {
	for _, c := range []struct {
		args string
		ok   bool
	}{
		{"-depth 1", true},
		{"-depth 0", false},
		{"-depth 1000", false},
		{"-depth x", false},
		{"-depth 1 -threads 1", true},
		{"-threads 0", false},
		{"-threads 1000", false},
		{"more", false},
	} {
		var out bytes.Buffer
		err := BenchCommand(testOptions, strings.Fields(c.args), &out)
		if (err == nil) != c.ok || c.ok && !strings.Contains(out.String(), "nodes ") {
			t.Errorf("%s: error %v, output %q", c.args, err, &out)
		}
	}
}

// The positions of the bench are unfinished games without a victory by fours,
// which would end the search at once.
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
