package process

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// CPUs returns the numbers of the processors that we may use, and so may give
// to engines; nil if the system does not tell.
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

// StayOn keeps the calling goroutine, and no engine, on a processor if that is
// possible. The kernel wakes processes that talk to each other on the same
// processor; without this it may have those of several games on one, while
// others are idle.
func StayOn(cpu int) {
	runtime.LockOSThread()
	var set unix.CPUSet
	set.Set(cpu)
	_ = unix.SchedSetaffinity(0, &set) // it is only faster
}
