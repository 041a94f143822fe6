//go:build unix

package process

import (
	"bytes"
	"debug/elf"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"kumiko/tournament/fakeengine"
)

func TestExplain(t *testing.T) {
	dir := t.TempDir()
	file := fakeengine.Files(t, dir)
	tests := []struct {
		path string
		kind error
		hint string // ends with " (" if it is all
	}{
		{filepath.Join(dir, "none"), fs.ErrNotExist, "starting"},
		{filepath.Join(dir, "none", "none"), fs.ErrNotExist, "starting"},
		{dir, syscall.EISDIR, "it is a directory ("},
		{file("plain", "hello\n", 0o644), fs.ErrPermission, "it is not executable: chmod +x may help ("},
		{file("pbrain-x.exe", "MZ\x90\x00", 0o644), fs.ErrPermission, "it is a Windows program: put wine before it ("},
		{file("pbrain-y.exe", "MZ\x90\x00", 0o755), syscall.ENOEXEC, "it is a Windows program: put wine before it ("},
		{file("text", "hello\n", 0o755), syscall.ENOEXEC, "it is neither a program nor a script with a #! line ("},
		{file("empty", "", 0o755), syscall.ENOEXEC, "it is neither a program nor a script with a #! line ("},
		{file("script", "#! /no/such/shell -x\n", 0o755), fs.ErrNotExist, `it needs "/no/such/shell", which is missing (`},
		{file("crlf", "#!/bin/sh\r\nexit\r\n", 0o755), fs.ErrNotExist, `it needs "/bin/sh\r", which is missing (`},
	}
	for _, tt := range tests {
		_, err := Start(Spec{Args: []string{tt.path}})
		if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.hint) || !strings.Contains(err.Error(), tt.path) {
			t.Errorf("%s: got error %v, want %v that says %q", tt.path, err, tt.kind, tt.hint)
		}
	}
}

// TestExplainELF spoils programs.
func TestExplainELF(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not a system with ELF programs")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	program, err := os.ReadFile(sh)
	if err != nil {
		t.Fatal(err)
	}
	loader, machine := interpreter(program, bytes.NewReader(program))
	if loader == "" || machine == "" {
		t.Skipf("%s has no loader", sh)
	}
	start := func(program []byte) error {
		t.Helper()
		path := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(path, program, 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := Start(Spec{Args: []string{path}})
		return err
	}

	other := loader[:len(loader)-1] + "~"
	err = start(bytes.ReplaceAll(program, []byte(loader), []byte(other)))
	if want := `it needs "` + other + `", which is missing (`; !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want one that says %s", err, want)
	}

	const machineAt = 18 // in the ELF header
	program[machineAt] = byte(elf.EM_SPARCV9)
	program[machineAt+1] = 0
	err = start(program)
	if want := "it is a program for another machine, EM_SPARCV9 ("; !errors.Is(err, syscall.ENOEXEC) || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want one that says %s", err, want)
	}
}

func TestExplainDot(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("engine", nil, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", ".")
	if _, err := Start(Spec{Args: []string{"engine"}}); err == nil || !strings.Contains(err.Error(), "put ./ before it") {
		t.Errorf("got error %v", err)
	}
}
