// Package report summarizes a tournament. All of it is derived from the log of
// package journal and from nothing else, so that two reports of one log cannot
// disagree.
//
// A [Tally] counts the games once; matches of two engines, standings of all of
// them, openings, failures and the state of a sequential test come from it.
// Results are always from the point of view of the engine named first.
// Whole pairs of games, of which both are over, are the items of statistics;
// lone games count in scores and ratings, and are shown separately.
//
// Numbers come as text in the forms of c-gomoku-cli and fastchess, as JSON and
// CSV, and as a self-contained page of HTML; games as PSQ, SGF and PGN.
package report
