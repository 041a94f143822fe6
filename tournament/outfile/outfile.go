// Package outfile decides which files a command may write, never the log of a
// tournament and no existing file that holds something else, and writes them whole or
// not at all. It also reads inputs whole, unless they are too large.
package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
)

// A Kind is what a command writes to a file.
type Kind struct {
	Name  string                  // with its article, such as "a report in HTML"
	Match func(start []byte) bool // whether a file with this beginning is one
}

// startSize is how much of a file Match is given, at most.
const startSize = 4 << 10

// tournamentFiles are the files that a tournament keeps in its folder; the first
// makes a folder one.
var tournamentFiles = []string{"log.jsonl", "lock", "harness.log"}

// Check returns an error unless a file of a kind may be written under a name: the
// file does not exist, is empty or of the same kind, or is no regular file. The
// files of tournaments are never written, under whatever name; dirs are the
// folders (or logs) of those in use, which may have no log yet. A name of "" or -
// is no file.
func Check(name string, k Kind, dirs ...string) error {
	if name == "" || name == "-" {
		return nil
	}
	if err := CheckTournament(name, dirs...); err != nil {
		return err
	}
	f, err := openRegular(name)
	if f == nil {
		return err
	}
	defer f.Close()
	start := make([]byte, startSize)
	n, err := io.ReadFull(f, start)
	switch {
	case err == io.EOF:
		return nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return err
	case !k.Match(start[:n]):
		return fmt.Errorf("%s exists and is not %s: choose another name, or remove the file", name, k.Name)
	}
	return nil
}

// CheckLater is Check for a file that [Write] replaces after long work: it must be
// regular if it exists, and its folder must be writable. A name of "" is no file.
func CheckLater(name string, k Kind) error {
	if name == "" {
		return nil
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", name)
	}
	if err := Check(name, k); err != nil {
		return err
	}
	f, err := createBeside(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// openRegular opens a file to read it. It returns nil for one that is missing or
// not regular.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular():
		return nil, nil
	case err != nil:
		return nil, err
	}
	return os.Open(name)
}

// CheckTournament returns an error if a name is that of a file that a tournament
// keeps, in its own folder or in one of dirs; see [Check].
func CheckTournament(name string, dirs ...string) error {
	here := filepath.Dir(resolve(name))
	if _, err := os.Stat(filepath.Join(here, tournamentFiles[0])); err == nil {
		dirs = append(dirs[:len(dirs):len(dirs)], here)
	}
	for _, dir := range dirs {
		list := []string{dir} // it may be a log
		for _, file := range tournamentFiles {
			list = append(list, filepath.Join(dir, file))
		}
		for _, file := range list {
			if info, err := os.Stat(file); (err != nil || !info.IsDir()) && Same(name, file) {
				return fmt.Errorf("%s is the file %s of a tournament: choose another name", name, file)
			}
		}
	}
	return nil
}

// Same reports whether two names are those of one file, which need not exist.
func Same(a, b string) bool {
	i, err := os.Stat(a)
	j, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return os.SameFile(i, j)
	}
	return err != nil && err2 != nil && resolve(a) == resolve(b)
}

// Distinct returns an error if two of some outputs are one file. A name of "" is no
// file.
func Distinct(names ...string) error {
	for i, name := range names {
		if name != "" && slices.ContainsFunc(names[:i], func(other string) bool { return other != "" && Same(name, other) }) {
			return fmt.Errorf("%s is the name of two outputs", name)
		}
	}
	return nil
}

// ClosedPipe reports whether an error of writing says that nobody reads the pipe any
// more.
func ClosedPipe(err error) bool {
	if runtime.GOOS == "windows" {
		const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
		return errors.Is(err, brokenPipe) || errors.Is(err, noData)
	}
	return errors.Is(err, syscall.EPIPE)
}

// resolve returns the absolute name of the file that a name leads to, which need
// not exist.
func resolve(name string) string {
	for range 40 { // as deep as systems follow links
		if abs, err := filepath.Abs(name); err == nil {
			name = abs
		}
		if target, err := filepath.EvalSymlinks(name); err == nil {
			return target
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
			name = filepath.Join(dir, filepath.Base(name))
		}
		target, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(name), target)
		}
		name = target
	}
	return name
}
