package play

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kumiko/tournament/config"
	"kumiko/tournament/fakeengine"
	"kumiko/tournament/journal"
	"kumiko/tournament/work"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "echo" { // as main does, to measure the latency
		os.Args = fakeengine.Args("any=line:UNKNOWN")
	}
	fakeengine.Main()
	os.Exit(m.Run())
}

// checkGoroutines fails a test that left some behind. That which starts
// processes is one for all.
func checkGoroutines(t *testing.T) {
	goleak.VerifyNone(t, goleak.IgnoreAnyFunction("kumiko/tournament/process.(*spawner).run"))
}

// settings are those of a tournament between engines that are told these words
// each.
func settings(t *testing.T, engines ...[]string) config.Config {
	t.Helper()
	book := filepath.Join(t.TempDir(), "book.pos")
	if err := os.WriteFile(book, []byte("h8\nh8i7\nh8i7j9\ng7h8i9\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := config.Default()
	c.Openings.File, c.Openings.Type = book, "pos"
	c.Rounds, c.Seed, c.MaxPlies = 4, 1, 40
	for i, words := range engines {
		c.Engines = append(c.Engines, config.Engine{
			Name: string(rune('A' + i)), Args: fakeengine.Args(append([]string{"mover=hash"}, words...)...),
			TC: config.TC{Turn: 20 * time.Second}, Margin: time.Second, Grace: time.Second, Start: 20 * time.Second,
			Restart: config.RestartAuto, Board: config.BoardAuto,
		})
	}
	return c
}

// begin begins a tournament.
func begin(t *testing.T, c config.Config) *Tournament {
	t.Helper()
	tour, err := Begin(t.Context(), c, filepath.Join(t.TempDir(), "t"))
	if err != nil {
		t.Fatal(err)
	}
	return tour
}

// games returns what the games of a tournament were, in their order.
func games(t *testing.T, dir string) string {
	t.Helper()
	log, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for e := range log.All {
		fmt.Fprintf(&b, "%d: %d-%d opening %d %s %s %s\n", e.Number, e.Black, e.White, e.Opening, e.Result, e.Reason, e.Moves)
	}
	return b.String()
}

// A wire sends what it is given as JSON and returns what comes out of that at
// the other end.
func wire[T any](t *testing.T, v T) T {
	data, err := json.Marshal(v)
	if err != nil {
		t.Error(err)
	}
	back := reflect.New(reflect.TypeOf(v))
	if err := json.Unmarshal(data, back.Interface()); err != nil {
		t.Error(err)
	}
	got := back.Elem().Interface().(T)
	if again, err := json.Marshal(got); err != nil || !bytes.Equal(again, data) {
		t.Errorf("%s\nbecomes %s, %v", data, again, err)
	}
	return got
}

// A remote is a worker on another machine: its jobs and events are text.
type remote struct {
	t *testing.T
	worker
}

func (r *remote) Do(ctx context.Context, job Job) error { return r.worker.Do(ctx, wire(r.t, job)) }

// TestPlainData plays with workers that share nothing with the coordinator but
// text: the games are the same.
func TestPlainData(t *testing.T) {
	defer checkGoroutines(t)
	cfg := settings(t, []string{"salt=1", "info=line:OK"}, []string{"salt=2"}, []string{"salt=3"})
	cfg.Swap2 = false
	cfg.Engines[0].Info, cfg.Engines[0].Env = map[string]string{"a": "b"}, map[string]string{"X": "1"}
	cfg.Transcripts = config.TranscriptsAll
	near := begin(t, cfg)
	if err := near.Play(t.Context(), View{Out: io.Discard}); err != nil {
		t.Fatal(err)
	}
	far := begin(t, cfg)
	c := newCoordinator(far, 2)
	pool := work.NewPool(2, func(i int, emit func(Event)) work.Worker[Job] {
		w := newWorker(i, false, func(e Event) { emit(wireEvent(t, e)) })
		return &remote{t, *w}
	})
	if err := pool.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := far.log.Close(); err != nil {
		t.Fatal(err)
	}
	if a, b := games(t, near.dir), games(t, far.dir); a != b || strings.Count(a, "\n") != 24 {
		t.Errorf("workers of this process:\n%s\nof others:\n%s", a, b)
	}
	list, err := os.ReadDir(filepath.Join(far.dir, "transcripts"))
	if err != nil || len(list) != 24 {
		t.Errorf("%d transcripts, %v", len(list), err)
	}
}

// wireEvent sends an event as JSON.
func wireEvent(t *testing.T, e Event) Event {
	switch e := e.(type) {
	case *Started:
		return wire(t, e)
	case *Moved:
		return wire(t, e)
	case *Ended:
		return wire(t, e)
	case *Voided:
		return wire(t, e)
	case *Warned:
		return wire(t, e)
	}
	t.Errorf("unknown event %T", e)
	return e
}

// TestDisqualified begins no game of an engine after it was disqualified, not
// even the second of a pair, and the log says so.
func TestDisqualified(t *testing.T) {
	for _, concurrency := range []int{1, 4} {
		cfg := settings(t, []string{"salt=1"}, []string{"salt=2"}, []string{"panic"})
		cfg.Concurrency, cfg.MaxFailures = concurrency, config.Failures{N: 3}
		tour := begin(t, cfg)
		var out bytes.Buffer
		if err := tour.Play(t.Context(), View{Out: &out}); err != ErrDisqualified {
			t.Fatalf("error %v, want %v\n%s", err, ErrDisqualified, out.Bytes())
		}
		text, err := os.ReadFile(filepath.Join(tour.dir, journal.FileName))
		if err != nil {
			t.Fatal(err)
		}
		_, after, found := strings.Cut(string(text), `{"t":"disqualify","eng":2,`)
		if !found {
			t.Fatalf("nobody is disqualified in\n%s", text)
		}
		for line := range strings.Lines(after) {
			if strings.HasPrefix(line, `{"t":"start"`) && (strings.Contains(line, `"b":2`) || strings.Contains(line, `"w":2`)) {
				t.Errorf("concurrency %d: a game begins after that: %s", concurrency, line)
			}
		}
		_, after, _ = strings.Cut(out.String(), "Disqualified: C ")
		if regexp.MustCompile(`Started game \d+ of \d+ \((C vs .|. vs C)\)`).MatchString(after) {
			t.Errorf("concurrency %d: the console tells of a game after that:\n%s", concurrency, after)
		}
		if n := strings.Count(games(t, tour.dir), " five "); n < 1 {
			t.Errorf("concurrency %d: %d games of the others", concurrency, n)
		}
	}
}

// TestRepeats notices at once that games are the same.
func TestRepeats(t *testing.T) {
	cfg := settings(t, []string{"salt=1"}, []string{"salt=2"})
	cfg.Openings.File = config.NoBook
	tour := begin(t, cfg)
	var out bytes.Buffer
	if err := tour.Play(t.Context(), View{Out: &out}); err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(out.String()))
	at := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, "game 3 repeats game 1 move by move") })
	if at < 1 || !strings.HasPrefix(lines[at-1], "Finished game 3 ") || strings.Count(out.String(), "repeats game") != 1 {
		t.Errorf("no warning at once in\n%s", out.Bytes())
	}
}

