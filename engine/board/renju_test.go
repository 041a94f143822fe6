package board

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A forbiddenPicture is a record of testdata/forbidden.txt.
type forbiddenPicture struct {
	name      string
	point     Move
	forbidden string // what point is
	rows      string
}

func readForbiddenPictures(t testing.TB) []forbiddenPicture {
	t.Helper()
	data, err := os.ReadFile("testdata/forbidden.txt")
	if err != nil {
		t.Fatal(err)
	}
	var pictures []forbiddenPicture
	for record := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		if strings.HasPrefix(record, "#") {
			continue
		}
		head, rows, _ := strings.Cut(record, "\n")
		f := strings.Fields(head)
		pictures = append(pictures, forbiddenPicture{f[0], mustMove(t, f[1]), f[2], strings.TrimSpace(rows)})
	}
	return pictures
}

// drawForbidden draws b without its edges, every forbidden point as 3, 4 or 6.
func drawForbidden(b *Board, forbidden func(Move) string) string {
	var rows []string
	for y := range b.Height() {
		var row []string
		for x := range b.Width() {
			m := Pt(x, y)
			sign := cellRunes[b.At(m):][:1]
			if b.Empty(m) {
				sign = map[string]string{"none": ".", "double-three": "3", "double-four": "4", "overline": "6"}[forbidden(m)]
			}
			row = append(row, sign)
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return strings.Join(rows, "\n")
}

func TestForbiddenPictures(t *testing.T) {
	for _, p := range readForbiddenPictures(t) {
		b := mustParse(t, Renju, strings.NewReplacer("3", ".", "4", ".", "6", ".").Replace(p.rows))
		if got := b.Forbidden(p.point).String(); got != p.forbidden {
			t.Errorf("%s: %v is %s, want %s\n%v", p.name, p.point, got, p.forbidden, b)
		}
		forbidden := func(m Move) string { return b.Forbidden(m).String() }
		if got := drawForbidden(b, forbidden); got != p.rows {
			t.Errorf("%s: got\n%s\nwant\n%s", p.name, got, p.rows)
		}
		var all []Move
		for y := range b.Height() {
			for x := range b.Width() {
				if m := Pt(x, y); b.Empty(m) && b.Forbidden(m) != NotForbidden {
					all = append(all, m)
				}
			}
		}
		if got := b.AllForbidden([]Move{p.point}); !slices.Equal(got, append([]Move{p.point}, all...)) {
			t.Errorf("%s: all forbidden points are %v, want %v", p.name, got[1:], all)
		}
		twin := naiveOf(b)
		if got := drawForbidden(b, func(m Move) string { return twin.Forbidden(pointOf(m)) }); got != p.rows {
			t.Errorf("%s: the twin says\n%s\nwant\n%s", p.name, got, p.rows)
		}
		for rule := range Rule(NumRules) {
			if rule == Renju {
				continue
			}
			b.SetRule(rule)
			if got := drawForbidden(b, forbidden); strings.ContainsAny(got, "346") {
				t.Errorf("%s: forbidden under %v:\n%s", p.name, rule, got)
			}
		}
	}
}

// Only black has forbidden points, whoever is to move.
func TestForbiddenAndSide(t *testing.T) {
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
		rule      Rule
		side      string
		forbidden Forbidden
		legal     bool
	}{
		{Renju, "black", DoubleThree, false},
		{Renju, "white", DoubleThree, true},
		{Standard, "black", NotForbidden, true},
		{Freestyle, "black", NotForbidden, true},
		{Caro6, "white", NotForbidden, true},
	} {
		b := mustParse(t, tt.rule, rows+"\n"+tt.side+" to move")
		if got := b.Forbidden(m); got != tt.forbidden {
			t.Errorf("%v, %s to move: forbidden %v, want %v", tt.rule, tt.side, got, tt.forbidden)
		}
		if got := b.Legal(m); got != tt.legal {
			t.Errorf("%v, %s to move: legal %v, want %v", tt.rule, tt.side, got, tt.legal)
		}
	}
}

func BenchmarkForbidden(b *testing.B) {
	for _, p := range readForbiddenPictures(b) {
		if p.forbidden == "none" {
			continue
		}
		board := mustParse(b, Renju, strings.NewReplacer("3", ".", "4", ".", "6", ".").Replace(p.rows))
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				board.Forbidden(p.point)
			}
		})
	}
}
