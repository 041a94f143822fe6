package tune

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/opening"
	"kumiko/tournament/outfile"
)

const (
	// balance bounds the score of a random opening, for either side, after
	// openingNodes nodes.
	balance      = 100
	openingNodes = 1000
	// maxTries is the number of openings tried before giving up.
	maxTries = 2000
)

// A book provides the openings of pairs of games.
type book struct {
	seed     uint64
	openings []opening.Opening // empty for random ones
}

// The uses of random numbers. Each has its own streams, so that a method cannot
// change openings.
const (
	openingStream = 1 + iota
	spsaStream
	geneticStream
)

// newRand returns the n-th random stream of a use.
func newRand(seed uint64, use int, n uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, n<<8|uint64(use)))
}

// read reads the openings of a file for a board and returns their hash.
func (b *book) read(name string, c *config.Config) (string, error) {
	text, err := outfile.Read(name)
	if err != nil {
		return "", err
	}
	list, faults, err := opening.Read(name, text, opening.Options{
		Format: opening.GuessFormat(name), Width: c.Width, Height: c.Height, Rule: c.Rule.Rule,
	})
	if len(faults) > 0 {
		err = fmt.Errorf("unplayable openings:\n%w", errors.Join(faults...))
	}
	if err != nil {
		return "", err
	}
	b.openings = list
	return hash(text), nil
}

// open sets up the opening of a pair.
func (p *player) open(ctx context.Context, number uint64) error {
	rng := newRand(p.book.seed, openingStream, number)
	if list := p.book.openings; len(list) > 0 {
		w, h := p.b.Width(), p.b.Height()
		p.b.Clear()
		for _, m := range list[rng.IntN(len(list))].Transform(w, h, rng.IntN(board.Symmetries(w, h))).Moves {
			p.b.Place(m)
		}
		return nil
	}
	err := opening.Random(p.b, rng, maxTries, func() (bool, error) {
		p.scorer.Reset()
		res := search(ctx, p.scorer, p.b, openingNodes)
		return res.Depth > 0 && max(res.Score, -res.Score) <= balance, ctx.Err()
	})
	if errors.Is(err, opening.ErrUnbalanced) {
		err = fmt.Errorf("%w; name a file with --openings", err)
	}
	return err
}
