//go:build !linux

package fakeengine

import "runtime"

func processors() int { return runtime.NumCPU() }
