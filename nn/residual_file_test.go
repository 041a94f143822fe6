package nn

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// smallResidual makes small files.
var smallResidual = ResidualShape{Planes: 4, Blocks: 1, Channels: 8, Head: 8}

// residualHeader is the size of the header of a network for renju.
const residualHeader = shapeOffset + 4*2

func residualFile(t testing.TB, s ResidualShape, name string) []byte {
	t.Helper()
	n := randomResidual(rand.New(rand.NewPCG(1, 2)), s)
	n.Name = name
	return residualBytes(t, n)
}

// residualBytes returns what Write makes of a network.
func residualBytes(t testing.TB, n *Residual) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := n.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestResidualRoundTrip reads what is written, however it arrives.
func TestResidualRoundTrip(t *testing.T) {
	for _, s := range []ResidualShape{smallResidual, {8, 3, 16, 24}, {1, maxBlocks, 8, 8}, {4, 1, maxTower, maxHead}} {
		data := residualFile(t, s, "renju")
		if len(data) != s.fileSize(len("renju")) {
			t.Errorf("%+v: %d bytes, want %d", s, len(data), s.fileSize(len("renju")))
		}
		for _, r := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
			n, err := ReadResidual(r)
			if err != nil {
				t.Fatal(err)
			}
			if n.ResidualShape != s || n.Name != "renju" || !bytes.Equal(residualBytes(t, n), data) {
				t.Errorf("%+v: what was read is not what was written", s)
			}
		}
	}
}

// TestResidualForm pins the form of files.
func TestResidualForm(t *testing.T) {
	data := residualFile(t, smallResidual, "renju")
	if head := "kumires\x01\x05renju\x04\x00\x01\x00\x08\x00\x08\x00"; !strings.HasPrefix(string(data), head) || len(head) != residualHeader {
		t.Errorf("the header is %q, want %q", data[:residualHeader], head)
	}
	n, err := ReadResidual(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []struct {
		at   int
		want float32
	}{{0, n.Stem[0]}, {len(n.Stem), n.StemBias[0]}, {len(n.Stem) + len(n.StemBias), n.First[0]}, {n.NumWeights() - 1, n.V2Bias[0]}} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(data[residualHeader+4*w.at:])); got != w.want {
			t.Errorf("weight %d in the file is %v, want %v", w.at, got, w.want)
		}
	}
}

// TestReadResidualErrors reports incomplete, damaged and foreign files as such.
func TestReadResidualErrors(t *testing.T) {
	data := residualFile(t, smallResidual, "renju")
	changed := func(at int, to ...byte) []byte {
		c := bytes.Clone(data)
		copy(c[at:], to)
		return c
	}
	float := func(v float64) []byte {
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v)))
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "not a file of a residual network"},
		{"half a magic", data[:5], "not a file of a residual network"},
		{"another kind of network", fileOf(t, randomNet(smallShape, "renju")), "a network over line codes, not a residual one"},
		{"another kind of file", []byte("kumipat\x02 and more"), "not a file of a residual network"},
		{"version 0", changed(7, 0), "version 0; this program reads version 1"},
		{"another version", changed(7, 2), "version 2; this program reads version 1"},
		{"a magic alone", data[:8], "ends after 8 bytes, within its header"},
		{"half a header", data[:residualHeader-1], "within its header"},
		{"no planes", withSum(changed(shapeOffset, 0)), "planes must be 1 to 8, got 0"},
		{"many planes", withSum(changed(shapeOffset, 9)), "planes must be 1 to 8, got 9"},
		{"no blocks", withSum(changed(shapeOffset+2, 0)), "blocks must be 1 to 40, got 0"},
		{"a high tower", changed(shapeOffset+2, 255, 255), "blocks must be 1 to 40, got 65535"},
		{"odd channels", withSum(changed(shapeOffset+4, 12)), "channels must be a multiple of 8 up to 256, got 12"},
		{"no head", withSum(changed(shapeOffset+6, 0)), "head width must be a multiple of 8 up to 256, got 0"},
		{"a larger shape", withSum(changed(shapeOffset+2, 2)), "ends after"},
		{"a smaller shape", withSum(changed(shapeOffset, 3)), "goes on"},
		{"header only", data[:residualHeader], "ends after 22 of"},
		{"the largest header alone", changed(shapeOffset, 8, 0, 40, 0, 0, 1, 0, 1)[:residualHeader], "ends after 22 of"},
		{"one byte short", data[:len(data)-1], "ends after"},
		{"one byte more", append(bytes.Clone(data), 0), "goes on"},
		{"another file behind", append(bytes.Clone(data), data...), "goes on"},
		{"another name without its checksum", changed(nameOffset+1, 'R'), "checksum"},
		{"no name", withSum(slices.Concat(data[:nameOffset], []byte{0}, data[shapeOffset:])), `invalid name ""`},
		{"a name with a line feed", withSum(changed(nameOffset+2, '\n')), `invalid name "r\nnju"`},
		{"a name of which the file is only a part", changed(nameOffset, 255)[:200], "within its header"},
		{"NaN", withSum(changed(len(data)-crc32.Size-4, float(math.NaN())...)), "weight 0 of value 2 bias is NaN"},
		{"infinity", withSum(changed(residualHeader+4, float(math.Inf(-1))...)), "weight 1 of stem is -Inf"},
	} {
		got, err := ReadResidual(bytes.NewReader(c.data))
		if err == nil || got != nil || !strings.HasPrefix(err.Error(), "nn: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, err := Read(bytes.NewReader(data)); err == nil || err.Error() != "nn: a residual network, not one over line codes" {
		t.Errorf("read as a network over line codes: error %v", err)
	}
}

// TestWriteResidualErrors refuses to write what could not be read.
func TestWriteResidualErrors(t *testing.T) {
	for _, c := range []struct {
		want  string
		spoil func(n *Residual)
	}{
		{"weight 3 of second is NaN", func(n *Residual) { n.Second[3] = float32(math.NaN()) }},
		{"first has 575 weights, want 576", func(n *Residual) { n.First = n.First[1:] }},
		{"blocks must be 1 to 40, got 41", func(n *Residual) { n.Blocks = 41 }},
		{`invalid name "a rule"`, func(n *Residual) { n.Name = "a rule" }},
	} {
		n := ZeroResidual(smallResidual, "renju")
		c.spoil(n)
		var buf bytes.Buffer
		if err := n.Write(&buf); err == nil || !strings.Contains(err.Error(), c.want) || buf.Len() > 0 {
			t.Errorf("error %v and %d bytes written, want an error with %q and nothing", err, buf.Len(), c.want)
		}
	}
}

// TestResidualFlippedBits flips every bit of a file, and cuts it after every byte: none
// goes unnoticed.
func TestResidualFlippedBits(t *testing.T) {
	data := residualFile(t, smallResidual, "renju")
	flipBits(t, data, ReadResidual, func(bit int) int { return bit + 1 + bit/4096 })
	truncate(t, data, ReadResidual)
}

// TestResidualReaderFails passes an error of the reader on.
func TestResidualReaderFails(t *testing.T) {
	failReader(t, residualFile(t, smallResidual, "renju"), ReadResidual)
}

// ReadResidual never panics, and what it accepts is what Write would have written.
func FuzzReadResidual(f *testing.F) {
	fuzzRead(f, residualFile(f, smallResidual, "renju"), residualHeader, ReadResidual, residualBytes)
}
