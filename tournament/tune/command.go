package tune

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/engine"
	"kumiko/tournament/config"
)

// Command is the command tune, which looks for better values of the tunable
// numbers of engines with these options.
func Command(options func() engine.Options) *cobra.Command {
	c := &cobra.Command{Use: "tune", Short: "Tune the numbers of the search"}
	c.AddCommand(
		spsaCommand(options),
		geneticCommand(options),
		matchCommand(options),
		showCommand(),
	)
	return c
}

// spsaCommand is the command spsa.
func spsaCommand(options func() engine.Options) *cobra.Command {
	s := &spsaSettings{}
	c := &cobra.Command{
		Use:   "spsa --out FILE [flags]",
		Short: "Climb from the defaults by games between opposite random changes",
		Long: `Climb from the defaults by games between opposite random changes (simultaneous perturbation
stochastic approximation). The last values are printed at the end, and their averages over the second half.
With more games than before, a finished run is extended.`,
		Args: cobra.NoArgs,
	}
	fs := c.Flags()
	common := addCommon(fs)
	common.addParams(fs)
	games := fs.Int("games", 20_000, "`games` to play in all; they come in pairs")
	fs.IntVar(&s.Batch, "batch", 16, "`pairs` between two changes of the values")
	fs.Float64Var(&s.R, "r", 0.002, "learning `rate` at the end")
	fs.Float64Var(&s.Alpha, "alpha", 0.602, "`exponent` by which the learning rate falls")
	fs.Float64Var(&s.Gamma, "gamma", 0.101, "`exponent` by which the perturbations fall")
	fs.Float64Var(&s.A, "A", 0.1, "`share` of the games by which the learning rate is delayed")
	c.RunE = func(c *cobra.Command, args []string) error {
		base := options()
		params, err := common.parseParams(base)
		if err != nil {
			return err
		}
		s.Pairs = (*games + 1) / 2
		return common.start(c, base, &settings{Method: "spsa", Params: params, SPSA: s}, s.Pairs)
	}
	return c
}

// maxGenerations bounds the generations of a run.
const maxGenerations = 1000

// geneticCommand is the command genetic.
func geneticCommand(options func() engine.Options) *cobra.Command {
	s := &geneticSettings{}
	c := &cobra.Command{
		Use:   "genetic --out FILE [flags]",
		Short: "Breed values by a genetic algorithm",
		Long: `Breed values by a genetic algorithm. The mean of the population and its best member are printed at the end.
With more generations than before, a run is extended.`,
		Args: cobra.NoArgs,
	}
	fs := c.Flags()
	common := addCommon(fs)
	common.addParams(fs)
	generations := fs.Int("generations", 40, "`generations` in all")
	fs.IntVar(&s.Population, "population", 256, "`members` of each generation")
	fs.IntVar(&s.Pairs, "pairs", 2, "`pairs` of games of each member in a generation")
	fs.IntVar(&s.Elites, "elites", 4, "best `members` that stay and are measured further")
	fs.IntVar(&s.Immigrants, "immigrants", 2, "`members` with random values in a generation")
	fs.IntVar(&s.Tournament, "tournament", 3, "`members` of which the best becomes a parent")
	fs.Float64Var(&s.Mutation, "mutation", 0.05, "`probability` that a child's value is changed")
	fs.Float64Var(&s.Sigma, "sigma", 2, "standard `deviation` of such a change, in steps")
	c.RunE = func(c *cobra.Command, args []string) error {
		base := options()
		params, err := common.parseParams(base)
		if err != nil {
			return err
		}
		if *generations < 1 || *generations > maxGenerations {
			return fmt.Errorf("generations must be 1 to %d, got %d", maxGenerations, *generations)
		}
		pairs := *generations * s.Population * s.Pairs
		return common.start(c, base, &settings{Method: "genetic", Params: params, Genetic: s}, pairs)
	}
	return c
}

// matchFlags are the flags of the command match.
type matchFlags struct {
	*common
	values, from  string
	average, sprt bool
	games         int
	test          config.SPRT
}

