package report

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/journal"
	"kumiko/tournament/stats"
)

// someLogs are of tournaments of all kinds, with gaps.
func someLogs(t *testing.T) []*journal.Log {
	var logs []*journal.Log
	for seed, change := range []func(m *maker){
		func(m *maker) {},
		func(m *maker) { m.cfg.NoSwap = true },
		func(m *maker) { m.cfg.Swap2 = true },
		func(m *maker) { m.cfg.Format, m.cfg.Seeds = "gauntlet", 2 },
		func(m *maker) { m.cfg.MaxPlies = 20 },
	} {
		m := newMaker(uint64(seed), 6, "A", "B", "C", "D")
		m.failures = 0.2
		change(m)
		log := m.log(t, 0)
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		for i, e := range log.Games {
			switch {
			case random.IntN(5) == 0:
				log.Games[i] = nil
				log.Played--
			case m.cfg.Swap2 && random.IntN(3) == 0:
				e.Black, e.White = e.White, e.Black
			}
		}
		logs = append(logs, log)
	}
	return logs
}

// TestMatches compares with counts that are made one by one, in the most
// obvious way.
func TestMatches(t *testing.T) {
	for _, log := range someLogs(t) {
		tally := NewTally(log)
		for a := range log.Config.Engines {
			for b := range log.Config.Engines {
				if a != b {
					if got, want := tally.Match(a, b), slowMatch(log, a, b); !reflect.DeepEqual(got, want) {
						t.Errorf("match of %d and %d:\n%+v, want\n%+v", a, b, got, want)
					}
				}
			}
		}
	}
}

// slowMatch is Match, for one engine and one count at a time.
func slowMatch(log *journal.Log, a, b int) *Match {
	m := newMatch(a, b)
	between := func(e *journal.End) bool {
		return e != nil && (e.Black == a && e.White == b || e.Black == b && e.White == a)
	}
	for _, e := range log.Games {
		if !between(e) {
			continue
		}
		color := board.Black
		if e.White == a {
			color = board.White
		}
		m.Colors[color][e.Result.Points(color)]++
		if loser, ok := e.Loser(); ok && e.Reason.Failed() {
			if loser == color {
				m.Failures[0][e.Reason]++
			} else {
				m.Failures[1][e.Reason]++
			}
		}
		first := e.Black == a
		if log.Config.Swap2 {
			first = (a < b) == (e.Leg == 0)
		}
		var other *journal.End
		for _, o := range log.Games {
			if between(o) && o != e && o.Pair == e.Pair {
				other = o
			}
		}
		switch {
		case other != nil && first:
			m.Results.Pairs[e.Points(a)][other.Points(a)]++
		case other != nil:
		case first:
			m.Results.First[e.Points(a)]++
		default:
			m.Results.Second[e.Points(a)]++
		}
	}
	return m
}

func TestTotals(t *testing.T) {
	for _, log := range someLogs(t) {
		tally := NewTally(log)
		games, failures, endings := 0, 0, 0
		for i := range tally.Engines {
			games += tally.Engines[i].Games.N()
			failures += tally.Engines[i].Failures.Total()
		}
		for _, n := range tally.Endings {
			endings += n
		}
		if games != 2*log.Played || failures != len(tally.Failures) || endings != log.Played || tally.Games != log.Played {
			t.Errorf("%d results, %d failures and %d listed, %d endings of %d games", games, failures, len(tally.Failures), endings, log.Played)
		}
		byMover, byColor := make(stats.Counts, 3), make(stats.Counts, 3)
		for _, m := range tally.Matches() {
			for i, n := range m.FirstMover() {
				byMover[i] += n
			}
		}
		for _, o := range tally.Openings {
			for i, n := range o.Games {
				byColor[i] += n
			}
		}
		if !log.Config.Swap2 && !reflect.DeepEqual(byMover, byColor) {
			t.Errorf("the first mover lost, drew and won %v, black %v", byMover, byColor)
		}
	}
}

// TestEffort compares with means over all moves.
func TestEffort(t *testing.T) {
	log := someLogs(t)[0]
	tally := NewTally(log)
	for i := range tally.Engines {
		var moves, depths, depthMoves int
		var took, longest time.Duration
		var nodes, seconds float64
		for _, e := range log.Games {
			if e == nil {
				continue
			}
			side := board.Black
			for k := range plies(e) {
				if k >= e.Open && e.Engine(side) == i {
					d := e.Times[k-e.Open].Duration()
					moves, took, longest = moves+1, took+d, max(longest, d)
					if info := e.Info[k-e.Open]; info != nil {
						depths, depthMoves = depths+info.Depth, depthMoves+1
						nodes, seconds = nodes+float64(info.Nodes), seconds+d.Seconds()
					}
				}
				side = side.Opponent()
			}
		}
		f := &tally.Engines[i].Effort
		if f.Moves != moves || f.Time != took || f.MaxTime != longest {
			t.Errorf("engine %d: %d moves in %v, longest %v; want %d, %v, %v", i, f.Moves, f.Time, f.MaxTime, moves, took, longest)
		}
		if want := float64(depths) / float64(depthMoves); !same(f.Depth(), want) {
			t.Errorf("engine %d: depth %v, want %v", i, f.Depth(), want)
		}
		if want := nodes / seconds; !same(f.Speed(), want) {
			t.Errorf("engine %d: speed %v, want %v", i, f.Speed(), want)
		}
	}
}

