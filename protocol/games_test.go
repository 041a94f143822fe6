package protocol

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
)

// move sends a request and returns the answer, a move within a limit.
func (s *session) move(request string, within time.Duration) string {
	s.tb.Helper()
	s.send(request)
	return s.next(within)
}

// TestGames plays whole games, as the organisers do with what is submitted to
// them: from b2 e2 e3, white to move.
func TestGames(t *testing.T) {
	for _, g := range []struct {
		size int
		code int // of INFO rule
	}{{15, 0}, {20, 0}, {15, 1}, {15, 4}, {15, 8}, {15, 9}} {
		t.Run(fmt.Sprintf("%dx%d rule %d", g.size, g.size, g.code), func(t *testing.T) {
			t.Parallel()
			rule, _ := board.RuleOfCode(g.code)
			b, err := board.New(g.size, g.size, rule)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"b2", "e2", "e3"} {
				m, err := board.ParseMove(name)
				if err != nil {
					t.Fatal(err)
				}
				b.Place(m)
			}
			playGame(t, b, g.code)
		})
	}
}

// playGame lets two processes finish a game.
func playGame(t *testing.T, b *board.Board, code int) {
	var players [2]*session
	for i := range players {
		players[i] = newProcess(t)
		if got := players[i].move(fmt.Sprintf("INFO timeout_turn 20\nINFO rule %d\nSTART %d\n", code, b.Width()), patience); got != "OK" {
			t.Fatalf("got %q", got)
		}
	}
	request := func(p *session) string { return "TURN " + wirePoint(b.Last()) + "\n" }
	begun := [2]bool{}
	for !b.Full() {
		side := b.Side()
		text := request(players[side])
		if !begun[side] {
			begun[side] = true
			text = boardBlock(b.History())
		}
		reply := players[side].move(text, patience)
		n := integers(reply)
		if len(n) != 2 || !moveRE.MatchString(reply) {
			t.Fatalf("%v answers %q to %q", side, reply, text)
		}
		m := board.Pt(n[0], n[1])
		if !b.Legal(m) && legalMoves(b) > 0 {
			t.Fatalf("%v plays %v, which is not legal:\n%v", side, m, b)
		}
		b.Place(m)
		if b.Five() != nil {
			t.Logf("%v wins with move %d", side, b.Ply())
			break
		}
	}
	for _, p := range players {
		p.send("END\n")
		if err := p.exit(time.Second); err != nil {
			t.Error(err)
		}
	}
}

// boardBlock returns a BOARD block for whom it is to move after some moves.
func boardBlock(moves []board.Move) string {
	var b strings.Builder
	b.WriteString("BOARD\n")
	for i, m := range moves {
		fmt.Fprintf(&b, "%s,%d\n", wirePoint(m), 2-(len(moves)-i+1)%2)
	}
	b.WriteString("DONE\n")
	return b.String()
}

func wirePoint(m board.Move) string { return fmt.Sprintf("%d,%d", m.X(), m.Y()) }

func legalMoves(b *board.Board) int {
	n := 0
	for y := range b.Height() {
		for x := range b.Width() {
			if b.Legal(board.Pt(x, y)) {
				n++
			}
		}
	}
	return n
}

// quietMoves returns an order in which to fill a board so that nobody ever
// has more than a few in a row.
func quietMoves(rng *rand.Rand, size int) []board.Move {
	var cells [2][]board.Move
	for y := range size {
		for x := range size {
			c := (x + 2*y) % 4 / 2
			cells[c] = append(cells[c], board.Pt(x, y))
		}
	}
	for _, c := range cells {
		rng.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
	}
	var moves []board.Move
	for i := range min(len(cells[0]), len(cells[1])) {
		moves = append(moves, cells[0][i], cells[1][i])
	}
	return moves
}

// TestMatchClock is vector t10: the time of a match suffices for a long game,
// and no move takes longer than a turn may.
func TestMatchClock(t *testing.T) {
	match, turn := 3*time.Second, 2*time.Second
	if long() {
		match, turn = 180*time.Second, 30*time.Second
	}
	s := newProcess(t)
	s.move("START 15\n", patience)
	s.send(fmt.Sprintf("INFO timeout_turn %d\nINFO timeout_match %d\n", turn.Milliseconds(), match.Milliseconds()))
	moves := quietMoves(rand.New(rand.NewPCG(1, 2)), 15)
	left := match
	for k := range 100 {
		s.send(fmt.Sprintf("INFO time_left %d\n", left.Milliseconds()))
		start := time.Now()
		s.move(boardBlock(moves[:2*k]), turn)
		left -= time.Since(start)
	}
	t.Logf("%v of %v used", match-left, match)
	if left < -*slackFlag {
		t.Errorf("%v of %v used", match-left, match)
	}
}

// TestThreads is record B34: many moves with any number of threads.
func TestThreadNumbers(t *testing.T) {
	moves := quietMoves(rand.New(rand.NewPCG(3, 4)), 15)
	count := 20
	if long() {
		count = 100
	}
	for _, threads := range []int{1, 2, 8} {
		s := newProcess(t)
		s.move(fmt.Sprintf("START 15\nINFO thread_num %d\nINFO timeout_turn 20\n", threads), patience)
		late := 0
		for k := range count {
			start := time.Now()
			s.move(boardBlock(moves[:2*k]), patience)
			if time.Since(start) > 20*time.Millisecond+*slackFlag {
				late++
			}
		}
		if late > count/10 {
			t.Errorf("%d threads: %d of %d moves late", threads, late, count)
		}
	}
}

// TestMemory is vector t12 and record B30: many games in one process do not
// take more and more memory, nor ever more than they may.
func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	// A small limit, so that the tables are full long before half of the games.
	const limit = 32 << 20
	games, moves := 10, 8
	if long() {
		games, moves = 200, 20
	}
	s := newProcess(t)
	s.move("START 15\n", patience)
	s.send(fmt.Sprintf("INFO max_memory %d\nINFO timeout_turn 10\n", limit))
	rng := rand.New(rand.NewPCG(5, 6))
	var settled, most int64
	for game := range games {
		s.move("RESTART\n", patience)
		order := quietMoves(rng, 15)
		for k := range moves {
			s.move(boardBlock(order[:2*k+2]), patience)
			used := uniqueMemory(t, s.proc.Pid)
			if used > limit {
				t.Fatalf("%d MiB used in game %d", used>>20, game+1)
			}
			most = max(most, used)
		}
		if game == games/2 {
			settled = most
		}
	}
	t.Logf("%d MiB used, %d after half of the games", most>>20, settled>>20)
	if most > settled+settled/5 {
		t.Errorf("%d MiB used, but %d after half of the games", most>>20, settled>>20)
	}
}

// uniqueMemory returns the bytes that a process alone holds in memory, which
// is what tournaments measure.
func uniqueMemory(t *testing.T, pid int) int64 {
	t.Helper()
	n, err := readMemory(pid)
	if err != nil {
		t.Skip(err)
	}
	return n
}

// readMemory is uniqueMemory for any goroutine.
func readMemory(pid int) (int64, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var sum int64
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		if words := strings.Fields(scan.Text()); words[0] == "Private_Clean:" || words[0] == "Private_Dirty:" {
			n, err := strconv.ParseInt(words[1], 10, 64)
			if err != nil {
				return 0, err
			}
			sum += n << 10
		}
	}
	return sum, scan.Err()
}
