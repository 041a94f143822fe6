package outfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Write writes a file atomically: on any error, a full disk included, the
// old file, if any, stays. A file that is not regular, such as a pipe, is
// written directly.
func Write(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return fill(f, write)
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // keep the link
	}
	f, err := createBeside(name)
	if err != nil {
		return err
	}
	err = fill(f, write)
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s is not written: %w", name, err), os.Remove(f.Name()))
	}
	return nil
}

// fill writes to a file and closes it. Tests replace it.
var fill = func(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		// Otherwise the name could reach the disk before the content. Devices
		// and pipes cannot be synced.
		if err = f.Sync(); errors.Is(err, syscall.EINVAL) {
			err = nil
		}
	}
	return errors.Join(err, f.Close()) // some file systems report a full disk only here
}

// createBeside creates a file beside the named one, with its mode if it exists.
func createBeside(name string) (*os.File, error) {
	dir, base := filepath.Split(name)
	for n := 0; ; n++ {
		f, err := os.OpenFile(fmt.Sprintf("%s.%s.%d-%d.tmp", dir, base, os.Getpid(), n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", name, err)
		}
		if info, err := os.Stat(name); err == nil {
			if err := os.Chmod(f.Name(), info.Mode().Perm()); err != nil {
				return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
			}
		}
		return f, nil
	}
}
