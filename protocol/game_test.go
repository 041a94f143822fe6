package protocol

import (
	"testing"

	"kumiko/engine/board"
	"kumiko/protocol/wire"
)

// checkGame compares a game with a picture.
func checkGame(t *testing.T, what string, g *game, picture string) {
	t.Helper()
	want, err := board.Parse(g.board.Rule(), picture)
	if err != nil {
		t.Fatal(err)
	}
	if g.board.Hash() != want.Hash() {
		t.Errorf("%s: got\n%v\nwant\n%v", what, g.board, want)
	}
	if len(g.stones) != g.board.Stones() {
		t.Errorf("%s: %d stones in the list, %d on the board", what, len(g.stones), g.board.Stones())
	}
	for _, s := range g.stones {
		if g.board.At(s.Move) != s.Cell {
			t.Errorf("%s: %v is listed as %d", what, s.Move, s.Cell)
		}
	}
}

// entriesOf reads a block on one line, for a square board.
func entriesOf(t *testing.T, text string, size int) []wire.Entry {
	t.Helper()
	b := wire.NewBlock("BOARD", wire.ColumnRow, size, size)
	b.Open(text)
	entries, err := b.Entries()
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func TestLayOut(t *testing.T) {
	tests := []struct {
		what    string
		rule    board.Rule
		lines   string
		history int // moves, as far as the order of the lines is one of play
		picture string
	}{
		{"nothing", board.Freestyle, "", 0, ".....\n.....\n.....\n.....\n.....\nblack to move"},
		{"as many own as others", board.Freestyle, "0,0,1 1,0,2", 2,
			"XO...\n.....\n.....\n.....\n.....\nblack to move"},
		{"one more of the opponent", board.Freestyle, "0,0,2 1,0,1 2,0,2", 3,
			"XOX..\n.....\n.....\n.....\n.....\nwhite to move"},
		{"out of order", board.Freestyle, "1,0,1 0,0,2 2,0,2", 0,
			"XOX..\n.....\n.....\n.....\n.....\nwhite to move"},
		{"own alone, odd", board.Freestyle, "0,0,1 1,0,1 2,0,1", 0,
			"OOO..\n.....\n.....\n.....\n.....\nwhite to move"},
		{"own alone, even", board.Freestyle, "0,0,1 1,0,1", 0,
			"XX...\n.....\n.....\n.....\n.....\nblack to move"},
		{"own alone in renju", board.Renju, "0,0,1 1,0,1 2,0,1", 0,
			"XXX..\n.....\n.....\n.....\n.....\nblack to move"},
		{"opponent first in renju", board.Renju, "0,0,2 1,0,2 2,0,2 3,0,1", 0,
			"XXXO.\n.....\n.....\n.....\n.....\nwhite to move"},
		{"dead stones, even", board.Freestyle, "0,0,3 1,0,3 2,0,2 3,0,2", 0,
			"##OO.\n.....\n.....\n.....\n.....\nblack to move"},
		{"dead stones, odd", board.Freestyle, "0,0,3 1,0,3 2,0,2", 0,
			"##X..\n.....\n.....\n.....\n.....\nwhite to move"},
		{"without fields", board.Freestyle, "0,0 1,0 2,0", 3,
			"XOX..\n.....\n.....\n.....\n.....\nwhite to move"},
		{"strange fields", board.Freestyle, "0,0,4 1,0,-1", 0,
			"##...\n.....\n.....\n.....\n.....\nblack to move"},
	}
	for _, test := range tests {
		g, err := newGame(5, 5, test.rule)
		if err != nil {
			t.Fatal(err)
		}
		g.play(board.Pt(4, 4), false) // must not stay
		entries := entriesOf(t, test.lines, 5)
		g.layOut(entries)
		checkGame(t, test.what, g, test.picture)
		if n := len(g.board.History()); n != test.history {
			t.Errorf("%s: %d moves of history, want %d", test.what, n, test.history)
		}
	}
}

func TestTakeBack(t *testing.T) {
	g, err := newGame(5, 5, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	for x := range 4 {
		g.play(board.Pt(x, 0), false)
	}
	steps := []struct {
		x       int
		ok      bool
		picture string
	}{
		{4, false, "XOXO.\n.....\n.....\n.....\n.....\nblack to move"},
		{3, true, "XOX..\n.....\n.....\n.....\n.....\nwhite to move"},
		{1, true, "X.X..\n.....\n.....\n.....\n.....\nwhite to move"}, // whose stone it was
		{1, false, "X.X..\n.....\n.....\n.....\n.....\nwhite to move"},
		{2, true, "X....\n.....\n.....\n.....\n.....\nwhite to move"},
		{0, true, ".....\n.....\n.....\n.....\n.....\nblack to move"},
		{0, false, ".....\n.....\n.....\n.....\n.....\nblack to move"},
	}
	for _, s := range steps {
		if ok := g.takeBack(board.Pt(s.x, 0)); ok != s.ok {
			t.Errorf("taking back %d: %v", s.x, ok)
		}
		checkGame(t, "after taking back", g, s.picture)
	}
}

func TestContinuous(t *testing.T) {
	g, err := newGame(7, 7, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	for x := range 5 {
		g.play(board.Pt(x, 0), true)
		g.play(board.Pt(x, 2), true)
	}
	checkGame(t, "two fives", g, "#####..\n.......\n#####..\n.......\n.......\n.......\n.......\nblack to move")
	// A dead five is not a part of a new one.
	g.play(board.Pt(5, 0), true)
	g.play(board.Pt(5, 2), true)
	checkGame(t, "next to them", g, "#####X.\n.......\n#####O.\n.......\n.......\n.......\n.......\nblack to move")
	g.takeBack(board.Pt(5, 2))
	checkGame(t, "one taken back", g, "#####X.\n.......\n#####..\n.......\n.......\n.......\n.......\nwhite to move")
}

// In renju a forbidden stone is out of play in a continuous game.
func TestContinuousForbidden(t *testing.T) {
	g, err := newGame(9, 9, board.Renju)
	if err != nil {
		t.Fatal(err)
	}
	entries := entriesOf(t, "0,0,1 0,8,2 1,0,1 2,8,2 2,0,1 4,8,2 4,0,1 6,8,2 5,0,1 8,8,2", 9)
	g.layOut(entries)
	g.play(board.Pt(3, 0), true)
	checkGame(t, "after a six", g, `
		X X X # X X . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		O . O . O . O . O
		white to move`)
}
