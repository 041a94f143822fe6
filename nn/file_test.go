package nn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// smallShape makes small files.
var smallShape = Shape{Reach: 1, Hidden: 8, Channels: 8, Dense: 8, Sides: 2}

// randomNet returns a network none of whose weights are as New leaves them.
func randomNet(s Shape, name string) *Net {
	rng := rand.New(rand.NewPCG(3, uint64(s.NumWeights())))
	n := New(s, name, rng)
	for i := range n.Sets {
		for _, t := range n.Sets[i].Tensors(s) {
			for j := range *t.Data {
				(*t.Data)[j] += float32(rng.NormFloat64()) / 8
			}
		}
	}
	return n
}

// fileOf returns what Write makes of a network.
func fileOf(t testing.TB, n *Net) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := n.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// What is written is read again, however it arrives.
func TestRoundTrip(t *testing.T) {
	for _, s := range []Shape{
		smallShape,
		playShape,
		{Reach: 5, Hidden: 16, Channels: 24, Dense: 32, Sides: 2},
		{Reach: 1, Hidden: 8, Channels: 8, Dense: 8, Sides: 2, Marks: 1},
		{maxReach, maxHidden, maxChannels, maxDense, 2, 1},
	} {
		want := randomNet(s, "freestyle")
		w := want.Sets[s.Sides-1].Mid
		w[0], w[1], w[2] = math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Copysign(0, -1))
		data := fileOf(t, want)
		if len(data) != s.fileSize(len("freestyle")) {
			t.Errorf("%+v: %d bytes, want %d", s, len(data), s.fileSize(len("freestyle")))
		}
		for _, r := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
			got, err := ReadFor(r, "freestyle")
			if err != nil {
				t.Fatal(err)
			}
			if got.Shape != s || got.Name != want.Name || len(got.Sets) != s.Sides {
				t.Fatalf("read %+v %q, want %+v %q", got.Shape, got.Name, s, want.Name)
			}
			for i := range want.Sets {
				theirs := got.Sets[i].Tensors(s)
				for j, tensor := range want.Sets[i].Tensors(s) {
					for k, w := range *tensor.Data {
						if g := (*theirs[j].Data)[k]; math.Float32bits(g) != math.Float32bits(w) {
							t.Fatalf("%+v: %s[%d] of set %d is %v, want %v", s, tensor.Name, k, i, g, w)
						}
					}
				}
			}
		}
		if !bytes.Equal(fileOf(t, want), data) {
			t.Errorf("%+v: written twice, the files differ", s)
		}
	}
}

// TestFileForm pins the form of files.
func TestFileForm(t *testing.T) {
	n := randomNet(smallShape, "renju")
	data := fileOf(t, n)
	head := "kuminet\x01\x05renju\x01\x00\x08\x00\x08\x00\x08\x00\x02\x00"
	if !strings.HasPrefix(string(data), head) || len(head) != headerSize {
		t.Errorf("the header is %q, want %q", data[:headerSize], head)
	}
	for i, w := range []struct {
		at   int
		want float32
	}{
		{0, n.Sets[0].Tap[0]},
		{len(n.Sets[0].Tap), n.Sets[0].Center[0]},
		{smallShape.NumWeights() - 1, n.Sets[0].Prior[0]},
		{smallShape.NumWeights(), n.Sets[1].Tap[0]},
		{2*smallShape.NumWeights() - 2, n.Sets[1].B3[0]},
	} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(data[headerSize+4*w.at:])); got != w.want {
			t.Errorf("%d: weight %d in the file is %v, want %v", i, w.at, got, w.want)
		}
	}
}

// TestMarksForm pins the form of files of networks with marks.
func TestMarksForm(t *testing.T) {
	s := smallShape
	s.Marks = 1
	n := randomNet(s, "renju")
	data := fileOf(t, n)
	head := "kuminet\x02\x05renju\x01\x00\x08\x00\x08\x00\x08\x00\x02\x00\x01\x00"
	if !strings.HasPrefix(string(data), head) {
		t.Errorf("the header is %q, want %q", data[:len(head)], head)
	}
	at := len(head)
	for _, tensor := range n.Sets[0].Tensors(s) {
		if tensor.Name == "mark" {
			break
		}
		at += 4 * tensor.Size
	}
	if got := math.Float32frombits(binary.LittleEndian.Uint32(data[at:])); got != n.Sets[0].Mark[0] {
		t.Errorf("the first weight of the mark is %v, want %v", got, n.Sets[0].Mark[0])
	}
}

// Offsets in a file of a network for renju, without marks.
const (
	shapeOffset = nameOffset + 1 + len("renju")
	headerSize  = shapeOffset + 5*2
)

// withSum gives a file that has been changed the right checksum.
func withSum(data []byte) []byte {
	body := data[:len(data)-crc32.Size]
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.ChecksumIEEE(body))
}

