package tournament

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
	"kumiko/tournament/schedule"
	"kumiko/tournament/stats"
)

// A runner plays those games of a schedule that have no result yet. One
// goroutine, that of run, knows what has been played and writes the log; the
// workers only play.
type runner struct {
	cfg   config.Config
	sched *schedule.Schedule
	book  []opening.Opening
	hash  journal.Hashes
	dir   string // of the tournament

	warnings []string // about the settings
	state    *journal.Log
	log      *journal.Writer
	diary    zerolog.Logger // the harness's own log
	tell     teller

	requests chan *worker
	events   chan any // of workers: *journal.Start, *journal.Moves, *finished, *journal.Void, *journal.Warning

	next      int       // the first pair of the schedule that has not been handed out
	waiting   []*worker // for a pair, or for the end
	free      map[string]int
	sequence  *stats.Sequence // nil unless there is a sequential test
	failures  []int           // by engine
	games     []int           // by engine
	stopping  string          // why no new games are begun
	halted    atomic.Bool     // the same for the workers
	interrupt int             // how many there were
	failed    error           // what ended it too early
}

// A teller shows what goes on. Its methods are called by one goroutine, in
// the order of events.
type teller interface {
	event(r *runner, e any) // after it has been taken in
	tick(r *runner)         // now and then
	close(r *runner)
}

// A finished is a game that ended, with the dialogue of both engines.
type finished struct {
	*journal.End
	transcript []byte // nil if it is not wanted
}

// A unit is what a worker is given: the games of a pair that have no result.
type unit struct {
	games []schedule.Game
}

// statusInterval is the time between two updates of the status line.
const statusInterval = 250 * time.Millisecond

// run plays until all is played or something ends it. The first of interrupts
// lets the running games end, the second makes them void. The end of ctx is a
// first one; if an interrupt ends ctx as well, both are the same.
func (r *runner) run(ctx context.Context, interrupts <-chan os.Signal) error {
	r.requests = make(chan *worker)
	r.events = make(chan any, 1024)
	r.prepare()
	games, abort := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abort(nil)
	alive := min(r.cfg.Concurrency, r.sched.Pairs())
	done := make(chan struct{}, alive)
	for i := range alive {
		w := newWorker(r, i)
		go func() {
			w.work(games)
			done <- struct{}{}
		}()
	}
	ticker := time.NewTicker(statusInterval)
	defer ticker.Stop()
	cancelled, logFailed, signals := ctx.Done(), r.log.Failed(), 0
	for alive > 0 {
		select {
		case w := <-r.requests:
			r.waiting = append(r.waiting, w)
		case e := <-r.events:
			r.take(e)
		case <-done:
			alive--
		case <-ticker.C:
			r.tell.tick(r)
		case <-cancelled:
			cancelled = nil
			r.interrupted(1, abort)
		case <-interrupts:
			signals++
			r.interrupted(signals, abort)
		case <-logFailed:
			logFailed = nil
			r.failed = errors.New("the log cannot be written")
			abort(r.failed)
			r.stop(r.failed.Error())
		}
		r.assign()
	}
	for len(r.events) > 0 {
		r.take(<-r.events)
	}
	return r.finish()
}

// prepare takes in what the log says has been played.
func (r *runner) prepare() {
	r.failures = make([]int, len(r.cfg.Engines))
	r.games = make([]int, len(r.cfg.Engines))
	r.free = make(map[string]int)
	for _, res := range r.cfg.Uses {
		r.free[res.Name] = res.Count
	}
	if r.cfg.SPRT != nil {
		r.sequence = stats.NewSequence(r.cfg.SPRT.Test())
	}
	for e := range r.state.All {
		r.count(e)
	}
	r.judge()
}

// interrupted deals with an interrupt, the first or a later one.
func (r *runner) interrupted(which int, abort context.CancelCauseFunc) {
	if which <= r.interrupt {
		return // heard of already
	}
	r.interrupt = which
	r.stop("interrupted")
	if r.interrupt > 1 {
		abort(errInterrupted)
	}
	r.diary.Warn().Int("times", r.interrupt).Int("running", len(r.state.Running)).Msg("interrupted")
	r.tell.event(r, errInterrupted)
}

