package selfplay

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn/replay"
)

// options are what the command line asks for.
type options struct {
	settings    replay.Settings
	out         string
	games       int
	concurrency int
	tables      *pattern.Tables // nil for those made by hand
}

// flags are those of the command that become settings.
type flags struct {
	rule, size, tables         string
	nodes, noisePlies, balance int
	noise, sideLines, tree     float64
}

// Command is the command selfplay: it records games that the engine plays
// against itself.
func Command() *cobra.Command {
	c := &cobra.Command{
		Use:   "selfplay --out FILE [flags]",
		Short: "Play games to learn from, and record them",
		Args:  cobra.NoArgs,
	}
	var o options
	f := o.addFlags(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := o.set(f); err != nil {
			return err
		}
		file, done, err := open(o.out, o.settings)
		if err != nil {
			return err
		}
		err = o.run(c.Context(), file, done, c.OutOrStdout())
		return errors.Join(err, file.Close())
	}
	return c
}

// addFlags adds those of the command to fs.
func (o *options) addFlags(fs *pflag.FlagSet) *flags {
	var f flags
	fs.StringVar(&o.out, "out", "", "record to write, or to continue if it exists: a `file`")
	fs.IntVar(&o.games, "games", 1000, "`games` in the record at the end")
	fs.IntVar(&o.concurrency, "concurrency", 1, "`games` played at the same time")
	fs.StringVar(&f.rule, "rule", "freestyle", "`rule` of the game: "+board.RuleNames)
	fs.StringVar(&f.size, "size", "15", "`size` of the board, such as 15 or 20x15")
	fs.IntVar(&f.nodes, "nodes", 1500, "`nodes` to search per move")
	fs.Float64Var(&f.noise, "noise", 0.08, "`chance` of a random good move")
	fs.IntVar(&f.noisePlies, "noise-plies", 12, "`plies` after the opening in which such moves happen")
	fs.Float64Var(&f.sideLines, "asides", 0.5, "mean `number` of other moves tried before a move and recorded with the replies, up to 20")
	fs.Float64Var(&f.tree, "tree", 4, "mean `number` of positions of a move's search tree that are recorded with the replies, up to 20")
	fs.IntVar(&f.balance, "balance", 200, "`bound` on the score of openings, for either side")
	fs.StringVar(&f.tables, "tables", "", "`file` of pattern tables, of any rule, to play with (default those made by hand)")
	fs.Uint64Var(&o.settings.Seed, "seed", 1, "`seed` of all that is random")
	return &f
}

// set checks the command line and makes settings of it.
func (o *options) set(f *flags) error {
	r, err := board.ParseRule(f.rule)
	if err != nil {
		return err
	}
	width, height, err := board.ParseSize(f.size)
	switch {
	case err != nil:
		return err
	case o.out == "":
		return errors.New("name the record to write with --out")
	case f.nodes < 1 || f.nodes > math.MaxInt32:
		return fmt.Errorf("nodes must be 1 to %d, got %d", math.MaxInt32, f.nodes)
	case !(f.noise >= 0 && f.noise <= 1):
		return fmt.Errorf("noise must be 0 to 1, got %v", f.noise)
	case !(f.sideLines >= 0 && f.sideLines <= 20):
		return fmt.Errorf("asides must be 0 to 20, got %v", f.sideLines)
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
	o.settings.Asides = uint16(math.Round(f.sideLines * 1000))
	o.settings.Tree = uint16(math.Round(f.tree * 1000))
	o.settings.Balance = uint16(f.balance)
	return o.readTables(f.tables)
}

// readTables reads the pattern tables, if a file of them is named.
func (o *options) readTables(name string) error {
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	o.tables, err = pattern.Read(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	o.tables.Rule = o.settings.Rule
	o.settings.Tables = crc32.ChecksumIEEE(data)
	return nil
}
