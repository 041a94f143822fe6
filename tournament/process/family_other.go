//go:build unix && !linux

package process

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

// A family is an engine's process and what it has started, except processes
// that have left its process group.
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

// wait waits for the engine to end, kills what is left of its group and reports
// whether anything was left.
func (f *family) wait() (left bool) {
	f.cmd.Wait()                                                    // how it ended is in ProcessState
	left = syscall.Kill(-f.cmd.Process.Pid, syscall.SIGKILL) == nil // the PID is not reused while the group exists
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reaped = true
	return left
}

func (f *family) release() {}

func (f *family) oom() bool { return false }

func (f *family) memory() (int64, bool) { return 0, false }
