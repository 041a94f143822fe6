package game

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/tournament/journal"
)

// A twin is a referee that knows the rules from their text and shares nothing
// with ours. It judges a game from what the engines printed.
type twin struct {
	settings Settings
	cells    map[point]byte // X is black, O is white
}

type point struct{ x, y int }

// judge returns the verdict, such as "1-0 five", and the moves that count.
func (w *twin) judge(opening []board.Move, answers [2][]string) (verdict, moves string) {
	w.cells = make(map[point]byte)
	won := false
	for {
		stones := len(w.cells)
		black := stones%2 == 0
		winner, sign := "1-0", byte('X') // if it is black who wins now
		if !black {
			winner, sign = "0-1", 'O'
		}
		other := map[string]string{"1-0": "0-1", "0-1": "1-0"}[winner]
		left := w.settings.Width*w.settings.Height - stones
		switch {
		case won:
			return other + " five", moves
		case left == 0:
			return "1/2-1/2 full", moves
		case w.settings.MaxPlies > 0 && stones >= w.settings.MaxPlies:
			return "1/2-1/2 max-plies", moves
		case left <= w.settings.DrawSquaresLeft:
			return "1/2-1/2 squares-left", moves
		}
		var p point
		if stones < len(opening) {
			p = point{opening[stones].X(), opening[stones].Y()}
		} else {
			next := &answers[stones%2]
			if len(*next) == 0 {
				return "no answer", moves
			}
			fmt.Sscanf((*next)[0], "%d,%d", &p.x, &p.y)
			*next = (*next)[1:]
		}
		switch {
		case w.at(p) == 0:
			return other + " illegal-range", moves
		case w.at(p) != '.':
			return other + " illegal-occupied", moves
		case black && w.settings.Rule.Rule == board.Renju && w.foul(p):
			return other + " foul", moves
		}
		w.cells[p] = sign
		won = w.wins(p)
		moves += fmt.Sprintf("%c%d", 'a'+p.x, p.y+1)
	}
}

// at returns the sign on a point: . if it is empty, 0 beyond the edge.
func (w *twin) at(p point) byte {
	if p.x < 0 || p.y < 0 || p.x >= w.settings.Width || p.y >= w.settings.Height {
		return 0
	}
	if c, ok := w.cells[p]; ok {
		return c
	}
	return '.'
}

