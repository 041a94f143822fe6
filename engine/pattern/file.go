package pattern

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"kumiko/engine/board"
)

// magic begins every file of tables; its last byte is the version.
var magic = [8]byte{'k', 'u', 'm', 'i', 'p', 'a', 't', version}

const (
	version    = 2
	ruleOffset = 8 // of the rule in a file
)

// A file is a file of tables without its trailing CRC-32 (IEEE) of everything
// before. All numbers are little-endian.
type file struct {
	Magic          [8]byte
	Rule           uint8
	Zeros          [3]uint8
	Codes, Threats uint32 // their numbers
	Tables         tables
}

// tables are the numbers of Tables.
type tables struct {
	Value, Attack, Defend [2][NumCodes]int16
	Threats               [NumThreats]int16
}

// Bytes returns the tables in a form that does not depend on the file version:
// that of version 1. Logs and records identify the tables of their games by its
// hash.
func (t *Tables) Bytes() []byte {
	f := file{
		Magic: magic, Rule: uint8(t.Rule), Codes: NumCodes, Threats: NumThreats,
		Tables: tables{t.Value, t.Attack, t.Defend, t.Threats},
	}
	f.Magic[len(magic)-1] = 1
	data, err := binary.Append(nil, binary.LittleEndian, &f)
	if err != nil {
		panic(err) // a file has a fixed size
	}
	return data
}

// Write writes t in the form that Read reads.
func (t *Tables) Write(w io.Writer) error {
	data := t.Bytes()
	data[len(magic)-1] = version
	_, err := w.Write(binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data)))
	return err
}

// Read reads the tables of the given rule from r up to its end. Tables of another
// rule are an error.
func Read(r io.Reader, rule board.Rule) (*Tables, error) {
	t, err := ReadAny(r)
	if err != nil {
		return nil, err
	}
	if t.Rule != rule {
		return nil, fmt.Errorf("pattern: tables for %v, want %v", t.Rule, rule)
	}
	return t, nil
}

// ReadAny reads the tables of any rule from r up to its end.
func ReadAny(r io.Reader) (*Tables, error) {
	size := binary.Size(file{}) + crc32.Size
	data, err := io.ReadAll(io.LimitReader(r, int64(size)+1))
	if err != nil {
		return nil, fmt.Errorf("pattern: %w", err)
	}
	if err := check(data, size); err != nil {
		return nil, fmt.Errorf("pattern: %w", err)
	}
	var f file
	if _, err := binary.Decode(data, binary.LittleEndian, &f); err != nil {
		panic(err) // its size has been checked
	}
	return &Tables{board.Rule(f.Rule), f.Tables.Value, f.Tables.Attack, f.Tables.Defend, f.Tables.Threats}, nil
}

// check returns an error if a file, which should have size bytes, is invalid. It
// checks first what explains other errors.
func check(data []byte, size int) error {
	const rule, codes, threats, head = ruleOffset, 12, 16, 20
	if !IsFile(data) {
		return errors.New("not a file of pattern tables")
	}
	if v := data[rule-1]; v != version {
		return fmt.Errorf("pattern tables of version %d; this program reads version %d", v, version)
	}
	if len(data) >= head {
		c, t := binary.LittleEndian.Uint32(data[codes:]), binary.LittleEndian.Uint32(data[threats:])
		if c != NumCodes || t != NumThreats {
			return fmt.Errorf("tables of %d codes and %d threat masks, want %d and %d", c, t, NumCodes, NumThreats)
		}
	}
	switch body := data[:max(0, min(len(data), size)-crc32.Size)]; {
	case len(data) < size:
		return fmt.Errorf("the file ends after %d of %d bytes", len(data), size)
	case len(data) > size:
		return fmt.Errorf("the file goes on after its %d bytes", size)
	case binary.LittleEndian.Uint32(data[len(body):]) != crc32.ChecksumIEEE(body):
		return errors.New("the file is damaged: its checksum is wrong")
	case data[rule] >= board.NumRules:
		return fmt.Errorf("unknown rule number %d", data[rule])
	case len(bytes.Trim(data[rule+1:codes], "\x00")) > 0:
		return errors.New("bytes that should be zero are not")
	}
	return nil
}

// IsFile reports whether data begins like a file of tables, of any version.
func IsFile(data []byte) bool {
	n := len(magic) - 1
	return len(data) > n && bytes.Equal(data[:n], magic[:n])
}

// ReadFile reads the tables of a rule from a file; see [Read].
func ReadFile(name string, rule board.Rule) (*Tables, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := Read(f, rule)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}
