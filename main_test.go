package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"kumiko/engine/board"
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

func TestCommandTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range commands {
		// No manager passes such a word, and no flag is like it.
		if !regexp.MustCompile(`^[a-z][a-z0-9]+$`).MatchString(c.name) || c.name == "help" {
			t.Errorf("command name %q", c.name)
		}
		if seen[c.name] {
			t.Errorf("command %s is listed twice", c.name)
		}
		seen[c.name] = true
		if c.help == "" || c.run == nil {
			t.Errorf("command %s lacks a line of help or a function", c.name)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, arg := range []string{"help", "-h", "-help", "--help"} {
		stdout, stderr, code := runProgram(t, "", arg)
		if code != 0 || stderr != "" || !strings.HasPrefix(stdout, "Usage: ") {
			t.Errorf("%s: code %d, output %q, errors %q", arg, code, stdout, stderr)
		}
		for _, c := range commands {
			if !strings.Contains(stdout, "  "+c.name+" ") || !strings.Contains(stdout, c.help+"\n") {
				t.Errorf("%s says nothing of %s", arg, c.name)
			}
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
	for _, c := range commands {
		if c.name == "version" {
			continue // looks at no arguments
		}
		for _, args := range [][]string{{"-no-such-flag"}, {"surely", "too", "many"}} {
			stdout, stderr, code := runProgram(t, "", append([]string{c.name}, args...)...)
			if code == 0 || stdout != "" || !strings.Contains(stderr, "pbrain-kumiko "+c.name+": ") && code != 2 {
				t.Errorf("%s %q: code %d, output %q, errors %q", c.name, args, code, stdout, stderr)
			}
		}
	}
}

func TestCommands(t *testing.T) {
	tests := []struct {
		args, want string // regular expression for all output
	}{
		{"version", `^kumiko .*\n$`},
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

// TestReadme checks what the README says of the commands, and its links.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	var help bytes.Buffer
	usage(&help)
	if !strings.Contains(strings.ReplaceAll(readme, "\n    ", "\n"), help.String()) {
		t.Errorf("the README does not quote this:\n%s", help.String())
	}
	for _, link := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(readme, -1) {
		if _, err := os.Stat(link[1]); err != nil {
			t.Error(err)
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

func TestDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR")) // on Windows
	stdout, stderr, code := runProgram(t, "", "demo", "--rounds=1")
	if code != 0 || stderr != "" || !strings.Contains(stdout, "kumiko-3200") || strings.Count(stdout, "Finished game") != 6 {
		t.Errorf("code %d, errors %q, output\n%s", code, stderr, stdout)
	}
}

// TestSignature runs the bench and compares its sum of nodes with the one that
// the README quotes: whoever changes how the engine plays has to say so.
func TestSignature(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile(`(?m)^ +nodes \d+$`).Find(readme)
	if quoted == nil {
		t.Fatal("README.md quotes no signature")
	}
	var out bytes.Buffer
	if err := bench(t.Context(), nil, &out); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSpace(string(quoted))
	if !strings.Contains(out.String(), "\n"+want+"\n") {
		t.Errorf("README.md says %q, but bench printed\n%s", want, out.String())
	}
}
