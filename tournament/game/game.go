// Package game plays games between engines. It keeps its own board, applies the
// rules of package board, and trusts no engine: whatever an engine does leads
// to a result with a named reason.
package game

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/adjudicate"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

// Settings are the rules of a game.
type Settings struct {
	Rule            config.Rule
	Width, Height   int
	Swap2           bool
	MaxPlies        int // stones that make a draw; 0: never
	DrawSquaresLeft int // empty points that make a draw
	Draw            adjudicate.Draw
	Resign          adjudicate.Resign
	Suspend         bool // suspend the engine that is not to move
}

// A Ply is a stone placed by an engine.
type Ply struct {
	Move board.Move
	Took time.Duration   // of several stones in swap2, the first has the total
	Info *telemetry.Info // what it said about the move; nil if nothing
}

// A Game is a game to play. It may be reused with other players and another
// opening, which saves making a board.
type Game struct {
	Settings
	Players [2]*Player   // the one that begins with black first
	Opening []board.Move // on the board before the engines begin; none in swap2
	OnReady func()       // called when both engines are ready, if not nil
	OnMove  func(Ply)    // called after every stone, if not nil

	board   *board.Board
	black   int    // which of the players has black
	opening int    // stones of Opening, or of swap2
	choices string // in swap2
	plies   []Ply  // after the opening
	won     bool   // by the last move
	scores  adjudicate.Game
	score   adjudicate.Verdict // after the last move
}

// A Result is the outcome of a game.
type Result struct {
	journal.Outcome
	Black int // the player who had black in the end: 1 if swap2 exchanged the colors
}

// Play conducts the game. An error comes from the harness or the context, never
// from an engine: then the game did not happen, and the players can only be
// closed.
func (g *Game) Play(ctx context.Context) (*Result, error) {
	if err := g.clear(); err != nil {
		return nil, err
	}
	b := g.board
	if g.Swap2 && len(g.Opening) > 0 {
		return nil, errors.New("swap2 begins on an empty board")
	}
	for _, m := range g.Opening {
		if !b.Legal(m) || b.Wins(m, b.Side()) {
			return nil, fmt.Errorf("illegal move %v in the opening", m)
		}
		b.Place(m)
	}
	g.black, g.opening, g.choices, g.plies, g.won = 0, len(g.Opening), "", nil, false
	g.scores, g.score = adjudicate.Game{Draw: g.Draw, Resign: g.Resign}, adjudicate.Open
	loser, f := g.conduct(ctx)
	if f != nil && f.harness != nil {
		return nil, f.harness
	}
	return g.end(loser, f), nil
}

// clear empties the board, making it first if necessary.
func (g *Game) clear() (err error) {
	if b := g.board; b != nil && b.Width() == g.Width && b.Height() == g.Height && b.Rule() == g.Rule.Rule {
		b.Clear()
		return nil
	}
	g.board, err = board.New(g.Width, g.Height, g.Rule.Rule)
	return err
}

// conduct plays until the game is over. If a fault ends it, loser is the player
// at fault.
func (g *Game) conduct(ctx context.Context) (loser int, f *fault) {
	if loser, f = g.prepare(ctx); f != nil {
		return loser, f
	}
	if g.OnReady != nil {
		g.OnReady()
	}
	if g.Swap2 {
		if loser, f = g.swap2(ctx); f != nil {
			return loser, f
		}
	}
	for !g.over() {
		i := g.toMove()
		if f := g.move(ctx, i); f != nil {
			return i, f
		}
	}
	return 0, nil
}

// prepare gets both engines ready concurrently.
func (g *Game) prepare(ctx context.Context) (loser int, f *fault) {
	var faults [2]*fault
	done := make(chan struct{})
	go func() {
		defer close(done)
		faults[1] = g.Players[1].prepare(ctx, &g.Settings)
	}()
	faults[0] = g.Players[0].prepare(ctx, &g.Settings)
	<-done
	for i, f := range faults {
		if f != nil && f.harness != nil {
			return i, f
		}
	}
	for i, f := range faults { // if neither can play, the first loses: in the return game that is the other engine
		if f != nil {
			return i, f
		}
	}
	return 0, nil
}

// toMove returns the player to move.
func (g *Game) toMove() int { return g.black ^ int(g.board.Side()) }

// over reports whether the game has ended on the board.
func (g *Game) over() bool {
	_, reason := g.verdict()
	return reason != ""
}

// verdict returns how the game ended on the board, with reason "" while it goes
// on.
func (g *Game) verdict() (journal.Result, journal.Reason) {
	b := g.board
	switch {
	case g.won && b.Side() == board.White: // black moved last
		return journal.BlackWins, journal.Five
	case g.won:
		return journal.WhiteWins, journal.Five
	case b.Full():
		return journal.Draw, journal.Full
	case g.MaxPlies > 0 && b.Stones() >= g.MaxPlies:
		return journal.Draw, journal.MaxPlies
	case b.Width()*b.Height()-b.Stones() <= g.DrawSquaresLeft:
		return journal.Draw, journal.SquaresLeft
	case g.score == adjudicate.Drawn:
		return journal.Draw, journal.ScoreDraw
	case g.score == adjudicate.Lost && b.Side() == board.White: // black moved last
		return journal.WhiteWins, journal.ScoreLoss
	case g.score == adjudicate.Lost:
		return journal.BlackWins, journal.ScoreLoss
	}
	return "", ""
}

