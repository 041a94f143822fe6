package tournament

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"kumiko/tournament/watch"
)

// watchCommand is the command watch, which shows a tournament that another
// process plays.
func watchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "watch FOLDER",
		Short: "Watch a tournament that is being played",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, dirs []string) error {
			if _, err := os.Stat(dirs[0]); err != nil {
				return err
			}
			in, err := os.Open(terminalInput)
			if err != nil {
				return errors.New("watch needs a terminal; use status instead")
			}
			defer in.Close()
			return watch.Run(c.Context(), dirs[0], in, c.OutOrStdout())
		},
	}
}
