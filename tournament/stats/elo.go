package stats

import "math"

// Counts says how many items had each outcome, worst first: 3 for games
// (losses, draws, wins) or 5 for pairs (sums of the two scores 0, ½, 1, 1½, 2).
// All functions expect one of these lengths.
type Counts []int

// EloScale is the Elo difference per unit of log odds: 400 means odds of 10:1.
const EloScale = 400 / math.Ln10

const (
	z95      = 1.959963984540054 // of the two-sided 95 % interval
	nEloUnit = 2 * EloScale      // normalized Elo per standard deviation
)

// N returns the number of items.
func (c Counts) N() int {
	n := 0
	for _, k := range c {
		n += k
	}
	return n
}

// score returns the mean score of a game in an item with outcome i.
func (c Counts) score(i int) float64 { return float64(i) / float64(len(c)-1) }

// gamesPerItem returns 1 for games and 2 for pairs.
func (c Counts) gamesPerItem() float64 { return float64(len(c)-1) / 2 }

// Score returns the mean score of an item, from 0 to 1, and the population
// variance of one item. Both are NaN without items.
func (c Counts) Score() (mean, variance float64) {
	n := float64(c.N())
	for i, k := range c {
		mean += float64(k) * c.score(i)
	}
	mean /= n
	for i, k := range c {
		d := c.score(i) - mean
		variance += float64(k) * d * d
	}
	return mean, variance / n
}

// An Estimate is a value with the ends of its 95 % interval. The ends are NaN
// if all items had the same outcome, which leaves the error unknown, and
// infinite where the score would leave (0, 1).
type Estimate struct{ Value, Low, High float64 }

// Margin returns half the width of the interval, which other tools print after
// ±.
func (e Estimate) Margin() float64 { return (e.High - e.Low) / 2 }

// EloOf returns the logistic Elo difference of a score.
func EloOf(score float64) float64 {
	switch {
	case score <= 0:
		return math.Inf(-1)
	case score >= 1:
		return math.Inf(1)
	}
	return -400 * math.Log10(1/score-1)
}

// ScoreOf returns the expected score of a logistic Elo difference.
func ScoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Elo estimates the logistic Elo difference. The ends are those of the score's
// interval, so they are not symmetric.
func (c Counts) Elo() Estimate {
	mean, variance := c.Score()
	if variance == 0 {
		return Estimate{EloOf(mean), math.NaN(), math.NaN()}
	}
	d := z95 * math.Sqrt(variance/float64(c.N()))
	return Estimate{EloOf(mean), EloOf(mean - d), EloOf(mean + d)}
}

// NElo estimates normalized Elo, which measures the difference in standard
// deviations of a game. It alone determines how long a test takes, whatever the
// draws or openings. See Van den Bergh, Normalized Elo.
func (c Counts) NElo() Estimate {
	mean, variance := c.Score()
	if variance == 0 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	value := (mean - 0.5) / math.Sqrt(variance*c.gamesPerItem()) * nEloUnit
	d := z95 * nEloUnit / math.Sqrt(float64(c.N())*c.gamesPerItem())
	return Estimate{value, value - d, value + d}
}

// LOS returns the likelihood of superiority, Φ((mean-½)/error), or NaN if the
// variance is 0.
func (c Counts) LOS() float64 {
	mean, variance := c.Score()
	if variance == 0 {
		return math.NaN()
	}
	return phi((mean - 0.5) / math.Sqrt(variance/float64(c.N())))
}

// phi is the distribution function of the normal distribution.
func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// DrawRatio returns the share of items that scored ½: draws of games, or even
// pairs, as in fastchess. It is NaN without items.
func (c Counts) DrawRatio() float64 { return float64(c[len(c)/2]) / float64(c.N()) }

// PairsRatio returns the ratio of pairs won to pairs lost, or NaN if all are
// even.
func (c Counts) PairsRatio() float64 { return float64(c[3]+c[4]) / float64(c[0]+c[1]) }

// WLDDRatio returns the ratio of even pairs with a win and a loss, counted by
// split, to those with two draws, or NaN without even pairs. Where it is large,
// openings decide games.
func (c Counts) WLDDRatio(split int) float64 { return float64(split) / float64(c[2]-split) }
