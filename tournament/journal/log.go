package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/jsonl"
	"kumiko/tournament/schedule"
)

// FileName is the name of the log in a tournament's folder.
const FileName = "log.jsonl"

// A Log is what the log says so far.
type Log struct {
	Run     *Run
	Config  config.Config // of the last Resume, or else of Run
	Hash    Hashes        // the same
	Resumes []*Resume

	Games        []*End // those that ended; by number less one, nil for others
	Played       int    // how many of Games are not nil
	Running      map[int]*Running
	Voids        []*Void
	Warnings     []*Warning
	Disqualified map[int]*Disqualify
	Verdict      *Verdict // the last; nil while it is open
}

// A Running is a game that goes on.
type Running struct {
	*Start
	Ready time.Time // zero as long as the engines are starting
	Moves Moves     // all since the opening
}

// New returns a log that says nothing but run.
func New(run *Run) *Log {
	l := new(Log)
	_ = l.Add(run) // as the first event it cannot be wrong, but for its version, which is ours
	return l
}

// Add takes an event in. The error says why it cannot be.
func (l *Log) Add(event any) error {
	if run, ok := event.(*Run); ok {
		if l.Run != nil {
			return errors.New("a second run")
		}
		if run.Version > Version {
			return fmt.Errorf("the log has version %d, which a later version of this program writes", run.Version)
		}
		l.Run, l.Config, l.Hash = run, run.Config, run.Hash
		l.Running, l.Disqualified = make(map[int]*Running), make(map[int]*Disqualify)
		return nil
	}
	if l.Run == nil {
		return errors.New("the log does not begin with a run")
	}
	switch e := event.(type) {
	case *Resume:
		l.Config, l.Hash, l.Verdict = e.Config, e.Hash, nil
		l.Resumes = append(l.Resumes, e)
		clear(l.Running)
		clear(l.Disqualified)
	case *Start:
		l.Running[e.Number] = &Running{Start: e}
	case *Ready:
		if r := l.Running[e.Number]; r != nil {
			r.Ready = e.At
		}
	case *Moves:
		if r := l.Running[e.Number]; r != nil {
			r.add(e)
		}
	case *End:
		return l.end(e)
	case *Void:
		l.Voids = append(l.Voids, e)
		delete(l.Running, e.Number)
	case *Warning:
		if err := l.checkEngine(e.Engine); err != nil {
			return err
		}
		l.Warnings = append(l.Warnings, e)
	case *Disqualify:
		if err := l.checkEngine(e.Engine); err != nil {
			return err
		}
		l.Disqualified[e.Engine] = e
	case *Verdict:
		l.Verdict = e
	}
	return nil
}

func (l *Log) checkEngine(i int) error {
	if i < 0 || i >= len(l.Config.Engines) {
		return fmt.Errorf("engine %d of %d", i, len(l.Config.Engines))
	}
	return nil
}

// end takes a result in. The first result of a game holds.
func (l *Log) end(e *End) error {
	if e.Number < 1 || e.Number > schedule.MaxGames || e.Pair < 0 || e.Leg&^1 != 0 {
		return fmt.Errorf("game %d, pair %d, leg %d", e.Number, e.Pair, e.Leg)
	}
	if err := errors.Join(l.checkEngine(e.Black), l.checkEngine(e.White)); err != nil {
		return err
	}
	if e.Black == e.White {
		return fmt.Errorf("game %d: engine %d against itself", e.Number, e.Black)
	}
	if e.Result != BlackWins && e.Result != WhiteWins && e.Result != Draw {
		return fmt.Errorf("game %d: unknown result %q", e.Number, e.Result)
	}
	for len(l.Games) < e.Number {
		l.Games = append(l.Games, nil)
	}
	delete(l.Running, e.Number)
	if l.Games[e.Number-1] == nil {
		l.Games[e.Number-1] = e
		l.Played++
	}
	return nil
}

// add appends moves.
func (r *Running) add(m *Moves) {
	r.Moves.Moves += m.Moves
	r.Moves.Times = append(r.Moves.Times, m.Times...)
	for range len(r.Moves.Times) - len(m.Times) - len(r.Moves.Info) {
		r.Moves.Info = append(r.Moves.Info, nil)
	}
	r.Moves.Info = append(r.Moves.Info, m.Info...)
}

// All yields the games that ended, in the order of the schedule.
func (l *Log) All(yield func(*End) bool) {
	for _, e := range l.Games {
		if e != nil && !yield(e) {
			return
		}
	}
}

// Read reads the log of a tournament's folder, or a log that path names
// itself, but for the moves of running games. A line that a killed process did
// not finish is left out.
func Read(path string) (*Log, error) { return read(path, true) }

// ReadAll is Read with the moves of running games.
func ReadAll(path string) (*Log, error) { return read(path, false) }

func read(path string, skipMoves bool) (*Log, error) {
	f, err := NewFollower(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	f.skipMoves = skipMoves
	if err := f.Update(); err != nil {
		return nil, err
	}
	if f.log.Run == nil {
		return nil, fmt.Errorf("%s: the log is empty", f.lines.Name())
	}
	return f.Log(), nil
}

// A Follower reads a log that another process writes.
type Follower struct {
	lines     *jsonl.Follower
	log       Log
	skipMoves bool
}

// NewFollower opens a log for reading; see Read.
func NewFollower(path string) (*Follower, error) {
	name := path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		name = filepath.Join(path, FileName)
	}
	lines, err := jsonl.Follow(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no tournament: it has no %s", path, FileName)
	}
	if err != nil {
		return nil, err
	}
	return &Follower{lines: lines}, nil
}

// Close closes the log.
func (f *Follower) Close() error { return f.lines.Close() }

// Log returns what has been read. It changes with the next Update.
func (f *Follower) Log() *Log { return &f.log }

// Update reads what has been written since the last call. The error names the
// line of the log that cannot be.
func (f *Follower) Update() error {
	return f.lines.Update(func(line []byte) error { return f.log.addLine(line, f.skipMoves) })
}

// addLine takes the event of a line in.
func (l *Log) addLine(line []byte, skipMoves bool) error {
	if skipMoves && eventName(line) == nameMoves {
		return nil
	}
	event, err := parseEvent(line)
	if err != nil || event == nil {
		return err
	}
	return l.Add(event)
}
