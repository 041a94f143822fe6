package nn

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// The file of a residual network is that of a [Net] with a magic and a shape of its own:
//
//	magic  [8]byte, the last of which is the version
//	name   its length as a byte, then its bytes
//	shape  Planes, Blocks, Channels and Head, each uint16
//	       the tensors in the order of [Residual.Tensors], float32
//	sum    uint32, the CRC-32 (IEEE) of everything before
var residualMagic = [7]byte{'k', 'u', 'm', 'i', 'r', 'e', 's'}

const residualVersion = 1

// fields returns the dimensions in the order of a file.
func (s *ResidualShape) fields() []*int {
	return []*int{&s.Planes, &s.Blocks, &s.Channels, &s.Head}
}

// NumWeights returns the number of weights.
func (s ResidualShape) NumWeights() int {
	return countWeights((&Residual{ResidualShape: s}).Tensors())
}

// fileSize returns the size of the file of a network of shape s, given the length of
// its name.
func (s ResidualShape) fileSize(name int) int {
	return nameOffset + 1 + name + 2*len(s.fields()) + 4*s.NumWeights() + crc32.Size
}

// Write writes n in the form that ReadResidual reads. It refuses what ReadResidual would
// refuse, such as a network whose training diverged.
func (n *Residual) Write(w io.Writer) error { return writeFile(w, n) }

func (n *Residual) bytes() ([]byte, error) {
	if err := cmp.Or(n.Check(), checkName(n.Name), checkTensors(n.Tensors(), "")); err != nil {
		return nil, err
	}
	data := make([]byte, 0, n.fileSize(len(n.Name)))
	data = appendHeader(data, residualMagic, residualVersion, n.Name, n.fields())
	data = appendTensors(data, n.Tensors())
	return binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data)), nil
}

// Checksum returns the checksum at the end of the file of n.
func (n *Residual) Checksum() (uint32, error) { return checksumOf(n) }

// ReadResidual reads a residual network from r up to its end. It reads no more than its
// header says.
func ReadResidual(r io.Reader) (*Residual, error) {
	n, err := readResidual(r)
	if err != nil {
		return nil, fmt.Errorf("nn: %w", err)
	}
	return n, nil
}

// readResidual checks first what explains other errors.
func readResidual(r io.Reader) (*Residual, error) {
	var s ResidualShape
	fields := s.fields()
	data, err := io.ReadAll(io.LimitReader(r, int64(nameOffset+1+maxName+2*len(fields))))
	if err != nil {
		return nil, err
	}
	if IsFile(data) {
		return nil, errors.New("a network over line codes, not a residual one")
	}
	if !IsResidualFile(data) {
		return nil, errors.New("not a file of a residual network")
	}
	if version := data[len(residualMagic)]; version != residualVersion {
		return nil, fmt.Errorf("a residual network of version %d; this program reads version %d", version, residualVersion)
	}
	name, rest, err := parseHeader(data, fields)
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("invalid shape: %w", err)
	}
	size, header := s.fileSize(len(name)), len(data)-len(rest)
	more, err := io.ReadAll(io.LimitReader(r, int64(max(0, size-len(data))+1)))
	if err != nil {
		return nil, err
	}
	data = append(data, more...)
	if err := checkSize(data, size); err != nil {
		return nil, err
	}
	n := ZeroResidual(s, name)
	fillTensors(n.Tensors(), data[header:])
	if err := cmp.Or(checkName(n.Name), checkTensors(n.Tensors(), "")); err != nil {
		return nil, err
	}
	return n, nil
}

// IsResidualFile reports whether data begins like a file of a residual network, of any
// version.
func IsResidualFile(data []byte) bool {
	return len(data) >= nameOffset && bytes.HasPrefix(data, residualMagic[:])
}
