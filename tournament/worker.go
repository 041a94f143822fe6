package tournament

import (
	"context"
	"time"

	"kumiko/engine/notation"
	"kumiko/tournament/game"
	"kumiko/tournament/journal"
	"kumiko/tournament/process"
	"kumiko/tournament/schedule"
)

// A worker plays one game after the other.
type worker struct {
	index   int
	r       *runner // only what does not change
	units   chan *unit
	game    game.Game
	players map[int]*game.Player // by engine: those of the last game
	last    int                  // the number of the last game
}

func newWorker(r *runner, index int) *worker {
	w := &worker{index: index, r: r, units: make(chan *unit), players: make(map[int]*game.Player)}
	w.game.Settings = game.Settings{
		Rule: r.cfg.Rule, Width: r.cfg.Width, Height: r.cfg.Height, Swap2: r.cfg.Swap2,
		MaxPlies: r.cfg.MaxPlies, DrawSquaresLeft: r.cfg.DrawSquaresLeft, Suspend: r.cfg.SuspendOpponent,
	}
	return w
}

// work plays what the runner gives until that is nothing, or ctx is done.
func (w *worker) work(ctx context.Context) {
	if all := process.CPUs(); len(all) > 0 && w.r.cfg.Concurrency > 1 {
		process.StayOn(all[w.index%len(all)])
	}
	defer func() {
		for i := range w.players {
			w.dismiss(i)
		}
	}()
	for {
		w.r.requests <- w
		u := <-w.units
		if u == nil {
			return
		}
		for _, g := range u.games {
			if ctx.Err() != nil || w.r.halted.Load() || !w.play(ctx, g) {
				break
			}
		}
		w.r.events <- u
	}
}

// play plays a game and reports whether there will be others.
func (w *worker) play(ctx context.Context, sg schedule.Game) bool {
	stones, line := w.r.opening(sg)
	key := journal.NewGame(w.r.sched, sg, line)
	players, err := w.seat(sg.Black, sg.White)
	if err != nil {
		return w.void(sg.Number, err)
	}
	w.last = sg.Number
	w.r.events <- &journal.Start{Game: key, At: time.Now(), Worker: w.index, Open: notation.FormatPosition(stones, w.r.cfg.Height, notation.FromTop)}
	live := live{w: w, number: sg.Number, ply: len(stones), last: time.Now()}
	w.game.Players, w.game.Opening, w.game.OnMove = players, stones, live.move
	end, err := w.game.Play(ctx)
	if err != nil {
		return w.void(sg.Number, err)
	}
	e := &journal.End{Game: key, At: time.Now(), Outcome: end.Outcome}
	if end.Black == 1 { // swap2 exchanged the colours
		e.Black, e.White = e.White, e.Black
	}
	f := &finished{End: e}
	if w.r.keepsTranscript(e) {
		f.transcript = append(players[0].Transcript(), players[1].Transcript()...)
	}
	w.r.events <- f
	return true
}

// void reports a game that could not be played, for no fault of an engine's.
func (w *worker) void(number int, err error) bool {
	w.r.events <- &journal.Void{Number: number, At: time.Now(), Why: err.Error()}
	return false
}

// seat returns the players of a game, and dismisses those of others.
func (w *worker) seat(black, white int) (seats [2]*game.Player, err error) {
	for i := range w.players {
		if i != black && i != white {
			w.dismiss(i)
		}
	}
	for seat, i := range [2]int{black, white} {
		if w.players[i] == nil {
			if w.players[i], err = game.NewPlayer(w.r.cfg.Engines[i], w.r.cfg.MemoryLimit, w.cpus()); err != nil {
				return seats, err
			}
		}
		seats[seat] = w.players[i]
	}
	return seats, nil
}

// dismiss ends an engine's process.
func (w *worker) dismiss(i int) {
	if w.players[i].Close() {
		w.r.events <- &journal.Warning{Engine: i, Number: w.last, At: time.Now(), Kind: journal.DirtyExit,
			Text: "did not go by itself after END, or left processes behind"}
	}
	delete(w.players, i)
}

// cpus are those that the engines of this worker may use: both the same, since
// they do not think at the same time.
func (w *worker) cpus() []int {
	all := process.CPUs()
	if !w.r.cfg.Affinity || len(all) == 0 {
		return nil
	}
	return []int{all[w.index%len(all)]}
}

// A live tells those who look on of the moves of a game: not of every one at
// once, since that is not worth the work if games are fast.
type live struct {
	w       *worker
	number  int
	ply     int // of the first of the moves that wait
	last    time.Time
	waiting journal.Moves
}

// liveInterval is how much later than a move those who look on may hear of it.
const liveInterval = 200 * time.Millisecond

func (l *live) move(p game.Ply) {
	m := &l.waiting
	m.Moves += p.Move.String()
	m.Times = append(m.Times, journal.Micros(p.Took.Microseconds()))
	m.Info = append(m.Info, p.Info)
	now := time.Now()
	if now.Sub(l.last) < liveInterval {
		return
	}
	m.Number, m.Ply = l.number, l.ply
	sent := *m
	select { // never wait while a clock may run
	case l.w.r.events <- &sent:
		l.ply += len(m.Times)
		l.last, l.waiting = now, journal.Moves{}
	default:
	}
}