// matchCommand is the command match.
func matchCommand(options func() engine.Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "match --out FILE --values NAME=VALUE,…|--from LOG|--net FILE|--against FILE|--search SEARCH [flags]",
		Short: "Play tuned values or a network against those in use",
		Long: `Play tuned values against the defaults, or one evaluator or search against another, to confirm that they are better.
With more games than before, a match is extended.`,
		Args: cobra.NoArgs,
	}
	fs := c.Flags()
	f := matchFlags{common: addCommon(fs)}
	fs.StringVar(&f.values, "values", "", "`list` of values, comma-separated NAME=VALUE; others keep their defaults")
	fs.StringVar(&f.from, "from", "", "`log` with the values to play")
	fs.StringVar(&f.net, "net", "", "`file` of a network to play with, or tables for none (default what is in use)")
	fs.StringVar(&f.against, "against", "", "`file` of a network to play against, or tables for none (default what is in use)")
	fs.Int64Var(&f.againstNodes, "against-nodes", 0, "`nodes` of the other side per move (default as many)")
	fs.StringVar(&f.search, "search", "", "`search` to play with: "+engine.SearchNames+" (default alphabeta)")
	fs.StringVar(&f.againstSearch, "against-search", "", "`search` to play against (default alphabeta)")
	fs.BoolVar(&f.average, "average", false, "play the averages of the second half of an spsa log, not the last values")
	fs.IntVar(&f.games, "games", 2000, "`games` to play in all; they come in pairs")
	fs.BoolVar(&f.sprt, "sprt", false, "stop when a sequential test is decided")
	dflt := config.DefaultSPRT()
	fs.Float64Var(&f.test.Elo0, "elo0", dflt.Elo0, "`difference` by H0")
	fs.Float64Var(&f.test.Elo1, "elo1", dflt.Elo1, "`difference` by H1")
	fs.Float64Var(&f.test.Alpha, "alpha", dflt.Alpha, "`probability` of accepting H1 although H0 holds")
	fs.Float64Var(&f.test.Beta, "beta", dflt.Beta, "`probability` of accepting H0 although H1 holds")
	fs.StringVar((*string)(&f.test.Model), "model", string(dflt.Model), "`unit` of the differences: normalized or logistic (Elo)")
	c.RunE = func(c *cobra.Command, args []string) error {
		base := options()
		s, err := f.settings(base)
		if err != nil {
			return err
		}
		return f.start(c, base, s, (f.games+1)/2)
	}
	return c
}

// settings returns the settings from the flags.
func (f *matchFlags) settings(base engine.Options) (s *settings, err error) {
	s = &settings{Method: "match", Match: &matchSettings{}}
	switch {
	case f.values != "" && f.from != "":
		return nil, errors.New("give either --values or --from")
	case f.values == "" && f.from == "" && f.net == "" && f.against == "" && f.againstNodes == 0 && f.search == "" && f.againstSearch == "":
		return nil, errors.New("give either --values or --from, or evaluators by --net or --against, or searches by --search")
	case f.average && f.from == "":
		return nil, errors.New("--average needs --from")
	case f.values != "":
		var known []engine.Param
		if known, err = f.known(base); err == nil {
			s.Params, s.Match.Values, err = parseValues(f.values, known)
		}
	case f.from == "": // each side has the defaults of its own
	default:
		s.Params, s.Match.Values, err = loadValues(f.from, f.average)
	}
	if err != nil {
		return nil, err
	}
	if f.sprt {
		s.Match.SPRT = &f.test
	}
	if f.againstNodes < 0 {
		return nil, fmt.Errorf("against-nodes must be at least 0, got %d", f.againstNodes)
	}
	if f.games < 1 || f.games > maxPairs {
		return nil, fmt.Errorf("games must be 1 to %d, got %d", maxPairs, f.games)
	}
	return s, nil
}

// loadValues returns the result of a log, or its averages.
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
	_, err = engine.NewTuning(byName(s.Params, values)) // the table may have changed since then
	return s.Params, values, err
}

// showCommand is the command show.
func showCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show LOG",
		Short: "Show the result of a log",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s, m, err := readLog(args[0])
			if err != nil {
				return err
			}
			w := c.OutOrStdout()
			fmt.Fprintf(w, "%s, %s, %dx%d, %d nodes per move, seed %d, %d games\n", s.Method, s.Rule, s.Width, s.Height, s.Nodes, s.Seed, 2*m.done())
			return m.writeResult(w)
		},
	}
}
