package analyze

import (
	"kumiko/engine"
	"kumiko/engine/board"
)

// A mark is how bad a move is.
type mark uint8

const (
	unmarked mark = iota
	doubtful
	mistake
	blunder
)

// The least losses of win rate for which a move is marked.
const (
	doubtfulLoss = 0.05
	mistakeLoss  = 0.10
	blunderLoss  = 0.20
)

func (m mark) String() string { return [...]string{"", "doubtful", "mistake", "blunder"}[m] }

// symbol returns the mark as in annotated games.
func (m mark) symbol() string { return [...]string{"", "?!", "?", "??"}[m] }

// markOf returns the mark for a loss of win rate.
func markOf(lost float64) mark {
	switch {
	case lost >= blunderLoss:
		return blunder
	case lost >= mistakeLoss:
		return mistake
	case lost >= doubtfulLoss:
		return doubtful
	}
	return unmarked
}

// A verdict is what is said of a move of a game. Scores and win rates are those of
// the player who made it.
type verdict struct {
	ply   int // of the move, from 1
	color board.Color
	move  board.Move
	best  line         // of the position before the move
	score engine.Score // of the move
	rate  float64      // the win rate of the move
	lost  float64      // how much less that is than the win rate of the best move
	mark  mark

	missed  []board.Move // a victory by fours that was there before the move, and is not after it
	allowed []board.Move // a victory by fours that the move allows the opponent
	reply   line         // the opponent's best line after the move, for the opponent; none if the game has ended
}

// judge compares a move with the best one. The positions are those before and after
// the move, both searched.
func judge(at, after *position, move board.Move) verdict {
	v := verdict{ply: after.ply, color: at.board.Side(), move: move, best: at.lines[0]}
	v.score = after.value()
	if after.ending == open {
		v.reply = after.lines[0]
	}
	if move == v.best.moves[0] {
		v.score = max(v.score, v.best.score)
	}
	v.rate = v.score.WinRate()
	v.lost = max(0, v.best.score.WinRate()-v.rate)
	v.mark = markOf(v.lost)
	if at.fours != nil && v.score < engine.MateBound {
		v.missed = at.fours
		v.mark = max(v.mark, doubtful)
	}
	if after.fours != nil && v.best.score > -engine.MateBound {
		v.allowed = after.fours
	}
	return v
}

// A tally sums up the moves of a player.
type tally struct {
	moves   int
	marks   [blunder + 1]int
	lost    float64 // mean loss of win rate
	missed  int     // victories by fours
	allowed int
}

// tallyOf sums up the moves of a color.
func tallyOf(verdicts []verdict, c board.Color) tally {
	var t tally
	for _, v := range verdicts {
		if v.color != c {
			continue
		}
		t.moves++
		t.marks[v.mark]++
		t.lost += v.lost
		if v.missed != nil {
			t.missed++
		}
		if v.allowed != nil {
			t.allowed++
		}
	}
	if t.moves > 0 {
		t.lost /= float64(t.moves)
	}
	return t
}
