package play

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/adjudicate"
	"kumiko/tournament/config"
	"kumiko/tournament/game"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/tournament/schedule"
	"kumiko/tournament/stats"
	"kumiko/tournament/work"
)

// A coordinator hands out the games of a schedule that have no result yet. It
// alone writes the log. All its methods are called by one goroutine.
type coordinator struct {
	cfg   config.Config
	sched *schedule.Schedule
	book  []opening.Opening
	dir   string // of the tournament

	state     *journal.Log
	unlogged  bool // the log could not be written
	before    int  // games played before this process began
	warnings  []string
	log       *journal.Writer
	harness   zerolog.Logger // logs what goes wrong
	observers []observer
	abort     context.CancelCauseFunc // ends the running games

	next       int               // the first pair of the schedule not handed out
	rest       [][]schedule.Game // by worker: what is left of its pair
	free       map[string]int    // resources
	test       *stats.Sequence   // nil unless there is a sequential test
	since      []time.Time       // by engine: when it changed with --accept-changed
	failures   []int             // by engine, since then
	games      []int             // by engine, since then
	stopping   string            // why no new games begin
	interrupts int               // number so far
	failed     error             // what ended it early
}

// newCoordinator returns a coordinator that knows the games in the log.
func newCoordinator(t *Tournament, workers int) *coordinator {
	n := len(t.cfg.Engines)
	c := &coordinator{
		cfg: t.cfg, sched: t.sched, book: t.book, dir: t.dir, warnings: t.warnings,
		state: t.state, before: t.state.Played, log: t.log,
		harness: zerolog.Nop(),
		rest:    make([][]schedule.Game, workers),
		free:    make(map[string]int),
		since:   make([]time.Time, n), failures: make([]int, n), games: make([]int, n),
	}
	for _, again := range c.state.Resumes {
		for i, e := range again.Config.Engines {
			if slices.Contains(again.Accept, e.Name) || slices.Contains(again.Accept, "engine "+e.Name) {
				c.since[i] = again.At
			}
		}
	}
	for _, res := range c.cfg.Uses {
		c.free[res.Name] = res.Count
	}
	if c.cfg.SPRT != nil {
		c.test = stats.NewSequence(c.cfg.SPRT.Test())
	}
	for e := range c.state.All {
		c.count(e)
	}
	return c
}

// Next implements [work.Coordinator].
func (c *coordinator) Next(worker int) (Job, work.State) {
	for c.stopping == "" {
		rest := c.rest[worker]
		switch {
		case len(rest) > 0 && c.settled(rest[0]):
			c.rest[worker] = rest[1:]
		case len(rest) > 0:
			if !c.reserve(rest[0]) {
				return Job{}, work.Wait
			}
			c.rest[worker] = rest[1:]
			return c.start(worker, rest[0]), work.Ready
		case c.next == c.sched.Pairs():
			return Job{}, work.Done
		default:
			c.rest[worker] = c.pair(c.next)
			c.next++
		}
	}
	return Job{}, work.Done
}

// pair returns the games of a pair.
func (c *coordinator) pair(n int) []schedule.Game {
	legs := c.sched.Len() / c.sched.Pairs()
	games := make([]schedule.Game, legs)
	for i := range games {
		games[i] = c.sched.Game(n*legs + i + 1)
	}
	return games
}

// settled reports whether a game is over or will not be played.
func (c *coordinator) settled(g schedule.Game) bool {
	return c.state.Disqualified[g.Black] != nil || c.state.Disqualified[g.White] != nil ||
		g.Number <= len(c.state.Games) && c.state.Games[g.Number-1] != nil
}

// reserve takes the resources of a game's engines if they are free.
func (c *coordinator) reserve(g schedule.Game) bool {
	need := c.needs(g.Black, g.White)
	for name, n := range need {
		if c.free[name] < n {
			return false
		}
	}
	for name, n := range need {
		c.free[name] -= n
	}
	return true
}

// release gives them back.
func (c *coordinator) release(job *Job) {
	for name, n := range c.needs(job.Engines[0].Index, job.Engines[1].Index) {
		c.free[name] += n
	}
}

// needs returns how much of each resource the engines use.
func (c *coordinator) needs(engines ...int) map[string]int {
	need := make(map[string]int)
	for _, i := range engines {
		for _, res := range c.cfg.Engines[i].Uses {
			need[res.Name] += res.Count
		}
	}
	return need
}

// start begins a game.
func (c *coordinator) start(worker int, g schedule.Game) Job {
	stones, line := c.opening(g)
	c.add(&journal.Start{
		Game: journal.NewGame(c.sched, g, line), At: time.Now(), Worker: worker,
		Open: notation.FormatPosition(stones, c.cfg.Height, notation.FromTop),
	})
	return Job{
		Game:     g.Number,
		Engines:  [2]Engine{{g.Black, c.cfg.Engines[g.Black]}, {g.White, c.cfg.Engines[g.White]}},
		Settings: gameSettings(&c.cfg), Opening: stones,
		MemoryLimit: c.cfg.MemoryLimit, Affinity: c.cfg.Affinity, Keep: c.cfg.Transcripts,
	}
}

