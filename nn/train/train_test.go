package train

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/pattern"
	"kumiko/nn"
	"kumiko/nn/replay"
	"kumiko/protocol/cli"
	"kumiko/tournament/jsonl"
)

// writeRecord writes a record of random games, scored by the patterns.
func writeRecord(t testing.TB, rule board.Rule, games int, seed uint64) (name string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	s := replay.Settings{Seed: seed, Nodes: 100, Rule: rule, Width: 9, Height: 9}
	data := replay.AppendHeader(nil, s)
	b, err := board.New(9, 9, rule)
	if err != nil {
		t.Fatal(err)
	}
	b.SetWeights(pattern.Hand(rule).Weights())
	for n := range games {
		b.Clear()
		g := &replay.Game{Opening: 2, Result: rng.IntN(3) - 1}
		for len(g.Plies) < 20 {
			m := board.Pt(rng.IntN(9), rng.IntN(9))
			if !b.Legal(m) || b.Wins(m, b.Side()) {
				continue
			}
			g.Plies = append(g.Plies, replay.Ply{Move: m, Score: int16(b.Value(b.Side()) - b.Value(b.Side().Opponent()))})
			b.Place(m)
		}
		if data, err = replay.AppendGame(data, n, g); err != nil {
			t.Fatal(err)
		}
	}
	name = filepath.Join(t.TempDir(), "games.rec")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// small are the flags of a quick training.
const small = "--reach 2 --hidden 8 --channels 8 --dense 8 --batch 32 --epochs 3 "

// trained runs the command and returns what it printed.
func trained(ctx context.Context, args string) (string, error) {
	var out strings.Builder
	err := cli.Execute(ctx, Command(func(board.Rule) *pattern.Tables { return nil }), strings.Fields(args), &out)
	return out.String(), err
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// An interrupter cancels a context when a text is written to it.
type interrupter struct {
	strings.Builder
	text   string
	cancel func()
}

func (w *interrupter) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.text) {
		w.cancel()
	}
	return w.Builder.Write(p)
}

// TestResume interrupts a training after each epoch: what comes out at the end are the
// bytes of a run in one go, whatever the number of threads.
func TestResume(t *testing.T) {
	record := writeRecord(t, board.Renju, 30, 1)
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	if _, err := trained(t.Context(), small+"--sides 2 --out "+whole+" "+record); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"epoch 1 of 3: ", "epoch 2 of 3: "} {
		ctx, cancel := context.WithCancel(t.Context())
		w := &interrupter{text: text, cancel: cancel}
		args := strings.Fields(small + "--sides 2 --threads 2 --out " + parts + " " + record)
		err := cli.Execute(ctx, Command(func(board.Rule) *pattern.Tables { return nil }), args, w)
		if want := "interrupted after " + text[6:7] + " of 3 epochs; the same command goes on"; err == nil || !errors.Is(err, context.Canceled) || !strings.HasSuffix(err.Error(), want) {
			t.Fatalf("error %v, want %s", err, want)
		}
		if _, err := os.Stat(parts); err == nil {
			t.Error("an unfinished network was written")
		}
	}
	out, err := trained(t.Context(), small+"--sides 2 --out "+parts+" "+record)
	if err != nil || !strings.Contains(out, "2 of 3 epochs are done") || strings.Contains(out, "epoch 2 of 3") {
		t.Errorf("error %v, output\n%s", err, out)
	}
	if !bytes.Equal(readFile(t, whole), readFile(t, parts)) {
		t.Error("training in parts gives a different network")
	}
	n, err := nn.ReadFor(bytes.NewReader(readFile(t, whole)), "renju")
	if err != nil || n.Sides != 2 || n.Channels != 8 {
		t.Errorf("network %+v, error %v", n, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 {
		t.Errorf("files left: %v", left)
	}
}

// TestLearns learns from games scored by the patterns times a factor: the loss falls
// towards the entropy of the targets.
func TestLearns(t *testing.T) {
	record := writeRecord(t, board.Freestyle, 60, 2)
	dir := t.TempDir()
	csvFile, svgFile := filepath.Join(dir, "losses.csv"), filepath.Join(dir, "losses.svg")
	out, err := trained(t.Context(), "--reach 2 --hidden 8 --channels 8 --dense 8 --batch 32 --epochs 12 --validation 0.2 --lambda 0.8 --out "+
		filepath.Join(dir, "net")+" --csv "+csvFile+" --svg "+svgFile+" "+record)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(readFile(t, csvFile))).ReadAll()
	if err != nil || len(rows) != 13 || len(rows[0]) != 6 {
		t.Fatalf("error %v, %d rows\n%s", err, len(rows), out)
	}
	if first, last := rows[1], rows[12]; !(last[1] < first[1]) || !(last[2] < first[2]) {
		t.Errorf("training loss %s, then %s; validation %s, then %s", first[1], last[1], first[2], last[2])
	}
	d := xml.NewDecoder(bytes.NewReader(readFile(t, svgFile)))
	lines := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "polyline" {
			lines++
			if n := len(strings.Fields(e.Attr[0].Value)); n != 12 {
				t.Errorf("a curve of %d points, want 12", n)
			}
		}
	}
	if lines != 2 {
		t.Errorf("%d curves, want 2", lines)
	}
}

