package tune

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"kumiko/engine"
	"kumiko/tournament/config"
)

// A command is a subcommand of tune.
type command struct {
	name, help string
	run        func(ctx context.Context, base engine.Options, args []string, stdout io.Writer) error
}

func commands() []command {
	return []command{
		{"spsa", "climb from the defaults by games of random changes against their opposites", spsaCommand},
		{"genetic", "breed values by a genetic algorithm", geneticCommand},
		{"match", "play found values against the defaults, to confirm them", matchCommand},
		{"show", "tell what a log says", showCommand},
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

// spsaCommand is the command spsa.
func spsaCommand(ctx context.Context, base engine.Options, args []string, stdout io.Writer) error {
	c := newFlags("spsa", "spsa --out FILE [flags]\nWhat it found last, and on average over its second half, is printed at the end.")
	c.addParams()
	s := &spsaSettings{}
	games := c.Int("games", 20_000, "games to play in all; they come in pairs")
	c.IntVar(&s.Batch, "batch", 16, "pairs between two changes of the values")
	c.Float64Var(&s.R, "r", 0.002, "learning rate at the end")
	c.Float64Var(&s.Alpha, "alpha", 0.602, "how fast the learning rate falls")
	c.Float64Var(&s.Gamma, "gamma", 0.101, "how fast the perturbations fall")
	c.Float64Var(&s.A, "A", 0.1, "share of the games by which the learning rate starts late")
	if err := c.parse(args, stdout); err != nil {
		return err
	}
	params, err := parseParams(c.params)
	if err != nil {
		return err
	}
	s.Pairs = (*games + 1) / 2
	return c.start(ctx, base, &settings{Method: "spsa", Params: params, SPSA: s}, s.Pairs, stdout)
}

// maxGenerations bounds those of a run.
const maxGenerations = 1000

// geneticCommand is the command genetic.
func geneticCommand(ctx context.Context, base engine.Options, args []string, stdout io.Writer) error {
	c := newFlags("genetic", "genetic --out FILE [flags]\nThe mean of the population is printed at the end, and its best member. With more generations than before,\nit goes on.")
	c.addParams()
	s := &geneticSettings{}
	generations := c.Int("generations", 40, "generations in all")
	c.IntVar(&s.Population, "population", 256, "members of each")
	c.IntVar(&s.Pairs, "pairs", 2, "pairs of games of each member in a generation")
	c.IntVar(&s.Elites, "elites", 4, "best members that stay and are measured further")
	c.IntVar(&s.Immigrants, "immigrants", 2, "members with random values in a generation")
	c.IntVar(&s.Tournament, "tournament", 3, "members of whom the best becomes a parent")
	c.Float64Var(&s.Mutation, "mutation", 0.05, "chance of a child's value to be changed")
	c.Float64Var(&s.Sigma, "sigma", 2, "standard deviation of such a change, in steps")
	if err := c.parse(args, stdout); err != nil {
		return err
	}
	params, err := parseParams(c.params)
	if err != nil {
		return err
	}
	if *generations < 1 || *generations > maxGenerations {
		return fmt.Errorf("%d generations are too few or too many", *generations)
	}
	pairs := *generations * s.Population * s.Pairs
	return c.start(ctx, base, &settings{Method: "genetic", Params: params, Genetic: s}, pairs, stdout)
}

// matchCommand is the command match.
func matchCommand(ctx context.Context, base engine.Options, args []string, stdout io.Writer) error {
	c := newFlags("match", "match --out FILE --values NAME=VALUE,… | --from LOG [flags]\nWith more games than before, it goes on.")
	values := c.String("values", "", "`list` of values, NAME=VALUE with commas between; others keep their defaults")
	from := c.String("from", "", "`log` with the values to play")
	average := c.Bool("average", false, "of a log of spsa, play the averages of the second half, not the last values")
	games := c.Int("games", 2000, "games to play in all, at least; they come in batches of 32")
	sprt := c.Bool("sprt", false, "stop when a sequential test is decided")
	test := config.SPRT{}
	c.Float64Var(&test.Elo0, "elo0", 0, "difference by H0")
	c.Float64Var(&test.Elo1, "elo1", 10, "difference by H1")
	c.Float64Var(&test.Alpha, "alpha", 0.05, "chance to accept H1 though H0 holds")
	c.Float64Var(&test.Beta, "beta", 0.05, "chance to accept H0 though H1 holds")
	c.StringVar((*string)(&test.Model), "model", string(config.Normalized), "`unit` of the differences: normalized or logistic (Elo)")
	if err := c.parse(args, stdout); err != nil {
		return err
	}
	s := &settings{Method: "match", Match: &matchSettings{}}
	var err error
	switch {
	case (*values == "") == (*from == ""):
		return errors.New("give either --values or --from")
	case *average && *from == "":
		return errors.New("--average goes with --from")
	case *values != "":
		s.Params, s.Match.Values, err = parseValues(*values)
	default:
		s.Params, s.Match.Values, err = loadValues(*from, *average)
	}
	if err != nil {
		return err
	}
	if *sprt {
		s.Match.SPRT = &test
	}
	if *games < 1 || *games > maxPairs {
		return fmt.Errorf("%d games are too few or too many", *games)
	}
	return c.start(ctx, base, s, (*games+1)/2, stdout)
}

// loadValues returns what a log has found, or the averages that it shows.
func loadValues(name string, average bool) ([]param, []int, error) {
	s, m, err := readLog(name)
	if err != nil {
		return nil, nil, err
	}
	values := m.result()
	if average {
		climb, ok := m.(*spsa)
		if !ok {
			return nil, nil, fmt.Errorf("%s: a log of %s has no averages", name, s.Method)
		}
		values = rounded(s.Params, climb.average())
	}
	_, err = engine.NewTuning(byName(s.Params, values)) // the table may have changed since
	return s.Params, values, err
}

// showCommand is the command show.
func showCommand(ctx context.Context, base engine.Options, args []string, stdout io.Writer) error {
	fs := pflag.NewFlagSet("show", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() { fmt.Fprintln(fs.Output(), "usage: tune show LOG") }
	if err := parse(fs, args, stdout); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return fmt.Errorf("%d arguments, want a log (-h explains)", fs.NArg())
	}
	s, m, err := readLog(fs.Arg(0))
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s, %s, %dx%d, %d nodes per move, seed %d, %d games\n", s.Method, s.Rule, s.Width, s.Height, s.Nodes, s.Seed, 2*m.done())
	return m.writeResult(stdout)
}
