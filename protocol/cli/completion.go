package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Completion returns the command completion, which prints a shell completion
// script.
func Completion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a completion script for a shell",
		Long: `Print a script that makes a shell complete commands and flags. The program must be in the PATH.
A shell loads it, for example from its start-up file, by one of
  source <(pbrain-kumiko completion bash)
  source <(pbrain-kumiko completion zsh)
  pbrain-kumiko completion fish | source
  pbrain-kumiko completion powershell | Out-String | Invoke-Expression`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(c *cobra.Command, args []string) error {
			root, w := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			case "fish":
				return root.GenFishCompletion(w, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(w)
			}
			return fmt.Errorf("unknown shell %q, want bash, zsh, fish or powershell", args[0])
		},
	}
}
