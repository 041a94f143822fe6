package selfplay

import (
	"context"
	"errors"
	"fmt"

	"kumiko/tournament/opening"
)

const (
	// openingNodes is the factor by which the search that scores an opening has
	// more nodes than that of a move.
	openingNodes = 2
	// maxTries is the number of openings tried before giving up.
	maxTries = 10_000
)

// open sets up a random opening that the engine considers balanced.
func (p *player) open(ctx context.Context) error {
	err := opening.Random(p.b, p.rng, maxTries, func() (bool, error) {
		ply := newPly(p.search(ctx, openingNodes*int64(p.settings.Nodes), 1, nil))
		return ply.Flags == 0 && int(max(ply.Score, -ply.Score)) <= int(p.settings.Balance), ctx.Err()
	})
	if errors.Is(err, opening.ErrUnbalanced) {
		err = fmt.Errorf("%w; allow a greater --balance", err)
	}
	return err
}
