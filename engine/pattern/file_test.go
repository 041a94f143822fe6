package pattern

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"kumiko/engine/board"
)

// fileOf returns what Write makes of tables.
func fileOf(t testing.TB, tables *Tables) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := tables.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// What is written is read again, however it arrives.
func TestRoundTrip(t *testing.T) {
	for rule := range board.Rule(board.NumRules) {
		for _, want := range []*Tables{randomTables(rule), Hand(rule), {Rule: rule}} {
			data := fileOf(t, want)
			for _, r := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
				got, err := Read(r)
				if err != nil {
					t.Fatal(err)
				}
				if *got != *want {
					t.Errorf("%v: the tables read are not those written", rule)
				}
			}
			if !bytes.Equal(fileOf(t, want), data) {
				t.Errorf("%v: written twice, the files differ", rule)
			}
		}
	}
}

// A file that is not whole or not of our kind is an error that says so.
func TestReadErrors(t *testing.T) {
	data := fileOf(t, randomTables(board.Standard))
	changed := func(at int, to byte) []byte {
		c := bytes.Clone(data)
		c[at] = to
		return c
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "header"},
		{"half a header", data[:10], "header"},
		{"another kind of file", changed(0, 'x'), "not a file of pattern tables"},
		{"another version", changed(7, 200), "another version"},
		{"no such rule", changed(8, board.NumRules), "rule"},
		{"other codes", changed(12, data[12]+1), "codes"},
		{"other threats", changed(16, data[16]+1), "threat"},
		{"header only", data[:20], "tables"},
		{"one byte short", data[:len(data)-1], "tables"},
	} {
		got, err := Read(bytes.NewReader(c.data))
		if err == nil || got != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "pattern: ") {
			t.Errorf("%s: error %v does not name the package", c.name, err)
		}
	}
}

// An error of the reader is passed on.
func TestReaderFails(t *testing.T) {
	data := fileOf(t, randomTables(board.Renju))
	broken := errors.New("broken")
	for n := range 60 {
		r := io.MultiReader(bytes.NewReader(data[:n*len(data)/60]), iotest.ErrReader(broken))
		if _, err := Read(r); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: error %v, want %v", n*len(data)/60, err, broken)
		}
	}
}

// A failing writer takes so many bytes.
type failingWriter int

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > int(*w) {
		return int(*w), io.ErrShortWrite
	}
	*w -= failingWriter(len(p))
	return len(p), nil
}

func TestWriterFails(t *testing.T) {
	tables := randomTables(board.Freestyle)
	size := len(fileOf(t, tables))
	for _, n := range []int{0, 1, 20, 1000, size - 1} {
		w := failingWriter(n)
		if err := tables.Write(&w); err == nil {
			t.Errorf("no error after %d of %d bytes", n, size)
		}
	}
}

// Read never panics, and what it accepts is what Write would have written.
func FuzzRead(f *testing.F) {
	data := fileOf(f, randomTables(board.Caro6))
	for _, n := range []int{0, 8, 9, 12, 19, 20, 21, 4000, len(data)} {
		f.Add(data[:n])
	}
	f.Add(append(bytes.Clone(data), "more"...))
	f.Fuzz(func(t *testing.T, data []byte) {
		tables, err := Read(bytes.NewReader(data))
		if err != nil {
			if tables != nil {
				t.Error("tables and an error")
			}
			return
		}
		again := fileOf(t, tables)
		// Three bytes of the header mean nothing.
		copy(again[9:12], data[9:12])
		if !bytes.HasPrefix(data, again) {
			t.Error("what was read is not what was written")
		}
	})
}
