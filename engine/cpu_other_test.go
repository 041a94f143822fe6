//go:build !unix

package engine

import "time"

var processStart = time.Now()

// cpuTime returns the time since the start, for lack of anything better.
func cpuTime() time.Duration { return time.Since(processStart) }
