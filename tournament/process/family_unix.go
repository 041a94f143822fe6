//go:build unix

package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A leader is the first process of a session and process group, which hold all
// processes it starts unless they leave. Having no terminal, they neither get a
// Ctrl-C meant for us nor disturb the display.
type leader struct {
	cmd *exec.Cmd

	mu     sync.Mutex
	reaped bool // its PID may be reused
}

// signal sends a signal to the group. An empty group is not an error.
func (l *leader) signal(s syscall.Signal) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.reaped {
		syscall.Kill(-l.cmd.Process.Pid, s)
	}
}

func (l *leader) kill()    { l.signal(syscall.SIGKILL) }
func (l *leader) suspend() { l.signal(syscall.SIGSTOP) }
func (l *leader) resume()  { l.signal(syscall.SIGCONT) }

// exitOf returns how a process ended. Of all signals, only SIGKILL can be ours.
func exitOf(s *os.ProcessState, killed bool) Exit {
	status, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return Exit{Code: s.ExitCode()}
	}
	name := unix.SignalName(status.Signal())
	if name == "" {
		name = fmt.Sprintf("signal %d", int(status.Signal()))
	}
	return Exit{Code: -1, Signal: name, Killed: killed && status.Signal() == syscall.SIGKILL}
}

// codeText names an exit code.
func codeText(code int) string { return fmt.Sprintf("code %d", code) }

// tryWrite writes as much as fits without blocking.
func tryWrite(f syscall.RawConn, b []byte) (n int, err error) {
	outer := f.Write(func(fd uintptr) bool {
		n, err = syscall.Write(int(fd), b)
		return true
	})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR) {
		err = nil
	}
	return max(n, 0), errors.Join(err, outer)
}
