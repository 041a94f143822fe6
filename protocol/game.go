package protocol

import (
	"slices"

	"kumiko/engine/board"
	"kumiko/protocol/wire"
)

// Values of [wire.Entry.Field].
const (
	fieldNone     = 0
	fieldOwn      = 1
	fieldOpponent = 2
)

// A game is the position as the manager has set it.
type game struct {
	board *board.Board
	// stones are the stones on the board, in order of play. The board's history
	// starts anew when a stone is taken back out of turn.
	stones []board.Stone
}

// newGame returns an empty board.
func newGame(width, height int, rule board.Rule) (*game, error) {
	b, err := board.New(width, height, rule)
	if err != nil {
		return nil, err
	}
	return &game{board: b}, nil
}

// clear removes all stones.
func (g *game) clear() {
	g.stones = nil
	g.board.Clear()
}

// play puts a stone of the side to move on the empty point m. In a continuous
// game the stones of a five, and a stone that is forbidden, go out of play.
func (g *game) play(m board.Move, continuous bool) {
	side := g.board.Side()
	if continuous && side == board.Black && g.board.Forbidden(m) != board.NotForbidden {
		g.stones = append(g.stones, board.Stone{Move: m, Cell: board.DeadStone})
		g.rebuild(side.Opponent())
		return
	}
	g.stones = append(g.stones, board.Stone{Move: m, Cell: side.Stone()})
	g.board.Place(m)
	if five := g.board.FiveAt(m); continuous && five != nil {
		for _, m := range five {
			g.stones[g.index(m)].Cell = board.DeadStone
		}
		g.rebuild(g.board.Side())
	}
}

// takeBack removes the stone on m, whether or not it was the last, and reports
// whether there was one. The numbers of stones determine the side to move; if
// they are ambiguous, it is the side whose stone it was.
func (g *game) takeBack(m board.Move) bool {
	i := g.index(m)
	if i < 0 {
		return false
	}
	side := g.board.Side()
	switch g.stones[i].Cell {
	case board.BlackStone:
		side = board.Black
	case board.WhiteStone:
		side = board.White
	}
	g.stones = slices.Delete(g.stones, i, i+1)
	var count [board.DeadStone + 1]int
	for _, s := range g.stones {
		count[s.Cell]++
	}
	switch black, white := count[board.BlackStone], count[board.WhiteStone]; {
	case count[board.DeadStone] > 0:
		side = sideOfParity(len(g.stones))
	case black == white:
		side = board.Black
	case black == white+1:
		side = board.White
	}
	g.rebuild(side)
	return true
}

// layOut replaces the position by that of a BOARD block, whose entries are
// distinct points of the board. Entries without a field count as played in turn,
// the opponent's last.
func (g *game) layOut(entries []wire.Entry) {
	for i := range entries {
		if e := &entries[i]; e.Field == fieldNone {
			e.Field = fieldOpponent - (len(entries)-1-i)%2
		}
	}
	own := g.ownColor(entries)
	g.stones = g.stones[:0]
	for _, e := range entries {
		cell := board.DeadStone
		switch e.Field {
		case fieldOwn:
			cell = own.Stone()
		case fieldOpponent:
			cell = own.Opponent().Stone()
		}
		g.stones = append(g.stones, board.Stone{Move: board.Pt(e.X, e.Y), Cell: cell})
	}
	g.rebuild(own)
}

// ownColor returns the color of the side that answers a BOARD block, which is
// always to move. Edited positions may have any numbers of stones.
func (g *game) ownColor(entries []wire.Entry) board.Color {
	var own, opponent int
	for _, e := range entries {
		switch e.Field {
		case fieldOwn:
			own++
		case fieldOpponent:
			opponent++
		}
	}
	if own+opponent == len(entries) {
		switch {
		case own == opponent:
			return board.Black
		case own+1 == opponent:
			return board.White
		case g.board.Rule() == board.Renju && entries[0].Field == fieldOwn:
			return board.Black // renju's blocks are in the order of play
		case g.board.Rule() == board.Renju:
			return board.White
		}
	}
	return sideOfParity(len(entries))
}

// sideOfParity returns the side to move after a number of moves.
func sideOfParity(moves int) board.Color { return board.Color(moves & 1) }

// rebuild places g.stones on the board, if possible as a history of moves.
func (g *game) rebuild(side board.Color) {
	for i, s := range g.stones {
		if s.Cell != sideOfParity(i).Stone() {
			g.setup(side)
			return
		}
	}
	if side != sideOfParity(len(g.stones)) {
		g.setup(side)
		return
	}
	g.board.Clear()
	for _, s := range g.stones {
		g.board.Place(s.Move)
	}
}

// setup places g.stones without a history.
func (g *game) setup(side board.Color) {
	if err := g.board.Setup(g.stones, side); err != nil {
		panic(err) // the points of g.stones are distinct and on the board
	}
}

// point returns column x and row y as a point, if it is on the board.
func (g *game) point(x, y int) (board.Move, bool) {
	if x < 0 || y < 0 || x >= g.board.Width() || y >= g.board.Height() {
		return board.NoMove, false
	}
	return board.Pt(x, y), true
}

// index returns the index in g.stones of the stone on m, or -1.
func (g *game) index(m board.Move) int {
	return slices.IndexFunc(g.stones, func(s board.Stone) bool { return s.Move == m })
}

// legal returns the first legal move among preferred, or else the first legal
// point of the board, or else, if every empty point is forbidden, an empty point.
// There must be one.
func (g *game) legal(preferred ...board.Move) board.Move {
	for _, m := range preferred {
		if g.board.Legal(m) {
			return m
		}
	}
	empty := board.NoMove
	for y := range g.board.Height() {
		for x := range g.board.Width() {
			m := board.Pt(x, y)
			if g.board.Legal(m) {
				return m
			}
			if g.board.Empty(m) {
				empty = m
			}
		}
	}
	return empty
}

// vacant returns an empty point without using the board, or NoMove.
func (g *game) vacant() board.Move {
	for y := range g.board.Height() {
		for x := range g.board.Width() {
			if m := board.Pt(x, y); g.index(m) < 0 {
				return m
			}
		}
	}
	return board.NoMove
}

// forbidden returns the points that are forbidden to black in renju.
func (g *game) forbidden() []board.Move {
	var forbidden []board.Move
	for y := range g.board.Height() {
		for x := range g.board.Width() {
			if m := board.Pt(x, y); g.board.Empty(m) && g.board.Forbidden(m) != board.NotForbidden {
				forbidden = append(forbidden, m)
			}
		}
	}
	return forbidden
}
