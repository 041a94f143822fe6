package game

import (
	"context"
	"fmt"
	"strings"

	"kumiko/tournament/journal"
)

// swap2 conducts the opening of that name: the first player sets up three
// stones; the second takes black, or adds a stone as white, or adds two and
// leaves the choice to the first. The stones count as an opening.
func (g *Game) swap2(ctx context.Context) (loser int, f *fault) {
	if _, f = g.propose(ctx, 0, "3"); f != nil {
		return 0, f
	}
	added, f := g.propose(ctx, 1, "SWAP 1 2")
	switch {
	case f != nil:
		return 1, f
	case added == 0: // the second player has black now
		g.black = 1
	case added == 2:
		if added, f = g.propose(ctx, 0, "SWAP 1"); f != nil {
			return 0, f
		}
		if added == 1 { // the first player has chosen white
			g.black = 1
		}
	}
	g.opening = g.board.Stones()
	return 0, nil
}

// propose asks a player for its part of the opening, of which allowed says
// what it may be, and puts its stones on the board.
func (g *Game) propose(ctx context.Context, i int, allowed string) (stones int, f *fault) {
	p := g.Players[i]
	lines := []string{fmt.Sprintf("INFO time_left %d", p.clock.timeLeft()), "SWAP2BOARD"}
	for _, m := range g.board.History() {
		lines = append(lines, wire(m))
	}
	answer, _, f := p.ask(ctx, isProposal, append(lines, "DONE")...)
	if f != nil {
		return 0, f
	}
	g.choices = strings.TrimSpace(g.choices + " " + strings.Join(strings.Fields(answer), "/"))
	list := strings.Fields(answer)
	kind := fmt.Sprint(len(list))
	if swaps(answer) {
		list, kind = nil, "SWAP"
	}
	if !strings.Contains(allowed, kind) {
		return 0, failed(journal.Swap2, "answered SWAP2BOARD of %d stones with %s", g.board.Stones(), quote(answer))
	}
	for _, s := range list {
		m, _ := parseMove(s)
		if f := g.judge(m, s); f != nil {
			return 0, f
		}
		if g.board.Wins(m, g.board.Side()) {
			return 0, failed(journal.Swap2, "made five with %v in the opening", m)
		}
		g.board.Place(m)
	}
	p.placed = false // it believes the next BOARD only
	return len(list), p.rest(g.Suspend)
}

func swaps(answer string) bool {
	return strings.EqualFold(strings.TrimSpace(answer), "SWAP")
}

// isProposal reports whether a line answers SWAP2BOARD.
func isProposal(line string) bool {
	if swaps(line) {
		return true
	}
	list := strings.Fields(line)
	for _, s := range list {
		if !moveRE.MatchString(s) {
			return false
		}
	}
	return len(list) > 0
}
