package analyze

import (
	"context"
	"slices"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/proof"
)

// A report is what an analysis has found.
type report struct {
	record    *record
	positions []*position // those searched, in the order of the game
	verdicts  []verdict   // on the moves between two of them; none for a position
}

// examine analyses a record: its last position or, if it is a game, all of them.
// It goes backwards, so that the engine knows from its table what comes later.
// If ctx ends, the report has what is known by then.
func (s *searcher) examine(ctx context.Context, r *record) *report {
	rep := &report{record: r}
	first := len(r.moves)
	if r.game {
		first = 0
	}
	var after *position
	for ply := len(r.moves); ply >= first; ply-- {
		p := s.search(ctx, r.at(ply), ply)
		if after != nil {
			s.backUp(ctx, p, after, r.moves[ply])
		}
		if ctx.Err() != nil && r.game {
			break // half a search would make mistakes of good moves
		}
		rep.positions = append(rep.positions, p)
		after = p
	}
	slices.Reverse(rep.positions)
	rep.settle()
	for i := 1; i < len(rep.positions); i++ {
		at, after := rep.positions[i-1], rep.positions[i]
		rep.verdicts = append(rep.verdicts, judge(at, after, r.moves[at.ply]))
	}
	return rep
}

// backUp makes the score of a move that was played what the search of the position
// after it says, which has seen more. If that makes much less of the best move, it
// looks for another one.
func (s *searcher) backUp(ctx context.Context, p, after *position, move board.Move) {
	played := line{after.value(), append([]board.Move{move}, after.expected()...)}
	best := p.lines[0]
	if best.moves[0] == move && len(p.lines) == 1 && best.score.WinRate()-played.score.WinRate() >= doubtfulLoss {
		deeper := *s
		deeper.lines = 2
		*p = *deeper.search(ctx, p.board, p.ply)
	}
	i := slices.IndexFunc(p.lines, func(l line) bool { return l.moves[0] == move })
	switch {
	case i >= 0 && p.lines[i].score < engine.MateBound:
		p.lines[i] = played
	case i < 0 && played.score > p.lines[0].score:
		p.lines = append(p.lines, played)
	}
	slices.SortStableFunc(p.lines, func(a, b line) int { return int(b.score - a.score) })
	p.lines = p.lines[:min(len(p.lines), s.lines)]
}

// value returns the score of a position for the player who has moved, with distances
// from before that move.
func (p *position) value() engine.Score {
	switch p.ending {
	case open:
		return before(p.lines[0].score)
	case won:
		return winIn(1)
	}
	return 0
}

// expected returns the best line of a position, if the game goes on.
func (p *position) expected() []board.Move {
	if p.ending != open {
		return nil
	}
	return p.lines[0].moves
}

// settle follows proven wins through the game: as long as the winner plays them, the
// positions of both are decided, whatever their own searches say.
func (r *report) settle() {
	var win *proof.Node // of the side to move at i
	for i := 0; i < len(r.positions) && r.positions[i].ending == open; {
		p := r.positions[i]
		if own := p.proof; own != nil && (win == nil || own.Win.Plies() < win.Plies()) {
			win = own.Win
		}
		if win != nil {
			p.decide(line{winIn(win.Plies()), win.Line(p.board)})
		}
		if i+1 == len(r.positions) {
			return
		}
		loser := r.positions[i+1]
		if win == nil || r.record.moves[p.ply] != win.Move || loser.ending != open {
			win = nil
			i++
			continue
		}
		loser.decide(line{-winIn(win.Plies() - 1), win.Line(p.board)[1:]})
		if i+2 == len(r.positions) {
			return
		}
		win = answer(win, r.record.moves[loser.ply])
		i += 2
	}
}

// answer returns the winner's answer to a reply, or nil.
func answer(n *proof.Node, reply board.Move) *proof.Node {
	for _, a := range n.Answers {
		if slices.Contains(a.Replies, reply) {
			return a.Then
		}
	}
	return n.Rest
}

// decide makes a proven win or loss the score of a position, unless its own search has
// found one no longer than that.
func (p *position) decide(l line) {
	best := p.lines[0].score
	switch {
	case l.score < 0 && best > -engine.MateBound:
		p.lines = []line{l}
	case l.score > best:
		n := len(p.lines)
		p.lines = slices.DeleteFunc(p.lines, func(o line) bool { return o.moves[0] == l.moves[0] })
		p.lines = slices.Insert(p.lines, 0, l)[:min(n, len(p.lines)+1)]
	}
}

// last returns the last position, or nil if none was searched.
func (r *report) last() *position {
	if len(r.positions) == 0 {
		return nil
	}
	return r.positions[len(r.positions)-1]
}

// complete reports whether all of the record was analysed.
func (r *report) complete() bool {
	return !r.record.game || len(r.positions) == len(r.record.moves)+1
}

// player returns how to call a player: by color and, if known, by name.
func (r *record) player(c board.Color) string {
	if r.names[c] == "" {
		return c.String()
	}
	return c.String() + " (" + r.names[c] + ")"
}
