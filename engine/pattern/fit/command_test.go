package fit

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn/replay"
	"kumiko/protocol/cli"
)

// run runs the command and returns what it printed.
func run(t *testing.T, tables *pattern.Tables, args string) (string, error) {
	t.Helper()
	var text strings.Builder
	err := cli.Execute(t.Context(), Command(func(board.Rule) *pattern.Tables { return tables }), strings.Fields(args), &text)
	return text.String(), err
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// fileOf returns a file of tables.
func fileOf(t *testing.T, tables *pattern.Tables) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := tables.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestOut checks that the output path is examined before the fit. An existing file
// that does not hold tables is left alone.
func TestOut(t *testing.T) {
	dir := t.TempDir()
	record := writeRecord(t, board.Freestyle, 40, 1)
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o555); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Link(record, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	text := filepath.Join(dir, "text")
	writeFile(t, text, []byte("a shopping list"))
	data := fileOf(t, pattern.Hand(board.Renju))
	tables, empty, old := filepath.Join(dir, "tables"), filepath.Join(dir, "empty"), filepath.Join(dir, "old")
	writeFile(t, tables, data)
	writeFile(t, empty, nil)
	writeFile(t, old, append([]byte("kumipat\x01"), data[8:]...))
	for _, tt := range []struct{ out, want string }{
		{filepath.Join(dir, "no", "such"), "no such file"},
		{dir, "is not a regular file"},
		{os.DevNull, "is not a regular file"},
		{text, "is not a file of pattern tables"},
		{link, "would replace a record"},
		{record, "would replace a record"},
		{filepath.Join(locked, "tables"), "permission denied"},
		{tables, ""},
		{empty, ""},
		{old, ""},
		{filepath.Join(dir, "new"), ""},
	} {
		if tt.want == "permission denied" && os.Geteuid() == 0 {
			continue // root may write anywhere
		}
		before, _ := os.ReadFile(tt.out)
		text, err := run(t, nil, "--steps 2 --out "+tt.out+" "+record)
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.out, err)
			} else if _, err := pattern.ReadFile(tt.out, board.Freestyle); err != nil {
				t.Errorf("%s: %v", tt.out, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || text != "" {
			t.Errorf("%s: error %v after %q, want one that says %s", tt.out, err, text, tt.want)
		}
		if after, _ := os.ReadFile(tt.out); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", tt.out)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
}

// TestStart starts from the program's tables, those of a file or none.
func TestStart(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	record := writeRecord(t, board.Freestyle, 40, 1)
	mine := pattern.Hand(board.Freestyle)
	mine.Threats[3] += 50
	file, renju := filepath.Join(dir, "file"), filepath.Join(dir, "renju")
	writeFile(t, file, fileOf(t, mine))
	writeFile(t, renju, fileOf(t, pattern.Hand(board.Renju)))
	fit := func(tables *pattern.Tables, args string) []byte {
		t.Helper()
		if _, err := run(t, tables, "--steps 3 --out "+out+" "+args+" "+record); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	none := fit(mine, "--start none")
	if mine := fit(mine, ""); bytes.Equal(mine, none) || !bytes.Equal(mine, fit(nil, "--start "+file)) {
		t.Error("the default is not to start from the program's tables")
	}
	if !bytes.Equal(fit(nil, ""), none) {
		t.Error("without tables of the program a fit does not start from nothing")
	}
	if _, err := run(t, nil, "--out "+out+" --start "+renju+" "+record); err == nil || !strings.Contains(err.Error(), "tables for renju, want freestyle") {
		t.Errorf("tables of another rule: error %v", err)
	}
}

// TestNothingMeasured shows n/a where there is nothing to measure on, with a
// warning.
func TestNothingMeasured(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	record := writeRecord(t, board.Freestyle, 20, 1)
	text, err := run(t, nil, "--steps 2 --validation 0 --out "+out+" "+record)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "Warning: no game was left for validation") || strings.Count(text, "validation n/a, of results alone n/a; ") != 2 ||
		strings.Count(text, "best move first n/a, in first three n/a") != 2 || strings.Contains(text, "0.00000") || strings.Contains(text, "NaN") {
		t.Errorf("output\n%s", text)
	}
	text, err = run(t, nil, "--steps 2 --validation 0.5 --out "+out+" "+record)
	if err != nil || strings.Contains(text, "n/a") || strings.Contains(text, "Warning") || strings.Contains(text, "NaN") {
		t.Errorf("with games for validation: error %v, output\n%s", err, text)
	}
}

// TestNoResult fits scores that no result of a game can be compared with: their
// scale is left alone, and not known.
func TestNoResult(t *testing.T) {
	c := &collector{}
	list := []outcome{{score: 3}, {score: 2, played: true, proven: true}}
	c.rescale(list, nil)
	if list[0].score != 3 || figures("%.3f", c.scales...) != "n/a" {
		t.Errorf("score %v, scale %v", list[0].score, c.scales)
	}
}

// TestTornRecord checks that a torn record is reported and a damaged one refused.
func TestTornRecord(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	record := writeRecord(t, board.Freestyle, 20, 1)
	good, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, record, good[:len(good)-7])
	text, err := run(t, nil, "--steps 2 --out "+out+" "+record)
	if err != nil || !strings.HasPrefix(text, record+": skipped ") || !strings.Contains(text, " bytes of an unfinished game after game 19\n") {
		t.Errorf("error %v, output\n%s", err, text)
	}
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		bit := rng.IntN(8 * len(good))
		data := bytes.Clone(good)
		data[bit/8] ^= 1 << (bit % 8)
		writeFile(t, record, data)
		if _, err := run(t, nil, "--steps 2 --out "+out+" "+record); err == nil || !strings.HasPrefix(err.Error(), record+": ") || errors.As(err, new(*replay.TornError)) {
			t.Errorf("bit %d of byte %d: error %v", bit%8, bit/8, err)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("tables were fitted to damaged records")
	}
}

// TestSameRecord checks that a record given under two names is refused.
func TestSameRecord(t *testing.T) {
	record := writeRecord(t, board.Freestyle, 2, 1)
	link := record + "-too"
	if err := os.Link(record, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	dotted := filepath.Dir(record) + "/./" + filepath.Base(record)
	for _, other := range []string{record, link, dotted} {
		if _, err := run(t, nil, "--out "+record+"-out "+record+" "+other); err == nil || !strings.Contains(err.Error(), "is named twice") {
			t.Errorf("%s and %s: error %v", record, other, err)
		}
	}
}

// TestInterrupt interrupts a fit: nothing is written.
func TestInterrupt(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	record := writeRecord(t, board.Freestyle, 20, 1)
	ctx, cancel := context.WithCancel(t.Context())
	w := &canceller{cancel: cancel}
	start := time.Now()
	args := []string{"--start", "none", "--steps", "1000000", "--out", out, record}
	err := cli.Execute(ctx, Command(pattern.Hand), args, w)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "nothing was written") || time.Since(start) > 20*time.Second {
		t.Errorf("error %v after %v", err, time.Since(start))
	}
	if left, err := filepath.Glob(out + "*"); err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
}

// A canceller cancels when the minimizer first reports.
type canceller struct{ cancel func() }

func (c *canceller) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("step ")) {
		c.cancel()
	}
	return len(p), nil
}
