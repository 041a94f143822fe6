package nn

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"
)

// A file consists of
//
//	magic  [8]byte, the last of which is the version
//	name   its length as a byte, then its bytes
//	shape  Reach, Hidden, Channels, Dense and Sides, each uint16; in version 2 also Marks
//	sets   as many as Sides: the tensors in the order of [Params.Tensors], float32
//	sum    uint32, the CRC-32 (IEEE) of everything before
//
// All numbers are little-endian. Weights stand in plain order; what kernels want
// arranged differently is arranged after reading. A network without marks is of version
// 1, one with marks of version 2.
var magic = [7]byte{'k', 'u', 'm', 'i', 'n', 'e', 't'}

const (
	maxVersion = 2
	nameOffset = len(magic) + 1 // of the length of the name in a file
	maxName    = 255
)

// maxFileSize is the size of the largest file, so that no file makes Read allocate
// more.
var maxFileSize = Shape{maxReach, maxHidden, maxChannels, maxDense, 2, 1}.fileSize(maxName)

// fileSize returns the size of the file of a network of shape s, given the length of
// its name.
func (s Shape) fileSize(name int) int {
	return nameOffset + 1 + name + 2*len(s.fields(s.version())) + 4*s.Sides*s.NumWeights() + crc32.Size
}

// version returns the version of the file of a network of shape s.
func (s Shape) version() int { return 1 + s.Marks }

// fields returns the dimensions in a file of some version, in its order.
func (s *Shape) fields(version int) []*int {
	all := [...]*int{&s.Reach, &s.Hidden, &s.Channels, &s.Dense, &s.Sides, &s.Marks}
	return all[:len(all)-maxVersion+version]
}

// NumWeights returns the number of weights of a set.
func (s Shape) NumWeights() int { return countWeights(new(Params).Tensors(s)) }

// Write writes n in the form that Read reads. It refuses what Read would refuse, such
// as a network whose training diverged.
func (n *Net) Write(w io.Writer) error { return writeFile(w, n) }

// A fileWriter makes the file of a network, or an error if Read would refuse it.
type fileWriter interface{ bytes() ([]byte, error) }

func writeFile(w io.Writer, n fileWriter) error {
	data, err := n.bytes()
	if err != nil {
		return fmt.Errorf("nn: cannot write the network: %w", err)
	}
	_, err = w.Write(data)
	return err
}

func (n *Net) bytes() ([]byte, error) {
	if err := cmp.Or(n.Check(), checkName(n.Name), n.checkWeights()); err != nil {
		return nil, err
	}
	data := make([]byte, 0, n.fileSize(len(n.Name)))
	data = appendHeader(data, magic, n.version(), n.Name, n.fields(n.version()))
	for i := range n.Sets {
		data = appendTensors(data, n.Sets[i].Tensors(n.Shape))
	}
	return binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data)), nil
}

// appendHeader appends what stands before the weights.
func appendHeader(data []byte, magic [7]byte, version int, name string, fields []*int) []byte {
	data = append(data, magic[:]...)
	data = append(data, uint8(version), uint8(len(name)))
	data = append(data, name...)
	for _, v := range fields {
		data = binary.LittleEndian.AppendUint16(data, uint16(*v))
	}
	return data
}

// parseHeader reads the name and the dimensions that follow the version of a file, and
// returns the rest of it.
func parseHeader(data []byte, fields []*int) (name string, rest []byte, err error) {
	rest = data[nameOffset:]
	if len(rest) < 1 || len(rest) < 1+int(rest[0])+2*len(fields) {
		return "", nil, fmt.Errorf("the file ends after %d bytes, within its header", len(data))
	}
	name, rest = string(rest[1:1+int(rest[0])]), rest[1+int(rest[0]):]
	for _, v := range fields {
		*v = int(binary.LittleEndian.Uint16(rest))
		rest = rest[2:]
	}
	return name, rest, nil
}

// countWeights returns the number of weights of tensors.
func countWeights(tensors []Tensor) int {
	n := 0
	for _, t := range tensors {
		n += t.Size
	}
	return n
}

// appendTensors appends weights to a file.
func appendTensors(data []byte, tensors []Tensor) []byte {
	for _, t := range tensors {
		for _, w := range *t.Data {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(w))
		}
	}
	return data
}

