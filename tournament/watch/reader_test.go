package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/telemetry"
)

// lines writes events as lines of a log.
func lines(t testing.TB, events ...journal.Event) string {
	t.Helper()
	var data []byte
	for _, e := range events {
		var err error
		if data, err = journal.AppendEvent(data, e); err != nil {
			t.Fatal(err)
		}
	}
	return string(data)
}

// A logFile is a log that a test writes.
type logFile struct {
	t    *testing.T
	name string
	now  time.Time
	r    reader
}

func newLogFile(t *testing.T, text string) *logFile {
	t.Helper()
	dir := t.TempDir()
	f := &logFile{t: t, name: filepath.Join(dir, journal.FileName), now: start, r: reader{path: dir}}
	f.write(text)
	if err := f.r.open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.r.close() })
	return f
}

// write appends text.
func (f *logFile) write(text string) {
	f.t.Helper()
	file, err := os.OpenFile(f.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		f.t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(text); err != nil {
		f.t.Fatal(err)
	}
}

// poll polls some time later.
func (f *logFile) poll(later time.Duration) *snapshot {
	f.now = f.now.Add(later)
	return f.r.poll(f.now)
}

// testRun begins a log.
func testRun() *journal.Run {
	return &journal.Run{Version: journal.Version, At: start, Config: *twoEngines()}
}

// begins is the start of a game.
func begins(number, worker int) *journal.Start {
	return &journal.Start{Game: gameKey(number), At: start, Worker: worker, Open: "h8"}
}

// numbers are those of the games that are shown; a game that has ended is
// negative.
func numbers(s *snapshot) string {
	var list []int
	for _, g := range s.games {
		if g.result != "" {
			g.number = -g.number
		}
		list = append(list, g.number)
	}
	return fmt.Sprint(list)
}

// TestPlaces follows games that begin and end.
func TestPlaces(t *testing.T) {
	f := newLogFile(t, lines(t, testRun()))
	drawn := journal.ScoreDraw
	for i, step := range []struct {
		later  time.Duration
		events []journal.Event
		want   string
	}{
		{0, nil, "[]"},
		{0, []journal.Event{begins(2, 1), begins(1, 0)}, "[1 2]"},
		{0, []journal.Event{begins(3, 2)}, "[1 2 3]"},
		{0, []journal.Event{end(1, 1, journal.Draw, drawn)}, "[-1 2 3]"},              // it keeps its place
		{time.Second, []journal.Event{begins(4, 0)}, "[4 2 3]"},                       // until another takes it
		{0, []journal.Event{end(2, 1, journal.Draw, drawn), begins(5, 1)}, "[4 5 3]"}, // even at once
		{0, []journal.Event{end(3, 1, journal.Draw, drawn)}, "[4 5 -3]"},
		{linger + 1, nil, "[4 5]"},                                       // or nobody does
		{0, []journal.Event{&journal.Void{Number: 5, At: start}}, "[4]"}, // given up
		{0, []journal.Event{end(4, 1, journal.Draw, drawn)}, "[-4]"},
		{time.Hour, nil, "[-4]"}, // there is nothing else to show
		{0, []journal.Event{begins(5, 1)}, "[5]"},
		{0, []journal.Event{&journal.Resume{At: start, Config: *twoEngines()}}, "[-4]"}, // a crash: game 5 was lost
	} {
		f.write(lines(t, step.events...))
		s := f.poll(step.later)
		if got := numbers(s); got != step.want || s.problem != "" {
			t.Errorf("step %d: games %v, want %v; problem %q", i, got, step.want, s.problem)
		}
	}
}

// TestFinished opens a tournament that is over: its last game is shown.
func TestFinished(t *testing.T) {
	run := testRun()
	run.Config.Rounds = 1
	f := newLogFile(t, lines(t, run, end(1, 20, journal.Draw, journal.ScoreDraw), end(2, 10, journal.Draw, journal.ScoreDraw)))
	s := f.poll(0)
	if !s.finished || s.going != 0 || numbers(s) != "[-1]" {
		t.Errorf("snapshot %+v", s)
	}
}

// TestSince measures a move from when the one before it was seen.
func TestSince(t *testing.T) {
	f := newLogFile(t, lines(t, testRun(), begins(1, 0), &journal.Ready{Number: 1, At: start}))
	f.poll(0)
	if s := f.poll(3 * time.Second); s.games[0].spent(s.at) != 3*time.Second {
		t.Errorf("spent %v", s.games[0].spent(s.at))
	}
	f.write(lines(t, &journal.Moves{Number: 1, Ply: 1, Moves: "i9", Times: seconds(3)}))
	if s := f.poll(time.Second); s.games[0].spent(s.at) != 0 || s.games[0].players[1].used != 3*time.Second {
		t.Errorf("after a move: spent %v, used %v", s.games[0].spent(s.at), s.games[0].players[1].used)
	}
	if s := f.poll(time.Second); s.games[0].spent(s.at) != time.Second {
		t.Errorf("spent %v", s.games[0].spent(s.at))
	}
}

// TestUnfinishedLine reads a line that is written in parts.
func TestUnfinishedLine(t *testing.T) {
	f := newLogFile(t, "")
	if s := f.poll(0); s.summary != nil || s.problem != "" {
		t.Errorf("an empty log: %+v", s)
	}
	text := lines(t, testRun(), begins(1, 0))
	for i := range len(text) {
		f.write(text[i : i+1])
		s := f.poll(0)
		if s.problem != "" {
			t.Fatalf("after %d bytes: %s", i+1, s.problem)
		}
		if len(s.games) > 0 && i < len(text)-1 {
			t.Fatalf("after %d bytes there is a game", i+1)
		}
	}
	if s := f.poll(0); numbers(s) != "[1]" {
		t.Errorf("games %s", numbers(s))
	}
}

// TestCutLine follows a log of which an unfinished line is cut off, as when a
// tournament goes on after a crash.
func TestCutLine(t *testing.T) {
	whole := lines(t, testRun(), begins(1, 0))
	f := newLogFile(t, whole+`{"t":"end","g":1,"res`)
	f.poll(0)
	if err := os.Truncate(f.name, int64(len(whole))); err != nil {
		t.Fatal(err)
	}
	if s := f.poll(0); s.problem != "" || numbers(s) != "[1]" {
		t.Errorf("problem %q, games %v", s.problem, numbers(s))
	}
	f.write(lines(t, &journal.Resume{At: at(1), Config: *twoEngines()}, begins(2, 0)))
	if s := f.poll(0); s.problem != "" || numbers(s) != "[2]" {
		t.Errorf("problem %q, games %v", s.problem, numbers(s))
	}
}

// TestBadLine shows what there is before a line that cannot be, and that line's
// number. Should the log be mended it goes on.
func TestBadLine(t *testing.T) {
	before, after := lines(t, testRun(), begins(1, 0)), lines(t, begins(2, 1))
	f := newLogFile(t, before+"\x1b[2J damaged\n"+after)
	s := f.poll(0)
	if !strings.Contains(s.problem, ":3: ") || strings.Contains(s.problem, "\x1b") || numbers(s) != "[1]" {
		t.Errorf("problem %q, games %v", s.problem, numbers(s))
	}
	if again := f.poll(retryDelay - 1); again.problem != s.problem {
		t.Errorf("problem %q", again.problem)
	}
	if err := os.WriteFile(f.name, []byte(before+after+strings.Repeat("\n", 100)), 0o666); err != nil {
		t.Fatal(err)
	}
	if s := f.poll(retryDelay); s.problem != "" || numbers(s) != "[1 2]" {
		t.Errorf("problem %q, games %v", s.problem, numbers(s))
	}
}

// TestGone goes on to show a tournament whose folder vanishes, and then
// another that takes its place.
func TestGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file keeps its name")
	}
	f := newLogFile(t, lines(t, testRun(), begins(1, 0)))
	f.poll(0)
	if err := os.Rename(f.name, f.name+".old"); err != nil {
		t.Fatal(err)
	}
	if s := f.poll(0); !strings.HasPrefix(s.problem, "the log is gone") || numbers(s) != "[1]" {
		t.Errorf("problem %q, games %v", s.problem, numbers(s))
	}
	f.write(lines(t, testRun(), begins(7, 0)))
	if s := f.poll(0); s.problem != "" || numbers(s) != "[7]" {
		t.Errorf("problem %q, games %v", s.problem, numbers(s))
	}
}

