package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// errForeign is the error of a file that something else wrote.
var errForeign = errors.New("not such a log")

// Options say how a log is written.
type Options struct {
	// Lock names the file that keeps other writers away.
	Lock string
	// Begin is how the first line of every such log begins.
	Begin string
	// SyncAfter bounds how long a line may take to reach the disk. A line is
	// passed to the system at once, so it survives this process; once on the
	// disk it survives the machine. 0 syncs every line at once.
	SyncAfter time.Duration
	// Existing refuses a file without a whole line, which otherwise begins anew.
	Existing bool
}

// A Writer appends to a log. Its methods are for one goroutine.
type Writer struct {
	name    string
	options Options
	lock    *Lock
	file    file
	lines   int
	end     int64 // of the last line
	cut     int64
	mended  bool   // the end of the file has been mended; see Mend
	whole   []byte // last line, if only its line break is missing
	buf     []byte

	syncing sync.WaitGroup // a sync that is due or running
	mu      sync.Mutex
	timer   *time.Timer // of the sync that is due; nil if none is
	err     error       // the first write error
	failed  chan struct{}
}

// file is what a Writer needs of an [os.File].
type file interface {
	io.WriteSeeker
	Truncate(size int64) error
	Sync() error
	Close() error
}

// Open opens a log to append to, or begins an empty one. It passes the existing
// lines to take; see [Follower.Update]. An end that an interrupted write leaves
// is cut off by Mend or the first Append: until then the file is unchanged, so that
// whoever refuses the log leaves it as it was.
func Open(name string, o Options, take func(line []byte) error) (*Writer, error) {
	if err := CheckFile(name); err != nil {
		return nil, err
	}
	lock, err := Acquire(o.Lock)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, errors.Join(err, lock.Abandon())
	}
	w := &Writer{name: name, options: o, lock: lock, file: f, failed: make(chan struct{})}
	if err := w.resume(follow(name, f), take); err != nil {
		return nil, errors.Join(err, f.Close(), lock.Abandon())
	}
	return w, nil
}

// resume reads the log and seeks to its end.
func (w *Writer) resume(f *Follower, take func(line []byte) error) error {
	if err := f.Update(take); err != nil {
		return err
	}
	w.lines, w.end = f.line, f.offset
	if w.lines > 0 && f.taken == 0 {
		return fmt.Errorf("%s: %w: it has no line", w.name, errForeign)
	}
	size := w.end + int64(len(f.partial))
	whole, err := f.rest(w.options.Begin)
	if err == nil && whole != nil {
		err = take(whole)
	}
	if err != nil {
		return fmt.Errorf("%s:%d: %w", w.name, f.line+1, err)
	}
	if w.options.Existing && f.taken == 0 && whole == nil {
		if err := f.Incomplete(); err != nil {
			return err
		}
		return fmt.Errorf("%s: the log is empty", w.name)
	}
	w.cut = size - w.end - int64(len(whole))
	w.whole = whole
	if whole != nil {
		w.lines++
	}
	return nil
}

// Mend makes the file end with a whole line: it cuts off what an interrupted write
// has left, and ends a line that lacks only its line break.
func (w *Writer) Mend() error {
	if err := w.failure(); err != nil || w.mended {
		return err
	}
	w.mended = true
	if err := w.mend(); err != nil {
		return w.fail(err)
	}
	return nil
}

func (w *Writer) mend() error {
	end := w.end + int64(len(w.whole))
	if w.cut > 0 {
		if err := w.file.Truncate(end); err != nil {
			return err
		}
	}
	if _, err := w.file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	if w.whole == nil {
		return nil
	}
	if _, err := w.file.Write([]byte("\n")); err != nil {
		return err
	}
	w.end = end + 1
	return nil
}

// Name returns the name of the log's file.
func (w *Writer) Name() string { return w.name }

// Cut returns the number of bytes at the end that an interrupted write has left
// and Mend cuts off.
func (w *Writer) Cut() int64 { return w.cut }

// Append appends a line, given without its line break. After an error the log
// has only whole lines, as far as the system allows, and accepts no more.
func (w *Writer) Append(line []byte) error {
	if bytes.IndexByte(line, '\n') >= 0 {
		return fmt.Errorf("%s: a line with a line break: %.40q", w.name, line)
	}
	if err := w.Mend(); err != nil {
		return err
	}
	w.buf = append(append(w.buf[:0], line...), '\n')
	if _, err := w.file.Write(w.buf); err != nil {
		w.file.Truncate(w.end)
		return w.fail(err)
	}
	w.end += int64(len(w.buf))
	w.lines++
	if w.options.SyncAfter > 0 {
		w.syncLater()
		return nil
	}
	return w.sync()
}

// syncLater makes sure that what has been written reaches the disk in time.
func (w *Writer) syncLater() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		return
	}
	w.syncing.Add(1)
	w.timer = time.AfterFunc(w.options.SyncAfter, func() {
		defer w.syncing.Done()
		w.mu.Lock()
		w.timer = nil
		w.mu.Unlock()
		w.sync()
	})
}

// sync syncs what has been written to the disk.
func (w *Writer) sync() error {
	if err := w.file.Sync(); err != nil {
		return w.fail(err)
	}
	return nil
}

// failure returns the first write error.
func (w *Writer) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// fail keeps the first error and returns it.
func (w *Writer) fail(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = fmt.Errorf("the log cannot be written: %w", err)
		close(w.failed)
	}
	return w.err
}

// Err returns why the log could not be written, or nil.
func (w *Writer) Err() error { return w.failure() }

// Failed is closed when the log could not be written.
func (w *Writer) Failed() <-chan struct{} { return w.failed }

// Close syncs everything to the disk, closes the log and releases its lock.
func (w *Writer) Close() error {
	w.mu.Lock()
	if w.timer != nil && w.timer.Stop() {
		w.syncing.Done()
	}
	w.mu.Unlock()
	w.syncing.Wait()
	if w.failure() == nil {
		w.sync()
	}
	return errors.Join(w.failure(), w.file.Close(), w.lock.Release())
}
