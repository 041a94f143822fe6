package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes a file. Whatever goes wrong, a full disk included, leaves what
// was there before, or nothing: the text gets its name when it is whole. A file
// that is not a regular one, such as a pipe, is written to as it is.
func WriteFile(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return fill(f, write)
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // the link stays one
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

// fill writes to a file and closes it. It is a variable for tests.
var fill = func(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	return errors.Join(err, f.Close()) // some disks are full only then
}

// createBeside creates a file beside the one of this name, with its mode if it
// is there.
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
