package process

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kumiko/tournament/fakeengine"
)

// patience is how long the tests wait for what should happen soon.
const patience = 20 * time.Second

// testMark is in the environment of all that a test starts.
func testMark(t testing.TB) string { return fmt.Sprintf("KUMIKO_TEST=%d-%s", os.Getpid(), t.Name()) }

// start starts an engine. When the test ends, nothing may be left of it.
func start(t testing.TB, s Spec) *Process {
	t.Helper()
	p, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Stop("", 0)
		noLeak(t)
		noneLeft(t)
		if t.Failed() {
			t.Logf("transcript:\n%sstderr:\n%s", end(p.Transcript()), end(p.Stderr()))
		}
	})
	return p
}

// noLeak checks that there are no goroutines but those that have to be.
func noLeak(t testing.TB) {
	t.Helper()
	goleak.VerifyNone(t,
		goleak.IgnoreTopFunction("kumiko/tournament/process.(*spawner).run"),
		goleak.IgnoreTopFunction("testing.(*B).run1"))
}

// end returns as much of a text as one may want to read.
func end(text []byte) []byte { return text[max(0, len(text)-2000):] }

// next returns the engine's next line, which has to come.
func next(t testing.TB, p *Process) string {
	t.Helper()
	select {
	case l, ok := <-p.Lines():
		if !ok {
			t.Fatalf("no line: the output has ended, the engine %v", p.Exit())
		}
		return l.Text
	case <-time.After(patience):
		t.Fatal("no line")
		return ""
	}
}

// rest returns the lines until the output ends.
func rest(t testing.TB, p *Process) (lines []string) {
	t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case l, ok := <-p.Lines():
			if !ok {
				return lines
			}
			lines = append(lines, l.Text)
		case <-timeout:
			t.Fatal("the output does not end")
		}
	}
}

// send sends lines, which has to be possible.
func send(t testing.TB, p *Process, lines ...string) time.Time {
	t.Helper()
	at, err := p.Send(lines...)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// quickly fails the test if f takes long.
func quickly(t testing.TB, what string, f func()) {
	t.Helper()
	begin := time.Now()
	f()
	if d := time.Since(begin); d > time.Second {
		t.Errorf("%s took %v", what, d)
	}
}

// eventually waits until something is true that nobody tells us of.
func eventually(t testing.TB, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !f(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not happen that %s", what)
		}
	}
}

// await waits for the process to end.
func await(t testing.TB, p *Process) Exit {
	t.Helper()
	if !within(p.Done(), patience) {
		t.Fatal("the process does not end")
	}
	return p.Exit()
}

func TestEcho(t *testing.T) {
	p := start(t, fake(t, echo))
	if e := p.Exit(); !e.Running || e.String() != "is running" {
		t.Errorf("exit while running: %v", e)
	}
	before := time.Now()
	at := send(t, p, "START 15", "BEGIN")
	if got := next(t, p); got != "START 15" {
		t.Errorf("got %q", got)
	}
	l := <-p.Lines()
	if after := time.Now(); l.Text != "BEGIN" || at.Before(before) || l.At.Before(at) || after.Before(l.At) {
		t.Errorf("%v: sent at %v, got %v, now %v", before, at, l, after)
	}
	if p.Stop("END", patience) {
		t.Error("the engine did not go by itself")
	}
	if e := p.Exit(); e != (Exit{}) || e.String() != "exited with code 0" {
		t.Errorf("exit: %v", e)
	}
	if _, err := p.Send("BEGIN"); !errors.Is(err, ErrClosed) {
		t.Errorf("sending to a process that is gone: %v", err)
	}
	if p.Stop("END", patience) {
		t.Error("the second Stop says otherwise than the first")
	}
	p.Kill()
	p.Suspend()
	p.Resume()
	if bytes, ok := p.Memory(); ok {
		t.Errorf("a process that is gone uses %d bytes", bytes)
	}
	if p.Exit().Killed || p.Flood() != nil || p.Dropped() != 0 || p.Partial() != "" {
		t.Errorf("exit %v, flood %v, dropped %d, partial %q", p.Exit(), p.Flood(), p.Dropped(), p.Partial())
	}
}

