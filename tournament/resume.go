package tournament

import (
	"github.com/spf13/cobra"

	"kumiko/tournament/config"
	"kumiko/tournament/play"
)

// resumeCommand is the command resume, which plays the rest of a tournament.
func resumeCommand() *cobra.Command {
	var l config.Loader
	var o output
	c := &cobra.Command{
		Use:   "resume FOLDER [flags]",
		Short: "Continue a tournament that was interrupted or killed",
		Args:  cobra.ExactArgs(1),
	}
	accepted := c.Flags().StringArray("accept-changed", nil, "go on although this `engine` or setting has changed (repeatable)")
	l.AddFlags(c.Flags())
	o.addFlags(c.Flags())
	c.RunE = func(c *cobra.Command, dirs []string) error {
		if err := checkOutput(o.JSONEvents, play.EventsFile, dirs[0]); err != nil {
			return err
		}
		t, err := play.Resume(dirs[0], func(old *config.Config) (config.Config, error) {
			l.Base = old
			return l.Config()
		}, *accepted)
		if err != nil {
			return err
		}
		o.showIn(c)
		return o.play(c.Context(), t, dirs[0])
	}
	return c
}
