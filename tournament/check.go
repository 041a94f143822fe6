package tournament

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/tournament/check"
	"kumiko/tournament/config"
	"kumiko/tournament/process"
)

// checkCommand is the command check, which tests an engine's protocol.
func checkCommand() *cobra.Command {
	var o check.Options
	c := &cobra.Command{
		Use:   "check [flags] -- ENGINE [ARGUMENT…]",
		Short: "Test whether an engine keeps to the protocol",
		Args:  cobra.MinimumNArgs(1),
	}
	fs := c.Flags()
	fs.BoolVar(&o.Slow, "slow", false, "also run the vectors that take minutes")
	fs.StringSliceVar(&o.Only, "only", nil, "run only these `vectors`, such as h1,m: names or letters of groups")
	rules := fs.StringSlice("rules", []string{"freestyle"}, "`rules` that the engine supports")
	fs.DurationVar(&o.Start, "start", check.DefaultStart, "`time` to start up, as in tournaments")
	fs.DurationVar(&o.Slack, "slack", 0, "extra `time` for everything on slow machines")
	c.RunE = func(c *cobra.Command, command []string) error {
		if o.Slack < 0 {
			return fmt.Errorf("slack must be at least 0, got %v", o.Slack)
		}
		if o.Start <= 0 {
			return fmt.Errorf("start must be more than 0, got %v", o.Start)
		}
		for _, name := range *rules {
			var r config.Rule
			if err := r.UnmarshalText([]byte(name)); err != nil {
				return err
			}
			o.Rules = append(o.Rules, r.Code())
		}
		var results []check.Result
		summary, err := check.Run(c.Context(), process.Spec{Args: command}, o, func(r check.Result) { results = append(results, r) })
		if err != nil {
			return err
		}
		if err := check.WriteText(c.OutOrStdout(), results...); err != nil {
			return err
		}
		if summary.Fail > 0 {
			return fmt.Errorf("%s fails %d of %d vectors", strings.Join(command, " "), summary.Fail, len(results))
		}
		return nil
	}
	return c
}
