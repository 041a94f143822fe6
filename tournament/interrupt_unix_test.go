//go:build unix

package tournament

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kumiko/tournament/journal"
)

// A printout takes what another process prints.
type printout struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *printout) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(text)
}

func (p *printout) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// startSlow starts a harness of which two games run, and returns it with what
// it writes.
func startSlow(t *testing.T, dir, think string) (*exec.Cmd, *printout) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	slow := []string{"--each=tc=0/100", "--rounds=3", "--concurrency=2", "--max-plies=5"}
	for _, name := range []string{"A", "B", "C"} {
		slow = append(slow, "--engine", "name="+name+" cmd="+quoteWord(fakeCommand("then=sleep:"+think+"&move", "mark="+dir)))
	}
	cmd := exec.Command(self, append([]string{"harness"}, runArgs(t, dir, slow...)...)...)
	out := new(printout)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool {
		log, err := journal.Read(dir)
		return err == nil && len(log.Running) == 2
	})
	return cmd, out
}

// endSlow waits for an interrupted harness and returns its log.
func endSlow(t *testing.T, cmd *exec.Cmd, out *printout, dir string) *journal.Log {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(out.String(), "interrupted; continue with: tournament resume") {
		t.Errorf("error %v\n%s", err, out)
	}
	left, err := exec.Command("pgrep", "-f", "mark="+dir).Output()
	if err == nil {
		t.Errorf("engines are left: %s", left)
	}
	log, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// TestFirstInterrupt lets the running games end, and begins no others. The
// interrupt comes twice to the program, by its context and by itself.
func TestFirstInterrupt(t *testing.T) {
	t.Parallel()
	for range 5 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "t")
			cmd, out := startSlow(t, dir, "200ms")
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			log := endSlow(t, cmd, out, dir)
			if len(log.Voids) != 0 || len(log.Running) != 0 || log.Played != 2 {
				t.Errorf("%d void games, %d running, %d played\n%s", len(log.Voids), len(log.Running), log.Played, out)
			}
		})
	}
}

// TestSecondInterrupt aborts running games, which are then played again.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "t")
	cmd, out := startSlow(t, dir, "1h")
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		// Signals of a kind do not queue.
		waitFor(t, func() bool { return strings.Contains(out.String(), "Interrupted: ") })
	}
	log := endSlow(t, cmd, out, dir)
	if len(log.Voids) != 2 || len(log.Running) != 0 || log.Played != 0 {
		t.Errorf("%d void games, %d running, %d played\n%s", len(log.Voids), len(log.Running), log.Played, out)
	}
}

// waitFor waits for a condition that another process makes.
func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it takes too long")
		}
	}
}

// TestClosedOutput reads one line of the output and goes away: the tournament
// is played to its end.
func TestClosedOutput(t *testing.T) {
	for _, more := range [][]string{nil, {"--json-events=-"}} {
		dir := filepath.Join(t.TempDir(), "t")
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, append(append([]string{"harness"}, twoEngines("run", "--rounds=10", "--out="+dir)...), more...)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		out.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v\n%s", more, err, stderr.Bytes())
		}
		if n := strings.Count(results(t, dir), "\n"); n != 20 {
			t.Errorf("%v: %d games, want 20", more, n)
		}
	}
}
