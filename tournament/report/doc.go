// Package report summarizes a tournament. It derives everything from the log of
// package journal, so two reports of one log cannot disagree.
//
// A [Tally] counts the games once; matches of two engines, standings of all of
// them, openings, failures and the state of a sequential test come from it.
// Results are always from the point of view of the engine named first.
// Statistics take whole pairs, of which both games are finished, as items; lone
// games count in scores and ratings, and are shown separately.
//
// Numbers are written as text in the formats of c-gomoku-cli and fastchess, as
// JSON and CSV, and as a self-contained HTML page; games as PSQ, SGF and PGN.
package report