// TestIdle makes a summary again only if there is something new.
func TestIdle(t *testing.T) {
	f := newLogFile(t, lines(t, testRun(), end(1, 1, journal.Draw, journal.ScoreDraw)))
	first := f.poll(time.Hour).summary
	f.write(lines(t, begins(2, 0)))
	if s := f.poll(time.Hour); s.summary != first {
		t.Error("a game that begins makes a new summary")
	}
	f.write(lines(t, end(2, 1, journal.Draw, journal.ScoreDraw)))
	if s := f.poll(time.Hour); s.summary == first || s.summary.played != 2 {
		t.Error("a game that ends does not make a new summary")
	}
}

// fullLog has an event of every kind.
func fullLog(t testing.TB) string {
	run := testRun()
	run.Config.SPRT = &config.SPRT{Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: config.Normalized}
	return lines(t, run, begins(1, 0), &journal.Moves{Number: 1, Ply: 1, Moves: "i9j10", Times: seconds(1, 2),
		Info: []*telemetry.Info{{Depth: 9, SelDepth: 12, Nodes: 1000, Speed: 500, Score: "35"}}},
		end(2, 3, journal.WhiteWins, journal.Crash), &journal.Void{Number: 3}, &journal.Warning{Engine: 1, Number: 2},
		end(3, 5, journal.Draw, journal.ScoreDraw), end(4, 5, journal.BlackWins, journal.ScoreLoss),
		&journal.Disqualify{Engine: 1}, &journal.Resume{At: at(9), Config: run.Config}, begins(6, 2), &journal.Verdict{Accepted: "H1"})
}

