// Package selfplay plays games of the engine against itself within the process
// and records them for package replay.
//
// Game i of a record depends only on the settings, the program and i, so a
// record can be made by any number of workers, interrupted and continued, and
// comes out the same, byte for byte.
package selfplay
