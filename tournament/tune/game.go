package tune

import (
	"context"
	"slices"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/tournament/adjudicate"
)

// engineMemory is enough for the few positions of a game at low node limits,
// and quick to clear.
const engineMemory = 32 << 20

// player plays games, one at a time.
type player struct {
	params  []param
	nodes   [2]int64 // per move, of a and b
	alike   bool     // equal values make equal players
	book    *book
	b       *board.Board
	scorer  *engine.Engine    // scores openings
	engines [2]*engine.Engine // of a pairing's a and b
}

// newPlayer returns a player of games on a board like b, between engines with the
// given options.
func newPlayer(b *board.Board, s *sides, params []param, book *book) *player {
	base := s.base
	base.Memory = engineMemory
	p := &player{params: params, nodes: s.nodes, alike: s.alike, book: book, b: b.Clone(), scorer: engine.New(base)}
	for i, o := range s.options {
		o.Memory = engineMemory
		if n := o.Residuals[b.Rule()]; n != nil {
			o.Memory += engine.ResidualMemory(n)
		}
		p.engines[i] = engine.New(o)
	}
	return p
}

// sides are the two sides of a game.
type sides struct {
	base    engine.Options // of the engine that finds openings
	options [2]engine.Options
	nodes   [2]int64
	alike   bool // both are the same, up to the parameters
}

// game implements gameFunc.
func (p *player) game(ctx context.Context, pair pairing, leg int) (int, error) {
	if p.alike && slices.Equal(pair.a, pair.b) {
		return 1, nil // both games of the pair would be the same
	}
	for i, values := range [][]int{pair.a, pair.b} {
		var t *engine.Tuning // the defaults of what evaluates
		if len(values) > 0 {
			var err error
			if t, err = engine.NewTuning(byName(p.params, values)); err != nil {
				return 0, err
			}
		}
		p.engines[i].SetTuning(t)
		p.engines[i].Reset()
	}
	if err := p.open(ctx, pair.number); err != nil {
		return 0, err
	}
	first := p.b.Side()
	won, decided := p.play(ctx, leg)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case !decided:
		return 1, nil
	case (won == first) == (leg == 0):
		return 2, nil
	}
	return 0, nil
}

// play plays a game to its end, or until ctx ends. The engine of that number is to
// move. A win proven by an engine counts as a win.
func (p *player) play(ctx context.Context, mover int) (winner board.Color, decided bool) {
	b := p.b
	rule := adjudicate.SelfPlay(b.Width() * b.Height())
	for i := mover; !b.Full(); i = 1 - i {
		c := b.Side()
		res := search(ctx, p.engines[i], b, p.nodes[i])
		if ctx.Err() != nil {
			return 0, false
		}
		if !b.Legal(res.Move) {
			return c.Opponent(), true // all moves are forbidden
		}
		plies, proven := res.Score.Mate()
		if b.Wins(res.Move, c) || proven && plies > 0 {
			return c, true
		}
		b.Place(res.Move)
		// A forced move has no score.
		if rule.Move(i, int(res.Score), res.Depth > 0, b.Stones()) == adjudicate.Drawn {
			break
		}
	}
	return 0, false
}

// search searches a position with a node limit and no clock.
func search(ctx context.Context, e *engine.Engine, b *board.Board, nodes int64) engine.Result {
	return e.Search(ctx, engine.Request{
		Board:  b,
		Limits: engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: nodes},
	}, nil)
}
