package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kumiko/engine/board"
)

var testSettings = Settings{Seed: 7, Nodes: 1500, Noise: 80, NoisePlies: 12, Balance: 200,
	Rule: board.Renju, Width: 15, Height: 13, Net: 0x1234abcd}

// randomGame returns a game that a record can hold.
func randomGame(rng *rand.Rand, s Settings) *Game {
	g := &Game{Result: rng.IntN(3) - 1, Plies: []Ply{}}
	points := rng.Perm(int(s.Width) * int(s.Height))
	for _, p := range points[:rng.IntN(len(points)+1)] {
		g.Plies = append(g.Plies, Ply{
			Move:  board.Pt(p%int(s.Width), p/int(s.Width)),
			Score: int16(rng.Uint32()),
			Flags: Flags(rng.IntN(int(allFlags)+1)) &^ Side,
		})
	}
	// A policy of moves that come later: their points are empty.
	for i := range g.Plies {
		if rng.IntN(3) > 0 {
			continue
		}
		for _, p := range points[i:min(len(points), i+rng.IntN(9))] {
			g.Plies[i].Policy = append(g.Plies[i].Policy, Weight{board.Pt(p%int(s.Width), p/int(s.Width)), uint16(rng.Uint32())})
		}
	}
	g.Opening = rng.IntN(min(len(g.Plies), 255) + 1)
	for i := g.Opening; ; i += 1 + rng.IntN(3) {
		line := 1 + rng.IntN(4)
		if i+line >= len(g.Plies) {
			break
		}
		for range line {
			g.Plies[i].Flags |= Side
			i++
		}
		// What a line took is free again behind its answer.
		if i+1 < len(g.Plies) && rng.IntN(2) == 0 {
			g.Plies[i].Move = g.Plies[i+1].Move
		}
	}
	return g
}

