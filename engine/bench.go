package engine

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"kumiko/engine/board"
)

// benchPositions are lines "rule size moves", the positions of the bench.
//
//go:embed testdata/bench.txt
var benchPositions string

// BenchDepth is the depth of the signature.
const BenchDepth = 12

// BenchPosition is one position of the bench.
type BenchPosition struct {
	Name  string // the line it was read from
	Board *board.Board
}

// BenchPositions returns the fixed positions of the bench.
func BenchPositions() ([]BenchPosition, error) {
	var list []BenchPosition
	for n, line := range strings.Split(benchPositions, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		var rule, moves string
		var size int
		if _, err := fmt.Sscan(line, &rule, &size, &moves); err != nil {
			return nil, fmt.Errorf("bench: line %d: %v", n+1, err)
		}
		b, err := ParseGame(rule, size, moves)
		if err != nil {
			return nil, fmt.Errorf("bench: line %d: %v", n+1, err)
		}
		list = append(list, BenchPosition{line, b})
	}
	return list, nil
}

// ParseGame plays moves such as "h8i7j9" on an empty board.
func ParseGame(rule string, size int, moves string) (*board.Board, error) {
	r, err := board.ParseRule(rule)
	if err != nil {
		return nil, err
	}
	b, err := board.New(size, size, r)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(moves); {
		j := i
		for j < len(moves) && (moves[j] < '0' || moves[j] > '9') {
			j++
		}
		for j < len(moves) && moves[j] >= '0' && moves[j] <= '9' {
			j++
		}
		m, err := board.ParseMove(moves[i:j])
		if err != nil {
			return nil, err
		}
		if !b.Empty(m) {
			return nil, fmt.Errorf("%v is not an empty point", m)
		}
		b.Place(m)
		i = j
	}
	return b, nil
}

// BenchCommand is the subcommand bench of an engine with the options o.
func BenchCommand(o Options, args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	depth := fs.Int("depth", BenchDepth, "plies to search; the signature is that of the default")
	threads := fs.Int("threads", 1, "threads that search; the signature is that of a single one")
	fs.SetOutput(io.Discard) // the caller prints the error
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stdout)
			fmt.Fprintln(stdout, "usage: bench [flags]")
			fs.PrintDefaults()
		}
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	if *depth < 1 || *depth > maxDepth {
		return fmt.Errorf("depth %d is not within 1 to %d", *depth, maxDepth)
	}
	if *threads < 1 || *threads > MaxThreads() {
		return fmt.Errorf("%d threads are not within 1 to %d", *threads, MaxThreads())
	}
	o.Threads = *threads
	return Bench(stdout, o, *depth)
}

// Bench searches fixed positions to a fixed depth, each with fresh tables, and
// writes the nodes of each and, last, their sum: the signature of the search,
// if it has one thread. A change that alters it alters the play.
func Bench(w io.Writer, o Options, depth int) error {
	list, err := BenchPositions()
	if err != nil {
		return err
	}
	e := New(o)
	var nodes int64
	var total time.Duration
	for _, p := range list {
		e.Reset()
		res := e.Search(context.Background(), Request{Board: p.Board,
			Limits: Limits{Turn: -1, Left: NoLimit, Depth: depth}}, nil)
		nodes += res.Nodes
		total += res.Time
		fmt.Fprintf(w, "%-9v %2dx%-2d %-4v depth %2d score %6v nodes %9d\n", p.Board.Rule(),
			p.Board.Width(), p.Board.Height(), res.Move, res.Depth, res.Score, res.Nodes)
	}
	fmt.Fprintf(w, "nodes %d\nnodes/second %d\n", nodes, int64(float64(nodes)/total.Seconds()))
	return nil
}