// fillTensors reads weights and returns the rest of data.
func fillTensors(tensors []Tensor, data []byte) []byte {
	for _, t := range tensors {
		for j := range *t.Data {
			(*t.Data)[j] = math.Float32frombits(binary.LittleEndian.Uint32(data))
			data = data[4:]
		}
	}
	return data
}

// checkSize returns an error if a file does not have its size and its checksum.
func checkSize(data []byte, size int) error {
	switch body := data[:max(0, min(len(data), size)-crc32.Size)]; {
	case len(data) < size:
		return fmt.Errorf("the file ends after %d of %d bytes", len(data), size)
	case len(data) > size:
		return fmt.Errorf("the file goes on after its %d bytes", size)
	case binary.LittleEndian.Uint32(data[len(body):]) != crc32.ChecksumIEEE(body):
		return errors.New("the file is damaged: its checksum is wrong")
	}
	return nil
}

// Checksum returns the checksum at the end of the file of n.
func (n *Net) Checksum() (uint32, error) { return checksumOf(n) }

func checksumOf(n fileWriter) (uint32, error) {
	data, err := n.bytes()
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(data[len(data)-crc32.Size:]), nil
}

// Read reads a network from r up to its end.
func Read(r io.Reader) (*Net, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(maxFileSize)+1))
	if err != nil {
		return nil, fmt.Errorf("nn: %w", err)
	}
	n, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("nn: %w", err)
	}
	return n, nil
}

// ReadFor reads a network with a name. One with another is an error: its weights are
// for something else, but nothing in their form would show it.
func ReadFor(r io.Reader, name string) (*Net, error) {
	n, err := Read(r)
	if err != nil {
		return nil, err
	}
	if n.Name != name {
		return nil, fmt.Errorf("nn: a network for %s, want one for %s", n.Name, name)
	}
	return n, nil
}

// parse reads a file. It checks first what explains other errors.
func parse(data []byte) (*Net, error) {
	if IsResidualFile(data) {
		return nil, errors.New("a residual network, not one over line codes")
	}
	if !IsFile(data) {
		return nil, errors.New("not a file of a network")
	}
	version := int(data[len(magic)])
	if version < 1 || version > maxVersion {
		return nil, fmt.Errorf("a network of version %d; this program reads versions 1 to %d", version, maxVersion)
	}
	var s Shape
	name, rest, err := parseHeader(data, s.fields(version))
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("invalid shape: %w", err)
	}
	if s.version() != version {
		return nil, fmt.Errorf("invalid shape: a file of version %d without marks", version)
	}
	if err := checkSize(data, s.fileSize(len(name))); err != nil {
		return nil, err
	}
	n := Zero(s, name)
	for i := range n.Sets {
		rest = fillTensors(n.Sets[i].Tensors(s), rest)
	}
	if err := cmp.Or(checkName(n.Name), n.checkWeights()); err != nil {
		return nil, err
	}
	return n, nil
}

// IsFile reports whether data begins like a file of a network, of any version.
func IsFile(data []byte) bool {
	return len(data) >= nameOffset && bytes.HasPrefix(data, magic[:])
}

// checkName returns an error if a network cannot have a name: it consists of visible
// ASCII characters, as it is shown in errors.
func checkName(name string) error {
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("invalid name %q: it must be 1 to %d visible ASCII characters", name, maxName)
	}
	return nil
}

// checkWeights returns an error if the sets do not have the shape of the network or if
// a weight is not a number with which one can compute.
func (n *Net) checkWeights() error {
	if len(n.Sets) != n.Sides {
		return fmt.Errorf("%d sets of weights, want %d", len(n.Sets), n.Sides)
	}
	for i := range n.Sets {
		if err := checkTensors(n.Sets[i].Tensors(n.Shape), fmt.Sprintf(" in set %d", i)); err != nil {
			return err
		}
	}
	return nil
}

func checkTensors(tensors []Tensor, where string) error {
	for _, t := range tensors {
		if len(*t.Data) != t.Size {
			return fmt.Errorf("%s has %d weights, want %d", t.Name, len(*t.Data), t.Size)
		}
		for j, w := range *t.Data {
			if math.IsNaN(float64(w)) || math.IsInf(float64(w), 0) {
				return fmt.Errorf("weight %d of %s%s is %v", j, t.Name, where, w)
			}
		}
	}
	return nil
}
