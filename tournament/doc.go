// Package tournament lets engines play that speak the Piskvork protocol, each
// in a process of its own. It keeps a board of its own and trusts nothing that
// an engine says: a reply that is late, no move, off the board, on a stone or
// a foul loses the game, and so does the end of the process. When a game is
// over its processes are gone.
package tournament
