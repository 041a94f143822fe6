package tune

import (
	"slices"
	"testing"

	"kumiko/tournament/config"
	"kumiko/tournament/stats"
)

// TestMatchGames plays as many games as requested, with fewer in the last batch, and
// extends the match.
func TestMatchGames(t *testing.T) {
	m := newMatch(testParams(), matchSettings{Values: []int{75, 20, 350}})
	for _, pairs := range []int{1, 16, 37, 40} {
		testHill.play(m, pairs)
		if m.done() != pairs || m.tally.counts().N() != pairs {
			t.Errorf("%d pairs were played, %v, want %d", m.done(), &m.tally, pairs)
		}
	}
}

// TestMatch plays a match with a test. It must end with the pair that decides
// it, whatever the rest of the batch says.
func TestMatch(t *testing.T) {
	s := matchSettings{Values: []int{75, 20, 350}, SPRT: &config.SPRT{Elo1: 30, Alpha: 0.05, Beta: 0.05, Model: config.Normalized}}
	m := newMatch(testParams(), s)
	var all []int
	numbers := make(map[uint64]bool)
	for !m.decided() {
		pairs := m.next(matchBatch)
		for _, p := range pairs {
			if p.number < firstOfMatch || numbers[p.number] {
				t.Fatalf("pair number %d", p.number)
			}
			numbers[p.number] = true
			if !slices.Equal(p.a, s.Values) || !slices.Equal(p.b, []int{50, 40, 200}) {
				t.Fatalf("%v against %v", p.a, p.b)
			}
		}
		scores, err := testHill.arena(2).play(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		m.take(scores)
		all = append(all, scores...)
	}
	test := stats.SPRT{Model: stats.Normalized, Elo1: 30, Alpha: 0.05, Beta: 0.05}
	counts, verdict, n := make(stats.Counts, 5), stats.Undecided, 0
	for _, s := range all {
		counts[s]++
		n++
		if verdict = test.Verdict(counts); verdict != stats.Undecided {
			break
		}
	}
	if verdict != stats.H1 || m.verdict != verdict || !slices.Equal(m.tally.counts(), counts) {
		t.Errorf("verdict %v of %v, want %v of %v", m.verdict, &m.tally, verdict, counts)
	}
	if len(all) != m.done() || len(all)-n >= matchBatch {
		t.Errorf("%d pairs were played, %d of them after the end", len(all), len(all)-n)
	}
}
