package tune

import (
	"bytes"
	"errors"
	"fmt"
	"io"

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
	evaluator                         string

	// Of a match: the evaluators of both sides, "" for the one in use, and the
	// nodes of the other side, 0 for the same.
	net, against string
	againstNodes int64
	// How they search.
	search, againstSearch string
}

// addCommon adds the flags that all methods share.
func addCommon(fs *pflag.FlagSet) *common {
	c := &common{}
	fs.StringVar(&c.out, "out", "", "log to write, or to continue if it exists: a `file` of JSON lines")
	fs.StringVar(&c.rule, "rule", "freestyle", "`rule` of the game: "+board.RuleNames)
	fs.StringVar(&c.size, "size", "15", "`size` of the board, such as 15 or 20x15")
	fs.StringVar(&c.openings, "openings", "", "`file` of openings: offset, .pos or .psq (default random balanced ones)")
	fs.Int64Var(&c.nodes, "nodes", 5000, "`nodes` to search per move")
	fs.StringVar(&c.evaluator, "evaluator", engine.ByNet.String(), "`evaluator` in use: "+engine.EvaluationNames)
	fs.Uint64Var(&c.seed, "seed", 1, "random `seed`")
	fs.IntVar(&c.concurrency, "concurrency", 2, "`games` played at the same time")
	return c
}

// addParams adds the flag for the parameters to tune.
func (c *common) addParams(fs *pflag.FlagSet) {
	fs.StringVar(&c.params, "params", "", "`list` of parameters, comma-separated NAME, NAME=MIN:MAX or NAME=MIN:MAX:STEP (default all)")
}

// known returns the parameters with the defaults for the evaluator in use.
func (c *common) known(base engine.Options) ([]engine.Param, error) {
	rule, err := board.ParseRule(c.rule)
	if err != nil {
		return nil, err
	}
	e, err := engine.ParseEvaluation(c.evaluator)
	if err != nil {
		return nil, err
	}
	if base.NetOf(rule) == nil {
		e = engine.ByTables
	}
	return engine.Params(e), nil
}

// parseParams parses the parameters to tune.
func (c *common) parseParams(base engine.Options) ([]param, error) {
	known, err := c.known(base)
	if err != nil {
		return nil, err
	}
	return parseParams(c.params, known)
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
	known, err := c.known(base)
	if err != nil {
		return nil, err
	}
	s.Version, s.Table = version, tableHash(known)
	s.Rule, s.Width, s.Height = setup.Rule.String(), setup.Width, setup.Height
	s.Nodes, s.Seed = c.nodes, c.seed
	if t := base.Patterns[setup.Rule.Rule]; t != nil {
		s.Patterns = hash(t.Bytes())
	}
	players, err := c.sides(base, s, setup.Rule.Rule)
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, err
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
		a = append(a, newPlayer(b, players, s.Params, book).game)
	}
	return a, nil
}

// sides completes settings with the evaluators in use and returns both sides of the
// games.
func (c *common) sides(base engine.Options, s *settings, rule board.Rule) (*sides, error) {
	var err error
	if base.Evaluation, err = engine.ParseEvaluation(c.evaluator); err != nil {
		return nil, err
	}
	if n := base.NetOf(rule); n != nil && base.Evaluation == engine.ByNet {
		s.Net = hash(bytesOf(n))
	}
	two := &sides{base: base, options: [2]engine.Options{base, base}, nodes: [2]int64{s.Nodes, s.Nodes}, alike: true}
	if s.Match == nil {
		return two, nil
	}
	for i, side := range []struct {
		name string
		hash *string
	}{{c.net, &s.Match.Net}, {c.against, &s.Match.Against}} {
		if side.name == "" {
			continue
		}
		if *side.hash, err = setEvaluator(&two.options[i], side.name, rule); err != nil {
			return nil, err
		}
	}
	if c.againstNodes > 0 {
		s.Match.AgainstNodes = c.againstNodes
		two.nodes[1] = c.againstNodes
	}
	for i, side := range []struct {
		name string
		kept *string
	}{{c.search, &s.Match.Search}, {c.againstSearch, &s.Match.AgainstSearch}} {
		if side.name == "" {
			continue
		}
		if two.options[i].Search, err = engine.ParseSearch(side.name); err != nil {
			return nil, err
		}
		if two.options[i].Search != engine.AlphaBeta {
			*side.kept = side.name
		}
	}
	two.alike = !s.Match.engines() || s.Match.Net == s.Match.Against && s.Match.Search == s.Match.AgainstSearch && two.nodes[0] == two.nodes[1]
	return two, nil
}

// setEvaluator makes an engine evaluate by the tables or by the network of a file, of
// either kind, and returns what the log calls it.
func setEvaluator(o *engine.Options, name string, rule board.Rule) (string, error) {
	if name == engine.ByTables.String() {
		o.Evaluation = engine.ByTables
		return name, nil
	}
	found, err := o.LoadNet(name)
	switch {
	case err != nil:
		return "", err
	case found != rule:
		return "", fmt.Errorf("%s: a network for %v, want one for %v", name, found, rule)
	case o.Residuals[rule] != nil:
		return hash(bytesOf(o.Residuals[rule])), nil
	}
	return hash(bytesOf(o.Nets[rule])), nil
}

// bytesOf returns the file of a network.
func bytesOf(n interface{ Write(io.Writer) error }) []byte {
	var data bytes.Buffer
	if err := n.Write(&data); err != nil {
		panic(err) // it has been read
	}
	return data.Bytes()
}
