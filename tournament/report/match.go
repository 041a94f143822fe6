package report

import (
	"kumiko/engine/board"
	"kumiko/tournament/stats"
)

// A Match holds the results of engine A against engine B.
type Match struct {
	A, B     int
	Results  stats.Pairing   // A's, in pairs and lone games
	Colors   [2]stats.Counts // A's games with black and with white: lost, drawn, won
	Failures [2]Failures     // of A and of B
}

func newMatch(a, b int) *Match {
	return &Match{
		A: a, B: b,
		Results:  stats.Pairing{I: a, J: b},
		Colors:   [2]stats.Counts{make(stats.Counts, 3), make(stats.Counts, 3)},
		Failures: [2]Failures{make(Failures), make(Failures)},
	}
}

// Games counts A's games: lost, drawn, won.
func (m *Match) Games() stats.Counts { return m.Results.Games() }

// Lone counts A's games outside whole pairs: lost, drawn, won.
func (m *Match) Lone() stats.Counts {
	c := make(stats.Counts, 3)
	for i := range c {
		c[i] = m.Results.First[i] + m.Results.Second[i]
	}
	return c
}

// Pairs counts A's whole pairs by points; split counts those with one point
// from a win and a loss.
func (m *Match) Pairs() (c stats.Counts, split int) { return m.Results.Pentanomial() }

// Items returns the basis of error estimates: A's whole pairs or, without any,
// its games.
func (m *Match) Items() stats.Counts {
	if c, _ := m.Pairs(); c.N() > 0 {
		return c
	}
	return m.Games()
}

// FirstMover counts the games of the first mover: lost, drawn, won.
func (m *Match) FirstMover() stats.Counts {
	c := make(stats.Counts, 3)
	for i := range c {
		c[i] = m.Results.First[i] + m.Results.Second[2-i]
	}
	for first, row := range m.Results.Pairs {
		for second, n := range row {
			c[first] += n
			c[2-second] += n
		}
	}
	return c
}

// reversed returns the match from B's point of view.
func (m *Match) reversed() *Match {
	r := newMatch(m.B, m.A)
	r.Failures = [2]Failures{m.Failures[1], m.Failures[0]}
	for i := range 3 {
		r.Results.First[2-i], r.Results.Second[2-i] = m.Results.Second[i], m.Results.First[i]
		r.Colors[board.Black][2-i] = m.Colors[board.White][i]
		r.Colors[board.White][2-i] = m.Colors[board.Black][i]
		for j := range 3 {
			r.Results.Pairs[2-j][2-i] = m.Results.Pairs[i][j]
		}
	}
	return r
}
