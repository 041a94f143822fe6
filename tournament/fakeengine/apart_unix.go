//go:build unix

package fakeengine

import "syscall"

// apart makes a process the leader of its own session.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
