package watch

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"

	"kumiko/tournament/journal"
)

// A terminal is where a program under test draws.
type terminal struct {
	mu      sync.Mutex
	text    bytes.Buffer
	written chan struct{} // has one element if there is something new
}

func newTerminal() *terminal { return &terminal{written: make(chan struct{}, 1)} }

func (s *terminal) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.written <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

// waitFor waits until a word has been drawn, and forgets what was before it.
func (s *terminal) waitFor(t *testing.T, word string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		s.mu.Lock()
		_, rest, found := strings.Cut(s.text.String(), word)
		if found {
			s.text.Reset()
			s.text.WriteString(rest)
		}
		s.mu.Unlock()
		if found {
			return
		}
		select {
		case <-s.written:
		case <-deadline:
			t.Fatalf("%q does not come", word)
		}
	}
}

// newTournament makes the log of a tournament in a new folder.
func newTournament(t *testing.T) (dir string, w *journal.Writer) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "match")
	w, err := journal.Create(dir, &journal.Run{Version: journal.Version, At: time.Now(), Config: *twoEngines()})
	if err != nil {
		t.Fatal(err)
	}
	return dir, w
}

// pipe returns the ends of a pipe, from which a program reads keys.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// begin starts a program. What it returned comes from the channel.
func begin(ctx context.Context, dir string, keys *os.File, out *terminal) chan error {
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, dir, keys, out, tea.WithWindowSize(100, 40), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	}()
	return done
}

// TestRun follows a tournament through a game, to a key that quits.
func TestRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir, log := newTournament(t)
	in, keys := pipe(t)
	out := newTerminal()
	done := begin(t.Context(), dir, in, out)
	out.waitFor(t, "Alpha")
	log.Add(&journal.Start{Game: gameKey(1), At: time.Now(), Open: "h8"})
	out.waitFor(t, "●")
	log.Add(&journal.Moves{Number: 1, Ply: 1, Moves: "i9", Times: seconds(0.5)})
	out.waitFor(t, "○")
	log.Add(end(1, 1, journal.BlackWins, journal.ScoreLoss))
	out.waitFor(t, "Results")
	if _, err := keys.WriteString("?"); err != nil {
		t.Fatal(err)
	}
	out.waitFor(t, "Keys")
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	keys.Close()
	in.Close()
}

// TestCancel ends a program from outside.
func TestCancel(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir, log := newTournament(t)
	defer log.Close()
	in, keys := pipe(t)
	out := newTerminal()
	ctx, cancel := context.WithCancel(t.Context())
	done := begin(ctx, dir, in, out)
	out.waitFor(t, "Alpha")
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	keys.Close()
	in.Close()
}

func TestNoTournament(t *testing.T) {
	err := run(t.Context(), t.TempDir(), strings.NewReader(""), new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "is not a tournament") {
		t.Errorf("error %v", err)
	}
}

func TestNoTerminal(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir, log := newTournament(t)
	defer log.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := Run(t.Context(), dir, strings.NewReader(""), file); err != errNoTerminal {
		t.Errorf("a file: error %v", err)
	}
	if err := Run(t.Context(), dir, strings.NewReader(""), new(bytes.Buffer)); err != errNoTerminal {
		t.Errorf("a buffer: error %v", err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if err := Run(t.Context(), dir, strings.NewReader(""), null); err != errNoTerminal {
		t.Errorf("%s: error %v", os.DevNull, err)
	}
}
