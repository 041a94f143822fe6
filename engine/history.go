package engine

import "kumiko/engine/board"

// points is the number of values of a board.Move.
const points = board.MaxSize * board.MaxSize

// history remembers which moves refuted their siblings. Moves that make a
// three or better keep a score apart from quiet ones, since the same point is
// worth different things as an attack and as a plain developing move.
type history struct {
	score   [2][2][points]int16 // by player, attack, point
	counter [2][points]board.Move
}

func (h *history) clear() {
	*h = history{}
	for c := range h.counter {
		for m := range h.counter[c] {
			h.counter[c][m] = board.NoMove
		}
	}
}

// kind returns 1 for an attacking shape and 0 for a quiet one.
func kind(s board.Shape) int {
	if s >= board.ShapeThree {
		return 1
	}
	return 0
}

// add moves a score towards its limit: the closer it is, the less it moves
// (gravity, as chess engines do it).
func (h *history) add(c board.Color, m board.Move, s board.Shape, bonus, limit int) {
	e := &h.score[c&1][kind(s)][m%points]
	*e += int16(bonus - int(*e)*max(bonus, -bonus)/limit)
}

func (h *history) get(c board.Color, m board.Move, s board.Shape) int {
	return int(h.score[c&1][kind(s)][m%points])
}
