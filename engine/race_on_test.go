//go:build race

package engine

// raceEnabled says that everything takes about ten times as long.
const raceEnabled = true
