package fit

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn/replay"
)

// A part holds the samples of some of the games.
type part struct {
	games  int
	values values
	orders orders
}

// samples holds the samples of all records. Each game is in one part only.
type samples struct {
	rule                 board.Rule
	training, validation part
	scales               []float64 // by record, of its scores; NaN if it could not be measured
}

// A collector converts games to samples.
type collector struct {
	samples
	started bool
	share   float64 // of the games used for validation
	scale   float64 // of all scores; 0 to fit it to each record
	rng     *rand.Rand
	counts  counts
}

// collect reads the records of o, all of the same rule, and reports what it skips.
func collect(o *options, stdout io.Writer) (*samples, error) {
	c := &collector{share: o.validation, scale: o.scale, rng: rand.New(rand.NewPCG(o.seed, 0))}
	for _, name := range o.records {
		torn, err := c.file(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if torn != nil {
			fmt.Fprintf(stdout, "%s: skipped %v\n", name, torn)
		}
	}
	return &c.samples, nil
}

// file reads a record from a file.
func (c *collector) file(name string) (torn *replay.TornError, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return c.record(f)
}

// record reads a record. It skips an unfinished game at its end and returns it as
// torn.
func (c *collector) record(r io.Reader) (torn *replay.TornError, err error) {
	var b *board.Board
	trained, validated := len(c.training.values.outcomes), len(c.validation.values.outcomes)
	torn, err = replay.ReadAll(r, func(s replay.Settings) (err error) {
		b, err = c.begin(s)
		return err
	}, func(g *replay.Game) {
		p := &c.training
		if c.rng.Float64() < c.share {
			p = &c.validation
		}
		c.game(p, b, g)
	})
	if err == nil {
		c.rescale(c.training.values.outcomes[trained:], c.validation.values.outcomes[validated:])
	}
	return torn, err
}

// begin returns a board for the games of a record.
func (c *collector) begin(s replay.Settings) (*board.Board, error) {
	if !c.started {
		c.started = true
		c.rule = s.Rule
		for _, p := range []*part{&c.training, &c.validation} {
			p.values.tables = tablesOf(s.Rule)
			p.orders.tables = tablesOf(s.Rule)
		}
	}
	if s.Rule != c.rule {
		return nil, fmt.Errorf("games of %v among games of %v", s.Rule, c.rule)
	}
	return board.New(int(s.Width), int(s.Height), s.Rule)
}

// rescale scales the scores of a record to true logits, so that they predict the
// results best, whatever evaluation the games were played with.
func (c *collector) rescale(training, validation []outcome) {
	scale := c.scale
	if scale == 0 {
		scale = scoreScale(training)
	}
	c.scales = append(c.scales, scale)
	if math.IsNaN(scale) {
		return // nothing to learn from the results of these games
	}
	for _, list := range [][]outcome{training, validation} {
		for i := range list {
			list[i].score *= float32(scale)
		}
	}
}

// game adds the samples of a game to p.
func (c *collector) game(p *part, b *board.Board, g *replay.Game) {
	p.games++
	g.Walk(b, func(ply replay.Ply, played bool) {
		o := outcome{score: float32(ply.Score) / pattern.Logit, proven: ply.Flags&replay.Proven != 0, played: played}
		if o.played {
			o.result = resultFor(b.Side(), g.Result)
		}
		if replay.TeachesValue(b, ply) {
			p.values.add(b, o, &c.counts)
		}
		if replay.TeachesOrder(b, ply) {
			p.orders.add(b, ply.Move)
		}
	})
}

// resultFor returns c's share of the result of a game.
func resultFor(c board.Color, result int) float32 {
	if c == board.White {
		result = -result
	}
	return float32(result+1) / 2
}
