package tune

import (
	"context"
	"math"

	"kumiko/tournament/stats"
)

// hill is a make-believe engine: its strength falls, in Elo, with the square of
// the distance of its values from the best ones.
type hill struct {
	best  []int
	elo   []float64 // lost at a distance of one step
	steps []float64
}

// testHill has its top away from the defaults of three parameters, which lose
// 25, 32 and 27 Elo.
var testHill = hill{best: []int{75, 20, 350}, elo: []float64{1, 2, 3}, steps: []float64{5, 5, 50}}

func testParams() []param {
	return []param{{"LMRFactor", 50, 30, 130, 5}, {"LeafFours", 40, 0, 100, 5}, {"LeafNodes", 200, 0, 1000, 50}}
}

// strength is 0 at the top.
func (h hill) strength(values []int) float64 {
	elo := 0.0
	for i, v := range values {
		d := float64(v-h.best[i]) / h.steps[i]
		elo -= h.elo[i] * d * d
	}
	return elo
}

// game is a gameFunc without draws. The first move is worth 50 Elo.
func (h hill) game(_ context.Context, p pairing, leg int) (int, error) {
	elo := h.strength(p.a) - h.strength(p.b) + 50*float64(1-2*leg)
	// The same numbers always give the same game.
	seed := uint64(leg)
	for _, v := range append(append([]int(nil), p.a...), p.b...) {
		seed = seed*1_000_003 + uint64(v)
	}
	if newRand(seed, 0, p.number).Float64() < stats.ScoreOf(elo) {
		return 2, nil
	}
	return 0, nil
}

// arena returns one with so many players.
func (h hill) arena(players int) arena {
	var a arena
	for range players {
		a = append(a, h.game)
	}
	return a
}

// play lets a method play without a log until it has so many pairs.
func (h hill) play(m method, pairs int) {
	for m.done() < pairs {
		list := m.next(pairs - m.done())
		if len(list) == 0 {
			return
		}
		scores, err := h.arena(1).play(context.Background(), list)
		if err != nil {
			panic(err) // these games have no errors
		}
		m.take(scores)
	}
}

// loss is how many Elo values have left to gain.
func (h hill) loss(values []int) float64 { return math.Abs(h.strength(values)) }
