package tournament

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/tournament/config"
	"kumiko/tournament/outfile"
	"kumiko/tournament/play"
)

// Exit codes of run and resume; see also package cli.
const (
	exitInterrupted  = 2
	exitDisqualified = 3
	exitInternal     = 4
	exitH1           = 10
	exitH0           = 11
	exitUndecided    = 12
)

// An exitError is an error with its exit code.
type exitError struct {
	error
	code int
}

// ExitCode returns the exit code of the process.
func (e *exitError) ExitCode() int { return e.code }

func (e *exitError) Unwrap() error { return e.error }

// output is what run and resume show, and how.
type output struct {
	play.View
	exitVerdict bool
}

func (o *output) addFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.Plain, "plain", false, "print no status line, even on a terminal")
	fs.StringVar(&o.JSONEvents, "json-events", "", "also write the events of the log to this `file`, as lines of JSON; - is standard output, with nothing else on it")
	fs.BoolVar(&o.exitVerdict, "exit-verdict", false, "exit with 10 for H1, 11 for H0, 12 if undecided")
}

// showIn lets a command show its tournament.
func (o *output) showIn(c *cobra.Command) {
	o.Out, o.Err, o.Program = c.OutOrStdout(), c.ErrOrStderr(), c.Root().Version
}

// runCommand is the command run, which begins and plays a tournament.
func runCommand() *cobra.Command {
	var l config.Loader
	var o output
	c := &cobra.Command{
		Use:     "run [FILE.toml] [flags]",
		Short:   "Play a tournament",
		Long:    "Play a tournament. The settings come from flags, a TOML file, or both; flags override the file.",
		Example: config.EngineHelp(),
		Args:    cobra.MaximumNArgs(1),
	}
	dir := c.Flags().String("out", "", "`folder` of the tournament, which must be new or empty (default one named after the time)")
	l.AddFlags(c.Flags())
	o.addFlags(c.Flags())
	c.RunE = func(c *cobra.Command, files []string) error {
		cfg, err := loadConfig(&l, files)
		if err != nil {
			return err
		}
		if *dir == "" {
			*dir = newFolder()
		}
		o.showIn(c)
		return begin(c.Context(), cfg, *dir, &o)
	}
	return c
}

// newFolder returns a name for a tournament's folder, which does not exist.
func newFolder() string {
	first := "tournament-" + time.Now().Format("20060102-150405")
	name := first
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("%s-%d", first, n)
	}
}

// loadConfig returns the settings from flags and a file, if any.
func loadConfig(l *config.Loader, files []string) (config.Config, error) {
	if len(files) > 0 {
		text, err := outfile.ReadUpTo(files[0], 1<<20)
		if err != nil {
			return config.Config{}, err
		}
		if err := l.ReadFile(files[0], text); err != nil {
			return config.Config{}, err
		}
	}
	return l.Config()
}

// begin plays a new tournament.
func begin(ctx context.Context, cfg config.Config, dir string, o *output) error {
	if err := checkOutput(o.JSONEvents, play.EventsFile, dir); err != nil {
		return err
	}
	t, err := play.Begin(ctx, cfg, dir)
	if err != nil {
		return err
	}
	return o.play(ctx, t, dir)
}

// play plays a tournament. The error carries the exit code.
func (o *output) play(ctx context.Context, t *play.Tournament, dir string) error {
	err := t.Play(ctx, o.View)
	switch {
	case errors.Is(err, play.ErrInterrupted):
		return &exitError{fmt.Errorf("interrupted; continue with: tournament resume %s", dir), exitInterrupted}
	case errors.Is(err, play.ErrDisqualified):
		return &exitError{err, exitDisqualified}
	case err != nil:
		return &exitError{err, exitInternal}
	case !o.exitVerdict:
		return nil
	}
	code, text := exitUndecided, "undecided"
	if accepted := t.Accepted(); accepted != "" {
		text = accepted
		code = map[string]int{"H1": exitH1, "H0": exitH0}[accepted]
	}
	return &exitError{errors.New(text), code}
}