func TestCRLF(t *testing.T) {
	for crlf, want := range map[bool]string{false: `"BEGIN\n" <nil>`, true: `"BEGIN\r\n" <nil>`} {
		s := fake(t, "launch=read-all&exit:0")
		s.CRLF = crlf
		p := start(t, s)
		if p.Stop("BEGIN", patience) {
			t.Error("the engine did not end with its input")
		}
		if got := rest(t, p); !slices.Equal(got, []string{want}) {
			t.Errorf("CRLF %v: the engine got %q, want %s", crlf, got, want)
		}
	}
}

func TestLineEnds(t *testing.T) {
	tests := []struct {
		print string
		want  []string
		cr    bool
	}{
		{"OK\n7,7\n", []string{"OK", "7,7"}, false},
		{"OK\r\n\r\n7,7\r\n", []string{"OK", "7,7"}, true},
		{"OK\r7,7\r", []string{"OK", "7,7"}, true},
		{"\n\n OK \n\n", []string{" OK "}, false},
		{"7,\xff7\xc3\nд\x01\n", []string{"7,\xff7\xc3", "д\x01"}, false},
	}
	for _, tt := range tests {
		p := start(t, fake(t, printing(tt.print)))
		for _, want := range tt.want {
			l := <-p.Lines()
			if l.Text != want || l.CR != tt.cr {
				t.Errorf("%q: line %q CR %v, want %q %v", tt.print, l.Text, l.CR, want, tt.cr)
			}
		}
		p.Stop("END", patience)
	}
}

// TestNUL is apart as arguments cannot have a NUL in them.
func TestNUL(t *testing.T) {
	p := start(t, fake(t, echo))
	send(t, p, "7\x00,\x1b7")
	if got := next(t, p); got != "7\x00,\x1b7" {
		t.Errorf("got %q", got)
	}
	if got := string(p.Transcript()); !strings.Contains(got, `> 7\x00,\x1b7`+"\n") {
		t.Errorf("transcript:\n%s", got)
	}
}

func TestPartial(t *testing.T) {
	p := start(t, fake(t, `launch=print:1,1\n7,7&exit:0`))
	if got := rest(t, p); !slices.Equal(got, []string{"1,1"}) || p.Partial() != "7,7" {
		t.Errorf("lines %q, partial %q", got, p.Partial())
	}
	if got := string(p.Transcript()); !strings.Contains(got, "> 7,7 (without a line end)\n") {
		t.Errorf("transcript:\n%s", got)
	}
}

func TestExit(t *testing.T) {
	p := start(t, fake(t, "launch=exit:3"))
	if e := await(t, p); e != (Exit{Code: 3}) || e.String() != "exited with code 3" {
		t.Errorf("exit: %+v", e)
	}
	if got := rest(t, p); got != nil {
		t.Errorf("lines: %q", got)
	}
	if p.Stop("END", patience) {
		t.Error("an engine that exited is called dirty")
	}
	if got := string(p.Transcript()); !strings.Contains(got, "! exited with code 3\n") {
		t.Errorf("transcript:\n%s", got)
	}
}

// TestDeaf sends more than an engine may leave unread.
func TestDeaf(t *testing.T) {
	p := start(t, fake(t, deaf))
	next(t, p)
	line := strings.Repeat("x", 1000)
	var err error
	n := 0
	quickly(t, "sending", func() {
		for ; err == nil && n < 2*maxPending/len(line); n++ {
			_, err = p.Send(line)
		}
	})
	if !errors.Is(err, ErrStuck) || n < maxPending/len(line) {
		t.Errorf("after %d lines: %v", n, err)
	}
	if _, err := p.Send("END"); !errors.Is(err, ErrStuck) {
		t.Errorf("again: %v", err)
	}
	quickly(t, "stopping", func() {
		if !p.Stop("END", 10*time.Millisecond) {
			t.Error("it is said to have gone by itself")
		}
	})
	if e := p.Exit(); !e.Killed || e.String() != "was killed by the harness" {
		t.Errorf("exit: %+v", e)
	}
}

