package opening

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kumiko/engine/board"
)

// TestBuiltin reads all built-in books by the rules, and looks for images.
func TestBuiltin(t *testing.T) {
	total := 0
	for rule := range board.Rule(board.NumRules) {
		for _, size := range BuiltinSizes {
			name := fmt.Sprintf("%v, %d", rule, size)
			o := Options{Format: GuessFormat(BuiltinFile), Width: size, Height: size, Rule: rule}
			text, err := ReadFile(BuiltinFile, o)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			total += len(text)
			list, faults, err := Read(name, text, o)
			if err != nil || len(faults) > 0 || len(list) < 500 {
				t.Errorf("%s: %d openings, %v, %v", name, len(list), faults, err)
			}
			seen := make(map[string]int)
			stones := make(map[int]int)
			for _, p := range list {
				key := p.Canonical(size, size)
				if seen[key] > 0 {
					t.Errorf("%s: line %d is an image of line %d", name, p.Line, seen[key])
				}
				seen[key] = p.Line
				stones[len(p.Moves)]++
			}
			for n := 3; n <= 8; n++ {
				if stones[n] == 0 || len(stones) != 6 {
					t.Errorf("%s: openings by their stones: %v", name, stones)
				}
			}
			// The header is the recipe: a command with it would go on.
			recipe := Recipe{Rule: rule, Width: size, Height: size, Least: 3, Most: 8, Nodes: 5000, Balance: 50, Seed: 1}
			if _, err := fmt.Sscanf(strings.SplitN(string(text), "\n", 3)[1], "# bench %d:", &recipe.Bench); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if k, err := ReadBook(name, text, Pos, recipe); err != nil || len(k.Openings) != len(list) {
				t.Errorf("%s: %v", name, err)
			}
			if first := fmt.Appendf(nil, "# %v\n", &recipe); !bytes.HasPrefix(text, first) {
				t.Errorf("%s: no %s", name, first)
			}
		}
	}
	if total > 300_000 {
		t.Errorf("the books have %d bytes", total)
	}
	for _, size := range [][2]int{{15, 20}, {19, 19}} {
		o := Options{Width: size[0], Height: size[1]}
		if _, err := ReadFile(BuiltinFile, o); err == nil || !strings.Contains(err.Error(), "no built-in book") {
			t.Errorf("%v: error %v", size, err)
		}
	}
}
