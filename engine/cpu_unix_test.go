//go:build unix

package engine

import (
	"syscall"
	"time"
)

// cpuTime returns how long this process has been computing. Unlike the clock
// it stands still while other programs hold the processor.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
