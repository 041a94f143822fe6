package board

import (
	"os"
	"strings"
	"testing"
)

// A foulPicture is a record of testdata/fouls.txt.
type foulPicture struct {
	name  string
	point Move
	foul  string // what point is
	rows  string
}

func readFoulPictures(t testing.TB) []foulPicture {
	t.Helper()
	data, err := os.ReadFile("testdata/fouls.txt")
	if err != nil {
		t.Fatal(err)
	}
	var pictures []foulPicture
	for record := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		if strings.HasPrefix(record, "#") {
			continue
		}
		head, rows, _ := strings.Cut(record, "\n")
		f := strings.Fields(head)
		pictures = append(pictures, foulPicture{f[0], mustMove(t, f[1]), f[2], strings.TrimSpace(rows)})
	}
	return pictures
}

// drawFouls draws b without its edges, every foul as 3, 4 or 6.
func drawFouls(b *Board, foul func(Move) Foul) string {
	var rows []string
	for y := range b.Height() {
		var row []string
		for x := range b.Width() {
			m := Pt(x, y)
			sign := cellRunes[b.At(m):][:1]
			if b.Empty(m) {
				sign = [...]string{NoFoul: ".", DoubleThree: "3", DoubleFour: "4", Overline: "6"}[foul(m)]
			}
			row = append(row, sign)
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return strings.Join(rows, "\n")
}

func TestFoulPictures(t *testing.T) {
	for _, p := range readFoulPictures(t) {
		b := mustParse(t, Renju, strings.NewReplacer("3", ".", "4", ".", "6", ".").Replace(p.rows))
		if got := b.Foul(p.point).String(); got != p.foul {
			t.Errorf("%s: %v is %s, want %s\n%v", p.name, p.point, got, p.foul, b)
		}
		if got := drawFouls(b, b.Foul); got != p.rows {
			t.Errorf("%s: got\n%s\nwant\n%s", p.name, got, p.rows)
		}
		twin := naiveOf(b)
		if got := drawFouls(b, func(m Move) Foul { return twin.foul(point{m.X(), m.Y()}) }); got != p.rows {
			t.Errorf("%s: the twin says\n%s\nwant\n%s", p.name, got, p.rows)
		}
		for rule := range Rule(NumRules) {
			if rule == Renju {
				continue
			}
			b.SetRule(rule)
			if got := drawFouls(b, b.Foul); strings.ContainsAny(got, "346") {
				t.Errorf("%s: fouls under %v:\n%s", p.name, rule, got)
			}
		}
	}
}

// Only black can foul, whoever is to move.
func TestFoulAndSide(t *testing.T) {
	const rows = `
		. . . . . . .
		. . . X . . .
		. . . X . . .
		. X X . . . .
		. . . . . . .
		. . . . . . .
		. . . . . . .`
	m := mustMove(t, "d4")
	for _, tt := range []struct {
		rule  Rule
		side  string
		foul  Foul
		legal bool
	}{
		{Renju, "black", DoubleThree, false},
		{Renju, "white", DoubleThree, true},
		{Standard, "black", NoFoul, true},
		{Freestyle, "black", NoFoul, true},
		{Caro6, "white", NoFoul, true},
	} {
		b := mustParse(t, tt.rule, rows+"\n"+tt.side+" to move")
		if got := b.Foul(m); got != tt.foul {
			t.Errorf("%v, %s to move: foul %v, want %v", tt.rule, tt.side, got, tt.foul)
		}
		if got := b.Legal(m); got != tt.legal {
			t.Errorf("%v, %s to move: legal %v, want %v", tt.rule, tt.side, got, tt.legal)
		}
	}
}

func BenchmarkFoul(b *testing.B) {
	for _, p := range readFoulPictures(b) {
		if p.foul == "none" {
			continue
		}
		board := mustParse(b, Renju, strings.NewReplacer("3", ".", "4", ".", "6", ".").Replace(p.rows))
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				board.Foul(p.point)
			}
		})
	}
}
