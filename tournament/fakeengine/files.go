package fakeengine

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Files returns a function that writes a file, such as a script, to a folder
// and returns its path.
func Files(t testing.TB, dir string) func(name, text string, mode fs.FileMode) string {
	return func(name, text string, mode fs.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
}
