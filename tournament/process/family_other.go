//go:build unix && !linux

package process

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

// A family is an engine's process with what it has started and what has not
// left its process group.
type family struct {
	leader
	limitErr error
}

// startFamily starts cmd.
func startFamily(cmd *exec.Cmd, s Spec) (*family, error) {
	if s.CPUs != nil {
		return nil, fmt.Errorf("binding to processors: %w", errors.ErrUnsupported)
	}
	f := &family{leader: leader{cmd: cmd}}
	if s.Memory > 0 {
		f.limitErr = fmt.Errorf("limiting memory: %w", errors.ErrUnsupported)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return f, cmd.Start()
}

// wait waits for the engine to end, kills what is left of its group and
// reports whether there was something.
func (f *family) wait() (left bool) {
	f.cmd.Wait()                                                    // how it ended is in ProcessState
	left = syscall.Kill(-f.cmd.Process.Pid, syscall.SIGKILL) == nil // its number is kept while there is a group
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reaped = true
	return left
}

func (f *family) release() {}

func (f *family) oom() bool { return false }

func (f *family) memory() (int64, bool) { return 0, false }