// record returns a record of games.
func record(t testing.TB, s Settings, games []*Game) []byte {
	t.Helper()
	data := AppendHeader(nil, s)
	for i, g := range games {
		var err error
		if data, err = AppendGame(data, i, g); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// readAll reads a record up to its end or an error, io.EOF included.
func readAll(data []byte) (r *Reader, games []*Game, err error) {
	r, err = NewReader(bytes.NewReader(data))
	for err == nil {
		var g *Game
		if g, err = r.Next(); err == nil {
			games = append(games, g)
		}
	}
	return r, games, err
}

func TestRecordRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var want []*Game
	for range 50 {
		want = append(want, randomGame(rng, testSettings))
	}
	data := record(t, testSettings, want)
	r, got, err := readAll(data)
	if err != io.EOF {
		t.Fatalf("after the last game: %v, want EOF", err)
	}
	if r.Settings() != testSettings {
		t.Errorf("settings %+v, want %+v", r.Settings(), testSettings)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the games read are not those written")
	}
	if r.Offset() != int64(len(data)) || r.Games() != len(want) {
		t.Errorf("%d games up to byte %d, want %d up to %d", r.Games(), r.Offset(), len(want), len(data))
	}
}

// TestTruncatedRecord cuts a record at every byte: the games before the cut
// are read, and where they end is known.
func TestTruncatedRecord(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	s := testSettings
	s.Width, s.Height = 5, 5
	games := []*Game{randomGame(rng, s), randomGame(rng, s), randomGame(rng, s)}
	var ends []int
	for n := range len(games) + 1 {
		ends = append(ends, len(record(t, s, games[:n])))
	}
	data := record(t, s, games)
	for cut := ends[0]; cut < len(data); cut++ {
		whole := 0
		for ends[whole+1] <= cut {
			whole++
		}
		r, got, err := readAll(data[:cut])
		if len(got) != whole || int(r.Offset()) != ends[whole] {
			t.Fatalf("cut at %d: %d games up to byte %d, want %d up to %d", cut, len(got), r.Offset(), whole, ends[whole])
		}
		torn := int64(cut - ends[whole])
		if torn == 0 && err != io.EOF || torn > 0 && (!errors.As(err, new(*TornError)) || tornBytes(err) != torn) {
			t.Fatalf("cut at %d: error %v", cut, err)
		}
		// A machine that went down may have left zeros.
		for _, zeros := range []int{1, 40, 5000} {
			_, got, err := readAll(append(slices.Clone(data[:cut]), make([]byte, zeros)...))
			if len(got) > whole && ends[whole+1]-cut <= zeros {
				continue // the byte that was cut off was a zero
			}
			if want := torn + int64(zeros); len(got) != whole || tornBytes(err) != want {
				t.Fatalf("cut at %d, and %d zeros: %d games, error %v, want %d", cut, zeros, len(got), err, want)
			}
		}
	}
}

// tornBytes returns what a TornError says, or 0 for other errors.
func tornBytes(err error) int64 {
	if torn, ok := errors.AsType[*TornError](err); ok {
		return torn.Bytes
	}
	return 0
}

// TestFlippedBit flips every bit of a record, one at a time: the error says
// that it is damaged, and where. It never looks like the end.
func TestFlippedBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	s := testSettings
	s.Width, s.Height = 5, 5
	games := []*Game{randomGame(rng, s), {Plies: []Ply{}}, randomGame(rng, s)}
	var ends []int
	for n := range len(games) + 1 {
		ends = append(ends, len(record(t, s, games[:n])))
	}
	data := record(t, s, games)
	for bit := range 8 * len(data) {
		data[bit/8] ^= 1 << (bit % 8)
		r, got, err := readAll(data)
		if err == nil || err == io.EOF || errors.As(err, new(*TornError)) {
			t.Fatalf("bit %d of byte %d: error %v after %d games", bit%8, bit/8, err, len(got))
		}
		if n := len(got); r != nil {
			if want := fmt.Sprintf("game %d, at byte %d: ", n+1, ends[n]); bit/8 < ends[n] || bit/8 >= ends[n+1] || !strings.Contains(err.Error(), want) {
				t.Fatalf("bit %d of byte %d: error %v after %d games", bit%8, bit/8, err, n)
			}
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
}

// TestMissingGame takes a game out, and writes one twice.
func TestMissingGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	g := []*Game{randomGame(rng, testSettings), randomGame(rng, testSettings), randomGame(rng, testSettings)}
	one, two, all := len(record(t, testSettings, g[:1])), len(record(t, testSettings, g[:2])), record(t, testSettings, g)
	if _, games, err := readAll(slices.Concat(all[:one], all[two:])); len(games) != 1 || !strings.Contains(fmt.Sprint(err), "game 2, at byte") {
		t.Errorf("without game 2: %d games, error %v", len(games), err)
	}
	if _, games, err := readAll(slices.Concat(all[:two], all[one:])); len(games) != 2 || !strings.Contains(fmt.Sprint(err), "game 3, at byte") {
		t.Errorf("with game 2 twice: %d games, error %v", len(games), err)
	}
}

// TestForeignEnd appends data that is not a game, however short: it is not taken
// for a torn game.
func TestForeignEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	games := []*Game{randomGame(rng, testSettings), randomGame(rng, testSettings)}
	data := record(t, testSettings, games)
	for _, end := range []string{"x", "\n", "hello\n", "a line of text and more", "\x01", "\x02\x01"} {
		_, got, err := readAll(append(slices.Clone(data), end...))
		if len(got) != 2 || err == io.EOF || errors.As(err, new(*TornError)) || !strings.Contains(fmt.Sprint(err), "game 3, at byte") {
			t.Errorf("%q: %d games, error %v", end, len(got), err)
		}
	}
}

// TestTablesOnly writes and reads a record that no network made: its form is that of
// version 4.
func TestTablesOnly(t *testing.T) {
	s := testSettings
	s.Net = 0
	g := randomGame(rand.New(rand.NewPCG(9, 10)), s)
	data := record(t, s, []*Game{g})
	if want := len(record(t, testSettings, []*Game{g})) - 4; data[len(magic)-1] != 4 || len(data) != want {
		t.Errorf("version %d, %d bytes, want 4 and %d", data[len(magic)-1], len(data), want)
	}
	r, games, err := readAll(data)
	if err != io.EOF || r.Settings() != s || len(games) != 1 || !reflect.DeepEqual(games[0], g) {
		t.Errorf("settings %+v, %d games, error %v", r.Settings(), len(games), err)
	}
	for cut := range headerSize(tablesOnly) {
		if _, _, err := readAll(data[:cut]); err == nil || err == io.EOF {
			t.Errorf("cut at byte %d: error %v", cut, err)
		}
	}
}

