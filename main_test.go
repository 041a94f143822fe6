package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/engine/board"
	"kumiko/protocol/cli"
	"kumiko/protocol/cli/golden"
)

// TestMain makes the test binary the program itself if it is told to be. What
// demo starts then is the program too.
func TestMain(m *testing.M) {
	if os.Getenv("KUMIKO_TEST_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every process takes a second to exit
	os.Exit(m.Run())
}

// runProgram runs the program with the given standard input and arguments.
func runProgram(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), "KUMIKO_TEST_MAIN=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// all calls visit for every command.
func all(visit func(c *cobra.Command)) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		visit(c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(commands())
}

func TestCommandTree(t *testing.T) {
	sentence := regexp.MustCompile(`^[A-Z][^.]*[^.]$`)
	all(func(c *cobra.Command) {
		// No manager passes a word of this form, and it cannot be taken for a flag.
		if !regexp.MustCompile(`^[a-z][a-z0-9-]+$`).MatchString(c.Name()) || c.Name() == "help" {
			t.Errorf("command name %q", c.Name())
		}
		seen := map[string]bool{}
		for _, sub := range c.Commands() {
			if seen[sub.Name()] {
				t.Errorf("%s is listed twice", sub.CommandPath())
			}
			seen[sub.Name()] = true
		}
		if !sentence.MatchString(c.Short) || len(c.Short) > 80 {
			t.Errorf("%s: help %q", c.CommandPath(), c.Short)
		}
		// One that does both takes arguments: others are unknown commands.
		if !c.HasSubCommands() && c.RunE == nil || c.HasSubCommands() && c.RunE != nil && c.Args == nil || c.Run != nil {
			t.Errorf("%s: a command runs, or holds others", c.CommandPath())
		}
		if c.Args == nil && !c.HasSubCommands() && !c.DisableFlagParsing {
			t.Errorf("%s does not say how many arguments it takes", c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			arg, usage := pflag.UnquoteUsage(f)
			if usage == "" || strings.HasSuffix(usage, ".") || usage[0] >= 'A' && usage[0] <= 'Z' && usage[1] >= 'a' {
				t.Errorf("%s --%s: help %q", c.CommandPath(), f.Name, f.Usage)
			}
			if arg == "int" || arg == "uint" || arg == "float" || arg == "string" || arg == "strings" {
				t.Errorf("%s --%s: help %q does not name its value between backquotes", c.CommandPath(), f.Name, f.Usage)
			}
		})
	})
}

// helpGolden has the help of every command.
const helpGolden = "protocol/cli/testdata/help.golden"

func TestHelp(t *testing.T) {
	var got strings.Builder
	all(func(c *cobra.Command) {
		args := strings.Fields(c.CommandPath())[1:]
		var out bytes.Buffer
		if err := cli.Execute(t.Context(), commands(), append([]string{"help"}, args...), &out); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(&got, "$ %s --help\n%s\n", c.CommandPath(), out.Bytes())
		for _, form := range [][]string{append(slices.Clone(args), "--help"), append(slices.Clone(args), "-h"), append(slices.Clone(args), "-help")} {
			var again bytes.Buffer
			if err := cli.Execute(t.Context(), commands(), form, &again); err != nil || again.String() != out.String() {
				t.Errorf("%q: error %v, output\n%s\nwant\n%s", form, err, again.Bytes(), out.Bytes())
			}
		}
	})
	golden.Compare(t, helpGolden, got.String())
}

func TestHelpOfProgram(t *testing.T) {
	for _, arg := range []string{"help", "-h", "-help", "--help"} {
		stdout, stderr, code := runProgram(t, "", arg)
		if code != 0 || stderr != "" || !strings.HasPrefix(stdout, "Kumiko plays ") || !strings.Contains(stdout, "  tournament  Play ") {
			t.Errorf("%s: code %d, output %q, errors %q", arg, code, stdout, stderr)
		}
	}
}

// TestProtocol checks that the program answers a manager, and nothing but
// answers, whatever arguments the manager passes.
func TestProtocol(t *testing.T) {
	const dialogue = "START 15\r\nSWIM\r\nEND\r\n"
	for _, args := range [][]string{nil, {""}, {"15"}, {"-x"}, {"Bench"}, {"C:\\brains", "bench"}} {
		stdout, stderr, code := runProgram(t, dialogue, args...)
		if code != 0 || stderr != "" || stdout != "OK\nUNKNOWN command SWIM\n" {
			t.Errorf("arguments %q: code %d, output %q, errors %q", args, code, stdout, stderr)
		}
	}
}

// TestWrongArguments checks that mistakes end in words and a code, not in a
// command that runs nevertheless.
func TestWrongArguments(t *testing.T) {
	all(func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		if len(path) == 0 {
			return
		}
		for _, args := range [][]string{{"--no-such-flag"}, {"surely", "too", "many"}} {
			if c.Name() == "rate" || c.Name() == "train" || c.Name() == "check" || c.Name() == "weights" {
				args = []string{"--no-such-flag"}
			}
			stdout, stderr, code := runProgram(t, "", append(slices.Clone(path), args...)...)
			if code != 1 || stdout != "" || !strings.HasPrefix(stderr, c.CommandPath()+": ") || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s %q: code %d, output %q, errors %q", c.CommandPath(), args, code, stdout, stderr)
			}
		}
	})
}

