package engine_test

import (
	"context"
	"fmt"
	"time"

	"kumiko/engine"
	"kumiko/engine/board"
)

// Choose a move in a position within a second.
func ExampleEngine_Search() {
	b, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		panic(err)
	}
	moves, err := board.ParseMoves("h8 i9 h9 g8 h7 h6 h10")
	if err != nil {
		panic(err)
	}
	if err := b.PlaceAll(moves); err != nil {
		panic(err)
	}
	e := engine.New(engine.Options{Memory: 64 << 20})
	limits := engine.Limits{Turn: time.Second, Left: engine.NoLimit}
	res := e.Search(context.Background(), engine.Request{Board: b, Limits: limits}, nil)
	fmt.Println(res.Move)
	// Output: h11
}

// Analyze the three best moves. The lines are reported in sets, one for each
// depth; the last set is final.
func ExampleRequest_multiPV() {
	b, err := board.Parse(board.Freestyle, `
		. . . . . . . . .
		. . . . . . . . .
		. . . X X X . . .
		. . . . . . . . .
		. . O . . . . . .
		. . O . O . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		black to move`)
	if err != nil {
		panic(err)
	}
	e := engine.New(engine.Options{Memory: 64 << 20})
	limits := engine.Limits{Turn: -1, Left: engine.NoLimit, Depth: 4}
	var lines []engine.Info
	e.Search(context.Background(), engine.Request{Board: b, Limits: limits, MultiPV: 3}, func(i engine.Info) {
		if i.PVIndex == 0 {
			lines = nil
		}
		lines = append(lines, i)
	})
	for _, l := range lines {
		fmt.Println(l.Score, l.PV)
	}
	// Output:
	// +M3 [c3 b3 g3]
	// +M3 [g3 c3 h3]
	// 88 [c4 g3 e2 b5 g4]
}

// Prove a win, and verify the proof independently of the search.
func ExampleResult_proof() {
	b, err := board.New(15, 15, board.Renju)
	if err != nil {
		panic(err)
	}
	moves, err := board.ParseMoves("h8 a1 i8 a3 j8 a5")
	if err != nil {
		panic(err)
	}
	if err := b.PlaceAll(moves); err != nil {
		panic(err)
	}
	e := engine.New(engine.Options{Memory: 64 << 20})
	limits := engine.Limits{Turn: -1, Left: engine.NoLimit, Depth: 4}
	res := e.Search(context.Background(), engine.Request{Board: b, Limits: limits}, nil)
	plies, err := res.Proof.Verify(context.Background())
	fmt.Println(res.Score, plies, err)
	// Output: +M3 3 <nil>
}
