// Package adjudicate ends games by the scores that engines report, without
// playing them out.
package adjudicate

// A Draw says when a game is adjudicated a draw: when that many consecutive
// scored moves of both players are within Score of zero and enough stones are
// on the board. Without Moves it never is.
type Draw struct {
	Moves  int
	Score  int
	Stones int
	Both   bool // require half of the moves from each player
}

// A Resign says when a player has lost: when that many of their consecutive
// scored moves are at -Score or below and enough stones are on the board.
// Without Moves it never applies.
type Resign struct {
	Moves  int
	Score  int
	Stones int
}

// SelfPlay returns the adjudication for games of the engine against itself on a
// board of that many points. Its scores are reliable, and a drawn game would
// fill the board.
func SelfPlay(points int) Game {
	return Game{Draw: Draw{Moves: 12, Score: 20, Stones: (points*45 + 99) / 100}}
}

// A Game tracks the scores of one game.
type Game struct {
	Draw   Draw
	Resign Resign

	level  [2]int // of each player, consecutive scored moves near zero
	losing [2]int // of each player, consecutive scored moves near a loss
}

// A Verdict is the state of a game after a move.
type Verdict int

const (
	Open  Verdict = iota // the game goes on
	Drawn                // the game is a draw
	Lost                 // the player who moved has lost
)

// Move records a move of a player, 0 or 1, with its score from the player's
// point of view and the stones on the board after it. A move without a score
// does not interrupt a streak.
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

// even reports whether enough consecutive moves are near zero.
func (g *Game) even() bool {
	return g.level[0]+g.level[1] >= g.Draw.Moves && (!g.Draw.Both || 2*min(g.level[0], g.level[1]) >= g.Draw.Moves)
}

// count counts consecutive occurrences.
func count(row *int, so bool) {
	if so {
		*row++
	} else {
		*row = 0
	}
}
