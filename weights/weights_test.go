package weights

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
)

// TestTables reads the tables of every rule, and wants beside each a record of
// how these very tables were made.
func TestTables(t *testing.T) {
	for r := range board.Rule(board.NumRules) {
		data := Patterns(r.String())
		if _, err := pattern.Read(bytes.NewReader(data), r); err != nil {
			t.Errorf("%v: %v", r, err)
			continue
		}
		checkRecord(t, r.String()+".md", data)
	}
	if Patterns("go") != nil {
		t.Error("there are tables of an unknown rule")
	}
}

// TestNets does the same with the networks, of which some rules have none. Together
// they stay small.
func TestNets(t *testing.T) {
	size, count := 0, 0
	for r := range board.Rule(board.NumRules) {
		data := Net(r.String())
		if data == nil {
			continue
		}
		count++
		size += len(data)
		if _, err := nn.ReadFor(bytes.NewReader(data), r.String()); err != nil {
			t.Errorf("%v: %v", r, err)
			continue
		}
		checkRecord(t, r.String()+".net.md", data)
	}
	if count == 0 || size > 3<<20 {
		t.Errorf("%d networks of %d bytes, want at least 1, of at most 3 MiB", count, size)
	}
	if Net("go") != nil {
		t.Error("there is a network of an unknown rule")
	}
}

// checkRecord wants a record of data, which ends with its checksum.
func checkRecord(t *testing.T, name string, data []byte) {
	t.Helper()
	record, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return
	}
	sum := fmt.Sprintf("CRC-32 %08x.", binary.LittleEndian.Uint32(data[len(data)-4:]))
	if !strings.Contains(string(record), sum) {
		t.Errorf("%s is of other weights: it does not say %q", name, sum)
	}
}
