package tournament

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kumiko/tournament/journal"
	"kumiko/tournament/report"
)

// TestRepair damages a log at random: all commands refuse it in the same words,
// and its repaired copy, resumed, has the games of the original.
func TestRepair(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	mustRun(t, runArgs(t, whole, "--rounds=2", "--concurrency=2")...)
	want := results(t, whole)
	text, err := os.ReadFile(filepath.Join(whole, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.IndexByte(text, '\n') + 1
	rnd := rand.New(rand.NewPCG(1, 1))
	for try := range 6 {
		broken := bytes.Clone(text)
		for range 1 + try/2 {
			switch at := first + rnd.IntN(len(text)-first-40); try % 3 {
			case 0: // a flipped bit, or two; one among digits may go unnoticed
				broken[at] ^= 0x80
			case 1:
				copy(broken[at:at+30], make([]byte, 30))
			case 2:
				broken[at] = '\n'
			}
		}
		dir := filepath.Join(t.TempDir(), "broken")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, journal.FileName), broken, 0o666); err != nil {
			t.Fatal(err)
		}
		var said string
		for _, args := range [][]string{{"status", dir}, {"report", dir}, {"replay", dir, "1"}, {"resume", dir}, {"export", dir, "--format=sgf"}, {"rate", dir}} {
			err := execute(context.Background(), args, io.Discard)
			if err == nil || !strings.Contains(err.Error(), "log.jsonl:") || !strings.Contains(err.Error(), "tournament repair "+dir) {
				t.Fatalf("try %d, %v: error %v", try, args, err)
			}
			if said == "" {
				said = err.Error()
			} else if said != err.Error() {
				t.Errorf("try %d: %v says\n%v\nnot\n%s", try, args, err, said)
			}
		}
		out := mustRun(t, "repair", dir)
		if !strings.Contains(out, " is lost: ") || !strings.Contains(out, " of 12 games have results") {
			t.Errorf("repair says\n%s", out)
		}
		if err := execute(context.Background(), []string{"repair", dir}, io.Discard); err == nil || !strings.Contains(err.Error(), "exists already") {
			t.Errorf("repaired twice: %v", err)
		}
		mustRun(t, "resume", dir+"-repaired")
		if got := results(t, dir+"-repaired"); got != want {
			t.Errorf("try %d: repaired and resumed\n%s\nwant\n%s\n%s", try, got, want, out)
		}
		if now, err := os.ReadFile(filepath.Join(dir, journal.FileName)); err != nil || !bytes.Equal(now, broken) {
			t.Errorf("the damaged log has changed: %v", err)
		}
	}
	if out := mustRun(t, "repair", whole); !strings.Contains(out, "nothing is broken in ") {
		t.Errorf("a sound log: %s", out)
	}
}

