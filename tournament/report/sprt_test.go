package report

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
)

func testConfig(rounds int, names ...string) config.Config {
	cfg := newMaker(1, rounds, names...).cfg
	cfg.Openings = config.Openings{}
	return cfg
}

// randomResults are those of games of two engines of which the first is better.
func randomResults(random *rand.Rand, games int) string {
	var b strings.Builder
	for i := range games {
		letters := "bbbwwd" // black's chances
		if i%2 == 0 {
			letters = "bbbbwd"
		}
		b.WriteByte(letters[random.IntN(len(letters))])
	}
	return b.String()
}

// TestSPRTState compares with what is judged after each pair, in the most
// obvious way, for all models and with games missing.
func TestSPRTState(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	verdicts := make(map[stats.Verdict]int)
	for _, model := range []config.Model{config.Normalized, config.Logistic, config.Bayesian} {
		for range 30 {
			test := config.SPRT{Elo0: -60, Elo1: 60, Alpha: 0.05, Beta: 0.05, Model: model}
			if random.IntN(2) == 0 {
				test.Elo0, test.Elo1 = 80, 160
			}
			letters := []byte(randomResults(random, 2*(20+random.IntN(200))))
			for range random.IntN(4) {
				letters[len(letters)/2+random.IntN(len(letters)/2)] = '.'
			}
			cfg := testConfig(300, "A", "B")
			got := SPRTState(results(t, cfg, string(letters)), test)
			want := slowSPRT(test, string(letters))
			if s := stateOf(got); !reflect.DeepEqual(s, want) {
				t.Errorf("%v of %s:\n%+v, want\n%+v", test, letters, s, want)
			}
			verdicts[got.Verdict]++
		}
	}
	if len(verdicts) != 3 {
		t.Errorf("verdicts %v: want some of each", verdicts)
	}
}

// A state is that of a test.
type state struct {
	Pairs, Games           stats.Counts
	LLR                    float64
	Verdict                stats.Verdict
	Deciding, Ahead, After int
}

func stateOf(s *SPRT) *state {
	return &state{s.Pairs, s.Games, s.LLR, s.Verdict, s.Deciding, s.Ahead(), s.After()}
}

// slowSPRT judges letters as results reads them.
func slowSPRT(test config.SPRT, letters string) *state {
	s := &state{Pairs: make(stats.Counts, 5), Games: make(stats.Counts, 3), Deciding: -1}
	bounds := stats.SPRT{Elo0: test.Elo0, Elo1: test.Elo1, Alpha: test.Alpha, Beta: test.Beta}
	if test.Model == config.Logistic {
		bounds.Model = stats.Logistic
	}
	lower, upper := bounds.Bounds()
	gap := false
	for pair := 0; 2*pair < len(letters); pair++ {
		two := letters[2*pair : 2*pair+2]
		whole := !strings.Contains(two, ".")
		if s.Verdict != stats.Undecided {
			s.After += len(two) - strings.Count(two, ".")
			continue
		}
		if gap = gap || !whole; gap {
			if whole {
				s.Ahead++
			}
			continue
		}
		black, white := strings.IndexByte("wdb", two[0]), strings.IndexByte("bdw", two[1]) // A's points
		s.Pairs[black+white]++
		s.Games[black]++
		s.Games[white]++
		if test.Model == config.Bayesian {
			s.LLR = stats.BayesEloLLR(s.Games[2], s.Games[0], s.Games[1], test.Elo0, test.Elo1, false)
			if pair >= 15 && s.LLR <= lower {
				s.Verdict = stats.H0
			} else if pair >= 15 && s.LLR >= upper {
				s.Verdict = stats.H1
			}
		} else {
			s.LLR, s.Verdict = bounds.LLR(s.Pairs), bounds.Verdict(s.Pairs)
		}
		if s.Verdict != stats.Undecided {
			s.Deciding, s.Ahead = pair, 0
		}
	}
	return s
}

// TestSPRTLimit is about a test that takes all pairs and decides nothing.
func TestSPRTLimit(t *testing.T) {
	test := config.SPRT{Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: config.Normalized}
	log := results(t, testConfig(5, "A", "B"), "bwwbbbwwbw")
	if s := SPRTState(log, test); !s.AtLimit || s.Verdict != stats.Undecided || s.Pairs.N() != 5 {
		t.Errorf("%+v", s)
	}
	log.Games[9] = nil
	if s := SPRTState(log, test); s.AtLimit {
		t.Errorf("at its limit with a game missing: %+v", s)
	}
}

// TestSPRTOrder: neither the order of events nor games after the decision
// change the verdict.
func TestSPRTOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 0))
	test := config.SPRT{Elo1: 80, Alpha: 0.05, Beta: 0.05, Model: config.Normalized}
	cfg := testConfig(300, "A", "B")
	log := results(t, cfg, randomResults(random, 600))
	want := SPRTState(log, test)
	if want.Verdict == stats.Undecided {
		t.Fatal("no verdict")
	}
	list := append([]*journal.End(nil), log.Games...)
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	again := journal.New(log.Run)
	for _, e := range list {
		if err := again.Add(e); err != nil {
			t.Fatal(err)
		}
		if s := SPRTState(again, test); s.Verdict != stats.Undecided && (s.Deciding != want.Deciding || s.LLR != want.LLR) {
			t.Fatalf("after %d games: %+v, want %+v", again.Played, s, want)
		}
	}
}
