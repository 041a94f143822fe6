//go:build !linux

package process

// CPUs returns the processors available to us and so to engines, or nil if the
// system does not report them.
func CPUs() []int { return nil }

// StayOn binds the calling goroutine, but no engine, to a processor if
// possible.
func StayOn(int) {}
