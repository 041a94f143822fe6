// Package process runs an engine as a child process that cannot harm its
// harness: whatever the engine does or fails to do, no call blocks for longer
// than it says, memory is bounded, and nothing is left behind.
//
// An engine is a program that reads lines and prints lines. Of its protocol
// this package knows one thing: lines that begin with MESSAGE or DEBUG may come
// at any time and are for people, so they may be dropped when there are too
// many.
//
// Each process has a goroutine that reads its output and timestamps every line,
// one that reads its errors, one that waits for its end and, while it does not
// read its input, one that writes.
package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// drain is how long output may be read after the process has ended: what is
	// in the pipe takes no time, but another process may hold it open.
	drain = 100 * time.Millisecond

	// unkillable is how long to wait for a killed process. It can take forever,
	// for instance while a network file system does not answer.
	unkillable = 2 * time.Second
)

// A Spec describes how to run an engine.
type Spec struct {
	// Args is the program and its arguments. A program without a path is looked
	// up in PATH; a relative path is relative to our directory, not Dir.
	Args []string
	Dir  string   // the working directory; "" is the program's own
	Env  []string // KEY=VALUE, added to ours

	// CPUs are the processors the engine may use (Linux only); nil means all.
	CPUs []int

	// Memory is a limit in bytes for the engine and all that it starts; 0 means
	// none. See Process.LimitError for where it holds.
	Memory int64

	// Stderr is a file to which the engine's errors are appended, up to a size
	// of 1 MiB; "" means none.
	Stderr string

	CRLF bool // end lines to the engine with CR LF, not LF
}

// A Process is a running engine. Its methods may be called at any time and from
// any goroutine.
type Process struct {
	input  *input
	output *output
	errors *headTail
	log    *transcript
	family *family

	killed atomic.Bool // by us

	exit Exit          // valid once done is closed
	left bool          // whether processes started by the engine outlived it
	done chan struct{} // closed when the engine has been waited for
	gone chan struct{} // closed when its children and our goroutines are gone too
}

