package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/protocol/cli/golden"
	"kumiko/tournament/config"
	"kumiko/tournament/jsonl"
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
	j, m, err := openJournal(name, s)
	if err != nil {
		return err
	}
	return errors.Join(run(ctx, m, testPairs, testHill.arena(players), j, stdout), j.Close())
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
	return golden.Read(t, name), out.String()[strings.Index(out.String(), "\nname ")+1:]
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
				if got := golden.Read(t, name); !bytes.Equal(got, want) {
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
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(out.String(), "\n"); !strings.HasPrefix(lines[2], "name ") || len(lines) != 7 {
		t.Errorf("two lines of progress and the values should be printed, but not\n%s", &out)
	}
	if got := golden.Read(t, name); !bytes.HasPrefix(want, got) || bytes.Count(got, []byte("\n")) != 3 {
		t.Errorf("the log is\n%s\nwant the first three lines of\n%s", got, want)
	}
}

// TestExtend asks for more, and then for less, than there is.
func TestExtend(t *testing.T) {
	s := testSettings()["genetic"]
	want, _ := played(t, s)
	name := filepath.Join(t.TempDir(), "log")
	for _, pairs := range []int{8, testPairs, 8} {
		j, m, err := openJournal(name, s)
		if err != nil {
			t.Fatal(err)
		}
		err = run(t.Context(), m, pairs, testHill.arena(1), j, io.Discard)
		if err := errors.Join(err, j.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if got := golden.Read(t, name); !bytes.Equal(got, want) {
		t.Errorf("the log is\n%s\nwant\n%s", got, want)
	}
}

// TestOtherSettings wants the differences by name, and the log untouched.
func TestOtherSettings(t *testing.T) {
	log, _ := played(t, testSettings()["spsa"])
	name := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, append(log, `{"n":`...), 0o666); err != nil {
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
	if got := golden.Read(t, name); !bytes.Equal(got, append(log, `{"n":`...)) {
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
	if _, _, err := openJournal(name, s); !errors.Is(err, jsonl.ErrLocked) {
		t.Errorf("error %v, want %v", err, jsonl.ErrLocked)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, _, err = openJournal(name, s); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// parse reads the lines of a log.
func parseLog(data []byte) (r reader, lines int, err error) {
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		lines++
		if err := r.line(line); err != nil {
			return r, lines, err
		}
	}
	return r, lines, nil
}

func TestLogErrors(t *testing.T) {
	log, _ := played(t, testSettings()["match"])
	head, _, _ := strings.Cut(string(log), "\n")
	head += "\n"
	scores := func(first, n int) string { return strings.TrimSuffix(strings.Repeat(fmt.Sprint(first, ","), n), ",") }
	tests := []struct {
		log  string
		line int
		want string
	}{
		{"{}\n", 1, "not a log of tune"},
		{`{"tune":{"version":2}}` + "\n", 1, "the log has version 2, not 1"},
		{`{"tune":{"version":1,"rule":"go"}}` + "\n", 1, "rule"},
		{head + "x\n", 2, "invalid character"},
		{head + `{"n":2,"scores":[1]}` + "\n", 2, "record 2, want 1"},
		{head + `{"n":1,"scores":[` + scores(1, 16) + `]}` + "\n" + `{"n":2,"scores":[0,5]}` + "\n", 3, "a pair that scored 5 half points"},
		{head + `{"n":1,"scores":[-1]}` + "\n", 2, "a pair that scored -1 half points"},
		{head + `{"n":1,"scores":[` + scores(1, 15) + `]}` + "\n", 2, "the scores of 15 pairs, want 16"},
	}
	for _, tt := range tests {
		name := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(name, []byte(tt.log), 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, err := readLog(name)
		if want := fmt.Sprintf("%s:%d: ", name, tt.line); err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want one of line %d that says %s", tt.log, err, tt.line, tt.want)
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
		if len(data) > 1<<16 {
			return
		}
		r, lines, err := parseLog(data)
		if r.have == nil {
			return
		}
		first, _, _ := bytes.Cut(data, []byte("\n"))
		if d := differences(first, first); d != nil {
			t.Errorf("settings differ from themselves: %v", d)
		}
		r.method.writeLine(io.Discard)
		if err := r.method.writeResult(io.Discard); err != nil {
			t.Error(err)
		}
		again, err2 := json.Marshal(settingsLine{r.have})
		if err2 != nil {
			t.Fatal(err2)
		}
		again = append(again, data[len(first):]...)
		r2, lines2, err2 := parseLog(again)
		if fmt.Sprint(err2) != fmt.Sprint(err) || lines2 != lines || r2.records != r.records || r2.method.done() != r.method.done() {
			t.Fatalf("with the settings written again: %d of %d records, error %v, first %v", r2.records, r.records, err2, err)
		}
	})
}
