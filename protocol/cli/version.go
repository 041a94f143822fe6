package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kumiko/protocol"
)

// Version returns the command version.
func Version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), VersionText())
			return err
		},
	}
}

// VersionText returns what a bug report should include: the version, the commit
// if the build recorded it, the compiler and the platform.
func VersionText() string {
	line := "kumiko " + protocol.Version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				line += " " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				line += " modified"
			}
		}
		line += " " + info.GoVersion
	}
	return fmt.Sprintf("%s %s/%s", line, runtime.GOOS, runtime.GOARCH)
}