// TestStuck has an engine that reads nothing for a long time.
func TestStuck(t *testing.T) {
	p := start(t, fake(t, deaf))
	next(t, p)
	send(t, p, strings.Repeat("x", maxPending/2))
	p.input.mu.Lock()
	if !p.input.writing {
		t.Error("nobody is writing")
	}
	p.input.since = p.input.since.Add(-stuckAfter - time.Second)
	p.input.mu.Unlock()
	if _, err := p.Send("BEGIN"); !errors.Is(err, ErrStuck) {
		t.Errorf("got %v", err)
	}
}

// TestSlowReader sends much to an engine that reads it byte by byte.
func TestSlowReader(t *testing.T) {
	p := start(t, fake(t, "launch=slow-reader&exit:0"))
	line := strings.Repeat("x", 999)
	quickly(t, "sending", func() {
		for range 200 {
			send(t, p, line)
		}
	})
	for i := range 200 {
		if got, want := next(t, p), fmt.Sprint(1000*(i+1)); got != want {
			t.Fatalf("line %d: %s bytes, want %s", i, got, want)
		}
	}
	// And at once what takes several writes, then the end.
	for range 200 {
		send(t, p, line)
	}
	if p.Stop("END", patience) {
		t.Error("its input was closed before it had read all, or never")
	}
	if got := rest(t, p); len(got) != 201 || got[200] != "400004" {
		t.Errorf("%d lines after the last read, %q", len(got), got[max(0, len(got)-1):])
	}
}

func TestClosedStdin(t *testing.T) {
	p := start(t, fake(t, "launch=close-stdin&line:closed&stall"))
	next(t, p)
	if _, err := p.Send("BEGIN"); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	quickly(t, "stopping", func() { p.Stop("END", 0) })
}

func TestClosedStdout(t *testing.T) {
	p := start(t, fake(t, "launch=line:last&close-stdout"))
	if got := rest(t, p); !slices.Equal(got, []string{"last"}) {
		t.Errorf("lines %q", got)
	}
	if !p.Exit().Running {
		t.Errorf("it %v", p.Exit())
	}
	if p.Stop("END", patience) {
		t.Error("it did not go by itself")
	}
}

func TestIgnored(t *testing.T) {
	for _, name := range []string{"any=echo", "launch=ignore-term&line:ready&stall"} {
		p := start(t, fake(t, name, "end=stall"))
		send(t, p, "ready")
		next(t, p)
		quickly(t, "stopping", func() {
			if !p.Stop("END", 10*time.Millisecond) || !p.Exit().Killed {
				t.Errorf("%s: it %v", name, p.Exit())
			}
		})
	}
}

func TestAfterEND(t *testing.T) {
	p := start(t, fake(t, `end=print:1,1\nMESSAGE bye\n2,2&exit:0`))
	if p.Stop("END", patience) {
		t.Error("it did not go by itself")
	}
	if got := rest(t, p); !slices.Equal(got, []string{"1,1", "MESSAGE bye"}) || p.Partial() != "2,2" {
		t.Errorf("lines %q, partial %q", got, p.Partial())
	}
}

func TestKill(t *testing.T) {
	p := start(t, fake(t, echo))
	send(t, p, "ready")
	next(t, p)
	p.Kill()
	if e := await(t, p); !e.Killed {
		t.Errorf("exit: %+v", e)
	}
	if !p.Stop("END", patience) {
		t.Error("it is said to have gone by itself")
	}
}

// TestConcurrent calls everything at once; the race detector watches.
func TestConcurrent(t *testing.T) {
	p := start(t, fake(t, echo))
	done := make(chan bool)
	for _, f := range []func(){
		func() { p.Send("MESSAGE x", "y") },
		func() { p.Memory() },
		func() { p.Transcript(); p.Stderr() },
		func() { p.Suspend(); p.Resume() },
		func() { p.Exit(); p.Flood(); p.Partial(); p.Dropped(); p.Memory() },
		func() {
			select {
			case <-p.Lines():
			default:
			}
		},
	} {
		go func() {
			for !within(p.Done(), 0) {
				f()
			}
			done <- true
		}()
	}
	for range 3 {
		go func() { p.Stop("END", 50*time.Millisecond); done <- true }()
	}
	for range 9 {
		<-done
	}
}

