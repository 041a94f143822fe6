package stats

import "math"

// Plan says what to expect of the test if the difference is elo: the chance
// that H1 is accepted, and the mean number of items. The variance is that of
// an item's mean score; the normalized model needs none. The number of items
// is that of pairs. It is Wald's approximation by a Brownian motion.
func (t SPRT) Plan(elo, variance float64) (pass, pairs float64) {
	s, s0, s1 := elo, t.Elo0, t.Elo1
	if t.Model == Logistic {
		s, s0, s1 = ScoreOf(s), ScoreOf(s0), ScoreOf(s1)
	} else {
		unit := math.Sqrt2 / nEloUnit
		s, s0, s1, variance = s*unit, s0*unit, s1*unit, 1
	}
	a, b := t.Bounds()
	drift := (s1 - s0) * (s - (s0+s1)/2) / variance
	spread := (s1 - s0) * (s1 - s0) / variance
	h := 2 * drift / spread
	if math.Abs(h) < 1e-9 {
		return -a / (b - a), -a * b / spread
	}
	pass = -math.Expm1(-h*a) / (math.Exp(-h*b) - math.Exp(-h*a))
	return pass, (pass*b + (1-pass)*a) / drift
}

// FixedLength is after how many items, of two equal engines, half the 95 %
// interval of Elo is margin. The variance is that of an item's mean score, for
// games without draws ¼.
func FixedLength(margin, variance float64) (items float64) {
	const slope = 4 * EloScale // of Elo over the score, at ½
	d := z95 * slope / margin
	return d * d * variance
}

// A Book is a model of openings in BayesElo's terms: how drawish they are, and
// what each is worth to the engine that moves first in it.
type Book struct {
	DrawElo float64
	Biases  []float64 // at least one
}

// Games returns the chances that an engine that is elo better loses, draws and
// wins, if it moves first in half the games.
func (b Book) Games(elo float64) []float64 {
	p := make([]float64, 3)
	for _, bias := range b.Biases {
		first, second := b.game(elo+bias), b.game(elo-bias)
		for i := range p {
			p[i] += (first[i] + second[i]) / float64(2*len(b.Biases))
		}
	}
	return p
}

// Pairs returns the chances of the five outcomes of a pair of games, for an
// engine that is elo better.
func (b Book) Pairs(elo float64) []float64 {
	p := make([]float64, 5)
	for _, bias := range b.Biases {
		first, second := b.game(elo+bias), b.game(elo-bias)
		for i, x := range first {
			for j, y := range second {
				p[i+j] += x * y / float64(len(b.Biases))
			}
		}
	}
	return p
}

// game returns the chances to lose, draw and win with an advantage.
func (b Book) game(elo float64) [3]float64 {
	loss, win := ScoreOf(-elo-b.DrawElo), ScoreOf(elo-b.DrawElo)
	return [3]float64{loss, 1 - win - loss, win}
}

// Variance is that of an item's mean score, given the chances of its outcomes,
// the worst first.
func Variance(p []float64) float64 {
	sum, squares := 0.0, 0.0
	for i, x := range p {
		score := float64(i) / float64(len(p)-1)
		sum += x * score
		squares += x * score * score
	}
	return squares - sum*sum
}
