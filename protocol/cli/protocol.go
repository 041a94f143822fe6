package cli

import (
	"github.com/spf13/cobra"

	"kumiko/engine"
)

// Protocol returns the command protocol, which speaks the protocol as the program does
// without arguments, by play, but with options.
func Protocol(options func() engine.Options, play func(engine.Options) error) *cobra.Command {
	c := &cobra.Command{
		Use:   "protocol [flags]",
		Short: "Speak the protocol, with another network or search",
		Args:  cobra.NoArgs,
	}
	nets := c.Flags().StringArray("net", nil, "`file` of a network to play with under the rule that it is for, of either kind; repeatable")
	search := c.Flags().String("search", engine.AlphaBeta.String(), "`search` until INFO names another: "+engine.SearchNames)
	c.RunE = func(c *cobra.Command, args []string) error {
		o := options()
		var err error
		if o.Search, err = engine.ParseSearch(*search); err != nil {
			return err
		}
		for _, name := range *nets {
			if _, err := o.LoadNet(name); err != nil {
				return err
			}
		}
		return play(o)
	}
	return c
}
