package stats

import (
	"errors"
	"fmt"
)

// Warnings of [Counts.Warnings] and [Warnings].
var (
	ErrFew     = errors.New("stats: fewer than 10 items: intervals and tests mean little")
	ErrUniform = errors.New("stats: all items had the same outcome: no error can be estimated")
	ErrGames   = errors.New("stats: games, not pairs: errors neglect that openings are shared")
	ErrSplit   = errors.New("stats: more than 90 % of the pairs are even: openings decide the games")
)

// Warnings lists the caveats that apply to numbers from these counts.
func (c Counts) Warnings() (w []error) {
	n := c.N()
	if n < 10 {
		w = append(w, ErrFew)
	}
	if distinct(c) < 2 {
		w = append(w, ErrUniform)
	}
	if len(c) == 3 {
		w = append(w, ErrGames)
	} else if 10*c[2] > 9*n {
		w = append(w, ErrSplit)
	}
	return w
}

// distinct returns the number of outcomes that occurred.
func distinct(c []int) int {
	d := 0
	for _, k := range c {
		if k > 0 {
			d++
		}
	}
	return d
}

// A UniformError reports that all pairs, or all games, of an engine had the
// same outcome. If it won all, its rating would be infinite but for the prior;
// in any case its error means little.
type UniformError struct{ Engine int }

func (e *UniformError) Error() string {
	return fmt.Sprintf("stats: all items of engine %d had the same outcome: its error means little", e.Engine)
}

// Warnings lists the caveats that apply to ratings of these results, besides
// the errors of Rate, such as disconnected engines.
func Warnings(engines int, results []Pairing) (w []error) {
	pairs, even, lone := 0, 0, 0
	outcomes := make([][5]bool, engines) // by mean score, in quarters
	for _, p := range results {
		c, _ := p.Pentanomial()
		games := p.lone()
		pairs += c.N()
		even += c[2]
		lone += games.N()
		for i, n := range c {
			if n > 0 || i%2 == 0 && games[i/2] > 0 {
				outcomes[p.I][i], outcomes[p.J][4-i] = true, true
			}
		}
	}
	if pairs+lone < 10 {
		w = append(w, ErrFew)
	}
	for i, o := range outcomes {
		n := 0
		for _, occurred := range o {
			if occurred {
				n++
			}
		}
		if n == 1 {
			w = append(w, &UniformError{i})
		}
	}
	if lone > 2*pairs {
		w = append(w, ErrGames)
	}
	if 10*even > 9*pairs {
		w = append(w, ErrSplit)
	}
	return w
}
