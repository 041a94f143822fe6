package pattern

import (
	"encoding/binary"
	"fmt"
	"io"

	"kumiko/engine/board"
)

// magic begins every file of tables; its last byte is the version.
var magic = [8]byte{'k', 'u', 'm', 'i', 'p', 'a', 't', 1}

// header precedes the tables in a file, little-endian as everything in it.
type header struct {
	Magic          [8]byte
	Rule           uint8
	_              [3]uint8
	Codes, Threats uint32
}

// Write writes t in the form that Read reads.
func (t *Tables) Write(w io.Writer) error {
	h := header{Magic: magic, Rule: uint8(t.Rule), Codes: NumCodes, Threats: NumThreats}
	for _, v := range []any{h, &t.Value, &t.Attack, &t.Defend, &t.Threats} {
		if err := binary.Write(w, binary.LittleEndian, v); err != nil {
			return err
		}
	}
	return nil
}

// Read reads tables. An error says what is wrong with the file.
func Read(r io.Reader) (*Tables, error) {
	var h header
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil {
		return nil, fmt.Errorf("pattern: reading the header: %w", err)
	}
	switch {
	case h.Magic != magic:
		return nil, fmt.Errorf("pattern: not a file of pattern tables, or of another version")
	case h.Rule >= board.NumRules:
		return nil, fmt.Errorf("pattern: no rule has number %d", h.Rule)
	case h.Codes != NumCodes || h.Threats != NumThreats:
		return nil, fmt.Errorf("pattern: made for %d codes and %d threat masks, want %d and %d",
			h.Codes, h.Threats, NumCodes, NumThreats)
	}
	t := &Tables{Rule: board.Rule(h.Rule)}
	for _, v := range []any{&t.Value, &t.Attack, &t.Defend, &t.Threats} {
		if err := binary.Read(r, binary.LittleEndian, v); err != nil {
			return nil, fmt.Errorf("pattern: reading the tables: %w", err)
		}
	}
	return t, nil
}