// Start starts an engine. An error says as precisely as possible what is wrong
// with the program; it wraps fs.ErrNotExist, fs.ErrPermission or
// syscall.ENOEXEC where that is the cause.
func Start(s Spec) (*Process, error) {
	cmd, err := command(s)
	if err != nil {
		return nil, err
	}
	file, room, err := openCapped(s.Stderr)
	if err != nil {
		return nil, err
	}
	pipes, err := newPipes()
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	src, err := newSource(pipes.ours[1])
	if err != nil {
		file.Close()
		pipes.closeOurs()
		pipes.closeChild()
		return nil, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes.child[0], pipes.child[1], pipes.child[2]
	family, err := startFamily(cmd, s)
	pipes.closeChild()
	if err != nil {
		file.Close()
		src.close()
		pipes.closeOurs()
		return nil, explain(cmd.Path, err)
	}

	p := &Process{
		log:    &transcript{begin: time.Now()},
		errors: &headTail{file: file, room: room},
		family: family,
		done:   make(chan struct{}),
		gone:   make(chan struct{}),
	}
	p.input = newInput(pipes.ours[0], s.CRLF, p.log)
	p.output = newOutput(src, p.log)
	var readers sync.WaitGroup
	readers.Go(p.output.read)
	readers.Go(func() { p.errors.read(pipes.ours[2]) })
	go p.wait(cmd, pipes, &readers)
	return p, nil
}

// command returns the command to start, without its pipes.
func command(s Spec) (*exec.Cmd, error) {
	if len(s.Args) == 0 || s.Args[0] == "" {
		return nil, errors.New("no program to start")
	}
	if s.Memory < 0 {
		return nil, fmt.Errorf("memory limit of %d bytes is negative", s.Memory)
	}
	path, err := exec.LookPath(s.Args[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, explain(s.Args[0], err)
	}
	dir := s.Dir
	if dir == "" {
		dir = filepath.Dir(path)
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("working directory: %s is not a directory", dir)
	}
	cmd := &exec.Cmd{Path: path, Args: s.Args, Dir: dir}
	cmd.Env = append(cmd.Environ(), s.Env...)
	return cmd, nil
}

// wait does everything that must happen when the engine ends.
func (p *Process) wait(cmd *exec.Cmd, pipes *pipes, readers *sync.WaitGroup) {
	p.left = p.family.wait()
	p.exit = exitOf(cmd.ProcessState, p.killed.Load())
	p.exit.OOM = p.family.oom()
	p.log.add('!', p.exit.String())
	close(p.done)

	p.input.abandon()
	p.output.src.expire(time.Now().Add(drain))
	expire(pipes.ours[2], time.Now().Add(drain))
	p.family.release()
	readers.Wait()
	close(p.gone)
}

// Pid returns the engine's process ID.
func (p *Process) Pid() int { return p.family.cmd.Process.Pid }

// Lines returns the lines that the engine prints. At most 256 wait to be
// received; see Flood. The channel is closed after the last line, once the
// engine has closed its output or ended: receive what is left before relying on
// Done.
func (p *Process) Lines() <-chan Line { return p.output.lines }

// Await returns the next line of Lines; calls to the two may be mixed. ok is
// false if there is none before the deadline; Await may then return early, too.
// open is false when Lines is closed. On Linux, Await reads the output itself,
// which saves waking a goroutine for each line.
func (p *Process) Await(deadline time.Time) (l Line, ok, open bool) {
	select {
	case l, open = <-p.output.lines:
		return l, open, open
	default:
		return p.output.await(deadline)
	}
}

// Partial returns what the engine printed after its last line end, at most 64
// KiB. It is "" until Lines is closed.
func (p *Process) Partial() string { return p.output.rest() }

// Flood returns an error once the engine has printed a line of more than 64 KiB
// or more lines than anybody reads. Such a line is cut; such lines are lost.
// The error is set before the line in question can be received.
func (p *Process) Flood() error { return p.output.flood() }

// Dropped returns how many MESSAGE and DEBUG lines were dropped because there
// were too many.
func (p *Process) Dropped() int { return p.output.dropped() }

// Send sends lines to the engine, all at once, and returns the time just
// before. It never blocks: what the engine does not read at once is written as
// it reads. The error is ErrStuck if the engine has not been reading earlier
// input, or ErrClosed if it no longer can.
func (p *Process) Send(lines ...string) (at time.Time, err error) { return p.input.send(lines) }

// Done is closed when the process has ended and been waited for.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the process ended. Before Done, its Running is set.
func (p *Process) Exit() Exit {
	select {
	case <-p.done:
		return p.exit
	default:
		return Exit{Running: true}
	}
}

// Suspend stops the engine and what it has started, so that they use no
// processor time. It does nothing on Windows.
func (p *Process) Suspend() { p.family.suspend() }

// Resume undoes Suspend.
func (p *Process) Resume() { p.family.resume() }

// Memory returns how many bytes of memory the engine and what it has started
// use, dividing shared memory among its users (Linux: the sum of their
// proportional set sizes; Windows: the memory committed by the job). It is
// unknown on other systems and once the process has ended. It can take
// milliseconds for an engine that uses gigabytes.
func (p *Process) Memory() (bytes int64, ok bool) { return p.family.memory() }

// LimitError returns nil if the system enforces Spec.Memory, and otherwise why
// it does not: then the caller has to check Memory from time to time.
func (p *Process) LimitError() error { return p.family.limitErr }

// Stop ends the engine: it sends the line end unless that is empty, closes the
// engine's input and kills it unless it exits within grace. Stop returns when
// nothing is left of the engine, or at the latest two seconds after killing it;
// then Exit says that it is still running. dirty reports that the engine did
// not exit by itself or left processes behind. Calling Stop again returns the
// same answer.
func (p *Process) Stop(end string, grace time.Duration) (dirty bool) {
	p.Resume()
	p.input.finish(end)
	if !within(p.done, grace) {
		p.Kill()
	}
	return !within(p.gone, unkillable) || p.exit.Killed || p.left
}

// Kill kills the engine and what it has started. It does not wait.
func (p *Process) Kill() {
	select {
	case <-p.done:
		return
	default:
	}
	if !p.killed.Swap(true) {
		p.log.add('!', "killed by the harness")
	}
	p.family.kill()
}

// Transcript returns the last 64 KiB of what was sent ('<') and printed ('>'),
// one line each, prefixed with the seconds since the start:
//
//	+0.012345 < BEGIN
//	+0.012401 > 7,7
//
// Lines of '!' note other events. Unprintable bytes are escaped.
func (p *Process) Transcript() []byte { return p.log.bytes() }

// Stderr returns the first and the last 32 KiB of the engine's errors.
func (p *Process) Stderr() []byte { return p.errors.bytes() }

// within reports whether c is closed within d.
func within(c <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
	}
	select { // both may have happened, and d may be 0
	case <-c:
		return true
	default:
		return false
	}
}

// An Exit is how a process ended.
type Exit struct {
	Running bool   // it has not ended
	Code    int    // the exit code; -1 if a signal ended the process
	Signal  string // the signal that ended the process, such as "SIGSEGV"; not on Windows
	OOM     bool   // it was killed for using more than Spec.Memory
	Killed  bool   // by Kill or Stop
}

// String returns how the process ended, in words that follow "it".
func (e Exit) String() string {
	switch {
	case e.Running:
		return "is running"
	case e.OOM:
		return "was killed at its memory limit"
	case e.Killed:
		return "was killed by the harness"
	case e.Signal != "":
		return "was killed by " + e.Signal
	}
	return "exited with " + codeText(e.Code)
}

// pipes are the pipes of a process: input, output, errors.
type pipes struct {
	ours, child [3]*os.File
}

func newPipes() (*pipes, error) {
	p := new(pipes)
	for i := range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeOurs()
			p.closeChild()
			return nil, err
		}
		if i == 0 {
			p.child[i], p.ours[i] = r, w
		} else {
			p.ours[i], p.child[i] = r, w
		}
	}
	return p, nil
}

// closeOurs and closeChild close the ends that exist; closing a nil *os.File
// returns a harmless error.
func (p *pipes) closeOurs() {
	for _, f := range p.ours {
		f.Close()
	}
}

func (p *pipes) closeChild() {
	for _, f := range p.child {
		f.Close()
	}
}

// expire makes reads from f fail after the given time.
func expire(f *os.File, at time.Time) {
	if f.SetReadDeadline(at) != nil { // the file does not support deadlines
		time.AfterFunc(time.Until(at), func() { f.Close() })
	}
}
