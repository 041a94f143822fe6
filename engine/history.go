package engine

import "kumiko/engine/board"

// points is the number of values of a board.Move.
const points = board.MaxSize * board.MaxSize

// history records which moves caused cutoffs. Moves that make a three or better
// are scored separately from quiet ones, since a point is worth different things
// as an attack and as a developing move.
type history struct {
	score   [2][2][points]int16 // by player, attack, point
	counter [2][points]board.Move
	// reply[last][m] is how well m did right after last, for either player: the
	// one-ply continuation history.
	reply [points][points]int16
	// follow[own][m] is the same after the player's own last move.
	follow [points][points]int16
}

// newHistory returns an empty history. It touches as little of its memory as it can,
// since a first move may not have the time for 4 MiB.
func newHistory() *history {
	h := &history{}
	h.clearCounters()
	return h
}

func (h *history) clear() {
	clear(h.score[:])
	for _, table := range []*[points][points]int16{&h.reply, &h.follow} {
		for last := range table {
			// Most rows are unwritten and occupy no memory yet.
			if table[last] != [points]int16{} {
				clear(table[last][:])
			}
		}
	}
	h.clearCounters()
}

func (h *history) clearCounters() {
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

// add rewards or, with a negative bonus, penalizes the move m of c that makes s
// and follows last and c's own last move.
func (h *history) add(c board.Color, m, last, own board.Move, s board.Shape, bonus, limit int) {
	adjust(&h.score[c&1][kind(s)][m%points], bonus, limit)
	if last != board.NoMove {
		adjust(&h.reply[last%points][m%points], bonus, limit)
	}
	if own != board.NoMove {
		adjust(&h.follow[own%points][m%points], bonus, limit)
	}
}

// adjust moves a score toward its limit: the closer it is, the less it moves
// (history gravity).
func adjust(e *int16, bonus, limit int) {
	*e += int16(bonus - int(*e)*max(bonus, -bonus)/limit)
}

// followUnit is the weight at which follow counts as much as reply.
const followUnit = 128

// get returns the history score of a move, with the given weight of follow.
func (h *history) get(c board.Color, m, last, own board.Move, s board.Shape, weight int) int {
	v := int(h.score[c&1][kind(s)][m%points])
	if last != board.NoMove {
		v += int(h.reply[last%points][m%points])
	}
	if own != board.NoMove {
		v += int(h.follow[own%points][m%points]) * weight / followUnit
	}
	return v
}
