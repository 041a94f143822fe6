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
	nodes   int64 // per move
	book    *book
	b       *board.Board
	scorer  *engine.Engine    // scores openings
	engines [2]*engine.Engine // of a pairing's a and b
}

// newPlayer returns a player of games on a board like b.
func newPlayer(b *board.Board, o engine.Options, params []param, nodes int64, book *book) *player {
	o.Memory = engineMemory
	p := &player{params: params, nodes: nodes, book: book, b: b.Clone(), scorer: engine.New(o)}
	for i := range p.engines {
		p.engines[i] = engine.New(o)
	}
	return p
}

// game implements gameFunc.
func (p *player) game(ctx context.Context, pair pairing, leg int) (int, error) {
	if slices.Equal(pair.a, pair.b) {
		return 1, nil // both games of the pair would be the same
	}
	for i, values := range [][]int{pair.a, pair.b} {
		t, err := engine.NewTuning(byName(p.params, values))
		if err != nil {
			return 0, err
		}
		p.engines[i].SetTuning(t)
		p.engines[i].Reset()
	}
	if err := p.open(ctx, pair.number); err != nil {
		return 0, err
	}
	first := p.b.Side()
	won, decided := p.play(ctx, [2]*engine.Engine{p.engines[leg], p.engines[1-leg]})
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

// play plays a game to its end, or until ctx ends. The engine to move is listed
// first. A win proven by an engine counts as a win.
func (p *player) play(ctx context.Context, engines [2]*engine.Engine) (winner board.Color, decided bool) {
	b := p.b
	rule := adjudicate.SelfPlay(b.Width() * b.Height())
	for i := 0; !b.Full(); i = 1 - i {
		c := b.Side()
		res := search(ctx, engines[i], b, p.nodes)
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
