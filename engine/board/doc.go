// Package board implements the rules of the game but no strategy: stones on a
// board of 5 to 32 columns and rows, the rules that decide which moves win and
// which are forbidden, and, updated incrementally, the patterns that each player
// would make on each empty point.
//
// # Glossary
//
// The terms used throughout this project, one for each idea.
//
// On the board:
//
//   - A point is empty or holds a stone. Black moves first. A dead stone
//     blocks and belongs to nobody.
//   - A ply is one move of one player.
//   - A run of stones that wins is a five. A four is one stone short of a five
//     and is stopped by a single stone, in caro sometimes on any of several
//     points; an open four cannot be stopped. An open three, or just three, is
//     one stone short of an open four, a blocked three of a four that is not
//     open. Twos and ones follow the same scheme. An overline is a run of six
//     or more.
//   - A [Line] is such a pattern in one of the four directions, a [Shape]
//     combines all four. Both describe what a stone on an empty point would
//     make, not the stones already there.
//   - A move is legal or not. A point where renju bars black is forbidden.
//   - The rules are freestyle, standard (or exact), renju, caro5 (or caro) and
//     caro6; see [Rule].
//
// In the engine:
//
//   - A node is a position visited by a search. An evaluation is a score
//     computed without search.
//   - VCF is a victory by continuous fours, VCT one by continuous threats,
//     fours or moves that threaten a VCF.
//   - The PV, or principal variation, is the line that a search expects.
//   - A proof tree represents a win: the winner's move and an answer to every
//     reply.
//   - A side line is a move tried but not played, to produce training data.
//
// In a tournament:
//
//   - An engine is a program, a player is an engine in one game, and a manager
//     is a program that runs engines: Piskvork, or our tournament.
//   - An opening is the moves that a game starts from, a book a file of openings.
//   - A coordinator hands jobs to workers and receives their events; an
//     observer only watches.
//   - A game may be adjudicated: ended early by a rule. An engine is disqualified
//     after failures; an interrupted tournament is resumed. An announced limit is
//     sent to the engine; an enforced limit ends the game.
//   - Results are listed as won, drawn, lost, in that order.
//
// # Coordinates
//
// Columns count from the left and rows from the top, both from 0. In text a
// column is a letter and a row a number from 1, so a1 is the top left corner.
// Directions are 0 horizontal, 1 vertical, 2 falling (down to the right) and
// 3 rising (up to the right).
//
// # Rules
//
// The rules follow the Gomocup protocol and sections 9.2 and 9.3 of the rules of
// the Renju International Federation; see [Rule] and [Board.Forbidden].
package board
