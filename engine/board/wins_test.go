package board

import (
	"strings"
	"testing"
)

// inLine lays row out on a square board whose side is the row's length, along
// direction dir from edge to edge, and returns the board and the point that
// is marked by * in row.
func inLine(t testing.TB, rule Rule, row string, dir int) (*Board, Move) {
	t.Helper()
	row = strings.ReplaceAll(row, " ", "")
	n := len(row)
	b, err := New(n, n, rule)
	if err != nil {
		t.Fatal(err)
	}
	marked := NoMove
	var stones []Stone
	for i, c := range row {
		m := [numDirs]Move{Pt(i, n/2), Pt(n/2, i), Pt(i, i), Pt(i, n-1-i)}[dir]
		if c == '*' {
			marked = m
		} else if c != '.' {
			stones = append(stones, Stone{m, Cell(strings.IndexRune(cellRunes, c))})
		}
	}
	if err := b.Setup(stones, Black); err != nil {
		t.Fatal(err)
	}
	return b, marked
}

// exchanged returns row with the colors exchanged.
func exchanged(row string) string { return strings.NewReplacer("X", "O", "O", "X").Replace(row) }

// Would a stone on the point * win for the owner of the stones X? The rows
// reach from edge to edge.
func TestWins(t *testing.T) {
	const (
		black = 1 << iota // as black in renju
		white             // as white in renju
		freestyle
		standard
		caro5
		caro6
		all = 1<<iota - 1
	)
	for _, tt := range []struct {
		row  string
		wins int
	}{
		{". . X X X * . . .", 0},
		{". . X X X X * . .", all},
		{". . X X * X X . .", all},
		{". . * X X X X . .", all},
		{". . X . X X * X .", 0},
		{"* X X X X", all},
		{"X X X X *", all},
		{"X X * X X", all},

		// Six and more.
		{". X X X X X * . .", freestyle | white | caro6},
		{". X X X * X X . .", freestyle | white | caro6},
		{". X X X X * X . .", freestyle | white | caro6},
		{"X X X X * X X X X", freestyle | white | caro6},
		{". X X X X * . X .", all},
		{". X X X X . * X X", 0},
		{". . X X X X * O X X", all},

		// Both ends blocked: in caro no five, but a six.
		{". O X X X X * O .", all &^ (caro5 | caro6)},
		{". O X X * X X O .", all &^ (caro5 | caro6)},
		{"O X * X X X O", all &^ (caro5 | caro6)},
		{". O X X X * X X O", freestyle | white | caro6},

		// One end blocked, the other by nothing, the edge or a dead stone.
		{". O X X X X * . .", all},
		{". O X X X X * . O", all},
		{". O . X X X X * O", all},
		{"X X X X * O . . .", all},
		{". . . O X X X X *", all},
		{". # X X X X * O .", all},
		{". O X X * X X # .", all},
		{"# X X * X X #", all},

		// Stones that are not X's own break a run.
		{". X X O X X * . .", 0},
		{". X X # X X * . .", 0},
		{". X X X # * X . .", 0},
		{"# # # # * # # # #", 0},
	} {
		for dir := range numDirs {
			for rule := range Rule(NumRules) {
				for c := Black; c <= White; c++ {
					row, bit := tt.row, 0
					switch {
					case rule == Renju && c == Black:
						bit = black
					case rule == Renju:
						bit = white
					default:
						bit = [...]int{Freestyle: freestyle, Standard: standard, Caro5: caro5, Caro6: caro6}[rule]
					}
					if c == White {
						row = exchanged(row)
					}
					b, m := inLine(t, rule, row, dir)
					want := tt.wins&bit != 0
					if got := b.Wins(m, c); got != want {
						t.Errorf("%v wins under %v: %v, want %v in direction %d of\n%s", c, rule, got, want, dir, row)
					}
					if b.Wins(m, c.Opponent()) {
						t.Errorf("%v wins under %v in\n%s", c.Opponent(), rule, row)
					}
					checkWinPlayed(t, b, m, c, want)
				}
			}
		}
	}
}

// checkWinPlayed plays the move and asks for the five.
func checkWinPlayed(t *testing.T, b *Board, m Move, c Color, wins bool) {
	t.Helper()
	if b.Side() != c {
		if err := b.Setup(stonesOf(b), c); err != nil {
			t.Fatal(err)
		}
	}
	b.Place(m)
	five := b.Five()
	if (five != nil) != wins || wins && len(five) < 5 {
		t.Errorf("%v: %v after %v, but the move wins: %v\n%v", b.Rule(), five, m, wins, b)
	}
	for _, p := range five {
		if b.At(p) != c.Stone() || len(b.FiveAt(p)) != len(five) {
			t.Errorf("%v: the five %v is not one at %v\n%v", b.Rule(), five, p, b)
		}
	}
	b.Undo()
}

// It is enough to win in one direction, whatever the stone makes elsewhere.
func TestWinsInOneDirection(t *testing.T) {
	b := mustParse(t, Standard, `
		. . . . . . . . .
		. . . X . . . . .
		. . . X . . . . .
		. . . X . . . . .
		. . . X . . . . .
		X X X . X . . . .
		. . . X . . . . .
		. . . . . . . . .
		. . . . . . . . .`)
	m := mustMove(t, "d6")
	for _, tt := range []struct {
		rule Rule
		wins [2]bool
	}{
		{Freestyle, [2]bool{true, false}},
		{Standard, [2]bool{true, false}},
		{Renju, [2]bool{true, false}},
		{Caro5, [2]bool{true, false}},
		{Caro6, [2]bool{true, false}},
	} {
		b.SetRule(tt.rule)
		for c := Black; c <= White; c++ {
			if got := b.Wins(m, c); got != tt.wins[c] {
				t.Errorf("%v: %v wins at %v: %v\n%v", tt.rule, c, m, got, b)
			}
		}
		if got := b.Forbidden(m); got != NotForbidden {
			t.Errorf("%v: the five at %v is forbidden: %v\n%v", tt.rule, m, got, b)
		}
	}
}

func TestFiveAt(t *testing.T) {
	b := mustParse(t, Freestyle, `
		. . . . . . .
		. O . . . . X
		. . O . . X .
		. . . O X . .
		. . . X O . .
		. . X . . O .
		. # . . . . .`)
	for _, tt := range []struct{ at, five string }{
		{"g2", "[c6 d5 e4 f3 g2]"},
		{"d5", "[c6 d5 e4 f3 g2]"},
		{"b2", "[b2 c3 d4 e5 f6]"},
		{"b7", "[]"},
		{"a1", "[]"},
		{"h8", "[]"}, // off the board
	} {
		if got := movesString(b.FiveAt(mustMove(t, tt.at))); got != tt.five {
			t.Errorf("five at %s: %s, want %s", tt.at, got, tt.five)
		}
	}
	if b.Five() != nil {
		t.Error("a five through the last move, want none before the first move")
	}
	if err := b.Setup(stonesOf(b), White); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ move, five string }{
		{"g7", "[b2 c3 d4 e5 f6 g7]"},
		{"a1", "[]"},
		{"a7", "[]"},
	} {
		b.Place(mustMove(t, tt.move))
		if got := movesString(b.Five()); got != tt.five {
			t.Errorf("five after %s: %s, want %s", tt.move, got, tt.five)
		}
	}
}

func movesString(moves []Move) string {
	var s []string
	for _, m := range moves {
		s = append(s, m.String())
	}
	return "[" + strings.Join(s, " ") + "]"
}
