package tournament

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"kumiko/tournament/check"
	"kumiko/tournament/config"
	"kumiko/tournament/process"
	"kumiko/tournament/watch"
)

// checkCommand is the command check: it tests an engine's protocol.
func checkCommand(ctx context.Context, args []string, stdout io.Writer) error {
	var o check.Options
	fs := newFlags("check", "[flags] -- ENGINE [ARGUMENT…]")
	fs.BoolVar(&o.Slow, "slow", false, "also what takes minutes")
	fs.StringSliceVar(&o.Only, "only", nil, "only these vectors, such as h1,m, by their names or the letters of their groups")
	rules := fs.StringSlice("rules", []string{"freestyle"}, "rules that the engine is said to know")
	fs.DurationVar(&o.Slack, "slack", 0, "more time for everything, on slow machines")
	fs.SetInterspersed(false) // the engine's own flags are not ours
	command, err := parse(fs, args, stdout, 1, 1<<20)
	if err != nil {
		return err
	}
	if o.Slack < 0 {
		return fmt.Errorf("--slack %v is negative", o.Slack)
	}
	for _, name := range *rules {
		var r config.Rule
		if err := r.UnmarshalText([]byte(name)); err != nil {
			return err
		}
		o.Rules = append(o.Rules, r.Code())
	}
	var results []check.Result
	summary, err := check.Run(ctx, process.Spec{Args: command}, o, func(r check.Result) { results = append(results, r) })
	if err != nil {
		return err
	}
	if err := check.WriteText(stdout, results...); err != nil {
		return err
	}
	if summary.Fail > 0 {
		return fmt.Errorf("%s fails %d of %d vectors", strings.Join(command, " "), summary.Fail, len(results))
	}
	return nil
}

// watchCommand is the command watch: it shows a tournament that another
// process plays.
func watchCommand(ctx context.Context, args []string, stdout io.Writer) error {
	fs := newFlags("watch", "FOLDER")
	dirs, err := parse(fs, args, stdout, 1, 1)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dirs[0]); err != nil {
		return err
	}
	in, err := os.Open(terminalInput)
	if err != nil {
		return errors.New("watch needs a terminal; status tells the same once")
	}
	defer in.Close()
	return watch.Run(ctx, dirs[0], in, stdout)
}
