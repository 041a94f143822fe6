package analyze

import (
	"context"
	"slices"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/diagram"
	"kumiko/engine/proof"
	"kumiko/engine/solve"
)

// A line is one of the best moves of a position, with the moves expected after it.
type line struct {
	score engine.Score // for the side to move
	moves []board.Move
}

// A position is a position that was searched.
type position struct {
	board  *board.Board
	ply    int // moves before it in the record
	ending ending
	five   []board.Move // if it is won

	// What follows is only known if the game has not ended.
	lines           []line // the best first
	depth, selDepth int
	nodes           int64
	fours           []board.Move // a victory by fours of the side to move, up to the five, or nil
	proof           *proof.Tree
}

// An ending is how a game may have ended.
type ending uint8

const (
	open  ending = iota // it goes on
	won                 // by the player who has moved
	full                // no point is empty
	stuck               // the side to move has no legal move
)

// endingOf returns whether the game has ended, and the winning run if it is won.
func endingOf(b *board.Board) (ending, []board.Move) {
	if five := diagram.Five(b); five != nil {
		return won, five
	}
	if b.Full() {
		return full, nil
	}
	for range b.LegalMoves {
		return open, nil
	}
	return stuck, nil
}

// foursNodes bounds the search for a victory by fours in a position.
const foursNodes = 100_000

// A searcher analyses positions one after the other.
type searcher struct {
	engine *engine.Engine
	fours  *solve.VCF
	limits engine.Limits
	lines  int
	// progress is called during a search with what is known so far.
	progress func(*position)
}

// newSearcher returns a searcher with an engine of its own.
func newSearcher(o engine.Options, limits engine.Limits, lines int) *searcher {
	return &searcher{engine: engine.New(o), fours: solve.NewVCF(14), limits: limits, lines: lines, progress: func(*position) {}}
}

// search analyses a position. If ctx ends, it returns what is known by then.
func (s *searcher) search(ctx context.Context, b *board.Board, ply int) *position {
	p := &position{board: b, ply: ply}
	if p.ending, p.five = endingOf(b); p.ending != open {
		return p
	}
	req := engine.Request{Board: b, Limits: s.limits, MultiPV: s.lines}
	res := s.engine.Search(ctx, req, func(i engine.Info) {
		if i.PVIndex == 0 {
			p.lines = p.lines[:0]
		}
		p.lines = append(p.lines, line{i.Score, i.PV})
		p.depth, p.selDepth, p.nodes = i.Depth, i.SelDepth, i.Nodes
		if i.PVIndex+1 == i.NumPV {
			s.progress(p)
		}
	})
	p.nodes, p.proof = res.Nodes, res.Proof
	if ctx.Err() == nil {
		s.findFours(p)
	}
	return p
}

// findFours looks for a victory by fours: that of the search, or another one.
func (s *searcher) findFours(p *position) {
	if best := p.lines[0]; best.score >= engine.MateBound && solve.Replays(p.board, best.moves) {
		p.fours = best.moves
		return
	}
	s.fours.Clear()
	plies, _ := s.fours.Solve(p.board, solve.MaxFours, foursNodes)
	if plies == 0 || !solve.Replays(p.board, s.fours.Line()) {
		return
	}
	p.fours = finished(p.board, s.fours.Line())
	if p.lines[0].score < engine.MateBound {
		p.lines = slices.Insert(p.lines, 0, line{winIn(plies), p.fours})
		p.lines = p.lines[:min(len(p.lines), s.lines)]
	}
}

// finished continues a victory by fours, which ends with a five or with a four that
// cannot be answered, up to the five.
func finished(b *board.Board, fours []board.Move) []board.Move {
	b = b.Clone()
	c := b.Side()
	list := slices.Clone(fours)
	for _, m := range fours {
		if b.Wins(m, b.Side()) {
			return list
		}
		b.Place(m)
	}
	stop := b.First(c, board.ShapeFive)
	if !b.Legal(stop) { // in renju, black may not play there
		stop = otherMove(b, stop)
	}
	if stop != board.NoMove {
		b.Place(stop)
		list = append(list, stop, b.First(c, board.ShapeFive))
	}
	return list
}

// otherMove returns a legal move beside m, or NoMove.
func otherMove(b *board.Board, m board.Move) board.Move {
	for other := range b.LegalMoves {
		if other != m {
			return other
		}
	}
	return board.NoMove
}

// winIn returns the score of making a five with the n-th stone.
func winIn(n int) engine.Score {
	most, _ := engine.MateBound.Mate()
	return engine.MateBound + engine.Score(most-n)
}

// before returns a score for the side to move as one for the opponent, who is about
// to make the move before.
func before(s engine.Score) engine.Score {
	switch _, decided := s.Mate(); {
	case !decided:
		return -s
	case s > 0:
		return -s + 1
	}
	return -s - 1
}
