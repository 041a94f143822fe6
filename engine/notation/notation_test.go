package notation

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
)

func ExampleReadPSQ() {
	game, err := ReadPSQ([]byte("Piskvorky 20x20, 7:7, 0\r\n10,10,456\r\n11,12,4500\r\npisq7.exe\r\nrenjusolver.ZIP\r\n0\r\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	names, _ := game.Names()
	fmt.Printf("%s and %s on %dx%d\n", names[0], names[1], game.Width, game.Height)
	for i, ply := range game.Plies {
		fmt.Printf("%v %v in %v\n", board.Color(i%2), ply.Move, ply.Time)
	}
	// Output:
	// pisq7.exe and renjusolver.ZIP on 20x20
	// black j10 in 456ms
	// white k12 in 4.5s
}

func ExampleReadSGF() {
	games, err := ReadSGF([]byte("From my collection (1):\n(;GM[4]SZ[15]PB[me];B[hh];W[ii](;B[jg])(;B[gj]))"), FromTop)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, game := range games {
		fmt.Println(game.Width, FormatPosition(Moves(game.Plies), game.Height, FromTop))
	}
	// Output:
	// 15 h8i9j7
}

func TestReadPSQFiles(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.psq")
	if len(files) != 5 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g, err := ReadPSQ(text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if again, err := AppendPSQ(nil, g); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%s: written again as %q, %v", file, again, err)
		}
	}
}

// TestPSQ is p1 of the protocol's vectors.
func TestPSQ(t *testing.T) {
	g, err := ReadPSQ([]byte("Piskvorky 20x20, 7:7, 0\r\n10,10,456\r\n11,12,4500\r\npisq7.exe\r\nrenjusolver.ZIP\r\n0\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Ply{{board.Pt(9, 9), 456 * time.Millisecond, ""}, {board.Pt(10, 11), 4500 * time.Millisecond, ""}}
	names, named := g.Names()
	code, ended := g.Code()
	if g.Width != 20 || g.Height != 20 || !slices.Equal(g.Plies, want) || !named || names[1] != "renjusolver.ZIP" || !ended || code != 0 {
		t.Errorf("read %+v", g)
	}
}

// TestPSQLines reads lines that Piskvork's scanf reads, and others that end the
// moves or show that the record is damaged.
func TestPSQLines(t *testing.T) {
	const header = "Piskvorky 15x15, 11:11, 0\n"
	h8, i9 := Ply{board.Pt(7, 7), 0, ""}, Ply{board.Pt(8, 8), 1250 * time.Millisecond, ""}
	untimed := Ply{board.Pt(7, 7), NoTime, ""}
	for _, tt := range []struct {
		text string
		want []Ply
		tail int
	}{
		{header, nil, 0},
		{header + "8,8,0\n9,9,1250\n-1\n", []Ply{h8, i9}, 1},
		{header + "8,8,0.0\n9,9,1250.75\n-1\n", []Ply{h8, i9}, 1},
		{header + "8,8\n", []Ply{untimed}, 0},
		{header + "8,8,\n", []Ply{untimed}, 0},
		{header + " 8 , 8 , 0 \r\n9,9,1250,7\r\n", []Ply{h8, i9}, 0},
		{"\uFEFF" + header + "8,8,0", []Ply{h8}, 0},
		{header + "8,8,0\n1.0\n2.0\n0\n", []Ply{h8}, 3}, // valid engine names
		{header + "8,8,0\na,b\n\n-1\n2,Gomocup 2020\n", []Ply{h8}, 4},
	} {
		g, err := ReadPSQ([]byte(tt.text))
		if err != nil || !slices.Equal(g.Plies, tt.want) || len(g.Tail) != tt.tail {
			t.Errorf("%q: %+v, %v", tt.text, g, err)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"", "line 1: invalid header"},
		{"8,8,0\n", "line 1: invalid header"},
		{"Piskvorky 15x15, -1:0, 0\n", `line 1: invalid number "-1"`},
		{"Piskvorky 4x4", "line 1: board size 4x4"},
		{"Piskvorky 15x15, 0:0, 2\n", "line 1: invalid starter 2"},
		{header + "16,1\n", "line 2: column 16, row 1"},
		{header + "1,1\n1,1\n", "line 3: a1 is occupied"},
		{header + "1,1,0\nx\n2,2,0\n", "line 4: a move after the end"},
		{header + "1,1,-5\n", "line 2: invalid time of -5 ms"},
		{header + "8 8 0\n", `line 2: invalid move "8 8 0"`},
		{header + "8,8,0\n9;9;0\n-1\n", `line 3: invalid move "9;9;0"`},
		{header + "8.0,8.0\n", `line 2: invalid move "8.0,8.0"`},
	} {
		if g, err := ReadPSQ([]byte(tt.text)); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: %+v, error %v, want %s", tt.text, g, err, tt.want)
		}
	}
}

// TestPosition is p5.
func TestPosition(t *testing.T) {
	for rows, want := range map[Rows][]board.Move{
		FromTop:    {board.Pt(7, 7), board.Pt(8, 6), board.Pt(9, 8)},
		FromBottom: {board.Pt(7, 7), board.Pt(8, 8), board.Pt(9, 6)},
	} {
		got, err := ParsePosition("h8I7 j9", 15, 15, rows)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("rows %d: %v, %v", rows, got, err)
		}
	}
	for _, bad := range []string{"h", "8", "h0", "h16", "p1", "h8h8", "h8-", "h99999999999999999999"} {
		if got, err := ParsePosition(bad, 15, 15, FromBottom); err == nil {
			t.Errorf("%q read as %v", bad, got)
		}
	}
}

// TestSGF reads one game or several with what real files have around and in
// them. Moves are written as points from the top.
func TestSGF(t *testing.T) {
	for _, tt := range []struct {
		text string
		rows Rows
		want []string // width, height, moves
	}{
		{"(;FF[4]GM[4]SZ[15]C[a\\]b];B[hh]C[12ms](;W[ii])(;W[jj]))", FromTop, []string{"15x15 h8i9"}},
		{"(;SZ[15];B[h8];W[i7])", FromBottom, []string{"15x15 h8i9"}},
		{"\uFEFF(;B[hh])", FromTop, []string{"15x15 h8"}},
		{"exported by foo (v1)\n(;SZ[15];B[hh];W[ii])", FromTop, []string{"15x15 h8i9"}},
		{"a) (b) ((c) ( \r\n ;SZ[15]\n;B [hh]\n)", FromTop, []string{"15x15 h8"}},
		{"(;SZ[15];B[hh])\n(;SZ[20];B[tt];W[aa])(;)", FromTop, []string{"15x15 h8", "20x20 t20a1", "15x15 "}},
		{"one (1):(;B[aa];W[bb](;B[cc](;W[dd])(;W[ee]))(;B[ff])) two (2): (;B[gg])", FromTop, []string{"15x15 a1b2c3d4", "15x15 g7"}},
		{"(;PB[a\\](;b\\\\](;B[hh]))(;B[ii])", FromTop, []string{"15x15 h8", "15x15 i9"}},
		{"(;SZ[20:12];B[ta];W[al])", FromTop, []string{"20x12 t1a12"}},
		{"(;SZ[ 12x20 ];B[la])", FromTop, []string{"12x20 l1"}},
		{"(;SZ[32];B[FF];W[Aa])", FromTop, []string{"32x32 af32aa1"}},
		{"(;GaMe[4]SiZe[15]Black[hh];White[ii])", FromTop, []string{"15x15 h8i9"}},
		{"(;B[hh]C[so (;W[aa\\]) it \\\ngoes])", FromTop, []string{"15x15 h8"}},
	} {
		games, err := ReadSGF([]byte(tt.text), tt.rows)
		var got []string
		for _, g := range games {
			got = append(got, fmt.Sprintf("%dx%d %s", g.Width, g.Height, FormatPosition(Moves(g.Plies), g.Height, FromTop)))
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, %v, want %q", tt.text, got, err, tt.want)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"", "line 1: no game"},
		{"(", "line 1: no game"},
		{"()", "line 1: no game"},
		{"(B[hh])", "line 1: no game"},
		{"(;B[hh];B[ii])", "line 1: move 2: invalid move B"},
		{"(;W[hh])", "line 1: move 1: invalid move W"},
		{"\n(;B[hh]\n;W[])", "line 3: move 2: pass in a game without passes"},
		{"(;SZ[15];B[tt])", "line 1: move 1: pass in a game without passes"},
		{"(;SZ[15];B[pp])", "line 1: move 1: column 16"},
		{"(;SZ[15];B[p1])", "line 1: move 1: column 16"},
		{"(;SZ[15];B[h 8])", `line 1: move 1: invalid point "h 8"`},
		{"(;SZ[15];B[hhh])", `line 1: move 1: invalid point "hhh"`},
		{"(;SZ[nineteen])", "line 1: SZ: invalid board size"},
		{"\n\n(;SZ[99])", "line 3: SZ: board size 99x99"},
		{"(;B[hh", "line 1: unterminated value"},
		{"(;B[hh\\", "line 1: unterminated value"},
		{"(;B[hh]\n;W[ii]\n", "line 3: unterminated game tree"},
		{"(;B[hh])\n(;B[ii]x[a])", `line 2: property "" has no name`},
		{"(;AB[hh][ii])", "line 1: move 1: AB sets up"},
		{"(;B[hh];W[hh])", "line 1: move 2: h8 is occupied"},
		{"(;B[hh][ii])", "line 1: move 1: invalid move B"},
	} {
		if games, err := ReadSGF([]byte(tt.text), FromTop); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: %d games, error %v, want %s", tt.text, len(games), err, tt.want)
		}
	}
	games, err := ReadSGF([]byte("(;C[a\\]b\\\\];B[h8]C[opening move];W[i9]C[12ms, depth 3];B[j9]C[7 of 12ms])"), FromTop)
	if err != nil {
		t.Fatal(err)
	}
	g := games[0]
	want := []Ply{{board.Pt(7, 7), 0, ""}, {board.Pt(8, 8), 12 * time.Millisecond, "depth 3"}, {board.Pt(9, 8), NoTime, ""}}
	if c, _ := g.Info.Get("C"); c != `a]b\` || g.Opening != 1 || g.Form != Algebraic || !slices.Equal(g.Plies, want) {
		t.Errorf("comment %q, game %+v", c, g)
	}
}

// TestRoundTrips writes random games in every form and reads them again.
func TestRoundTrips(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		w, h := 5+r.IntN(28), 5+r.IntN(28)
		var plies []Ply
		for _, p := range r.Perm(w * h)[:r.IntN(60)%(w*h)] {
			p := Ply{board.Pt(p%w, p/w), NoTime, ""}
			if n := r.IntN(3000); n > 0 {
				p.Time = time.Duration(n) * time.Millisecond
			}
			plies = append(plies, p)
		}
		psq := NewPSQ(w, h, plies, "a b", "c", -1)
		text, err := AppendPSQ(nil, psq)
		if got, errRead := ReadPSQ(text); err != nil || errRead != nil || !reflect.DeepEqual(got, psq) {
			t.Fatalf("%q: %v, %v", text, err, errRead)
		}
		for _, rows := range []Rows{FromTop, FromBottom} {
			s := FormatPosition(Moves(plies), h, rows)
			if got, err := ParsePosition(s, w, h, rows); err != nil || !slices.Equal(got, Moves(plies)) {
				t.Fatalf("%s: %v, %v", s, got, err)
			}
			for _, form := range []Form{Letters, Algebraic} {
				sgf := NewSGF(w, h, slices.Clone(plies), 0, `a]\`, "b:c", "B+1", 4, time.Unix(0, 0))
				sgf.Line = 1
				if len(plies) > 0 {
					sgf.Form = form
				}
				for i := range sgf.Plies {
					if sgf.Plies[i].Time >= 0 && r.IntN(2) == 0 {
						sgf.Plies[i].Note = "depth 3, score [+M7]"
					}
				}
				text, err := AppendSGF(nil, sgf, rows)
				if got, errRead := ReadSGF(text, rows); err != nil || errRead != nil || len(got) != 1 || !reflect.DeepEqual(got[0], sgf) {
					t.Fatalf("%q: %v, %v", text, err, errRead)
				}
			}
		}
	}
}

// TestWriteRefused writes what the forms cannot hold.
func TestWriteRefused(t *testing.T) {
	h8 := Ply{board.Pt(7, 7), NoTime, ""}
	for _, plies := range [][]Ply{
		{h8, h8}, {{board.NoMove, NoTime, ""}}, {{board.Pt(15, 0), NoTime, ""}}, {{board.Pt(7, 7), NoTime, "note"}},
	} {
		if text, err := AppendPSQ(nil, NewPSQ(15, 15, plies, "a", "b", 0)); err == nil || text != nil {
			t.Errorf("%v: written as %q", plies, text)
		}
		if text, err := AppendSGF(nil, NewSGF(15, 15, plies, 0, "a", "b", "0", 0, time.Now()), FromTop); err == nil || text != nil {
			t.Errorf("%v: written as %q", plies, text)
		}
	}
	for _, name := range []string{"7,7,7", "8,8", "9 9 0", "a\nb"} {
		if text, err := AppendPSQ(nil, NewPSQ(15, 15, nil, name, "b", 0)); err == nil {
			t.Errorf("%q: written as %q", name, text)
		}
	}
}

func FuzzReadPSQ(f *testing.F) {
	f.Add([]byte("Piskvorky 20x20, 7:7, 0\r\n10,10,456\r\n11,12,0.5\r\na\r\nb\r\n-1"))
	f.Add([]byte("Piskvorky 15x15\n1,1\n2,2,"))
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := ReadPSQ(text)
		if err != nil {
			return
		}
		g.Names()
		g.Code()
		out, err := AppendPSQ(nil, g)
		if err != nil {
			return // not everything that is read can be told apart when written
		}
		if again, err := ReadPSQ(out); err != nil || !reflect.DeepEqual(again.Plies, g.Plies) {
			t.Fatalf("%q: %v", out, err)
		}
	})
}

func FuzzReadSGF(f *testing.F) {
	f.Add([]byte("(;SZ[15];B[hh];W[h9]C[12ms, depth 3](;B[aa])(;B[bb]))"))
	f.Add([]byte("(a) (;SZ[20:15]C[x\\]y]\n;B[t1]C[opening move])(;SZ[9]B[aa])"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if trees, err := readTrees(text); err == nil {
			for _, tree := range trees {
				out, err := appendNodes(nil, tree.nodes)
				if err != nil {
					t.Fatal(err)
				}
				if again, err := readTrees(out); err != nil || len(again) != 1 || !reflect.DeepEqual(again[0].nodes, tree.nodes) {
					t.Fatalf("%q: %v", out, err)
				}
			}
		}
		games, err := ReadSGF(text, FromBottom)
		if err != nil {
			return
		}
		for _, g := range games {
			if g.Line < 1 || g.Line > 1+bytes.Count(text, []byte("\n")) {
				t.Fatalf("a game on line %d", g.Line)
			}
			out, err := AppendSGF(nil, g, FromBottom)
			if err != nil {
				t.Fatal(err)
			}
			again, err := ReadSGF(out, FromBottom)
			if err != nil || len(again) != 1 || !slices.Equal(again[0].Plies, g.Plies) {
				t.Fatalf("%q: %v", out, err)
			}
		}
	})
}

func FuzzParsePosition(f *testing.F) {
	f.Add("h8i7j9")
	f.Add("H8 aa1")
	f.Fuzz(func(t *testing.T, text string) {
		moves, err := ParsePosition(text, 20, 15, FromBottom)
		if err != nil {
			return
		}
		if again, err := ParsePosition(FormatPosition(moves, 15, FromBottom), 20, 15, FromBottom); err != nil || !slices.Equal(again, moves) {
			t.Fatal(again, err)
		}
	})
}
