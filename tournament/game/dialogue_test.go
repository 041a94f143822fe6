package game

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/config"
)

// TestTold checks every line that an engine is sent.
func TestTold(t *testing.T) {
	t.Parallel()
	black := engine(t, "black", "9,9", "10,10", "exit:1")
	black.TC = config.TC{Turn: 7 * time.Second}
	black.Memory, black.Threads, black.Depth, black.Nodes = 350<<20, 2, 9, 1000
	black.Info = map[string]string{"folder": "/tmp/x y/", "a_key": "1"}
	white := engine(t, "white", "0,5", "0,6")
	white.TC = config.TC{Match: 100 * time.Second, Inc: 2 * time.Second}
	m := newMatch(t, by(board.Caro5), "h8a1", black, white)
	for game, start := range []string{"START 15\nABOUT", "RESTART"} {
		want(t, m.play(), "0-1 crash", "")
		if game == 0 {
			checkLines(t, m.sent(0), start+`
INFO timeout_turn 7000
INFO timeout_match 0
INFO max_memory 367001600
INFO game_type 1
INFO rule 9
INFO thread_num 2
INFO max_depth 9
INFO max_node 1000
INFO a_key 1
INFO folder /tmp/x y/
INFO time_left 2147483647
BOARD
7,7,1
0,0,2
DONE
INFO time_left 2147483647
TURN 0,5
INFO time_left 2147483647
TURN 0,6`)
		}
		sent := m.sent(1)
		for i, line := range sent {
			if strings.HasPrefix(line, "INFO time_left 10") && line < "INFO time_left 102000" {
				sent[i] = "INFO time_left 10x" // less than what it had, more than that without an increment
			}
		}
		checkLines(t, sent, start+`
INFO timeout_match 100000
INFO max_memory 0
INFO game_type 1
INFO rule 9
INFO time_left 10x
BOARD
7,7,2
0,0,1
9,9,2
DONE
INFO time_left 10x
TURN 10,10`)
	}
}