// TestOtherVersions names the version of a record that cannot be read.
func TestOtherVersions(t *testing.T) {
	data := record(t, testSettings, nil)
	data[len(magic)-1] = 3
	if _, _, err := readAll(data); err == nil || !strings.Contains(err.Error(), "version 3") {
		t.Errorf("error %v", err)
	}
}

func TestCorruptRecord(t *testing.T) {
	g := func(change func(*Game)) []byte {
		g := &Game{Opening: 1, Plies: []Ply{{Move: board.Pt(7, 7)}, {Move: board.Pt(8, 8), Score: 3}}, Result: 1}
		change(g)
		return record(t, testSettings, []*Game{g})
	}
	good := g(func(*Game) {})
	badSettings := testSettings
	badSettings.Rule = board.NumRules
	badRule := record(t, badSettings, nil)
	for _, test := range []struct {
		name string
		data []byte
	}{
		{"empty", nil},
		{"magic", append([]byte("x"), good[1:]...)},
		{"rule", badRule},
		{"policy off the board", g(func(g *Game) { g.Plies[1].Policy = []Weight{{board.Pt(15, 1), 1}} })},
		{"policy on a stone", g(func(g *Game) { g.Plies[1].Policy = []Weight{{board.Pt(1, 1), 1}, {board.Pt(7, 7), 1}} })},
		{"policy with a move twice", g(func(g *Game) { g.Plies[1].Policy = []Weight{{board.Pt(1, 1), 1}, {board.Pt(1, 1), 1}} })},
		{"off the board", g(func(g *Game) { g.Plies[1].Move = board.Pt(8, 13) })},
		{"occupied", g(func(g *Game) { g.Plies[1].Move = board.Pt(7, 7) })},
		{"flags", g(func(g *Game) { g.Plies[1].Flags = 128 })},
		{"side line in the opening", g(func(g *Game) { g.Plies[0].Flags = Side })},
		{"side line without an answer", g(func(g *Game) { g.Plies[1].Flags = Side })},
		{"long side line without an answer", g(func(g *Game) {
			g.Plies = append(g.Plies, Ply{Move: 1, Flags: Side})
			g.Plies[1].Flags = Side
		})},
		{"side line with a point twice", g(func(g *Game) {
			g.Plies = append(g.Plies, Ply{Move: g.Plies[1].Move, Flags: Side}, Ply{Move: 2})
			g.Plies[1].Flags = Side
		})},
		{"answer on a point of the side line", g(func(g *Game) {
			g.Plies[1].Flags = Side
			g.Plies = append(g.Plies, Ply{Move: g.Plies[1].Move})
		})},
		{"result", g(func(g *Game) { g.Result = 2 })},
	} {
		if _, games, err := readAll(test.data); err == nil || err == io.EOF || errors.As(err, new(*TornError)) || len(games) > 0 {
			t.Errorf("%s: %d games, error %v", test.name, len(games), err)
		}
	}
	if _, _, err := readAll(good); err != io.EOF {
		t.Errorf("good record: %v", err)
	}
	for _, bad := range []*Game{
		{Opening: 1},
		{Opening: 256, Plies: make([]Ply, 300)},
		{Plies: make([]Ply, 1<<16)},
		{Plies: []Ply{{Policy: make([]Weight, 1<<16)}}},
	} {
		if _, err := AppendGame(nil, 0, bad); err == nil {
			t.Errorf("a game of %d plies, %d of them opening, was recorded", len(bad.Plies), bad.Opening)
		}
	}
}

// FuzzReader feeds the reader anything: it must not panic, and what it accepts
// must be what writing it again gives.
func FuzzReader(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 6))
	data := record(f, testSettings, []*Game{randomGame(rng, testSettings), randomGame(rng, testSettings)})
	f.Add(data)
	f.Add(data[:len(data)-3])
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, games, _ := readAll(data)
		if r == nil {
			return
		}
		if again := record(t, r.Settings(), games); !bytes.Equal(again, data[:r.Offset()]) {
			t.Fatal("a record that was read is written differently")
		}
	})
}
