package board

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// mustParse reads a valid picture.
func mustParse(t testing.TB, rule Rule, picture string) *Board {
	t.Helper()
	b, err := Parse(rule, picture)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestString(t *testing.T) {
	b, err := New(6, 5, Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Setup([]Stone{{Pt(1, 1), BlackStone}, {Pt(3, 3), DeadStone}, {Pt(0, 4), WhiteStone}}, Black); err != nil {
		t.Fatal(err)
	}
	b.Place(Pt(5, 0))
	b.Place(Pt(2, 2))
	const want = `   a b c d e f
 1 . . . . . X
 2 . X . . . .
 3 . . o . . .
 4 . . . # . .
 5 O . . . . .
black to move
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestParse(t *testing.T) {
	const want = `   a b c d e
 1 . . . . .
 2 . X . . .
 3 . . O . .
 4 . . . # .
 5 . . . . X
 6 . . . . .
white to move
`
	for _, picture := range []string{
		want,
		".....\n.X...\n..O..\n...#.\n....X\n.....",
		"\n. . . . .\r\n. x . . .\r\n. . o . .\n\t. . . # .\n. . . . x\n. . . . .\n\n",
		"1 ..... 1\n2 .X... 2\n3..O..3\n4...#.4\n....X 5\n6 .....\n",
		"A B C D E\n. . . . .\n. X . . .\n. . O . .\n. . . # .\n. . . . X\n. . . . .\na b c d e",
		"white to move\n.....\n.X...\n..O..\n...#.\n....X\n.....",
	} {
		b, err := Parse(Renju, picture)
		if err != nil {
			t.Errorf("%q: %v", picture, err)
			continue
		}
		if got := b.String(); got != want {
			t.Errorf("%q is read as\n%s\nwant\n%s", picture, got, want)
		}
		if b.Ply() != 0 || b.Rule() != Renju {
			t.Errorf("%q: %d moves played, rule %v", picture, b.Ply(), b.Rule())
		}
	}
}

func TestParseSide(t *testing.T) {
	rows := strings.Repeat(".....\n", 4)
	for _, tt := range []struct {
		picture string
		side    Color
	}{
		{rows + ".....", Black},
		{rows + "...X.", White},
		{rows + "..O..", White},
		{rows + ".XO..", Black},
		{rows + ".XO#.", Black}, // a dead stone is nobody's
		{rows + ".XX..", Black},
		{rows + ".XX..\nwhite to move", White},
		{rows + ".X...\n  black to move \n", Black},
	} {
		if got := mustParse(t, Standard, tt.picture).Side(); got != tt.side {
			t.Errorf("%v to move, want %v in\n%s", got, tt.side, tt.picture)
		}
	}
}

func TestParseErrors(t *testing.T) {
	rows := func(n int) string { return strings.Repeat(".....\n", n) }
	for _, tt := range []struct{ picture, want string }{
		{"", "without a row"},
		{"black to move", "without a row"},
		{rows(2) + "..Q..\n" + rows(2), "line 3, column 3: invalid point 'Q'"},
		{rows(2) + "  . . é . .\n" + rows(2), "line 3, column 7: "},
		{rows(4) + "....", "line 5, column 5: a row of 4 points, want 5"},
		{rows(4) + ". . . . . .", "line 5, column 11: more than 5 points"},
		{rows(4) + "6 .....", "line 5, column 1: row number 6, want 5"},
		{rows(4) + "5 ..... 4", "line 5, column 9: row number 4, want 5"},
		{rows(4) + "5 ..... 5 X", `line 5, column 10: " X" after`},
		{rows(4) + "05 .....", "line 5, column 1: row number 05, want 5"},
		{rows(4) + "5", "line 5, column 2: a row of 0 points, want 5"},
		{"1", "line 1, column 2: a row of 0 points, want 5"},
		{"a b c d\n" + rows(5), "line 1, column 1: 4 columns are named, but the rows have 5"},
		{"\n  a b d d e\n" + rows(5), `line 2, column 7: "d", want a column name`},
		{"a b c d e\n" + rows(5) + "a b c d e f", "line 7, column 1: 6 columns are named, but 5 in line 1"},
		{"a b c d e\n" + rows(5) + "abcde", `line 7, column 1: "abcde", want a column name`},
		{"black to move\n" + rows(5) + "white to move", "line 7, column 1: duplicate side to move"},
		{rows(5) + "red to move", `line 6, column 1: "red to move"`},
		{rows(4), "size 5x4"},
		{rows(33), "line 33, column 1: more than 32 rows"},
		{strings.Repeat(".", 33), "line 1, column 33: more than 32 points"},
	} {
		b, err := Parse(Freestyle, tt.picture)
		if err == nil {
			t.Errorf("%q is read as\n%v", tt.picture, b)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %q, want %q", tt.picture, err, tt.want)
		}
	}
}

// Parse reads what String draws.
func TestParseString(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for w := MinSize; w <= MaxSize; w++ {
		h := MinSize + rng.IntN(MaxSize-MinSize+1)
		b, err := New(w, h, Freestyle)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Setup(randomStones(rng, w, h, rng.IntN(10)), Color(rng.IntN(2))); err != nil {
			t.Fatal(err)
		}
		checkParseString(t, b)
	}
}

func checkParseString(t *testing.T, b *Board) {
	t.Helper()
	again, err := Parse(b.Rule(), b.String())
	if err != nil {
		t.Fatalf("%v\n%v", err, b)
	}
	if again.String() != b.String() || again.Hash() != b.Hash() {
		t.Errorf("drawn\n%v\nread\n%v", b, again)
	}
}

func FuzzParsePicture(f *testing.F) {
	for _, s := range []string{
		"", ".....\n.....\n.....\n.....\n.....",
		"   a b c d e\n 1 . . . . .\n 2 . X . . .\n 3 . . o . .\n 4 . . . # .\n 5 . . . . .\nblack to move\n",
		".....\n.....\n..O..\n.....\n.....\nwhite to move",
		"1.....1\n2XO#..2\r\n", "a b c\n", "aa ab", "0", "12345678901234567890", ". to move", "\x00\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if b, err := Parse(Standard, s); err == nil {
			checkParseString(t, b)
		} else if b != nil {
			t.Errorf("board %v, error %v", b, err)
		}
	})
}
