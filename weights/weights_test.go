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
		record, err := os.ReadFile(r.String() + ".md")
		if err != nil {
			t.Error(err)
			continue
		}
		sum := fmt.Sprintf("CRC-32 %08x.", binary.LittleEndian.Uint32(data[len(data)-4:]))
		if !strings.Contains(string(record), sum) {
			t.Errorf("%v: the record is of other tables: it does not say %q", r, sum)
		}
	}
	if Patterns("go") != nil {
		t.Error("there are tables of an unknown rule")
	}
}
