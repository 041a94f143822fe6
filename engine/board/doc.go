// Package board knows the game and nothing of how to play it: stones on a
// board of 5 to 32 columns and rows, the rules that decide which moves win
// and which are forbidden, and, kept up to date with every stone, what each
// player would make by playing each empty point.
//
// # Glossary
//
// The words of this project, one for each idea. Everything from here to the
// reports of a tournament uses them.
//
// On the board:
//
//   - A point is empty or holds a stone. Black moves first. A dead stone
//     blocks and belongs to nobody.
//   - A ply is one move of one player.
//   - A run of stones that wins is a five. A four needs one stone to become a
//     five and has one point, in caro sometimes one of a few, that stops it; an
//     open four cannot be stopped. An open three, or just three, needs one
//     stone to become an open four; a blocked three becomes a mere four. Twos
//     and ones go on in the same way. An overline is a run of six or more.
//   - [Line] is such a pattern in one of the four directions, [Shape] sums up
//     all four. Both always describe what a stone on an empty point would make,
//     not what lies there.
//   - A move is legal or not. A point that renju denies to black is forbidden.
//   - The rules are freestyle, standard (or exact), renju, caro5 (or caro) and
//     caro6; see [Rule].
//
// In the engine:
//
//   - A node is a position visited by a search. Evaluation is a score without
//     search.
//   - VCF is a victory by continuous fours, VCT one by continuous threats,
//     fours or moves that threaten a VCF.
//   - The PV, or principal variation, is the line that a search expects.
//   - A proof tree holds a win as data: the winner's move and an answer to
//     every reply.
//   - A side line is a move tried beside a game's own for learning's sake.
//
// In a tournament:
//
//   - An engine is a program, a player its part in one game, a manager a
//     program that runs engines: Piskvork, or our tournament.
//   - An opening is the moves that a game starts with, a book a file of them.
//   - A coordinator hands jobs to workers and receives their events; an
//     observer only watches.
//   - Games are adjudicated by a rule about their course, engines disqualified
//     after failures, interrupted tournaments resumed. A limit that is announced
//     is told to the engine; one that is enforced ends the game.
//   - Results are given as won, drawn, lost, in this order.
//
// # Coordinates
//
// Columns count from the left and rows from the top, both from 0. In text a
// column is a letter and a row a number from 1, so that a1 is the top left
// corner. Directions are numbered 0 horizontal, 1 vertical, 2 falling (down
// to the right), 3 rising (up to the right).
//
// # Rules
//
// The definitions of the Gomocup protocol and of the Renju International
// Federation's rules 9.2 and 9.3; see [Rule] and [Board.Forbidden].
package board
