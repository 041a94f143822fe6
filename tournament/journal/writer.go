package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kumiko/tournament/jsonl"
)

// commitInterval is how long an event may take to reach the disk.
const commitInterval = 100 * time.Millisecond

// begin is how every log begins.
const begin = `{"t":"` + nameRun + `",`

// ErrLocked is returned if another process writes the log.
var ErrLocked = errors.New("another process plays this tournament")

// A Writer appends to a log. Only one process can hold one.
type Writer struct {
	log    *jsonl.Writer
	events chan Event
	done   chan struct{} // closed when everything is written
	failed chan struct{} // closed on a write error
	err    error         // valid once failed is closed
}

// Create makes the folder of a new tournament and begins its log with run. It
// refuses a folder that already has files.
func Create(dir string, run *Run) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(list) > 0 {
		return nil, notEmpty(dir)
	}
	w, err := open(dir, false, func([]byte) error { return notEmpty(dir) }) // another process was faster
	if err != nil {
		return nil, err
	}
	line, err := AppendEvent(nil, run)
	if err == nil {
		err = w.log.Append(line[:len(line)-1])
	}
	if err != nil {
		return nil, errors.Join(err, w.log.Close())
	}
	go w.write()
	return w, nil
}

func notEmpty(dir string) error {
	return fmt.Errorf("%s is not empty: resume it, or choose another folder", dir)
}

// Append opens the log of a tournament to resume it, and returns its state. An
// unfinished last line is cut off by the first event added.
func Append(dir string) (*Writer, *Log, error) {
	// The lock must not make a folder look like a tournament.
	if _, err := os.Stat(filepath.Join(dir, FileName)); err != nil {
		return nil, nil, fmt.Errorf("%s is not a tournament: it has no %s", dir, FileName)
	}
	log := new(Log)
	w, err := open(dir, true, log.addLine)
	if errors.Is(err, ErrLocked) {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, log.damaged(dir, err)
	}
	if log.Run == nil {
		return nil, nil, errors.Join(jsonl.Damage(fmt.Errorf("%s: the log is empty", dir)), w.log.Close())
	}
	clear(log.Running) // the process that played them is gone
	go w.write()
	return w, log, nil
}

// open opens the log for writing, one that exists already or a new one, and passes
// its lines to take.
func open(dir string, existing bool, take func(line []byte) error) (*Writer, error) {
	log, err := jsonl.Open(filepath.Join(dir, FileName), jsonl.Options{
		Lock: lockName(dir), Begin: begin, SyncAfter: commitInterval, Existing: existing,
	}, take)
	if errors.Is(err, jsonl.ErrLocked) {
		return nil, fmt.Errorf("%s: %w", dir, ErrLocked)
	}
	if err != nil {
		return nil, err
	}
	return &Writer{log: log, events: make(chan Event, 256), done: make(chan struct{}), failed: make(chan struct{})}, nil
}

// Playing reports whether a process is playing a tournament, given by its
// folder or its log: such a process holds the lock beside the log.
func Playing(path string) (bool, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		path = filepath.Dir(path)
	}
	return jsonl.Locked(lockName(path))
}

func lockName(dir string) string { return filepath.Join(dir, "lock") }

// Cut returns the number of bytes of an unfinished last line, which the first event
// cuts off.
func (w *Writer) Cut() int64 { return w.log.Cut() }

// Add queues an event, which must not change afterwards. It is on the disk
// within commitInterval, or Failed is closed.
func (w *Writer) Add(event Event) {
	select {
	case w.events <- event:
	case <-w.failed:
	}
}

// Failed is closed when the log could not be written; Close returns the error.
func (w *Writer) Failed() <-chan struct{} { return w.failed }

// Close writes what is left and closes the log. No event may be added
// afterwards.
func (w *Writer) Close() error {
	close(w.events)
	<-w.done
	err := w.log.Close()
	if w.err != nil {
		return w.err
	}
	return err
}

// write writes events, so that adding one never waits for the disk. After a
// write error it still drains them.
func (w *Writer) write() {
	defer close(w.done)
	logFailed := w.log.Failed()
	var buf []byte
	for {
		select {
		case e, ok := <-w.events:
			if !ok {
				return
			}
			line, err := AppendEvent(buf[:0], e)
			if buf = line; err == nil && w.err == nil {
				err = w.log.Append(line[:len(line)-1])
			}
			w.check(err)
		case <-logFailed:
			logFailed = nil
			w.check(w.log.Err())
		}
	}
}

// check keeps the first error.
func (w *Writer) check(err error) {
	if err != nil && w.err == nil {
		w.err = err
		close(w.failed)
	}
}
