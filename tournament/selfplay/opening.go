package selfplay

import (
	"context"
	"errors"

	"kumiko/tournament/opening"
)

const (
	// Openings have from minOpening to maxOpening stones.
	minOpening = 2
	maxOpening = 8
	// openingNodes is how many times the nodes of a move are spent to judge
	// an opening.
	openingNodes = 2
	// maxTries is the number of openings looked at before giving up.
	maxTries = 10_000
)

var errNoOpening = errors.New("no balanced opening found; allow a greater -balance")

// open sets up a random opening that the engine thinks is balanced.
func (p *player) open(ctx context.Context) error {
	for range maxTries {
		if !opening.Scatter(p.b, p.rng, minOpening+p.rng.IntN(maxOpening-minOpening+1)) {
			continue
		}
		ply := newPly(p.search(ctx, openingNodes*int64(p.settings.Nodes), 1, nil))
		if err := ctx.Err(); err != nil {
			return err
		}
		if ply.Flags == 0 && int(max(ply.Score, -ply.Score)) <= int(p.settings.Balance) {
			return nil
		}
	}
	return errNoOpening
}
