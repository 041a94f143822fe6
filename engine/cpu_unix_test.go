//go:build unix

package engine

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time of this process, which unlike the clock does not
// advance while other programs run.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
