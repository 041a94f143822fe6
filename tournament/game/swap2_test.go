package game

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
)

func TestSwap2(t *testing.T) {
	t.Parallel()
	const three = "line:7,7 8,8 9,9"
	for _, tt := range []struct {
		name  string
		a, b  []string // a is asked first
		want  string
		black int    // who has it in the end, 0 is a
		moves string // all
		open  int
		swaps string
		last  []string // what the player who lost was sent last
	}{
		{"takes black", does(three, "exit:1"), does("line:SWAP"), "1-0 crash", 1,
			"h8i9j10", 3, "7,7/8,8/9,9 SWAP", does("BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE")},
		{"takes black and moves on", does(three, "0,0"), does("line:swap ", "exit:1"), "0-1 crash", 1,
			"h8i9j10a1", 3, "7,7/8,8/9,9 SWAP", does("BOARD", "7,7,1", "8,8,2", "9,9,1", "0,0,2", "DONE")},
		{"stays white", does(three, "exit:1"), does("9,10"), "0-1 crash", 0,
			"h8i9j10j11", 4, "7,7/8,8/9,9 9,10", does("BOARD", "7,7,1", "8,8,2", "9,9,1", "9,10,2", "DONE")},
		{"stays white and is asked later", does(three, "5,5"), does("9,10", "exit:1"), "1-0 crash", 0,
			"h8i9j10j11f6", 4, "7,7/8,8/9,9 9,10", does("BOARD", "7,7,2", "8,8,1", "9,9,2", "9,10,1", "5,5,2", "DONE")},
		{"leaves the choice, black is taken", does(three, "line:SWAP"), does("line:9,10 8,9", "exit:1"), "1-0 crash", 0,
			"h8i9j10j11i10", 5, "7,7/8,8/9,9 9,10/8,9 SWAP", does("BOARD", "7,7,2", "8,8,1", "9,9,2", "9,10,1", "8,9,2", "DONE")},
		{"leaves the choice, white is taken", does(three, "7,8"), does("line:9,10 8,9", "exit:1"), "0-1 crash", 1,
			"h8i9j10j11i10h9", 6, "7,7/8,8/9,9 9,10/8,9 7,8", does("BOARD", "7,7,1", "8,8,2", "9,9,1", "9,10,2", "8,9,1", "7,8,2", "DONE")},
		{"blanks and messages", does("line:MESSAGE I think&line:  7,7\\t8,8   9,9 ", "exit:1"), does("line:SWAP"), "1-0 crash", 1,
			"h8i9j10", 3, "7,7/8,8/9,9 SWAP", nil},

		{"swap of nothing", does("line:SWAP"), nil, "0-1 swap2", 0, "", 0, "SWAP", does("SWAP2BOARD", "DONE")},
		{"two stones", does("line:7,7 8,8"), nil, "0-1 swap2", 0, "", 0, "7,7/8,8", nil},
		{"four stones", does("line:7,7 8,8 9,9 6,6"), nil, "0-1 swap2", 0, "", 0, "7,7/8,8/9,9/6,6", nil},
		{"one point twice", does("line:7,7 8,8 7,7"), nil, "0-1 illegal-occupied", 0, "h8i9", 2, "7,7/8,8/7,7", nil},
		{"off the board", does("line:7,7 15,8 7,7"), nil, "0-1 illegal-range", 0, "h8", 1, "7,7/15,8/7,7", nil},
		{"three more", does(three), does("line:7,8 8,9 9,10"), "1-0 swap2", 0, "h8i9j10", 3, "7,7/8,8/9,9 7,8/8,9/9,10",
			does("SWAP2BOARD", "7,7", "8,8", "9,9", "DONE")},
		{"on a stone", does(three), does("7,7"), "1-0 illegal-occupied", 0, "h8i9j10", 3, "7,7/8,8/9,9 7,7", nil},
		{"second on a stone", does(three), does("line:7,8 7,7"), "1-0 illegal-occupied", 0, "h8i9j10h9", 4, "7,7/8,8/9,9 7,8/7,7", nil},
		{"two for the choice", does(three, "line:1,1 2,2"), does("line:7,8 8,9"), "0-1 swap2", 0, "h8i9j10h9i10", 5, "7,7/8,8/9,9 7,8/8,9 1,1/2,2",
			does("SWAP2BOARD", "7,7", "8,8", "9,9", "7,8", "8,9", "DONE")},
		{"exits when asked first", does("exit:1"), nil, "0-1 crash", 0, "", 0, "", nil},
		{"exits when asked", does(three), does("exit:1"), "1-0 crash", 0, "h8i9j10", 3, "7,7/8,8/9,9", nil},
		{"exits when asked again", does(three, "exit:1"), does("line:7,8 8,9"), "0-1 crash", 0, "h8i9j10h9i10", 5, "7,7/8,8/9,9 7,8/8,9", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMatch(t, Settings{Rule: rule(board.Standard), Swap2: true}, "", engine(t, "A", tt.a...), engine(t, "B", tt.b...))
			var seen []board.Move
			m.game.OnMove = func(p Ply) { seen = append(seen, p.Move) }
			e := m.play()
			want(t, e, tt.want, "")
			if e.Black != tt.black || e.Moves != tt.moves || e.Open != tt.open || e.Swaps != tt.swaps {
				t.Errorf("black %d, moves %s, opening %d, choices %s", e.Black, e.Moves, e.Open, e.Swaps)
			}
			if notation.FormatPosition(seen, 15, notation.FromTop) != e.Moves {
				t.Errorf("told of %s, not of %s", notation.FormatPosition(seen, 15, notation.FromTop), e.Moves)
			}
			if c, ok := e.Loser(); tt.last != nil && ok {
				sentLast(t, m, e.Black^int(c), tt.last...)
			}
		})
	}
}

