package selfplay

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn/replay"
	"kumiko/tournament/adjudicate"
)

const (
	// engineMemory is enough for the few positions of a game at low node
	// limits, and quick to clear.
	engineMemory = 32 << 20
	// noiseWidth is the number of best moves from which a random one is played,
	// if its score is at most noiseLoss below the best.
	noiseWidth = 4
	noiseLoss  = 150
	// sideRank is the mean rank, in the order of the patterns, of the moves
	// tried as side lines, and sideShare the fraction of a move's nodes spent
	// on the answer to a side line.
	sideRank  = 8
	sideShare = 2
)

// player plays games, one at a time.
type player struct {
	settings replay.Settings
	engine   *engine.Engine
	order    *pattern.Order
	tree     *sampler
	b        *board.Board
	rng      *rand.Rand
	list     []board.Move // of otherMove
}

func newPlayer(o *options) *player {
	p := &player{settings: o.settings, tree: &sampler{}}
	eo := engine.Options{Memory: engineMemory, Evaluator: func(e engine.Evaluator) engine.Evaluator {
		p.tree.Evaluator = e
		return p.tree
	}}
	eo.Patterns[o.settings.Rule], eo.Nets[o.settings.Rule] = o.tables, o.net
	p.engine = engine.New(eo)
	p.order = o.tables.Order()
	b, err := board.New(int(o.settings.Width), int(o.settings.Height), o.settings.Rule)
	if err != nil {
		panic(err) // settings have been checked
	}
	p.b = b
	return p
}

// play plays game number n. The error comes from ctx, or says that no opening
// was found.
func (p *player) play(ctx context.Context, n int) (*replay.Game, error) {
	p.rng = rand.New(rand.NewPCG(p.settings.Seed, uint64(n)))
	p.engine.Reset()
	if err := p.open(ctx); err != nil {
		return nil, fmt.Errorf("game %d: %w", n+1, err)
	}
	b := p.b
	g := &replay.Game{Opening: b.Ply()}
	for _, m := range b.History() {
		g.Plies = append(g.Plies, replay.Ply{Move: m})
	}
	rule := adjudicate.SelfPlay(b.Width() * b.Height())
	for !b.Full() {
		c := b.Side()
		p.tree.begin(p.about(p.settings.TreeLines), p.rng)
		ply := p.choose(ctx, b.Ply()-g.Opening)
		lines := p.tree.end()
		if ply.Flags&(replay.Proven|replay.Forced) == 0 {
			g.Plies = append(g.Plies, p.sideMoves(ctx, ply.Move)...)
			for _, line := range lines {
				g.Plies = append(g.Plies, p.answer(ctx, line)...)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !b.Legal(ply.Move) {
			g.Result = resultFor(c.Opponent()) // all moves are forbidden
			break
		}
		five := b.Wins(ply.Move, c)
		b.Place(ply.Move)
		g.Plies = append(g.Plies, ply)
		if five || ply.Flags&replay.Proven != 0 && ply.Score > 0 {
			g.Result = resultFor(c)
			break
		}
		if rule.Move(int(c), int(ply.Score), ply.Flags&replay.Forced == 0, b.Stones()) == adjudicate.Drawn {
			break
		}
	}
	return g, nil
}

// resultFor returns the result of a game that c wins.
func resultFor(c board.Color) int {
	if c == board.Black {
		return 1
	}
	return -1
}

// choose chooses the next move, played plies after the opening.
func (p *player) choose(ctx context.Context, played int) replay.Ply {
	noisy := played < int(p.settings.NoisePlies) && p.rng.IntN(1000) < int(p.settings.Noise)
	if !noisy {
		return newPly(p.search(ctx, int64(p.settings.Nodes), 1, nil))
	}
	var best [noiseWidth]engine.Info
	res := p.search(ctx, int64(p.settings.Nodes), noiseWidth, func(i engine.Info) { best[i.PVIndex] = i })
	ply := newPly(res)
	if ply.Flags != 0 {
		return ply // no choice
	}
	good := []board.Move{res.Move}
	for _, i := range best {
		if len(i.PV) > 0 && i.PV[0] != res.Move && i.Score >= res.Score-noiseLoss {
			good = append(good, i.PV[0])
		}
	}
	if m := good[p.rng.IntN(len(good))]; m != res.Move {
		ply.Move = m
		ply.Flags = replay.Random
	}
	return ply
}

// about returns a random integer whose mean is mean, given in thousandths: one
// of the two nearest.
func (p *player) about(mean uint16) int {
	n := int(mean) / 1000
	if rest := int(mean) % 1000; rest > 0 && p.rng.IntN(1000) < rest {
		n++
	}
	return n
}

// sideMoves tries moves other than m, on average as many as the settings say,
// and returns each with the answer.
func (p *player) sideMoves(ctx context.Context, m board.Move) (list []replay.Ply) {
	for range p.about(p.settings.SideMoves) {
		other := p.otherMove(m)
		if other != board.NoMove && !p.b.Wins(other, p.b.Side()) {
			list = append(list, p.answer(ctx, []board.Move{other})...)
		}
	}
	return list
}

// answer plays the moves of a line and returns them with the answer, or nil if
// there is none. It takes all of them back.
func (p *player) answer(ctx context.Context, line []board.Move) []replay.Ply {
	b := p.b
	plies := make([]replay.Ply, 0, len(line)+1)
	for _, m := range line {
		b.Place(m)
		defer b.Undo()
		plies = append(plies, replay.Ply{Move: m, Flags: replay.Side})
	}
	if b.Full() {
		return nil
	}
	ply := newPly(p.search(ctx, int64(p.settings.Nodes)/sideShare, 1, nil))
	if !b.Legal(ply.Move) {
		return nil
	}
	return append(plies, ply)
}

// otherMove returns a random legal move other than m, more likely the more the
// patterns value it, or NoMove if there is none.
func (p *player) otherMove(m board.Move) board.Move {
	b := p.b
	p.list = p.list[:0]
	for y := range b.Height() {
		for row := b.Near(y); row != 0; row &= row - 1 {
			if o := board.Pt(bits.TrailingZeros32(row), y); o != m && b.Legal(o) {
				p.list = append(p.list, o)
			}
		}
	}
	if len(p.list) == 0 {
		return board.NoMove
	}
	slices.SortStableFunc(p.list, func(x, y board.Move) int {
		return p.order.Worth(b, y, b.Side()) - p.order.Worth(b, x, b.Side())
	})
	n := int(p.rng.ExpFloat64() * sideRank)
	return p.list[min(n, len(p.list)-1)]
}

// newPly returns the ply found by a search.
func newPly(res engine.Result) replay.Ply {
	p := replay.Ply{Move: res.Move, Score: int16(res.Score)}
	if _, ok := res.Score.Mate(); ok {
		p.Flags = replay.Proven
	} else if res.Depth == 0 {
		p.Flags = replay.Forced
		p.Score = 0
	}
	return p
}

// search searches the position with a node limit and no clock.
func (p *player) search(ctx context.Context, nodes int64, multiPV int, report func(engine.Info)) engine.Result {
	return p.engine.Search(ctx, engine.Request{
		Board:   p.b,
		Limits:  engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: nodes},
		MultiPV: multiPV,
	}, report)
}
