package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// commitInterval is how long an event may wait for its way to the disk.
const commitInterval = 100 * time.Millisecond

// ErrLocked is returned if another process writes the log.
var ErrLocked = errors.New("another process plays this tournament")

// A Writer appends to a log. Only one process can have one.
type Writer struct {
	file   *os.File
	lock   *flock.Flock
	events chan any
	done   chan struct{} // closed when all is written
	failed chan struct{} // closed when something could not be
	err    error         // valid once failed is closed
}

// Create makes the folder of a new tournament and begins its log with run. A
// folder that has files already is refused.
func Create(dir string, run *Run) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(list) > 0 {
		return nil, fmt.Errorf("%s is not empty: resume it, or choose another folder", dir)
	}
	w, err := open(dir, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	line, err := AppendEvent(nil, run)
	if err == nil {
		_, err = w.file.Write(line)
	}
	if err == nil {
		err = w.file.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, w.file.Close(), w.lock.Unlock())
	}
	go w.write()
	return w, nil
}

// Append opens the log of a tournament that goes on, and returns what it
// says. A line that was not finished is cut off.
func Append(dir string) (*Writer, *Log, error) {
	w, err := open(dir, 0)
	if err != nil {
		return nil, nil, err
	}
	log, err := w.recover(dir)
	if err != nil {
		return nil, nil, errors.Join(err, w.file.Close(), w.lock.Unlock())
	}
	go w.write()
	return w, log, nil
}

// open opens the log for writing.
func open(dir string, flag int) (*Writer, error) {
	lock := flock.New(filepath.Join(dir, "lock"))
	if flag == 0 { // the lock must not make a folder look like a tournament
		if _, err := os.Stat(filepath.Join(dir, FileName)); err != nil {
			return nil, fmt.Errorf("%s is no tournament: it has no %s", dir, FileName)
		}
	}
	ok, err := lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w", dir, ErrLocked)
	}
	f, err := os.OpenFile(filepath.Join(dir, FileName), os.O_WRONLY|os.O_APPEND|flag, 0o666)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return &Writer{
		file: f, lock: lock,
		events: make(chan any, 256), done: make(chan struct{}), failed: make(chan struct{}),
	}, nil
}

// recover reads the log and cuts off an unfinished line.
func (w *Writer) recover(dir string) (*Log, error) {
	log, end, err := readTo(dir, true)
	if err != nil {
		return nil, err
	}
	clear(log.Running) // the process that conducted them is gone
	return log, w.file.Truncate(end)
}

// Add hands an event over; it must not change afterwards. It is on the disk
// at the latest after commitInterval, or else Failed is closed.
func (w *Writer) Add(event any) {
	select {
	case w.events <- event:
	case <-w.failed:
	}
}

// Failed is closed when the log could not be written; Close tells why.
func (w *Writer) Failed() <-chan struct{} { return w.failed }

// Close writes what is left and closes the log. No event may be added any
// more.
func (w *Writer) Close() error {
	close(w.events)
	<-w.done
	return errors.Join(w.err, w.file.Close(), w.lock.Unlock())
}

// write writes events: at once, so that they survive this process, and to the
// disk at intervals, so that they survive the machine. It goes on to take
// events when it cannot write any more.
func (w *Writer) write() {
	defer close(w.done)
	var commit <-chan time.Time
	var buf []byte
	for {
		select {
		case e, ok := <-w.events:
			if !ok {
				w.check(w.file.Sync())
				return
			}
			line, err := AppendEvent(buf[:0], e)
			if buf = line; err == nil && w.err == nil {
				_, err = w.file.Write(line)
			}
			w.check(err)
			if commit == nil {
				commit = time.After(commitInterval)
			}
		case <-commit:
			commit = nil
			w.check(w.file.Sync())
		}
	}
}

// check notes the first error.
func (w *Writer) check(err error) {
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("the log cannot be written: %w", err)
		close(w.failed)
	}
}
