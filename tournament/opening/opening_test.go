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
		{"gomocup_2013-2024.offset", Options{Width: 20, Height: 20}, 106}, // of 108: lines 51 and 60 repeat lines 12 and 9
		{"judge_20.offset", Options{Width: 20, Height: 20}, 6},
		{"piskvork.offset", Options{Width: 20, Height: 20}, 41},
		{"g2d_0012.psq", Options{Format: PSQ, Width: 15, Height: 15, Plies: 5}, 1},
	} {
		text, err := os.ReadFile("testdata/" + tt.file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(tt.file, text, tt.o)
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
			got, err := Read("a", []byte(text), Options{Width: size, Height: size})
			if err != nil || len(got) != 1 || got[0].Line != 1+strings.Count(text, "\n\n")*2 || !slices.Equal(got[0].Moves, want) {
				t.Errorf("%q: %v, %v, want %v", text, got, err, want)
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

// TestDuplicates has the same three stones in two orders, then others.
func TestDuplicates(t *testing.T) {
	got, err := Read("b", []byte("h8i7j9\nj9i7h8\nh8j9i7\nh8i7\nh8g9f7"), Options{Format: Pos, Width: 15, Height: 15})
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