// An incomplete, damaged or foreign file is reported as such.
func TestReadErrors(t *testing.T) {
	data := fileOf(t, randomNet(smallShape, "renju"))
	changed := func(at int, to ...byte) []byte {
		c := bytes.Clone(data)
		copy(c[at:], to)
		return c
	}
	const lastWeight = -crc32.Size - 4
	nan := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN())))
	inf := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.Inf(-1))))
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "not a file of a network"},
		{"half a magic", data[:5], "not a file of a network"},
		{"a magic without a version", data[:7], "not a file of a network"},
		{"another kind of file", []byte("kumipat\x02 and more"), "not a file of a network"},
		{"version 0", changed(7, 0), "version 0; this program reads versions 1 to 2"},
		{"another version", changed(7, 200), "version 200; this program reads versions 1 to 2"},
		{"a magic alone", data[:8], "ends after 8 bytes, within its header"},
		{"half a header", data[:headerSize-1], "within its header"},
		{"reach 0", withSum(changed(shapeOffset, 0)), "reach must be 1 to 5, got 0"},
		{"a long reach", changed(shapeOffset, 200), "reach must be 1 to 5, got 200"},
		{"a wide net", changed(shapeOffset+2, 255, 255), "hidden channels must be a multiple of 8 up to 256, got 65535"},
		{"odd channels", withSum(changed(shapeOffset+4, 12)), "channels must be a multiple of 8 up to 128, got 12"},
		{"no dense layer", withSum(changed(shapeOffset+6, 0)), "dense width must be a multiple of 8 up to 128, got 0"},
		{"three sides", withSum(changed(shapeOffset+8, 3)), "sides must be 1 or 2, got 3"},
		{"one side of two", withSum(changed(shapeOffset+8, 1)), "goes on"},
		{"two sides of one", fileOf(t, randomNet(Shape{1, 8, 8, 8, 1, 0}, "x"))[:headerSize+100], "ends after"},
		{"version 2 without marks", withSum(slices.Concat(magic[:], []byte{2}, data[nameOffset:headerSize], []byte{0, 0}, data[headerSize:])), "version 2 without marks"},
		{"two planes of marks", withSum(slices.Concat(magic[:], []byte{2}, data[nameOffset:headerSize], []byte{2, 0}, data[headerSize:])), "marks must be 0 or 1, got 2"},
		{"a larger shape", withSum(changed(shapeOffset+2, 16)), "ends after"},
		{"header only", data[:headerSize], "ends after 24 of"},
		{"one byte short", data[:len(data)-1], "ends after"},
		{"no checksum", data[:len(data)-crc32.Size], "ends after"},
		{"one byte more", append(bytes.Clone(data), 0), "goes on"},
		{"another file behind", append(bytes.Clone(data), data...), "goes on"},
		{"more than any file", append(bytes.Clone(data), make([]byte, 2*maxFileSize)...), "goes on"},
		{"another name without its checksum", changed(nameOffset+1, 'R'), "checksum"},
		{"no name", withSum(slices.Concat(data[:nameOffset], []byte{0}, data[shapeOffset:])), `invalid name ""`},
		{"a name with a gap", withSum(changed(nameOffset+2, 0)), `invalid name "r\x00nju"`},
		{"a name with a line feed", withSum(changed(nameOffset+2, '\n')), `invalid name "r\nnju"`},
		{"a name of which the file is only a part", changed(nameOffset, 255)[:200], "within its header"},
		{"NaN", withSum(changed(len(data)+lastWeight, nan...)), "weight 0 of prior in set 1 is NaN"},
		{"infinity", withSum(changed(headerSize+4*3*8, inf...)), "weight 0 of center in set 0 is -Inf"},
	} {
		got, err := Read(bytes.NewReader(c.data))
		if err == nil || got != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "nn: ") {
			t.Errorf("%s: error %v does not name the package", c.name, err)
		}
	}
}

// TestReadFor refuses a network for something else.
func TestReadFor(t *testing.T) {
	data := fileOf(t, randomNet(smallShape, "renju"))
	for _, name := range []string{"freestyle", "", "renju2", "Renju"} {
		n, err := ReadFor(bytes.NewReader(data), name)
		if err == nil || n != nil || err.Error() != "nn: a network for renju, want one for "+name {
			t.Errorf("read for %q: %v", name, err)
		}
	}
	if _, err := ReadFor(bytes.NewReader(data[:50]), "renju"); err == nil {
		t.Error("a truncated file: no error")
	}
}

