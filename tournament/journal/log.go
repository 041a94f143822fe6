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
	Unknown      int      // lines that a later version may have written, which say nothing here

	sched *schedule.Schedule // that Config makes
}

// A Running is a game in progress.
type Running struct {
	*Start
	Ready time.Time // zero as long as the engines are starting
	Moves Moves     // all since the opening

	stones int // of the opening
}

// Thinking reports whether the engines have started. Logs of older versions do
// not tell before the first move.
func (r *Running) Thinking() bool { return !r.Ready.IsZero() || len(r.Moves.Times) > 0 }

// New returns a log that says nothing but run.
func New(run *Run) *Log {
	l := new(Log)
	if err := l.Add(run); err != nil {
		panic(err) // run is ours, and has been checked
	}
	return l
}

// Add takes an event in. The error says why it cannot be.
func (l *Log) Add(event Event) error {
	if run, ok := event.(*Run); ok {
		return l.run(run)
	}
	if l.Run == nil {
		return errors.New("the log does not begin with a run")
	}
	switch e := event.(type) {
	case *Resume:
		return l.resume(e)
	case *Start:
		stones, err := l.checkStart(e)
		if err != nil {
			return err
		}
		l.Running[e.Number] = &Running{Start: e, stones: stones}
	case *Ready:
		if r := l.Running[e.Number]; r != nil {
			r.Ready = e.At
		}
	case *Moves:
		if r := l.Running[e.Number]; r != nil {
			return l.moves(e, r)
		}
	case *End:
		return l.end(e)
	case *Void:
		if err := l.checkNumber(e.Number); err != nil {
			return err
		}
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
		if e.Pairs < 0 || e.Pairs > schedule.MaxGames {
			return fmt.Errorf("a verdict after %d pairs", e.Pairs)
		}
		l.Verdict = e
	}
	return nil
}

// run takes the settings in.
func (l *Log) run(run *Run) (err error) {
	switch {
	case l.Run != nil:
		return errors.New("a second run")
	case run.Version > Version:
		return fmt.Errorf("version %d: %w", run.Version, errLater)
	}
	if l.sched, err = newSchedule(&run.Config, run.Openings); err != nil {
		return err
	}
	l.Run, l.Config, l.Hash = run, run.Config, run.Hash
	l.Running, l.Disqualified = make(map[int]*Running), make(map[int]*Disqualify)
	return nil
}

// resume takes in that the tournament went on.
func (l *Log) resume(e *Resume) error {
	sched, err := newSchedule(&e.Config, l.Run.Openings)
	if err != nil {
		return err
	}
	if n := len(e.Config.Engines); n < len(l.Config.Engines) {
		return fmt.Errorf("%d engines, %d before", n, len(l.Config.Engines))
	}
	l.sched = sched
	l.Config, l.Hash, l.Verdict = e.Config, e.Hash, nil
	l.Resumes = append(l.Resumes, e)
	clear(l.Running)
	clear(l.Disqualified)
	return nil
}

// end takes a result in. The first result of a game holds.
func (l *Log) end(e *End) error {
	if err := l.checkEnd(e); err != nil {
		return err
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

// moves takes moves of a running game in.
func (l *Log) moves(m *Moves, r *Running) error {
	if err := l.checkMoves(m, r); err != nil {
		return err
	}
	r.add(m)
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

// Read reads the log of a tournament's folder, or a log that path names itself.
// A line that a killed process did not finish is left out, as Append does.
func Read(path string) (*Log, error) {
	f, err := NewFollower(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Update(); err != nil {
		return nil, damaged(path, err)
	}
	if err := f.rest(); err != nil {
		return nil, damaged(path, err)
	}
	if f.log.Run == nil {
		return nil, fmt.Errorf("%s: the log is empty", f.lines.Name())
	}
	return f.Log(), nil
}

// errLater is the error of a log with a form that is not known yet.
var errLater = errors.New("a later version of this program has written the log")

// damaged adds to an error from reading a log what can be done about it.
func damaged(path string, err error) error {
	if errors.Is(err, errLater) {
		return err
	}
	return fmt.Errorf("%w ('tournament repair %s' copies what is sound)", err, path)
}

// A Follower reads a log that another process writes.
type Follower struct {
	lines *jsonl.Follower
	log   Log
}

// NewFollower opens a log for reading; see Read.
func NewFollower(path string) (*Follower, error) {
	name := path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		name = filepath.Join(path, FileName)
	}
	lines, err := jsonl.Follow(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not a tournament: it has no %s", path, FileName)
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
// line of the log that is damaged, and its kind.
func (f *Follower) Update() error { return f.lines.Update(f.log.addLine) }

// rest takes in a line of which only the break is missing.
func (f *Follower) rest() error {
	line, err := f.lines.Rest(begin)
	if err != nil || line == nil {
		return err
	}
	if err := f.log.addLine(line); err != nil {
		return fmt.Errorf("%s: the last line: %w", f.lines.Name(), err)
	}
	return nil
}

// addLine takes the event of a line in.
func (l *Log) addLine(line []byte) error {
	event, err := parseEvent(line)
	switch {
	case err != nil:
		return err
	case event == nil:
		l.Unknown++
		return nil
	}
	if err := l.Add(event); err != nil {
		return fmt.Errorf("event %q: %w", eventName(line), err)
	}
	return nil
}
