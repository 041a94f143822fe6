package replay

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"kumiko/engine/board"
)

var testSettings = Settings{Seed: 7, Nodes: 1500, Noise: 80, NoisePlies: 12, Balance: 200,
	Rule: board.Renju, Width: 15, Height: 13}

// randomGame returns a game that a record can hold.
func randomGame(rng *rand.Rand, s Settings) *Game {
	g := &Game{Result: rng.IntN(3) - 1, Plies: []Ply{}}
	points := rng.Perm(int(s.Width) * int(s.Height))
	for _, p := range points[:rng.IntN(len(points)+1)] {
		g.Plies = append(g.Plies, Ply{
			Move:  board.Pt(p%int(s.Width), p/int(s.Width)),
			Score: int16(rng.Uint32()),
			Flags: Flags(rng.IntN(int(allFlags)+1)) &^ Aside,
		})
	}
	g.Opening = rng.IntN(min(len(g.Plies), 255) + 1)
	for i := g.Opening; ; i += 1 + rng.IntN(3) {
		line := 1 + rng.IntN(4)
		if i+line >= len(g.Plies) {
			break
		}
		for range line {
			g.Plies[i].Flags |= Aside
			i++
		}
		// What a line took is free again behind its answer.
		if i+1 < len(g.Plies) && rng.IntN(2) == 0 {
			g.Plies[i].Move = g.Plies[i+1].Move
		}
	}
	return g
}

// record writes games down.
func record(t testing.TB, s Settings, games []*Game) []byte {
	t.Helper()
	data := AppendHeader(nil, s)
	for _, g := range games {
		var err error
		if data, err = AppendGame(data, g); err != nil {
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
		if atEnd := cut == ends[whole]; atEnd && err != io.EOF || !atEnd && !errors.Is(err, ErrTruncated) {
			t.Fatalf("cut at %d: error %v", cut, err)
		}
	}
}

func TestCorruptRecord(t *testing.T) {
	g := func(change func(*Game)) []byte {
		g := &Game{Opening: 1, Plies: []Ply{{Move: board.Pt(7, 7)}, {Move: board.Pt(8, 8), Score: 3}}, Result: 1}
		change(g)
		return record(t, testSettings, []*Game{g})
	}
	good := g(func(*Game) {})
	flipped := bytes.Clone(good)
	flipped[len(flipped)-6] ^= 1
	badRule := bytes.Clone(good)
	badRule[len(magic)+26] = board.NumRules
	for _, test := range []struct {
		name string
		data []byte
	}{
		{"empty", nil},
		{"magic", append([]byte("x"), good[1:]...)},
		{"rule", badRule},
		{"checksum", flipped},
		{"off the board", g(func(g *Game) { g.Plies[1].Move = board.Pt(8, 13) })},
		{"occupied", g(func(g *Game) { g.Plies[1].Move = board.Pt(7, 7) })},
		{"flags", g(func(g *Game) { g.Plies[1].Flags = 128 })},
		{"aside in the opening", g(func(g *Game) { g.Plies[0].Flags = Aside })},
		{"aside without an answer", g(func(g *Game) { g.Plies[1].Flags = Aside })},
		{"line of asides without an answer", g(func(g *Game) {
			g.Plies = append(g.Plies, Ply{Move: 1, Flags: Aside})
			g.Plies[1].Flags = Aside
		})},
		{"asides on one point", g(func(g *Game) {
			g.Plies = append(g.Plies, Ply{Move: g.Plies[1].Move, Flags: Aside}, Ply{Move: 2})
			g.Plies[1].Flags = Aside
		})},
		{"answer on the point of the aside", g(func(g *Game) {
			g.Plies[1].Flags = Aside
			g.Plies = append(g.Plies, Ply{Move: g.Plies[1].Move})
		})},
		{"result", g(func(g *Game) { g.Result = 2 })},
	} {
		if _, games, err := readAll(test.data); err == nil || err == io.EOF || errors.Is(err, ErrTruncated) || len(games) > 0 {
			t.Errorf("%s: %d games, error %v", test.name, len(games), err)
		}
	}
	if _, _, err := readAll(good); err != io.EOF {
		t.Errorf("good record: %v", err)
	}
	if _, err := AppendGame(nil, &Game{Opening: 1}); err == nil {
		t.Error("an opening longer than the game was recorded")
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