func TestLongLine(t *testing.T) {
	for _, size := range []int{maxLine, maxLine + 1, 10 << 20} {
		p := start(t, fake(t, fmt.Sprintf("launch=fill:%d&line:&line:7,7", size)))
		want := min(size, maxLine)
		if got := next(t, p); got != strings.Repeat("x", want) {
			t.Errorf("a line of %d bytes: got %d", size, len(got))
		}
		if (p.Flood() != nil) != (size > maxLine) {
			t.Errorf("a line of %d bytes: flood %v", size, p.Flood())
		}
		if got := next(t, p); got != "7,7" {
			t.Errorf("then %q", got)
		}
		p.Stop("END", patience)
	}
}

// TestChatter lets nobody read what an engine has to say.
func TestChatter(t *testing.T) {
	const n = 100000
	p := start(t, fake(t, fmt.Sprintf("launch=flood:%d:message something to read&line:7,7", n)))
	eventually(t, "all has been read", func() bool { return bytes.Contains(p.Transcript(), []byte("> 7,7\n")) })
	p.Stop("END", patience)
	got := rest(t, p)
	if len(got) != maxChatter+1 || got[maxChatter] != "7,7" || p.Dropped() != n-maxChatter || p.Flood() != nil {
		t.Errorf("%d lines, dropped %d, flood %v", len(got), p.Dropped(), p.Flood())
	}
}

func TestFlood(t *testing.T) {
	p := start(t, fake(t, "launch=flood:100000:7,7&line:8,8"))
	eventually(t, "all has been read", func() bool { return bytes.Contains(p.Transcript(), []byte("> 8,8\n")) })
	p.Stop("END", patience)
	if got := rest(t, p); len(got) != maxLines || p.Dropped() != 0 || p.Flood() == nil {
		t.Errorf("%d lines, dropped %d, flood %v", len(got), p.Dropped(), p.Flood())
	}
}

func TestStderr(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stderr")
	for i, want := range []string{"one\n", "one\ntwo\n"} {
		word := []string{"one", "two"}[i]
		s := fake(t, `launch=stderr:`+word+`\n`)
		s.Stderr = file
		p := start(t, s)
		p.Stop("END", patience)
		if got := string(p.Stderr()); got != word+"\n" {
			t.Errorf("kept %q", got)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("the file has %q, %v", got, err)
		}
	}
	s := fake(t, "launch=stderr:x")
	s.Stderr = filepath.Dir(file)
	if _, err := Start(s); err == nil {
		t.Error("errors are appended to a directory")
	}
}

func TestStderrFlood(t *testing.T) {
	s := fake(t, fmt.Sprintf("launch=count-stderr:%d&line:done", 10<<20/16))
	s.Stderr = filepath.Join(t.TempDir(), "stderr")
	p := start(t, s)
	if got := next(t, p); got != "done" {
		t.Errorf("got %q", got)
	}
	p.Stop("END", patience)
	var want bytes.Buffer
	for i := range 10 << 20 / 16 {
		fmt.Fprintf(&want, "line %010d\n", i)
	}
	all := want.Bytes()
	note := fmt.Sprintf("\n[%d bytes left out]\n", len(all)-2*maxEnd)
	if got := p.Stderr(); string(got) != string(all[:maxEnd])+note+string(all[len(all)-maxEnd:]) {
		t.Errorf("kept %d bytes that are not the ends", len(got))
	}
	if got, err := os.ReadFile(s.Stderr); err != nil || !bytes.Equal(got, all[:maxStderrFile]) {
		t.Errorf("the file has %d bytes, %v", len(got), err)
	}
}

// TestChildren has engines that leave processes behind which hold their
// output. Those must go, and nobody may wait for them.
func TestChildren(t *testing.T) {
	for _, name := range []string{"fork", "daemon", "orphan"} {
		t.Run(name, func(t *testing.T) {
			p := start(t, fake(t, "launch="+name+"&line:ready"))
			if got := next(t, p); got != "ready" {
				t.Fatalf("got %q", got)
			}
			quickly(t, "stopping", func() {
				if !p.Stop("END", patience) {
					t.Error("nobody was left behind")
				}
			})
			if e := p.Exit(); e != (Exit{}) {
				t.Errorf("the engine %v", e)
			}
			noneLeft(t)
		})
		t.Run("kill "+name, func(t *testing.T) {
			p := start(t, fake(t, "launch="+name+"&line:ready"))
			next(t, p)
			p.Kill()
			quickly(t, "ending", func() { await(t, p); rest(t, p) })
			p.Stop("END", patience)
			noneLeft(t)
		})
	}
}

