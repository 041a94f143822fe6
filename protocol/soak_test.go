package protocol

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

var soakFlag = flag.Duration("soak", 1500*time.Millisecond, "how long to send random commands")

// TestSoak sends random commands, sensible and not, patiently and not, and
// has the referee judge every line that comes back.
func TestSoak(t *testing.T) {
	before := runtime.NumGoroutine()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	servers := map[string]func(t testing.TB) *session{
		"fake":    func(t testing.TB) *session { return newSession(t, &fakeEngine{delay: 300 * time.Microsecond}) },
		"engine":  func(t testing.TB) *session { return newSession(t, newEngine()) },
		"process": newProcess,
	}
	for name, start := range servers {
		t.Run(name, func(t *testing.T) {
			soak(t, start(t), rand.New(rand.NewPCG(seed, 0)), *soakFlag/time.Duration(len(servers)))
		})
	}
	// Sessions of this process have ended; their goroutines must be gone.
	for end := time.Now().Add(2 * time.Second); runtime.NumGoroutine() > before+4; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before,
				stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// soak sends random commands for some time.
func soak(t *testing.T, s *session, rng *rand.Rand, d time.Duration) {
	m := monkey{rng}
	var sent []string // for a look at what went wrong
	defer func() {
		if t.Failed() {
			t.Logf("sent last: %.3000q", strings.Join(sent[max(0, len(sent)-8):], ""))
		}
	}()
	send := func(text string) {
		sent = append(sent, text)
		s.send(text)
	}
	send("INFO timeout_turn 3\nSTART 15\n")
	for end := time.Now().Add(d); time.Now().Before(end); {
		for range 1 + rng.IntN(4) {
			send(m.command())
		}
		if rng.IntN(4) == 0 {
			time.Sleep(time.Duration(rng.IntN(3000)) * time.Microsecond)
			send(m.pick("STOP\n", "YXSTOP\r\n", "INFO timeout_turn 0\n", "\n"))
		}
		if rng.IntN(8) > 0 {
			for len(s.ref.due) > 0 {
				s.next(patience)
			}
		}
	}
	send("\nDONE\n") // in case a block is open
	for len(s.ref.due) > 0 {
		s.next(patience)
	}
	send("END\n")
	if err := s.exit(2 * time.Second); err != nil {
		t.Error(err)
	}
	t.Logf("%d requests, %d moves", s.ref.requests, s.ref.moves)
}

// A monkey knows all the commands and no protocol.
type monkey struct{ *rand.Rand }

func (m monkey) pick(of ...string) string { return of[m.IntN(len(of))] }

// point returns a point that mostly is on boards of usual sizes.
func (m monkey) point() string {
	if m.IntN(20) == 0 {
		return m.pick("-1,0", "0,-1", "15,15", "99,99", "x,y", "7", "2147483648,1")
	}
	return fmt.Sprintf("%d,%d", m.IntN(15), m.IntN(15))
}

// command returns one command with the end of its line.
func (m monkey) command() string {
	end := m.pick("\n", "\n", "\n", "\r\n", "\r", "\n\r\n", " \t\n")
	switch m.IntN(16) {
	case 0:
		if m.IntN(3) > 0 {
			return "RESTART" + end
		}
		return m.pick("START 15", "start 5", "START 20", "START 15 8", "RECTSTART 9, 20", "START 32",
			"START 3", "START", "RECTSTART 7", "START 99999999999") + end
	case 1, 2, 3, 4:
		return "TURN " + m.point() + end
	case 5:
		return "BEGIN" + end
	case 6, 7:
		return m.block("BOARD", m.IntN(40), end)
	case 8:
		return m.block("YXBOARD", m.IntN(240), end)
	case 9:
		return m.block("SWAP2BOARD", m.IntN(6), end)
	case 10:
		return "TAKEBACK " + m.point() + end
	case 11:
		return m.pick("PLAY ", "play ") + m.point() + end
	case 12, 13:
		return m.info() + end
	case 14:
		return m.pick("YXNBEST 3", "yxnbest 1", "YXSHOWFORBID", "YXHASHCLEAR", "yxshowinfo", "ABOUT",
			"STOP", "DONE", "YXBLOCK 1,1 2,2 DONE", "YXQUERYDATABASEALL\n1,1\nDONE", "YXHASHDUMP\nsome file") + end
	}
	return m.pick("", "   ", "FOO", "7,7", "1 2 3", "😀", "\x00\x00", "MESSAGE hi", "OK", "ERROR", "SUGGEST 1,1",
		strings.Repeat("long ", 1000), "\xff\xfe\xfd", "TURN", "BOARD7,7,1") + end
}

// block returns a block of n lines, sometimes all on one.
func (m monkey) block(word string, n int, end string) string {
	sep := end
	if m.IntN(4) == 0 {
		sep = " "
	}
	var b strings.Builder
	b.WriteString(word + sep)
	swap2 := word == "SWAP2BOARD"
	for range n {
		b.WriteString(fmt.Sprintf("%d,%d", m.IntN(15), m.IntN(15)))
		if !swap2 || m.IntN(3) == 0 {
			b.WriteString(m.pick(",1", ",2", ",1", ",2", ",1", ",2", ",3"))
		}
		b.WriteString(sep)
		if m.IntN(50) == 0 && !swap2 {
			b.WriteString(m.pick("99,99,1", "x", "-1,0,2", ",,") + sep)
		}
	}
	if m.IntN(40) == 0 {
		return b.String() + "\n" // never done
	}
	return b.String() + m.pick("DONE", "done") + end
}

// info returns an INFO line that never makes a search long.
func (m monkey) info() string {
	return "INFO " + m.pick(
		fmt.Sprintf("timeout_turn %d", m.IntN(5)),
		fmt.Sprintf("time_left %d", m.IntN(5000)-500),
		fmt.Sprintf("rule %d", m.IntN(16)),
		fmt.Sprintf("max_node %d", m.IntN(3000)-500),
		fmt.Sprintf("max_depth %d", m.IntN(8)-2),
		"time_left 2147483647", "timeout_match 0", "timeout_match 1000", "max_memory 50000000", "game_type 1",
		"max_memory 0", "folder /tmp/a b", "foo bar", "", "rule", "rule x", "evaluate 1,1", "thread_num 1",
		"show_detail 3", "show_detail 0", "hash_size 4096", "timeout_turn", "timeout_turn x")
}

var replyRE = regexp.MustCompile(`^(OK|SWAP|ERROR .+|UNKNOWN .+|MESSAGE .+|INFO .+|name=".*|` +
	`\d+,\d+( \d+,\d+){0,2}|FORBID (\d{4})*\.)$`)

// FuzzServer sends anything at all: every line that comes back must be some
// reply, and the end must come.
func FuzzServer(f *testing.F) {
	for _, text := range []string{
		"START 15\nBEGIN\n", "START 20\r\nINFO rule 4\r\nBOARD\r\n7,7,1\r\n8,8,2\r\nDONE\r\n",
		"START 15 15\nTURN 7,7\nTAKEBACK 7,7\nSTOP\nTURN 7,7\n", "RECTSTART 5,9\nSWAP2BOARD\nDONE\nRESTART\n",
		"START 5\nSWAP2BOARD 0,0 1,1 2,2 DONE\nINFO timeout_turn 0\nPLAY 4,4\nYXSHOWFORBID\n",
		"INFO show_detail 3\nSTART 7\nYXBOARD 1,1,3 2,2,1 DONE\nYXNBEST 2\nINFO rule 2\nYXBLOCK\n1,1\nDONE\nEND\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		in, w := io.Pipe()
		out := replyChecker{t, make(chan struct{}, 1)}
		server := Server{Engine: &fakeEngine{}, Recovered: func(fault any, stack []byte) {
			t.Errorf("recovered from %v\n%s", fault, stack)
		}}
		done := make(chan error, 1)
		go func() {
			done <- server.Run(context.Background(), in, out)
			in.Close()
		}()
		w.Write(input)
		// The next line ends a block and the one after it is answered when
		// all before are.
		io.WriteString(w, "\nDONE\nABOUT\n")
		deadline := time.After(20 * time.Second)
		select {
		case <-out.about:
			w.Close()
		case err := <-done:
			done <- err
		case <-deadline:
			t.Fatal("hangs")
		}
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-deadline:
			t.Fatal("does not end")
		}
	})
}

// A replyChecker judges lines by their looks alone.
type replyChecker struct {
	t     *testing.T
	about chan struct{}
}

func (c replyChecker) Write(p []byte) (int, error) {
	text, ok := strings.CutSuffix(string(p), "\n")
	if !ok || !replyRE.MatchString(text) {
		c.t.Errorf("invalid reply %q", p)
	}
	if strings.HasPrefix(text, "name=") {
		select {
		case c.about <- struct{}{}:
		default:
		}
	}
	return len(p), nil
}
