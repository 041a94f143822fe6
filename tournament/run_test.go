package tournament

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kumiko/tournament/journal"
	"kumiko/tournament/play"
	"kumiko/tournament/report"
)

// book is one of openings for tests.
const book = "h8\nh8i7\nh8i7j9\ng7h8i9\nh9g8f7i8\n"

// runArgs are flags of a tournament of deterministic engines in dir. An engine
// A, B or C in more replaces that of this name.
func runArgs(t *testing.T, dir string, more ...string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "book.pos")
	if err := os.WriteFile(file, []byte(book), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "--out", dir, "--seed=3", "--openings", "order=random transform=random file=" + quoteWord(file)}
	for i, name := range []string{"A", "B", "C"} {
		if slices.ContainsFunc(more, func(s string) bool { return strings.HasPrefix(s, "name="+name+" cmd=") }) {
			continue // another takes its place, behind those that are left
		}
		args = append(args, "--engine", fmt.Sprintf("name=%s tc=0/20 cmd=%s", name, quoteWord(fakeCommand(fmt.Sprintf("salt=%d", i)))))
	}
	return append(args, more...)
}

// twoEngines are flags of a command with two engines.
func twoEngines(args ...string) []string {
	for _, name := range []string{"A", "B"} {
		args = append(args, "--engine", fmt.Sprintf("name=%s tc=0/20 cmd=%s", name, quoteWord(fakeCommand("salt="+name))))
	}
	return args
}

// results returns what the games of a tournament were, in their order.
func results(t *testing.T, dir string) string {
	t.Helper()
	log, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for e := range log.All {
		fmt.Fprintf(&b, "%d: %d-%d opening %d sym %d %s %s %s\n", e.Number, e.Black, e.White, e.Opening, e.Sym, e.Result, e.Reason, e.Moves)
	}
	return b.String()
}

func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := execute(context.Background(), args, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	return out.String()
}

// checkGoroutines fails a test that left some behind. That which starts
// processes is one for all.
func checkGoroutines(t *testing.T) {
	goleak.VerifyNone(t, goleak.IgnoreAnyFunction("kumiko/tournament/process.(*spawner).run"))
}

// TestConcurrency plays the same games one by one and eight at a time.
func TestConcurrency(t *testing.T) {
	defer checkGoroutines(t)
	one, eight := t.TempDir()+"/1", t.TempDir()+"/8"
	mustRun(t, runArgs(t, one, "--rounds=4")...)
	mustRun(t, runArgs(t, eight, "--rounds=4", "--concurrency=8")...)
	a, b := results(t, one), results(t, eight)
	if n := strings.Count(a, "\n"); n != 24 {
		t.Errorf("%d games, want 24", n)
	}
	if a != b {
		t.Errorf("one by one\n%s\neight at a time\n%s", a, b)
	}
}

