package selfplay

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
	"kumiko/nn/replay"
)

// options are the options of the command line.
type options struct {
	settings    replay.Settings
	out         string
	games       int
	concurrency int
	tables      *pattern.Tables
	net         *nn.Net // nil if the tables evaluate
}

// flags are the flags of the command that become settings.
type flags struct {
	rule, size, tables, evaluator, net string
	nodes, noisePlies, balance         int
	noise, sideMoves, tree             float64
}

// Command is the command selfplay, which records games of the engine against
// itself, by default with the tables of these options.
func Command(base func() engine.Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "selfplay --out FILE [flags]",
		Short: "Record training games",
		Long: `Record training games. An interrupted record, or one with fewer games than --games, is continued
when the same command is given again.`,
		Args: cobra.NoArgs,
	}
	var o options
	f := o.addFlags(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := o.set(f, base()); err != nil {
			return err
		}
		return o.run(c.Context(), c.OutOrStdout())
	}
	return c
}

// addFlags adds the flags of the command to fs.
func (o *options) addFlags(fs *pflag.FlagSet) *flags {
	var f flags
	fs.StringVar(&o.out, "out", "", "record to write, or to continue if it exists: a `file`")
	fs.IntVar(&o.games, "games", 1000, "`games` in the record at the end")
	fs.IntVar(&o.concurrency, "concurrency", 1, "`games` played at the same time")
	fs.StringVar(&f.rule, "rule", "freestyle", "`rule` of the game: "+board.RuleNames)
	fs.StringVar(&f.size, "size", "15", "`size` of the board, such as 15 or 20x15")
	fs.IntVar(&f.nodes, "nodes", 1500, "`nodes` to search per move")
	fs.Float64Var(&f.noise, "noise", 0.08, "`probability` of a random good move")
	fs.IntVar(&f.noisePlies, "noise-plies", 12, "`plies` after the opening in which such moves happen")
	fs.Float64Var(&f.sideMoves, "side-moves", 0.5, "mean `number` of other moves tried before a move and recorded with the replies, up to 20")
	fs.Float64Var(&f.tree, "tree", 4, "mean `number` of positions of a move's search tree that are recorded with the replies, up to 20")
	fs.IntVar(&f.balance, "balance", 200, "`bound` on the score of openings, for either side")
	fs.StringVar(&f.tables, "tables", "", "`file` of pattern tables to play with, or hand for those made by hand (default those of this program)")
	fs.StringVar(&f.evaluator, "evaluator", engine.ByNet.String(), "`evaluator` to play with: "+engine.EvaluationNames)
	fs.StringVar(&f.net, "net", "", "`file` of a network to play with (default that of this program, if there is one for the rule)")
	fs.Uint64Var(&o.settings.Seed, "seed", 1, "random `seed`")
	return &f
}

// set checks the command line and makes the settings.
func (o *options) set(f *flags, base engine.Options) error {
	r, err := board.ParseRule(f.rule)
	if err != nil {
		return err
	}
	width, height, err := board.ParseSize(f.size)
	switch {
	case err != nil:
		return err
	case o.out == "":
		return errors.New("missing --out, the record to write")
	case f.nodes < 1 || f.nodes > math.MaxInt32:
		return fmt.Errorf("nodes must be 1 to %d, got %d", math.MaxInt32, f.nodes)
	case !(f.noise >= 0 && f.noise <= 1):
		return fmt.Errorf("noise must be 0 to 1, got %v", f.noise)
	case !(f.sideMoves >= 0 && f.sideMoves <= 20):
		return fmt.Errorf("side-moves must be 0 to 20, got %v", f.sideMoves)
	case !(f.tree >= 0 && f.tree <= 20):
		return fmt.Errorf("tree must be 0 to 20, got %v", f.tree)
	case f.noisePlies < 0 || f.noisePlies > math.MaxUint16:
		return fmt.Errorf("noise-plies must be 0 to %d, got %d", math.MaxUint16, f.noisePlies)
	case f.balance < 0 || f.balance > math.MaxUint16:
		return fmt.Errorf("balance must be 0 to %d, got %d", math.MaxUint16, f.balance)
	case o.games < 0:
		return fmt.Errorf("games must be at least 0, got %d", o.games)
	case o.concurrency < 1:
		return fmt.Errorf("concurrency must be at least 1, got %d", o.concurrency)
	}
	o.settings.Rule = r
	o.settings.Width, o.settings.Height = uint8(width), uint8(height)
	o.settings.Nodes = uint32(f.nodes)
	o.settings.Noise = uint16(math.Round(f.noise * 1000))
	o.settings.NoisePlies = uint16(f.noisePlies)
	o.settings.SideMoves = uint16(math.Round(f.sideMoves * 1000))
	o.settings.TreeLines = uint16(math.Round(f.tree * 1000))
	o.settings.Balance = uint16(f.balance)
	if err := o.setTables(f.tables, base); err != nil {
		return err
	}
	return o.setNet(f, base)
}

// setNet chooses the network, if one is to evaluate.
func (o *options) setNet(f *flags, base engine.Options) (err error) {
	evaluation, err := engine.ParseEvaluation(f.evaluator)
	switch {
	case err != nil:
		return err
	case evaluation == engine.ByTables && f.net != "":
		return errors.New("--net needs --evaluator net")
	case evaluation == engine.ByTables:
		return nil
	}
	o.net = base.NetOf(o.settings.Rule)
	if f.net != "" {
		if o.net, err = engine.ReadNetFile(f.net, o.settings.Rule); err != nil {
			return err
		}
	}
	if o.net != nil {
		o.settings.Net, err = o.net.Checksum()
	}
	return err
}

// setTables chooses the pattern tables: those of a file, if named.
func (o *options) setTables(name string, base engine.Options) error {
	rule := o.settings.Rule
	o.tables = base.Patterns[rule]
	if name != "" && name != "hand" {
		var err error
		if o.tables, err = pattern.ReadFile(name, rule); err != nil {
			return err
		}
	}
	if name == "hand" || o.tables == nil {
		o.tables = pattern.Hand(rule)
	} else {
		o.settings.Tables = crc32.ChecksumIEEE(o.tables.Bytes())
	}
	return nil
}
