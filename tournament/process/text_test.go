package process

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// slowSplit is what a splitter should do, for all of the output at once.
func slowSplit(text string) (lines []string, partial string, cut bool) {
	ends := regexp.MustCompile("[\r\n]")
	all := ends.Split(text, -1)
	for i, line := range all {
		last := i == len(all)-1
		switch {
		case len(line) > maxLine:
			lines = append(lines, line[:maxLine])
			cut = true
		case last:
			partial = line
		case line != "":
			lines = append(lines, line)
		}
	}
	return lines, partial, cut
}

// checkSplit compares the two, for chunks of these sizes in turn.
func checkSplit(t *testing.T, text string, chunks []byte) {
	t.Helper()
	var s splitter
	var got []string
	cut := false
	emit := func(line []byte, end byte) {
		got = append(got, string(line))
		cut = cut || end == 0
	}
	for i, rest := 0, []byte(text); len(rest) > 0; i++ {
		n := len(rest)
		if len(chunks) > 0 {
			n = min(n, 1+int(chunks[i%len(chunks)]))
		}
		chunk := slices.Clone(rest[:n])
		s.split(chunk, emit)
		for j := range chunk { // what was emitted must not be in it any more
			chunk[j] = '!'
		}
		rest = rest[n:]
	}
	partial := string(s.partial)
	if s.skip {
		partial = ""
	}
	want, wantPartial, wantCut := slowSplit(text)
	if !slices.Equal(got, want) || partial != wantPartial || cut != wantCut {
		t.Errorf("%.200q in chunks of %v:\ngot  %.200q, partial %.200q, cut %v\nwant %.200q, partial %.200q, cut %v",
			text, chunks, got, partial, cut, want, wantPartial, wantCut)
	}
}

func TestSplit(t *testing.T) {
	long := strings.Repeat("x", maxLine-1)
	for _, text := range []string{
		"", "\n", "\r\n", "a", "a\n", "a\r", "a\r\nb\n\rc\n\nd", "\n\n\r\ra",
		long + "\n", long + "x\n", long + "xx\n", long + "x", long + "xx", long + "xx\n7,7\n", long + "xxxx\r\n\r\n" + long + "x\n8",
	} {
		for _, chunks := range [][]byte{nil, {0}, {1}, {0, 5, 2}, {255}} {
			checkSplit(t, text, chunks)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("OK\r\n7,7\n", uint8(0), []byte{0})
	f.Add("MESSAGE a\r\rb", uint8(1), []byte{3, 1})
	f.Add("x\n", uint8(200), []byte{})
	f.Fuzz(func(t *testing.T, text string, repeat uint8, chunks []byte) {
		if len(text) > 1000 {
			text = text[:1000]
		}
		checkSplit(t, strings.Repeat(text, int(repeat)), chunks)
		checkSplit(t, strings.Repeat("x", maxLine-int(repeat)%4)+text, chunks)
	})
}

func TestIsChatter(t *testing.T) {
	for line, want := range map[string]bool{
		"MESSAGE hello": true, "message": true, " \tDebug\tx": true, "DEBUG ": true,
		"": false, "7,7": false, "MESSAGES": false, "MESSAGE,7": false, "ERROR MESSAGE": false, "DEBU": false,
	} {
		if got := isChatter(line); got != want {
			t.Errorf("%q: got %v", line, got)
		}
	}
}

func TestTranscript(t *testing.T) {
	tr := &transcript{begin: time.Now()}
	at := func(d time.Duration) time.Time { return tr.begin.Add(d) }
	tr.addAt(at(-time.Microsecond), '!', "early")
	tr.addAt(at(12345678*time.Microsecond), '<', "BEGIN")
	tr.addAt(at(time.Hour), '>', "7,7\t\"'\\ \xff\x00\u0085\u200f дé\u2028\x7f")
	want := "+-0.000001 ! early\n+12.345678 < BEGIN\n" +
		`+3600.000000 > 7,7\t"'\ \xff\x00\u0085\u200f дé\u2028\x7f` + "\n"
	if got := string(tr.bytes()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestTranscriptSize(t *testing.T) {
	tr := &transcript{begin: time.Now()}
	for i := range 100000 {
		tr.add('>', fmt.Sprint(i))
		if i%10000 == 0 {
			tr.add('>', strings.Repeat("x", 2*maxTranscript))
			if len(tr.entries) != 1 {
				t.Fatalf("%d entries besides one that is too long", len(tr.entries)-1)
			}
		}
	}
	n, last := len(tr.entries), tr.entries[len(tr.entries)-1]
	if last.text != "99999" || n*(5+entrySize) > maxTranscript || (n+1)*(5+entrySize) <= maxTranscript {
		t.Errorf("%d entries, the last is %q", n, last.text)
	}
	if c := cap(tr.entries); c > 8*n {
		t.Errorf("%d entries in an array of %d", n, c)
	}
}

func TestHeadTail(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, maxEnd - 1, maxEnd, maxEnd + 1, 2 * maxEnd, 2*maxEnd + 1, 3*maxEnd + 7, 10 * maxEnd} {
		all := make([]byte, size)
		for i := range all {
			all[i] = byte(r.Uint32())
		}
		var h headTail
		for rest := all; len(rest) > 0; {
			n := min(len(rest), 1+r.IntN(9000))
			h.add(rest[:n])
			rest = rest[n:]
			if r.IntN(10) == 0 {
				h.bytes() // may be called at any time
			}
		}
		want := all
		if lost := size - 2*maxEnd; lost > 0 {
			note := fmt.Sprintf("\n[%d bytes left out]\n", lost)
			want = slices.Concat(all[:maxEnd], []byte(note), all[size-maxEnd:])
		}
		if got := h.bytes(); !bytes.Equal(got, want) {
			t.Errorf("of %d bytes: got %d, want %d", size, len(got), len(want))
		}
	}
}

// TestFullDisk has a file that cannot be written to.
func TestFullDisk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	h := headTail{file: f, room: 10}
	h.add([]byte("one"))
	h.add([]byte("two"))
	if got := h.bytes(); string(got) != "onetwo" || h.room != 0 {
		t.Errorf("got %q, room for %d", got, h.room)
	}
}

func TestExitText(t *testing.T) {
	for _, tt := range []struct {
		e    Exit
		want string
	}{
		{Exit{Running: true}, "is running"},
		{Exit{}, "exited with code 0"},
		{Exit{Code: -1, Signal: "SIGSEGV"}, "was killed by SIGSEGV"},
		{Exit{Code: -1, Signal: "SIGKILL", Killed: true}, "was killed by the harness"},
		{Exit{Code: -1, Signal: "SIGKILL", OOM: true}, "was killed at its memory limit"},
	} {
		if got := tt.e.String(); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.e, got, tt.want)
		}
	}
}

func TestErrorsTell(t *testing.T) {
	if errors.Is(ErrStuck, ErrClosed) || ErrStuck.Error() == ErrClosed.Error() {
		t.Error("an engine that does not read is not one that cannot")
	}
}
