package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// slowSequence is what a Sequence does, in the most obvious way: it looks at
// all games anew. Results are by pair and leg, -1 for a game that is not over.
func slowSequence(t SPRT, results [][2]int) (pairs, games Counts, llr float64, v Verdict, ahead, after int) {
	pairs, games = make(Counts, 5), make(Counts, 3)
	gap := false
	for _, p := range results {
		played := 0
		for _, r := range p {
			if r >= 0 {
				played++
			}
		}
		if v != Undecided {
			after += played
			continue
		}
		if gap = gap || played < 2; gap {
			ahead += played / 2
			continue
		}
		pairs[p[0]+p[1]]++
		games[p[0]]++
		games[p[1]]++
		if llr = t.LLR(pairs); t.Model == Bayesian {
			llr = BayesEloLLR(games[2], games[0], games[1], t.Elo0, t.Elo1, false)
		}
		lower, upper := t.Bounds()
		if pairs.N() >= 16 && llr <= lower {
			v = H0
		} else if pairs.N() >= 16 && llr >= upper {
			v = H1
		}
	}
	if v != Undecided {
		ahead = 0
	}
	return pairs, games, llr, v, ahead, after
}

// TestSequence takes games in any order, some of them twice, some not at all,
// and compares with the slow twin after each.
func TestSequence(t *testing.T) {
	verdicts := make(map[Verdict]int)
	for seed := range uint64(90) {
		random := rand.New(rand.NewPCG(seed, 0))
		test := SPRT{Model: []Model{Normalized, Logistic, Bayesian}[seed%3], Elo0: 0, Elo1: 60, Alpha: .05, Beta: .05}
		lead := random.Float64()*0.5 - 0.1
		results := make([][2]int, 20+random.IntN(60))
		order := random.Perm(2 * len(results))
		seen := make([][2]int, len(results))
		for i := range results {
			seen[i] = [2]int{-1, -1}
			for leg := range results[i] {
				if x := random.Float64(); x < .45+lead {
					results[i][leg] = 2
				} else if x < .55+lead {
					results[i][leg] = 1
				}
			}
		}
		if seed%2 == 0 {
			order = order[random.IntN(5):]
		}
		if seed%5 == 0 { // as a log has them
			slices.Sort(order)
		}
		s := NewSequence(test)
		decided := false
		for _, k := range order {
			pair, leg := k/2, k%2
			s.Add(pair, leg, Result(results[pair][leg]))
			if !decided && random.IntN(4) == 0 {
				s.Add(pair, leg, Result(random.IntN(3))) // the first one holds
				if s.Verdict != Undecided {
					break // it is one more game behind the verdict
				}
			}
			seen[pair][leg] = results[pair][leg]
			pairs, games, llr, v, ahead, after := slowSequence(test, seen)
			if !slices.Equal(s.Pairs, pairs) || !slices.Equal(s.Games, games) || s.LLR != llr || s.Verdict != v || s.Ahead() != ahead || s.After() != after {
				t.Fatalf("seed %d: %+v, %d ahead, %d after; want %v %v %v %v, %d, %d", seed, s, s.Ahead(), s.After(), pairs, games, llr, v, ahead, after)
			}
			if decided = v != Undecided; decided && s.Deciding != pairs.N()-1 || !decided && s.Deciding != -1 {
				t.Fatalf("seed %d: decided by %d of %d pairs", seed, s.Deciding, pairs.N())
			}
		}
		verdicts[s.Verdict]++
	}
	for _, v := range []Verdict{Undecided, H0, H1} {
		if verdicts[v] == 0 {
			t.Errorf("never %v in %v", v, verdicts)
		}
	}
}