// TestWriteErrors refuses to write what could not be read.
func TestWriteErrors(t *testing.T) {
	for _, c := range []struct {
		want  string
		spoil func(n *Net)
	}{
		{"weight 3 of v2 in set 1 is NaN", func(n *Net) { n.Sets[1].V2[3] = float32(math.NaN()) }},
		{"weight 7 of tap in set 0 is +Inf", func(n *Net) { n.Sets[0].Tap[7] = float32(math.Inf(1)) }},
		{"mid has 63 weights, want 64", func(n *Net) { n.Sets[0].Mid = n.Sets[0].Mid[1:] }},
		{"1 sets of weights, want 2", func(n *Net) { n.Sets = n.Sets[:1] }},
		{"reach must be 1 to 5, got 6", func(n *Net) { n.Reach = 6 }},
		{`invalid name ""`, func(n *Net) { n.Name = "" }},
		{`invalid name "xxx`, func(n *Net) { n.Name = strings.Repeat("x", maxName+1) }},
		{`invalid name "a rule"`, func(n *Net) { n.Name = "a rule" }},
		{`invalid name "naïve"`, func(n *Net) { n.Name = "naïve" }},
	} {
		n := randomNet(smallShape, "renju")
		c.spoil(n)
		var buf bytes.Buffer
		if err := n.Write(&buf); err == nil || !strings.Contains(err.Error(), c.want) || buf.Len() > 0 {
			t.Errorf("error %v and %d bytes written, want an error with %q and nothing", err, buf.Len(), c.want)
		}
	}
}

// TestFlippedBits flips every bit of a file: none goes unnoticed.
func TestFlippedBits(t *testing.T) {
	flipBits(t, fileOf(t, randomNet(Shape{1, 8, 8, 8, 1, 0}, "renju")), Read, func(bit int) int { return bit + 1 })
}

// flipBits flips bits of a file, one after the other: next returns the one to follow.
func flipBits[N any](t *testing.T, data []byte, read func(io.Reader) (*N, error), next func(bit int) int) {
	t.Helper()
	for bit := 0; bit < 8*len(data); bit = next(bit) {
		data[bit/8] ^= 1 << (bit % 8)
		if n, err := read(bytes.NewReader(data)); err == nil || n != nil {
			t.Errorf("bit %d of byte %d: no error", bit%8, bit/8)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
}

// TestTruncated cuts a file after every byte.
func TestTruncated(t *testing.T) { truncate(t, fileOf(t, randomNet(smallShape, "renju")), Read) }

func truncate[N any](t *testing.T, data []byte, read func(io.Reader) (*N, error)) {
	t.Helper()
	for size := range data {
		if n, err := read(bytes.NewReader(data[:size])); err == nil || n != nil {
			t.Errorf("%d of %d bytes: no error", size, len(data))
		}
	}
}

func TestReaderFails(t *testing.T) { failReader(t, fileOf(t, randomNet(smallShape, "renju")), Read) }

func failReader[N any](t *testing.T, data []byte, read func(io.Reader) (*N, error)) {
	t.Helper()
	broken := errors.New("broken")
	for n := range 60 {
		r := io.MultiReader(bytes.NewReader(data[:n*len(data)/60]), iotest.ErrReader(broken))
		if _, err := read(r); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: error %v, want %v", n*len(data)/60, err, broken)
		}
	}
}

// A failingWriter accepts a number of bytes.
type failingWriter int

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > int(*w) {
		return int(*w), io.ErrShortWrite
	}
	*w -= failingWriter(len(p))
	return len(p), nil
}

func TestWriterFails(t *testing.T) {
	n := randomNet(smallShape, "renju")
	size := smallShape.fileSize(len("renju"))
	for _, limit := range []int{0, 1, 20, 1000, size - 1} {
		w := failingWriter(limit)
		if err := n.Write(&w); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("after %d of %d bytes: error %v", limit, size, err)
		}
	}
}

// Read never panics, and what it accepts is what Write would have written.
func FuzzRead(f *testing.F) {
	fuzzRead(f, fileOf(f, randomNet(smallShape, "renju")), headerSize, Read, fileOf)
}

// fuzzRead fuzzes a reader of files, given one of them and the size of its header.
func fuzzRead[N any](f *testing.F, data []byte, header int, read func(io.Reader) (*N, error), fileOf func(testing.TB, *N) []byte) {
	for _, n := range []int{0, 7, 8, 9, header, header + 1, 900, len(data)} {
		f.Add(data[:n], false)
		f.Add(data[:n], true)
	}
	f.Add(append(bytes.Clone(data), "more"...), true)
	f.Fuzz(func(t *testing.T, data []byte, sum bool) {
		if sum && len(data) >= crc32.Size {
			data = withSum(data) // so that other checks are reached
		}
		n, err := read(bytes.NewReader(data))
		if err != nil {
			if n != nil {
				t.Error("a network and an error")
			}
			return
		}
		if !bytes.Equal(data, fileOf(t, n)) {
			t.Error("what was read is not what was written")
		}
	})
}
