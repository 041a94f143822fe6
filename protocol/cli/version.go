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
// that the build recorded, the compiler and the platform.
func VersionText() string {
	commit, modified := "unknown commit", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = " modified"
			}
		}
	}
	return fmt.Sprintf("kumiko %s %s%s %s %s/%s", protocol.Version, commit, modified, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
