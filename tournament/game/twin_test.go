package game

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
	"kumiko/tournament/journal"
)

// A twin judges a game from what the engines printed. It knows the rules from
// a referee that shares nothing with ours.
type twin struct {
	settings Settings
	referee  *boardtest.Referee
}

type point = boardtest.Point

// judge returns the verdict, such as "1-0 five", and the moves that count.
func (w *twin) judge(opening []board.Move, answers [2][]string) (verdict, moves string) {
	w.referee = boardtest.New(w.settings.Width, w.settings.Height, w.settings.Rule.Rule.String())
	won := false
	for stones := 0; ; stones++ {
		black := stones%2 == 0
		winner, sign := "1-0", byte(boardtest.Black) // if it is black who wins now
		if !black {
			winner, sign = "0-1", boardtest.White
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
			p = point{X: opening[stones].X(), Y: opening[stones].Y()}
		} else {
			next := &answers[stones%2]
			if len(*next) == 0 {
				return "no answer", moves
			}
			fmt.Sscanf((*next)[0], "%d,%d", &p.X, &p.Y)
			*next = (*next)[1:]
		}
		switch {
		case w.referee.At(p) == boardtest.Off:
			return other + " illegal-range", moves
		case !w.referee.Empty(p):
			return other + " illegal-occupied", moves
		case !w.referee.Legal(p, sign):
			return other + " foul", moves
		}
		won = w.referee.Wins(p, sign)
		w.referee.Set(p, sign)
		moves += p.String()
	}
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
		m := newMatch(t, s, "", engine(t, "black", "mover=random", fmt.Sprint("seed=", seed)), engine(t, "white", "mover=random", fmt.Sprint("seed=", 100+seed)))
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
	for _, r := range []journal.Reason{journal.Five, journal.Full, journal.MaxPlies, journal.SquaresLeft, journal.Forbidden, journal.IllegalOccupied, journal.IllegalRange} {
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
