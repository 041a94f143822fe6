//go:build !linux

package process

// CPUs returns the numbers of the processors that we may use, and so may give
// to engines; nil if the system does not tell.
func CPUs() []int { return nil }

// StayOn keeps the calling goroutine, and no engine, on a processor if that is
// possible.
func StayOn(int) {}
