package notation

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"kumiko/engine/board"
)

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
	want := []Ply{{board.Pt(9, 9), 456 * time.Millisecond}, {board.Pt(10, 11), 4500 * time.Millisecond}}
	names, named := g.Names()
	code, ended := g.Code()
	if g.Width != 20 || g.Height != 20 || !slices.Equal(g.Plies, want) || !named || names[1] != "renjusolver.ZIP" || !ended || code != 0 {
		t.Errorf("read %+v", g)
	}
	for _, bad := range []string{"", "Piskvorky 4x4", "Piskvorky 15x15, 0:0, 0\n16,1\n", "Piskvorky 15x15, 0:0, 0\n1,1\n1,1\n",
		"Piskvorky 15x15, 0:0, 0\n1,1,0\nx\n2,2,0\n", "Piskvorky 15x15, 0:0, 0\n1,1,-5\n"} {
		if g, err := ReadPSQ([]byte(bad)); err == nil {
			t.Errorf("%q read as %+v", bad, g)
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

func TestSGF(t *testing.T) {
	text := "(;FF[4]GM[4]SZ[15]C[a\\]b];B[hh]C[12ms](;W[ii])(;W[jj]))"
	g, err := ReadSGF([]byte(text), FromTop)
	if err != nil || len(g.Plies) != 2 || g.Plies[0] != (Ply{board.Pt(7, 7), 12 * time.Millisecond}) || g.Plies[1].Move != board.Pt(8, 8) {
		t.Errorf("%+v, %v", g, err)
	}
	if c, _ := g.Info.Get("C"); c != "a]b" {
		t.Errorf("comment %q", c)
	}
	g, err = ReadSGF([]byte("(;SZ[15];B[h8];W[i7])"), FromBottom)
	if err != nil || g.Plies[1].Move != board.Pt(8, 8) || g.Form != Algebraic {
		t.Errorf("%+v, %v", g, err)
	}
	for _, bad := range []string{"", "(", "()", "(;B[hh];B[ii])", "(;B[])", "(;SZ[15];B[pp])", "(;B[hh", "(;AB[hh])", "(;B[hh];W[hh])", "(;B[hh\\"} {
		if g, err := ReadSGF([]byte(bad), FromTop); err == nil {
			t.Errorf("%q read as %+v", bad, g)
		}
	}
}

// TestRoundTrips writes random games in every form and reads them again.
func TestRoundTrips(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		w, h := 5+r.IntN(28), 5+r.IntN(28)
		var plies []Ply
		for _, p := range r.Perm(w * h)[:r.IntN(60)%(w*h)] {
			plies = append(plies, Ply{board.Pt(p%w, p/w), time.Duration(r.IntN(3000)-1).Truncate(1) * time.Millisecond})
			if last := &plies[len(plies)-1]; last.Time < 0 {
				last.Time = NoTime
			}
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
				sgf := NewSGF(w, h, plies, 0, `a]\`, "b:c", "B+1", 4, time.Unix(0, 0))
				if len(plies) > 0 {
					sgf.Form = form
				}
				text, err := AppendSGF(nil, sgf, rows)
				if got, errRead := ReadSGF(text, rows); err != nil || errRead != nil || !reflect.DeepEqual(got, sgf) {
					t.Fatalf("%q: %v, %v", text, err, errRead)
				}
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("Piskvorky 20x20, 7:7, 0\r\n10,10,456\r\n"))
	f.Add([]byte("(;SZ[15];B[hh];W[h9]C[12ms](;B[aa])(;B[bb]))"))
	f.Add([]byte("h8i7j9"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if g, err := ReadPSQ(text); err == nil {
			if out, err := AppendPSQ(nil, g); err == nil {
				if again, err := ReadPSQ(out); err != nil || !reflect.DeepEqual(again.Plies, g.Plies) {
					t.Fatalf("%q: %v", out, err)
				}
			}
		}
		if nodes, err := ReadNodes(text); err == nil {
			out, err := AppendNodes(nil, nodes)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := ReadNodes(out); err != nil || !reflect.DeepEqual(again, nodes) {
				t.Fatalf("%q: %v", out, err)
			}
		}
		_, _ = ReadSGF(text, FromBottom)
		if moves, err := ParsePosition(string(text), 20, 15, FromBottom); err == nil {
			if again, err := ParsePosition(FormatPosition(moves, 15, FromBottom), 20, 15, FromBottom); err != nil || !slices.Equal(again, moves) {
				t.Fatal(again, err)
			}
		}
	})
}
