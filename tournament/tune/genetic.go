package tune

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
)

// geneticSettings are the settings of the genetic algorithm; see [genetic].
type geneticSettings struct {
	Population int     `json:"population"`
	Pairs      int     `json:"pairs"` // pairs of games per member and generation
	Elites     int     `json:"elites"`
	Immigrants int     `json:"immigrants"`
	Tournament int     `json:"tournament"` // members of which the best becomes a parent
	Mutation   float64 `json:"mutation"`   // probability per gene
	Sigma      float64 `json:"sigma"`      // standard deviation of a mutation, in steps
}

// check reports invalid settings.
func (s *geneticSettings) check() error {
	const most = 1000 // for any count
	switch {
	case s.Population < 2 || s.Population > most:
		return fmt.Errorf("population must be 2 to %d, got %d", most, s.Population)
	case s.Pairs < 1 || s.Pairs > most:
		return fmt.Errorf("pairs must be 1 to %d, got %d", most, s.Pairs)
	case s.Elites < 1 || s.Immigrants < 0 || s.Elites+s.Immigrants >= s.Population:
		return fmt.Errorf("elites must be at least 1, immigrants at least 0, and both fewer than the population of %d, got %d and %d",
			s.Population, s.Elites, s.Immigrants)
	case s.Tournament < 1 || s.Tournament > s.Population:
		return fmt.Errorf("tournament must be 1 to %d, the population, got %d", s.Population, s.Tournament)
	case !(s.Mutation >= 0 && s.Mutation <= 1):
		return fmt.Errorf("mutation must be 0 to 1, got %v", s.Mutation)
	case !(s.Sigma > 0 && s.Sigma <= steps):
		return fmt.Errorf("sigma must be above 0 and at most %d, got %v", steps, s.Sigma)
	}
	return nil
}

// hallSize is the number of recent champions used as opponents.
const hallSize = 4

// genetic is a genetic algorithm. A member of the population is a value for
// every parameter. In each generation all members play pairs of games from the
// same openings, alternately against the defaults and the champions of recent
// generations. The best are kept and measured further: their results add up, so
// luck does not last. The others are replaced by children, whose parents win a
// tournament and whose genes come from either parent and sometimes mutate, and
// by immigrants with random values.
//
// Its result is the mean of the population. A few games say so little about a
// member that the best one is a bad choice: its many mutations were lucky, not
// right, and in the mean they cancel out. For the same reason a generation
// should have many members with few games.
type genetic struct {
	geneticSettings
	seed   uint64
	params []param

	generation int      // from 0
	members    []member // best first, once they have played
	hall       [][]int  // values of recent champions
	champion   member   // the best of the last generation
	score      float64  // mean score of the last generation
	pairs      int      // pairs played
}

// A member is a set of values with its results.
type member struct {
	values []int
	pairs  int
	// sum adds the scores of these pairs, from 0 to 1, converted to scores
	// against the defaults.
	sum float64
}

func newGenetic(seed uint64, params []param, s geneticSettings) *genetic {
	m := &genetic{geneticSettings: s, seed: seed, params: params}
	m.champion, m.score = member{values: defaults(params)}, 0.5
	m.members = []member{m.champion}
	rng := newRand(seed, geneticStream, 0)
	for len(m.members) < s.Population {
		values := defaults(params)
		m.mutate(rng, values, 1)
		m.members = append(m.members, member{values: values})
	}
	return m
}

// priorPairs is the number of pairs that the mean of a generation counts for in
// the fitness of a member. It is about the variance of a pair's score, 0.08,
// divided by the variance of members' strengths, 0.04².
const priorPairs = 50

// fitness estimates the mean score of a member against the defaults. A few
// games say little, so it shrinks towards the mean of the generation: shrinking
// towards ½, or not at all, would always put a lucky child ahead of members
// known to be good.
func (m *genetic) fitness(x *member) float64 {
	return (x.sum + priorPairs*m.score) / float64(x.pairs+priorPairs)
}

// opponent returns the values that x meets in its k-th pair of a generation,
// and whether they are a champion's.
func (m *genetic) opponent(x *member, k int) (values []int, champion bool) {
	if k%2 == 1 && len(m.hall) > 0 {
		if c := m.hall[(k/2+m.generation)%len(m.hall)]; !slices.Equal(c, x.values) {
			return c, true
		}
	}
	return defaults(m.params), false
}

// next implements [method].
func (m *genetic) next(int) []pairing {
	var pairs []pairing
	for i := range m.members {
		x := &m.members[i]
		for k := range m.Pairs {
			number := uint64(m.generation*m.Pairs + k)
			opponent, _ := m.opponent(x, k)
			pairs = append(pairs, pairing{number, x.values, opponent})
		}
	}
	return pairs
}

