//go:build unix

package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kumiko/tournament/fakeengine"
)

// TestCheck finds what is wrong with a program, its folder and its files
// without a game.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	file := fakeengine.Files(t, dir)
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	good := file("good", "#!/bin/sh\nread x\n", 0o755)
	for _, tt := range []struct {
		spec Spec
		want string // of the error; "" is none
	}{
		{Spec{Args: []string{good}}, ""},
		{Spec{Args: []string{file("env", "#!/usr/bin/env sh\nread x\n", 0o755)}}, ""},
		{Spec{Args: []string{file("env-s", "#!/usr/bin/env -S A=b sh -e\nread x\n", 0o755)}}, ""},
		{Spec{Args: []string{file("env-none", "#! /usr/bin/env  python99\n", 0o755)}}, `asks env for "python99", which is not in PATH`},
		{Spec{Args: []string{file("env-path", "#!/usr/bin/env /no/such/python -u\n", 0o755)}}, "/no/such/python"},
		{Spec{Args: []string{file("env-sh", "#!/usr/bin/env sh\n", 0o755)}, Env: []string{"PATH=" + dir}}, `env for "sh", which is not in PATH`},
		{Spec{Args: []string{file("none", "#!/no/such/shell\n", 0o755)}}, `it needs "/no/such/shell", which is missing`},
		{Spec{Args: []string{file("text", "hello\n", 0o755)}}, "neither a program nor a script"},
		{Spec{Args: []string{file("plain", "#!/bin/sh\n", 0o644)}}, "not executable"},
		{Spec{Args: []string{dir}}, "is a directory"},
		{Spec{Args: []string{filepath.Join(dir, "nope")}}, "no such file"},
		{Spec{Args: []string{good}, Dir: filepath.Join(dir, "nope")}, "working directory"},
		{Spec{Args: []string{good}, Dir: good}, "working directory"},
		{Spec{Args: []string{good}, Stderr: filepath.Join(dir, "nope", "err.txt")}, "stderr file"},
		{Spec{Args: []string{good}, Stderr: dir}, "stderr file"},
		{Spec{Args: []string{good}, Stderr: filepath.Join(dir, "err.txt")}, ""},
		{Spec{Args: []string{good}, Stderr: pipe}, "is a pipe"},
		{Spec{Args: []string{"sh", good}}, ""},
		{Spec{Args: []string{"sh", "good"}, Dir: dir}, ""},
		{Spec{Args: []string{"sh", "-c", "./none.sh"}}, ""},
		{Spec{Args: []string{"sh", "./good"}, Dir: dir}, ""},
		{Spec{Args: []string{"sh", "./good"}}, `its argument "./good" in /`},
		{Spec{Args: []string{"sh", "none.sh"}, Dir: dir}, `its argument "none.sh" in ` + dir + ": file does not exist"},
		{Spec{Args: []string{file("java", "#!/bin/sh\nread x\n", 0o755), "-Xmx1g", "-jar", filepath.Join(dir, "none.jar")}}, "none.jar"},
		{Spec{Args: []string{file("wine", "#!/bin/sh\nread x\n", 0o755), `C:\x.exe`}}, ""},
	} {
		_, err := Check(tt.spec)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%+v: error %v, want %q", tt.spec, err, tt.want)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	path := filepath.Join(dir, "brain")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := Find("./brain", dir); err != nil || got != path {
		t.Errorf("%s, %v; want %s", got, err, path)
	}
	if got, err := Find("./brain", ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s, %v; want an error", got, err)
	}
	if got, err := Find("sh", ""); err != nil || !filepath.IsAbs(got) {
		t.Errorf("%s, %v", got, err)
	}
}
