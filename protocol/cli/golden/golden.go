// Package golden is for tests that compare text, mostly what commands print,
// with files of testdata.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Updating reports whether golden files are to be written.
func Updating() bool { return *update }

// Compare compares a text with a file. With -update it writes the file.
func Compare(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		Write(t, file, got)
	}
	if want := string(Read(t, file)); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s\n(if it should change, run the test with -update)", file, got, want)
	}
}

// Read returns what is in a file.
func Read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Write writes a file, and its folder if that is not there.
func Write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