// TestDamagedNumbers shows logs in which one number is not what it was.
func TestDamagedNumbers(t *testing.T) {
	text := fullLog(t)
	for _, at := range regexp.MustCompile(`-?[0-9]+`).FindAllStringIndex(text, -1) {
		for _, number := range []string{"-1", "0", "99", "9223372036854775807"} {
			checkLog(t, text[:at[0]]+number+text[at[1]:])
		}
	}
}

// checkLog shows a log.
func checkLog(t *testing.T, text string) {
	log := newLogFile(t, text)
	s := state{snapshot: log.poll(0), theme: newTheme(true, true)}
	checkScreen(t, text, view(s, 100, 30), 100, 30)
}

// FuzzLog shows whatever a log may be.
func FuzzLog(f *testing.F) {
	text := fullLog(f)
	f.Add(text)
	f.Add(text[:len(text)-9])
	f.Add(strings.ReplaceAll(text, "15", "-1"))
	f.Fuzz(checkLog)
}

// TestPlaying tells a tournament that is played from one that is not by its
// lock, whatever the log looks like.
func TestPlaying(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "t")
	cfg := config.Default()
	cfg.Engines, cfg.Rounds = []config.Engine{{Name: "Alpha"}, {Name: "Beta"}}, 5
	w, err := journal.Create(dir, &journal.Run{Version: journal.Version, ID: "x", At: time.Now(), Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	w.Add(&journal.Start{Game: journal.Game{Number: 1, White: 1}, At: time.Now()})
	r := reader{path: dir}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	now := time.Now()
	status := func(after time.Duration) string {
		now = now.Add(after)
		s := state{snapshot: r.poll(now), theme: newTheme(true, false)}
		text, _ := s.status()
		return text
	}
	for range 100 {
		if status(time.Second) == "1 running" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := status(time.Second); got != "1 running" {
		t.Errorf("while it is played: %q", got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := status(2 * time.Second); got != "interrupted" {
		t.Errorf("when its process is gone: %q", got)
	}
	if title := r.poll(now).games[0].title(60, newTheme(true, false), now); !strings.Contains(title, "to be played again") {
		t.Errorf("a game that is lost: %q", title)
	}
	if w, _, err = journal.Append(dir); err != nil {
		t.Fatal(err)
	}
	if got := status(2 * time.Second); got != "1 running" {
		t.Errorf("when it goes on: %q", got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestStarting counts no start-up as thinking.
func TestStarting(t *testing.T) {
	run := &journal.Run{Version: journal.Version, Config: *twoEngines()}
	f := newLogFile(t, lines(t, run, &journal.Start{Game: journal.Game{Number: 1, White: 1}, At: f0}))
	f.r.playing, f.r.looked = true, f0.Add(time.Hour) // as if it were
	look := func(seconds float64) (game, string) {
		f.t.Helper()
		now := f0.Add(time.Duration(seconds * float64(time.Second)))
		s := f.r.poll(now)
		if len(s.games) != 1 {
			t.Fatalf("%d games", len(s.games))
		}
		return s.games[0], s.games[0].title(60, newTheme(true, false), now)
	}
	if g, title := look(7); g.spent(f0.Add(7*time.Second)) != 0 || !strings.Contains(title, "starting") {
		t.Errorf("engines that start: %v, %q", g.spent(f0.Add(7*time.Second)), title)
	}
	f.write(lines(t, &journal.Ready{Number: 1, At: f0.Add(8 * time.Second)}))
	if g, title := look(9.5); g.spent(f0.Add(9500*time.Millisecond)) != 1500*time.Millisecond || !strings.Contains(title, "move 1  1.5") {
		t.Errorf("engines that have started: %v, %q", g.spent(f0.Add(9500*time.Millisecond)), title)
	}
	f.write(lines(t, &journal.Moves{Number: 1, Moves: "h8", Times: []journal.Micros{2}}))
	if _, title := look(12); !strings.Contains(title, "move 2  0.0") {
		t.Errorf("after a move: %q", title)
	}
	if _, title := look(13); !strings.Contains(title, "move 2  1.0") {
		t.Errorf("a second later: %q", title)
	}
}

// f0 is when a game begins.
var f0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
