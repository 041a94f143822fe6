package tournament

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"testing"

	"kumiko/engine"
	"kumiko/protocol/cli"
	"kumiko/tournament/fakeengine"
)

// TestMain makes the test binary an engine or a harness if it is told to be
// one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "harness" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // as main does
		context.AfterFunc(ctx, stop)
		if err := execute(ctx, os.Args[2:], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "echo" { // as main does, to measure the latency
		os.Args = fakeengine.Args("any=line:UNKNOWN")
	}
	fakeengine.Main()
	os.Exit(m.Run())
}

// execute runs a command of tournament.
func execute(ctx context.Context, args []string, stdout io.Writer) error {
	return cli.Execute(ctx, Command(func() (o engine.Options) { return o }), args, stdout)
}

// fakeCommand is the command line of an engine whose moves depend on the
// position alone, unless a word says otherwise; salt=N makes another engine.
func fakeCommand(words ...string) string {
	args := fakeengine.Args(append([]string{"mover=hash"}, words...)...)
	for i, arg := range args {
		args[i] = quoteWord(arg)
	}
	return strings.Join(args, " ")
}
