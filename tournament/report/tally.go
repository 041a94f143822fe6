package report

import (
	"cmp"
	"maps"
	"slices"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/schedule"
	"kumiko/tournament/stats"
)

// A Tally holds counts of the games of a log. It does not follow the log.
type Tally struct {
	Config   config.Config
	Engines  []Engine // in the order of the config
	Openings []Opening
	Failures []Failure
	Endings  map[journal.Reason]int
	Games    int // finished games
	Total    int // scheduled games; 0 if the settings are invalid
	Dropped  int // scheduled games that will not be played because of a disqualification
	Running  int
	Voids    int // games that had to be played again
	Repeats  int // games that repeat an earlier one of the same engines

	repeats Repeats
	matches map[[2]int]*Match // by engines, lower index first
}

// NewTally counts the games of a log.
func NewTally(log *journal.Log) *Tally {
	t := emptyTally(log)
	t.Running, t.Voids = len(log.Running), len(log.Voids)
	if s, err := schedule.New(log.Config.Schedule(log.Run.Openings)); err == nil {
		t.Total = s.Len()
		t.Dropped = dropped(log, s)
	}
	openings := newOpenings(&t.Config)
	for first, second := range pairs(log) {
		t.add(first)
		openings.add(first)
		if second != nil {
			t.add(second)
			openings.add(second)
			openings.addPair(first, second)
		}
		t.addItem(first, second)
	}
	t.Openings = openings.list()
	for _, w := range log.Warnings {
		if w.Engine >= 0 && w.Engine < len(t.Engines) {
			t.Engines[w.Engine].Warnings++
		}
	}
	return t
}

// dropped counts the games that will not be played.
func dropped(log *journal.Log, s *schedule.Schedule) (n int) {
	if len(log.Disqualified) == 0 {
		return 0
	}
	for number := range s.Len() {
		g := s.Key(number + 1)
		out := log.Disqualified[g.Black] != nil || log.Disqualified[g.White] != nil
		if over := number < len(log.Games) && log.Games[number] != nil; out && !over && log.Running[number+1] == nil {
			n++
		}
	}
	return n
}

// Finished reports whether no game is left to play.
func (t *Tally) Finished() bool { return t.Total > 0 && t.Games+t.Dropped >= t.Total }

// emptyTally returns a tally without games.
func emptyTally(log *journal.Log) *Tally {
	t := &Tally{
		Config:  log.Config,
		Engines: make([]Engine, len(log.Config.Engines)),
		Endings: make(map[journal.Reason]int),
		matches: make(map[[2]int]*Match),
	}
	for i := range t.Engines {
		e := &t.Engines[i]
		e.Name = log.Config.Engines[i].Name
		e.Games, e.Pairs = make(stats.Counts, 3), make(stats.Counts, 5)
		e.Failures = make(Failures)
		e.Disqualified = log.Disqualified[i]
	}
	return t
}

// firstMover returns the engine that moved first in a game. It has black,
// unless swap2 let the engines choose their colors: then it set up the first
// stones.
func firstMover(c *config.Config, g *journal.Game) int {
	if !c.Swap2 {
		return g.Black
	}
	if exchanged := g.Leg == 1 || c.NoSwap && g.Round%2 == 1; exchanged { // see schedule.Schedule.Game
		return max(g.Black, g.White)
	}
	return min(g.Black, g.White)
}

// add counts a game except for its result.
func (t *Tally) add(e *journal.End) {
	t.Games++
	t.Endings[e.Reason]++
	t.Engines[e.Black].Effort.add(e, board.Black)
	t.Engines[e.White].Effort.add(e, board.White)
	if t.repeats.Add(e) > 0 {
		t.Repeats++
	}
	c, ok := e.Loser()
	if !ok || !e.Reason.Failed() {
		return
	}
	f := newFailure(e, c)
	t.Failures = append(t.Failures, f)
	t.Engines[f.Engine].Failures[e.Reason]++
	m, side := t.match(e.Black, e.White), 0
	if f.Engine == m.B {
		side = 1
	}
	m.Failures[side][e.Reason]++
}

// addItem counts the results of an item: a pair, or a lone game if second is
// nil.
func (t *Tally) addItem(first, second *journal.End) {
	m := t.match(first.Black, first.White)
	r := &m.Results
	one := t.addResult(m, first)
	isFirst := firstMover(&t.Config, &first.Game) == m.A
	if second == nil {
		if isFirst {
			r.First[one]++
		} else {
			r.Second[one]++
		}
		return
	}
	two := t.addResult(m, second)
	if isFirst {
		r.Pairs[one][two]++
	} else {
		r.Pairs[two][one]++
	}
	split := first.Result != journal.Draw && one+two == 2
	for _, i := range [2]int{m.A, m.B} {
		e := &t.Engines[i]
		e.Pairs[first.Points(i)+second.Points(i)]++
		if split {
			e.Split++
		}
	}
}

// addResult counts the result of one game and returns the half points of the
// first engine of its match.
func (t *Tally) addResult(m *Match, e *journal.End) (points int) {
	for _, i := range [2]int{e.Black, e.White} {
		t.Engines[i].Games[e.Points(i)]++
	}
	color := board.Black
	if e.White == m.A {
		color = board.White
	}
	points = e.Points(m.A)
	m.Colors[color][points]++
	return points
}

// match returns the match of two engines from the point of view of the one with
// the lower index.
func (t *Tally) match(i, j int) *Match {
	key := [2]int{min(i, j), max(i, j)}
	m := t.matches[key]
	if m == nil {
		m = newMatch(key[0], key[1])
		t.matches[key] = m
	}
	return m
}

// Match returns the results of engine a against b. Without games it is empty.
func (t *Tally) Match(a, b int) *Match {
	m, ok := t.matches[[2]int{min(a, b), max(a, b)}]
	switch {
	case !ok:
		return newMatch(a, b)
	case a > b:
		return m.reversed()
	}
	return m
}

// Matches returns the matches of all engines that met, in the order of engines.
func (t *Tally) Matches() []*Match {
	return slices.SortedFunc(maps.Values(t.matches), func(x, y *Match) int {
		return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
}

// An Engine holds the results of an engine in all its games.
type Engine struct {
	Name         string
	Games        stats.Counts // lost, drawn, won
	Pairs        stats.Counts // whole pairs, by points
	Split        int          // pairs of a win and a loss
	Failures     Failures
	Warnings     int
	Effort       Effort
	Disqualified *journal.Disqualify // nil if not disqualified
}

// Points returns the points scored, a draw counting ½.
func (e *Engine) Points() float64 { return points(e.Games) }

// points returns the points of counts of games.
func points(games stats.Counts) float64 { return float64(games[1])/2 + float64(games[2]) }
