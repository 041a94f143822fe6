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
	"regexp"
	"slices"
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
	pairs := testPairs
	if s.SPSA != nil {
		pairs = s.SPSA.Pairs
	}
	return errors.Join(run(ctx, m, pairs, testHill.arena(players), j, stdout), j.Close())
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
	err = run(ctx, s.newMethod(), s.SPSA.Pairs, a, j, &out)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	var coded interface{ ExitCode() int }
	if !errors.As(err, &coded) || coded.ExitCode() != 2 || !strings.HasPrefix(err.Error(), "interrupted after 16 of 60 games; the same command goes on") {
		t.Errorf("error %v", err)
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
	for _, tt := range []struct {
		s    *settings
		want string
	}{
		{other, "made with --nodes 1000 --r 0.01 --params LeafNodes=0:1000:50 (default 200), not with --nodes 2000 --r 0.02"},
		{testSettings()["match"], "a log of spsa, not of match"},
	} {
		err := playLog(t.Context(), name, tt.s, 1, io.Discard)
		if want := name + ":1: " + tt.want; err == nil || err.Error() != want {
			t.Errorf("error\n%v\nwant\n%s", err, want)
		}
	}
	if got := golden.Read(t, name); !bytes.Equal(got, append(log, `{"n":`...)) {
		t.Error("a refused log has been changed")
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

// TestDifferences names every setting by its flag.
func TestDifferences(t *testing.T) {
	for method, s := range testSettings() {
		for name, change := range map[string]func(s *settings){
			"--rule freestyle":          func(s *settings) { s.Rule = "renju" },
			"--size 15":                 func(s *settings) { s.Width = 16 },
			"--nodes 1000":              func(s *settings) { s.Nodes++ },
			"--seed 1":                  func(s *settings) { s.Seed++ },
			"--openings random ones":    func(s *settings) { s.Openings = "x" },
			"the engine's parameters":   func(s *settings) { s.Table = "x" },
			"its pattern tables":        func(s *settings) { s.Patterns = "" },
			"--params LMRFactor=30:130": func(s *settings) { s.Params = s.Params[1:] },
			"--params in this order":    func(s *settings) { slices.Reverse(s.Params) },
		} {
			other := *s
			other.Params = slices.Clone(s.Params)
			change(&other)
			if d := differences(s, &other); !strings.HasPrefix(d, "made with "+name) && !(method == "match" && strings.HasPrefix(d, "made with --values")) {
				t.Errorf("%s: %q, want %s", method, d, name)
			}
		}
	}
	for name, change := range map[string]func(s map[string]*settings){
		"--batch 4":      func(s map[string]*settings) { s["spsa"].SPSA.Batch++ },
		"--alpha 0.602":  func(s map[string]*settings) { s["spsa"].SPSA.Alpha++ },
		"--gamma 0.101":  func(s map[string]*settings) { s["spsa"].SPSA.Gamma++ },
		"--A 0.1":        func(s map[string]*settings) { s["spsa"].SPSA.A++ },
		"--population 4": func(s map[string]*settings) { s["genetic"].Genetic.Population++ },
		"--pairs 2":      func(s map[string]*settings) { s["genetic"].Genetic.Pairs++ },
		"--elites 1":     func(s map[string]*settings) { s["genetic"].Genetic.Elites++ },
		"--immigrants 1": func(s map[string]*settings) { s["genetic"].Genetic.Immigrants++ },
		"--tournament 2": func(s map[string]*settings) { s["genetic"].Genetic.Tournament++ },
		"--mutation 0.3": func(s map[string]*settings) { s["genetic"].Genetic.Mutation++ },
		"--sigma 2":      func(s map[string]*settings) { s["genetic"].Genetic.Sigma++ },
		"--elo1 10":      func(s map[string]*settings) { s["match"].Match.SPRT.Elo1++ },
		"--sprt true":    func(s map[string]*settings) { s["match"].Match.SPRT = nil },
		"--values LMRFactor=75,LeafFours=20,LeafNodes=350": func(s map[string]*settings) { s["match"].Match.Values[0]++ },
	} {
		had, other := testSettings(), testSettings()
		change(other)
		found := false
		for method := range had {
			d := differences(had[method], other[method])
			found = found || strings.HasPrefix(d, "made with "+name)
		}
		if !found {
			t.Errorf("%s is not named", name)
		}
	}
	longer := testSettings()["spsa"]
	longer.SPSA.Pairs *= 2
	if d := differences(testSettings()["spsa"], longer); d != "" {
		t.Errorf("the number of pairs: %s", d)
	}
}

// sums are what the version before did not write.
var sums = regexp.MustCompile(`,"sum":"[0-9a-f]{8}"`)

// TestEdited changes each byte of a log, one at a time: all are refused, with
// the line.
func TestEdited(t *testing.T) {
	for method, s := range testSettings() {
		log, _ := played(t, s)
		name := filepath.Join(t.TempDir(), "log")
		lines := bytes.SplitAfter(log, []byte("\n"))
		for i := range lines[:len(lines)-1] {
			for at := 0; at < len(lines[i])-1; at += 1 + len(lines[i])/16 {
				edited := slices.Clone(lines)
				edited[i] = bytes.Clone(lines[i])
				edited[i][at] ^= 1
				refused(t, method, name, edited, i, "")
			}
		}
		edited := slices.Clone(lines)
		edited[2] = sums.ReplaceAll(edited[2], nil)
		refused(t, method, name, edited, 2, "the checksum is missing")
		edited = slices.Delete(slices.Clone(lines), 2, 3)
		refused(t, method, name, edited, 2, "the checksum is wrong")
	}
}

// TestEditedScores changes each score of a log of spsa as the version before
// wrote it, and each state: they contradict each other.
func TestEditedScores(t *testing.T) {
	log, _ := played(t, testSettings()["spsa"])
	name := filepath.Join(t.TempDir(), "log")
	lines := bytes.SplitAfter(sums.ReplaceAll(log, nil), []byte("\n"))
	for i := 1; i < len(lines)-1; i++ {
		edited := slices.Clone(lines)
		for at := bytes.IndexByte(lines[i], '['); lines[i][at] != ']'; at += 2 {
			edited[i] = bytes.Clone(lines[i])
			edited[i][at+1] = '0' + (edited[i][at+1]-'0'+1)%5
			refused(t, "spsa", name, edited, i, "one of them was changed")
		}
		state := bytes.Index(lines[i], []byte(`,"state":`))
		edited[i] = bytes.Clone(lines[i])
		edited[i][state+bytes.IndexAny(lines[i][state:], "0123456789")] ^= 1
		refused(t, "spsa", name, edited, i, "one of them was changed")
		edited[i] = append(bytes.Clone(lines[i][:state]), "}\n"...)
		refused(t, "spsa", name, edited, i, "the state is missing")
	}
}

// refused writes lines to a log and wants it refused for that of an index.
func refused(t *testing.T, method, name string, lines [][]byte, index int, want string) {
	t.Helper()
	if err := os.WriteFile(name, bytes.Join(lines, nil), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := readLog(name)
	prefix := fmt.Sprintf("%s:%d: ", name, index+1)
	if want == "" && err != nil && strings.HasPrefix(err.Error(), fmt.Sprintf("%s:%d: ", name, index+2)) {
		return // settings that may be, or a line that has lost the name of its checksum
	}
	if err == nil || !strings.HasPrefix(err.Error(), prefix) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v for the log\n%s\nwant one of line %d that says %s", method, err, bytes.Join(lines, nil), index+1, want)
	}
}

// TestDamagedEnd flips each bit of the last byte of a log, its line break: that is
// named, while a last line without its line break, or half of one, is read as an
// interrupted write leaves it.
func TestDamagedEnd(t *testing.T) {
	for method, s := range testSettings() {
		log, _ := played(t, s)
		name := filepath.Join(t.TempDir(), "log")
		games := func(data []byte) (int, error) {
			t.Helper()
			if err := os.WriteFile(name, data, 0o666); err != nil {
				t.Fatal(err)
			}
			_, m, err := readLog(name)
			if err != nil {
				return 0, err
			}
			return m.done(), nil
		}
		whole, err := games(log)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := games(log[:len(log)-1]); err != nil || got != whole {
			t.Errorf("%s without its last line break: %d pairs, error %v, want %d", method, got, err, whole)
		}
		if got, err := games(log[:len(log)-2]); err != nil || got >= whole {
			t.Errorf("%s with half a last line: %d pairs, error %v, want fewer than %d", method, got, err, whole)
		}
		where := fmt.Sprintf("%s:%d: the last line is damaged", name, bytes.Count(log, []byte("\n")))
		for bit := range 8 {
			damaged := bytes.Clone(log)
			damaged[len(log)-1] ^= 1 << bit
			if strings.ContainsRune(" \t\r\x00", rune(damaged[len(log)-1])) {
				continue // no damage to the text
			}
			if _, err := games(damaged); err == nil || !strings.HasPrefix(err.Error(), where) {
				t.Errorf("%s with bit %d of its last byte flipped: error %v, want %s", method, bit, err, where)
			}
		}
	}
}

// TestOldLogs reads logs as the version before wrote them and goes on with them.
func TestOldLogs(t *testing.T) {
	for method, s := range testSettings() {
		log, result := played(t, s)
		old := sums.ReplaceAll(log, nil)
		lines := bytes.SplitAfter(old, []byte("\n"))
		name := filepath.Join(t.TempDir(), "log")
		for n := 0; n < len(lines); n += 2 {
			if err := os.WriteFile(name, bytes.Join(lines[:n], nil), 0o666); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := playLog(t.Context(), name, s, 2, &out); err != nil || !strings.HasSuffix(out.String(), result) {
				t.Errorf("%s, %d lines: error %v, output\n%s\nwant\n%s", method, n, err, &out, result)
			}
			if got := sums.ReplaceAll(golden.Read(t, name), nil); !bytes.Equal(got, old) {
				t.Errorf("%s, %d lines: the log is\n%s\nwant\n%s", method, n, got, old)
			}
			if _, _, err := readLog(name); err != nil {
				t.Errorf("%s, %d lines: %v", method, n, err)
			}
		}
		// What was written with a checksum later covers what was not.
		if err := os.WriteFile(name, bytes.Join(lines[:3], nil), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := playLog(t.Context(), name, s, 2, io.Discard); err != nil {
			t.Fatal(err)
		}
		mixed := bytes.Replace(golden.Read(t, name), []byte("[2,"), []byte("[3,"), 1)
		if err := os.WriteFile(name, mixed, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := readLog(name); err == nil {
			t.Errorf("%s: an edited score was not noticed", method)
		}
	}
}

// TestLateMatch reads a log that goes on after its test was decided: a version
// of the program has decided later.
func TestLateMatch(t *testing.T) {
	s := testSettings()["match"]
	s.Match.SPRT.Elo1 = 200
	log, _ := played(t, s)
	var r reader
	for line := range bytes.Lines(log) {
		if err := r.line(bytes.TrimSpace(line)); err != nil {
			t.Fatal(err)
		}
	}
	decided := r.method.(*match).tally
	if !r.method.decided() {
		t.Fatalf("not decided: %v", decided)
	}
	late := record{Number: r.records + 1, Scores: make([]int, matchBatch)}
	text, err := json.Marshal(late)
	if err != nil {
		t.Fatal(err)
	}
	r.summed = false
	if err := r.line(text); err != nil || r.method.(*match).tally != decided {
		t.Errorf("error %v, and the pairs are %v, not %v", err, r.method.(*match).tally, decided)
	}
}

// TestExtendSPSA extends a finished run, in one go and with an interruption at
// every record: the logs are the same, and the run goes on climbing.
func TestExtendSPSA(t *testing.T) {
	s := testSettings()["spsa"]
	short, _ := played(t, s)
	name := filepath.Join(t.TempDir(), "log")
	extend := func(log []byte, pairs int) (string, error) {
		if err := os.WriteFile(name, log, 0o666); err != nil {
			t.Fatal(err)
		}
		want := *s
		longer := *s.SPSA
		longer.Pairs = pairs
		want.SPSA = &longer
		j, m, err := openJournal(name, &want)
		if err != nil {
			return "", err
		}
		var out bytes.Buffer
		err = run(t.Context(), m, pairs, testHill.arena(2), j, &out)
		return out.String(), errors.Join(err, j.Close())
	}
	out, err := extend(short, 80)
	if err != nil || !strings.Contains(out, "160 of 160 games") {
		t.Fatalf("error %v, output\n%s", err, out)
	}
	whole := golden.Read(t, name)
	if !bytes.HasPrefix(whole, short) {
		t.Error("the extended log does not begin with the shorter one")
	}
	for at := range whole {
		if at < len(short) || whole[at] != '\n' {
			continue
		}
		if _, err := extend(whole[:at-1], 80); err != nil || !bytes.Equal(golden.Read(t, name), whole) {
			t.Fatalf("interrupted at byte %d: error %v, log\n%s\nwant\n%s", at, err, golden.Read(t, name), whole)
		}
	}
	if out, err := extend(whole, 60); err != nil || !strings.Contains(out, "already has 160 games, more than the 120 requested") {
		t.Errorf("with fewer pairs: error %v, output\n%s", err, out)
	}
	for _, pairs := range []int{1, 27} {
		if out, err := extend(unfinishedRun(short), pairs); err != nil || !strings.Contains(out, fmt.Sprintf("already has 56 games, more than the %d requested", 2*pairs)) {
			t.Errorf("an unfinished run with %d pairs: error %v, output\n%s", pairs, err, out)
		}
	}
	if out, err := extend(whole, 80); err != nil || !strings.Contains(out, "already has 160 games\n") {
		t.Errorf("with as many: error %v, output\n%s", err, out)
	}
	unfinished := unfinishedRun(short)
	if _, err := extend(unfinished, 80); err == nil || !strings.Contains(err.Error(), "made with --games 60, not with --games 160") || !bytes.Equal(golden.Read(t, name), unfinished) {
		t.Errorf("an unfinished run was extended: %v", err)
	}
	torn := append(unfinished[:len(unfinished):len(unfinished)], `{"n":`...)
	if out, err := extend(torn, 80); err == nil || !bytes.Equal(golden.Read(t, name), torn) || out != "" {
		t.Errorf("a refusal changed the end of the log, error %v, output\n%s", err, out)
	}
	if _, err := extend(append(sums.ReplaceAll(unfinished, nil), `{"n":8,"extend":100}`+"\n"...), 100); err == nil || !strings.Contains(err.Error(), ":9: a run of 30 pairs, with 28 played, cannot be extended") {
		t.Errorf("a log that extends an unfinished run: %v", err)
	}
}

// unfinishedRun returns a log without its last line.
func unfinishedRun(log []byte) []byte {
	return log[:bytes.LastIndexByte(log[:len(log)-1], '\n')+1]
}

// parse reads the lines of a log.
func parseLog(data []byte) (r reader, lines int, err error) {
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		lines++
		if err := r.line(bytes.TrimSpace(line)); err != nil {
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
		{`{"tune":{"version":2}}` + "\n", 1, "a log of version 2; this program reads version 1"},
		{`{"tune":{"version":1,"rule":"go"}}` + "\n", 1, "rule"},
		{head + "x\n", 2, "invalid character"},
		{head + `{"n":2,"scores":[1]}` + "\n", 2, "record 2, want 1"},
		{head + `{"n":1,"scores":[` + scores(1, 16) + `]}` + "\n" + `{"n":2,"scores":[0,5]}` + "\n", 3, "a pair that scored 5 half points"},
		{head + `{"n":1,"scores":[-1]}` + "\n", 2, "a pair that scored -1 half points"},
		{head + `{"n":1,"scores":[` + scores(1, 17) + `]}` + "\n", 2, "the scores of 17 pairs, want 16"},
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
		if d := differences(r.have, r.have); d != "" {
			t.Errorf("settings differ from themselves: %v", d)
		}
		r.method.writeLine(io.Discard)
		if err := r.method.writeResult(io.Discard); err != nil {
			t.Error(err)
		}
		if err != nil && bytes.Contains(data, []byte(`"sum"`)) {
			return // without its checksums it has other errors
		}
		again, err2 := json.Marshal(settingsLine{r.have})
		if err2 != nil {
			t.Fatal(err2)
		}
		again = append(again, sums.ReplaceAll(data[len(first):], nil)...)
		r2, lines2, err2 := parseLog(again)
		if fmt.Sprint(err2) != fmt.Sprint(err) || lines2 != lines || r2.records != r.records || r2.method.done() != r.method.done() {
			t.Fatalf("with the settings written again: %d of %d records, error %v, first %v", r2.records, r.records, err2, err)
		}
	})
}

// TestDamagedSettings changes the settings of a log that has scores: the log is
// damaged, rather than one of other settings.
func TestDamagedSettings(t *testing.T) {
	for method, s := range testSettings() {
		log, _ := played(t, s)
		name := filepath.Join(t.TempDir(), "log")
		broken := bytes.Replace(log, []byte(`"nodes":1000`), []byte(`"nodes":1001`), 1)
		if err := os.WriteFile(name, broken, 0o666); err != nil || bytes.Equal(broken, log) {
			t.Fatal(err)
		}
		_, _, err := openJournal(name, s)
		if _, ok := errors.AsType[*jsonl.Damaged](err); !ok || !strings.Contains(err.Error(), "checksum is wrong") {
			t.Errorf("%s: error %v", method, err)
		}
	}
}
