package tournament

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// demoBook is a book of balanced openings.
//
//go:embed demo.pos
var demoBook []byte

// demoNodes are the limits of the engines that the demo lets play.
var demoNodes = []int{200, 800, 3200}

// DemoCommand is the subcommand demo: a short tournament of this program
// against itself, with different limits of positions. Arguments are those of
// run and hold against the demo's own.
func DemoCommand(ctx context.Context, args []string, stdout io.Writer) error {
	if slices.ContainsFunc(args, func(s string) bool { return s == "-h" || s == "--help" || s == "-help" }) {
		fmt.Fprintln(stdout, "usage: demo [flags of tournament run]\nPlays a short tournament of this program with different limits of positions.")
		return runCommand(ctx, []string{"-h"}, stdout)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "kumiko-demo-")
	if err != nil {
		return err
	}
	book := filepath.Join(dir, "openings.pos")
	if err := os.WriteFile(book, demoBook, 0o666); err != nil {
		return err
	}
	own := []string{"--rounds=10", "--concurrency=2", "--seed=1", "--rating-interval=15",
		"--openings", "file=" + quoteWord(book), "--out", filepath.Join(dir, "games")}
	for _, n := range demoNodes {
		own = append(own, "--engine", fmt.Sprintf("name=kumiko-%d cmd=%s nodes=%d tc=0/5 memory=32M", n, quoteWord(quoteWord(self)), n))
	}
	return runCommand(ctx, append(own, args...), stdout)
}
