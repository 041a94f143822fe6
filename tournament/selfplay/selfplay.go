// Package selfplay lets the engine play against itself within the process and
// records the games for package replay.
//
// Game i of a record depends on the settings, the program and i alone, so that
// a record can be made by any number of workers, interrupted and continued, and
// comes out the same, byte for byte.
package selfplay
