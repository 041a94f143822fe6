package protocol

import (
	"bufio"
	"bytes"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// floodLimit is the memory limit of the processes that are flooded, all that
// waits included.
const floodLimit = 32 << 20

// flooded starts a process, without a session, as that could not keep up with
// a flood. It is idle after the commands of text, or searches.
func flooded(t *testing.T, text string) (cmd *exec.Cmd, in io.WriteCloser, out io.Reader) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(path)
	if in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	io.WriteString(in, "START 15\nINFO max_memory 33554432\nINFO timeout_turn 60000\n"+text)
	time.Sleep(100 * time.Millisecond)
	return cmd, in, out
}

// mostMemory measures a process until stop is closed or it ends.
func mostMemory(pid int, stop <-chan struct{}) <-chan int64 {
	most := make(chan int64, 1)
	go func() {
		var top int64
		for {
			select {
			case <-stop:
				most <- top
				return
			case <-time.After(10 * time.Millisecond):
				n, _ := readMemory(pid)
				top = max(top, n)
			}
		}
	}()
	return most
}

// A flood of short lines while a search runs takes no more memory than long
// ones do, and every line is answered.
func TestFloodMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	t.Parallel()
	for _, size := range []int{1, 30, 100, 1000, 5000, 60_000, 1 << 19} {
		line := strings.Repeat("A", size) + "\n"
		cmd, in, out := flooded(t, "TURN 7,7\n")
		lines := min(1<<17, (24<<20)/len(line)) // TestEndsUnread has more
		if long() {
			lines *= 8
		}
		stop := make(chan struct{})
		most := mostMemory(cmd.Process.Pid, stop)
		go io.WriteString(in, strings.Repeat(line, lines)+"STOP\n")
		unknown, moves := 0, 0
		for scan := bufio.NewScanner(out); unknown < lines && scan.Scan(); {
			switch {
			case strings.HasPrefix(scan.Text(), "UNKNOWN "):
				unknown++
			case moveRE.Match(scan.Bytes()):
				moves++
			case scan.Text() != "OK" && !strings.HasPrefix(scan.Text(), "MESSAGE "):
				t.Fatalf("got %q", scan.Text())
			}
		}
		close(stop)
		n := <-most
		t.Logf("%d lines of %d bytes: %d MiB", lines, len(line), n>>20)
		if unknown != lines || moves != 1 {
			t.Errorf("%d of %d lines and %d moves are answered", unknown, lines, moves)
		}
		if n > floodLimit {
			t.Errorf("%d MiB, want %d at most", n>>20, floodLimit>>20)
		}
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// The end of the input, and END, end a process whose output nobody reads,
// however much it had still to write or to read.
func TestEndsUnread(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	for _, c := range []struct {
		name, before, text string
		end                bool // END, with the input left open
	}{
		{"idle", "", strings.Repeat("ABOUT\n", 20000), false},
		{"idle, END", "", strings.Repeat("ABOUT\n", 20000), true},
		{"searching", "TURN 7,7\n", strings.Repeat("ABOUT\n", 20000), false},
		{"more than is kept", "", strings.Repeat("A\n", 1<<20), false},
		{"more than is kept, END", "", strings.Repeat("A\n", 1<<20), true},
		{"more than is kept, searching", "TURN 7,7\n", strings.Repeat("A\n", 1<<20), false},
		{"news of a search", "", "INFO timeout_turn -1\nINFO show_detail 3\n" + strings.Repeat("YXNBEST 30\nINFO x\n", 3000), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cmd, in, _ := flooded(t, c.before)
			stop := make(chan struct{})
			most := mostMemory(cmd.Process.Pid, stop)
			if _, err := io.WriteString(in, c.text); err != nil {
				t.Fatal(err)
			}
			if c.end {
				io.WriteString(in, "END\n")
			} else {
				in.Close()
			}
			start := time.Now()
			gone := make(chan error, 1)
			go func() { _, err := cmd.Process.Wait(); gone <- err }()
			select {
			case err := <-gone:
				if err != nil {
					t.Error(err)
				}
				t.Logf("gone after %v", time.Since(start))
			case <-time.After(3*time.Second + *slackFlag):
				t.Error("still there")
			}
			close(stop)
			if n := <-most; n > floodLimit {
				t.Errorf("%d MiB, want %d at most", n>>20, floodLimit>>20)
			}
		})
	}
}

// A manager that reads late loses what was more than is kept, and is told.
func TestUnreadLines(t *testing.T) {
	t.Parallel()
	in, w := io.Pipe()
	r, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- (&Server{Engine: &fakeEngine{}}).Run(t.Context(), in, out) }()
	const lines = 1 << 19
	io.WriteString(w, strings.Repeat("A\n", lines)) // returns only if lines are dropped
	unknown, lost := 0, 0
	for scan := bufio.NewScanner(r); scan.Scan() && !bytes.HasPrefix(scan.Bytes(), []byte("name=")); {
		switch text := scan.Text(); {
		case strings.HasPrefix(text, "ERROR "):
			lost += integers(text)[0]
			go io.WriteString(w, "ABOUT\n")
		default:
			unknown++
		}
	}
	if unknown+lost != lines || lost == 0 || unknown < maxWaiting/100 {
		t.Errorf("%d lines answered and %d lost of %d", unknown, lost, lines)
	}
	w.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
