//go:build unix

package tournament

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/tournament/fakeengine"
	"kumiko/tournament/outfile"
)

// TestPaths refuses what cannot be opened or run before the first game, and
// leaves no folder of a tournament behind.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	file := fakeengine.Files(t, dir)
	good := quoteWord(fakeCommand("salt=1"))
	nope := filepath.Join(dir, "nope", "x")
	text := file("text", "hello\n", 0o755)
	for _, tt := range []struct {
		args string // run with two engines more
		want string // of the error
	}{
		{"--engine=name=X cmd=" + good + " stderr=" + nope, "engine X: stderr file: "},
		{"--engine=name=X cmd=" + good + " stderr=" + dir, "engine X: stderr file: "},
		{"--engine=name=X cmd=" + good + " dir=" + nope, "engine X: working directory: "},
		{"--engine=name=X cmd=" + good + " dir=" + text, "engine X: working directory: "},
		{"--engine=name=X cmd=" + nope, "engine X: "},
		{"--engine=name=X cmd=" + dir, "it is a directory"},
		{"--engine=name=X cmd=" + text, "neither a program nor a script"},
		{"--engine=name=X cmd=" + file("plain", "#!/bin/sh\n", 0o644), "not executable"},
		{"--engine=name=X cmd=" + file("script", "#!/no/such/shell\n", 0o755), `needs "/no/such/shell", which is missing`},
		{"--engine=name=X cmd=" + file("env", "#!/usr/bin/env no-such-python\n", 0o755), `"no-such-python", which is not in PATH`},
		{"--engine=name=X dir=" + dir + " cmd='sh none.sh'", `its argument "none.sh" in ` + dir},
		{"--engine=name=X cmd=" + file("windows.exe", "MZ", 0o755), "is a Windows program"},
		{"--openings=file=" + nope, nope},
		{"--openings=file=" + dir + " type=pos", "is a directory"},
		{"--openings=file=" + file("empty.pos", "\n", 0o644), "empty.pos has no openings"},
		{"--openings=file=" + file("b.pos", "h8\n", 0o644) + " start=2 order=random", "openings start at 2 of 1"},
		{"--json-events=" + nope, "cannot write " + nope},
		{"--json-events=" + dir, "it is a directory"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		args := append(twoEngines("run", "--rounds=1", "--out="+out), tt.args)
		if err := execute(context.Background(), args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.args, err, tt.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the tournament has begun", tt.args)
		}
	}
	for _, option := range []string{"-pgn", "-sgf"} {
		out := filepath.Join(t.TempDir(), "out")
		args := []string{"compat", "-engine", "name=A", "cmd=" + fakeCommand("salt=1"), "-engine", "name=B", "cmd=" + fakeCommand("salt=2"), "-out", out, option, nope}
		if err := execute(context.Background(), args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "cannot write "+nope) {
			t.Errorf("%s: error %v", option, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the tournament has begun", option)
		}
	}
}

// TestCheckOutput leaves no trace.
func TestCheckOutput(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "-", old, filepath.Join(dir, "new"), os.DevNull} {
		if err := checkOutput(name, outfile.Kind{Match: func([]byte) bool { return true }}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	list, err := os.ReadDir(dir)
	if text, err2 := os.ReadFile(old); err != nil || err2 != nil || len(list) != 1 || string(text) != "x" {
		t.Errorf("%v, %v, %v, %q", list, err, err2, text)
	}
}
