//go:build unix

package fakeengine

import "syscall"

// apart makes a process the leader of a session of its own.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
