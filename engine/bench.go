package engine

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"kumiko/engine/board"
)

// benchPositions are lines "rule size moves", the positions of the bench.
//
//go:embed testdata/bench.txt
var benchPositions string

// BenchDepth is the depth at which the node signature is taken.
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
		b, err := playedBoard(rule, size, moves)
		if err != nil {
			return nil, fmt.Errorf("bench: line %d: %v", n+1, err)
		}
		list = append(list, BenchPosition{line, b})
	}
	return list, nil
}

// playedBoard returns a square board with moves such as "h8i7j9" played on it.
func playedBoard(rule string, size int, moves string) (*board.Board, error) {
	r, err := board.ParseRule(rule)
	if err != nil {
		return nil, err
	}
	b, err := board.New(size, size, r)
	if err != nil {
		return nil, err
	}
	list, err := board.ParseMoves(moves)
	if err != nil {
		return nil, err
	}
	return b, b.PlaceAll(list)
}

// Bench searches fixed positions to a fixed depth, each with fresh tables, and
// reports each result. Making the tables does not count as search time. With one
// thread, the sum of the nodes is the signature of the search: a change that alters
// it alters the play. If ctx ends first, Bench returns its error.
func Bench(ctx context.Context, o Options, depth int, report func(BenchPosition, Result)) error {
	list, err := BenchPositions()
	if err != nil {
		return err
	}
	e := New(o)
	for _, p := range list {
		e.prepare(p.Board)
		res := e.Search(ctx, Request{Board: p.Board, Limits: Limits{Turn: -1, Left: NoLimit, Depth: depth}}, nil)
		if err := ctx.Err(); err != nil {
			return err
		}
		report(p, res)
	}
	return nil
}

// prepare makes the tables for a position, with nothing learned. The system
// provides the memory of a page when it is first written, so prepare also writes the
// whole of the largest table: neither is the work of a search.
func (e *Engine) prepare(b *board.Board) {
	had := e.tt
	e.ready(context.Background(), b)
	if e.tt != had {
		clear(e.tt.buckets)
	}
	e.Reset()
}
