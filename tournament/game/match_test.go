package game

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/fakeengine"
	"kumiko/tournament/journal"
)

// patience is how long the tests wait for what should happen soon.
const patience = 30 * time.Second

// A match is a series of games between two players.
type match struct {
	t       testing.TB
	players [2]*Player
	marks   [2]string // in the environment of all that they start
	game    Game
	begun   time.Time // the last game
	ended   time.Time
}

// engine returns an engine that is a fake, with limits that it will not reach.
func engine(t testing.TB, name string, words ...string) config.Engine {
	t.Helper()
	return config.Engine{
		Name: name, Args: fakeengine.Args(append([]string{"strict=yes"}, words...)...),
		TC: config.TC{Turn: patience}, Start: patience, Grace: time.Second,
		Restart: config.RestartAuto, Board: config.BoardAuto,
	}
}

// newMatch returns a match by these settings, by default on 15x15 in
// freestyle. When the test ends, nothing may be left of the engines.
func newMatch(t testing.TB, s Settings, opening string, engines ...config.Engine) *match {
	t.Helper()
	if s.Width == 0 {
		s.Width, s.Height = 15, 15
	}
	m := &match{t: t, game: Game{Settings: s, Opening: parseMoves(t, opening)}}
	for i, e := range engines {
		m.marks[i] = rand.Text()
		e.Env = map[string]string{"KUMIKO_TEST": m.marks[i]}
		p, err := NewPlayer(e, config.MemoryPoll, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.players[i] = p
	}
	m.game.Players = m.players
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("transcripts:\n%s", m.transcript())
		}
		for i, p := range m.players {
			p.Close()
			fakeengine.NoneLeft(t, "KUMIKO_TEST="+m.marks[i])
		}
	})
	return m
}

// play plays a game.
func (m *match) play() *Result {
	m.t.Helper()
	m.begun = time.Now()
	e, err := m.game.Play(m.t.Context())
	m.ended = time.Now()
	if err != nil {
		m.t.Fatal(err)
	}
	checkEnd(m.t, m.game.Settings, e)
	return e
}

// transcript is that of both players.
func (m *match) transcript() string {
	return string(m.players[0].Transcript()) + string(m.players[1].Transcript())
}

// pid returns the number of a player's process.
func (m *match) pid(i int) int { return m.players[i].proc.Pid() }

// sent returns the lines that were sent to a player, since the last START or
// RESTART.
func (m *match) sent(i int) (lines []string) { return said(m.players[i], "<") }

// said returns the lines of one kind in the current game's part of the
// transcript.
func said(p *Player, kind string) (lines []string) {
	for line := range strings.Lines(string(p.proc.Transcript())) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		if word, _, _ := strings.Cut(fields[2], " "); fields[1] == "<" && strings.HasSuffix(word, "START") {
			lines = nil
		}
		if fields[1] == kind {
			lines = append(lines, fields[2])
		}
	}
	return lines
}

// checkEnd checks what holds for every game.
func checkEnd(t testing.TB, s Settings, e *Result) {
	t.Helper()
	stones := len(parseMoves(t, e.Moves))
	if len(e.Times) != stones-e.Open {
		t.Errorf("%d times of %d moves after %d stones", len(e.Times), stones, e.Open)
	}
	if e.Info != nil && len(e.Info) != len(e.Times) {
		t.Errorf("%d infos about %d moves", len(e.Info), len(e.Times))
	}
	if e.Black != 0 && !s.Swap2 {
		t.Errorf("player %d has black", e.Black)
	}
	if (e.Result == journal.Draw) != strings.HasPrefix(e.Text, "Draw ") {
		t.Errorf("result %s, but %q", e.Result, e.Text)
	}
	if strings.HasPrefix(e.Text, "White win ") && e.Result != journal.WhiteWins ||
		strings.HasPrefix(e.Text, "Black win ") && e.Result != journal.BlackWins {
		t.Errorf("result %s, but %q", e.Result, e.Text)
	}
	if e.Reason.Failed() && e.Detail == "" {
		t.Errorf("no details about %s", e.Reason)
	}
}

// parseMoves reads moves that stand one after the other, or with blanks.
func parseMoves(t testing.TB, s string) (list []board.Move) {
	t.Helper()
	words := regexp.MustCompile(`[a-z]+\d+`).FindAllString(s, -1)
	for _, w := range words {
		m, err := board.ParseMove(w)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// want checks the result and the reason of a game, such as "1-0 five".
func want(t testing.TB, e *Result, verdict, detail string) {
	t.Helper()
	if got := fmt.Sprintf("%s %s", e.Result, e.Reason); got != verdict {
		t.Errorf("%s (%s), want %s", got, e.Detail, verdict)
	}
	if !regexp.MustCompile(detail).MatchString(e.Detail) {
		t.Errorf("details %q, want %q", e.Detail, detail)
	}
}
