package board_test

import (
	"fmt"

	"kumiko/engine/board"
)

// Ask whether renju forbids black a point, and why.
func ExampleBoard_Forbidden() {
	b, err := board.Parse(board.Renju, `
		. . . . . . . . .
		. . . . . . . . .
		. . . . X . . . .
		. . . . X . . . .
		. . X X . . O . .
		. . . . . . . . .
		. . O . . . O . .
		. . . . . . . . .
		. . . . . . . . .
		black to move`)
	if err != nil {
		panic(err)
	}
	for _, m := range []board.Move{board.Pt(4, 4), board.Pt(4, 1)} {
		fmt.Println(m, b.Forbidden(m), b.Legal(m))
	}
	// Output:
	// e5 double-three false
	// e2 none true
}

// Play moves and look for the five.
func ExampleBoard_Place() {
	b, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		panic(err)
	}
	moves, err := board.ParseMoves("h8 a1 i8 a3 j8 a5 k8 a7")
	if err != nil {
		panic(err)
	}
	if err := b.PlaceAll(moves); err != nil {
		panic(err)
	}
	m := board.Pt(11, 7)
	fmt.Println(m, b.Wins(m, b.Side()))
	b.Place(m)
	fmt.Println(b.Five())
	// Output:
	// l8 true
	// [h8 i8 j8 k8 l8]
}