// TestDisqualifiedStays resumes a tournament with an engine that was
// disqualified: it plays no more, unless it has changed and that is accepted.
func TestDisqualifiedStays(t *testing.T) {
	cfg := settings(t, []string{"salt=1"}, []string{"salt=2"}, []string{"panic"})
	cfg.MaxFailures = config.Failures{N: 3}
	tour := begin(t, cfg)
	if err := tour.Play(t.Context(), View{Out: io.Discard}); err != ErrDisqualified {
		t.Fatal(err)
	}
	resumed := func(change func(c *config.Config), accepted ...string) (failures int, err error) {
		again, err := Resume(tour.dir, func(old *config.Config) (config.Config, error) {
			c := *old
			c.Engines = slices.Clone(c.Engines)
			change(&c)
			return c, nil
		}, accepted)
		if err != nil {
			t.Fatal(err)
		}
		err = again.Play(t.Context(), View{Out: io.Discard})
		return strings.Count(games(t, tour.dir), "crash"), err
	}
	if n, err := resumed(func(c *config.Config) { c.Rounds++ }); n != 3 || err != ErrDisqualified {
		t.Errorf("resumed: %d crashes, %v", n, err)
	}
	if n, err := resumed(func(c *config.Config) { c.MaxFailures.N = 5 }); n != 5 || err != ErrDisqualified {
		t.Errorf("with more failures allowed: %d crashes, %v", n, err)
	}
	n, err := resumed(func(c *config.Config) { c.Engines[2].Args = fakeengine.Args("mover=hash") }, "C")
	if n != 5 || err != nil {
		t.Errorf("repaired: %d crashes, %v", n, err)
	}
	if n := strings.Count(games(t, tour.dir), "\n"); n != 30 {
		t.Errorf("%d games, want 30", n)
	}
}

// TestResources plays at most so many games at a time as there are resources for.
func TestResources(t *testing.T) {
	cfg := settings(t, []string{"salt=1", "then=sleep:1ms&move"}, []string{"salt=2"}, []string{"salt=3"})
	cfg.Concurrency = 4
	cfg.Uses = []config.Resource{{Name: "gpu", Count: 3}}
	cfg.Engines[0].Uses = []config.Resource{{Name: "gpu", Count: 2}}
	cfg.Engines[1].Uses = []config.Resource{{Name: "gpu", Count: 1}}
	tour := begin(t, cfg)
	if err := tour.Play(t.Context(), View{Out: io.Discard}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(tour.dir, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	used, most, ended := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		n := 0
		for engine, count := range []int{2, 1, 0} {
			if strings.Contains(line, fmt.Sprintf(`"b":%d,`, engine)) || strings.Contains(line, fmt.Sprintf(`"w":%d,`, engine)) {
				n += count
			}
		}
		switch {
		case strings.HasPrefix(line, `{"t":"start"`):
			used += n
			most = max(most, used)
		case strings.HasPrefix(line, `{"t":"end"`):
			used -= n
			ended++
		}
	}
	if used != 0 || most != 3 || ended != 24 {
		t.Errorf("%d games, at most %d of 3 in use, %d in the end", ended, most, used)
	}
}

// TestWarnings are shown line by line.
func TestWarnings(t *testing.T) {
	cfg := settings(t, nil, []string{"salt=2"})
	if err := os.WriteFile(cfg.Openings.File, []byte("h8\nh8h8\nz99\x1b[31m\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg.Rounds = 1
	var out bytes.Buffer
	if err := begin(t, cfg).Play(t.Context(), View{Out: &out}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if !strings.HasPrefix(lines[0], "Warning: ") || !strings.HasPrefix(lines[1], "  book.pos:2: ") || !strings.HasPrefix(lines[2], "  book.pos:3: ") || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%s", out.Bytes())
	}
}
