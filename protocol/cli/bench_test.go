package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kumiko/engine"
	"kumiko/protocol/cli/golden"
)

// run runs a command.
func run(t *testing.T, c *cobra.Command, args string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := Execute(t.Context(), c, strings.Fields(args), &out)
	return out.String(), err
}

// benchCommand is bench of a small engine.
func benchCommand() *cobra.Command {
	return Bench(func() engine.Options { return engine.Options{} })
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

// Other programs parse the output of bench, so its format is fixed. Its numbers are
// not.
func TestBenchForm(t *testing.T) {
	out, err := run(t, benchCommand(), "--depth 2")
	if err != nil {
		t.Fatal(err)
	}
	got := unnumbered(out)
	golden.Compare(t, "testdata/bench.golden", got)
}

func TestBenchCommand(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"--depth 1", ""},
		{"--depth 1 --threads 1", ""},
		{"--depth 0", "depth must be 1 to 100, got 0"},
		{"--depth 1000", "depth must be 1 to 100, got 1000"},
		{"--depth x", `invalid value "x" of --depth: invalid syntax`},
		{"--threads 0", "threads must be 1 to "},
		{"--threads 1000", "threads must be 1 to "},
		{"more", `unexpected argument "more"`},
	} {
		out, err := run(t, benchCommand(), tt.args)
		if tt.want == "" && (err != nil || !strings.Contains(out, "nodes ")) {
			t.Errorf("%s: error %v, output %q", tt.args, err, out)
		} else if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: error %v, want %s", tt.args, err, tt.want)
		}
	}
}