// points is what a player scores.
func points(e *Result, player int) int { return e.Result.Points(board.Color(player ^ e.Black)) }

// TestSwap2Games plays to the end, twice each, with the same processes.
func TestSwap2Games(t *testing.T) {
	t.Parallel()
	// The first is to make a five with black, and cannot with white.
	m := newMatch(t, Settings{Swap2: true}, "", engine(t, "A", "line:7,7 0,0 8,7", "9,7", "10,7", "6,7"), engine(t, "B", "1,0"))
	for range 2 {
		e := m.play()
		want(t, e, "1-0 five", "")
		if e.Black != 0 || e.Open != 4 || points(e, 0) != 2 || points(e, 1) != 0 {
			t.Errorf("black is %d after %d stones, points %d - %d", e.Black, e.Open, points(e, 0), points(e, 1))
		}
	}
	// B21: a result is that of the engine which had the color in the end.
	m = newMatch(t, Settings{Swap2: true}, "", engine(t, "C", "line:7,7 0,0 8,7"), engine(t, "D", "line:SWAP", "9,7", "10,7", "6,7"))
	for range 2 {
		e := m.play()
		want(t, e, "1-0 five", "")
		if e.Black != 1 || e.Open != 3 || points(e, 0) != 0 || points(e, 1) != 2 {
			t.Errorf("black is %d after %d stones, points %d - %d", e.Black, e.Open, points(e, 0), points(e, 1))
		}
	}
}

// timesLeft returns the values of INFO time_left that a player was sent.
func (m *match) timesLeft(i int) (list []time.Duration) {
	m.t.Helper()
	for _, line := range m.sent(i) {
		if text, ok := strings.CutPrefix(line, "INFO time_left "); ok {
			ms, err := strconv.Atoi(text)
			if err != nil {
				m.t.Error(err)
			}
			list = append(list, time.Duration(ms)*time.Millisecond)
		}
	}
	return list
}

// testSwap2Clocks checks that the time of a proposal is that of the engine
// which made it (B36).
func testSwap2Clocks(t *testing.T) {
	a := engine(t, "A", "sleep:300ms&line:7,7 8,8 9,9", "line:SWAP", "move", "exit:1")
	b := engine(t, "B", "sleep:600ms&line:9,10 8,9", "move", "move")
	a.TC, b.TC = config.TC{Match: patience}, config.TC{Match: patience}
	m := newMatch(t, Settings{Swap2: true}, "", a, b)
	used := make(map[board.Move]time.Duration)
	m.game.OnMove = func(p Ply) { used[p.Move] = p.Took }
	want(t, m.play(), "0-1 crash", "")
	first, second := used[board.Pt(7, 7)], used[board.Pt(9, 10)]
	if first < 300*time.Millisecond || second < 600*time.Millisecond || used[board.Pt(8, 8)] != 0 || used[board.Pt(8, 9)] != 0 {
		t.Errorf("times %v", used)
	}
	for i, took := range []time.Duration{first, second} {
		left := m.timesLeft(i)
		if len(left) < 3 || left[0] != patience || left[1] != (patience-took).Truncate(time.Millisecond) || !slices.IsSortedFunc(left, func(a, b time.Duration) int { return cmp.Compare(b, a) }) {
			t.Errorf("player %d used %v, times left %v", i, took, left)
		}
	}
}