// TestKillAndResume kills a harness at random moments, and lets it go on,
// until all games are played. They must be the games of an undisturbed run.
func TestKillAndResume(t *testing.T) {
	t.Parallel()
	const rounds = 40
	whole, killed := t.TempDir()+"/whole", t.TempDir()+"/killed"
	mustRun(t, runArgs(t, whole, fmt.Sprint("--rounds=", rounds), "--concurrency=2")...)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := runArgs(t, killed, fmt.Sprint("--rounds=", rounds), "--concurrency=2")
	kills := 0
	for try := range 60 {
		cmd := exec.Command(self, append([]string{"harness"}, args...)...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if try < 15 {
			if try%3 > 0 {
				// Where the machine is slow, it would never get that far.
				awaitRun(t, killed)
			}
			time.Sleep(time.Duration(20+rand.IntN(150)) * time.Millisecond)
			cmd.Process.Kill()
		}
		err := cmd.Wait()
		if _, statErr := os.Stat(filepath.Join(killed, journal.FileName)); statErr != nil {
			os.RemoveAll(killed) // killed before it began
			continue
		}
		if log, readErr := journal.Read(killed); readErr != nil && !strings.Contains(readErr.Error(), "empty") {
			t.Fatalf("after kill %d: %v", kills, readErr)
		} else if readErr != nil || log.Run == nil {
			os.RemoveAll(killed)
			continue
		}
		if err == nil {
			break
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() > 0 {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		kills++
		args = []string{"resume", killed}
	}
	if kills < 3 {
		t.Errorf("it could be killed only %d times", kills)
	}
	t.Logf("killed %d times", kills)
	if a, b := results(t, whole), results(t, killed); a != b {
		t.Errorf("undisturbed\n%s\nkilled %d times\n%s", a, kills, b)
	}
}

// awaitRun waits until the log of a tournament has begun.
func awaitRun(t *testing.T, dir string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if log, err := journal.Read(dir); err == nil && log.Run != nil {
			return
		}
	}
	t.Fatalf("%s: no log within a minute", dir)
}

// playedLog plays a tournament and returns its folder and its log.
func playedLog(t *testing.T) (dir, name string, text []byte) {
	t.Helper()
	dir = t.TempDir() + "/t"
	mustRun(t, runArgs(t, dir, "--rounds=1")...)
	name = filepath.Join(dir, journal.FileName)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return dir, name, text
}

// TestTornLog cuts a log at every byte of its second half: it must be read,
// and end as if the last line had not been written.
func TestTornLog(t *testing.T) {
	dir, name, text := playedLog(t)
	lastLine := bytes.LastIndexByte(text[:len(text)-1], '\n')
	for n := len(text) / 2; n < len(text); n++ {
		// Each cut waits for the disk several times.
		if os.Getenv("KUMIKO_LONG") == "" && n%29 != 0 && (n < lastLine-2 || n > lastLine+2) && n < len(text)-3 {
			continue
		}
		if err := os.WriteFile(name, text[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		w, log, err := journal.Append(dir)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, text[:n]) {
			t.Fatalf("cut at %d: opening the log has changed it (%v)", n, err)
		}
		w.Add(&journal.Warning{Number: 1, Kind: "test", Text: "torn"})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if want := bytes.Count(text[:n], []byte("\n{\"t\":\"end\"")); log.Played != want && log.Played != want-1 {
			t.Fatalf("cut at %d: %d games, want %d or one less", n, log.Played, want)
		}
		got, err := os.ReadFile(name)
		got, line, _ := bytes.Cut(got, []byte(`{"t":"warn`))
		if err != nil || !bytes.HasPrefix(text, got) || got[len(got)-1] != '\n' || !bytes.HasSuffix(line, []byte("}\n")) {
			t.Fatalf("cut at %d: the log ends in %q (%v)", n, got[max(0, len(got)-20):], err)
		}
	}
}

// A writerFunc is a writer.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestInterrupt ends a tournament by its context: the running games end.
func TestInterrupt(t *testing.T) {
	defer checkGoroutines(t)
	dir := t.TempDir() + "/t"
	ctx, cancel := context.WithCancel(context.Background())
	var out bytes.Buffer
	err := execute(ctx, runArgs(t, dir, "--rounds=1000"), writerFunc(func(p []byte) (int, error) {
		if bytes.HasPrefix(p, []byte("Finished game ")) {
			cancel()
		}
		return out.Write(p)
	}))
	var exit *exitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		t.Fatalf("error %v\n%s", err, out.Bytes())
	}
	log, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Voids) > 0 || log.Played == 0 || log.Played == 6000 || len(log.Running) > 0 {
		t.Errorf("%d games, %d void, %d running", log.Played, len(log.Voids), len(log.Running))
	}
}

// TestChanges refuses to go on with what is not the same, and leaves the log as it
// is then, whatever its end.
func TestChanges(t *testing.T) {
	dir := t.TempDir() + "/t"
	mustRun(t, runArgs(t, dir, "--rounds=1")...)
	for _, tt := range []struct {
		flags []string
		want  string // of the error; "" is none
	}{
		{[]string{"--rule=renju"}, "changed since the log was written, so that results would mix: rule"},
		{[]string{"--engine=name=B nodes=5"}, "engine B"},
		{[]string{"--engine=name=D cmd=true"}, "the engines are not those of the log"},
		{[]string{"--seed=9"}, "seed"},
		{[]string{"--engine=name=B nodes=5", "--accept-changed=B"}, ""},
		{[]string{"--rounds=2", "--concurrency=2"}, ""},
		{[]string{"--rounds=1"}, "rounds"},
	} {
		name := filepath.Join(dir, journal.FileName)
		log, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, `{"t":"mov`...)
		if err := os.WriteFile(name, log, 0o666); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = execute(context.Background(), append([]string{"resume", dir}, tt.flags...), &out)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%q: error %v, want %q", tt.flags, err, tt.want)
		}
		after, err := os.ReadFile(name)
		if err != nil || (tt.want == "") == bytes.Equal(after, log) || tt.want == "" && !strings.Contains(out.String(), "9 bytes of an unfinished line") {
			t.Errorf("%q: the log ends in %q, %v; output\n%s", tt.flags, after[max(0, len(after)-20):], err, out.Bytes())
		}
		if tt.want != "" {
			if err := os.WriteFile(name, bytes.TrimSuffix(log, []byte(`{"t":"mov`)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := strings.Count(results(t, dir), "\n"); n != 12 {
		t.Errorf("%d games, want 12", n)
	}
	if err := execute(context.Background(), runArgs(t, dir), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("run in a folder with a tournament: error %v", err)
	}
}

// TestAllChanges names all engines that have changed at once, and how to accept
// them.
func TestAllChanges(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	args := []string{"run", "--rounds=1", "--max-plies=4", "--out=" + log}
	for _, name := range []string{"A", "B b", "C"} {
		script := filepath.Join(dir, "engine-"+name[:1])
		if err := os.WriteFile(script, []byte("#!/bin/sh\nexec "+fakeCommand()+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--engine", "'name="+name+"' tc=0/20 cmd="+script)
	}
	mustRun(t, args...)
	for _, file := range []string{"engine-A", "engine-B"} {
		f, err := os.OpenFile(filepath.Join(dir, file), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(f, "# another")
		f.Close()
	}
	err := execute(context.Background(), []string{"resume", log, "--rounds=2"}, io.Discard)
	if want := "would mix: engine A, engine B b; to resume anyway: --accept-changed A --accept-changed 'B b'"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	mustRun(t, "resume", log, "--rounds=2", "--accept-changed", "A", "--accept-changed", "B b")
	err = execute(context.Background(), []string{"resume", log, "--rounds=1"}, io.Discard)
	if want := "rounds must be at least 2, as many as the log has, got 1; to resume anyway: --accept-changed rounds"; err == nil || err.Error() != want {
		t.Errorf("fewer rounds: error %v, want %s", err, want)
	}
	os.Remove(filepath.Join(dir, "engine-A"))
	os.Remove(filepath.Join(dir, "engine-C"))
	err = execute(context.Background(), []string{"resume", log, "--rounds=3"}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "engine A: ") || !strings.Contains(err.Error(), "engine C: ") {
		t.Errorf("engines that are gone: %v", err)
	}
}

// TestLock refuses a second process.
func TestLock(t *testing.T) {
	dir := t.TempDir() + "/t"
	mustRun(t, runArgs(t, dir, "--rounds=1")...)
	w, _, err := journal.Append(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := execute(context.Background(), []string{"resume", dir}, new(bytes.Buffer)); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("error %v, want %v", err, journal.ErrLocked)
	}
}

// TestDisqualify lets an engine fail until it is thrown out; the others go on.
func TestDisqualify(t *testing.T) {
	dir := t.TempDir() + "/t"
	var out bytes.Buffer
	err := execute(context.Background(), runArgs(t, dir, "--rounds=6", "--max-failures=3",
		"--engine", "name=C cmd="+quoteWord(fakeCommand("move", "panic"))), &out)
	var exit *exitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitDisqualified {
		t.Fatalf("error %v\n%s", err, out.Bytes())
	}
	log, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	crashes, others := 0, 0
	for e := range log.All {
		switch {
		case e.Reason == journal.Crash:
			crashes++
			text, err := os.ReadFile(filepath.Join(dir, e.Transcript))
			if err != nil || !bytes.Contains(text, []byte("out of ideas")) || !strings.Contains(e.Detail, "2") {
				t.Errorf("game %d: %q, transcript %q, %v", e.Number, e.Detail, text, err)
			}
		case e.Black != 2 && e.White != 2:
			others++
		}
	}
	if crashes < 3 || crashes > 4 || others != 12 || log.Disqualified[2] == nil {
		t.Errorf("%d crashes, %d games of the others, disqualified %v", crashes, others, log.Disqualified)
	}
}

// TestUntilError stops when the errors are small enough, and stays there.
func TestUntilError(t *testing.T) {
	dir := t.TempDir() + "/t"
	out := mustRun(t, runArgs(t, dir, "--rounds=200", "--until-error=150", "--rating-interval=30")...)
	log, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if log.Verdict == nil || !strings.Contains(log.Verdict.Why, "all errors are at most") || log.Played < 30 || log.Played > 1100 {
		t.Errorf("%d games, verdict %+v\n%s", log.Played, log.Verdict, out)
	}
	standings, err := report.StandingsOf(report.NewTally(log), report.Options{})
	if err != nil || standings.WorstMargin() > 150 {
		t.Errorf("an error is %.1f, want 150 at most (%v)", standings.WorstMargin(), err)
	}
}

// TestJSONEvents writes a line that says what is played and then the log's lines, and
// nothing else, to standard output.
func TestJSONEvents(t *testing.T) {
	dir := t.TempDir() + "/t"
	name := filepath.Join(dir, journal.FileName)
	written := 0 // bytes of the log with events before
	check := func(first, out string) {
		t.Helper()
		log, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		line, events, _ := strings.Cut(string(log[written:]), "\n") // of a run or resume
		if want := first + events; out != want {
			t.Errorf("events\n%s\nwant\n%s", out, want)
		}
		if play.EventsFile.Match([]byte(line)) || !play.EventsFile.Match([]byte(out)) {
			t.Errorf("the log and its events begin alike: %s, %s", line, first)
		}
		written = len(log)
	}
	what := func(event string, rounds, games, played int) string {
		path, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"t":"%s","events":1,"version":"","log":%s,"engines":["A","B","C"],"rounds":%d,"seed":3,"games":%d,"played":%d}`+"\n",
			event, path, rounds, games, played)
	}
	check(what("run", 1, 6, 0), mustRun(t, runArgs(t, dir, "--rounds=1", "--json-events=-")...))
	check(what("resume", 2, 12, 6), mustRun(t, "resume", dir, "--rounds=2", "--json-events=-"))
	file := filepath.Join(dir, "events")
	for range 2 { // again over our own
		mustRun(t, "resume", dir, "--json-events", file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(what("resume", 2, 12, 12), string(text))
	}
}

// TestSPRT ends a test of engines of which one fails always, and tells by the
// exit code. The verdict is that of pair 38, whatever the number of games at a
// time. No game begins after it, so that beyond pair 38 there are only those that
// ran ahead of a slower one; one at a time, there are none.
func TestSPRT(t *testing.T) {
	for _, concurrency := range []int{1, 4} {
		dir := t.TempDir() + "/t"
		args := []string{"run", "--out", dir, "--rounds=100", "--sprt=elo1=20", "--exit-verdict", "--max-failures=0", fmt.Sprint("--concurrency=", concurrency), "--seed=1",
			"--engine", "name=A cmd=" + quoteWord(fakeCommand("salt=1")),
			"--engine", "name=B cmd=" + quoteWord(fakeCommand("salt=2", "move", "move", "panic"))}
		var out bytes.Buffer
		err := execute(context.Background(), args, &out)
		var exit *exitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitH1 {
			t.Fatalf("error %v\n%s", err, out.Bytes())
		}
		log, err := journal.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if v := log.Verdict; v == nil || v.Accepted != "H1" || v.Pairs != 38 || log.Played < 76 || concurrency == 1 && log.Played > 76 {
			t.Errorf("concurrency %d: %d games, verdict %+v\n%s", concurrency, log.Played, v, out.Bytes())
		}
		text, err := os.ReadFile(filepath.Join(dir, journal.FileName))
		if err != nil {
			t.Fatal(err)
		}
		_, after, ok := strings.Cut(string(text), `{"t":"verdict"`)
		if !ok || strings.Contains(after, `{"t":"start"`) || strings.Count(after, `{"t":"end"`) >= concurrency {
			t.Errorf("concurrency %d: after the verdict the log has %s", concurrency, after)
		}
	}
}
