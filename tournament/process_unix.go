//go:build unix

package tournament

import (
	"os/exec"
	"syscall"
)

// separate makes the command the head of a process group of its own. Ctrl-C
// at a terminal then reaches only us, and we decide how the game ends.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killAll kills the command and the processes that it has started.
func killAll(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