// gameSettings returns the settings of games.
func gameSettings(c *config.Config) game.Settings {
	s := game.Settings{
		Rule: c.Rule, Width: c.Width, Height: c.Height, Swap2: c.Swap2,
		MaxPlies: c.MaxPlies, DrawSquaresLeft: c.DrawSquaresLeft, Suspend: c.SuspendOpponent,
	}
	if d := c.Draw; d != nil { // moves and stones of both engines
		s.Draw = adjudicate.Draw{Moves: 2 * d.Count, Score: d.Score, Stones: 2 * d.Number, Both: true}
	}
	if r := c.Resign; r != nil {
		s.Resign = adjudicate.Resign{Moves: r.Count, Score: r.Score, Stones: 2 * r.Number}
	}
	return s
}

// opening returns the stones of a game's opening and its line in the book.
func (c *coordinator) opening(g schedule.Game) (stones []board.Move, line int) {
	if g.Opening < 0 {
		return nil, 0
	}
	o := c.book[g.Opening]
	return o.Transform(c.cfg.Width, c.cfg.Height, g.Sym).Moves, o.Line
}

// Ended implements [work.Coordinator]. The last event has carried the outcome.
func (c *coordinator) Ended(_ int, job Job, _ error) { c.release(&job) }

// Handle implements [work.Coordinator].
func (c *coordinator) Handle(worker int, e Event) {
	switch e := e.(type) {
	case *Started:
		c.add(&journal.Ready{Number: e.Game, At: e.At})
	case *Moved:
		c.add(e.moves())
	case *Ended:
		c.ended(e)
	case *Voided:
		c.voided(e)
	case *Warned:
		c.harness.Warn().Str("engine", c.cfg.Engines[e.Engine].Name).Int("game", e.Game).Str("kind", e.Kind).Msg(e.Text)
		c.add(&journal.Warning{Engine: e.Engine, Number: e.Game, At: e.At, Kind: e.Kind, Text: e.Text})
	}
}

// moves returns the event of the log.
func (e *Moved) moves() *journal.Moves {
	m := &journal.Moves{Number: e.Game, Ply: e.Ply}
	for _, p := range e.Plies {
		m.Moves += p.Move.String()
		m.Times = append(m.Times, journal.Micros(p.Took.Microseconds()))
		m.Info = append(m.Info, p.Info)
	}
	return m
}

// ended records the result of a game.
func (c *coordinator) ended(e *Ended) {
	running := c.state.Running[e.Game]
	if running == nil {
		c.fail(fmt.Errorf("game %d ended without a start", e.Game))
		return
	}
	end := &journal.End{Game: running.Game, At: e.At, Outcome: e.Result.Outcome}
	if e.Result.Black == 1 { // swap2 exchanged the colors
		end.Black, end.White = end.White, end.Black
	}
	end.Transcript = c.saveDialogue(e)
	c.add(end)
	c.count(end)
	c.decide()
	c.discipline(end)
}

// voided records that a game could not be played.
func (c *coordinator) voided(e *Voided) {
	c.harness.Warn().Int("game", e.Game).Str("why", e.Why).Msg("void")
	if c.interrupts < 2 {
		c.fail(fmt.Errorf("game %d could not be played: %s", e.Game, e.Why))
	}
	c.add(&journal.Void{Number: e.Game, At: e.At, Why: e.Why})
}

// add applies an event to the state, logs it and shows it.
func (c *coordinator) add(e journal.Event) {
	if err := c.state.Add(e); err != nil {
		c.fail(err) // our own bug
		return
	}
	c.log.Add(e)
	c.show(func(o observer, s *Status) { o.event(s, e) })
}

// status returns the current status.
func (c *coordinator) status() *Status {
	return &Status{
		Dir: c.dir, Config: &c.cfg, Warnings: c.warnings, Log: c.state, Games: c.sched.Len(), Before: c.before,
		Test: c.test, Interrupts: c.interrupts,
	}
}

// show shows something to all observers.
func (c *coordinator) show(f func(o observer, s *Status)) {
	s := c.status()
	for _, o := range c.observers {
		f(o, s)
	}
}

// saveDialogue keeps the dialogue of a game, if there is any, and returns the
// name of its file.
func (c *coordinator) saveDialogue(e *Ended) string {
	if len(e.Dialogue) == 0 {
		return ""
	}
	name := filepath.Join("transcripts", fmt.Sprintf("%06d.txt", e.Game))
	err := os.MkdirAll(filepath.Join(c.dir, "transcripts"), 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(c.dir, name), e.Dialogue, 0o666)
	}
	if err != nil {
		c.harness.Error().Err(err).Int("game", e.Game).Msg("no transcript")
		return ""
	}
	return filepath.ToSlash(name)
}