var directions = []point{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

func (p point) step(d point, k int) point { return point{p.x + k*d.x, p.y + k*d.y} }

// row returns how many stones of one color are in a row through the one on p,
// and what is on the points just beyond.
func (w *twin) row(p, d point) (n int, before, behind point) {
	n, before, behind = 1, p.step(d, -1), p.step(d, 1)
	for ; w.at(before) == w.at(p); n++ {
		before = before.step(d, -1)
	}
	for ; w.at(behind) == w.at(p); n++ {
		behind = behind.step(d, 1)
	}
	return n, before, behind
}

// wins reports whether the stone on p wins.
func (w *twin) wins(p point) bool {
	for _, d := range directions {
		n, before, behind := w.row(p, d)
		opponent := byte('X')
		if w.at(p) == 'X' {
			opponent = 'O'
		}
		open := w.at(before) != opponent || w.at(behind) != opponent
		ok := false
		switch w.settings.Rule.Rule {
		case board.Freestyle:
			ok = n >= 5
		case board.Standard:
			ok = n == 5
		case board.Renju:
			ok = n == 5 || n > 5 && w.at(p) == 'O'
		case board.Caro5:
			ok = n == 5 && open
		case board.Caro6:
			ok = n > 5 || n == 5 && open
		}
		if ok {
			return true
		}
	}
	return false
}

// with reports what f does while a black stone is on p.
func (w *twin) with(p point, f func() bool) bool {
	w.cells[p] = 'X'
	defer delete(w.cells, p)
	return f()
}

// foul reports whether black may not play p, by sections 9.2 and 9.3 of the
// rules of the Renju International Federation.
func (w *twin) foul(p point) bool { return w.with(p, func() bool { return w.foulAt(p) }) }

func (w *twin) foulAt(p point) bool {
	if w.wins(p) {
		return false
	}
	fours, threes := 0, 0
	for _, d := range directions {
		if n, _, _ := w.row(p, d); n > 5 {
			return true
		}
		switch n := w.fours(p, d); {
		case n > 0:
			fours += n
		case w.three(p, d):
			threes++
		}
	}
	return fours > 1 || threes > 1
}

// fives returns the points of a direction that would make five in a row, and
// no more, with the stone on p.
func (w *twin) fives(p, d point) (list []point) {
	for k := -4; k <= 4; k++ {
		q := p.step(d, k)
		if w.at(q) == '.' && w.with(q, func() bool {
			n, before, behind := w.row(p, d)
			return n == 5 && between(q, before, behind, d)
		}) {
			list = append(list, q)
		}
	}
	return list
}

// between reports whether q is one of the points from before to behind.
func between(q, before, behind, d point) bool {
	for p := before; p != behind; p = p.step(d, 1) {
		if p == q {
			return true
		}
	}
	return false
}

// fours counts the fours of which the stone on p is part.
func (w *twin) fours(p, d point) int {
	if w.straight(p, d) {
		return 1
	}
	return len(w.fives(p, d))
}

// straight reports whether the stone on p is part of a straight four.
func (w *twin) straight(p, d point) bool {
	n, _, _ := w.row(p, d)
	return n == 4 && len(w.fives(p, d)) == 2
}

// three reports whether one more stone, which must be no foul, can make a
// straight four of the one on p.
func (w *twin) three(p, d point) bool {
	for k := -3; k <= 3; k++ {
		q := p.step(d, k)
		if w.at(q) == '.' && w.with(q, func() bool {
			_, before, behind := w.row(p, d)
			return between(q, before, behind, d) && w.straight(p, d) && !w.wins(q) && !w.foulAt(q)
		}) {
			return true
		}
	}
	return false
}

// testRandomGames plays games of engines that play at random, and sometimes
// badly, and compares the verdicts with those of the twin (A49).
func testRandomGames(t *testing.T) {
	seen := make(map[journal.Reason]int)
	for seed, s := range []Settings{
		{Width: 8, Height: 8}, {Width: 6, Height: 10, DrawSquaresLeft: 8}, {Width: 5, Height: 5, MaxPlies: 19},
		{Rule: rule(board.Standard), Width: 7, Height: 7}, {Rule: rule(board.Renju), Width: 9, Height: 9},
		{Rule: rule(board.Renju), Width: 7, Height: 7}, {Rule: rule(board.Renju), Width: 12, Height: 6},
		{Rule: rule(board.Caro5), Width: 7, Height: 8}, {Rule: rule(board.Caro6), Width: 8, Height: 7},
	} {
		m := newMatch(t, s, "", engine(t, "black", fmt.Sprint("seed=", seed)), engine(t, "white", fmt.Sprint("seed=", 100+seed)))
		w := twin{settings: s}
		for n := range 40 {
			m.game.Opening = parseMoves(t, []string{"", "c3", "c3c4"}[n%3])
			e := m.play()
			verdict, moves := w.judge(m.game.Opening, [2][]string{m.printed(0), m.printed(1)})
			if got := fmt.Sprintf("%s %s", e.Result, e.Reason); got != verdict || e.Moves != moves {
				t.Errorf("%v on %dx%d: %s, moves %s; the twin says %s, %s", s.Rule, s.Width, s.Height, got, e.Moves, verdict, moves)
			}
			seen[e.Reason]++
		}
	}
	for _, r := range []journal.Reason{journal.Five, journal.Full, journal.MaxPlies, journal.SquaresLeft, journal.Foul, journal.IllegalOccupied, journal.IllegalRange} {
		if seen[r] == 0 {
			t.Errorf("no game has ended with %s", r)
		}
	}
	t.Logf("ends of games: %v", seen)
}

// printed returns the moves that a player has printed in the last game.
func (m *match) printed(i int) (list []string) {
	re := regexp.MustCompile(`^-?\d+,-?\d+$`)
	for _, line := range said(m.players[i], ">") {
		if re.MatchString(line) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}
