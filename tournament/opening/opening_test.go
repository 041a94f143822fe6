package opening

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kumiko/engine/board"
)

// read is Read with one error for all that is wrong.
func read(file string, text []byte, o Options) ([]Opening, error) {
	list, faults, err := Read(file, text, o)
	return list, errors.Join(append(faults, err)...)
}

func TestFiles(t *testing.T) {
	for _, tt := range []struct {
		file string
		o    Options
		n    int
	}{
		{"freestyle15.pos", Options{Format: Pos, Width: 15, Height: 15}, 160},
		{"freestyle20.pos", Options{Format: Pos, Width: 20, Height: 20}, 106},
		{"standard15.pos", Options{Format: Pos, Width: 15, Height: 15, Rule: board.Standard}, 106},
		{"renju15.pos", Options{Format: Pos, Width: 15, Height: 15, Rule: board.Renju}, 106},
		{"gomocup_2013-2024.offset", Options{Width: 20, Height: 20}, 106}, // of 108: lines 51 and 60 repeat lines 12 and 9
		{"judge_20.offset", Options{Width: 20, Height: 20}, 6},
		{"piskvork.offset", Options{Width: 20, Height: 20}, 41},
		{"g2d_0012.psq", Options{Format: PSQ, Width: 15, Height: 15, Plies: 5}, 1},
	} {
		text, err := os.ReadFile("testdata/" + tt.file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(tt.file, text, tt.o)
		repeats := tt.n == 106 && err != nil && strings.Count(err.Error(), "the same position") == 2 && strings.Count(err.Error(), "\n") == 1
		if err != nil && !repeats || len(got) != tt.n {
			t.Errorf("%s: %d openings, want %d: %v", tt.file, len(got), tt.n, err)
		}
	}
}

// TestOffset has p3 and p4 of the protocol's vectors.
func TestOffset(t *testing.T) {
	for size, want := range map[int][]board.Move{
		20: {board.Pt(10, 10), board.Pt(11, 10), board.Pt(11, 13)},
		15: {board.Pt(7, 7), board.Pt(8, 7), board.Pt(8, 10)},
	} {
		for _, text := range []string{"0,0, 1,0, 1,3,\r\n", "\n\n0,0,1,0,1,3 ,\n", "0,0,1,0,1,3"} {
			got, err := read("a", []byte(text), Options{Width: size, Height: size})
			if err != nil || len(got) != 1 || got[0].Line != 1+strings.Count(text, "\n\n")*2 || !slices.Equal(got[0].Moves, want) {
				t.Errorf("%q: %v, %v, want %v", text, got, err, want)
			}
		}
	}
	for _, bad := range []string{"-9,-9", "0,0, 0,0", "0", "0,,1", ",0,0", "0,x", "8,0", "0,0,0,1,1,0,1,1,2,0,2,1,3,0,3,1,4,0", "99999999999999999999,0"} {
		got, err := read("book", []byte("0,0\n"+bad+"\n"), Options{Width: 15, Height: 15})
		if err == nil || len(got) != 1 || !strings.HasPrefix(err.Error(), "book:2: ") {
			t.Errorf("%q: %v, %v", bad, got, err)
		}
	}
}

// TestRead reads books in every format, and of each of their faults the line.
func TestRead(t *testing.T) {
	const psq = "Piskvorky 15x15, 11:11, 0\n"
	for _, tt := range []struct {
		format Format
		rule   board.Rule
		text   string
		want   string // the openings and faults
	}{
		{Pos, 0, "# a book\n\nh8i9\n  # more\r\nH8 j9\n", "3 h8i9; 5 h8j9"},
		{Pos, 0, "\uFEFFh8\rh9\r\nh10", "1 h8; 2 h9; 3 h10"},
		{Pos, 0, "h8h8\nh16\nh8i\n\x1b[2Jh8\nh9", `5 h9|b:1: h8 is occupied|b:2: h16 is off the 15x15 board|b:3: move 2: invalid point "i", want one such as h8|b:4: move 1: invalid point "\x1b[2", want one such as h8`},
		{Pos, 0, strings.Repeat("h", maxLine+1), "|b:1: line of 16385 bytes is too long for an opening"},
		{Pos, board.Renju, "h8a1i8a2j8a3k8a4l8a5\nh9a1h10o1i8a15j8o15h8", "|b:1: black has won with l8|b:2: h8 is forbidden: double-three"},
		{Offset, 0, "0,0\n0,0,\x1b]0;x\n1,1,1\n-8,0\n,\n" + "0,0,1,1", `1 h8; 6 h8i9|b:2: an odd number of numbers: 3|b:3: an odd number of numbers: 3|b:4: -8,0 from the middle is off the 15x15 board|b:5: no number before comma 1`},
		{Offset, 0, "0,\x1b[1m", `|b:1: invalid distances "0,\x1b[1m", want two numbers`},
		{PSQ, 0, psq + "8,8,0.0\n9,9,0.0\n10,10,1.25\n-1\n", "1 h8i9j10"},
		{PSQ, 0, psq, "|b:1: no moves"},
		{PSQ, 0, psq + "-1\n", `|b:2: no moves: "-1" is none`},
		{PSQ, 0, psq + "8 8 0\n-1\n", `|b:2: invalid move "8 8 0", want one such as 8,8,0`},
		{PSQ, 0, psq + "x\x1b[1m\n", `|b:2: no moves: "x\x1b[1m" is none`},
		{PSQ, 0, psq + "8,8,0\n8,8,0\n", "|b:3: h8 is occupied"},
		{PSQ, 0, "Piskvorky 20x20, 11:11, 0\n8,8,0\n", "|b:1: a game on 20x20, not 15x15"},
		{PSQ, 0, psq + "8,8,0\n1,1,0\n9,8,0\n1,2,0\n10,8,0\n1,3,0\n11,8,0\n1,4,0\n12,8,0\n", "|b:10: black has won with l8"},
		{PSQ, 0, "", `|b:1: invalid header "", want one such as "Piskvorky 20x20, 7:7, 0"`},
		{SGF, 0, "two games (1, 2)\n(;SZ[15];B[hh];W[ii])\n(;SZ[15];B[hh](;W[jj])(;W[kk]))\n", "2 h8i9; 3 h8j10"},
		{SGF, 0, "(;SZ[19];B[hh])\n(;SZ[15])\n(;B[hh])\n(;B[hh])", "3 h8|b:1: a game on 19x19, not 15x15|b:2: no moves|b:4: the same position as in line 3"},
		{SGF, 0, "(;B[hh]\n;W[])", "|b:2: move 2: pass in a game without passes"},
		{SGF, 0, "text", `|b:1: no game: none begins with "(;"`},
	} {
		list, err := read("b", []byte(tt.text), Options{Format: tt.format, Width: 15, Height: 15, Rule: tt.rule})
		var openings []string
		for _, o := range list {
			openings = append(openings, fmt.Sprintf("%d %s", o.Line, text(o.Moves)))
		}
		got := strings.Join(openings, "; ")
		if err != nil {
			got += "|" + strings.ReplaceAll(err.Error(), "\n", "|")
		}
		if got != tt.want {
			t.Errorf("%v %.60q:\ngot  %s\nwant %s", tt.format, tt.text, got, tt.want)
		}
	}
}

// TestReadAllocates keeps the loading of large books fast: 300,000 openings
// took a minute when each had a board of its own.
func TestReadAllocates(t *testing.T) {
	const n = 2000
	var book strings.Builder
	for i := range n {
		fmt.Fprintf(&book, "h8i%d%c%d%c%d\n", 1+i%8, 'a'+i/8%15, 10+i/120%6, 'j'+i/720%6, 1+i/8%8)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	list, err := read("b", []byte(book.String()), Options{Format: Pos, Width: 15, Height: 15})
	runtime.ReadMemStats(&after)
	if err != nil || len(list) != n {
		t.Fatalf("%d openings, %v", len(list), err)
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / n; each > 500 {
		t.Errorf("%d bytes allocated for each opening, want at most 500", each)
	}
}

func BenchmarkRead(b *testing.B) {
	text, err := os.ReadFile("testdata/freestyle15.pos")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := read("b", text, Options{Format: Pos, Width: 15, Height: 15}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDuplicates has the same three stones in two orders, then others.
func TestDuplicates(t *testing.T) {
	got, err := read("b", []byte("h8i7j9\nj9i7h8\nh8j9i7\nh8i7\nh8g9f7"), Options{Format: Pos, Width: 15, Height: 15})
	if err == nil || err.Error() != "b:2: the same position as in line 1" || len(got) != 4 {
		t.Fatalf("%v, %v", got, err)
	}
	if a, b := got[0].Canonical(15, 15), got[3].Canonical(15, 15); a != b { // mirrored in both directions
		t.Errorf("%q and %q are not the same", a, b)
	}
	if a, b := got[0].Canonical(15, 15), got[1].Canonical(15, 15); a == b {
		t.Errorf("other colors, but both are %q", a)
	}
}

func TestTransform(t *testing.T) {
	p := Opening{1, []board.Move{board.Pt(0, 0), board.Pt(1, 2)}}
	for sym := range board.Symmetries(15, 15) {
		if got := p.Transform(15, 15, sym).Transform(15, 15, board.InverseSymmetry(sym)); !slices.Equal(got.Moves, p.Moves) {
			t.Errorf("symmetry %d: %v", sym, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("0,0, 1,0, 1,3,"))
	f.Add([]byte("h8i7j9"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for format := range Format(numFormats) {
			o := Options{Format: format, Width: 15, Height: 12, Rule: board.Renju}
			got, _ := read("f", text, o)
			for _, p := range got {
				o.Format = Offset
				again, err := read("f", []byte(p.Format(Offset, 15, 12)), o)
				if len(p.Moves) > 0 && (err != nil || len(again) != 1 || !slices.Equal(again[0].Moves, p.Moves)) {
					t.Fatal(p, again, err)
				}
			}
		}
	})
}
