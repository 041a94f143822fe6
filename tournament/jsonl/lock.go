package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked is the error when another process holds a lock.
var ErrLocked = errors.New("in use by another process")

// A Lock is held by at most one process, and released when that process dies.
type Lock struct {
	file    *flock.Flock
	created bool // the file did not exist before
}

// Locked takes a lock only for an instant, which must not turn away a process
// that acquires it then.
const (
	lockPatience = 200 * time.Millisecond
	lockRetry    = 20 * time.Millisecond
)

// Acquire locks a file, which it creates if necessary and leaves behind. It
// must be a file beside the log: on Windows a locked file cannot be read.
func Acquire(name string) (*Lock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	_, err := os.Stat(name)
	created := errors.Is(err, fs.ErrNotExist)
	f := flock.New(name, flock.SetPermissions(0o666))
	ok, err := f.TryLockContext(ctx, lockRetry)
	switch {
	case ok:
		return &Lock{f, created}, nil
	case err == nil || errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: %w", name, ErrLocked)
	}
	return nil, err
}

// LockName returns the name of the lock beside a file, the same for all
// symbolic links to it.
func LockName(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	return name + ".lock"
}

// CheckFile reports a file that cannot be appended to because it exists and is
// not a regular file.
func CheckFile(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", name)
	}
	return nil // opening it reports anything else
}

// Abandon releases the lock of a file that is refused and removes the lock file
// if Acquire created it.
func (l *Lock) Abandon() error {
	if l.created {
		os.Remove(l.file.Path()) // no harm if it stays
	}
	return l.Release()
}

// Release releases the lock.
func (l *Lock) Release() error { return l.file.Unlock() }

// Locked reports whether some process holds the lock with this name.
func Locked(name string) (bool, error) {
	f := flock.New(name, flock.SetFlag(os.O_RDONLY))
	ok, err := f.TryRLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !ok:
		return true, nil
	}
	return false, f.Unlock()
}
