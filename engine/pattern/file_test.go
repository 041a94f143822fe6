package pattern

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
				got, err := Read(r, rule)
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

// withSum gives a file that has been changed the right checksum.
func withSum(data []byte) []byte {
	body := data[:len(data)-crc32.Size]
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.ChecksumIEEE(body))
}

// An incomplete or foreign file is reported as such.
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
		{"nothing", nil, "not a file of pattern tables"},
		{"half a magic", data[:5], "not a file of pattern tables"},
		{"half a header", data[:10], "ends after 10 of"},
		{"another kind of file", changed(0, 'x'), "not a file of pattern tables"},
		{"a version before", changed(7, 1), "version 1; this program reads version 2"},
		{"another version", changed(7, 200), "version 200"},
		{"no such rule", withSum(changed(8, board.NumRules)), "unknown rule"},
		{"reserved bytes", withSum(changed(10, 1)), "zero"},
		{"other codes", changed(12, data[12]+1), "codes"},
		{"other threats", changed(16, data[16]+1), "threat"},
		{"header only", data[:20], "ends after 20 of"},
		{"one byte short", data[:len(data)-1], "ends after"},
		{"one byte more", append(bytes.Clone(data), 0), "goes on"},
		{"another file behind", append(bytes.Clone(data), data...), "goes on"},
	} {
		got, err := Read(bytes.NewReader(c.data), board.Standard)
		if err == nil || got != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "pattern: ") {
			t.Errorf("%s: error %v does not name the package", c.name, err)
		}
	}
}

// TestFlippedBits checks that a flipped bit anywhere in a file is detected.
func TestFlippedBits(t *testing.T) {
	data := fileOf(t, randomTables(board.Renju))
	for bit := 0; bit < 8*len(data); bit += 1 + bit/1000 {
		data[bit/8] ^= 1 << (bit % 8)
		if tables, err := Read(bytes.NewReader(data), board.Renju); err == nil || tables != nil {
			t.Errorf("bit %d of byte %d: no error", bit%8, bit/8)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
}

// TestReadFile checks that tables of other rules are refused, naming the file.
func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "tables")
	for have := range board.Rule(board.NumRules) {
		tables := randomTables(have)
		if err := os.WriteFile(name, fileOf(t, tables), 0o666); err != nil {
			t.Fatal(err)
		}
		for want := range board.Rule(board.NumRules) {
			got, err := ReadFile(name, want)
			if have == want && (err != nil || *got != *tables) {
				t.Errorf("tables for %v: %v", have, err)
			}
			if text := fmt.Sprintf("%s: pattern: tables for %v, want %v", name, have, want); have != want && fmt.Sprint(err) != text {
				t.Errorf("tables for %v used for %v: %v", have, want, err)
			}
		}
	}
	if _, err := ReadFile(name+"x", board.Renju); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// An error of the reader is passed on.
func TestReaderFails(t *testing.T) {
	data := fileOf(t, randomTables(board.Renju))
	broken := errors.New("broken")
	for n := range 60 {
		r := io.MultiReader(bytes.NewReader(data[:n*len(data)/60]), iotest.ErrReader(broken))
		if _, err := Read(r, board.Renju); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: error %v, want %v", n*len(data)/60, err, broken)
		}
	}
}

// A failing writer accepts a number of bytes.
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
		f.Add(data[:n], false)
		f.Add(data[:n], true)
	}
	f.Add(append(bytes.Clone(data), "more"...), true)
	f.Fuzz(func(t *testing.T, data []byte, sum bool) {
		if sum && len(data) >= crc32.Size {
			data = withSum(data) // so that other checks are reached
		}
		tables, err := Read(bytes.NewReader(data), board.Caro6)
		if err != nil {
			if tables != nil {
				t.Error("tables and an error")
			}
			return
		}
		if !bytes.Equal(data, fileOf(t, tables)) {
			t.Error("what was read is not what was written")
		}
	})
}
