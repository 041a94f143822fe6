//go:build !race

package enginetest

// Race says that everything takes about ten times as long.
const Race = false
