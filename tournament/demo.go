package tournament

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/tournament/config"
)

// demoNodes are the node limits of the engines in the demo.
var demoNodes = []int{200, 800, 3200}

// Demo is the command demo: a short tournament of this program against itself
// with different node limits. The flags of run override its settings.
func Demo() *cobra.Command {
	var l config.Loader
	var o output
	c := &cobra.Command{
		Use:   "demo [FILE.toml] [flags]",
		Short: "Play a short tournament of this program",
		Long: `Play a short tournament of this program with different node limits.
The flags are those of tournament run and override the settings of the demo.`,
		Args: cobra.MaximumNArgs(1),
	}
	dir := c.Flags().String("out", "", "`folder` of the tournament, which must be new or empty (default a temporary one)")
	l.AddFlags(c.Flags())
	o.addFlags(c.Flags())
	c.RunE = func(c *cobra.Command, files []string) error {
		var err error
		if l.Base, err = demoConfig(); err != nil {
			return err
		}
		if *dir == "" {
			temp, err := os.MkdirTemp("", "kumiko-demo-")
			if err != nil {
				return err
			}
			*dir = filepath.Join(temp, "games")
		}
		cfg, err := loadConfig(&l, files)
		if err != nil {
			return err
		}
		o.showIn(c)
		return begin(c.Context(), cfg, *dir, &o)
	}
	return c
}

// demoConfig returns the settings of the demo.
func demoConfig() (*config.Config, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"--rounds=10", "--concurrency=2", "--seed=1", "--rating-interval=15"}
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
	return &cfg, err
}
