// Package board knows the game and nothing of how to play it: stones on a
// board of 5 to 32 columns and rows, the rules that decide wins and fouls,
// and, kept up to date with every stone, what each player would make by
// playing each empty point.
//
// # Vocabulary
//
// A five wins. A four needs one stone to become a five and has one point, in
// caro sometimes one of a few, that stops it; an open four cannot be stopped.
// An open three, or just three, needs one stone to become an open four; a
// blocked three becomes a mere four. Twos and ones go on in the same way.
// [Line] is such a pattern in one of the four directions, [Shape] sums up all
// four. Both always describe what a stone on an empty point would make, not
// what lies there.
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
// Federation's rules 9.2 and 9.3; see [Rule] and [Board.Foul].
package board
