package boardtest

import (
	"maps"
	"strings"
	"testing"
)

// TestForbidden compares the referee with the answers of two public
// implementations.
func TestForbidden(t *testing.T) {
	kinds := map[any]string{"33": DoubleThree, "44": DoubleFour, "6": Overline}
	seen := map[string]int{}
	type record struct {
		ID, Size     int
		Black, White [][2]int
		Fouls        [][3]any // x, y and kind, like [7, 7, "33"]
	}
	for _, c := range ReadCases[record](t, "../../testdata/forbidden.jsonl.gz") {
		r := New(c.Size, c.Size, "renju")
		for _, p := range c.Black {
			r.Set(Point{p[0], p[1]}, Black)
		}
		for _, p := range c.White {
			r.Set(Point{p[0], p[1]}, White)
		}
		want, got := map[Point]string{}, map[Point]string{}
		for _, f := range c.Fouls {
			want[Point{int(f[0].(float64)), int(f[1].(float64))}] = kinds[f[2]]
		}
		for _, p := range r.Points(Empty) {
			if why := r.Forbidden(p); why != None {
				got[p] = why
				seen[why]++
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("position %d: forbidden %v, want %v", c.ID, got, want)
		}
	}
	if len(seen) != len(kinds) {
		t.Errorf("points by kind: %v", seen)
	}
}

// TestWins asks who wins with a stone of X on the point *.
func TestWins(t *testing.T) {
	for _, tt := range []struct{ row, rules string }{
		{"..XXX*...", ""},
		{"..XX*XX..", "freestyle standard renju caro5 caro6"},
		{"XXXX*OO..", "freestyle standard renju caro5 caro6"},
		{".XXXXX*..", "freestyle caro6"},
		{"OXX*XXO..", "freestyle standard renju"},
		{"OXX*XX#..", "freestyle standard renju caro5 caro6"},
		{"OXX*XXXO.", "freestyle caro6"},
		{"..XX#X*..", ""},
	} {
		for _, rule := range Rules {
			for _, d := range Directions {
				r := New(11, 11, rule)
				start, p := Point{0, 0}, Point{}
				if d.Y < 0 {
					start.Y = 10
				}
				for i, c := range []byte(tt.row) {
					if c == '*' {
						p = start.Step(d, i)
						c = Empty
					}
					r.Set(start.Step(d, i), c)
				}
				if got, want := r.Wins(p, Black), strings.Contains(tt.rules, rule); got != want {
					t.Errorf("%s by %s in direction %v: %v, want %v", tt.row, rule, d, got, want)
				}
				if r.Wins(p, White) || r.Wins(start.Step(d, 2), Black) || !r.Empty(p) {
					t.Errorf("%s by %s: the other player wins, or with a stone on a stone", tt.row, rule)
				}
			}
		}
	}
	r := New(11, 11, "renju")
	for x := range 5 {
		r.Set(Point{x, 0}, White)
	}
	if !r.Wins(Point{5, 0}, White) || r.Legal(Point{4, 0}, White) || r.At(Point{-1, 0}) != Off {
		t.Error("white has no six, or may play on a stone, or there is something beyond the edge")
	}
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"an unknown rule":        func() { New(15, 15, "gomoku") },
		"a stone on another one": func() { r := New(15, 15, "renju"); r.Set(Point{7, 7}, Black); r.With(Point{7, 7}, White, func() {}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			f()
		}()
	}
}

func TestPointNames(t *testing.T) {
	for p, want := range map[Point]string{{0, 0}: "a1", {7, 7}: "h8", {25, 9}: "z10", {26, 9}: "aa10", {31, 31}: "af32"} {
		if got := p.String(); got != want {
			t.Errorf("%d,%d is %s, want %s", p.X, p.Y, got, want)
		}
	}
}
