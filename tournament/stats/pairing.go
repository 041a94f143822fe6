package stats

import (
	"fmt"
	"math"
	"slices"
)

// A Result is an engine's result in a game: 0 lost, 1 drawn, 2 won.
type Result int

// A Pairing counts the results of two engines, I and J, against each other.
// Every result is I's; J's is 2 minus that. A tournament is a slice of
// pairings, whose size does not grow with the number of games; two engines may
// have several.
type Pairing struct {
	I, J    int       // engines, from 0
	Pairs   [3][3]int // pairs of games by I's results: moving first, moving second
	First   [3]int    // lone games in which I moved first
	Second  [3]int    // lone games in which J moved first
	Unknown [3]int    // lone games in which it is unknown who moved first
}

// Games counts the results of all games of I, including pairs.
func (p Pairing) Games() Counts {
	c := p.lone()
	for r, row := range p.Pairs {
		for s, n := range row {
			c[r] += n
			c[s] += n
		}
	}
	return c
}

// lone counts the results of games outside pairs.
func (p Pairing) lone() Counts {
	c := make(Counts, 3)
	for r := range c {
		c[r] = p.First[r] + p.Second[r] + p.Unknown[r]
	}
	return c
}

// Pentanomial counts I's pairs by the sums of their results, omitting lone
// games. Of the pairs that sum to one point, split are a win and a loss, the
// others two draws.
func (p Pairing) Pentanomial() (c Counts, split int) {
	c = make(Counts, 5)
	for r, row := range p.Pairs {
		for s, n := range row {
			c[r+s] += n
		}
	}
	return c, p.Pairs[2][0] + p.Pairs[0][2]
}

// reversed returns the same results from J's point of view.
func (p Pairing) reversed() Pairing {
	q := Pairing{I: p.J, J: p.I}
	for r := range 3 {
		q.First[2-r], q.Second[2-r], q.Unknown[2-r] = p.Second[r], p.First[r], p.Unknown[r]
		for s := range 3 {
			q.Pairs[2-s][2-r] = p.Pairs[r][s]
		}
	}
	return q
}

// merged returns one pairing for each two engines that met.
func merged(results []Pairing) []Pairing {
	var list []Pairing
	index := make(map[[2]int]int)
	for _, p := range results {
		k, ok := index[[2]int{p.I, p.J}]
		if !ok {
			k = len(list)
			index[[2]int{p.I, p.J}], index[[2]int{p.J, p.I}] = k, k
			list = append(list, Pairing{I: p.I, J: p.J})
		}
		q := &list[k]
		if q.I != p.I {
			p = p.reversed()
		}
		for r := range 3 {
			q.First[r] += p.First[r]
			q.Second[r] += p.Second[r]
			q.Unknown[r] += p.Unknown[r]
			for s := range 3 {
				q.Pairs[r][s] += p.Pairs[r][s]
			}
		}
	}
	return list
}

// tellsOrder reports whether it is known for any game who moved first.
func (p Pairing) tellsOrder() bool { return p.Games().N() > Counts(p.Unknown[:]).N() }

// check reports an impossible pairing.
func (p Pairing) check(engines int) error {
	if p.I < 0 || p.I >= engines || p.J < 0 || p.J >= engines || p.I == p.J {
		return fmt.Errorf("stats: invalid pairing of engines %d and %d: want two of 0 to %d", p.I, p.J, engines-1)
	}
	least := min(slices.Min(p.First[:]), slices.Min(p.Second[:]), slices.Min(p.Unknown[:]))
	for _, row := range p.Pairs {
		least = min(least, slices.Min(row[:]))
	}
	if least < 0 {
		return fmt.Errorf("stats: pairing of engines %d and %d: invalid count %d", p.I, p.J, least)
	}
	return nil
}

// Subset returns the pairings among the listed engines, renumbered by their
// places in the list, so that a component of a [DisconnectedError] can be rated
// alone.
func Subset(results []Pairing, engines []int) []Pairing {
	var subset []Pairing
	for _, p := range results {
		p.I, p.J = slices.Index(engines, p.I), slices.Index(engines, p.J)
		if p.I >= 0 && p.J >= 0 {
			subset = append(subset, p)
		}
	}
	return subset
}

// A duel is a set of games with the same first mover. Games whose order is
// unknown are duels with known unset. Priors make the counts fractional.
type duel struct {
	first, second int
	known         bool
	results       [3]float64 // by the first engine's result
}

func (d duel) games() float64   { return d.results[0] + d.results[1] + d.results[2] }
func (d duel) points() float64  { return d.results[1]/2 + d.results[2] }
func (d duel) lost() float64    { return d.results[1]/2 + d.results[0] }
func (d duel) notLost() float64 { return d.results[1] + d.results[2] }
func (d duel) notWon() float64  { return d.results[0] + d.results[1] }

// duelsOf splits results by who moved first and adds the prior as BayesElo
// does: a number of virtual draws per engine on average, spread over its games,
// half of them with each engine first.
func duelsOf(engines int, results []Pairing, prior float64) ([]duel, error) {
	if !(prior >= 0) || math.IsInf(prior, 0) {
		return nil, fmt.Errorf("stats: prior must be at least 0, got %g", prior)
	}
	total := make([]int, engines)
	for _, p := range results {
		if err := p.check(engines); err != nil {
			return nil, err
		}
		n := p.Games().N()
		total[p.I] += n
		total[p.J] += n
	}
	duels := make([]duel, 0, 3*len(results))
	for _, p := range results {
		n := float64(p.Games().N())
		if n == 0 {
			continue
		}
		first := duel{first: p.I, second: p.J, known: true}
		second := duel{first: p.J, second: p.I, known: true}
		unknown := duel{first: p.I, second: p.J}
		for r := range 3 {
			first.results[r] += float64(p.First[r])
			second.results[2-r] += float64(p.Second[r])
			unknown.results[r] += float64(p.Unknown[r])
			for s := range 3 {
				first.results[r] += float64(p.Pairs[r][s])
				second.results[2-s] += float64(p.Pairs[r][s])
			}
		}
		draws := prior / 4 * (n/float64(total[p.I]) + n/float64(total[p.J]))
		first.results[1] += draws
		second.results[1] += draws
		for _, d := range []duel{first, second, unknown} {
			if d.games() > 0 {
				duels = append(duels, d)
			}
		}
	}
	return duels, nil
}

// tally returns the number of games and points of each engine.
func tally(engines int, results []Pairing) (games []int, points []float64) {
	games, points = make([]int, engines), make([]float64, engines)
	for _, p := range results {
		c := p.Games()
		n, won := c.N(), float64(c[1])/2+float64(c[2])
		games[p.I] += n
		games[p.J] += n
		points[p.I] += won
		points[p.J] += float64(n) - won
	}
	return games, points
}