func TestDirAndEnv(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	own, err := filepath.EvalSymlinks(filepath.Dir(self))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(self))
	relative := "." + string(filepath.Separator) + filepath.Base(self)
	tests := []struct {
		s    Spec
		want string
	}{
		{Spec{Args: append([]string{relative}, fakeengine.Args("launch=dir")[1:]...)}, own + " <nil>"},
		{Spec{Args: append([]string{relative}, fakeengine.Args("launch=dir")[1:]...), Dir: dir}, dir + " <nil>"},
		{Spec{Args: fakeengine.Args("launch=env:SOME"), Env: []string{"SOME=a=b c"}}, "a=b c"},
		{Spec{Args: fakeengine.Args("launch=env:GORACE"), Env: []string{"GORACE=history_size=1"}}, "history_size=1"},
		{Spec{Args: fakeengine.Args("launch=env:GORACE")}, os.Getenv("GORACE")},
	}
	for _, tt := range tests {
		p := start(t, tt.s)
		if got := next(t, p); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.s, got, tt.want)
		}
		p.Stop("END", patience)
	}
}

func TestBadSpec(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		s    Spec
		kind error // nil is any
		text string
	}{
		{Spec{}, nil, "no program"},
		{Spec{Args: []string{""}}, nil, "no program"},
		{Spec{Args: []string{self}, Memory: -1}, nil, "-1"},
		{Spec{Args: []string{self}, Dir: "nowhere"}, fs.ErrNotExist, "working directory"},
		{Spec{Args: []string{self}, Dir: self}, nil, "working directory"},
		{Spec{Args: []string{"./nothing"}}, fs.ErrNotExist, "./nothing"},
		{Spec{Args: []string{"kumiko-nothing"}}, fs.ErrNotExist, "PATH"},
	} {
		_, err := Start(tt.s)
		if err == nil || tt.kind != nil && !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%+v: got error %v, want one that says %q", tt.s, err, tt.text)
		}
	}
	noLeak(t)
}

// BenchmarkRoundTrip measures how long an answer takes that an engine has
// ready. Compare it with BenchmarkPipe.
func BenchmarkRoundTrip(b *testing.B) {
	p := start(b, fake(b, echo))
	times := make([]time.Duration, 0, 1<<20)
	for b.Loop() {
		at, err := p.Send("TURN 7,7")
		if err != nil {
			b.Fatal(err)
		}
		l, ok := <-p.Lines()
		if !ok {
			b.Fatal("the output has ended")
		}
		times = append(times, l.At.Sub(at))
	}
	reportTimes(b, times)
}

// BenchmarkPipe is the same without this package: one goroutine that writes
// to and reads from the engine's pipes.
func BenchmarkPipe(b *testing.B) {
	cmd, err := command(fake(b, echo))
	if err != nil {
		b.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	times := make([]time.Duration, 0, 1<<20)
	request, buf := []byte("TURN 7,7\n"), make([]byte, 100)
	for b.Loop() {
		at := time.Now()
		if _, err := in.Write(request); err != nil {
			b.Fatal(err)
		}
		if _, err := out.Read(buf); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(at))
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	reportTimes(b, times)
}

func reportTimes(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	n := len(times)
	b.ReportMetric(float64(times[n/2]), "p50-ns")
	b.ReportMetric(float64(times[n*99/100]), "p99-ns")
	b.ReportMetric(float64(times[n-1]), "max-ns")
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "procs")
}

// BenchmarkStart measures a process for each game.
func BenchmarkStart(b *testing.B) {
	s := fake(b, echo)
	for b.Loop() {
		p, err := Start(s)
		if err != nil {
			b.Fatal(err)
		}
		if p.Stop("END", patience) {
			b.Fatal("it did not go by itself")
		}
	}
}
