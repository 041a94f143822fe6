package watch

import (
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

// A game is a game shown as a board. Arrays of two are by color.
type game struct {
	number, round int
	moves         []board.Move // the opening too; colors alternate
	players       [2]player
	side          board.Color // to move
	since         time.Time   // when side began to think; zero if the game has ended
	result        string      // "" while the game is running
	lost          bool        // no process plays it: it must be played again
}

// A player is an engine in a game.
type player struct {
	name    string
	used    time.Duration // of the clock, without the current move
	left    time.Duration
	limited bool // whether left is valid
	info    *telemetry.Info
}

// running returns a running game; since is when the last move was seen.
func running(c *config.Config, r *journal.Running, since time.Time) game {
	g := newGame(c, &r.Game, movesOf(r.Open+r.Moves.Moves))
	g.clocks(c, &r.Game, r.Moves.Times, r.Moves.Info)
	g.since = since
	return g
}

// ended returns a finished game.
func ended(c *config.Config, e *journal.End) game {
	g := newGame(c, &e.Game, movesOf(e.Moves))
	g.clocks(c, &e.Game, e.Times, e.Info)
	g.result = string(e.Result) + " " + plain(e.Text)
	return g
}

func newGame(c *config.Config, key *journal.Game, moves []board.Move) game {
	g := game{number: key.Number, round: key.Round + 1, moves: moves, side: colorAt(len(moves))}
	for color := range g.players {
		g.players[color].name = nameOf(c, key.Engine(board.Color(color)))
	}
	return g
}

// clocks sets the clocks of the players, and what they reported, after moves
// with these times. Earlier moves are the opening's.
func (g *game) clocks(c *config.Config, key *journal.Game, times []journal.Micros, infos []*telemetry.Info) {
	var moves [2]int
	for i, t := range times {
		color := colorAt(max(len(g.moves)-len(times), 0) + i)
		p := &g.players[color]
		p.used += t.Duration()
		moves[color]++
		if i < len(infos) && infos[i] != nil {
			p.info = infos[i]
		}
	}
	for color := range g.players {
		e := key.Engine(board.Color(color))
		if e < 0 || e >= len(c.Engines) {
			continue
		}
		p, tc := &g.players[color], c.Engines[e].TC
		p.limited = tc.Match > 0
		p.left = tc.Match + time.Duration(moves[color])*tc.Inc - p.used
	}
}

// spent returns the time spent on the current move.
func (g *game) spent(now time.Time) time.Duration {
	if g.since.IsZero() {
		return 0
	}
	return max(now.Sub(g.since), 0)
}

// colorAt returns the color that makes the move at a ply.
func colorAt(ply int) board.Color { return board.Color(ply & 1) }

// nameOf returns the name of an engine, safe for the screen.
func nameOf(c *config.Config, engine int) string {
	if engine < 0 || engine >= len(c.Engines) {
		return "?"
	}
	return plain(c.Engines[engine].Name)
}

// movesOf returns the moves of a game as far as they can be parsed.
func movesOf(s string) []board.Move {
	moves, _ := board.ParseMoves(s)
	return moves
}
