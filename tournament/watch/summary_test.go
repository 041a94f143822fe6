package watch

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
)

var start = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// at is a time so many seconds after the start.
func at(seconds float64) time.Time {
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

// newLog returns the log of a tournament that has just begun.
func newLog(c *config.Config) *journal.Log {
	return journal.New(&journal.Run{Version: journal.Version, ID: "test", At: start, Config: *c})
}

// add adds events.
func add(t *testing.T, log *journal.Log, events ...journal.Event) {
	t.Helper()
	for _, e := range events {
		if err := log.Add(e); err != nil {
			t.Fatal(err)
		}
	}
}

// gameKey is that of a game of two engines.
func gameKey(number int) journal.Game {
	leg := (number - 1) % 2
	return journal.Game{Number: number, Pair: (number - 1) / 2, Leg: leg, Round: (number - 1) / 2, Black: leg, White: 1 - leg}
}

// end is the end of a game of two engines after some seconds.
func end(number int, seconds float64, result journal.Result, why journal.Reason) *journal.End {
	return &journal.End{Game: gameKey(number), At: at(seconds), Outcome: journal.Outcome{Result: result, Reason: why, Moves: "h8i7j9"}}
}

func TestSummarize(t *testing.T) {
	c := twoEngines()
	c.Rounds = 20
	c.SPRT = &config.SPRT{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: config.Normalized}
	log := newLog(c)
	add(t, log,
		end(1, 10, journal.BlackWins, journal.ScoreLoss),
		end(2, 30, journal.WhiteWins, journal.ScoreLoss),
		end(4, 20, journal.Draw, journal.ScoreDraw),
		&journal.Void{Number: 3, At: at(25), Why: "interrupted"},
		&journal.Resume{At: at(1000), Config: *c},
		&journal.End{Game: gameKey(3), At: at(1060), Outcome: journal.Outcome{Result: journal.BlackWins, Reason: journal.Crash, Detail: "SIGSEGV", Moves: "h8"}},
		&journal.Warning{Engine: 1, Number: 3, At: at(1061), Kind: journal.DirtyExit, Text: "did not go"},
		&journal.Disqualify{Engine: 1, At: at(1062), Why: "failed"},
	)
	s := summarize(log)
	if s.title != "Alpha vs Beta" || s.details != "freestyle  15x15  60+1 and 0/5  seed 0" {
		t.Errorf("title %q, details %q", s.title, s.details)
	}
	if s.patience != 90*time.Second {
		t.Errorf("patience %v, want the match of a minute and 30 s", s.patience)
	}
	if s.played != 4 || s.total != 40 || s.failed != 1 || s.ended != 1 {
		t.Errorf("%d of %d games, %d failures, %d since it was resumed", s.played, s.total, s.failed, s.ended)
	}
	if got := s.elapsed(at(1090)); got != 120*time.Second {
		t.Errorf("elapsed %v, want the first 30 s and the last 90 s", got)
	}
	if got := s.elapsed(s.last); got != 90*time.Second {
		t.Errorf("elapsed %v when it had finished, want 30 s and 60 s", got)
	}
	if got, ok := s.rest(at(1090)); got != 0 || s.dropped != 36 || !ok {
		t.Errorf("rest %v, want nothing: the %d games left are those of an engine that is disqualified", got, s.dropped)
	}
	s.dropped = 0
	if got, ok := s.rest(at(1090)); got != 36*90*time.Second || !ok {
		t.Errorf("rest %v, want 90 s for each of 36 games", got)
	}
	wantLines(t, "results", s.results, []string{
		"#3  1-0 Alpha - Beta  crash, 1 move",
		"#2  0-1 Beta - Alpha  score-loss, 3 moves",
		"#4   ½  Beta - Alpha  score-draw, 3 moves",
		"#1  1-0 Alpha - Beta  score-loss, 3 moves",
	})
	if moods := []mood{s.results[0].mood, s.results[1].mood, s.results[2].mood}; !slices.Equal(moods, []mood{good, good, neutral}) {
		t.Errorf("moods %v", moods)
	}
	wantLines(t, "troubles", s.troubles, []string{
		"Beta is disqualified: failed",
		"#3 Beta did not go",
		"#3 Beta crash: SIGSEGV",
		"#3 is void: interrupted",
	})
	if s.test == nil || s.test.pairs != 2 || s.test.elo1 != 10 || s.test.upper < 2.9 || s.test.upper > 3 {
		t.Errorf("test %+v", s.test)
	}
	if s.match == nil || s.match.pairs[4] != 1 || s.match.pairs[3] != 1 || s.match.pairs.N() != 2 {
		t.Errorf("match %+v", s.match)
	}
	alpha, beta := s.standings[0], s.standings[1]
	if alpha.name != "Alpha" || alpha.points != 3.5 || alpha.games != 4 || alpha.wins != 3 || alpha.draws != 1 {
		t.Errorf("Alpha: %+v", alpha)
	}
	if !beta.out || !math.IsNaN(beta.elo) || beta.losses != 3 {
		t.Errorf("Beta: %+v", beta)
	}
	if s.verdict != "" {
		t.Errorf("verdict %q", s.verdict)
	}
	add(t, log, &journal.Verdict{At: at(1070), Accepted: "H1", Why: "the test"})
	if s := summarize(log); s.verdict != "H1 accepted" {
		t.Errorf("verdict %q", s.verdict)
	}
}

func wantLines(t *testing.T, what string, got []line, want []string) {
	t.Helper()
	var texts []string
	for _, l := range got {
		texts = append(texts, l.text)
	}
	if !slices.Equal(texts, want) {
		t.Errorf("%s\n%q, want\n%q", what, texts, want)
	}
}

// TestNoGames sums up a tournament that has just begun.
func TestNoGames(t *testing.T) {
	c := config.Default()
	c.Format = config.RoundRobin
	for _, name := range []string{"A", "B", "C"} {
		c.Engines = append(c.Engines, config.Engine{Name: name, Depth: 5, Nodes: 10000})
	}
	s := summarize(newLog(&c))
	if s.title != "3 engines" || s.details != "roundrobin  freestyle  15x15  depth 5 10k nodes  seed 0" {
		t.Errorf("title %q, details %q", s.title, s.details)
	}
	if len(s.standings) != 3 || s.match != nil || s.test != nil || s.total != 60 {
		t.Errorf("summary %+v", s)
	}
	if _, ok := s.rest(at(10)); ok {
		t.Error("an estimate without games")
	}
}

// TestLatest compares with sorting all games.
func TestLatest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := twoEngines()
		c.Rounds = 30
		log := newLog(c)
		var all []*journal.End
		for number := range rng.IntN(60) {
			if rng.IntN(4) == 0 {
				continue
			}
			e := end(number+1, float64(rng.IntN(20)), journal.BlackWins, []journal.Reason{journal.ScoreLoss, journal.Crash}[rng.IntN(2)])
			add(t, log, e)
			all = append(all, e)
		}
		n := 1 + rng.IntN(12)
		crashed := func(e *journal.End) bool { return e.Reason == journal.Crash }
		want := slices.DeleteFunc(slices.Clone(all), func(e *journal.End) bool { return !crashed(e) })
		slices.SortFunc(want, func(a, b *journal.End) int {
			return cmp.Or(b.At.Compare(a.At), b.Number-a.Number)
		})
		want = want[:min(n, len(want))]
		if got := latest(log, n, crashed); !slices.Equal(got, want) {
			t.Fatalf("%d of %d: got %d games, want %d", n, len(all), len(got), len(want))
		}
	}
}