func checkLines(t *testing.T, got []string, want string) {
	t.Helper()
	if !slices.Equal(got, strings.Split(want, "\n")) {
		t.Errorf("sent\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	for r, code := range map[board.Rule]int{board.Freestyle: 0, board.Standard: 1, board.Renju: 4, board.Caro6: 8, board.Caro5: 9} {
		m := newMatch(t, by(r), "", engine(t, r.String(), "exit:1"), engine(t, "white"))
		m.play()
		told(fmt.Sprint("INFO rule ", code))(t, m, nil)
	}
}

// TestBoardAlways checks that the whole position is sent before every move.
func TestBoardAlways(t *testing.T) {
	t.Parallel()
	black := engine(t, "black", "7,7", "8,7", "exit:1")
	black.Board = config.BoardAlways
	m := newMatch(t, Settings{}, "", black, engine(t, "white"))
	want(t, m.play(), "0-1 crash", "")
	sent := slices.DeleteFunc(m.sent(0), func(s string) bool { return s != "ABOUT" && !strings.Contains(s, ",") && strings.Contains(s, " ") })
	checkLines(t, sent, "ABOUT\nBEGIN\nBOARD\n7,7,1\n0,0,2\nDONE\nBOARD\n7,7,1\n0,0,2\n8,7,1\n1,0,2\nDONE")
}

// TestMemoryAnnounced checks which limits of memory are only told, or not even
// that. What is used is known all the same.
func TestMemoryAnnounced(t *testing.T) {
	t.Parallel()
	for how, tells := range map[config.MemoryLimit]bool{config.MemoryAnnounce: true, config.MemoryOff: false} {
		black := engine(t, string(how), "alloc:100&5,7", "6,7", "7,7", "8,7", "9,7")
		black.Memory = 1 << 20
		m := newMatch(t, Settings{}, "", black, engine(t, "white"))
		m.players[0].memory = how
		e := m.play()
		want(t, e, "1-0 five", "")
		if got := slices.Contains(m.sent(0), "INFO max_memory 1048576"); got != tells || runtime.GOOS == "linux" && e.Memory[0] < 100<<10 {
			t.Errorf("%s: told %v, memory %v", how, got, e.Memory)
		}
	}
}

// TestMemoryEnforced uses the limit of the system where there is one.
func TestMemoryEnforced(t *testing.T) {
	t.Parallel()
	black := engine(t, "black", "alloc:192&7,7")
	memory(128)(t, &black)
	m := newMatch(t, Settings{}, "", black, engine(t, "white"))
	m.players[0].memory = config.MemoryEnforce
	e := m.play()
	want(t, e, "0-1 memory", "")
	if m.players[0].proc.LimitError() == nil && !strings.Contains(e.Detail, "memory limit") {
		t.Errorf("%q, though the system has a limit", e.Detail)
	}
}

// TestMatchClock compares the times that an engine is told with those of its
// moves.
func TestMatchClock(t *testing.T) {
	t.Parallel()
	const inc = 20 * time.Millisecond
	black := engine(t, "black", "sleep:30ms&5,7", "6,7", "sleep:50ms&7,7", "8,7", "sleep:10ms&9,7")
	black.TC = config.TC{Match: patience, Inc: inc}
	white := engine(t, "white", "sleep:30ms&0,0", "sleep:30ms&0,1", "sleep:30ms&0,2", "0,3")
	white.TC = config.TC{Match: 50 * time.Millisecond, Turn: patience}
	white.Margin = patience
	m := newMatch(t, Settings{}, "", black, white)
	e := m.play()
	want(t, e, "1-0 five", "")
	for i, p := range []config.Engine{black, white} {
		left := p.TC.Match
		got := m.timesLeft(i)
		for k := range got {
			// Times are kept in microseconds and told in milliseconds.
			if d := left - got[k]; d < -time.Millisecond || d > time.Millisecond || got[k] < 0 {
				t.Errorf("player %d, move %d: told %v, has %v", i, k, got[k], left)
			}
			left = max(0, left-e.Times[2*k+i].Duration()) + p.TC.Inc
		}
		if len(got) != 5-i {
			t.Errorf("player %d was told %v", i, got)
		}
	}
	if got := m.timesLeft(1); got[2] != 0 || got[3] != 0 {
		t.Errorf("white, whose time is up, was told %v", got)
	}
}

// TestMatchTimeIsUp has an engine with time for the move, but none for the
// match.
func TestMatchTimeIsUp(t *testing.T) {
	t.Parallel()
	black := engine(t, "black", "7,7", "sleep:300ms&7,8")
	black.TC = config.TC{Match: 200 * time.Millisecond, Turn: patience}
	black.Margin, black.Grace = 50*time.Millisecond, patience
	m := newMatch(t, Settings{}, "", black, engine(t, "white"))
	want(t, m.play(), "0-1 time", "the margin of 50 ms$")
}

// TestStale has an engine that prints a second move when the first has been
// taken, and long before it is asked for another.
func TestStale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(ply int) string { return filepath.Join(dir, strconv.Itoa(ply)) }
	var black []string
	for i, move := range five {
		black = append(black, fmt.Sprintf("%s&sleep:1ms&line:%d,14&touch:%s", move, i, file(2*i+1)))
	}
	m := newMatch(t, Settings{}, "", engine(t, "black", black...), engine(t, "white"))
	m.game.OnMove = func(Ply) {
		for ply := m.game.board.Stones(); ply%2 == 1; time.Sleep(100 * time.Microsecond) {
			if _, err := os.Stat(file(ply)); err == nil {
				break // the second move is in the pipe
			}
		}
	}
	e := m.play()
	want(t, e, "1-0 five", "")
	if e.Moves != fiveMoves || e.Stale != [2]int{len(five), 0} {
		t.Errorf("moves %s, stale %v", e.Moves, e.Stale)
	}
}

// A slowContext slows those down who ask it.
type slowContext struct {
	context.Context
	delay time.Duration
}

func (c slowContext) Err() error {
	time.Sleep(c.delay)
	return c.Context.Err()
}

// TestSlowHarness has a harness that looks at an answer late: when the answer
// came counts.
func TestSlowHarness(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		limit, delay time.Duration
		black        string
		want         string
	}{
		{time.Second, 1200 * time.Millisecond, "7,7", "0-1 crash"},
		{20 * time.Millisecond, 400 * time.Millisecond, "sleep:100ms&7,7", "0-1 no-answer"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			t.Parallel()
			black := engine(t, "black", tt.black, "exit:1")
			black.TC.Turn, black.Grace = tt.limit, 0
			m := newMatch(t, Settings{MaxPlies: 5}, "", black, engine(t, "white"))
			e, err := m.game.Play(slowContext{t.Context(), tt.delay})
			if err != nil {
				t.Fatal(err)
			}
			want(t, e, tt.want, "")
			if e.Moves != "" && e.Lag.Duration() < tt.delay-tt.limit {
				t.Errorf("lag %v", e.Lag.Duration())
			}
		})
	}
}

