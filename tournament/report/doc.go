// Package report says how a tournament stands. All of it is derived from the
// log of package journal and from nothing else, so that two reports of one log
// cannot disagree.
//
// A [Tally] counts the games once; matches of two engines, standings of all of
// them, openings, failures and the state of a sequential test come from it.
// Results are always told from the point of view of the engine named first.
// Whole pairs of games, of which both are over, are the items of statistics;
// lone games count in scores and ratings, and are told apart.
//
// Numbers are written as c-gomoku-cli, fastchess and their readers know them,
// as JSON and CSV, as one page of HTML that needs nothing else, and games as
// PSQ, SGF and PGN.
package report
