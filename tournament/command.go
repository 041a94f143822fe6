package tournament

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/spf13/pflag"
)

// A command is a subcommand of tournament.
type command struct {
	name, help string
	run        func(ctx context.Context, args []string, stdout io.Writer) error
}

func commands() []command {
	return []command{
		{"run", "play a tournament", runCommand},
		{"resume", "go on with one that was interrupted or killed", resumeCommand},
		{"status", "tell how one stands", statusCommand},
		{"watch", "look on at one that is being played", watchCommand},
		{"report", "tell all about one, as text, HTML, JSON or CSV", reportCommand},
		{"replay", "show a game, or what was said in it", replayCommand},
		{"export", "write its games as psq, SGF, PGN or CSV", exportCommand},
		{"rate", "rate the engines of several tournaments together", rateCommand},
		{"sprt", "compute or plan a sequential test", sprtCommand},
		{"openings", "check and convert a book of openings", openingsCommand},
		{"check", "test whether an engine keeps to the protocol", checkCommand},
		{"selfcheck", "measure what a tournament adds to the time of a move", selfcheckCommand},
		{"compat", "run with the arguments of c-gomoku-cli", compatCommand},
	}
}

// Command is the subcommand tournament: it lets engines play each other and
// tells what their results mean.
func Command(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == args[0] {
				return c.run(ctx, args[1:], stdout)
			}
		}
	}
	if len(args) > 1 && args[0] == "help" {
		return Command(ctx, []string{args[1], "-h"}, stdout)
	}
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" || args[0] == "help" {
		fmt.Fprintln(stdout, "usage: tournament command [arguments]; each explains itself with -h")
		for _, c := range commands() {
			fmt.Fprintf(stdout, "  %-9s  %s\n", c.name, c.help)
		}
		return flag.ErrHelp
	}
	return fmt.Errorf("unknown command %q (tournament help lists them)", args[0])
}

// newFlags returns the flags of a command.
func newFlags(name, usage string) *pflag.FlagSet {
	fs := pflag.NewFlagSet(name, pflag.ContinueOnError)
	fs.SortFlags = false
	fs.SetOutput(io.Discard) // errors are the caller's to show
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "usage: tournament %s %s\n%s", name, usage, fs.FlagUsages())
	}
	return fs
}

// parse reads flags, and returns the other arguments, from least to most.
func parse(fs *pflag.FlagSet, args []string, stdout io.Writer, least, most int) ([]string, error) {
	err := fs.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fs.SetOutput(stdout)
		fs.Usage()
		return nil, flag.ErrHelp
	}
	if err != nil {
		return nil, err
	}
	switch n := fs.NArg(); {
	case n < least:
		return nil, fmt.Errorf("%s: an argument is missing (-h explains)", fs.Name())
	case n > most:
		return nil, fmt.Errorf("%s: unexpected argument %q", fs.Name(), fs.Arg(most))
	}
	return fs.Args(), nil
}
