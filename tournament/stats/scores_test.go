package stats

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"kumiko/protocol/cli/golden"
)

// TestGomocup rates the lists of Gomocup 2025: renju and both groups of
// standard rules.
func TestGomocup(t *testing.T) {
	for _, tt := range []struct {
		name   string
		winner string
	}{{"2025_r", "RAPFI25"}, {"2025_s", "RAPFI25"}, {"2025_t", "WHOSE19"}} {
		t.Run(tt.name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/gomocup_" + tt.name + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			s, err := ParseScores(string(text), 0)
			if err != nil {
				t.Fatal(err)
			}
			n := len(s.Names)
			byScore := rate(t, ScoreModel{Prior: DefaultPrior}, n, s.Results)
			byBayes := bayes(t, BayesElo{Prior: DefaultPrior, DrawElo: GomocupDrawElo}, n, s.Results)
			order := make([]int, n)
			for i := range order {
				order[i] = i
			}
			slices.SortFunc(order, func(i, j int) int { return cmp.Compare(byBayes.Elo[j], byBayes.Elo[i]) })
			if first := s.Names[order[0]]; first != tt.winner {
				t.Errorf("%s is first, want %s", first, tt.winner)
			}
			var b strings.Builder
			fmt.Fprintf(&b, "%-16s %15s %15s %6s %6s\n", "", "BayesElo", "score model", "games", "points")
			for _, i := range order {
				fmt.Fprintf(&b, "%-16s %7.1f ± %5.1f %7.1f ± %5.1f %6d %6.1f\n", s.Names[i],
					byBayes.Elo[i], byBayes.meanMargin(i), byScore.Elo[i], byScore.meanMargin(i), byScore.Games[i], byScore.Points[i])
			}
			golden.Compare(t, "testdata/gomocup_"+tt.name+".golden", b.String())
		})
	}
}

func TestParseScores(t *testing.T) {
	const text = "A - B: 15 : 7\r\n\n  B -  C-1 : x: 0 : 0  \nC-1 : x - A: 0 : 3"
	for games, draws := range map[int]int{0: 22, 22: 22, 30: 30} {
		s, err := ParseScores(text, games)
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"A", "B", "C-1 : x"}; !slices.Equal(s.Names, want) {
			t.Errorf("engines %q, want %q", s.Names, want)
		}
		want := []Pairing{
			{I: 0, J: 1, Unknown: [3]int{7, draws - 22, 15}},
			{I: 1, J: 2},
			{I: 2, J: 0, Unknown: [3]int{3, draws - 3, 0}},
		}
		if !slices.Equal(s.Results, want) {
			t.Errorf("%d games: %v, want %v", games, s.Results, want)
		}
	}
	for _, tt := range []struct {
		text, want string
		games      int
	}{
		{"A - B: 1 : 2\n\nA - B 1 : 2", `line 3: "A - B 1 : 2": want A - B: WINS : LOSSES`, 0},
		{"A-B: 1 : 2", `line 1: "A-B: 1 : 2": want A - B: WINS : LOSSES`, 0},
		{"A - B: one : 2", `line 1: invalid count "one": want 0 to 16777215`, 0},
		{"A - B: 1 : -2", `line 1: invalid count "-2": want 0 to 16777215`, 0},
		{"A - B: 1 : 2 3", `line 1: invalid count "2 3": want 0 to 16777215`, 0},
		{"A - B: 1 : 16777216", `line 1: invalid count "16777216": want 0 to 16777215`, 0},
		{"A - A: 1 : 2", `line 1: "A - A: 1 : 2": an engine plays itself`, 0},
		{"A -  : 1 : 2", `line 1: "A -  : 1 : 2": an engine has no name`, 0},
		{"A - B: 1 : 2\nB - A: 0 : 0", `line 2: B and A are in line 1 already`, 0},
		{"A - B: 15 : 7\nA - C: 15 : 7 : 2", `line 2: "A - C: 15 : 7 : 2": 3 numbers, want A - B: WINS : LOSSES (draws are what is left of the number of games)`, 0},
		{"A - B: 1 : 2 : 3 : 4", `line 1: "A - B: 1 : 2 : 3 : 4": 4 numbers, want A - B: WINS : LOSSES (draws are what is left of the number of games)`, 24},
		{"A - B: x : y", `line 1: "A - B: x : y": invalid count "x": want 0 to 16777215; invalid count "y": want 0 to 16777215`, 24},
		{"A - B:15:7:2", `line 1: "A - B:15:7:2": 3 numbers, want A - B: WINS : LOSSES (draws are what is left of the number of games)`, 24},
		{"A - B: 15 - 7 - 2", `line 1: "A - B: 15 - 7 - 2": want A - B: WINS : LOSSES`, 0},
		{"A - B: 15 - 7 : 2", `line 1: invalid count "15 - 7": want 0 to 16777215`, 0},
		{"A - B: 15 : 7.5", `line 1: invalid count "7.5": want 0 to 16777215`, 0},
		{"A - B - C: 1 : 2", `line 1: "A - B - C: 1 : 2": more than one " - ": where does the second name begin?`, 0},
		{"A - B: 1 : 2\rA - C 1 : 2", `line 2: "A - C 1 : 2": want A - B: WINS : LOSSES`, 0},
		{"A - B: 5 : 5\nB - C: 5 : 6", `line 2: 11 games with a winner, want at most 10`, 10},
		{"", `games per pairing must be at least 0, got -1`, -1},
	} {
		_, err := ParseScores(tt.text, tt.games)
		if err == nil || err.Error() != "stats: "+tt.want {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}

// TestParseScoresText has line ends, marks and encodings.
func TestParseScoresText(t *testing.T) {
	s, err := ParseScores("\uFEFFNov\xe1k - Nov\xe9k: 1 : 2\rA - Nov\xe1k: 0 : 0\r\nNovák - 黑: 3 : 0", 3)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Novák", "Novék", "A", "黑"}; !slices.Equal(s.Names, want) || len(s.Results) != 3 || s.NeverMet != 1 {
		t.Errorf("%q, %v, want %q", s.Names, s.Results, want)
	}
}

// FuzzParseScores demands an error or results that are written as they were
// read, and that can be rated.
func FuzzParseScores(f *testing.F) {
	f.Add("A - B: 15 : 7\nB - C: 0 : 0", 0)
	f.Add("A - B: 15 : 7\r\n\r\nB - A: 1 : 1\r\n", 24)
	f.Add(" - : - :: : ", -3)
	f.Fuzz(func(t *testing.T, text string, games int) {
		s, err := ParseScores(text, games)
		if err != nil {
			return
		}
		var b strings.Builder
		for _, p := range s.Results {
			fmt.Fprintf(&b, "%s - %s: %d : %d\n", s.Names[p.I], s.Names[p.J], p.Unknown[2], p.Unknown[0])
			if n := p.Games().N(); n != 0 && games > 0 && n != games || slices.Min(p.Unknown[:]) < 0 {
				t.Errorf("%q: %v", text, p)
			}
		}
		again, err := ParseScores(b.String(), games)
		if err != nil || !slices.Equal(again.Results, s.Results) || !slices.Equal(again.Names, s.Names) {
			t.Errorf("%q became %q: %v, %v", text, b.String(), again, err)
		}
		if len(s.Names) > 20 {
			return
		}
		r, err := BayesElo{Prior: DefaultPrior, DrawElo: GomocupDrawElo}.Rate(len(s.Names), s.Results)
		if err == nil && math.IsNaN(r.Elo[0]) {
			t.Errorf("%q: %v", text, r)
		}
	})
}
