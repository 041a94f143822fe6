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

// A Log is the state recorded in a log so far.
type Log struct {
	Run     *Run
	Config  config.Config // of the last Resume, or else of Run
	Hash    Hashes        // likewise
	Resumes []*Resume

	Games        []*End // finished games, indexed by number minus one; nil for others
	Played       int    // number of non-nil Games
	Running      map[int]*Running
	Voids        []*Void
	Warnings     []*Warning
	Disqualified map[int]*Disqualify
	Verdict      *Verdict // the last; nil while undecided
	Unknown      int      // ignored lines, perhaps from a later version

	sched    *schedule.Schedule // for Config
	book     bookLines
	accepted bool // whether the tournament was resumed in spite of changes
}

// A Running is a game in progress.
type Running struct {
	*Start
	Ready time.Time // zero while the engines are starting
	Moves Moves     // all since the opening

	stones int // in the opening
}

// Thinking reports whether the engines have started. Logs of older versions do
// not show this before the first move.
func (r *Running) Thinking() bool { return !r.Ready.IsZero() || len(r.Moves.Times) > 0 }

// New returns a log that holds only run.
func New(run *Run) *Log {
	l := new(Log)
	if err := l.Add(run); err != nil {
		panic(err) // run is our own and has been checked
	}
	return l
}

// Add applies an event. The error says why it is invalid.
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

// run applies the settings.
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

// resume applies a resume.
func (l *Log) resume(e *Resume) error {
	sched, err := newSchedule(&e.Config, l.Run.Openings)
	if err != nil {
		return err
	}
	if n := len(e.Config.Engines); n < len(l.Config.Engines) {
		return fmt.Errorf("%d engines, %d before", n, len(l.Config.Engines))
	}
	l.sched = sched
	l.accepted = l.accepted || len(e.Accept) > 0
	l.Config, l.Hash, l.Verdict = e.Config, e.Hash, nil
	l.Resumes = append(l.Resumes, e)
	clear(l.Running)
	clear(l.Disqualified)
	return nil
}

// end applies a result. The first result of a game counts.
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

// moves applies moves of a running game.
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

// All yields the finished games in schedule order.
func (l *Log) All(yield func(*End) bool) {
	for _, e := range l.Games {
		if e != nil && !yield(e) {
			return
		}
	}
}

// Read reads the log of a tournament's folder, or the log at path itself. Like
// Append, it ignores a line left unfinished by a killed process.
func Read(path string) (*Log, error) {
	f, err := NewFollower(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Update(); err != nil {
		if errors.Is(err, errLine) {
			err = damagedLine(path, err)
		}
		return nil, f.log.damaged(path, err)
	}
	if err := f.rest(); err != nil {
		return nil, f.log.damaged(path, err)
	}
	if f.log.Run == nil {
		if err := f.lines.Incomplete(); err != nil {
			return nil, f.log.damaged(path, err)
		}
		return nil, jsonl.Damage(fmt.Errorf("%s: the log is empty", f.lines.Name()))
	}
	return f.Log(), nil
}

// errLater is the error of a log in a format not known yet.
var errLater = errors.New("the log was written by a later version of this program")

// damaged returns the error of a log that could not be read, with a remedy if there
// is one.
func (l *Log) damaged(path string, err error) error {
	_, unreadable := errors.AsType[*fs.PathError](err)
	switch {
	case unreadable:
		return err
	case errors.Is(err, errLater):
		return jsonl.Damage(err)
	case l.Run == nil:
		if _, failed := ReadSound(path); failed != nil {
			return jsonl.Damage(fmt.Errorf("%w (the first line holds the settings: without it no game can be read, and nothing repaired)", err))
		}
	}
	return jsonl.Damage(fmt.Errorf("%w ('tournament repair %s' copies the undamaged lines)", err, path))
}

// damagedLine returns the error of the line that is damaged, of those that contradict
// each other about an opening.
func damagedLine(path string, err error) error {
	if r, failed := ReadSound(path); failed == nil && len(r.Lost) > 0 {
		return fmt.Errorf("%s:%d: %w", r.Name, r.Lost[0].Line, r.Lost[0].Err)
	}
	return err
}

// A Follower reads a log while another process writes it.
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

// Log returns the state read so far. It changes with the next Update.
func (f *Follower) Log() *Log { return &f.log }

// Update reads what has been written since the last call. The error names the
// damaged line of the log and its kind.
func (f *Follower) Update() error { return f.lines.Update(f.log.addLine) }

// rest applies a last line without its line break.
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

// addLine applies the event of a line.
func (l *Log) addLine(line []byte) error {
	summed, err := checkSum(line)
	if err != nil {
		return err
	}
	event, err := parseEvent(line)
	if err != nil {
		return err
	}
	run := l.Run
	if run == nil {
		run, _ = event.(*Run)
	}
	switch {
	case run != nil && run.Version >= 2 && !summed:
		return fmt.Errorf("event %.20q: the checksum is missing", eventName(line))
	case event == nil:
		l.Unknown++
		return nil
	}
	if err := l.Add(event); err != nil {
		return fmt.Errorf("event %q: %w", eventName(line), err)
	}
	return nil
}
