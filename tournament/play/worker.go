package play

import (
	"context"
	"maps"
	"slices"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/game"
	"kumiko/tournament/journal"
	"kumiko/tournament/process"
)

// A worker plays one game after another in one goroutine. It keeps the engines
// of its last game running.
type worker struct {
	index   int
	emit    func(Event)
	game    game.Game
	players map[int]*game.Player // by the engine's index
	last    int                  // the number of the last game
}

// newWorker is called by the worker's goroutine. Unless alone, the worker binds
// itself to one processor.
func newWorker(index int, alone bool, emit func(Event)) *worker {
	if all := process.CPUs(); !alone && len(all) > 0 {
		process.StayOn(all[index%len(all)])
	}
	return &worker{index: index, emit: emit, players: make(map[int]*game.Player)}
}

// Do implements [work.Worker]: it plays a game. Errors are reported as events.
func (w *worker) Do(ctx context.Context, job Job) error {
	result, err := w.play(ctx, &job)
	if err != nil {
		w.emit(&Voided{Game: job.Game, At: time.Now(), Why: err.Error()})
		return nil
	}
	end := &Ended{Game: job.Game, At: time.Now(), Result: *result}
	if job.keeps(result) {
		end.Dialogue = append(w.game.Players[0].Transcript(), w.game.Players[1].Transcript()...)
	}
	w.emit(end)
	return nil
}

// Close implements [work.Worker]: it ends the engines' processes.
func (w *worker) Close() {
	for _, i := range slices.Sorted(maps.Keys(w.players)) { // fixed order of their warnings
		w.dismiss(i)
	}
}

func (w *worker) play(ctx context.Context, job *Job) (*game.Result, error) {
	if err := w.seat(job); err != nil {
		return nil, err
	}
	w.last = job.Game
	live := live{game: job.Game, ply: len(job.Opening), last: time.Now(), emit: w.emit}
	w.game.Settings, w.game.Opening = job.Settings, job.Opening
	w.game.OnReady = func() { w.emit(&Started{Game: job.Game, At: time.Now()}) }
	w.game.OnMove = live.move
	return w.game.Play(ctx)
}

// seat makes players of a game's engines and dismisses all others.
func (w *worker) seat(job *Job) (err error) {
	for _, i := range slices.Sorted(maps.Keys(w.players)) {
		if i != job.Engines[0].Index && i != job.Engines[1].Index {
			w.dismiss(i)
		}
	}
	for seat, e := range job.Engines {
		if w.players[e.Index] == nil {
			if w.players[e.Index], err = game.NewPlayer(e.Engine, job.MemoryLimit, w.cpus(job)); err != nil {
				delete(w.players, e.Index)
				return err
			}
		}
		w.game.Players[seat] = w.players[e.Index]
	}
	return nil
}

// dismiss ends an engine's process.
func (w *worker) dismiss(i int) {
	if w.players[i].Close() {
		w.emit(&Warned{Engine: i, Game: w.last, At: time.Now(), Kind: journal.DirtyExit,
			Text: "did not exit by itself after END, or left processes behind"})
	}
	delete(w.players, i)
}

// cpus returns the processors that the engines of a game may use: the same for
// both, since they do not think at the same time.
func (w *worker) cpus(job *Job) []int {
	all := process.CPUs()
	if !job.Affinity || len(all) == 0 {
		return nil
	}
	return []int{all[w.index%len(all)]}
}

// keeps reports whether the dialogue of a game with this result is kept.
func (j *Job) keeps(r *game.Result) bool {
	return j.Keep == config.TranscriptsAll || j.Keep == config.TranscriptsFailed && r.Reason.Failed()
}

// A live reports the moves of a game in batches: in fast games, reporting
// single moves is not worth the cost.
type live struct {
	game    int
	ply     int // of the first pending move
	last    time.Time
	waiting []game.Ply
	emit    func(Event)
}

// liveInterval is the shortest time between two batches.
const liveInterval = 200 * time.Millisecond

func (l *live) move(p game.Ply) {
	l.waiting = append(l.waiting, p)
	now := time.Now()
	if now.Sub(l.last) < liveInterval {
		return
	}
	l.emit(&Moved{Game: l.game, Ply: l.ply, Plies: l.waiting})
	l.ply += len(l.waiting)
	l.last, l.waiting = now, nil
}
