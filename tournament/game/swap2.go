package game

import (
	"context"
	"slices"
	"strings"

	"kumiko/tournament/journal"
)

// swap2 plays the swap2 opening: the first player sets up three stones; the
// second takes black, or adds a stone as white, or adds two and leaves the
// choice to the first. The stones count as an opening.
func (g *Game) swap2(ctx context.Context) (loser int, f *fault) {
	if _, f = g.propose(ctx, 0, 3); f != nil {
		return 0, f
	}
	added, f := g.propose(ctx, 1, 0, 1, 2)
	switch {
	case f != nil:
		return 1, f
	case added == 0: // the second player has black now
		g.black = 1
	case added == 2:
		if added, f = g.propose(ctx, 0, 0, 1); f != nil {
			return 0, f
		}
		if added == 1 { // the first player has chosen white
			g.black = 1
		}
	}
	return 0, nil
}

// propose asks a player for its part of the opening and places its stones.
// Allowed lists the permitted numbers of stones; none means SWAP.
func (g *Game) propose(ctx context.Context, i int, allowed ...int) (stones int, f *fault) {
	p := g.Players[i]
	lines := []string{p.clock.info(), "SWAP2BOARD"}
	for _, m := range g.board.History() {
		lines = append(lines, wire(m))
	}
	answer, took, f := p.ask(ctx, isProposal, append(lines, "DONE"))
	if f != nil {
		return 0, f
	}
	list := strings.Fields(answer)
	g.choices = strings.TrimSpace(g.choices + " " + strings.ToUpper(strings.Join(list, "/")))
	if isSwap(answer) {
		list = nil
	}
	if !slices.Contains(allowed, len(list)) {
		return 0, failed(journal.Swap2, "answered SWAP2BOARD of %d stones with %s", g.board.Stones(), quote(answer))
	}
	for _, s := range list {
		m, _ := parseMove(s)
		if f := g.check(m, s); f != nil {
			return 0, f
		}
		g.place(p, m, took)
		g.opening++
		took = 0
	}
	return len(list), p.rest()
}

func isSwap(answer string) bool { return strings.EqualFold(strings.TrimSpace(answer), "SWAP") }

// isProposal reports whether a line answers SWAP2BOARD.
func isProposal(line string) bool {
	list := strings.Fields(line)
	return isSwap(line) || len(list) > 0 && !slices.ContainsFunc(list, func(s string) bool { return !isMove(s) })
}