// TestCancel ends a game in each of its phases.
func TestCancel(t *testing.T) {
	t.Parallel()
	errStop := errors.New("enough")
	for _, tt := range []struct {
		name     string
		settings Settings
		black    []string
		before   int // games
		plies    int // the game is ended at that ply, if not 0, and otherwise after a time
	}{
		{name: "START", black: does("start=stall")},
		{name: "RESTART", black: does("restart=stall"), before: 1},
		{name: "first move", black: does("stall")},
		{name: "later move", black: does("7,7", "stall")},
		{name: "junk", black: does("flood:30:x")},
		{name: "SWAP2BOARD", settings: Settings{Swap2: true}, black: does("stall")},
		{name: "fast game", plies: 20},
		{name: "last move", black: five, plies: 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMatch(t, tt.settings, "", engine(t, "black", tt.black...), engine(t, "white"))
			for range tt.before {
				m.play()
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if tt.plies == 0 {
				time.AfterFunc(200*time.Millisecond, func() { cancel(errStop) })
			}
			plies := 0
			m.game.OnMove = func(Ply) {
				if plies++; plies == tt.plies {
					cancel(errStop)
				}
			}
			begun := time.Now()
			e, err := m.game.Play(ctx)
			if e != nil || err != errStop {
				t.Errorf("result %+v, error %v", e, err)
			}
			if d := time.Since(begun); d > patience/2 {
				t.Errorf("the game ended after %v", d)
			}
			if tt.plies != 0 && plies != tt.plies {
				t.Errorf("%d plies after the end of the context", plies-tt.plies)
			}
		})
	}
	t.Run("before", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		m := newMatch(t, Settings{}, "", engine(t, "black"), engine(t, "white"))
		if e, err := m.game.Play(ctx); e != nil || err != context.Canceled {
			t.Errorf("result %+v, error %v", e, err)
		}
	})
}

// TestHarnessFault checks an error for which no engine is to blame.
func TestHarnessFault(t *testing.T) {
	t.Parallel()
	m := newMatch(t, Settings{}, "", engine(t, "black", "start=exit:1"), engine(t, "white"))
	m.players[1].cpus = []int{-1} // as good as a system with no processes left
	if e, err := m.game.Play(t.Context()); e != nil || err == nil {
		t.Errorf("result %+v, error %v", e, err)
	}
}

func TestNewPlayer(t *testing.T) {
	e := engine(t, "A")
	e.Stats = "("
	if _, err := NewPlayer(e, config.MemoryPoll, nil); err == nil || !strings.Contains(err.Error(), "engine A: stats: ") {
		t.Errorf("a bad pattern: %v", err)
	}
	e.Stats = `D=(?P<depth>\d+)`
	p, err := NewPlayer(e, config.MemoryPoll, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Close() || p.Transcript() != nil || p.About() != "" {
		t.Error("a player that has not played has something to tell")
	}
}

// TestStats uses an engine's own pattern for its messages.
func TestStats(t *testing.T) {
	t.Parallel()
	black := engine(t, "black", "line:MESSAGE D=5 depth 7&5,7", "6,7", "7,7", "8,7", "9,7")
	black.Stats = `D=(?P<depth>\d+)`
	e := newMatch(t, Settings{}, "", black, engine(t, "white")).play()
	if len(e.Info) != 9 || e.Info[0] == nil || e.Info[0].Depth != 5 {
		t.Errorf("info %v", e.Info)
	}
}

// TestTranscript checks that the dialogue is kept until the next game, with
// what was written to standard error.
func TestTranscript(t *testing.T) {
	t.Parallel()
	m := newMatch(t, Settings{}, "", engine(t, "black", "flood-stderr:1:out of ideas&exit:3"), engine(t, "white"))
	m.play()
	got := string(m.players[0].Transcript())
	for _, s := range []string{"== black\n", " < BEGIN\n", " ! exited with code 3\n", "== black, standard error\nout of ideas\n"} {
		if !strings.Contains(got, s) {
			t.Errorf("%q is not in the transcript:\n%s", s, got)
		}
	}
}

// testColors plays a pair of games with colors exchanged (B21).
func testColors(t *testing.T) {
	m := newMatch(t, Settings{}, "", engine(t, "A", five...), engine(t, "B", "0,0", "2,0", "4,0", "6,0", "8,0"))
	want(t, m.play(), "1-0 five", "")
	m.game.Players = [2]*Player{m.players[1], m.players[0]}
	e, err := m.game.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want(t, e, "0-1 five", "")
	for c, points := range [2]int{board.Black: 0, board.White: 2} {
		if got := e.Result.Points(board.Color(c)); got != points {
			t.Errorf("%v has %d points", board.Color(c), got)
		}
	}
}

// testMargin has engines that are late, but within their margin or not (B18).
func testMargin(t *testing.T) {
	const short = 10 * time.Millisecond
	for _, tc := range []config.TC{{Turn: short}, {Match: short}, {Turn: short, Match: patience}, {Turn: patience, Match: short}} {
		black := engine(t, "black", "sleep:50ms&5,7", "6,7", "7,7", "8,7", "9,7")
		black.TC, black.Margin = tc, patience
		m := newMatch(t, Settings{}, "", black, engine(t, "white"))
		want(t, m.play(), "1-0 five", "")
		m.players[0].engine.Margin, m.players[0].engine.Grace = short, patience
		want(t, m.play(), "0-1 time", "and the margin of 10 ms$")
	}
}
