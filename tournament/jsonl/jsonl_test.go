package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const begin = `{"log":`

var testLines = []string{`{"log":"test"}`, `{"n":1,"text":"ä\n"}`, `{"n":2,"list":[true,-1.5e3,null]}`}

func textOf(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// options are those of a log of this name.
func options(name string) Options { return Options{Lock: LockName(name), Begin: begin} }

// newFile writes a file.
func newFile(t testing.TB, text string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// open opens a log and returns the lines that it held.
func open(name string) (w *Writer, lines []string, err error) {
	w, err = Open(name, options(name), func(line []byte) error {
		if len(lines) == 0 && !bytes.HasPrefix(line, []byte(begin)) {
			return errors.New("strange")
		}
		lines = append(lines, string(line))
		return nil
	})
	return w, lines, err
}

// add opens a log, appends lines and returns those that it held before.
func add(t testing.TB, name string, lines ...string) (before []string) {
	t.Helper()
	w, before, err := open(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if err := w.Append([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return before
}

func TestAppend(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	for i, line := range testLines {
		if got := add(t, name, line); !slices.Equal(got, testLines[:i]) {
			t.Errorf("%d lines written, read %q", i, got)
		}
	}
	if got, want := readFile(t, name), textOf(testLines...); got != want {
		t.Errorf("log\n%swant\n%s", got, want)
	}
	w, _, err := open(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append([]byte("{\n}")); err == nil {
		t.Error("a line with a line break was written")
	}
	if w.lines != len(testLines) {
		t.Errorf("%d lines, want %d", w.lines, len(testLines))
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestTornAnywhere cuts a log at every byte, with and without zeros behind the
// cut: what was whole is read, and writing what is missing makes the log
// what it would have been.
func TestTornAnywhere(t *testing.T) {
	want := textOf(testLines...)
	for cut := range len(want) + 1 {
		for _, zeros := range []string{"", "\x00\x00\x00"} {
			name := newFile(t, want[:cut]+zeros)
			whole := strings.Count(want[:cut], "\n")
			// The last line is whole already when only its break is missing.
			if cut < len(want) && want[cut] == '\n' {
				whole++
			}
			w, lines, err := open(name)
			if err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			lost := int64(cut + len(zeros) - strings.LastIndexByte(want[:cut], '\n') - 1)
			if cut < len(want) && want[cut] == '\n' {
				lost = int64(len(zeros))
			}
			if !slices.Equal(lines, testLines[:whole]) || w.Cut() != lost || w.lines != whole {
				t.Fatalf("cut at %d: read %q, %d lines, %d bytes lost; want %d lines, %d bytes lost", cut, lines, w.lines, w.Cut(), whole, lost)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got := readFile(t, name); got != want[:cut]+zeros {
				t.Fatalf("cut at %d: nothing was appended, but the file became\n%s", cut, got)
			}
			if whole == len(testLines) {
				continue // nothing is missing
			}
			add(t, name, testLines[whole:]...)
			if got := readFile(t, name); got != want {
				t.Fatalf("cut at %d: continued to\n%s", cut, got)
			}
		}
	}
}

// TestRefused opens what no interrupted write leaves: the error says what and
// where, and not a byte changes.
func TestRefused(t *testing.T) {
	good := textOf(testLines...)
	for _, tt := range []struct{ text, want string }{
		{"shopping list", "log:1: not such a log"},
		{"{\"lo", ""},
		{"{\"lot\"", "log:1: not such a log"},
		{"\n\n", "not such a log"},
		{"\n{\"log\":1}\n", ""},
		{"milk\neggs\n", "log:1: strange"},
		{good + `{"n":3} x`, "log:4: the last line is damaged"},
		{good + `{"n":3}{"n":4}`, "log:4: the last line is damaged"},
		{good + `{n`, "log:4: the last line is damaged"},
		{good + "\x00", ""},
		{good + "\x01", "log:4: the last line is damaged"},
		// A flipped bit in the last line break, and in one before.
		{good[:len(good)-1] + "\x0b", "log:3: the last line is damaged"},
		{good[:len(good)-1] + "\x08", "log:3: the last line is damaged"},
	} {
		name := newFile(t, tt.text)
		w, _, err := open(name)
		if err == nil {
			w.Close()
		}
		if tt.want == "" {
			if err != nil {
				t.Errorf("%q: %v", tt.text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want %s", tt.text, err, tt.want)
		}
		if got := readFile(t, name); got != tt.text {
			t.Errorf("%q became %q", tt.text, got)
		}
		if _, err := os.Stat(options(name).Lock); err == nil {
			t.Errorf("%q: a lock was left beside it", tt.text)
		}
	}
}

// TestNotRegular checks that anything but a regular file is refused and left alone.
func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{dir, os.DevNull} {
		o := options(name)
		o.Lock = filepath.Join(dir, "lock")
		if _, err := Open(name, o, nil); err == nil || !strings.Contains(err.Error(), name+" is not a regular file") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("files were made: %v, %v", list, err)
	}
}

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	lock := options(name).Lock
	locked := func(want bool) {
		t.Helper()
		if got, err := Locked(lock); got != want || err != nil {
			t.Errorf("locked: %v, %v; want %v", got, err, want)
		}
	}
	locked(false)
	if _, err := os.Stat(lock); !errors.Is(err, fs.ErrNotExist) {
		t.Error("looking at a lock made one")
	}
	w, _, err := open(name)
	if err != nil {
		t.Fatal(err)
	}
	locked(true)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(name, link); err != nil {
		t.Logf("no symbolic links here: %v", err)
	} else if _, _, err := open(link); !errors.Is(err, ErrLocked) {
		t.Errorf("opened twice, by a link: %v", err)
	}
	if _, _, err := open(name); !errors.Is(err, ErrLocked) {
		t.Errorf("opened twice: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	locked(false)
	// Whoever looks at the lock does not keep a writer away.
	done := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				Locked(lock)
			}
		}
	}()
	for range 50 {
		add(t, name)
	}
	close(stop)
	<-done
}

// A fullDisk takes so many bytes more, and can be told to fail a sync.
type fullDisk struct {
	*os.File
	left    int
	badSync atomic.Bool
	syncs   atomic.Int32
}

func (f *fullDisk) Write(p []byte) (int, error) {
	if len(p) > f.left {
		n, _ := f.File.Write(p[:f.left])
		return n, syscall.ENOSPC
	}
	f.left -= len(p)
	return f.File.Write(p)
}

func (f *fullDisk) Sync() error {
	f.syncs.Add(1)
	if f.badSync.Load() {
		return syscall.EIO
	}
	return nil
}

// TestFullDisk lets the disk get full at every byte: the log has whole lines
// then, says why it takes no more, and goes on later.
func TestFullDisk(t *testing.T) {
	want := textOf(testLines...)
	for room := range len(want) {
		name := newFile(t, "")
		w, _, err := open(name)
		if err != nil {
			t.Fatal(err)
		}
		w.file = &fullDisk{File: w.file.(*os.File), left: room}
		written := 0
		for _, line := range testLines {
			if err = w.Append([]byte(line)); err != nil {
				break
			}
			written++
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d bytes: error %v", room, err)
		}
		if err := w.Append([]byte("{}")); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("after the failure: error %v", err)
		}
		select {
		case <-w.Failed():
		default:
			t.Error("Failed is not closed")
		}
		if err := w.Close(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("Close: %v", err)
		}
		if got := textOf(testLines[:written]...); written > 0 && readFile(t, name) != got {
			t.Fatalf("room for %d bytes: the log is %q", room, readFile(t, name))
		}
		add(t, name, testLines[written:]...)
		if readFile(t, name) != want {
			t.Errorf("continued to %q", readFile(t, name))
		}
	}
}

func TestSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := newFile(t, "")
		o := options(name)
		o.SyncAfter = time.Second
		w, err := Open(name, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		disk := &fullDisk{File: w.file.(*os.File), left: 1 << 20}
		w.file = disk
		start := time.Now()
		for time.Since(start) < 10*time.Second {
			if err := w.Append([]byte(testLines[0])); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		// At 0 the first line waits for 1 s, the next one is written after that.
		if n := disk.syncs.Load(); n < 9 || n > 10 {
			t.Errorf("%d syncs in ten seconds", n)
		}
		disk.badSync.Store(true)
		w.Append([]byte(testLines[0]))
		<-w.Failed()
		if err := w.Append([]byte(testLines[0])); !errors.Is(err, syscall.EIO) {
			t.Errorf("after a failed sync: %v", err)
		}
		if err := w.Close(); !errors.Is(err, syscall.EIO) {
			t.Errorf("Close: %v", err)
		}
	})
	name := newFile(t, "")
	w, _, err := open(name)
	if err != nil {
		t.Fatal(err)
	}
	disk := &fullDisk{File: w.file.(*os.File), left: 1 << 20}
	w.file = disk
	for i := range 5 {
		if err := w.Append([]byte(testLines[0])); err != nil || int(disk.syncs.Load()) != i+1 {
			t.Errorf("%d syncs after %d lines, error %v", disk.syncs.Load(), i+1, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestFollow reads a log while it grows by pieces, of which the last may be
// replaced.
func TestFollow(t *testing.T) {
	name := newFile(t, "")
	f, err := Follow(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	update := func() error {
		return f.Update(func(line []byte) error {
			if string(line) == "bad" {
				return errors.New("a bad line")
			}
			lines = append(lines, string(line))
			return nil
		})
	}
	long := `{"long":"` + strings.Repeat("x", 1<<17) + `"}`
	for _, step := range []struct {
		text string // of the file
		want []string
		err  string
	}{
		{"", nil, ""},
		{"one", nil, ""},
		{"one\ntw", []string{"one"}, ""},
		{"one\n", nil, ""},
		{"one\nthree\r\n\n  \n four ", []string{"three"}, ""},
		{"one\nthree\r\n\n  \n four \nbad\nx\n", []string{"four"}, ":6: a bad line"},
		{"one\nthree\r\n\n  \n four \nbad\nx\n", nil, ":6: a bad line"},
		{"one\nthree\r\n\n  \n four \nfive\n" + long, []string{"five"}, ""},
		{"one\nthree\r\n\n  \n four \nfive\n" + long + "\n", []string{long}, ""},
	} {
		if err := os.WriteFile(name, []byte(step.text), 0o666); err != nil {
			t.Fatal(err)
		}
		lines = nil
		err := update()
		if !slices.Equal(lines, step.want) {
			t.Errorf("%.60q: read %.60q, want %.60q", step.text, lines, step.want)
		}
		if fmt.Sprint(err) != fmt.Sprint(map[bool]any{true: nil, false: name + step.err}[step.err == ""]) {
			t.Errorf("%.60q: error %v, want %q", step.text, err, step.err)
		}
	}
}

// FuzzOpen opens anything. What is refused stays as it was; otherwise all that
// was read is there again after a line has been appended, and nothing but the
// end has been cut.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(textOf(testLines...)))
	f.Add([]byte(textOf(testLines...) + `{"n":`))
	f.Add([]byte(textOf(testLines...) + `{"n":3}`))
	f.Add([]byte("text\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := newFile(t, string(data))
		w, lines, err := open(name)
		if err != nil {
			if readFile(t, name) != string(data) {
				t.Fatalf("refused, but changed: %v", err)
			}
			return
		}
		if err := errors.Join(w.Append([]byte(`{"log":2}`)), w.Close()); err != nil {
			t.Fatal(err)
		}
		text := readFile(t, name)
		if kept := string(data[:len(data)-int(w.Cut())]); !strings.HasPrefix(text, kept) || bytes.Count(data[len(kept):], []byte("\n")) > 0 {
			t.Fatalf("%q became %q", data, text)
		}
		if again := add(t, name); !slices.Equal(again, append(lines, `{"log":2}`)) {
			t.Fatalf("read %q, then %q", lines, again)
		}
	})
}
