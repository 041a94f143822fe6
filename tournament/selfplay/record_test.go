package selfplay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kumiko/nn/replay"
	"kumiko/protocol/cli"
	"kumiko/protocol/cli/golden"
	"kumiko/tournament/jsonl"
)

// run runs the command and returns what it printed.
func run(ctx context.Context, out, args string) (string, error) {
	var text strings.Builder
	err := cli.Execute(ctx, Command(noOptions), strings.Fields(quick+args+" --out "+out), &text)
	return text.String(), err
}

// TestDamaged flips bits all over a record: it is refused and stays as it is.
// In a torn end, which may be anything, a bit means nothing.
func TestDamaged(t *testing.T) {
	out := filepath.Join(t.TempDir(), "games")
	good := play(t, out, "--games 3")
	for bit := 0; bit < 8*len(good); bit += 1 + len(good)/40 {
		data := bytes.Clone(good)
		data[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(out, data, 0o666); err != nil {
			t.Fatal(err)
		}
		text, err := run(t.Context(), out, "--games 4")
		if err == nil || !strings.Contains(err.Error(), out+": replay: ") || text != "" {
			t.Errorf("bit %d of byte %d: error %v, output %q", bit%8, bit/8, err, text)
		}
		if !bytes.Equal(golden.Read(t, out), data) {
			t.Fatalf("bit %d of byte %d: the record was changed", bit%8, bit/8)
		}
	}
}

// TestForeign keeps its hands off files that something else has written.
func TestForeign(t *testing.T) {
	for _, text := range []string{"x", "kumirec", "kumirec\x03 and so on", "shopping list: eggs\n", "kumipat\x02"} {
		out := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := run(t.Context(), out, "--games 1")
		if torn := text == "kumirec"; torn != (err == nil) {
			t.Errorf("%q: error %v", text, err)
		} else if !torn && string(golden.Read(t, out)) != text {
			t.Errorf("%q became %q", text, golden.Read(t, out))
		} else if _, err := os.Stat(out + ".lock"); !torn && err == nil {
			t.Errorf("%q: a lock was left beside it", text)
		}
		if strings.Contains(text, "\x03") && !strings.Contains(err.Error(), "version 3") {
			t.Errorf("a record of version 3: %v", err)
		}
	}
}

// TestCut says what it ignores, and counts the games before. It cuts that off only
// when it has a game to write.
func TestCut(t *testing.T) {
	out := filepath.Join(t.TempDir(), "games")
	want := play(t, out, "--games 4")
	if err := os.WriteFile(out, want[:len(want)-9], 0o666); err != nil {
		t.Fatal(err)
	}
	torn := golden.Read(t, out)
	for _, args := range []string{"--games 4 --nodes 7", "--games 3", "--games 2"} {
		if text, err := run(t.Context(), out, args); (err != nil) != strings.Contains(args, "nodes") || !bytes.Equal(golden.Read(t, out), torn) {
			t.Errorf("%s: the record was changed, error %v, output %q", args, err, text)
		}
	}
	text, err := run(t.Context(), out, "--games 4")
	if err != nil || !bytes.Equal(golden.Read(t, out), want) {
		t.Errorf("the record was continued to another one, error %v", err)
	}
	if !strings.Contains(text, " bytes of an unfinished game after game 3\n") || !strings.Contains(text, "4 of 4 games") {
		t.Errorf("output %q", text)
	}
	black, drawn, white := 0, 0, 0
	_, games := read(t, want)
	for _, g := range games {
		switch g.Result {
		case 1:
			black++
		case 0:
			drawn++
		default:
			white++
		}
	}
	var won, drew, lost int
	if _, counts, ok := strings.Cut(text, "black won "); !ok {
		t.Errorf("output %q", text)
	} else if _, err := fmt.Sscanf(counts, "%d, drew %d, lost %d", &won, &drew, &lost); err != nil || won != black || drew != drawn || lost != white {
		t.Errorf("output %q, want all games counted: %d, %d and %d", text, black, drawn, white)
	}
}

// TestEnough says so when there are as many games as asked for, or more.
func TestEnough(t *testing.T) {
	out := filepath.Join(t.TempDir(), "games")
	want := play(t, out, "--games 3")
	for args, say := range map[string]string{
		"--games 3": "already has 3 games: black",
		"--games 2": "already has 3 games, more than --games 2: black",
	} {
		text, err := run(t.Context(), out, args)
		if err != nil || !strings.Contains(text, say) {
			t.Errorf("%s: output %q, error %v", args, text, err)
		}
	}
	if !bytes.Equal(golden.Read(t, out), want) {
		t.Error("the record was changed")
	}
}

// TestInterrupt interrupts a run and lets the same command go on.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	want := play(t, filepath.Join(dir, "whole"), "--games 12")
	out := filepath.Join(dir, "games")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for ctx.Err() == nil { // until there is a game
			if info, err := os.Stat(out); err == nil && info.Size() > 1000 {
				return
			}
		}
	}()
	text, err := run(ctx, out, "--games 12 --concurrency 2")
	var coded interface{ ExitCode() int }
	if !errors.As(err, &coded) || coded.ExitCode() != 2 || !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "of 12 games; the same command goes on") || !strings.Contains(text, "of 12 games") {
		t.Errorf("error %v, output %q", err, text)
	}
	if got := golden.Read(t, out); len(got) == len(want) || !bytes.HasPrefix(want, got) {
		t.Errorf("%d bytes were recorded, %d are all", len(got), len(want))
	}
	if _, err := run(t.Context(), out, "--games 12"); err != nil || !bytes.Equal(golden.Read(t, out), want) {
		t.Errorf("the record went on to another one, error %v", err)
	}
}

func TestLocked(t *testing.T) {
	out := filepath.Join(t.TempDir(), "games")
	settings, _ := read(t, play(t, out, "--games 1"))
	r, err := openRecord(out, settings, func(*replay.Game) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(t.Context(), out, "--games 2"); !errors.Is(err, jsonl.ErrLocked) || !strings.Contains(err.Error(), out) {
		t.Errorf("a second writer: %v", err)
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t.Context(), out, "--games 2"); err != nil {
		t.Errorf("after the first has gone: %v", err)
	}
}

// A fullDisk takes so many bytes more.
type fullDisk struct {
	file
	left int
}

func (f *fullDisk) Write(p []byte) (int, error) {
	if len(p) > f.left {
		n, _ := f.file.Write(p[:f.left])
		return n, syscall.ENOSPC
	}
	f.left -= len(p)
	return f.file.Write(p)
}

// TestFullDisk lets the disk get full: the games before are whole.
func TestFullDisk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "games")
	want := play(t, name, "--games 3")
	settings, games := read(t, want)
	for room := 0; room < 3*1000; room += 100 {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		r, err := openRecord(name, settings, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.file = &fullDisk{r.file, room}
		for _, g := range games {
			if err = r.add(g); err != nil {
				break
			}
		}
		if !errors.Is(err, syscall.ENOSPC) && room+100 < len(want)-100 {
			t.Fatalf("room for %d bytes: error %v", room, err)
		}
		if err := r.close(); err != nil {
			t.Fatal(err)
		}
		got := golden.Read(t, name)
		if !bytes.HasPrefix(want, got) {
			t.Fatalf("room for %d bytes: the record is not the beginning of the whole one", room)
		}
		if _, whole := read(t, got); len(whole) != r.games { // read fails for half a game
			t.Fatalf("%d games, want %d", len(whole), r.games)
		}
	}
}
