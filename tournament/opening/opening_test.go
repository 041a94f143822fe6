package opening

import (
	"os"
	"slices"
	"strings"
	"testing"

	"kumiko/engine/board"
)

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
		{"gomocup_2013-2024.offset", Options{Width: 20, Height: 20}, 108},
		{"judge_20.offset", Options{Width: 20, Height: 20}, 6},
		{"piskvork.offset", Options{Width: 20, Height: 20}, 41},
		{"g2d_0012.psq", Options{Format: PSQ, Width: 15, Height: 15, Plies: 5}, 1},
	} {
		text, err := os.ReadFile("testdata/" + tt.file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(tt.file, text, tt.o)
		if err != nil || len(got) != tt.n {
			t.Errorf("%s: %d openings, want %d: %v", tt.file, len(got), tt.n, err)
		}
	}
}

// TestOffset has p3 and p4 of the protocol's vectors.
func TestOffset(t *testing.T) {
	text := []byte("0,0, 1,0, 1,3,\r\n\n0,0,1,0,1,3 ,\n0,0,1,0,1,3")
	for size, want := range map[int][]board.Move{
		20: {board.Pt(10, 10), board.Pt(11, 10), board.Pt(11, 13)},
		15: {board.Pt(7, 7), board.Pt(8, 7), board.Pt(8, 10)},
	} {
		got, err := Read("a", text, Options{Width: size, Height: size})
		if err != nil || len(got) != 3 || got[2].Line != 4 {
			t.Fatalf("%v, %v", got, err)
		}
		for _, p := range got {
			if !slices.Equal(p.Moves, want) {
				t.Errorf("%v, want %v", p.Moves, want)
			}
		}
	}
	for _, bad := range []string{"-9,-9", "0,0, 0,0", "0", "0,,1", ",0,0", "0,x", "8,0", "0,0,0,1,1,0,1,1,2,0,2,1,3,0,3,1,4,0", "99999999999999999999,0"} {
		got, err := Read("book", []byte("0,0\n"+bad+"\n"), Options{Width: 15, Height: 15})
		if err == nil || len(got) != 1 || !strings.HasPrefix(err.Error(), "book:2: ") {
			t.Errorf("%q: %v, %v", bad, got, err)
		}
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
			got, _ := Read("f", text, o)
			for _, p := range got {
				o.Format = Offset
				again, err := Read("f", []byte(FormatOffset(p.Moves, 15, 12)), o)
				if len(p.Moves) > 0 && (err != nil || len(again) != 1 || !slices.Equal(again[0].Moves, p.Moves)) {
					t.Fatal(p, again, err)
				}
			}
		}
	})
}
