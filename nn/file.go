package nn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// The format of a file, little-endian throughout:
//
//	magic  [8]byte, the last one the version
//	name   uint8 length, then so many bytes
//	shape  reach, hidden, channels, dense, sides, each uint16
//	sets, as many as sides: the tensors in the order of [Params.Tensors], float32
//	sum    uint32, CRC-32 (IEEE) of everything before
var magic = [8]byte{'k', 'u', 'm', 'i', 'n', 'e', 't', version}

const version = 1

// maxName bounds the length of a name.
const maxName = 255

// Write writes a network.
func (n *Net) Write(w io.Writer) error {
	_, err := w.Write(n.bytes())
	return err
}

// bytes returns the file of a network.
func (n *Net) bytes() []byte {
	data := append(bytes.Clone(magic[:]), uint8(len(n.Name)))
	data = append(data, n.Name...)
	for _, v := range n.Shape.fields() {
		data = binary.LittleEndian.AppendUint16(data, uint16(*v))
	}
	for s := range n.Sets {
		for _, t := range n.Sets[s].Tensors(n.Shape) {
			for _, v := range *t.Data {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
			}
		}
	}
	return binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
}

// fields returns the dimensions in the order of files.
func (s *Shape) fields() []*int {
	return []*int{&s.Reach, &s.Hidden, &s.Channels, &s.Dense, &s.Sides}
}

// Read reads a network, up to the end of r.
func Read(r io.Reader) (*Net, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("nn: %w", err)
	}
	n, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("nn: %w", err)
	}
	return n, nil
}

// maxFile bounds the size of a file.
const maxFile = 16 << 20

// parse parses a file.
func parse(data []byte) (*Net, error) {
	switch {
	case len(data) < len(magic) || !bytes.Equal(data[:len(magic)-1], magic[:len(magic)-1]):
		return nil, errors.New("not a network")
	case data[len(magic)-1] != version:
		return nil, fmt.Errorf("a network of version %d; this program reads version %d", data[len(magic)-1], version)
	}
	rest := data[len(magic):]
	if len(rest) < 1 || len(rest) < 1+int(rest[0])+10 {
		return nil, errors.New("the network ends within its header")
	}
	name := string(rest[1 : 1+int(rest[0])])
	rest = rest[1+len(name):]
	var s Shape
	for _, v := range s.fields() {
		*v = int(binary.LittleEndian.Uint16(rest))
		rest = rest[2:]
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("the shape of the network: %w", err)
	}
	size := 0
	for _, t := range new(Params).Tensors(s) {
		size += 4 * t.Size * s.Sides
	}
	switch {
	case len(rest) < size+crc32.Size:
		return nil, fmt.Errorf("the network is truncated: %d bytes are missing", size+crc32.Size-len(rest))
	case len(rest) > size+crc32.Size:
		return nil, fmt.Errorf("%d trailing bytes after the network", len(rest)-size-crc32.Size)
	case binary.LittleEndian.Uint32(rest[size:]) != crc32.ChecksumIEEE(data[:len(data)-crc32.Size]):
		return nil, errors.New("the network is damaged: its checksum is wrong")
	}
	n := Zero(s, name)
	for i := range n.Sets {
		for _, t := range n.Sets[i].Tensors(s) {
			for j := range *t.Data {
				v := math.Float32frombits(binary.LittleEndian.Uint32(rest))
				if v != v || v-v != 0 {
					return nil, fmt.Errorf("%s has a weight that is not finite", t.Name)
				}
				(*t.Data)[j] = v
				rest = rest[4:]
			}
		}
	}
	return n, nil
}
