// Pbrain-kumiko plays five in a row. Without arguments it speaks the Piskvork
// protocol on standard input and output, as tournament managers expect; with
// the name of a command as its first argument it does something else.
package main

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/engine/pattern/fit"
	"kumiko/protocol"
	"kumiko/protocol/cli"
	"kumiko/tournament"
	"kumiko/tournament/selfplay"
	"kumiko/tournament/tune"
	"kumiko/weights"
)

func main() {
	root, args := commands(), os.Args[1:]
	if !cli.SpeaksProtocol(root, args, os.Stdin) {
		os.Exit(cli.Main(root, args, os.Stdout, os.Stderr))
	}
	cli.Greet(os.Stdin, os.Stderr)
	os.Exit(play())
}

// commands returns the command tree. The commands of tournament and tune are
// listed in their packages.
func commands() *cobra.Command {
	root := &cobra.Command{
		Use:     "pbrain-kumiko",
		Short:   "Play five in a row",
		Long:    "Kumiko plays five in a row.\nWithout a command it speaks the Piskvork protocol on standard input and output.",
		Version: cli.VersionText(),
	}
	root.AddCommand(
		cli.Bench(options),
		cli.Perft(),
		cli.Prove(options),
		cli.Verify(),
		tournament.Command(options),
		tournament.Demo(),
		selfplay.Command(options),
		fit.Command(tables), // train
		tune.Command(options),
		cli.Version(),
		cli.Completion(),
	)
	return root
}

// options returns the engine's options with the embedded tables.
func options() engine.Options {
	var o engine.Options
	for r := range board.Rule(board.NumRules) {
		o.Patterns[r] = tables(r)
	}
	return o
}

// tables returns the embedded tables of a rule, nil if there are none.
func tables(r board.Rule) *pattern.Tables {
	data := weights.Patterns(r.String())
	if data == nil {
		return nil // the engine has tables made by hand
	}
	t, err := pattern.Read(bytes.NewReader(data), r)
	if err != nil {
		panic(err) // embedded when this program was built
	}
	return t
}

// play speaks the protocol until its end and returns the exit code.
func play() int {
	// The engine's tables are single allocations that live as long as the
	// process and there is next to no garbage: collecting at a fixed small
	// amount of new memory keeps the process within its limit.
	debug.SetGCPercent(10)
	// Each thread of the search keeps one processor of Go's busy. With one more
	// only, the reader, back from its read, would leave the controller waiting
	// for up to 10 ms: the scheduler takes a processor from a blocked read that
	// slowly.
	runtime.GOMAXPROCS(runtime.NumCPU() + 3)
	if protocol.Run(context.Background(), os.Stdin, os.Stdout, engine.New(options())) != nil {
		return 1 // standard error may be the manager's reply pipe: stay silent
	}
	return 0
}
