package protocol

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kumiko/engine"
	"kumiko/protocol/wire"
)

var (
	binaryFlag = flag.String("binary", "", "test this program instead of our own")
	slackFlag  = flag.Duration("slack", 250*time.Millisecond, "what a busy machine may add to any time")
)

// long reports whether the tests that take minutes are to run too.
func long() bool { return os.Getenv("KUMIKO_LONG") != "" }

// errLate reports that something did not arrive in time.
var errLate = errors.New("too late")

// patience is how long a test waits for a line that has no limit of its own.
const patience = 20 * time.Second

// A session is a dialogue with a server, judged by a referee.
type session struct {
	tb     testing.TB
	ref    referee
	in     io.WriteCloser
	lines  chan reply    // closed at the end of the output
	exited chan struct{} // closed when the server is gone
	err    error         // of the server, once it is gone
	stderr bytes.Buffer  // of a process, complete once it is gone
	proc   *os.Process   // nil in process
	sentAt time.Time     // of the last send

	recovered func(fault any, stack []byte) // hears of faults, in process
}

// A reply is a line from the server and when it came.
type reply struct {
	text string
	at   time.Time
}

// newSession starts a server in this process.
func newSession(tb testing.TB, e Engine) *session {
	in, w := io.Pipe()
	s := &session{tb: tb, in: w, lines: make(chan reply, 1<<16), exited: make(chan struct{})}
	s.recovered = func(fault any, stack []byte) { tb.Errorf("recovered from %v\n%s", fault, stack) }
	go func() {
		defer close(s.exited)
		defer close(s.lines)
		server := Server{Engine: e, Recovered: func(fault any, stack []byte) { s.recovered(fault, stack) }}
		s.err = server.Run(context.Background(), in, lineWriter{s})
		in.Close()
	}()
	tb.Cleanup(func() { w.Close() })
	return s
}

// A lineWriter demands that every write is one complete line.
type lineWriter struct{ s *session }

func (w lineWriter) Write(p []byte) (int, error) {
	if bytes.Count(p, []byte("\n")) != 1 || p[len(p)-1] != '\n' {
		w.s.tb.Errorf("a write of %q, want one line", p)
	}
	w.s.lines <- reply{strings.TrimSuffix(string(p), "\n"), time.Now()}
	return len(p), nil
}

// newProcess starts the program that main builds.
func newProcess(tb testing.TB) *session {
	tb.Helper()
	path, err := program()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(path)
	s := &session{tb: tb, lines: make(chan reply, 1<<16), exited: make(chan struct{})}
	cmd.Stderr = &s.stderr
	cmd.Dir = tb.TempDir() // managers choose a folder of their own
	s.in, err = cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	s.proc = cmd.Process
	go func() {
		s.readChunks(out)
		close(s.lines)
		s.err = cmd.Wait()
		close(s.exited)
	}()
	tb.Cleanup(func() {
		cmd.Process.Kill()
		<-s.exited
	})
	return s
}

// readChunks demands that no read ends in the middle of a line.
func (s *session) readChunks(out io.Reader) {
	chunk := make([]byte, 1<<16)
	for {
		n, err := out.Read(chunk)
		if err != nil {
			return
		}
		at := time.Now()
		if chunk[n-1] != '\n' {
			s.tb.Errorf("%q came without the end of its line", chunk[:n])
		}
		for text := range strings.Lines(string(chunk[:n])) {
			s.lines <- reply{strings.TrimSuffix(text, "\n"), at}
		}
	}
}

// program returns the program under test, which it builds once.
var program = sync.OnceValues(func() (string, error) {
	if *binaryFlag != "" {
		return filepath.Abs(*binaryFlag)
	}
	path := filepath.Join(buildDir, "pbrain-kumiko")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", path, "kumiko").CombinedOutput()
	if err != nil {
		return "", errors.New("go build: " + string(out))
	}
	return path, nil
})

var buildDir string

func TestMain(m *testing.M) {
	flag.Parse()
	// Transcripts wait more than they compute.
	flag.Set("test.parallel", strconv.Itoa(max(8, runtime.GOMAXPROCS(0))))
	var err error
	buildDir, err = os.MkdirTemp("", "protocol")
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(buildDir)
	os.Exit(code)
}

// newEngine returns an engine with little memory, as many run at a time.
func newEngine() Engine {
	return engine.New(engine.Options{Memory: 48 << 20})
}

// send writes text as it is.
func (s *session) send(text string) {
	s.tb.Helper()
	s.ref.sent(text)
	s.sentAt = time.Now()
	if _, err := io.WriteString(s.in, text); err != nil {
		s.tb.Fatalf("sending %.60q: %v", text, err)
	}
}

// next returns the next line other than MESSAGE and INFO, as checked by the
// referee.
func (s *session) next(wait time.Duration) string {
	s.tb.Helper()
	for {
		r, ok := s.receive(wait)
		switch {
		case !ok:
			s.tb.Fatalf("no reply within %v to %q", wait, s.ref.due[0].command)
		case !wire.IsNews(r.text):
			return r.text
		}
	}
}

// receive returns the next line if it arrives within a time after the last send,
// whenever it is received here.
func (s *session) receive(within time.Duration) (r reply, ok bool) {
	s.tb.Helper()
	within += *slackFlag
	select {
	case r, ok = <-s.lines:
	case <-time.After(time.Until(s.sentAt.Add(within))):
		select { // both may have been ready
		case r, ok = <-s.lines:
		default:
		}
	}
	if !ok || r.at.Sub(s.sentAt) > within {
		return r, false
	}
	if err := s.ref.got(r.text); err != nil {
		s.tb.Fatal(err)
	}
	return r, true
}

// silent demands that nothing comes for some time.
func (s *session) silent(d time.Duration) {
	s.tb.Helper()
	select {
	case r, ok := <-s.lines:
		if ok {
			s.tb.Fatalf("got %q, want silence", r.text)
		}
		s.tb.Fatal("the output has ended")
	case <-time.After(d):
	}
}

// exit demands that the server, told to end, is gone within a time of the
// last send, and that it prints nothing more but what is due.
func (s *session) exit(within time.Duration) error {
	s.tb.Helper()
	within += *slackFlag
	select {
	case <-s.exited:
	case <-time.After(time.Until(s.sentAt.Add(within))):
		return fmt.Errorf("after the end: %w", errLate)
	}
	for r := range s.lines {
		if err := s.ref.got(r.text); err != nil {
			s.tb.Fatal(err)
		}
	}
	if s.err != nil {
		s.tb.Errorf("ended with %v", s.err)
	}
	if s.stderr.Len() > 0 {
		s.tb.Errorf("wrote to stderr: %q", s.stderr.String())
	}
	return nil
}

// closeInput ends the server's input.
func (s *session) closeInput() {
	s.sentAt = time.Now()
	s.in.Close()
}