// take implements [method].
func (m *genetic) take(scores []int) {
	advantage := m.advantage(scores)
	total := 0.0
	for i := range m.members {
		x := &m.members[i]
		sum := 0.0
		for k := range m.Pairs {
			sum += float64(scores[i*m.Pairs+k]) / 4
			if _, champion := m.opponent(x, k); champion {
				sum += advantage
			}
		}
		x.sum += sum
		x.pairs += m.Pairs
		total += sum
	}
	m.score = total / float64(len(scores))
	m.pairs += len(scores)
	slices.SortStableFunc(m.members, func(x, y member) int { return cmp.Compare(m.fitness(&y), m.fitness(&x)) })
	m.crown()
	m.generation++
	m.breed()
}

// advantage returns how much less the generation has scored against champions
// than against the defaults. The champions' own scores would overstate it: they
// were selected for them.
func (m *genetic) advantage(scores []int) float64 {
	var sums, pairs [2]float64 // against the defaults, against champions
	for i := range m.members {
		for k := range m.Pairs {
			kind := 0
			if _, champion := m.opponent(&m.members[i], k); champion {
				kind = 1
			}
			sums[kind] += float64(scores[i*m.Pairs+k]) / 4
			pairs[kind]++
		}
	}
	if pairs[1] == 0 {
		return 0
	}
	return sums[0]/pairs[0] - sums[1]/pairs[1]
}

// crown makes the best member a champion.
func (m *genetic) crown() {
	m.champion = m.members[0]
	m.hall = slices.DeleteFunc(m.hall, func(c []int) bool { return slices.Equal(c, m.champion.values) })
	m.hall = append(m.hall, m.champion.values)
	if len(m.hall) > hallSize {
		m.hall = slices.Delete(m.hall, 0, 1)
	}
}

// breed makes the next generation.
func (m *genetic) breed() {
	rng := newRand(m.seed, geneticStream, uint64(m.generation))
	next := slices.Clone(m.members[:m.Elites])
	for len(next) < m.Population {
		if len(next) < m.Population-m.Immigrants {
			next = append(next, member{values: m.child(rng)})
		} else {
			next = append(next, member{values: m.immigrant(rng)})
		}
	}
	m.members = next
}

// child returns the values of a child of two members.
func (m *genetic) child(rng *rand.Rand) []int {
	values := slices.Clone(m.parent(rng))
	for i, v := range m.parent(rng) {
		if rng.Uint64()>>63 == 0 {
			values[i] = v
		}
	}
	m.mutate(rng, values, m.Mutation)
	return values
}

// parent returns the values of the best of some random members.
func (m *genetic) parent(rng *rand.Rand) []int {
	best := len(m.members)
	for range m.Tournament {
		best = min(best, rng.IntN(len(m.members)))
	}
	return m.members[best].values
}

// mutate changes each of values with the given probability.
func (m *genetic) mutate(rng *rand.Rand, values []int, chance float64) {
	for i, p := range m.params {
		if rng.Float64() < chance {
			x := float64(values[i]) + float64(rng.NormFloat64()*m.Sigma*p.Step)
			values[i] = int(math.Round(clip(x, float64(p.Min), float64(p.Max))))
		}
	}
}

// immigrant returns random values.
func (m *genetic) immigrant(rng *rand.Rand) []int {
	values := make([]int, len(m.params))
	for i, p := range m.params {
		values[i] = p.Min + rng.IntN(p.Max-p.Min+1)
	}
	return values
}

// mean returns the mean of the population without immigrants.
func (m *genetic) mean() []float64 {
	mean := make([]float64, len(m.params))
	natives := m.members[:m.Population-m.Immigrants]
	for _, x := range natives {
		for i, v := range x.values {
			mean[i] += float64(v)
		}
	}
	for i := range mean {
		mean[i] /= float64(len(natives))
	}
	return mean
}

// state implements [method].
func (m *genetic) state() any {
	return map[string]any{"mean": m.mean(), "best": m.champion.values}
}

// decided implements [method].
func (m *genetic) decided() bool { return false }

// done implements [method].
func (m *genetic) done() int { return m.pairs }

// result implements [method].
func (m *genetic) result() []int { return rounded(m.params, m.mean()) }

// writeLine implements [method].
func (m *genetic) writeLine(w io.Writer) {
	fmt.Fprintf(w, "generation %d scores %.1f %%, its best %.1f %% in %d pairs",
		m.generation, 100*m.score, 100*m.champion.sum/float64(m.champion.pairs), m.champion.pairs)
}

// writeResult implements [method].
func (m *genetic) writeResult(w io.Writer) error {
	mean := m.mean()
	return writeValues(w, m.params, m.result(), fmt.Sprintf("%10s%10s", "exact", "best"), func(i int) string {
		return fmt.Sprintf("%10.2f%10d", mean[i], m.champion.values[i])
	})
}
