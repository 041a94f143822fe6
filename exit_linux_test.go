package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kumiko/protocol/cli"
)

// program returns a command line of the program.
func program(ctx context.Context, t *testing.T, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.CommandContext(ctx, self, args...)
	stderr = new(bytes.Buffer)
	cmd.Env, cmd.Stderr = append(os.Environ(), "KUMIKO_TEST_MAIN=1"), stderr
	return cmd, stderr
}

// match is a tournament of this program against itself in a folder.
func match(t *testing.T, dir string, more ...string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"tournament", "run", "--out", dir, "--size=7", "--rounds=1", "--each", "tc=0/0.005 margin=5 memory=16M",
		"--engine", "name=A cmd='" + self + "'", "--engine", "name=B cmd='" + self + "'"}, more...)
}

// TestInterrupted interrupts every command that takes long: it says so in one line,
// and by its exit code.
func TestInterrupted(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	record := filepath.Join(dir, "record")
	if _, stderr, code := runProgram(t, "", "selfplay", "--out", record, "--games=4", "--nodes=50"); code != 0 {
		t.Fatal(stderr)
	}
	games, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	var records []string // enough to learn from for a while
	for i := range 200 {
		records = append(records, fmt.Sprint(record, i))
		if err := os.WriteFile(records[i], games, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, args := range map[string][]string{
		"bench":              {"bench", "--depth=60"},
		"perft":              {"perft", "--depth=9"},
		"prove":              {"prove", "--nodes=1000000000", "--moves", "h8h9i8i9g7g10f5"},
		"selfplay":           {"selfplay", "--games=100000", "--out", filepath.Join(dir, "more")},
		"train":              append([]string{"train", "--steps=1000000", "--out", filepath.Join(dir, "tables")}, records...),
		"tune":               {"tune", "spsa", "--out", filepath.Join(dir, "log")},
		"run":                match(t, filepath.Join(dir, "t"), "--rounds=100000"),
		"demo":               {"demo", "--rounds=100000", "--out", filepath.Join(dir, "demo")},
		"check":              {"tournament", "check", "--", self},
		"selfcheck":          {"tournament", "selfcheck", "--count=1000000000"},
		"generate":           {"tournament", "openings", "generate", "--count=100000"},
		"generate to a file": {"tournament", "openings", "generate", "--count=100000", "--out", filepath.Join(dir, "book")},
	} {
		t.Run(name, func(t *testing.T) {
			code, text := -1, ""
			// A signal that comes before the program waits for it kills it.
			for delay := 250 * time.Millisecond; code < 0 && delay < 10*time.Second; delay *= 2 {
				ctx, cancel := context.WithTimeout(t.Context(), delay+30*time.Second)
				defer cancel()
				cmd, stderr := program(ctx, t, args...)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(delay)
				cmd.Process.Signal(syscall.SIGINT)
				cmd.Wait()
				code, text = cmd.ProcessState.ExitCode(), stderr.String()
				if ctx.Err() != nil {
					t.Fatalf("it goes on: %s", text)
				}
				os.RemoveAll(filepath.Join(dir, "t"))
				os.RemoveAll(filepath.Join(dir, "demo"))
			}
			if code != 2 || !strings.Contains(text, ": interrupted") || strings.Contains(text, "context") || strings.Count(text, "\n") != 1 {
				t.Errorf("code %d, errors %q", code, text)
			}
		})
	}
}

// TestFailures reads damaged logs and writes to a full disk: neither is wrong usage.
func TestFailures(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	base := t.TempDir()
	good, bad := filepath.Join(base, "good"), filepath.Join(base, "bad")
	events, stderr, code := runProgram(t, "", match(t, good, "--json-events=-")...)
	if code != 0 || !strings.HasPrefix(events, `{"t":"run","events":1,"version":"`+cli.VersionText()+`",`) {
		t.Fatalf("code %d, errors %q, events %.100s", code, stderr, events)
	}
	log, err := os.ReadFile(filepath.Join(good, "log.jsonl"))
	if err == nil {
		err = errors.Join(os.Mkdir(bad, 0o777), os.WriteFile(filepath.Join(bad, "log.jsonl"), bytes.Replace(log, []byte(`{"t":"start"`), []byte(`{"t":"start`), 1), 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"tournament", "status", bad}, {"tournament", "report", bad}, {"tournament", "report", bad, "--json=-"},
		{"tournament", "export", bad, "--format=pgn"}, {"tournament", "replay", bad, "1"}, {"tournament", "resume", bad}, {"tournament", "rate", bad},
	} {
		_, stderr, code := runProgram(t, "", args...)
		if code != 4 || !strings.Contains(stderr, "log.jsonl:2: ") || !strings.Contains(stderr, "tournament repair ") {
			t.Errorf("%q of a damaged log: code %d, errors %q", args, code, stderr)
		}
	}
	damage := func(name string, fromEnd int) {
		data, err := os.ReadFile(name)
		if err == nil {
			data[len(data)-fromEnd] ^= 1
			err = os.WriteFile(name, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	record, tuning := filepath.Join(base, "record"), filepath.Join(base, "tuning")
	self := []string{"selfplay", "--out", record, "--games=2", "--nodes=50"}
	climb := []string{"tune", "spsa", "--out", tuning, "--games=32", "--nodes=20"}
	for _, args := range [][]string{self, climb} {
		if _, stderr, code := runProgram(t, "", args...); code != 0 {
			t.Fatalf("%q: %s", args, stderr)
		}
	}
	damage(record, 100)
	damage(tuning, 10)
	for _, args := range [][]string{self, {"train", "--out", filepath.Join(base, "tables"), record}, climb, {"tune", "show", tuning}} {
		if _, stderr, code := runProgram(t, "", args...); code != 4 || !strings.Contains(stderr, base) {
			t.Errorf("%q after damage: code %d, errors %q", args, code, stderr)
		}
	}
	const enough = "no space left on device"
	for _, args := range [][]string{
		{"tournament", "report", good, "--html", full}, {"tournament", "report", good, "--json", full}, {"tournament", "report", good, "--csv", full},
		{"tournament", "export", good, "--format=pgn", "--out", full},
		match(t, filepath.Join(base, "events"), "--json-events", full),
		{"tournament", "resume", good, "--json-events", full},
	} {
		_, stderr, code := runProgram(t, "", args...)
		if code != 4 || !strings.Contains(stderr, enough) {
			t.Errorf("%q: code %d, errors %q", args, code, stderr)
		}
		warnings := 0
		if strings.Contains(strings.Join(args, " "), "events") {
			warnings = 1
		}
		if strings.Count(stderr, "Warning: ") != warnings || strings.Count(stderr, "\n") != 1+warnings {
			t.Errorf("%q: errors %q, want %d warnings", args, stderr, warnings)
		}
	}
	for _, args := range [][]string{
		{"help"}, {"version"}, {"completion", "bash"}, {"bench", "--depth=1"}, {"perft", "--depth=1"},
		match(t, filepath.Join(base, "console")), match(t, filepath.Join(base, "json"), "--json-events=-"),
		{"tournament", "status", good}, {"tournament", "report", good}, {"tournament", "export", good, "--format=csv"},
		{"tournament", "replay", good, "1"}, {"tournament", "repair", good}, {"tournament", "rate", good}, {"tournament", "sprt", "--help"},
		{"tournament", "selfcheck", "--count=5"}, {"tournament", "resume", good},
	} {
		cmd, stderr := program(t.Context(), t, args...)
		out, err := os.OpenFile(full, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdout = out
		cmd.Run()
		out.Close()
		if code := cmd.ProcessState.ExitCode(); code != 4 || !strings.Contains(stderr.String(), enough) {
			t.Errorf("%q with a full output: code %d, errors %q", args, code, stderr)
		}
		if n := strings.Count(stderr.String(), "\n"); n != 1 && !slices.Contains(args, "--json-events=-") {
			t.Errorf("%q with a full output: %d lines of errors %q, want 1", args, n, stderr)
		}
	}
}
