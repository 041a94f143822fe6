package tournament

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/tournament/config"
)

// demoBook is a book of balanced openings.
//
//go:embed demo.pos
var demoBook []byte

// demoNodes are the limits of the engines that the demo lets play.
var demoNodes = []int{200, 800, 3200}

// Demo is the command demo: a short tournament of this program against itself,
// with different limits of nodes. The flags of run override its settings.
func Demo() *cobra.Command {
	var l config.Loader
	var o output
	c := &cobra.Command{
		Use:   "demo [FILE.toml] [flags]",
		Short: "Play a short tournament of this program",
		Long: `Play a short tournament of this program with different limits of nodes.
The flags are those of tournament run and override the settings of the demo.`,
		Args: cobra.MaximumNArgs(1),
	}
	dir := c.Flags().String("out", "", "`folder` of the tournament, which must be new or empty (default a temporary one)")
	l.AddFlags(c.Flags())
	o.addFlags(c.Flags())
	c.RunE = func(c *cobra.Command, files []string) error {
		temp, err := os.MkdirTemp("", "kumiko-demo-")
		if err != nil {
			return err
		}
		if *dir == "" {
			*dir = filepath.Join(temp, "games")
		}
		if l.Base, err = demoConfig(temp); err != nil {
			return err
		}
		cfg, err := loadConfig(&l, files)
		if err != nil {
			return err
		}
		o.Out = c.OutOrStdout()
		return begin(c.Context(), cfg, *dir, &o)
	}
	return c
}

// demoConfig returns the settings of the demo. The book goes into a folder.
func demoConfig(dir string) (*config.Config, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	book := filepath.Join(dir, "openings.pos")
	if err := os.WriteFile(book, demoBook, 0o666); err != nil {
		return nil, err
	}
	args := []string{"--rounds=10", "--concurrency=2", "--seed=1", "--rating-interval=15", "--openings", "file=" + quoteWord(book)}
	for _, n := range demoNodes {
		args = append(args, "--engine", fmt.Sprintf("name=kumiko-%d cmd=%s nodes=%d tc=0/5 memory=32M", n, quoteWord(quoteWord(self)), n))
	}
	var l config.Loader
	fs := pflag.NewFlagSet("demo", pflag.ContinueOnError)
	l.AddFlags(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	cfg, err := l.Config()
	cfg.Openings.Type = "" // that of the file, which flags may exchange
	return &cfg, err
}
