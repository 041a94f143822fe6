package process

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// CPUs returns the processors available to us and so to engines, or nil if the
// system does not report them.
func CPUs() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var list []int
	for i := 0; len(list) < set.Count(); i++ {
		if set.IsSet(i) {
			list = append(list, i)
		}
	}
	return list
}

// StayOn binds the calling goroutine, but no engine, to a processor if
// possible. The kernel wakes processes that talk to each other on the same
// processor; without this it may put several games on one while others are
// idle.
func StayOn(cpu int) {
	runtime.LockOSThread()
	var set unix.CPUSet
	set.Set(cpu)
	_ = unix.SchedSetaffinity(0, &set) // only an optimization
}