// same reports whether two numbers are the same but for rounding, or both NaN.
func same(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || a == b || math.Abs(a-b) < 1e-9*max(math.Abs(a), math.Abs(b))
}

// TestOpenings compares the stones of each opening with those of the book, and
// its pairs with those found one by one.
func TestOpenings(t *testing.T) {
	m := newMaker(7, 30, "A", "B", "C")
	log := m.log(t, 0)
	tally := NewTally(log)
	if len(tally.Openings) != len(m.openings) {
		t.Fatalf("%d openings, want %d", len(tally.Openings), len(m.openings))
	}
	for i, o := range tally.Openings {
		if o.Line != i+1 || !reflect.DeepEqual(o.Moves, m.openings[i]) {
			t.Errorf("opening %d: line %d, moves %v, want %v", i, o.Line, o.Moves, m.openings[i])
		}
		var pairs, black, white int
		for _, a := range log.Games {
			for _, b := range log.Games {
				if a.Opening != o.Line || a.Pair != b.Pair || a.Leg >= b.Leg {
					continue
				}
				pairs++
				if a.Result == b.Result && a.Result == journal.BlackWins {
					black++
				}
				if a.Result == b.Result && a.Result == journal.WhiteWins {
					white++
				}
			}
		}
		if o.Pairs != pairs || o.Black != black || o.White != white || o.Games.N() != 2*pairs {
			t.Errorf("opening %d: %+v, want %d pairs, %d and %d of one color", o.Line, o, pairs, black, white)
		}
	}
}

// TestForeignGames leaves out games that cannot be, as a damaged log may have.
func TestForeignGames(t *testing.T) {
	m := newMaker(1, 3, "A", "B")
	log := m.log(t, 0)
	log.Games[0].Black = 5
	log.Games[1].Black, log.Games[1].White = 1, 1
	log.Games[2].Moves = "zz"
	log.Games[3].Open = 99
	log.Games[4].Sym = 17
	log.Warnings = append(log.Warnings, &journal.Warning{Engine: 9})
	tally := NewTally(log)
	if n := tally.Engines[0].Games.N(); n != 4 {
		t.Errorf("%d games, want 4", n)
	}
	if n := tally.Match(0, 1).Games().N(); n != 4 {
		t.Errorf("%d games in the match, want 4", n)
	}
}

func TestMatchWithoutGames(t *testing.T) {
	m := newMaker(1, 3, "A", "B")
	log := m.log(t, 2)
	if n := NewTally(log).Match(0, 1).Games().N(); n != 2 {
		t.Errorf("%d games, want 2", n)
	}
	log = m.log(t, 1)
	log.Games[0] = nil
	if items := NewTally(log).Match(1, 0).Items(); items.N() != 0 {
		t.Errorf("items %v, want none", items)
	}
}

func TestCountMoves(t *testing.T) {
	for s, want := range map[string]int{"": 0, "h8": 1, "h8i7": 2, "ab32a1z9": 3, "h": 1, "h8x": 2, "8": 1} {
		if got := countMoves(s); got != want {
			t.Errorf("countMoves(%q) = %d, want %d", s, got, want)
		}
	}
}

// TestRepeats counts games that engines play again move by move, and shows them
// in all forms; the errors of what never varies are n/a.
func TestRepeats(t *testing.T) {
	cfg := testConfig(20, "A", "B")
	log := results(t, cfg, strings.Repeat("bb", 20)) // black always wins
	for i, e := range log.Games {
		e.Moves, e.Times = fmt.Sprintf("h8i9a%d", 1+i%2), []journal.Micros{1, 2, 3}
	}
	tally := NewTally(log)
	if tally.Repeats != 38 {
		t.Errorf("%d games repeat an earlier one, want 38", tally.Repeats)
	}
	var text, data bytes.Buffer
	if err := errors.Join(WriteText(&text, log, Options{}), WriteJSON(&data, log, Options{})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Elo: 0.0 +/- n/a [n/a, n/a], nElo: n/a +/- n/a\nLOS: n/a,",
		"Warning: 38 of 40 games repeat an earlier one move by move", "Warning: all items had the same outcome",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	for _, want := range []string{`"repeats": 38`, `"los": null`, `"margin": null`, `"first_move_margin": null`} {
		if !strings.Contains(data.String(), want) {
			t.Errorf("no %s in\n%s", want, data.String())
		}
	}
	page := writePage(t, log, HTMLOptions{})
	for _, want := range []string{"38 of 40 games repeat an earlier one move by move", "no error can be estimated", "<dd>n/a"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	// Failures and games without a move are no repetitions; with colors exchanged
	// it is the same game.
	for i, change := range []func(e *journal.End){
		func(e *journal.End) { e.Black, e.White = e.White, e.Black },
		func(e *journal.End) { e.Reason = journal.Crash },
		func(e *journal.End) { e.Times = nil },
	} {
		change(log.Games[20+i])
	}
	if n := NewTally(log).Repeats; n != 36 {
		t.Errorf("%d games repeat an earlier one, want 36", n)
	}
}
