package boardtest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ReadCases reads a file of JSON records, named relative to testdata, and
// decompresses it if its name ends in .gz. The records come from public
// collections; a source that they name is the repository they were found in.
func ReadCases[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	var cases []T
	for d := json.NewDecoder(r); d.More(); {
		var c T
		if err := d.Decode(&c); err != nil {
			t.Fatalf("%s, record %d: %v", name, len(cases)+1, err)
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return cases
}
