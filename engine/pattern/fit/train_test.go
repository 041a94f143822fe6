package fit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn/replay"
	"kumiko/protocol/cli"
)

func newBuffer(data []byte) io.Reader { return bytes.NewReader(data) }

// emptyPoint returns a random empty point.
func emptyPoint(rng *rand.Rand, b *board.Board) board.Move {
	for {
		if m := board.Pt(rng.IntN(b.Width()), rng.IntN(b.Height())); b.Empty(m) {
			return m
		}
	}
}

// nearPoint returns a random point of [board.Board.Near]. There must be one.
func nearPoint(rng *rand.Rand, b *board.Board) board.Move {
	var list []board.Move
	for y := range b.Height() {
		for row := b.Near(y); row != 0; row &= row - 1 {
			list = append(list, board.Pt(bits.TrailingZeros32(row), y))
		}
	}
	return list[rng.IntN(len(list))]
}

// scatteredGame plays a game of a simple player: now and then a random move,
// else the one that makes or stops the best shape. The first five wins. His
// scores count twos.
func scatteredGame(rng *rand.Rand, b *board.Board) *replay.Game {
	b.Clear()
	g := &replay.Game{Opening: 3}
	for b.Ply() < 60 {
		c := b.Side()
		m := board.Pt(5, 5)
		if b.Ply() > 0 {
			m = nearPoint(rng, b)
		}
		if b.Ply() >= g.Opening && rng.IntN(4) > 0 {
			for range 40 {
				n := nearPoint(rng, b)
				if max(b.Shape(n, c), b.Shape(n, c.Opponent())) > max(b.Shape(m, c), b.Shape(m, c.Opponent())) {
					m = n
				}
			}
		}
		score := 20 * (b.Count(c, board.ShapeTwo) - b.Count(c.Opponent(), board.ShapeTwo))
		won := b.Wins(m, c)
		b.Place(m)
		g.Plies = append(g.Plies, replay.Ply{Move: m, Score: int16(score)})
		if won {
			g.Result = 1 - 2*int(c)
			break
		}
	}
	return g
}