// TestRepairOpening damages the line of an opening that a game names, each time in
// another event: that event is named as the damaged one, and it alone is lost.
func TestRepairOpening(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	mustRun(t, runArgs(t, whole, "--rounds=2")...)
	text, err := os.ReadFile(filepath.Join(whole, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	// Logs of version 1 have no checksums.
	text = bytes.Replace(text, []byte(`"v":2`), []byte(`"v":1`), 1)
	text = regexp.MustCompile(`,"sum":"[0-9a-f]{8}"}\n`).ReplaceAll(text, []byte("}\n"))
	lines := strings.SplitAfter(string(text), "\n")
	opening := regexp.MustCompile(`"op":[0-9]+`)
	changed := 0
	for i, line := range lines {
		if i == 0 || !opening.MatchString(line) {
			continue
		}
		changed++
		broken := slices.Clone(lines)
		broken[i] = opening.ReplaceAllString(line, fmt.Sprintf(`"op":%d`, 1001+i%9*1000))
		file := filepath.Join(t.TempDir(), journal.FileName)
		if err := os.WriteFile(file, []byte(strings.Join(broken, "")), 0o666); err != nil {
			t.Fatal(err)
		}
		place := fmt.Sprintf("log.jsonl:%d: ", i+1)
		if err := execute(context.Background(), []string{"status", file}, io.Discard); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("line %d: %v", i+1, err)
		}
		r, err := journal.ReadSound(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Lost) != 1 || r.Lost[0].Line != i+1 {
			t.Errorf("line %d: lost %v", i+1, r.Lost)
		}
	}
	if changed < 20 {
		t.Errorf("only %d events name an opening", changed)
	}
}

// TestFlippedBits flips bits of a log, one at a time: each is noticed, and costs one
// line.
func TestFlippedBits(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	mustRun(t, runArgs(t, whole, "--rounds=1")...)
	text, err := os.ReadFile(filepath.Join(whole, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), journal.FileName)
	first := bytes.IndexByte(text, '\n')
	for bit := 0; bit < 8*len(text); bit += 131 {
		at := bit / 8
		broken := bytes.Clone(text)
		if broken[at] ^= 1 << (bit % 8); broken[at] == '\n' || text[at] == '\n' {
			continue // two lines, or one, of what were one, or two
		}
		if err := os.WriteFile(file, broken, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := journal.Read(file); err == nil {
			t.Fatalf("byte %d, %q for %q, is not noticed", at, broken[at], text[at])
		}
		r, err := journal.ReadSound(file)
		if at < first {
			if err == nil {
				t.Errorf("byte %d of the settings, %q for %q, is not noticed by a repair", at, broken[at], text[at])
			}
			continue
		}
		if err != nil || len(r.Lost) != 1 {
			t.Fatalf("byte %d, %q for %q: %v, lost %v", at, broken[at], text[at], err, r)
		}
	}
}

// TestRepairRefused is about what cannot be repaired.
func TestRepairRefused(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ text, want string }{
		{"", "the first line, which holds the settings, cannot be repaired: it is missing"},
		{"milk\neggs\n", "cannot be repaired: not an event"},
		{`{"t":"end","g":1}` + "\n", "cannot be repaired: event \"end\": the log does not begin with a run"},
	} {
		name := filepath.Join(dir, "log.jsonl")
		if err := os.WriteFile(name, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := execute(context.Background(), []string{"repair", name}, io.Discard); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want %q", tt.text, err, tt.want)
		}
	}
}

// FuzzLog reads any log in all ways. None may panic or take much memory.
func FuzzLog(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "t")
	if err := execute(context.Background(), twoEngines("run", "--rounds=1", "--max-plies=6", "--out="+dir), io.Discard); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, journal.FileName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	text, _, _ = bytes.Cut(text, []byte(`{"t":"start","g":2`)) // one game each way is enough
	// Every number is replaced by an impossible one.
	for _, at := range regexp.MustCompile(`(":|[\[,])-?[0-9]+`).FindAllIndex(text, -1) {
		begin := at[0] + bytes.IndexAny(text[at[0]:at[1]], "-0123456789")
		for _, n := range []string{"-1", "2000000000", "9223372036854775807"} {
			f.Add([]byte(fmt.Sprint(string(text[:begin]), n, string(text[at[1]:]))))
		}
	}
	name := filepath.Join(f.TempDir(), "log.jsonl")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		defer func() {
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 128<<20 {
				t.Errorf("%d MiB were allocated for %d bytes of log", n>>20, len(text))
			}
		}()
		log, err := journal.Read(name)
		if err != nil {
			return
		}
		writeStatus(io.Discard, name, log, false)
		report.WriteText(io.Discard, log, report.Options{})
		report.WriteJSON(io.Discard, log, report.Options{})
		report.WriteCSV(io.Discard, log)
		report.WriteSGF(io.Discard, log)
		report.WritePGN(io.Discard, log)
		report.WriteOpenings(io.Discard, log)
		report.WriteHTML(io.Discard, log, report.HTMLOptions{Games: 10})
		for e := range log.All {
			replay(io.Discard, &log.Config, e, false)
		}
	})
}

// TestRepairEnd damages the last line break of a log: what refuses the log and
// what repairs it agree.
func TestRepairEnd(t *testing.T) {
	dir, name, text := playedLog(t)
	for c := range 256 {
		damaged := append(text[:len(text)-1:len(text)-1], byte(c))
		if err := os.WriteFile(name, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		_, readErr := journal.Read(dir)
		copied := filepath.Join(t.TempDir(), "copy")
		out := mustRun(t, "repair", dir, "--out", copied)
		got, err := os.ReadFile(filepath.Join(copied, journal.FileName))
		switch {
		case readErr == nil && !strings.Contains(out, "nothing is broken"):
			t.Errorf("%#x is read, but repaired: %s", c, out)
		case readErr != nil && (err != nil || !bytes.Equal(got, text)):
			t.Errorf("%#x is refused (%v), but the copy is not the log before: %v\n%s", c, readErr, err, out)
		}
	}
}

// TestFirstLine refuses a log whose first line is torn or damaged, says that it
// cannot be repaired, and leaves it as it is.
func TestFirstLine(t *testing.T) {
	dir, name, text := playedLog(t)
	for _, damaged := range [][]byte{
		text[:1], text[:300], text[:bytes.IndexByte(text, '\n')-1], make([]byte, 1000), append(text[:300:300], make([]byte, 50)...),
		append([]byte("x"), text[1:]...), append(append(text[:200:200], 0), text[201:]...), nil,
	} {
		if err := os.WriteFile(name, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"resume", "status", "report", "repair"} {
			err := execute(context.Background(), []string{command, dir}, new(bytes.Buffer))
			want := "first line"
			if len(damaged) == 0 && command != "repair" {
				want = "empty"
			}
			if err == nil || strings.Contains(err.Error(), "tournament repair") || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %.20q: error %v, want %q", command, damaged, err, want)
			}
			if after, err := os.ReadFile(name); err != nil || !bytes.Equal(after, damaged) {
				t.Errorf("%s of %.20q changed the log to %.20q, %v", command, damaged, after, err)
			}
		}
	}
}
