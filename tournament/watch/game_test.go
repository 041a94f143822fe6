package watch

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

func TestMovesOf(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"h8", "h8"},
		{"h8i7a1o15af32", "h8 i7 a1 o15 af32"},
		{"H8I7", "h8 i7"},
		{"h8i", "h8"},
		{"h8?7j9", "h8"},
		{"h0", ""},
		{"h8 i7", "h8 i7"},
		{"a99", ""},
		{"12", ""},
	} {
		var got []string
		for _, m := range movesOf(tt.in) {
			got = append(got, m.String())
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("movesOf(%q) = %v, want %s", tt.in, got, tt.want)
		}
	}
}

func FuzzMovesOf(f *testing.F) {
	f.Add("h8i7")
	f.Add("af32a1\x1b7")
	f.Fuzz(func(t *testing.T, s string) {
		moves := movesOf(s)
		text := ""
		for _, m := range moves {
			text += m.String()
		}
		if again := movesOf(text); !slices.Equal(again, moves) {
			t.Errorf("movesOf(%q) = %v, but of that %v", s, moves, again)
		}
	})
}

// twoEngines are settings with a match of a minute plus a second for each
// move, and one without a limit.
func twoEngines() *config.Config {
	c := config.Default()
	c.Engines = []config.Engine{
		{Name: "Alpha", TC: config.TC{Match: time.Minute, Inc: time.Second}},
		{Name: "Beta", TC: config.TC{Turn: 5 * time.Second}},
	}
	return &c
}

func seconds(list ...float64) (us []journal.Micros) {
	for _, s := range list {
		us = append(us, journal.Micros(s*1e6))
	}
	return us
}

func TestRunningGame(t *testing.T) {
	c := twoEngines()
	first, last := &telemetry.Info{Depth: 7}, &telemetry.Info{Depth: 9}
	r := &journal.Running{
		Start: &journal.Start{Game: journal.Game{Number: 3, Round: 1, Black: 1, White: 0}, Open: "h8i7j9"},
		Moves: journal.Moves{Moves: "a1b2c3", Times: seconds(1.5, 0.25, 2), Info: []*telemetry.Info{first, nil, last}},
	}
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	g := running(c, r, since)
	if len(g.moves) != 6 || g.side != board.Black || g.number != 3 || g.round != 2 || g.result != "" {
		t.Errorf("game %+v", g)
	}
	// After three stones white, Alpha, moved first: twice.
	want := [2]player{
		{name: "Beta", used: 250 * time.Millisecond, left: -250 * time.Millisecond},
		{name: "Alpha", used: 3500 * time.Millisecond, left: 58500 * time.Millisecond, limited: true, info: last},
	}
	if g.players != want {
		t.Errorf("players %+v, want %+v", g.players, want)
	}
	if got := g.spent(since.Add(4 * time.Second)); got != 4*time.Second {
		t.Errorf("spent %v", got)
	}
	if got := g.spent(since.Add(-time.Second)); got != 0 {
		t.Errorf("a clock that went back: spent %v", got)
	}
}

func TestEndedGame(t *testing.T) {
	e := &journal.End{
		Game: journal.Game{Number: 9, Black: 0, White: 1}, Outcome: journal.Outcome{
			Result: journal.WhiteWins, Text: "White win\x07", Open: 1, Moves: "h8a1b2", Times: seconds(1, 2),
		},
	}
	g := ended(twoEngines(), e)
	if g.result != `0-1 White win\a` || len(g.moves) != 3 || g.players[board.White].used != time.Second {
		t.Errorf("game %+v", g)
	}
	if g.spent(time.Now()) != 0 {
		t.Error("a game that has ended takes time")
	}
}

// TestOddGame makes sure that nothing in a log is believed.
func TestOddGame(t *testing.T) {
	r := &journal.Running{
		Start: &journal.Start{Game: journal.Game{Black: -1, White: 77}, Open: "zz99"},
		Moves: journal.Moves{Moves: "??", Times: seconds(1, 2, 3), Info: []*telemetry.Info{nil}},
	}
	g := running(twoEngines(), r, time.Time{})
	if g.players[0].name != "?" || g.players[1].name != "?" || len(g.moves) != 0 {
		t.Errorf("game %+v", g)
	}
}
