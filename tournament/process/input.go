package process

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	// maxPending bounds what may be queued for an engine that does not read. A
	// position is a few KiB.
	maxPending = 1 << 20

	// stuckAfter is how long an engine whose pipe is full may read nothing. A
	// pipe holds 64 KiB on most systems, so a busy engine need not read more.
	stuckAfter = 5 * time.Second

	// chunk is how much is written at once to an engine that is slow to read.
	chunk = 4096
)

var (
	// ErrStuck means that an engine does not read its input.
	ErrStuck = errors.New("the engine does not read its input")

	// ErrClosed means that an engine has closed its input, has ended, or is
	// being stopped.
	ErrClosed = errors.New("the engine's input is closed")
)

// An input is an engine's standard input.
//
// A write to an empty pipe takes about a microsecond, so the sending goroutine
// does it itself on systems with non-blocking writes. What does not fit is
// written by a separate goroutine.
type input struct {
	file *os.File
	raw  syscall.RawConn
	eol  string
	log  *transcript

	mu      sync.Mutex
	pending []byte    // not yet passed to the system
	writing bool      // by a goroutine, which has taken a chunk from pending
	since   time.Time // when it began to write that chunk
	closing bool      // close once everything is written
	err     error     // for later sends
}

func newInput(f *os.File, crlf bool, log *transcript) *input {
	in := &input{file: f, eol: "\n", log: log}
	if crlf {
		in.eol = "\r\n"
	}
	raw, err := f.SyscallConn()
	if err != nil {
		in.err = ErrClosed
	}
	in.raw = raw
	return in
}

// send implements Process.Send.
func (in *input) send(lines []string) (time.Time, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.err == nil && in.writing && time.Since(in.since) > stuckAfter {
		in.fail(ErrStuck)
	}
	if in.err != nil {
		return time.Now(), in.err
	}
	for _, line := range lines {
		in.pending = append(append(in.pending, line...), in.eol...)
	}
	at := time.Now()
	for _, line := range lines {
		in.log.addAt(at, '<', line)
	}
	if len(in.pending) > maxPending {
		in.fail(ErrStuck)
	} else {
		in.push()
	}
	return at, in.err
}

// push writes what is pending, or has the goroutine write it.
func (in *input) push() {
	if in.writing {
		return
	}
	n, err := tryWrite(in.raw, in.pending)
	if err != nil {
		in.fail(fmt.Errorf("%w: %w", ErrClosed, err))
		return
	}
	in.pending = in.pending[:copy(in.pending, in.pending[n:])]
	if len(in.pending) > 0 {
		in.writing = true
		in.since = time.Now()
		go in.write()
	}
}

// fail drops what is pending. The first error is kept.
func (in *input) fail(err error) {
	if in.err == nil {
		in.err = err
		in.log.add('!', err.Error())
	}
	in.pending = in.pending[:0]
}

// write writes what is pending, as slowly as the engine reads it.
func (in *input) write() {
	var buf [chunk]byte
	for {
		n := in.next(buf[:])
		if n == 0 {
			return
		}
		if _, err := in.file.Write(buf[:n]); err != nil {
			in.mu.Lock()
			in.fail(fmt.Errorf("%w: %w", ErrClosed, err))
			in.mu.Unlock()
		}
	}
}

// next takes a chunk from what is pending. It returns 0 when there is nothing
// left to write.
func (in *input) next(buf []byte) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	n := copy(buf, in.pending)
	in.pending = in.pending[:copy(in.pending, in.pending[n:])]
	in.since = time.Now()
	if n == 0 {
		in.writing = false
		if in.closing {
			in.file.Close()
		}
	}
	return n
}

// finish sends a last line, unless it is empty, and closes the input when the
// engine has read everything.
func (in *input) finish(last string) {
	if last != "" {
		in.send([]string{last}) // if this fails, closing the input tells the engine the same
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.err == nil {
		in.err = ErrClosed
		in.closing = in.writing
	}
	if !in.closing {
		in.file.Close()
	}
}

// abandon closes the input at once.
func (in *input) abandon() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.err == nil {
		in.err = ErrClosed
	}
	in.pending = in.pending[:0]
	in.file.Close()
}