// writeRecord writes a record of games of the simple player to a file.
func writeRecord(t *testing.T, r board.Rule, games int, seed uint64) string {
	t.Helper()
	b, err := board.New(11, 11, r)
	if err != nil {
		t.Fatal(err)
	}
	s := testSettings
	s.Rule, s.Width, s.Height = r, 11, 11
	rng := rand.New(rand.NewPCG(seed, 0))
	var list []*replay.Game
	for range games {
		list = append(list, scatteredGame(rng, b))
	}
	name := filepath.Join(t.TempDir(), "games")
	if err := os.WriteFile(name, record(t, s, list), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// train runs the subcommand and returns the tables and what it printed.
func train(t *testing.T, r board.Rule, args ...string) (*pattern.Tables, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "tables")
	var text strings.Builder
	if err := cli.Execute(context.Background(), Command(pattern.Hand), append([]string{"-out", out}, args...), &text); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tables, err := pattern.Read(f, r)
	if err != nil {
		t.Fatal(err)
	}
	return tables, text.String()
}

// TestTrain learns from a simple player: what is learned predicts his moves and
// scores in other games better than the numbers made by hand do, and comes out
// the same again.
func TestTrain(t *testing.T) {
	for _, r := range []board.Rule{board.Freestyle, board.Renju} {
		name := writeRecord(t, r, 150, 1)
		args := []string{"-start", "none", "-steps", "30", "-lambda", "1", "-scale", "1", name}
		tables, text := train(t, r, args...)
		again, textAgain := train(t, r, args...)
		if *tables != *again || text != textAgain {
			t.Errorf("%v: trained twice with different outcomes", r)
		}
		if tables.Rule != r {
			t.Errorf("tables for %v, want %v", tables.Rule, r)
		}
		if alike := tables.Value[0] == tables.Value[1]; alike == (r == board.Renju) {
			t.Errorf("%v: tables of the players alike: %v", r, alike)
		}
		other, err := collect(&options{records: []string{writeRecord(t, r, 60, 2)}, scale: 1}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		other.training.values.aim(1)
		hand := pattern.Hand(r)
		for _, test := range []struct {
			name         string
			set          dataset
			hand, fitted []float64
		}{
			{"value", &other.training.values, valueNumbers(hand), valueNumbers(tables)},
			{"order", &other.training.orders, orderNumbers(hand), orderNumbers(tables)},
		} {
			before := test.set.loss(scaled(test.hand, bestScale(test.set, test.hand)), nil)
			after := test.set.loss(scaled(test.fitted, bestScale(test.set, test.fitted)), nil)
			if !(after < before) {
				t.Errorf("%v %s: loss %v on other games, %v with tables made by hand", r, test.name, after, before)
			}
		}
	}
}

// TestFitPart improves tables in part: the rest stays as it was, and values
// keep their scale.
func TestFitPart(t *testing.T) {
	name := writeRecord(t, board.Freestyle, 150, 1)
	start := filepath.Join(t.TempDir(), "start")
	double := pattern.Hand(board.Freestyle)
	for c := range double.Value {
		for i := range double.Value[c] {
			double.Value[c][i] *= 2
		}
	}
	for i := range double.Threats {
		double.Threats[i] *= 2
	}
	f, err := os.Create(start)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(double.Write(f), f.Close()); err != nil {
		t.Fatal(err)
	}
	fit := func(part string) *pattern.Tables {
		tables, _ := train(t, board.Freestyle, "-steps", "30", "-lambda", "1", "-scale", "1", "-start", start, "-fit", part, name)
		return tables
	}
	values := fit(fitValues)
	if values.Attack != double.Attack || values.Defend != double.Defend {
		t.Error("fitting the values changed the orders")
	}
	s, err := collect(&options{records: []string{name}, scale: 1}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	set := &s.training.values
	set.aim(1)
	was, is := bestScale(set, valueNumbers(double)), bestScale(set, valueNumbers(values))
	if ratio := is / was; values.Value == double.Value || ratio < 0.9 || ratio > 1.1 {
		t.Errorf("the best factor of the values was %.3f and is %.3f", was, is)
	}
	orders := fit(fitOrders)
	if orders.Value != double.Value || orders.Threats != double.Threats {
		t.Error("fitting the orders changed the values")
	}
	if orders.Attack == double.Attack {
		t.Error("fitting the orders did not change them")
	}
}

func TestCommandErrors(t *testing.T) {
	name := writeRecord(t, board.Freestyle, 2, 1)
	renju := writeRecord(t, board.Renju, 2, 1)
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, replay.AppendHeader(nil, testSettings), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "tables")
	for _, test := range []struct{ args, want string }{
		{name, "-out"},
		{"-out " + out + " " + name + " " + name, "named twice"},
		{"-out " + out, "missing argument"},
		{"-out " + out + " -lambda 2 " + name, "lambda"},
		{"-out " + out + " -scale -1 " + name, "scale"},
		{"-out " + out + " -prior NaN " + name, "prior"},
		{"-out " + out + " -order-scale 0 " + name, "order-scale"},
		{"-out " + out + " -validation 1 " + name, "validation"},
		{"-out " + out + " -steps 0 " + name, "steps"},
		{"-out " + out + " -fit all " + name, `"all"`},
		{"-out " + out + " " + name + "x", "no such file"},
		{"-out " + out + " " + name + " " + renju, "renju"},
		{"-out " + out + " " + empty, "no position"},
	} {
		err := cli.Execute(context.Background(), Command(pattern.Hand), strings.Fields(test.args), io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("train %s: error %v, want one about %q", test.args, err, test.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("tables were written in spite of an error")
	}
}

var testSettings = replay.Settings{Seed: 7, Nodes: 1500, Noise: 80, NoisePlies: 12, Balance: 200,
	Rule: board.Renju, Width: 15, Height: 13}

// record returns a record of games.
func record(t testing.TB, s replay.Settings, games []*replay.Game) []byte {
	t.Helper()
	data := replay.AppendHeader(nil, s)
	for i, g := range games {
		var err error
		if data, err = replay.AppendGame(data, i, g); err != nil {
			t.Fatal(err)
		}
	}
	return data
}
