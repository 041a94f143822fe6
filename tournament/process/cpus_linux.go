package process

import "golang.org/x/sys/unix"

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
