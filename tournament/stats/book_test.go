package stats

// A book is a model of openings in BayesElo's terms: how drawish they are, and
// what each is worth to the engine that moves first in it.
type book struct {
	drawElo float64
	biases  []float64 // at least one
}

// games returns the chances that an engine that is elo better loses, draws and
// wins, if it moves first in half the games.
func (b book) games(elo float64) []float64 {
	p := make([]float64, 3)
	for _, bias := range b.biases {
		first, second := b.game(elo+bias), b.game(elo-bias)
		for i := range p {
			p[i] += (first[i] + second[i]) / float64(2*len(b.biases))
		}
	}
	return p
}

// pairs returns the chances of the five outcomes of a pair of games, for an
// engine that is elo better.
func (b book) pairs(elo float64) []float64 {
	p := make([]float64, 5)
	for _, bias := range b.biases {
		first, second := b.game(elo+bias), b.game(elo-bias)
		for i, x := range first {
			for j, y := range second {
				p[i+j] += x * y / float64(len(b.biases))
			}
		}
	}
	return p
}

// game returns the chances to lose, draw and win with an advantage.
func (b book) game(elo float64) [3]float64 {
	loss, win := ScoreOf(-elo-b.drawElo), ScoreOf(elo-b.drawElo)
	return [3]float64{loss, 1 - win - loss, win}
}

// variance is that of an item's mean score, given the chances of its outcomes,
// the worst first.
func variance(p []float64) float64 {
	sum, squares := 0.0, 0.0
	for i, x := range p {
		score := float64(i) / float64(len(p)-1)
		sum += x * score
		squares += x * score * score
	}
	return squares - sum*sum
}
