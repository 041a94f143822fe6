package stats

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A DisconnectedError reports that ratings cannot be compared because the
// engines fall into several components, listed largest first. With a prior, no
// games connect them. Without one it may also be that the engines of a
// component never scored against the others, or never lost half a point to them
// (Ford, Solution of a ranking problem from binary comparisons, 1957).
type DisconnectedError struct{ Components [][]int }

func (e *DisconnectedError) Error() string {
	names := make([]string, len(e.Components))
	for i, c := range e.Components {
		names[i] = fmt.Sprint(c)
	}
	return "stats: results do not connect the engines " + strings.Join(names, " and ")
}

// ErrFirstMove means that results leave the value of the first move open: it is
// unknown who moved first, it was always the same engine, or, without a prior,
// the engine that moved first never lost or never won.
var ErrFirstMove = errors.New("stats: the results do not determine the value of the first move")

// A graph holds what the results imply about finite ratings. scored[i][j] is
// whether i scored against j; fixed engines count as connected.
type graph struct {
	duels  []duel
	fixed  []int
	scored [][]bool
}

func newGraph(engines int, duels []duel, fixed []int) graph {
	g := graph{duels, fixed, make([][]bool, engines)}
	for i := range g.scored {
		g.scored[i] = make([]bool, engines)
		g.scored[i][i] = true
	}
	for _, d := range duels {
		if d.points() > 0 {
			g.scored[d.first][d.second] = true
		}
		if d.points() < d.games() {
			g.scored[d.second][d.first] = true
		}
	}
	for _, i := range fixed {
		for _, j := range fixed {
			g.scored[i][j] = true
		}
	}
	return g
}

// components returns the sets of engines that all scored against each other,
// perhaps through others, by Warshall's closure. Unless there is just one, some
// ratings are infinite or arbitrary.
func (g graph) components() [][]int {
	n := len(g.scored)
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = slices.Clone(g.scored[i])
	}
	for k := range n {
		for i := range n {
			if reach[i][k] {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[k][j]
				}
			}
		}
	}
	var all [][]int
	done := make([]bool, n)
	for i := range n {
		if done[i] {
			continue
		}
		var c []int
		for j := i; j < n; j++ {
			if reach[i][j] && reach[j][i] {
				c, done[j] = append(c, j), true
			}
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return all
}

// check reports why the likelihood has no single finite maximum; firstMove is
// whether the value of the first move is a parameter.
func (g graph) check(firstMove bool) error {
	if c := g.components(); len(c) > 1 {
		return &DisconnectedError{c}
	}
	if firstMove && (g.unbounded(1) || g.unbounded(-1)) {
		return ErrFirstMove
	}
	return nil
}

// unbounded reports whether ratings can change together with the value of the
// first move, the latter by change, so that no result becomes less likely. A
// point of the first engine requires second ≤ first + change, one of the second
// engine first ≤ second - change. Such inequalities have a solution unless they
// form a cycle with a negative sum, which Bellman-Ford relaxation finds.
func (g graph) unbounded(change int) bool {
	type edge struct{ from, to, length int }
	var edges []edge
	for _, d := range g.duels {
		length := change
		if !d.known {
			length = 0
		}
		if d.points() > 0 {
			edges = append(edges, edge{d.first, d.second, length})
		}
		if d.points() < d.games() {
			edges = append(edges, edge{d.second, d.first, -length})
		}
	}
	for _, i := range g.fixed {
		for _, j := range g.fixed {
			edges = append(edges, edge{i, j, 0})
		}
	}
	distance := make([]int, len(g.scored))
	for range len(distance) {
		relaxed := false
		for _, e := range edges {
			if d := distance[e.from] + e.length; d < distance[e.to] {
				distance[e.to], relaxed = d, true
			}
		}
		if !relaxed {
			return true
		}
	}
	return false
}
