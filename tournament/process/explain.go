package process

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// explain adds what it can find out about the cause to an error from starting a
// program. The operating system is terse: "no such file" may mean the program
// or its interpreter.
func explain(program string, err error) error {
	hint := ""
	switch {
	case errors.Is(err, exec.ErrDot):
		hint = "is here but not in PATH: put ./ before it"
	case errors.Is(err, exec.ErrNotFound):
		hint, err = "is not in PATH", fs.ErrNotExist
	default:
		hint = diagnose(program, err)
	}
	if e, ok := errors.AsType[*exec.Error](err); ok { // avoid naming the program twice
		err = e.Err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Path == program {
		err = e.Err
	}
	if hint == "" {
		return fmt.Errorf("starting %s: %w", program, err)
	}
	return fmt.Errorf("starting %s: it %s (%w)", program, hint, err)
}

// diagnose returns what about a file keeps it from being run, given the
// system's error, or "" if unknown.
func diagnose(program string, err error) string {
	info, statErr := os.Stat(program)
	if statErr != nil {
		return ""
	}
	if info.IsDir() {
		return "is a directory"
	}
	f, openErr := os.Open(program)
	if openErr != nil {
		return notExecutable(info)
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head) // a short read will do
	if hint := foreign(head[:n]); hint != "" {
		return hint
	}
	if hint := notExecutable(info); hint != "" {
		return hint
	}
	name, machine := interpreter(head[:n], f)
	switch {
	case errors.Is(err, syscall.ENOEXEC) && machine != "":
		return "is a program for another machine, " + machine
	case errors.Is(err, syscall.ENOEXEC):
		return "is neither a program nor a script with a #! line"
	case name == "":
		return ""
	}
	if _, err := os.Stat(name); err != nil {
		return fmt.Sprintf("needs %q, which is missing", name)
	}
	return ""
}

// foreign recognizes programs for another system by their first bytes.
func foreign(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("MZ")) && runtime.GOOS != "windows":
		return "is a Windows program: put wine before it"
	case bytes.HasPrefix(head, []byte(elf.ELFMAG)) && runtime.GOOS == "windows":
		return "is a Linux program"
	case bytes.HasPrefix(head, []byte("\xcf\xfa\xed\xfe")) && runtime.GOOS != "darwin":
		return "is a macOS program"
	}
	return ""
}

// notExecutable reports a file that nobody may execute.
func notExecutable(info fs.FileInfo) string {
	if info.Mode().Perm()&0o111 == 0 && runtime.GOOS != "windows" {
		return "is not executable: chmod +x may help"
	}
	return ""
}

// interpreter returns the program that interprets a script or loads an ELF
// program, or "", and the machine an ELF program is for.
func interpreter(head []byte, f io.ReaderAt) (name, machine string) {
	if line, ok := bytes.CutPrefix(head, []byte("#!")); ok {
		line, _, _ = bytes.Cut(line, []byte("\n"))
		name, _, _ = strings.Cut(strings.Trim(string(line), " \t"), " ")
		return name, "" // with the CR if lines end in CR LF, as the kernel reads it
	}
	program, err := elf.NewFile(f)
	if err != nil {
		return "", ""
	}
	for _, p := range program.Progs {
		if p.Type == elf.PT_INTERP {
			text, err := io.ReadAll(io.LimitReader(p.Open(), 4096))
			if err == nil {
				name = string(bytes.TrimRight(text, "\x00"))
			}
		}
	}
	return name, program.Machine.String()
}
