package replay

import (
	"errors"
	"io"

	"kumiko/engine/board"
)

// ReadAll reads a record up to its end: it calls begin with the settings, and then game
// with every game, unless begin returns an error. It skips an unfinished game at the
// end and returns it as torn.
func ReadAll(r io.Reader, begin func(Settings) error, game func(*Game)) (torn *TornError, err error) {
	games, err := NewReader(r)
	if err != nil {
		return nil, err
	}
	if err := begin(games.Settings()); err != nil {
		return nil, err
	}
	for {
		g, err := games.Next()
		switch {
		case err == io.EOF || errors.As(err, &torn):
			return torn, nil
		case err != nil:
			return nil, err
		}
		game(g)
	}
}

// Walk plays a game on b and calls f with every ply that a search has chosen, on the
// position before it: those of the game after the opening, and the answers to side
// lines, for which played is false. It leaves out forced and random moves, whose
// scores are not theirs. f must leave b as it was.
func (g *Game) Walk(b *board.Board, f func(ply Ply, played bool)) {
	b.Clear()
	line := 0 // plies of a side line on the board
	for i, ply := range g.Plies {
		if i >= g.Opening && ply.Flags&(Forced|Random|Side) == 0 {
			f(ply, line == 0)
		}
		if ply.Flags&Side == 0 && line > 0 {
			for ; line > 0; line-- {
				b.Undo()
			}
			continue
		}
		if ply.Flags&Side != 0 {
			line++
		}
		b.Place(ply.Move)
	}
}

// TeachesValue reports whether a position is of the kind that the search
// evaluates. The search reads off near wins and tries all answers to a five, so
// these are excluded. So are wins that it can prove: where it finds none, the
// evaluation should cover the rest.
func TeachesValue(b *board.Board, ply Ply) bool {
	won := ply.Flags&Proven != 0 && ply.Score > 0
	return !won && b.Count(board.Black, board.ShapeFive)+b.Count(board.White, board.ShapeFive) == 0 &&
		b.Count(b.Side(), board.ShapeOpenFour) == 0
}

// TeachesOrder reports whether the move of a ply was chosen on its merits: there
// was no five to make or to stop, and not every move lost.
func TeachesOrder(b *board.Board, ply Ply) bool {
	lost := ply.Flags&Proven != 0 && ply.Score < 0
	return !lost && b.Count(board.Black, board.ShapeFive)+b.Count(board.White, board.ShapeFive) == 0
}
