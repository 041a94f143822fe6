package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// normalize gives long flags with one dash, such as -nodes 500 or -depth=3, two.
// It changes only long flags of the command that args name, but not the values of
// flags, anything after --, or the arguments of commands that parse their own.
func normalize(root *cobra.Command, args []string) []string {
	args = append([]string{}, args...) // not nil, for which cobra would take those of the process
	c, i := root, 0
	for ; i < len(args); i++ {
		next := child(c, args[i])
		if next == nil {
			break
		}
		c = next
	}
	if c.DisableFlagParsing && !c.HasSubCommands() {
		return args
	}
	for ; i < len(args) && args[i] != "--"; i++ {
		word, dashed := strings.CutPrefix(args[i], "-")
		if !dashed || word == "" {
			if takesCommand(c) {
				break
			}
			continue
		}
		long, double := strings.CutPrefix(word, "-")
		name, _, assigned := strings.Cut(long, "=")
		f := c.Flags().Lookup(name)
		if short := !double && len(name) == 1; short && c.Flags().ShorthandLookup(name) != nil {
			f = c.Flags().ShorthandLookup(name)
		} else if f != nil && !double {
			args[i] = "-" + args[i]
		}
		if f != nil && f.NoOptDefVal == "" && !assigned {
			i++ // its value
		}
	}
	return args
}
