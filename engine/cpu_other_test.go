//go:build !unix

package engine

import "time"

var processStart = time.Now()

// cpuTime returns the time since the start: here nothing better is at hand.
func cpuTime() time.Duration { return time.Since(processStart) }
