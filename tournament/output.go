package tournament

import (
	"fmt"
	"os"
	"path/filepath"

	"kumiko/tournament/outfile"
)

// checkOutput reports why a file of a kind could or must not be written; see
// [outfile.Check]. It leaves the file unchanged.
func checkOutput(name string, k outfile.Kind, dirs ...string) error {
	if name == "" || name == "-" {
		return nil
	}
	if err := outfile.Check(name, k, dirs...); err != nil {
		return err
	}
	return checkWritable(name)
}

// checkWritable reports why a file could not be written.
func checkWritable(name string) error {
	info, err := os.Stat(name)
	switch {
	case err != nil: // it will be created
		f, err := os.CreateTemp(filepath.Dir(name), ".tournament-*")
		if err != nil {
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
		f.Close()
		return os.Remove(f.Name())
	case info.IsDir():
		return fmt.Errorf("cannot write %s: it is a directory", name)
	case info.Mode().IsRegular(): // opening a pipe would block without a reader
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
		return f.Close()
	}
	return nil
}
