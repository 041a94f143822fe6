package watch

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/journal"
)

const (
	pollInterval = 200 * time.Millisecond
	lockInterval = time.Second     // between checks of the lock
	retryDelay   = 5 * time.Second // after an error, since the log is then reread from its start
	linger       = 5 * time.Second // how long a finished game keeps its place
	idleFactor   = 20              // slow work may use 1/idleFactor of a processor
)

// A snapshot is what to show at a given time. It is immutable.
type snapshot struct {
	at       time.Time
	written  time.Time // when the log was last written
	problem  string    // why there is nothing newer; may be ""
	summary  *summary  // nil until something could be read
	games    []game    // running games and the last finished ones
	going    int       // number of running games
	dead     bool      // no process plays it, though it has not finished
	size     [2]int    // columns and rows of the boards
	finished bool
}

// A reader follows the log of a tournament. Whatever happens to the log, it
// keeps showing what it knows, and why it does not know more.
type reader struct {
	path     string
	follower *journal.Follower
	file     fs.FileInfo // of the log that is open
	problem  error       // of the log that is open
	retry    time.Time   // when to read it again, if there is a problem

	slots   []slot
	summary *summary
	due     time.Time // when the summary may be recomputed
	playing bool      // whether some process plays the tournament
	looked  time.Time // when playing was checked
}

// A slot is the place of a game on the screen.
type slot struct {
	number, worker int
	moves          int       // moves seen
	since          time.Time // when the last move was seen, or the game ended
	game           game      // if it has ended
	ended          bool
}

// open opens the log.
func (r *reader) open() error {
	f, err := journal.NewFollower(r.path)
	if err != nil {
		return err
	}
	info, err := r.stat()
	if err != nil {
		f.Close()
		return err
	}
	r.close()
	*r = reader{path: r.path, follower: f, file: info, playing: r.playing, looked: r.looked}
	return nil
}

// close closes the log.
func (r *reader) close() {
	if r.follower != nil {
		r.follower.Close()
	}
}

// stat returns the FileInfo of the log's path.
func (r *reader) stat() (fs.FileInfo, error) {
	info, err := os.Stat(r.path)
	if err == nil && info.IsDir() {
		info, err = os.Stat(filepath.Join(r.path, journal.FileName))
	}
	return info, err
}

// poll reads new events and returns what to show.
func (r *reader) poll(now time.Time) *snapshot {
	s := &snapshot{at: now}
	if now.Sub(r.looked) >= lockInterval { // before reading the log: if the tournament ends now, the log is complete
		playing, err := journal.Playing(r.path)
		r.playing, r.looked = playing || err != nil, now
	}
	switch info, err := r.stat(); {
	case err != nil:
		s.problem = fmt.Sprintf("the log is gone: %v", err)
	case r.replaced(info) || r.problem != nil && !now.Before(r.retry):
		if err := r.open(); err != nil {
			s.problem = err.Error()
		}
	default:
		r.file = info
	}
	if r.problem == nil {
		begin := time.Now()
		if r.problem = r.follower.Update(); r.problem != nil {
			r.retry = now.Add(max(retryDelay, idleFactor*time.Since(begin)))
		}
	}
	if r.problem != nil {
		s.problem = r.problem.Error()
	}
	s.problem = plain(s.problem)
	s.written = r.file.ModTime()
	if log := r.follower.Log(); log.Run != nil {
		r.fill(s, log)
	}
	return s
}

// replaced reports whether the log is no longer the open file, or has been
// truncated: a resumed tournament cuts off an unfinished line.
func (r *reader) replaced(info fs.FileInfo) bool {
	return !os.SameFile(r.file, info) || info.Size() < r.file.Size()
}

// fill copies the state of the log into a snapshot.
func (r *reader) fill(s *snapshot, log *journal.Log) {
	if r.summary == nil || r.summary.stamp != stampOf(log) && !s.at.Before(r.due) {
		begin := time.Now()
		r.summary = summarize(log)
		r.due = s.at.Add(idleFactor * time.Since(begin))
	}
	s.summary = r.summary
	s.size = [2]int{boardSize(log.Config.Width), boardSize(log.Config.Height)}
	s.going = len(log.Running)
	s.finished = log.Verdict != nil || log.Played > 0 && log.Played >= r.summary.total-r.summary.dropped
	s.dead = !s.finished && !r.playing
	r.place(log, s.at)
	s.games = r.games(log, s.dead)
}

// boardSize keeps a damaged log from asking for impossible boards.
func boardSize(n int) int { return min(max(n, board.MinSize), board.MaxSize) }

// place assigns places to the running games, taking them from finished ones.
func (r *reader) place(log *journal.Log, now time.Time) {
	taken := make(map[int]bool) // by workers with a running game
	for _, g := range log.Running {
		taken[g.Worker] = true
		i := slices.IndexFunc(r.slots, func(s slot) bool { return s.number == g.Number && !s.ended })
		if i < 0 {
			i = len(r.slots)
			r.slots = append(r.slots, slot{number: g.Number, worker: g.Worker, moves: -1})
		}
		s := &r.slots[i]
		switch n := len(g.Moves.Times); {
		case !g.Thinking():
			s.since = time.Time{}
		case s.moves < 0 && n == 0 && !g.Ready.After(now):
			s.moves, s.since = n, g.Ready // what came before was starting
		case s.moves != n || s.since.IsZero():
			s.moves, s.since = n, now
		}
	}
	kept := r.slots[:0]
	for _, s := range r.slots {
		if !s.ended && log.Running[s.number] == nil && !s.end(log, now) {
			continue
		}
		if s.ended && (taken[s.worker] || len(taken) > 0 && now.Sub(s.since) > linger) {
			continue
		}
		kept = append(kept, s)
	}
	if len(kept) == 0 {
		for _, e := range latest(log, 1, func(*journal.End) bool { return true }) {
			kept = append(kept, slot{number: e.Number, ended: true, game: ended(&log.Config, e)})
		}
	}
	r.slots = kept
	slices.SortFunc(r.slots, func(a, b slot) int {
		return cmp.Or(cmp.Compare(a.worker, b.worker), cmp.Compare(a.number, b.number))
	})
}

// end records that a game has ended. It returns false if there is no result:
// the game was abandoned.
func (s *slot) end(log *journal.Log, now time.Time) bool {
	if s.number < 1 || s.number > len(log.Games) || log.Games[s.number-1] == nil {
		return false
	}
	s.ended, s.since = true, now
	s.game = ended(&log.Config, log.Games[s.number-1])
	return true
}

// games returns the games in their places.
func (r *reader) games(log *journal.Log, dead bool) []game {
	list := make([]game, len(r.slots))
	for i, s := range r.slots {
		if list[i] = s.game; !s.ended {
			list[i] = running(&log.Config, log.Running[s.number], s.since)
			list[i].lost = dead
		}
	}
	return list
}
