package tune

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/tournament/config"
)

// common are the flags that all methods have.
type common struct {
	*pflag.FlagSet
	rule, size, openings, params, out string
	nodes                             int64
	seed                              uint64
	concurrency                       int
}

// newFlags returns the flags of a method, but for its own.
func newFlags(name, usage string) *common {
	c := &common{FlagSet: pflag.NewFlagSet(name, pflag.ContinueOnError)}
	c.SortFlags = false
	c.SetOutput(io.Discard) // errors are the caller's to show
	c.Usage = func() { fmt.Fprintf(c.Output(), "usage: tune %s\n%s", usage, c.FlagUsages()) }
	c.StringVar(&c.out, "out", "", "log to write, or to continue if it exists: a `file` of JSON lines")
	c.StringVar(&c.rule, "rule", "freestyle", "`name` of the rule")
	c.StringVar(&c.size, "size", "15", "`size` of the board, such as 15 or 20x15")
	c.StringVar(&c.openings, "openings", "", "`file` of openings: offset, .pos or .psq (default: balanced ones made at random)")
	c.Int64Var(&c.nodes, "nodes", 5000, "positions to visit per move")
	c.Uint64Var(&c.seed, "seed", 1, "seed of all that is random")
	c.IntVar(&c.concurrency, "concurrency", 2, "games played at the same time")
	return c
}

// addParams adds the flag of the parameters to tune.
func (c *common) addParams() {
	c.StringVar(&c.params, "params", "", "`list` of parameters, NAME, NAME=MIN:MAX or NAME=MIN:MAX:STEP, with commas between (default all)")
}

// parse reads the command line.
func (c *common) parse(args []string, stdout io.Writer) error {
	err := parse(c.FlagSet, args, stdout)
	switch {
	case err != nil:
		return err
	case c.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", c.Arg(0))
	case c.out == "":
		return errors.New("name the log to write with --out")
	case c.concurrency < 1 || c.concurrency > maxConcurrency:
		return fmt.Errorf("concurrency %d is not within 1 to %d", c.concurrency, maxConcurrency)
	}
	return nil
}

// maxConcurrency bounds the games played at the same time.
const maxConcurrency = 1024

// parse reads flags, or explains them if that is wanted.
func parse(fs *pflag.FlagSet, args []string, stdout io.Writer) error {
	err := fs.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fs.SetOutput(stdout)
		fs.Usage()
		return flag.ErrHelp
	}
	return err
}

// start completes settings that have the method and its parameters, opens the
// log, and lets the method play from where the log ends until there are so many
// pairs.
func (c *common) start(ctx context.Context, base engine.Options, s *settings, pairs int, stdout io.Writer) error {
	a, err := c.prepare(base, s)
	if err != nil {
		return err
	}
	j, m, err := openJournal(c.out, s)
	if err != nil {
		return err
	}
	return errors.Join(run(ctx, m, pairs, a, j, stdout), j.Close())
}

// prepare completes settings and makes what plays their games.
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
		var file bytes.Buffer
		if err := t.Write(&file); err != nil {
			return nil, err
		}
		s.Patterns = hash(file.Bytes())
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
