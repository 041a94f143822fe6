//go:build unix

package game

import "syscall"

// apart makes a process the leader of a session of its own.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