// TestSweep is about engines that win all pairs: once the LLR passes its bound
// it decides, but not before the 16th pair.
func TestSweep(t *testing.T) {
	for _, tt := range []struct {
		test SPRT
		won  bool
		want int // pairs that decide
	}{
		{SPRT{Normalized, 0, 10, .05, .05}, true, 74},
		{SPRT{Normalized, 0, 10, .05, .05}, false, 71},
		{SPRT{Normalized, 0, 5, .05, .05}, true, 147},
		{SPRT{Normalized, 0, 400, .05, .05}, true, 16},
		{SPRT{Logistic, 0, 400, .05, .05}, true, 16},
		{SPRT{Bayesian, 0, 400, .05, .05}, true, 16},
	} {
		s := NewSequence(tt.test)
		for pair := 0; pair < 1000 && s.Verdict == Undecided; pair++ {
			r, want := Result(0), H0
			if tt.won {
				r, want = 2, H1
			}
			s.Add(pair, 0, r)
			s.Add(pair, 1, r)
			if s.Verdict != Undecided && s.Verdict != want {
				t.Errorf("%v: %v", tt.test, s.Verdict)
			}
		}
		if s.Pairs.N() != tt.want {
			t.Errorf("%v, won %t: %v after %d pairs, want %d", tt.test, tt.won, s.Verdict, s.Pairs.N(), tt.want)
		}
	}
}

// TestOrder lets equal engines play 32 pairs at once, of which those take five
// times as long that the first engine loses. A test of 0 against 40 Elo that
// counts pairs as they end accepts H1 far too often. One that counts the prefix
// of the schedule does so hardly more often than the 5 % it promises, and as
// often as if pairs were played one by one.
func TestOrder(t *testing.T) {
	const runs = 2000
	random := rand.New(rand.NewPCG(1, 2))
	accepted := func(concurrency int, inOrder bool) float64 {
		n := 0
		for range runs {
			if simulate(random, concurrency, 5, inOrder) == H1 {
				n++
			}
		}
		return float64(n) / runs
	}
	alone, ended, scheduled := accepted(1, false), accepted(32, false), accepted(32, true)
	t.Logf("H1 accepted: %.3f one by one, %.3f in order of ends, %.3f in order of the schedule", alone, ended, scheduled)
	if ended < .3 || math.Abs(alone-.055) > .015 || math.Abs(scheduled-.055) > .015 {
		t.Error("the orders do not differ as they should")
	}
}

// simulate plays pairs until a test decides, many at once. On average a pair
// takes from 1, for two wins, to slow, for two losses.
func simulate(random *rand.Rand, concurrency int, slow float64, inOrder bool) Verdict {
	chances := book{30, []float64{100}}.pairs(0)
	lower, upper := SPRT{Alpha: .05, Beta: .05}.Bounds()
	var outcomes []int
	pairs, ends := make([]int, concurrency), make([]float64, concurrency)
	start := func(slot int, now float64) {
		outcome := 0
		for x := random.Float64() - chances[0]; x > 0 && outcome < 4; x -= chances[outcome] {
			outcome++
		}
		pairs[slot], ends[slot] = len(outcomes), now+(slow-(slow-1)*float64(outcome)/4)*random.ExpFloat64()
		outcomes = append(outcomes, outcome)
	}
	for slot := range pairs {
		start(slot, 0)
	}
	c := make(Counts, 5)
	counted := 0
	over := make(map[int]bool)
	for {
		slot := 0
		for i, end := range ends {
			if end < ends[slot] {
				slot = i
			}
		}
		fresh := []int{outcomes[pairs[slot]]}
		if inOrder {
			over[pairs[slot]] = true
			fresh = nil
			for ; over[counted]; counted++ {
				fresh = append(fresh, outcomes[counted])
				delete(over, counted)
			}
		}
		for _, outcome := range fresh {
			c[outcome]++
			if c.N() < 10 || distinct(c) < 2 {
				continue
			}
			if llr := approximateLLR(c, 0, 40); llr <= lower {
				return H0
			} else if llr >= upper {
				return H1
			}
		}
		start(slot, ends[slot])
	}
}
