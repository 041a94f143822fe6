// Pbrain-kumiko plays five in a row. Without arguments it speaks the Piskvork
// protocol on standard input and output, as tournament managers expect; otherwise
// the first argument names a command to run.
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
	"kumiko/nn"
	"kumiko/nn/train"
	"kumiko/protocol"
	"kumiko/protocol/analyze"
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
	if play(options()) != nil {
		os.Exit(1) // standard error may be the manager's reply pipe: stay silent
	}
}

// commands returns the command tree. Packages tournament and tune define their own
// subcommands.
func commands() *cobra.Command {
	root := &cobra.Command{
		Use:     "pbrain-kumiko",
		Short:   "Play five in a row",
		Long:    "Kumiko plays five in a row.\nWithout a command it speaks the Piskvork protocol on standard input and output.",
		Version: cli.VersionText(),
	}
	root.AddCommand(
		cli.Protocol(options, play),
		cli.Bench(options),
		analyze.Command(options),
		analyze.Draw(),
		cli.Perft(),
		cli.Prove(options),
		cli.Verify(),
		cli.Weights(weights.Patterns, weights.Net),
		tournament.Command(options),
		tournament.Demo(),
		selfplay.Command(options),
		training(),
		tune.Command(options),
		cli.Version(),
		cli.Completion(),
	)
	return root
}

// training returns the command train.
func training() *cobra.Command {
	c := fit.Command(tables)
	c.AddCommand(train.Command(tables), train.ResidualCommand(tables))
	return c
}

// options returns the engine's options with the embedded tables and networks. Networks
// are read when needed: all of them would take a third of the time until START is answered.
func options() engine.Options {
	o := engine.Options{Net: network}
	for r := range board.Rule(board.NumRules) {
		o.Patterns[r] = tables(r)
	}
	return o
}

// network returns the embedded network of a rule, or nil if there is none.
func network(r board.Rule) *nn.Net {
	data := weights.Net(r.String())
	if data == nil {
		return nil
	}
	n, err := nn.ReadFor(bytes.NewReader(data), r.String())
	if err != nil {
		panic(err) // embedded in the program
	}
	return n
}

// tables returns the embedded tables of a rule, or nil if there are none.
func tables(r board.Rule) *pattern.Tables {
	data := weights.Patterns(r.String())
	if data == nil {
		return nil // the engine has hand-made tables
	}
	t, err := pattern.Read(bytes.NewReader(data), r)
	if err != nil {
		panic(err) // embedded in the program
	}
	return t
}

// play runs the protocol with an engine.
func play(o engine.Options) error {
	// The engine's tables are single allocations that live as long as the
	// process, and there is almost no garbage: collecting after little new
	// memory keeps the process within its limit.
	debug.SetGCPercent(10)
	// Each search thread keeps one P of the scheduler busy. With only one more,
	// the reader could delay the controller by up to 10 ms, the time that the
	// scheduler takes to retake a P from a blocked read.
	runtime.GOMAXPROCS(runtime.NumCPU() + 3)
	return protocol.Run(context.Background(), os.Stdin, os.Stdout, engine.New(o))
}
