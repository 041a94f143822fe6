package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/tournament/config"
)

// testSettings are settings of every method for the hill, and how many pairs
// make a short run.
func testSettings() map[string]*settings {
	all := map[string]*settings{
		"spsa":    {SPSA: &spsaSettings{Pairs: 30, Batch: 4, R: 0.01, Alpha: 0.602, Gamma: 0.101, A: 0.1}},
		"genetic": {Genetic: &geneticSettings{Population: 4, Pairs: 2, Elites: 1, Immigrants: 1, Tournament: 2, Mutation: 0.3, Sigma: 2}},
		"match": {Match: &matchSettings{
			Values: []int{75, 20, 350},
			SPRT:   &config.SPRT{Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: config.Normalized},
		}},
	}
	for name, s := range all {
		s.Version, s.Method, s.Params = version, name, testParams()
		s.Rule, s.Width, s.Height, s.Nodes, s.Seed = "freestyle", 15, 15, 1000, 1
		s.Table, s.Patterns = "table", "patterns"
	}
	return all
}

const testPairs = 64

// playLog plays a short run of the hill with a log.
func playLog(ctx context.Context, name string, s *settings, players int, stdout io.Writer) error {
	if err := s.check(); err != nil {
		return err
	}
	j, records, err := openJournal(name, s)
	if err != nil {
		return err
	}
	m := s.newMethod()
	if err := replay(m, records); err != nil {
		return errors.Join(err, j.close())
	}
	return errors.Join(run(ctx, m, testPairs, testHill.arena(players), j, stdout), j.close())
}

// played returns the log of an uninterrupted run with one player, and what it
// printed last.
func played(t *testing.T, s *settings) (log []byte, result string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "log")
	var out bytes.Buffer
	if err := playLog(t.Context(), name, s, 1, &out); err != nil {
		t.Fatal(err)
	}
	return readFile(t, name), out.String()[strings.Index(out.String(), "\nname ")+1:]
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestResume cuts the log of every method at every record and in the middle of
// one, and continues it with one player and with four: all come out the same.
func TestResume(t *testing.T) {
	for method, s := range testSettings() {
		want, wantResult := played(t, s)
		lines := bytes.SplitAfter(want, []byte("\n"))
		if n := len(lines) - 2; n < 4 {
			t.Errorf("%s: only %d records", method, n)
		}
		name := filepath.Join(t.TempDir(), "log")
		at := 0
		for i := range lines {
			for _, torn := range []int{0, len(lines[i]) / 2, max(0, len(lines[i])-1)} {
				if err := os.WriteFile(name, want[:at+torn], 0o666); err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				if err := playLog(t.Context(), name, s, 1+i%2*3, &out); err != nil {
					t.Fatalf("%s, cut at byte %d: %v", method, at+torn, err)
				}
				if got := readFile(t, name); !bytes.Equal(got, want) {
					t.Errorf("%s, cut at byte %d: the log is\n%s\nwant\n%s", method, at+torn, got, want)
				}
				if !strings.HasSuffix(out.String(), wantResult) {
					t.Errorf("%s, cut at byte %d: the result is\n%s\nwant\n%s", method, at+torn, &out, wantResult)
				}
			}
			at += len(lines[i])
		}
	}
}

// TestInterrupt interrupts a run while games are played.
func TestInterrupt(t *testing.T) {
	s := testSettings()["spsa"]
	want, _ := played(t, s)
	name := filepath.Join(t.TempDir(), "log")
	j, _, err := openJournal(name, s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	games := 0
	a := arena{func(ctx context.Context, p pairing, leg int) (int, error) {
		if games++; games == 21 {
			cancel()
			return 0, ctx.Err()
		}
		return testHill.game(ctx, p, leg)
	}}
	var out bytes.Buffer
	err = run(ctx, s.newMethod(), testPairs, a, j, &out)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(out.String(), "\n"); !strings.HasPrefix(lines[2], "name ") || len(lines) != 7 {
		t.Errorf("two lines of progress and the values should be printed, but not\n%s", &out)
	}
	if got := readFile(t, name); !bytes.HasPrefix(want, got) || bytes.Count(got, []byte("\n")) != 3 {
		t.Errorf("the log is\n%s\nwant the first three lines of\n%s", got, want)
	}
}

// TestExtend asks for more, and then for less, than there is.
func TestExtend(t *testing.T) {
	s := testSettings()["genetic"]
	want, _ := played(t, s)
	name := filepath.Join(t.TempDir(), "log")
	for _, pairs := range []int{8, testPairs, 8} {
		j, records, err := openJournal(name, s)
		if err != nil {
			t.Fatal(err)
		}
		m := s.newMethod()
		err = replay(m, records)
		if err == nil {
			err = run(t.Context(), m, pairs, testHill.arena(1), j, io.Discard)
		}
		if err := errors.Join(err, j.close()); err != nil {
			t.Fatal(err)
		}
	}
	if got := readFile(t, name); !bytes.Equal(got, want) {
		t.Errorf("the log is\n%s\nwant\n%s", got, want)
	}
}

// TestOtherSettings wants the differences by name, and the log untouched.
func TestOtherSettings(t *testing.T) {
	log, _ := played(t, testSettings()["spsa"])
	name := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, append(log, "torn"...), 0o666); err != nil {
		t.Fatal(err)
	}
	other := testSettings()["spsa"]
	other.Nodes = 2000
	other.SPSA.R = 0.02
	other.Params = other.Params[:2]
	tests := []struct {
		s    *settings
		want []string
	}{
		{other, []string{"nodes is 1000, not 2000", "spsa.r is 0.01, not 0.02", "params is another"}},
		{testSettings()["match"], []string{`method is "spsa", not "match"`, "spsa is there", "match is missing"}},
	}
	for _, tt := range tests {
		err := playLog(t.Context(), name, tt.s, 1, io.Discard)
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want one that says %s", err, want)
			}
		}
		if err != nil && strings.Count(err.Error(), "\n") != len(tt.want) {
			t.Errorf("error %v, want %d differences", err, len(tt.want))
		}
	}
	if got := readFile(t, name); !bytes.Equal(got, append(log, "torn"...)) {
		t.Error("a log that was refused is another now")
	}
}