// errInterrupted ends games that run at the second interrupt.
var errInterrupted = errors.New("interrupted")

// stop begins no new games.
func (r *runner) stop(why string) {
	if r.stopping == "" {
		r.stopping = why
		r.halted.Store(true)
	}
}

// assign gives pairs to the workers that wait for one.
func (r *runner) assign() {
	for len(r.waiting) > 0 {
		u, wait := r.pick()
		if wait {
			return
		}
		r.waiting[0].units <- u // nil ends the worker
		r.waiting = r.waiting[1:]
	}
}

// pick returns the next unit: nil if there will be none. It may have to wait
// for what other games use.
func (r *runner) pick() (u *unit, wait bool) {
	for r.stopping == "" && r.next < r.sched.Pairs() {
		u := r.unit(r.next)
		if u == nil {
			r.next++
			continue
		}
		if !r.reserve(u) {
			return nil, true
		}
		r.next++
		return u, false
	}
	return nil, false
}

// unit returns what is left to play of a pair, nil if nothing is.
func (r *runner) unit(pair int) *unit {
	legs := r.sched.Len() / r.sched.Pairs()
	var u unit
	for n := pair*legs + 1; n <= (pair+1)*legs; n++ {
		g := r.sched.Game(n)
		if r.state.Disqualified[g.Black] != nil || r.state.Disqualified[g.White] != nil {
			return nil
		}
		if n > len(r.state.Games) || r.state.Games[n-1] == nil {
			u.games = append(u.games, g)
		}
	}
	if u.games == nil {
		return nil
	}
	return &u
}

// reserve takes what the engines of a unit use, if it is free.
func (r *runner) reserve(u *unit) bool {
	need := r.needs(u)
	for name, n := range need {
		if r.free[name] < n {
			return false
		}
	}
	for name, n := range need {
		r.free[name] -= n
	}
	return true
}

// release gives it back.
func (r *runner) release(u *unit) {
	for name, n := range r.needs(u) {
		r.free[name] += n
	}
}

func (r *runner) needs(u *unit) map[string]int {
	need := make(map[string]int)
	for _, i := range []int{u.games[0].Black, u.games[0].White} {
		for _, res := range r.cfg.Engines[i].Uses {
			need[res.Name] += res.Count
		}
	}
	return need
}

// take takes an event of a worker's in.
func (r *runner) take(e any) {
	switch e := e.(type) {
	case *unit:
		r.release(e)
		return
	case *finished:
		r.saveTranscript(e)
		r.add(e.End)
		r.count(e.End)
		r.judge()
		r.discipline(e.End)
		return
	case *journal.Void:
		r.diary.Warn().Int("game", e.Number).Str("why", e.Why).Msg("void")
		if r.interrupt < 2 && r.failed == nil {
			r.failed = fmt.Errorf("game %d could not be played: %s", e.Number, e.Why)
			r.stop(r.failed.Error())
		}
	case *journal.Warning:
		r.diary.Warn().Str("engine", r.cfg.Engines[e.Engine].Name).Int("game", e.Number).Str("kind", e.Kind).Msg(e.Text)
	}
	r.add(e)
}

// add takes an event into the state and the log.
func (r *runner) add(e any) {
	if err := r.state.Add(e); err != nil {
		r.failed = err // a fault of ours
		r.stop(err.Error())
		return
	}
	r.log.Add(e)
	r.tell.event(r, e)
}

// count counts a game that ended.
func (r *runner) count(e *journal.End) {
	r.games[e.Black]++
	r.games[e.White]++
	if c, ok := e.Loser(); ok && e.Reason.Failed() {
		r.failures[e.Engine(c)]++
	}
	if r.sequence != nil {
		r.sequence.Add(e.Pair, e.Leg, stats.Result(e.Points(0)))
	}
}

