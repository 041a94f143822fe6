package selfplay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn/replay"
	"kumiko/protocol/cli"
	"kumiko/protocol/cli/golden"
	"kumiko/tournament/opening"
)

// quick are flags for games of a fraction of a second.
const quick = "--size 11 --nodes 150 --seed 3 "

// noOptions are those of an engine with tables made by hand.
func noOptions() engine.Options { return engine.Options{} }

// play runs the subcommand and returns the record.
func play(t *testing.T, out, args string) []byte {
	t.Helper()
	if err := cli.Execute(context.Background(), Command(noOptions), strings.Fields(quick+args+" -out "+out), io.Discard); err != nil {
		t.Fatal(err)
	}
	return golden.Read(t, out)
}

// read returns the games of a record.
func read(t *testing.T, data []byte) (replay.Settings, []*replay.Game) {
	t.Helper()
	r, err := replay.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var games []*replay.Game
	for {
		g, err := r.Next()
		if err == io.EOF {
			return r.Settings(), games
		}
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
}

// TestReproducible makes one record at once, with several workers, and in
// pieces with an accident in between: all are the same.
func TestReproducible(t *testing.T) {
	dir := t.TempDir()
	want := play(t, filepath.Join(dir, "one"), "-games 6")
	if got := play(t, filepath.Join(dir, "workers"), "-games 6 -concurrency 3"); !bytes.Equal(got, want) {
		t.Error("three workers play other games than one")
	}
	pieces := filepath.Join(dir, "pieces")
	part := play(t, pieces, "-games 2")
	if !bytes.HasPrefix(want, part) {
		t.Error("a record of two games is not the beginning of one of six")
	}
	if err := os.WriteFile(pieces, want[:len(part)+7], 0o666); err != nil {
		t.Fatal(err)
	}
	if got := play(t, pieces, "-games 6"); !bytes.Equal(got, want) {
		t.Error("continuing the record gives a different record")
	}
	if got := play(t, pieces, "-games 4"); !bytes.Equal(got, want) {
		t.Error("asking for fewer games than there are changes the record")
	}
}

// TestGames plays the games of a record again by the rules.
func TestGames(t *testing.T) {
	for _, r := range []board.Rule{board.Freestyle, board.Renju, board.Caro5} {
		out := filepath.Join(t.TempDir(), "games")
		_, games := read(t, play(t, out, fmt.Sprintf("-games 8 -noise 0.3 -rule %v", r)))
		if len(games) != 8 {
			t.Fatalf("%v: %d games, want 8", r, len(games))
		}
		random, side := 0, 0
		for i, g := range games {
			if err := checkGame(r, g); err != nil {
				t.Errorf("%v: game %d: %v", r, i+1, err)
			}
			for _, p := range g.Plies {
				if p.Flags&replay.Random != 0 {
					random++
				}
				if p.Flags&replay.Side != 0 {
					side++
				}
			}
		}
		if random == 0 || side == 0 {
			t.Errorf("%v: %d random moves and %d of side lines, want some", r, random, side)
		}
	}
}

// checkGame reports what is wrong with a game on a board of 11 by 11.
func checkGame(r board.Rule, g *replay.Game) error {
	b, err := board.New(11, 11, r)
	if err != nil {
		return err
	}
	if g.Opening < 2 || g.Opening > 8 {
		return fmt.Errorf("an opening of %d plies", g.Opening)
	}
	line := 0 // plies of a side line on the board
	for i, p := range g.Plies {
		c := b.Side()
		if line > 0 && p.Flags&replay.Side == 0 {
			if !b.Legal(p.Move) {
				return fmt.Errorf("ply %d: %v is not allowed after a side line", i+1, p.Move)
			}
			for ; line > 0; line-- {
				b.Undo()
			}
			continue
		}
		if !b.Legal(p.Move) {
			return fmt.Errorf("ply %d: %v is not allowed", i+1, p.Move)
		}
		if i < g.Opening && (p.Score != 0 || p.Flags != 0) {
			return fmt.Errorf("ply %d: a score in the opening", i+1)
		}
		if p.Flags&replay.Side != 0 {
			line++
			if b.Wins(p.Move, c) {
				return fmt.Errorf("ply %d: a side line wins", i+1)
			}
		}
		ends := line == 0 && b.Wins(p.Move, c) || p.Flags&replay.Proven != 0 && p.Score > 0
		if last := i == len(g.Plies)-1; ends && (!last || g.Result != resultFor(c)) {
			return fmt.Errorf("ply %d wins for %v, but the result is %d after %d plies", i+1, c, g.Result, len(g.Plies))
		}
		b.Place(p.Move)
	}
	return nil
}

func TestTables(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "tables")
	tables := pattern.Hand(board.Freestyle)
	writeTables(t, name, tables)
	handSettings, hand := read(t, play(t, filepath.Join(dir, "hand"), "-games 2"))
	settings, same := read(t, play(t, filepath.Join(dir, "same"), "-games 2 -tables "+name))
	if handSettings.Tables != 0 || settings.Tables == 0 {
		t.Errorf("checksums of tables %#x and %#x, want 0 and another", handSettings.Tables, settings.Tables)
	}
	if len(hand) != len(same) {
		t.Fatalf("%d and %d games", len(hand), len(same))
	}
	for i := range hand {
		if fmt.Sprint(*hand[i]) != fmt.Sprint(*same[i]) {
			t.Errorf("game %d: the tables made by hand play otherwise when read from a file", i+1)
		}
	}
}

