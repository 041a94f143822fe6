package tournament

import (
	"math/rand/v2"
	"testing"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/stats"
)

// randomLog returns the games of a tournament of two engines, of which the
// first scores more if lead is positive.
func randomLog(rnd *rand.Rand, test config.SPRT, pairs int, lead float64) *journal.Log {
	cfg := config.Default()
	cfg.Engines = []config.Engine{{Name: "A"}, {Name: "B"}}
	cfg.Rounds, cfg.SPRT = pairs, &test
	log := journal.New(&journal.Run{Version: journal.Version, Config: cfg})
	for n := range 2 * pairs {
		g := journal.Game{Number: n + 1, Pair: n / 2, Leg: n % 2, Round: n / 2, Black: n % 2, White: 1 - n%2}
		e := &journal.End{Game: g, Outcome: journal.Outcome{Result: journal.WhiteWins, Reason: journal.Five}}
		if p := rnd.Float64(); p < 0.1 {
			e.Result = journal.Draw
		} else if (p < 0.55+lead) == (g.Black == 0) {
			e.Result = journal.BlackWins
		}
		if err := log.Add(e); err != nil {
			panic(err)
		}
	}
	return log
}

// TestSequence takes the games in the order of the schedule, in any order, and
// as package report does from a whole log: the verdict must be the same.
func TestSequence(t *testing.T) {
	verdicts := make(map[stats.Verdict]int)
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		test := config.SPRT{
			Elo0: 0, Elo1: 60, Alpha: 0.05, Beta: 0.05,
			Model: []config.Model{config.Normalized, config.Logistic, config.Bayesian}[seed%3],
		}
		log := randomLog(rnd, test, 200, rnd.Float64()*0.2-0.05)
		want := newSequence(test)
		for e := range log.All {
			want.add(e)
		}
		got := newSequence(test)
		for _, i := range rnd.Perm(len(log.Games)) {
			got.add(log.Games[i])
		}
		if got.Verdict != want.Verdict || got.LLR != want.LLR || got.next != want.next {
			t.Errorf("seed %d: %v after %d pairs, LLR %v; in order %v after %d, LLR %v",
				seed, got.Verdict, got.next, got.LLR, want.Verdict, want.next, want.LLR)
		}
		r := report.SPRTState(log, test)
		if r.Verdict != want.Verdict || r.LLR != want.LLR || r.Verdict != stats.Undecided && r.Deciding != want.next-1 {
			t.Errorf("seed %d: the report says %v by pair %d, LLR %v; want %v, %d, %v",
				seed, r.Verdict, r.Deciding, r.LLR, want.Verdict, want.next-1, want.LLR)
		}
		verdicts[want.Verdict]++
	}
	for _, v := range []stats.Verdict{stats.H0, stats.H1} {
		if verdicts[v] == 0 {
			t.Errorf("never %v in %v", v, verdicts)
		}
	}
}

// TestSequenceWaits counts nothing behind a pair that is not over.
func TestSequenceWaits(t *testing.T) {
	test := config.SPRT{Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: config.Normalized}
	log := randomLog(rand.New(rand.NewPCG(1, 1)), test, 50, 0.1)
	s := newSequence(test)
	for _, e := range log.Games {
		if e.Number != 4 {
			s.add(e)
		}
	}
	if s.next != 1 || s.Pairs.N() != 1 {
		t.Errorf("%d pairs are counted, want 1", s.next)
	}
	s.add(log.Games[3])
	if s.Verdict == stats.Undecided && s.next != 50 {
		t.Errorf("%d pairs are counted, want 50", s.next)
	}
}
