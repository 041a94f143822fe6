// Package enginetest provides helpers for the tests of the engine and its parts:
// positions from files, from pictures and from random games rich in threats, a
// judge of forced wins, and an exact solver of small endgames. The judge and the
// solver rely only on a referee of package boardtest.
package enginetest

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"kumiko/engine/board"
)

// Long reports whether the tests may take a quarter of an hour instead of a
// quarter of a minute: KUMIKO_LONG=1 go test -timeout 1h.
func Long() bool { return os.Getenv("KUMIKO_LONG") != "" }

// Scaled returns a third of n, ten times n for long tests and a tenth of n for
// short ones.
func Scaled(n int) int {
	switch {
	case Long():
		return 10 * n
	case testing.Short() || Race:
		return max(n/10, 1)
	}
	return (n + 2) / 3
}

// Sample returns a third of the cases, spread over the list, all of them for long
// tests and a tenth for short ones.
func Sample[T any](cases []T) []T {
	every := 3
	switch {
	case Long():
		every = 1
	case testing.Short() || Race:
		every = 10
	}
	var some []T
	for i := 0; i < len(cases); i += every {
		some = append(some, cases[i])
	}
	return some
}

// A Position holds the fields common to the records in testdata. Points are
// written like h8. Stones are given in order of play or by color.
type Position struct {
	ID           string
	Rule         string
	Size         int
	ToMove       string `json:"to_move"`
	Moves        []string
	Black, White []string
}

// Board returns the position as a board.
func (p *Position) Board(t testing.TB) *board.Board {
	t.Helper()
	rule, err := board.ParseRule(p.Rule)
	if err != nil {
		t.Fatalf("%s: %v", p.ID, err)
	}
	b := NewBoard(t, p.Size, p.Size, rule)
	if p.Moves != nil {
		for _, m := range Moves(t, p.Moves) {
			b.Place(m)
		}
		return b
	}
	var stones []board.Stone
	for _, m := range Moves(t, p.Black) {
		stones = append(stones, board.Stone{Move: m, Cell: board.BlackStone})
	}
	for _, m := range Moves(t, p.White) {
		stones = append(stones, board.Stone{Move: m, Cell: board.WhiteStone})
	}
	side := board.Black
	if p.ToMove == "white" {
		side = board.White
	}
	if err := b.Setup(stones, side); err != nil {
		t.Fatalf("%s: %v", p.ID, err)
	}
	return b
}

// NewBoard returns an empty board.
func NewBoard(t testing.TB, w, h int, rule board.Rule) *board.Board {
	t.Helper()
	b, err := board.New(w, h, rule)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Moves reads points like h8.
func Moves(t testing.TB, names []string) []board.Move {
	t.Helper()
	var list []board.Move
	for _, s := range names {
		m, err := board.ParseMove(s)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// Parse reads a picture in which + is a marked empty point, and returns the board
// and the marked points.
func Parse(t testing.TB, rule board.Rule, picture string) (*board.Board, []board.Move) {
	t.Helper()
	b, err := board.Parse(rule, strings.ReplaceAll(picture, "+", "."))
	if err != nil {
		t.Fatal(err)
	}
	var marked []board.Move
	y := 0
	for line := range strings.Lines(picture) {
		cells := strings.ReplaceAll(strings.TrimSpace(line), " ", "")
		if cells == "" || strings.HasSuffix(line, "to move\n") || strings.HasSuffix(line, "to move") {
			continue
		}
		for x := range cells {
			if cells[x] == '+' {
				marked = append(marked, board.Pt(x, y))
			}
		}
		y++
	}
	return b, marked
}

// A Scatter plays random games rich in threats.
type Scatter struct {
	rng *rand.Rand
	b   *board.Board
}

// NewScatter returns a Scatter with an empty board.
func NewScatter(t testing.TB, seed uint64, w, h int, rule board.Rule) *Scatter {
	t.Helper()
	return &Scatter{rand.New(rand.NewPCG(seed, uint64(rule))), NewBoard(t, w, h, rule)}
}

// Move returns a legal move near the stones, usually one of the better of a few,
// and usually one that answers a five. It is NoMove if there is none or the game
// is practically over.
func (s *Scatter) Move() board.Move {
	b := s.b
	c := b.Side()
	if b.Stones() == 0 {
		return board.Pt(s.rng.IntN(b.Width()), s.rng.IntN(b.Height()))
	}
	if b.Count(c, board.ShapeFive) > 0 {
		return board.NoMove
	}
	if fives := b.Find(nil, c.Opponent(), board.ShapeFive); len(fives) > 0 && s.rng.IntN(10) > 0 {
		if m := fives[s.rng.IntN(len(fives))]; b.Legal(m) {
			return m
		}
	}
	var near []board.Move
	for y := range b.Height() {
		for x := range b.Width() {
			if b.Near(y)>>x&1 != 0 && b.Legal(board.Pt(x, y)) {
				near = append(near, board.Pt(x, y))
			}
		}
	}
	if len(near) == 0 {
		return board.NoMove
	}
	best, bestWorth := board.NoMove, -1
	for range 1 + s.rng.IntN(12) {
		m := near[s.rng.IntN(len(near))]
		if worth := max(int(b.Shape(m, c)), int(b.Shape(m, c.Opponent()))); worth > bestWorth {
			best, bestWorth = m, worth
		}
	}
	return best
}

// Game plays a game to its end and calls f with every position on the way.
func (s *Scatter) Game(f func(b *board.Board)) {
	s.b.Clear()
	for {
		m := s.Move()
		if m == board.NoMove {
			return
		}
		s.b.Place(m)
		f(s.b)
	}
}

// BoardSizes are the board sizes of random games.
var BoardSizes = [][2]int{{15, 15}, {20, 20}, {8, 8}, {10, 10}, {12, 9}, {9, 17}}

// EachRandom calls f with positions of random games on boards of various sizes, n
// for each rule, in a subtest for each rule.
func EachRandom(t *testing.T, n int, f func(t *testing.T, b *board.Board)) {
	for rule := range board.Rule(board.NumRules) {
		t.Run(rule.String(), func(t *testing.T) {
			left := n
			for seed := uint64(1); left > 0 && !t.Failed(); seed++ {
				size := BoardSizes[seed%uint64(len(BoardSizes))]
				NewScatter(t, seed, size[0], size[1], rule).Game(func(b *board.Board) {
					if left > 0 && !t.Failed() {
						left--
						f(t, b)
					}
				})
			}
		})
	}
}
