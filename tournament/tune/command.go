package tune

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/opening"
)

// A command is a subcommand of tune.
type command struct {
	name, help string
	run        func(ctx context.Context, base engine.Options, args []string, stdout io.Writer) error
}

func commands() []command {
	return []command{
		{"spsa", "climb from the defaults by games of small changes against their opposites", spsaCommand},
	}
}

// Command is the subcommand tune: it looks for better values of the tunable
// numbers of engines with these options.
func Command(ctx context.Context, base engine.Options, args []string, stdout io.Writer) error {
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == args[0] {
				return c.run(ctx, base, args[1:], stdout)
			}
		}
	}
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" || args[0] == "help" {
		fmt.Fprintln(stdout, "usage: tune command [flags]; each explains itself with -h")
		for _, c := range commands() {
			fmt.Fprintf(stdout, "  %-8s %s\n", c.name, c.help)
		}
		return flag.ErrHelp
	}
	return fmt.Errorf("unknown command %q (tune help lists them)", args[0])
}

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
	c.Usage = func() {
		fmt.Fprintf(c.Output(), "usage: tune %s\n%s", usage, c.FlagUsages())
	}
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
	err := c.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		c.SetOutput(stdout)
		c.Usage()
		return flag.ErrHelp
	case err != nil:
		return err
	case c.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", c.Arg(0))
	case c.out == "":
		return errors.New("name the log to write with --out")
	case c.concurrency < 1:
		return fmt.Errorf("concurrency %d is less than 1", c.concurrency)
	}
	return nil
}

// settings makes the settings of a method, but for its own, and what plays
// their games.
func (c *common) settings(method string, base engine.Options) (*settings, arena, error) {
	var setup config.Config
	if err := errors.Join(setup.Rule.UnmarshalText([]byte(c.rule)), setup.SetSize(c.size)); err != nil {
		return nil, nil, err
	}
	params, err := parseParams(c.params)
	if err != nil {
		return nil, nil, err
	}
	s := &settings{
		Version: version, Method: method,
		Rule: setup.Rule.String(), Width: setup.Width, Height: setup.Height,
		Nodes: c.nodes, Seed: c.seed, Table: tableHash(), Params: params,
	}
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	if t := base.Patterns[setup.Rule.Rule]; t != nil {
		var file bytes.Buffer
		if err := t.Write(&file); err != nil {
			return nil, nil, err
		}
		s.Patterns = hash(file.Bytes())
	}
	book := &book{seed: c.seed}
	if c.openings != "" {
		if s.Openings, err = book.read(c.openings, &setup); err != nil {
			return nil, nil, err
		}
	}
	b, err := board.New(s.Width, s.Height, setup.Rule.Rule)
	if err != nil {
		return nil, nil, err
	}
	var a arena
	for range c.concurrency {
		a = append(a, newPlayer(b, base, params, c.nodes, book).game)
	}
	return s, a, nil
}

// read reads the openings of a file for a board, and returns their hash.
func (b *book) read(name string, c *config.Config) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	format, err := opening.ParseFormat(config.GuessType(name))
	if err != nil {
		return "", err
	}
	b.openings, err = opening.Read(name, text, opening.Options{
		Format: format, Width: c.Width, Height: c.Height, Rule: c.Rule.Rule,
	})
	if err != nil {
		return "", fmt.Errorf("openings cannot be played:\n%w", err)
	}
	if len(b.openings) == 0 {
		return "", fmt.Errorf("%s has no openings", name)
	}
	return hash(text), nil
}

// start opens the log, brings the method to where it ended, and goes on.
func (c *common) start(ctx context.Context, s *settings, m method, a arena, stdout io.Writer) error {
	j, records, err := openJournal(c.out, s)
	if err != nil {
		return err
	}
	if err := replay(m, records); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", c.out, err), j.close())
	}
	return errors.Join(run(ctx, m, a, j, stdout), j.close())
}

// spsaCommand is the command spsa.
func spsaCommand(ctx context.Context, base engine.Options, args []string, stdout io.Writer) error {
	c := newFlags("spsa", "spsa --out FILE [flags]")
	c.addParams()
	var s spsaSettings
	games := c.Int("games", 20_000, "games to play in all; they come in pairs")
	c.IntVar(&s.Batch, "batch", 16, "pairs between two changes of the values")
	c.Float64Var(&s.R, "r", 0.002, "learning rate at the end")
	c.Float64Var(&s.Alpha, "alpha", 0.602, "how fast the learning rate falls")
	c.Float64Var(&s.Gamma, "gamma", 0.101, "how fast the perturbations fall")
	c.Float64Var(&s.A, "A", 0.1, "share of the games by which the learning rate starts late")
	if err := c.parse(args, stdout); err != nil {
		return err
	}
	s.Pairs = (*games + 1) / 2
	if err := s.check(); err != nil {
		return err
	}
	all, a, err := c.settings("spsa", base)
	if err != nil {
		return err
	}
	all.SPSA = &s
	return c.start(ctx, all, newSPSA(c.seed, all.Params, s), a, stdout)
}
