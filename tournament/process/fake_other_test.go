//go:build !linux

package process

import "runtime"

func processors() int { return runtime.NumCPU() }