// judge ends the tournament if its test is decided or its errors are small
// enough.
func (r *runner) judge() {
	if r.state.Verdict != nil {
		r.stop(r.state.Verdict.Why)
		return
	}
	if r.sequence != nil && r.sequence.Accepted() != "" {
		r.conclude(&journal.Verdict{
			At: time.Now(), Pairs: r.sequence.Pairs.N(), LLR: r.sequence.LLR, Accepted: r.sequence.Accepted(),
			Why: fmt.Sprintf("the sequential test accepted %s", r.sequence.Accepted()),
		})
	}
	if r.cfg.UntilError > 0 && r.state.Played%max(r.cfg.RatingInterval, 1) == 0 {
		if worst := worstError(r.state); worst <= r.cfg.UntilError {
			r.conclude(&journal.Verdict{
				At: time.Now(), Pairs: r.state.Played / 2,
				Why: fmt.Sprintf("all errors are at most %.1f Elo", worst),
			})
		}
	}
}

func (r *runner) conclude(v *journal.Verdict) {
	r.stop(v.Why)
	r.add(v)
}

// discipline disqualifies an engine that fails too often.
func (r *runner) discipline(e *journal.End) {
	c, ok := e.Loser()
	if !ok || !e.Reason.Failed() {
		return
	}
	i := e.Engine(c)
	name := r.cfg.Engines[i].Name
	r.diary.Error().Int("game", e.Number).Str("engine", name).Str("kind", string(e.Reason)).
		Str("transcript", e.Transcript).Msg(e.Detail)
	if r.cfg.OnFailure == config.FailureAborts {
		r.failed = fmt.Errorf("%s failed in game %d (%s): %s", name, e.Number, e.Reason, e.Detail)
		r.stop(r.failed.Error())
	}
	if r.state.Disqualified[i] == nil && r.cfg.MaxFailures.Exceeded(r.failures[i], r.games[i]) {
		r.add(&journal.Disqualify{Engine: i, At: time.Now(),
			Why: fmt.Sprintf("failed in %d of %d games", r.failures[i], r.games[i])})
	}
}

// keepsTranscript reports whether the dialogue of a game is wanted.
func (r *runner) keepsTranscript(e *journal.End) bool {
	return r.cfg.Transcripts == config.TranscriptsAll ||
		r.cfg.Transcripts == config.TranscriptsFailed && e.Reason.Failed()
}

// saveTranscript keeps the dialogue of a game, if there is any.
func (r *runner) saveTranscript(e *finished) {
	if len(e.transcript) == 0 {
		return
	}
	name := filepath.Join("transcripts", fmt.Sprintf("%06d.txt", e.Number))
	err := os.MkdirAll(filepath.Join(r.dir, "transcripts"), 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(r.dir, name), e.transcript, 0o666)
	}
	if err != nil {
		r.diary.Error().Err(err).Int("game", e.Number).Msg("no transcript")
		return
	}
	e.Transcript = filepath.ToSlash(name)
}

// finish says what came out. An error says why the tournament is not over.
func (r *runner) finish() error {
	r.tell.close(r)
	switch {
	case r.failed != nil:
		return r.failed
	case r.interrupt > 0 && r.unfinished() && r.state.Verdict == nil:
		return errInterrupted
	case len(r.state.Disqualified) > 0:
		return errDisqualified
	}
	return nil
}

// errDisqualified ends a tournament in which an engine failed too often.
var errDisqualified = errors.New("an engine was disqualified")

// unfinished reports whether games of the schedule are neither played nor
// dropped.
func (r *runner) unfinished() bool {
	for pair := range r.sched.Pairs() {
		if r.unit(pair) != nil {
			return true
		}
	}
	return false
}

// opening returns the stones of a game's opening, and the line of the book.
func (r *runner) opening(g schedule.Game) (stones []board.Move, line int) {
	if g.Opening < 0 {
		return nil, 0
	}
	o := r.book[g.Opening]
	return o.Transform(r.cfg.Width, r.cfg.Height, g.Sym).Moves, o.Line
}
