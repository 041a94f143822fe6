package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"kumiko/tournament/outfile"
)

// Exit codes of errors without an ExitCode method.
const (
	exitUsage       = 1 // wrong arguments, settings or input files
	exitInterrupted = 2
	exitFailure     = 4 // the system failed
)

// exitCode returns the exit code for an error.
func exitCode(err error) int {
	if coded, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err); ok {
		return coded.ExitCode()
	}
	switch {
	case interrupted(err):
		return exitInterrupted
	case failedWrite(err):
		return exitFailure
	}
	return exitUsage
}

// interrupted reports whether a command ended because its context did.
func interrupted(err error) bool { return errors.Is(err, context.Canceled) }

// failedWrite reports whether output could not be written, though the place for it
// was a good one: the disk may be full.
func failedWrite(err error) bool {
	if errors.Is(err, syscall.ENOSPC) {
		return true
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		switch p.Op {
		case "write", "sync", "truncate", "close":
			return true
		}
	}
	return false
}

// errorText returns the text to print for an error. That of an interrupted command
// may say more than that it was interrupted.
func errorText(err error) string {
	if !interrupted(err) {
		return linesOf(err)
	}
	text := linesOf(err)
	text, _, _ = strings.Cut(text, ": "+context.Canceled.Error())
	if !strings.HasPrefix(text, "interrupted") {
		return "interrupted"
	}
	return text
}

// linesOf returns the text of an error, printable, with a line for each of those that
// [errors.Join] has joined in it. Other line breaks come from names and are escaped.
func linesOf(err error) string {
	text := err.Error()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		if inner := errors.Unwrap(err); inner != nil {
			if before, ok := strings.CutSuffix(text, inner.Error()); ok {
				heading, end := strings.CutSuffix(before, ":\n")
				if end {
					return printable(heading) + ":\n" + linesOf(inner)
				}
				return printable(before) + linesOf(inner)
			}
		}
		return printable(text)
	}
	var plain, lines []string
	for _, e := range joined.Unwrap() {
		plain, lines = append(plain, e.Error()), append(lines, linesOf(e))
	}
	if strings.Join(plain, "\n") != text {
		return printable(text) // several errors within a sentence
	}
	return strings.Join(lines, "\n")
}

// A checked is an output that keeps the first error of writing to it, which not
// every command looks at. It is no error that the reader has exited.
type checked struct {
	io.Writer
	err error
}

// Write keeps an error to itself, to be reported once at the end: cobra would print
// one of its own, and what a command does besides printing goes on.
func (c *checked) Write(p []byte) (int, error) {
	if c.err != nil {
		return len(p), nil
	}
	n, err := c.Writer.Write(p)
	if err == nil || outfile.ClosedPipe(err) {
		return n, err
	}
	c.err = err
	return len(p), nil
}

// check returns an output to check after a command has written to it, and the
// writer for that command. It leaves terminals, which some commands control, alone.
func check(w io.Writer) (*checked, io.Writer) {
	c := &checked{Writer: w}
	if f, ok := w.(*os.File); ok && isTerminal(f) {
		return c, w
	}
	return c, c
}
