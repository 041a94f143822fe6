//go:build race

package enginetest

// Race reports whether the race detector is on, which makes everything about ten
// times slower.
const Race = true