// writeTables writes tables to a file.
func writeTables(t *testing.T, name string, tables *pattern.Tables) {
	t.Helper()
	var file bytes.Buffer
	if err := tables.Write(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestDefaultTables plays with the program's tables unless told otherwise.
func TestDefaultTables(t *testing.T) {
	tables := pattern.Hand(board.Freestyle)
	tables.Threats[1]++
	base := engine.Options{}
	base.Patterns[board.Freestyle] = tables
	for args, want := range map[string]uint32{"": crc32.ChecksumIEEE(tables.Bytes()), "--tables hand": 0} {
		out := filepath.Join(t.TempDir(), "games")
		args := strings.Fields(quick + "--games 1 --out " + out + " " + args)
		if err := cli.Execute(t.Context(), Command(func() engine.Options { return base }), args, io.Discard); err != nil {
			t.Fatal(err)
		}
		if s, _ := read(t, golden.Read(t, out)); s.Tables != want {
			t.Errorf("%q: tables of checksum %08x, want %08x", args, s.Tables, want)
		}
	}
}

func TestCancel(t *testing.T) {
	out := filepath.Join(t.TempDir(), "games")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := cli.Execute(ctx, Command(noOptions), strings.Fields(quick+"-games 100 -out "+out), io.Discard)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if data, err := os.ReadFile(out); err != nil {
		t.Error(err)
	} else if _, games := read(t, data); len(games) > 1 {
		t.Errorf("%d games were played", len(games))
	}
}

func TestCommandErrors(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "games")
	play(t, out, "-games 0")
	tables := filepath.Join(dir, "tables")
	writeTables(t, tables, pattern.Hand(board.Freestyle))
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("something else"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, want string }{
		{"", "--out"},
		{"-out " + out + " -rule go", "rule"},
		{"-out " + out + " -size 4", "size"},
		{"-out " + out + " -nodes 0", "nodes"},
		{"-out " + out + " -noise 1.5", "noise"},
		{"-out " + out + " -side-moves 21", "side-moves"},
		{"-out " + out + " -tree 20.5", "tree"},
		{"-out " + out + " -noise-plies -1", "noise"},
		{"-out " + out + " -balance -1", "balance"},
		{"-out " + out + " -games -1", "games"},
		{"-out " + out + " -concurrency 0", "concurrency"},
		{"-out " + out + " extra", "extra"},
		{"-out " + filepath.Join(dir, "no", "such"), "no such file"},
		{"-out " + out + " -tables " + filepath.Join(dir, "missing"), "no such file"},
		{"-out " + out + " -tables " + other, "pattern"},
		{"-out " + out + " " + quick + " -seed 4", "made with --seed 3, not with --seed 4"},
		{"-out " + out + " -size 11x12 -nodes 150 -noise 0.5 -noise-plies 3 -side-moves 2 -tree 1.5 -balance 7 -rule caro -seed 3",
			"made with --rule freestyle --size 11 --noise 0.08 --noise-plies 12 --side-moves 0.5 --tree 4 --balance 200, " +
				"not with --rule caro5 --size 11x12 --noise 0.5 --noise-plies 3 --side-moves 2 --tree 1.5 --balance 7"},
		{"-out " + out + " " + quick + " -tables " + tables, "made with --tables hand, not with --tables of checksum"},
		{"-out " + out + " -rule renju -tables " + tables, "tables for freestyle, want renju"},
		{"-out " + other, "not a record"},
		{"-out " + dir, "is not a regular file"},
	} {
		err := cli.Execute(context.Background(), Command(noOptions), strings.Fields(test.args), io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("selfplay %s: error %v, want one about %q", test.args, err, test.want)
		}
	}
	err := cli.Execute(context.Background(), Command(noOptions), strings.Fields("-out "+filepath.Join(dir, "b")+" -size 5 -balance 0 -games 1 -nodes 1"), io.Discard)
	if !errors.Is(err, opening.ErrUnbalanced) {
		t.Errorf("where no opening is balanced: error %v, want %v", err, opening.ErrUnbalanced)
	}
}

// TestSideLines asks for several side lines of each move, of single moves or out of
// the search tree.
func TestSideLines(t *testing.T) {
	for _, test := range []struct {
		args  string
		lines bool
	}{{"-side-moves 2.5 -tree 0", false}, {"-side-moves 0 -tree 2.5", true}} {
		_, games := read(t, play(t, filepath.Join(t.TempDir(), "games"), "-games 4 "+test.args))
		free, answers, moves := 0, 0, 0
		for _, g := range games {
			side := false
			for _, p := range g.Plies[g.Opening:] {
				switch {
				case p.Flags&replay.Side != 0:
					moves++
				case side:
					answers++
				case p.Flags&(replay.Proven|replay.Forced) == 0:
					free++
				}
				side = p.Flags&replay.Side != 0
			}
		}
		if mean := float64(answers) / float64(free); mean < 2.2 || mean > 2.8 {
			t.Errorf("%s: %d answers for %d moves, want 2.5 of each", test.args, answers, free)
		}
		if test.lines && 2*moves <= 3*answers || !test.lines && moves != answers {
			t.Errorf("%s: %d moves of side lines with %d answers", test.args, moves, answers)
		}
	}
}

// TestSampler shows a sampler more positions than it keeps: it keeps each as
// often as any other, and none while it is not asked to.
func TestSampler(t *testing.T) {
	const positions, want, rounds = 12, 3, 4000
	s := &sampler{}
	rng := rand.New(rand.NewPCG(1, 2))
	kept := map[int]int{}
	for range rounds {
		s.begin(want, rng)
		for i := range positions {
			s.look(make([]board.Move, i+1))
		}
		lines := s.end()
		if len(lines) != want {
			t.Fatalf("%d lines, want %d", len(lines), want)
		}
		for _, l := range lines {
			kept[len(l)]++
		}
	}
	for i := range positions {
		// The standard deviation is 27.
		if n := kept[i+1]; n < rounds*want/positions-150 || n > rounds*want/positions+150 {
			t.Errorf("position %d was kept %d times of %d, want about %d", i, n, rounds, rounds*want/positions)
		}
	}
}

// witness is an evaluator that remembers the positions it is asked about.
type witness struct {
	engine.Evaluator
	seen map[uint64]bool
}

func (w *witness) Evaluate(b *board.Board) engine.Score {
	w.seen[b.Hash()] = true
	return w.Evaluator.Evaluate(b)
}

// TestTreeLines follows the lines out of the tree of a search: they lead to
// positions that it evaluated.
func TestTreeLines(t *testing.T) {
	var o options
	fs := pflag.NewFlagSet("selfplay", pflag.ContinueOnError)
	f := o.addFlags(fs)
	if err := errors.Join(fs.Parse(strings.Fields(quick+"--out unused")), o.set(f, engine.Options{})); err != nil {
		t.Fatal(err)
	}
	p := newPlayer(&o)
	p.rng = rand.New(rand.NewPCG(3, 4))
	for _, m := range []board.Move{board.Pt(5, 5), board.Pt(6, 5), board.Pt(5, 6)} {
		p.b.Place(m)
	}
	p.search(t.Context(), 1, 1, nil) // makes the evaluator
	w := &witness{p.tree.Evaluator, map[uint64]bool{}}
	p.tree.Evaluator = w
	p.tree.begin(50, p.rng)
	p.search(t.Context(), 2000, 1, nil)
	lines := p.tree.end()
	if len(lines) != 50 {
		t.Fatalf("%d lines, want 50", len(lines))
	}
	for _, line := range lines {
		for _, m := range line {
			p.b.Place(m)
		}
		if !w.seen[p.b.Hash()] {
			t.Errorf("the line %v leads to a position that was not evaluated", line)
		}
		for range line {
			p.b.Undo()
		}
	}
}
