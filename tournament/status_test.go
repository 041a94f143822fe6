package tournament

import (
	"strings"
	"testing"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
)

// TestStatus tells a tournament that is played from one that is not, and engines
// that start from those that think.
func TestStatus(t *testing.T) {
	cfg := config.Default()
	cfg.Engines = []config.Engine{engineConfig("A", 10), engineConfig("b\x1b[2J", 10)}
	cfg.Rounds = 3
	dir := t.TempDir() + "/t"
	w, err := journal.Create(dir, &journal.Run{Version: journal.Version, ID: "x", Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	key := func(n int) journal.Game {
		return journal.Game{Number: n, Pair: (n - 1) / 2, Leg: (n - 1) % 2, Round: (n - 1) / 2, Black: (n - 1) % 2, White: n % 2}
	}
	w.Add(&journal.End{Game: key(1), Outcome: journal.Outcome{Result: journal.Draw, Reason: journal.ScoreDraw, Text: "x"}})
	w.Add(&journal.Start{Game: key(2)})
	w.Add(&journal.Start{Game: key(3)})
	w.Add(&journal.Ready{Number: 3, At: time.Unix(1, 0)})
	w.Add(&journal.Start{Game: key(4)})
	w.Add(&journal.Moves{Number: 4, Moves: "h8i9", Times: []journal.Micros{1, 2}})
	check := func(want ...string) {
		t.Helper()
		out := ""
		for range 100 { // until the log is written
			if out = mustRun(t, "status", dir); strings.Contains(out, want[len(want)-1]) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		for _, line := range want {
			if !strings.Contains(out, line+"\n") {
				t.Errorf("no %q in\n%s", line, out)
			}
		}
		if strings.Contains(out, "\x1b") {
			t.Errorf("a control character in %q", out)
		}
	}
	check("1 of 6 games: running", `running: game 2, b\x1b[2J vs A, the engines are starting`, `running: game 3, A vs b\x1b[2J, 0 moves`,
		`running: game 4, b\x1b[2J vs A, 2 moves`)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	check("1 of 6 games: interrupted; continue with: tournament resume "+dir, `to be played again: game 2, b\x1b[2J vs A, 0 moves`)
	if w, _, err = journal.Append(dir); err != nil {
		t.Fatal(err)
	}
	w.Add(&journal.Disqualify{Engine: 1, Why: "it crashes"})
	for n := 2; n <= 4; n++ {
		w.Add(&journal.End{Game: key(n), Outcome: journal.Outcome{Result: journal.Draw, Reason: journal.ScoreDraw, Text: "x"}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	check("4 of 6 games: finished", "games of disqualified engines, which are not played: 2")
}
