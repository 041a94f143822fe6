// Package tune looks for better values of the engine's tunable numbers by
// games of the engine against itself, within the process.
//
// Two methods choose what to try: SPSA, which climbs from the defaults, and a
// genetic algorithm. What they find is confirmed by a match against the
// defaults, of other games.
//
// A method is a machine that asks for pairs of games and takes their scores.
// It has no other input, and a game depends on the seed, its number and the
// values of both players alone. So the log of a run keeps settings and scores;
// to continue an interrupted run is to give the method the scores that there
// are, and how many games are played at a time changes nothing.
package tune
