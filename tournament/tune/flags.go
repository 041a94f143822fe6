package tune

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/tournament/config"
)

// common holds the flags that all methods share.
type common struct {
	rule, size, openings, params, out string
	nodes                             int64
	seed                              uint64
	concurrency                       int
}

// addCommon adds the flags that all methods share.
func addCommon(fs *pflag.FlagSet) *common {
	c := &common{}
	fs.StringVar(&c.out, "out", "", "log to write, or to continue if it exists: a `file` of JSON lines")
	fs.StringVar(&c.rule, "rule", "freestyle", "`rule` of the game: "+board.RuleNames)
	fs.StringVar(&c.size, "size", "15", "`size` of the board, such as 15 or 20x15")
	fs.StringVar(&c.openings, "openings", "", "`file` of openings: offset, .pos or .psq (default random balanced ones)")
	fs.Int64Var(&c.nodes, "nodes", 5000, "`nodes` to search per move")
	fs.Uint64Var(&c.seed, "seed", 1, "random `seed`")
	fs.IntVar(&c.concurrency, "concurrency", 2, "`games` played at the same time")
	return c
}

// addParams adds the flag for the parameters to tune.
func (c *common) addParams(fs *pflag.FlagSet) {
	fs.StringVar(&c.params, "params", "", "`list` of parameters, comma-separated NAME, NAME=MIN:MAX or NAME=MIN:MAX:STEP (default all)")
}

// maxConcurrency bounds the games played at the same time.
const maxConcurrency = 1024

// start completes settings that have a method and its parameters, opens the
// log, and runs the method from the end of the log to that many pairs.
func (c *common) start(cmd *cobra.Command, base engine.Options, s *settings, pairs int) error {
	if c.out == "" {
		return errors.New("missing --out, the log to write")
	}
	if c.concurrency < 1 || c.concurrency > maxConcurrency {
		return fmt.Errorf("concurrency must be 1 to %d, got %d", maxConcurrency, c.concurrency)
	}
	a, err := c.prepare(base, s)
	if err != nil {
		return err
	}
	j, m, err := openJournal(c.out, s)
	if err != nil {
		return err
	}
	err = run(cmd.Context(), m, pairs, a, j, cmd.OutOrStdout())
	if e := j.Close(); err == nil {
		err = e // otherwise it has been reported
	}
	return err
}

// prepare completes settings and makes the arena that plays their games.
func (c *common) prepare(base engine.Options, s *settings) (arena, error) {
	var setup config.Config
	if err := errors.Join(setup.Rule.UnmarshalText([]byte(c.rule)), setup.SetSize(c.size)); err != nil {
		return nil, err
	}
	s.Version, s.Table = version, tableHash()
	s.Rule, s.Width, s.Height = setup.Rule.String(), setup.Width, setup.Height
	s.Nodes, s.Seed = c.nodes, c.seed
	if err := s.check(); err != nil {
		return nil, err
	}
	if t := base.Patterns[setup.Rule.Rule]; t != nil {
		s.Patterns = hash(t.Bytes())
	}
	book := &book{seed: c.seed}
	if c.openings != "" {
		var err error
		if s.Openings, err = book.read(c.openings, &setup); err != nil {
			return nil, err
		}
	}
	b, err := board.New(s.Width, s.Height, setup.Rule.Rule)
	if err != nil {
		return nil, err
	}
	var a arena
	for range c.concurrency {
		a = append(a, newPlayer(b, base, s.Params, c.nodes, book).game)
	}
	return a, nil
}
