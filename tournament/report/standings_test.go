package report

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
)

// TestStandings has 60 pairs of three engines whose ratings and errors are
// known: A–B, A–C and B–C by the points of the first when it moved first and
// second.
func TestStandings(t *testing.T) {
	pairs := map[string][]string{ // letters of both games; the second has the colors exchanged
		"AB": {rep("bw", 5), rep("bd", 1), rep("bb", 9), rep("dd", 1), rep("ww", 2), rep("wb", 2)},
		"AC": {rep("bw", 9), rep("bd", 2), rep("bb", 7), rep("ww", 1), rep("wb", 1)},
		"BC": {rep("bw", 6), rep("bd", 1), rep("bb", 8), rep("dd", 1), rep("ww", 1), rep("wb", 3)},
	}
	var letters strings.Builder
	ab, ac, bc := strings.Join(pairs["AB"], ""), strings.Join(pairs["AC"], ""), strings.Join(pairs["BC"], "")
	for i := 0; i < 40; i += 2 {
		letters.WriteString(ab[i:i+2] + ac[i:i+2] + bc[i:i+2])
	}
	tally := NewTally(results(t, testConfig(20, "A", "B", "C"), letters.String()))
	s, err := StandingsOf(tally, Options{Prior: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		elo, margin, hessian float64
	}{{89.84, 55.66, 59.78}, {0, 55.17, 56.55}, {-89.84, 59.65, 59.78}}
	for i, row := range s.Rows {
		if row.Rank != i+1 || row.Engine != i || !near(row.Elo, want[i].elo) || !near(row.Margin, want[i].margin) {
			t.Errorf("row %d: %+v, want %v", i, row, want[i])
		}
	}
	if g := s.Groups[0]; !near(g.FirstMove, 150.50) || !near(g.FirstMoveMargin, 69.64) {
		t.Errorf("first move %.2f ± %.2f", g.FirstMove, g.FirstMoveMargin)
	}
	if los := s.LOS(0, 1); math.Abs(los+s.LOS(1, 0)-1) > 1e-12 || los < 0.9 {
		t.Errorf("LOS %v", los)
	}
	if s, err = StandingsOf(tally, Options{Prior: 1e-9, Errors: stats.Hessian}); err != nil {
		t.Fatal(err)
	}
	for i, row := range s.Rows {
		if !near(row.Margin, want[i].hessian) {
			t.Errorf("row %d: %+v, want %v", i, row, want[i])
		}
	}
	if worst := s.WorstMargin(); !near(worst, 59.78) {
		t.Errorf("worst margin %v", worst)
	}
}

func rep(s string, n int) string { return strings.Repeat(s, n) }

// near reports whether numbers agree to two digits behind the point.
func near(a, b float64) bool { return math.Abs(a-b) < 0.00501 }

func TestAnchors(t *testing.T) {
	tally := NewTally(newMaker(1, 20, "A", "B", "C").log(t, 0))
	free, err := StandingsOf(tally, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range []Model{Logistic, BayesElo} {
		s, err := StandingsOf(tally, Options{Model: model, Anchors: map[int]float64{1: 1600}})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range s.Rows {
			if row.Engine == 1 && (row.Elo != 1600 || row.Margin != 0) {
				t.Errorf("model %d: anchor %+v", model, row)
			}
			if row.Engine != 1 && !(row.Margin > 0) {
				t.Errorf("model %d: %+v", model, row)
			}
		}
		if model == Logistic {
			for i, row := range s.Rows {
				if d := row.Elo - s.Rows[0].Elo - free.Rows[i].Elo + free.Rows[0].Elo; math.Abs(d) > 0.5 {
					t.Errorf("an anchor changes differences by %v", d)
				}
			}
		}
	}
	for _, model := range []Model{Logistic, BayesElo} {
		s, err := StandingsOf(tally, Options{Model: model, Anchors: stats.Anchors{0: 2000, 1: 1500}})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range s.Rows {
			if want := []float64{2000, 1500}; row.Engine < 2 && (row.Elo != want[row.Engine] || row.Margin != 0) || row.Engine == 2 && !(row.Margin > 0) {
				t.Errorf("model %d with two anchors: %+v", model, row)
			}
		}
	}
}

// TestGroups: engines that never met cannot be compared; who is disqualified
// or has not played is not rated, nor are others by games against it.
func TestGroups(t *testing.T) {
	cfg := testConfig(12, "A", "B", "C", "D", "E", "F")
	all := results(t, cfg, strings.Repeat("bwbbwbwdbbw", 36)[:360])
	log := journal.New(all.Run)
	for e := range all.All {
		if e.Black < 2 && e.White < 2 || e.Black > 1 && e.White > 1 && e.Black < 5 && e.White < 5 {
			if err := log.Add(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, err := StandingsOf(NewTally(log), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Groups) != 2 || len(s.Groups[0].Engines) != 3 || len(s.Groups[1].Engines) != 2 {
		t.Errorf("groups %+v", s.Groups)
	}
	if last := s.Rows[5]; last.Engine != 5 || last.Rank != 0 || !math.IsNaN(last.Elo) {
		t.Errorf("last %+v", last)
	}
	if !math.IsNaN(s.LOS(0, 2)) || math.IsNaN(s.LOS(0, 1)) || !math.IsNaN(s.LOS(1, 1)) || !math.IsNaN(s.LOS(0, 5)) {
		t.Error("LOS between groups")
	}
	if !math.IsInf(s.WorstMargin(), 1) {
		t.Errorf("worst margin %v", s.WorstMargin())
	}
	before := s.Rows
	if err := all.Add(&journal.Disqualify{Engine: 2, At: time.Now(), Why: "failed in 9 of 10 games"}); err != nil {
		t.Fatal(err)
	}
	s, err = StandingsOf(NewTally(all), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if last := s.Rows[5]; last.Engine != 2 || !last.Out || last.Rank != 0 || len(s.Groups[0].Engines) != 5 || len(before) != len(s.Rows) {
		t.Errorf("with a disqualified engine: %+v", s.Rows)
	}
}

func TestStandingsWarn(t *testing.T) {
	s, err := StandingsOf(NewTally(results(t, testConfig(20, "A", "B", "C"), strings.Repeat("bwbwbw", 20))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var engines []int
	for _, w := range s.Warnings {
		if u, ok := errors.AsType[*stats.UniformError](w); ok {
			engines = append(engines, u.Engine)
		}
	}
	if len(engines) != 2 || engines[0] != 0 || engines[1] != 2 || !math.IsInf(s.WorstMargin(), 1) {
		t.Errorf("warnings %v, worst margin %v", s.Warnings, s.WorstMargin())
	}
}

func TestNoGames(t *testing.T) {
	tally := NewTally(journal.New(newMaker(1, 3, "A", "B").run()))
	s, err := StandingsOf(tally, Options{})
	if err != nil || len(s.Rows) != 2 || s.Rows[0].Rank != 0 || len(s.Groups) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestAnchorNotes checks that the report mentions anchors that are not rated and
// groups without an anchor.
func TestAnchorNotes(t *testing.T) {
	cfg := testConfig(12, "A", "B", "C", "D", "E")
	all := results(t, cfg, strings.Repeat("bwbbwbwdbbw", 36)[:240])
	log := journal.New(all.Run)
	for e := range all.All {
		if e.Black < 2 && e.White < 2 || e.Black > 1 && e.White > 1 && e.Black < 4 && e.White < 4 {
			if err := log.Add(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	var b strings.Builder
	if err := WriteText(&b, log, Options{Anchors: stats.Anchors{0: 1500, 4: 2000}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"The anchor E has no rating: no games connect it with an engine that is rated\n",
		"No anchor is among C, D: their mean is 0, and errors are against it\n", "errors clustered by pair", "against the anchors",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestUnknownErrors: what repeats one game never counts as certain, so that it
// does not end a tournament that is played until errors are small.
func TestUnknownErrors(t *testing.T) {
	for _, letters := range []string{"bb", strings.Repeat("bb", 50), strings.Repeat("bw", 50)} {
		s, err := StandingsOf(NewTally(results(t, testConfig(50, "A", "B"), letters)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range s.Rows {
			if !math.IsNaN(row.Margin) {
				t.Errorf("%s: %+v", letters, row)
			}
		}
		if worst := s.WorstMargin(); !math.IsInf(worst, 1) {
			t.Errorf("%s: worst margin %v", letters, worst)
		}
	}
}
