package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a pseudo-terminal: that of the person, and
// that of the program.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { person.Close() })
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

// TestTerminal starts the program as a person does, at a terminal, and as
// managers do, with a terminal at some of its ends at most.
func TestTerminal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const greeting = "Kumiko speaks the Piskvork protocol: enter START 15 and BEGIN to play, END to leave. For commands: pbrain-kumiko help"
	for _, tt := range []struct {
		name   string
		args   string
		ends   [3]bool // standard input, output and error that are terminals
		stdout string
		stderr string
		code   int
	}{
		{"bare", "", [3]bool{true, true, true}, "OK\n", greeting + "\n", 0},
		{"output to a file", "", [3]bool{true, false, true}, "OK\n", greeting + "\n", 0},
		{"errors to a file", "", [3]bool{true, true, false}, "OK\n", "", 0},
		{"manager in a terminal", "", [3]bool{false, true, true}, "OK\n", "", 0},
		{"manager without", "", [3]bool{false, false, false}, "OK\n", "", 0},
		{"typing error", "tourament run", [3]bool{true, true, true}, "",
			"pbrain-kumiko: unknown command \"tourament\", did you mean tournament? (pbrain-kumiko --help lists the commands)\n", 1},
		{"command of a group", "run --help", [3]bool{true, true, true}, "",
			"pbrain-kumiko: unknown command \"run\", did you mean tournament run? (pbrain-kumiko --help lists the commands)\n", 1},
		{"unknown flag", "--speed", [3]bool{true, true, true}, "", "pbrain-kumiko: unknown flag --speed\n", 1},
		{"typing error elsewhere", "tourament run", [3]bool{false, true, true}, "OK\n", "", 0},
		{"argument of a manager", "15", [3]bool{false, false, true}, "OK\n", "", 0},
		{"empty argument of a manager", "''", [3]bool{false, false, true}, "OK\n", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, out, errs := newEnd(t, tt.ends[0]), newEnd(t, tt.ends[1]), newEnd(t, tt.ends[2])
			if !tt.ends[0] {
				in.person, in.program = in.program, in.person // the pipe goes the other way
			}
			args := strings.Fields(tt.args)
			for i := range args {
				args[i] = strings.Trim(args[i], "'")
			}
			cmd := exec.CommandContext(t.Context(), self, args...)
			cmd.Env = append(os.Environ(), "KUMIKO_TEST_MAIN=1")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = in.program, out.program, errs.program
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go io.WriteString(in.person, "START 15\nEND\n")
			stdout, stderr := out.collect(), errs.collect()
			cmd.Wait()
			out.program.Close()
			errs.program.Close()
			if got, gotErr := <-stdout, <-stderr; got != tt.stdout || gotErr != tt.stderr || cmd.ProcessState.ExitCode() != tt.code {
				t.Errorf("code %d, output %q, errors %q; want %d, %q, %q", cmd.ProcessState.ExitCode(), got, gotErr, tt.code, tt.stdout, tt.stderr)
			}
		})
	}
}

// An end is one of the standard files of a program, and what a person or a
// manager has of it.
type end struct{ person, program *os.File }

// newEnd returns a terminal or a pipe.
func newEnd(t *testing.T, terminal bool) end {
	t.Helper()
	if terminal {
		person, program := openTerminal(t)
		// Nothing is echoed, and lines end as the program writes them.
		mode, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		mode.Lflag &^= unix.ECHO
		mode.Oflag &^= unix.OPOST
		if err := unix.IoctlSetTermios(int(program.Fd()), unix.TCSETS, mode); err != nil {
			t.Fatal(err)
		}
		return end{person, program}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return end{r, w}
}

// collect reads what the program writes until its end is closed.
func (e end) collect() <-chan string {
	text := make(chan string, 1)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, e.person) // a terminal ends with an error
		text <- b.String()
	}()
	return text
}