// TestNothingMeasured trains without games for validation.
func TestNothingMeasured(t *testing.T) {
	record := writeRecord(t, board.Freestyle, 10, 3)
	dir := t.TempDir()
	out, err := trained(t.Context(), small+"--validation 0 --csv "+filepath.Join(dir, "csv")+" --svg "+filepath.Join(dir, "svg")+" --out "+filepath.Join(dir, "net")+" "+record)
	if err != nil || !strings.Contains(out, "validation n/a; policy n/a") || strings.Contains(out, "NaN") ||
		strings.Contains(string(readFile(t, filepath.Join(dir, "csv"))), "NaN") || strings.Contains(string(readFile(t, filepath.Join(dir, "svg"))), "NaN") {
		t.Errorf("error %v, output\n%s", err, out)
	}
}

// TestCommandErrors refuses what cannot be, before anything is lost.
func TestCommandErrors(t *testing.T) {
	dir := t.TempDir()
	record, renju := writeRecord(t, board.Freestyle, 10, 4), writeRecord(t, board.Renju, 10, 5)
	list, out := filepath.Join(dir, "list"), filepath.Join(dir, "net")
	damaged, torn, state := filepath.Join(dir, "damaged"), filepath.Join(dir, "torn"), filepath.Join(dir, "net2")
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(list, []byte("a shopping list"))
	data := readFile(t, record)
	write(torn, data[:len(data)-9])
	flipped := bytes.Clone(data)
	flipped[len(flipped)/2] ^= 4
	write(damaged, flipped)
	write(state+".state", []byte("a shopping list"))
	for _, tt := range []struct{ args, want string }{
		{record, "missing --out"},
		{"--out " + list + " " + record, "exists and is not a network: choose another name"},
		{"--out " + dir + " " + record, "is not a regular file"},
		{"--out " + out + " --csv " + list + " " + record, "exists and is not a table of losses"},
		{"--out " + out + " --svg " + list + " " + record, "exists and is not a drawing of losses"},
		{"--out " + record + " " + record, "would replace a record"},
		{"--out " + out + " --csv " + record + " " + record, "would replace a record"},
		{"--out " + out + " " + record + " " + record, "is named twice"},
		{"--out " + out + " --csv " + out + " " + record, "net is the name of two outputs"},
		{"--out " + out + " --csv " + out + ".csv --svg " + out + ".csv " + record, "net.csv is the name of two outputs"},
		{"--out " + out + " --csv " + out + ".state " + record, "net.state is the name of two outputs"},
		{"--out " + out + " --csv " + dir + "/none/c.csv " + record, "cannot write " + dir + "/none/c.csv"},
		{"--out " + out + " " + record + " " + renju, "games of renju among games of freestyle"},
		{"--out " + out + " " + damaged, damaged + ": replay: game"},
		{"--out " + out + " " + list, "not a record of games"},
		{"--out " + out + " --channels 12 " + record, "channels must be"},
		{"--out " + out + " --reach 0 " + record, "reach must be"},
		{"--out " + out + " --epochs 0 " + record, "epochs must be 1 to 10000, got 0"},
		{"--out " + out + " --batch 5000 " + record, "fewer than the 5000 of a batch"},
		{"--out " + out + " --rate 0 " + record, "rate must be above 0"},
		{"--out " + out + " --lambda 2 " + record, "lambda must be 0 to 1"},
		{"--out " + out + " --validation 1 " + record, "validation must be at least 0 and below 1"},
		{"--out " + out + " --threads 9 " + record, "threads must be 1 to 4"},
		{small + "--out " + state + " " + record, state + ".state: not the state of a training"},
	} {
		text, err := trained(t.Context(), tt.args)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one that says %s\n%s", tt.args, err, tt.want, text)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("%s: a network was written", tt.args)
		}
	}
	lock, err := jsonl.Acquire(jsonl.LockName(out))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := trained(t.Context(), small+"--out "+out+" "+record); !errors.Is(err, jsonl.ErrLocked) {
		t.Errorf("two trainings of one network: error %v, output\n%s", err, text)
	}
	if err := lock.Abandon(); err != nil {
		t.Fatal(err)
	}
	text, err := trained(t.Context(), small+"--out "+out+" "+torn)
	if err != nil || !strings.HasPrefix(text, torn+": skipped ") {
		t.Errorf("a torn record: error %v, output\n%s", err, text)
	}
	if _, err := os.Stat(out + ".lock"); err == nil {
		t.Error("the lock stays")
	}
}