func TestLocked(t *testing.T) {
	s := testSettings()["match"]
	name := filepath.Join(t.TempDir(), "log")
	j, _, err := openJournal(name, s)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := openJournal(name, s); !errors.Is(err, errLocked) {
		t.Errorf("error %v, want %v", err, errLocked)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	if j, _, err = openJournal(name, s); err != nil {
		t.Fatal(err)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
}

func TestParseLogErrors(t *testing.T) {
	const head = `{"tune":{"version":1}}` + "\n"
	tests := []struct{ log, want string }{
		{"{}\n", "line 1: this is no log of tune"},
		{"\n", "line 1: unexpected end"},
		{`{"tune":{"version":2}}` + "\n", "line 1: the log has version 2, not 1"},
		{head + "x\n", "line 2: invalid character"},
		{head + `{"n":2,"scores":[1]}` + "\n", "line 2: record 2, want 1"},
		{head + `{"n":1,"scores":[1]}` + "\n" + `{"n":2,"scores":[0,5]}` + "\n", "line 3: a pair that scored 5 half points"},
		{head + `{"n":1,"scores":[-1]}` + "\n", "line 2: a pair that scored -1 half points"},
	}
	for _, tt := range tests {
		if _, _, _, err := parseLog([]byte(tt.log)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want one that says %s", tt.log, err, tt.want)
		}
	}
}

// TestReplayErrors wants logs refused whose records do not fit their settings.
func TestReplayErrors(t *testing.T) {
	for method, s := range testSettings() {
		log, _ := played(t, s)
		_, records, _, err := parseLog(log)
		if err != nil {
			t.Fatal(err)
		}
		records[2].Scores = records[2].Scores[1:]
		if err := replay(s.newMethod(), records); err == nil || !strings.Contains(err.Error(), "record 3 has the scores of") {
			t.Errorf("%s: error %v, want one about record 3", method, err)
		}
	}
}

// FuzzLog checks that any log is refused or can be shown, and that what is
// read is what an equal log says that was written again.
func FuzzLog(f *testing.F) {
	for method, s := range testSettings() {
		name := filepath.Join(f.TempDir(), method)
		if err := playLog(f.Context(), name, s, 1, io.Discard); err != nil {
			f.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)-5])
	}
	f.Add([]byte(`{"tune":null}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, records, end, err := parseLog(data)
		if err != nil || text == nil {
			return
		}
		if end < len(data) && bytes.IndexByte(data[end:], '\n') >= 0 {
			t.Fatalf("a whole line is left over at byte %d", end)
		}
		var line settingsLine
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		if d := differences(text, text); d != nil {
			t.Errorf("settings differ from themselves: %v", d)
		}
		if line.Settings.check() != nil || len(data) > 1<<16 {
			return
		}
		m := line.Settings.newMethod()
		err = replay(m, records)
		m.writeLine(io.Discard)
		if err := m.writeResult(io.Discard); err != nil {
			t.Error(err)
		}
		again, err2 := json.Marshal(line)
		if err2 != nil {
			t.Fatal(err2)
		}
		again = append(again, '\n')
		for _, r := range records {
			text, err2 := json.Marshal(r)
			if err2 != nil {
				t.Fatal(err2)
			}
			again = append(append(again, text...), '\n')
		}
		_, records2, end2, err2 := parseLog(again)
		if err2 != nil || end2 != len(again) || len(records2) != len(records) {
			t.Fatalf("written again: %d of %d records, error %v", len(records2), len(records), err2)
		}
		m2 := line.Settings.newMethod()
		if err2 := replay(m2, records2); (err == nil) != (err2 == nil) || m.done() != m2.done() {
			t.Errorf("written again: %d pairs, error %v, first %d, %v", m2.done(), err2, m.done(), err)
		}
	})
}
