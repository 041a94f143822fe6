// Pbrain-kumiko plays five in a row. Without arguments it speaks the
// Piskvork protocol on standard input and output, as tournament managers
// expect; with the name of a subcommand as its first argument it does
// something else. Any other argument is ignored: a manager may pass some.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/engine/pattern/fit"
	"kumiko/protocol"
	"kumiko/tournament"
	"kumiko/tournament/selfplay"
	"kumiko/tournament/tune"
	"kumiko/weights"
)

// A command does its work with the arguments after its name. It writes to
// stdout and leaves errors to its caller.
type command struct {
	name, help string
	run        func(ctx context.Context, args []string, stdout io.Writer) error
}

var commands = []command{
	{"bench", "search fixed positions; print the signature and the speed", bench},
	{"perft", "count the move sequences of a position", board.PerftCommand},
	{"tournament", "let engines play each other and rate them", tournament.Command},
	{"demo", "play a short tournament of this program", tournament.DemoCommand},
	{"selfplay", "play games to learn from and record them", selfplay.Command},
	{"train", "fit pattern tables to recorded games", fit.Command},
	{"tune", "look for better values of the search's numbers", tuneCommand},
	{"version", "print the version", version},
}

func main() {
	if len(os.Args) > 1 {
		for _, c := range commands {
			if c.name == os.Args[1] {
				os.Exit(runCommand(c, os.Args[2:]))
			}
		}
		if a := os.Args[1]; a == "help" || a == "-h" || a == "-help" || a == "--help" {
			usage(os.Stdout)
			return
		}
	}
	// The engine's tables are single allocations that live as long as the
	// process and there is next to no garbage: collecting at a fixed small
	// amount of new memory keeps the process within its limit.
	debug.SetGCPercent(10)
	// Each thread of the search keeps one processor of Go's busy. With one more
	// only, the reader, back from its read, would leave the controller waiting
	// for up to 10 ms: the scheduler takes a processor from a blocked read that
	// slowly.
	runtime.GOMAXPROCS(runtime.NumCPU() + 3)
	if err := protocol.Run(context.Background(), os.Stdin, os.Stdout, engine.New(options())); err != nil {
		os.Exit(1) // standard error may be the manager's reply pipe: stay silent
	}
}

// options returns the engine's options with the embedded tables.
func options() engine.Options {
	var o engine.Options
	for r := range board.Rule(board.NumRules) {
		data := weights.Patterns(r.String())
		if data == nil {
			continue // the engine has tables made by hand
		}
		t, err := pattern.Read(bytes.NewReader(data))
		if err != nil {
			panic(err) // embedded when this program was built
		}
		o.Patterns[r] = t
	}
	return o
}

func bench(ctx context.Context, args []string, stdout io.Writer) error {
	return engine.BenchCommand(options(), args, stdout)
}

func tuneCommand(ctx context.Context, args []string, stdout io.Writer) error {
	return tune.Command(ctx, options(), args, stdout)
}

func runCommand(c command, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends what does not heed the first
	err := c.run(ctx, args, os.Stdout)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	}
	fmt.Fprintf(os.Stderr, "pbrain-kumiko %s: %v\n", c.name, err)
	if coded, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err); ok {
		return coded.ExitCode()
	}
	return 1
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "Usage: pbrain-kumiko [command]\n\nWithout a command: the Piskvork protocol on standard input and output.\n\nCommands:")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.help)
	}
}

// version prints what a report of a fault should name: the version, the
// commit where the build knows it, the compiler and the machine.
func version(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) > 0 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		fmt.Fprintln(stdout, "usage: version")
		return flag.ErrHelp
	}
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q", args[0])
	}
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
	fmt.Fprintf(stdout, "%s %s/%s\n", line, runtime.GOOS, runtime.GOARCH)
	return nil
}