// writeSum writes a state that was changed, with the right checksum.
func writeSum(t *testing.T, name string, data []byte) {
	t.Helper()
	data = data[:len(data)-crc32.Size]
	if err := os.WriteFile(name, binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestOldState goes on with a state of version 1, of a program that did not save within
// epochs.
func TestOldState(t *testing.T) {
	record := writeRecord(t, board.Freestyle, 20, 6)
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	if _, err := trained(t.Context(), small+"--out "+whole+" "+record); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	args := strings.Fields(small + "--out " + parts + " " + record)
	if err := cli.Execute(ctx, Command(func(board.Rule) *pattern.Tables { return nil }), args, &interrupter{text: "epoch 1 of 3: ", cancel: cancel}); err == nil {
		t.Fatal("not interrupted")
	}
	state := readFile(t, parts+".state")
	at := len(stateMagic)
	size := int(binary.LittleEndian.Uint32(state[at:]))
	text, rest, found := bytes.Cut(state[at+4:][:size], []byte(`,"Sum":{`))
	if !found {
		t.Fatalf("no sums in %s", state[at+4:][:size])
	}
	text = append(bytes.Clone(text), rest[bytes.IndexByte(rest, '}')+1:]...)
	old := append([]byte("kumitrn\x01"), binary.LittleEndian.AppendUint32(nil, uint32(len(text)))...)
	writeSum(t, parts+".state", append(append(old, text...), state[at+4+size:]...))
	out, err := trained(t.Context(), small+"--out "+parts+" "+record)
	if err != nil || !strings.Contains(out, "1 of 3 epochs are done\n") {
		t.Errorf("error %v, output\n%s", err, out)
	}
	if !bytes.Equal(readFile(t, whole), readFile(t, parts)) {
		t.Error("training in parts gives a different network")
	}
}

// TestState refuses the state of a run with other flags or records, and a damaged one,
// whatever bit of it.
func TestState(t *testing.T) {
	record, other := writeRecord(t, board.Freestyle, 20, 6), writeRecord(t, board.Freestyle, 20, 7)
	out := filepath.Join(t.TempDir(), "net")
	ctx, cancel := context.WithCancel(t.Context())
	args := strings.Fields(small + "--out " + out + " " + record)
	if err := cli.Execute(ctx, Command(func(board.Rule) *pattern.Tables { return nil }), args, &interrupter{text: "epoch 1 of 3: ", cancel: cancel}); err == nil {
		t.Fatal("not interrupted")
	}
	state := readFile(t, out+".state")
	for _, tt := range []struct{ args, want string }{
		{small + "--rate 0.003 --out " + out + " " + record, "made with --rate 0.002, not with --rate 0.003; remove it to begin anew"},
		{small + "--out " + out + " " + other, "made with records of hash "},
		{small + "--sides 2 --seed 4 --out " + out + " " + record, "made with --sides 1 --seed 1, not with --sides 2 --seed 4"},
	} {
		if _, err := trained(t.Context(), tt.args); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.args, err, tt.want)
		}
		if !bytes.Equal(readFile(t, out+".state"), state) {
			t.Fatal("the state was changed")
		}
	}
	for _, version := range []byte{0, 3} {
		data := bytes.Clone(state)
		data[len(stateMagic)-1] = version
		writeSum(t, out+".state", data)
		if _, err := trained(t.Context(), small+"--out "+out+" "+record); err == nil || !strings.Contains(err.Error(), "reads versions 1 to 2") {
			t.Errorf("a state of version %d: error %v", version, err)
		}
	}
	rng := rand.New(rand.NewPCG(8, 9))
	for i := range 40 {
		data := bytes.Clone(state)
		if i%2 == 0 {
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		} else {
			data = data[:rng.IntN(len(data))]
		}
		if err := os.WriteFile(out+".state", data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := trained(t.Context(), small+"--out "+out+" "+record); err == nil || !strings.Contains(err.Error(), out+".state: ") {
			t.Errorf("damaged: error %v", err)
		}
	}
}