func TestCommands(t *testing.T) {
	tests := []struct {
		args, want string // regular expression for all output
	}{
		{"version", `^kumiko .*\n$`},
		{"--version", `^kumiko .*\n$`},
		{"__complete tournament re", `(?s)^resume\tContinue .*\nreport\tReport .*\nreplay\t.*`},
		{"__complete bench --", `(?s)^--depth\tsearch depth in plies.*`},
		{"bench -depth 1", `(?s)^freestyle 15x15 .* depth  1 .*\nnodes [1-9]\d*\nnodes/second \d+\n$`},
		{"perft -depth 2", `(?s)^freestyle 15x15, black to move\n.*\n +1 +225 .*\n +2 +50400 .*\n$`},
		{"perft -size 3", `^$`},
	}
	for _, tt := range tests {
		stdout, stderr, code := runProgram(t, "", strings.Fields(tt.args)...)
		if !regexp.MustCompile(tt.want).MatchString(stdout) || (stderr == "") != (code == 0) || (stdout == "") != (code != 0) {
			t.Errorf("%s: code %d, output %q, errors %q", tt.args, code, stdout, stderr)
		}
	}
}

// TestTournament lets the program play whole games against itself by every
// rule.
func TestTournament(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	play := func(rule, size string, more ...string) {
		t.Run(rule+"/"+size, func(t *testing.T) {
			args := []string{"tournament", "run", "--out", t.TempDir(), "--rule", rule, "--size", size, "--rounds", "1",
				"--each", "tc=0/0.005 margin=5 memory=16M", "--engine", "name=A cmd='" + self + "'", "--engine", "name=B cmd='" + self + "'"}
			stdout, stderr, code := runProgram(t, "", append(args, more...)...)
			if code != 0 || stderr != "" || !strings.Contains(stdout, "\nGames: 2, ") || !strings.Contains(stdout, "time-losses 0/0, crashes 0/0\n") {
				t.Errorf("code %d, errors %q, output\n%s", code, stderr, stdout)
			}
		})
	}
	for r := range board.Rule(board.NumRules) {
		play(r.String(), "15")
	}
	play("freestyle", "5")
	play("freestyle", "20x16")
	play("exact", "15", "--swap2")
}

// TestExitCodes ends tournaments in every way that a script may ask for.
func TestExitCodes(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, second string
		more         []string
		code         int
		stderr       string
	}{
		{"finished", self, nil, 0, ""},
		{"undecided", self, []string{"--sprt", "", "--exit-verdict"}, 12, "undecided"},
		{"disqualified", self + " perft --depth 1", []string{"--max-failures=1", "--each", "start=5"}, 3, "disqualified"},
		{"wrong flag", self, []string{"--rounds=none"}, 1, "rounds"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"tournament", "run", "--out", t.TempDir(), "--size=7", "--rounds=1", "--each", "tc=0/0.005 margin=5 memory=16M",
				"--engine", "name=A cmd='" + self + "'", "--engine", "name=B cmd='" + tt.second + "'"}
			stdout, stderr, code := runProgram(t, "", append(args, tt.more...)...)
			if code != tt.code || !strings.Contains(stderr, tt.stderr) || tt.stderr == "" && stderr != "" {
				t.Errorf("code %d, errors %q, want %d and %q; output\n%s", code, stderr, tt.code, tt.stderr, stdout)
			}
		})
	}
}

func TestDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR")) // on Windows
	stdout, stderr, code := runProgram(t, "", "demo", "--rounds=1")
	if code != 0 || stderr != "" || !strings.Contains(stdout, "kumiko-3200") || strings.Count(stdout, "Finished game") != 6 {
		t.Errorf("code %d, errors %q, output\n%s", code, stderr, stdout)
	}
}

// TestSignature runs the bench and compares it with the one that the documents
// quote: whoever changes how the engine plays has to say so.
func TestSignature(t *testing.T) {
	var out bytes.Buffer
	if err := cli.Execute(t.Context(), commands(), []string{"bench"}, &out); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	quoted := regexp.MustCompile(`(?m)^ +(nodes \d+)$`).FindSubmatch(golden.Read(t, "README.md"))
	if quoted == nil || !slices.Contains(got, string(quoted[1])) {
		t.Errorf("README.md says %q, but bench printed\n%s", quoted, out.String())
	}
	for _, b := range blocks(string(golden.Read(t, "protocol/README.md"))) {
		if s := b.steps[0]; s.command == "./pbrain-kumiko bench" && !alike(s.want, got) {
			t.Errorf("protocol/README.md shows\n%s\nbut bench printed\n%s", strings.Join(s.want, "\n"), out.String())
		}
	}
}
