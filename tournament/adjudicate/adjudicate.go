// Package adjudicate ends games by the scores that engines report, without
// playing them out.
package adjudicate

// A Draw says when a game is adjudicated a draw: when that many scored moves in
// a row, of both players, are within Score of zero and enough stones stand.
// Without Moves it never is.
type Draw struct {
	Moves  int
	Score  int
	Stones int
	Both   bool // half of the moves must be of each player: one alone decides nothing
}

// A Resign says when a player has lost: when that many of their scored moves in
// a row are at -Score or below and enough stones stand. Without Moves none ever
// has.
type Resign struct {
	Moves  int
	Score  int
	Stones int
}

// SelfPlay is the rule for games of the engine against itself on a board of so
// many points. It knows its scores, and a drawn game would fill the board.
func SelfPlay(points int) Game {
	return Game{Draw: Draw{Moves: 12, Score: 20, Stones: (points*45 + 99) / 100}}
}

// A Game follows the scores of one game.
type Game struct {
	Draw   Draw
	Resign Resign

	level  [2]int // of each player, scored moves in a row of both near zero
	losing [2]int // of each player, scored moves in a row near a loss
}

// A Verdict is what becomes of a game after a move.
type Verdict int

const (
	Open  Verdict = iota // it goes on
	Drawn                // it is a draw
	Lost                 // the player who moved has lost
)

// Move takes in a move of a player, 0 or 1, with the score from the player's
// point of view and the stones that stand after it. A move without a score
// breaks no row.
func (g *Game) Move(player, score int, scored bool, stones int) Verdict {
	if scored {
		if max(score, -score) <= g.Draw.Score {
			g.level[player]++
		} else {
			g.level = [2]int{}
		}
		count(&g.losing[player], score <= -g.Resign.Score)
	}
	switch {
	case g.Resign.Moves > 0 && g.losing[player] >= g.Resign.Moves && stones >= g.Resign.Stones:
		return Lost
	case g.Draw.Moves > 0 && g.even() && stones >= g.Draw.Stones:
		return Drawn
	}
	return Open
}

// even reports whether enough moves in a row are near zero.
func (g *Game) even() bool {
	return g.level[0]+g.level[1] >= g.Draw.Moves && (!g.Draw.Both || 2*min(g.level[0], g.level[1]) >= g.Draw.Moves)
}

// count counts how often something is so in a row.
func count(row *int, so bool) {
	if so {
		*row++
	} else {
		*row = 0
	}
}
