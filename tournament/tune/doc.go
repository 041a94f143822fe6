// Package tune looks for better values of the engine's tunable numbers by
// playing games of the engine against itself, within the process.
//
// Two methods choose what to try: SPSA, which climbs from the defaults, and a
// genetic algorithm. Their results are confirmed by a match against the
// defaults in other games.
//
// A method is a state machine that asks for pairs of games and takes their
// scores. It has no other input, and a game depends only on the seed, its
// number and the values of both players. So the log of a run keeps just
// settings and scores; to continue an interrupted run, the method is fed the
// recorded scores, and concurrency changes nothing.
package tune
