// Package selfplay lets the engine play against itself within the process and
// records the games for package replay.
//
// Game i of a record depends on the settings, the program and i alone, so that
// a record can be made by any number of workers, interrupted and continued, and
// comes out the same, byte for byte.
package selfplay

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn/replay"
)

// options are what the command line asks for.
type options struct {
	settings    replay.Settings
	out         string
	games       int
	concurrency int
	tables      *pattern.Tables // nil for those made by hand
}

// Command is the subcommand selfplay.
func Command(ctx context.Context, args []string, stdout io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	f, done, err := open(o.out, o.settings)
	if err != nil {
		return err
	}
	err = o.run(ctx, f, done, stdout)
	return errors.Join(err, f.Close())
}

// parse reads the command line.
func parse(args []string, stdout io.Writer) (*options, error) {
	var o options
	fs := flag.NewFlagSet("selfplay", flag.ContinueOnError)
	rule := fs.String("rule", "freestyle", "rule: freestyle, standard, renju, caro5 or caro6")
	size := fs.Int("size", 15, "columns and rows of the board")
	nodes := fs.Int("nodes", 1500, "positions to visit per move")
	noise := fs.Float64("noise", 0.08, "chance of a random good move")
	noisePlies := fs.Int("noise-plies", 12, "plies after the opening in which such moves happen")
	asides := fs.Float64("asides", 0.5, "mean number of other moves tried before a move and recorded with the answers, up to 20")
	tree := fs.Float64("tree", 4, "mean number of positions out of the search tree of a move that are recorded with the answers, up to 20")
	balance := fs.Int("balance", 200, "bound on the score of openings, for either side")
	tables := fs.String("tables", "", "file of pattern tables, of any rule, to play with (default made by hand)")
	fs.Uint64Var(&o.settings.Seed, "seed", 1, "seed of all that is random")
	fs.StringVar(&o.out, "out", "", "record to write, or to continue if it exists")
	fs.IntVar(&o.games, "games", 1000, "games that the record shall hold in the end")
	fs.IntVar(&o.concurrency, "concurrency", 1, "games played at the same time")
	fs.SetOutput(io.Discard) // the caller prints the error
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stdout)
			fmt.Fprintln(stdout, "usage: selfplay [flags]")
			fs.PrintDefaults()
		}
		return nil, err
	}
	r, err := board.ParseRule(*rule)
	switch {
	case err != nil:
		return nil, err
	case fs.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case o.out == "":
		return nil, errors.New("name the record to write with -out")
	case *size < board.MinSize || *size > board.MaxSize:
		return nil, fmt.Errorf("size %d is not within %d to %d", *size, board.MinSize, board.MaxSize)
	case *nodes < 1 || *nodes > math.MaxInt32:
		return nil, fmt.Errorf("%d nodes per move are too few or too many", *nodes)
	case !(*noise >= 0 && *noise <= 1):
		return nil, fmt.Errorf("noise %v is no chance between 0 and 1", *noise)
	case !(*asides >= 0 && *asides <= 20):
		return nil, fmt.Errorf("asides %v is not within 0 and 20", *asides)
	case !(*tree >= 0 && *tree <= 20):
		return nil, fmt.Errorf("tree %v is not within 0 and 20", *tree)
	case *noisePlies < 0 || *noisePlies > math.MaxUint16:
		return nil, fmt.Errorf("noise for %d plies is too little or too much", *noisePlies)
	case *balance < 0 || *balance > math.MaxUint16:
		return nil, fmt.Errorf("balance %d is too small or too large", *balance)
	case o.games < 0:
		return nil, fmt.Errorf("%d games are too few", o.games)
	case o.concurrency < 1:
		return nil, fmt.Errorf("concurrency %d is less than 1", o.concurrency)
	}
	o.settings.Rule = r
	o.settings.Width, o.settings.Height = uint8(*size), uint8(*size)
	o.settings.Nodes = uint32(*nodes)
	o.settings.Noise = uint16(math.Round(*noise * 1000))
	o.settings.NoisePlies = uint16(*noisePlies)
	o.settings.Asides = uint16(math.Round(*asides * 1000))
	o.settings.Tree = uint16(math.Round(*tree * 1000))
	o.settings.Balance = uint16(*balance)
	return &o, o.readTables(*tables)
}

// readTables reads the pattern tables, if a file of them is named.
func (o *options) readTables(name string) error {
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	o.tables, err = pattern.Read(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	o.tables.Rule = o.settings.Rule
	o.settings.Tables = crc32.ChecksumIEEE(data)
	return nil
}

// open opens a record to append to and returns the number of games that it
// holds. A piece of a game at its end is cut off.
func open(name string, want replay.Settings) (f *os.File, games int, err error) {
	f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, 0, err
	}
	games, err = resume(f, want)
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	return f, games, nil
}

// resume puts f behind its last game. An empty file gets its header.
func resume(f *os.File, want replay.Settings) (games int, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() == 0 {
		_, err := f.Write(replay.AppendHeader(nil, want))
		return 0, err
	}
	r, err := replay.NewReader(f)
	if err != nil {
		return 0, err
	}
	if r.Settings() != want {
		return 0, fmt.Errorf("made with other settings: %+v, not %+v", r.Settings(), want)
	}
	for err == nil {
		_, err = r.Next()
	}
	if err != io.EOF && !errors.Is(err, replay.ErrTruncated) {
		return 0, err
	}
	if err := f.Truncate(r.Offset()); err != nil {
		return 0, err
	}
	_, err = f.Seek(r.Offset(), io.SeekStart)
	return r.Games(), err
}