// move asks a player for a move and plays it.
func (g *Game) move(ctx context.Context, i int) *fault {
	p := g.Players[i]
	answer, took, f := p.ask(ctx, isMove, g.request(p))
	if f != nil {
		return f
	}
	p.placed = true
	m, _ := parseMove(answer)
	if f := g.check(m, answer); f != nil {
		return f
	}
	g.won = g.board.Wins(m, g.board.Side()) // before it is placed
	g.plies = append(g.plies, g.place(p, m, took))
	score, scored := p.evaluation()
	g.score = g.scores.Move(i, score, scored, len(g.plies))
	return p.rest()
}

// request returns the lines that ask a player for a move.
func (g *Game) request(p *Player) []string {
	b := g.board
	switch {
	case b.Stones() == 0:
		return []string{p.clock.info(), "BEGIN"}
	case p.placed && p.engine.Board != config.BoardAlways:
		return []string{p.clock.info(), "TURN " + wire(b.Last())}
	}
	lines := []string{p.clock.info(), "BOARD"}
	for _, m := range b.History() {
		field := ",2"
		if b.At(m) == b.Side().Stone() {
			field = ",1"
		}
		lines = append(lines, wire(m)+field)
	}
	return append(lines, "DONE")
}

// check returns the fault of an illegal move.
func (g *Game) check(m board.Move, answer string) *fault {
	b := g.board
	switch {
	case !b.On(m):
		return failed(journal.IllegalRange, "played %s, which is off the board", strings.TrimSpace(answer))
	case !b.Empty(m):
		return failed(journal.IllegalOccupied, "played %v, which is occupied", m)
	case !b.Legal(m):
		f := failed(journal.Forbidden, "played %v, %v", m, b.Forbidden(m))
		f.forbidden = b.Forbidden(m)
		return f
	}
	return nil
}

// place puts a player's stone on the board.
func (g *Game) place(p *Player, m board.Move, took time.Duration) Ply {
	g.board.Place(m)
	ply := Ply{m, took, p.remarks()}
	if g.OnMove != nil {
		g.OnMove(ply)
	}
	return ply
}

// end makes the result of the game.
func (g *Game) end(loser int, f *fault) *Result {
	e := &Result{Black: g.black, Outcome: journal.Outcome{
		Open: g.opening, Moves: notation.FormatPosition(g.board.History(), g.Height, notation.FromTop), Swaps: g.choices,
	}}
	if f == nil {
		f = new(fault)
		e.Result, e.Reason = g.verdict()
	} else {
		e.Result, e.Reason, e.Detail = journal.BlackWins, f.reason, f.detail
		if loser == g.black {
			e.Result = journal.WhiteWins
		}
	}
	e.Text = words(&e.Outcome, f)
	told := false
	for _, p := range g.plies {
		e.Times = append(e.Times, micros(p.Took))
		e.Info = append(e.Info, p.Info)
		told = told || p.Info != nil
	}
	if !told {
		e.Info = nil
	}
	for c, i := range [2]int{g.black, 1 - g.black} {
		p := g.Players[i]
		if p.proc != nil {
			p.drain()
		}
		e.Memory[c], e.Stale[c], e.Start[c] = p.peak>>10, p.stale, micros(p.started)
		e.Lag = max(e.Lag, micros(p.lag))
	}
	return e
}

func micros(d time.Duration) journal.Micros { return journal.Micros(d.Microseconds()) }

// words returns the reason in the words of c-gomoku-cli.
func words(e *journal.Outcome, f *fault) string {
	winner := "Black"
	if e.Result == journal.WhiteWins {
		winner = "White"
	}
	switch e.Reason {
	case journal.Five:
		return winner + " win by five connection"
	case journal.Full:
		return "Draw by fullfilled board"
	case journal.MaxPlies, journal.SquaresLeft, journal.ScoreDraw:
		return "Draw by adjudication"
	case journal.ScoreLoss:
		return winner + " win by adjudication"
	case journal.Forbidden:
		return "Black play forbidden move - " + strings.ReplaceAll(f.forbidden.String(), "-", " ")
	case journal.TimeLoss, journal.NoAnswer:
		return winner + " win by time forfeit"
	case journal.IllegalOccupied, journal.IllegalRange, journal.Garbage, journal.Swap2:
		return winner + " win by opponent illegal move"
	case journal.MemoryLoss:
		return winner + " win by opponent " + f.text
	}
	return winner + " win by opponent crash"
}
