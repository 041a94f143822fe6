package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestVectors wants the table to be whole.
func TestVectors(t *testing.T) {
	vectors, err := parseVectors(vectorText)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, v := range vectors {
		if ids[v.id] {
			t.Errorf("%s comes twice", v.id)
		}
		ids[v.id] = true
		if v.title == "" || v.why == "" || v.group == "" || (len(v.steps) == 0) != (v.monitor != "") {
			t.Errorf("%s is not complete: %+v", v.id, v)
		}
		if strings.HasSuffix(v.title, ".") || !strings.HasSuffix(v.why, ".") && !strings.HasSuffix(v.why, ".)") {
			t.Errorf("%s: title %q, reason %q, want a full stop after the reason only",
				v.id, v.title, v.why)
		}
		if !slices.IsSorted(v.managers) {
			slices.Sort(v.managers) // the letters of the table have an order, too
		}
		for _, s := range v.steps {
			if s.verb == send && len(s.lines) == 0 || s.verb == expect && len(s.wants) == 0 {
				t.Errorf("%s: nothing in %q", v.id, s.text)
			}
		}
	}
	for _, group := range []struct {
		letter string
		last   int
	}{{"h", 18}, {"m", 20}, {"t", 12}, {"d", 10}, {"g", 5}, {"f", 7}, {"s", 6}} {
		for n := 1; n <= group.last; n++ {
			if id := fmt.Sprint(group.letter, n); !ids[id] {
				t.Errorf("%s is missing", id)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	const head = "vector x1 title\n"
	tests := []struct{ text, want string }{
		{"> START 15", "line 1"},
		{head + "for P X", `unknown manager "X"`},
		{head + "rules 0 x", "invalid syntax"},
		{head + "< mov", `unknown answer "mov"`},
		{head + "< move | ", "missing answer"},
		{head + "< move within", "invalid duration"},
		{head + "< move within 3", "missing unit"},
		{head + "< move only 7", `invalid point "7"`},
		{head + "< ok please", `unknown word "please"`},
		{head + "say hello", `unknown word "say"`},
		{head + "start big", "invalid syntax"},
		{head + "! jump", `unknown action "jump"`},
		{head + "!", "unknown action"},
		{head + "! games", "invalid syntax"},
		{head + "! wait", "invalid duration"},
		{head + "! clock match 1s", "invalid duration"},
		{head + "! selfplay plies 3 turn 1s from 7", "invalid move"},
		{head + "board 1,1 2,2 / ", "2 own stones and 0"},
		{head + "board 1 / 2,2", "invalid point"},
		{head + "moves h8x", "invalid move"},
		{head + "fill x", "invalid syntax"},
		{head + "when x > END", "invalid syntax"},
		{head + "> {x*y}", "invalid repetition"},
		{head + `> \y`, "cannot unquote"},
	}
	for _, tt := range tests {
		if _, err := parseVectors(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestBoardLines(t *testing.T) {
	tests := []struct{ kind, text, want string }{
		{"board", "5,7-7,7 / 1,2 3,4", "error"},
		{"board", "5,7-6,7 / 1,2-3,4", "BOARD 1,2,2 5,7,1 2,3,2 6,7,1 3,4,2 DONE"},
		{"board", "5,7 9,9 / 1,2 1,1", "BOARD 5,7,1 1,2,2 9,9,1 1,1,2 DONE"},
		{"board", "/", "BOARD DONE"},
		{"moves", "h8i9", "BOARD 7,7,1 8,8,2 DONE"},
		{"moves", "a1b2o15", "BOARD 0,0,2 1,1,1 14,14,2 DONE"},
		{"fill", "2 except 0,1", "BOARD 0,0,1 1,0,1 1,1,2 DONE"},
	}
	for _, tt := range tests {
		lines, err := boardLines(tt.kind, tt.text)
		got := strings.Join(lines, " ")
		if err != nil {
			got = "error"
		}
		if got != tt.want {
			t.Errorf("%s %s: got %s, want %s", tt.kind, tt.text, got, tt.want)
		}
	}
}

// A full board must not have a five, and as many stones of either side.
func TestFill(t *testing.T) {
	lines, err := boardLines("fill", "15 except 7,7")
	if err != nil {
		t.Fatal(err)
	}
	var stones [3][]point
	for _, line := range lines[1 : len(lines)-1] {
		p, _ := leadingPoint(line)
		field := int(line[len(line)-1] - '0')
		stones[field] = append(stones[field], p)
	}
	if len(stones[1]) != 112 || len(stones[2]) != 112 {
		t.Errorf("%d and %d stones", len(stones[1]), len(stones[2]))
	}
	for _, side := range stones[1:] {
		for _, p := range side {
			for _, d := range []point{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				run := 0
				for q := p; slices.Contains(side, q); q = (point{q.x + d.x, q.y + d.y}) {
					run++
				}
				if run >= 5 {
					t.Fatalf("five from %v", p)
				}
			}
		}
	}
}

func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{
		`START 15`:      "START 15",
		`START "15" \r`: "START \"15\" \r",
		`{ab*3} c`:      "ababab c",
		`\x20\uFEFFx`:   " \uFEFFx",
		`x{*2}`:         "x",
	} {
		if got, err := unescape(text); err != nil || got != want {
			t.Errorf("%s: got %q, %v", text, got, err)
		}
	}
}

func TestHasFive(t *testing.T) {
	for text, want := range map[string]bool{
		"h8":                    false,
		"h8a1i8a2j8a3k8a4":      false,
		"h8a1i8a2j8a3k8a4l8":    true,
		"h8a1i8a2j8a3k8a4m8":    false,
		"h8a1i9a2j10a3k11b5l12": true,
		"e1a1d2o2c3o3b4o4a5":    true,
		"h8a1l8a2j8a3k8a4i8":    true,
		"h8a1h9a2h10a3h11a5h12": true,
	} {
		moves, err := movesOf(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := hasFive(moves); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func FuzzParseVectors(f *testing.F) {
	f.Add(vectorText)
	f.Add("vector x y\nrules 0\n< move within 3s only 1,1 not 2,2 | points 1 2 ideally 1s\n! clock match 1s turn 2s moves 3\n")
	f.Add("vector x y\nboard 0,0-9,3 / 1,1\nmoves h8\nfill 3 except 1,1\n> {x*3}\\r\n! wait 1s\n! games 3 moves 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 && text != vectorText || strings.Contains(text, "*") && strings.Contains(text, "000") {
			return // large numbers ask for large boards
		}
		vectors, err := parseVectors(text)
		if err == nil && strings.Count(text, "vector") < len(vectors) {
			t.Errorf("%d vectors", len(vectors))
		}
	})
}
