// Package golden compares text in tests, mostly the output of commands, with files
// in testdata.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Updating reports whether the flag -update is set.
func Updating() bool { return *update }

// Compare compares a text with a file, or with -update writes the file.
func Compare(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		Write(t, file, got)
	}
	if want := string(Read(t, file)); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s\n(if it should change, run the test with -update)", file, got, want)
	}
}

// Read returns the contents of a file.
func Read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Write writes a file, and creates its folder if necessary.
func Write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
