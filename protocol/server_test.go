package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kumiko/engine"
	"kumiko/engine/board"
)

// A fakeEngine plays any legal move after some time, or does what its
// functions say.
type fakeEngine struct {
	delay  time.Duration
	search func(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result
	swap2  func(b *board.Board) engine.Swap2Answer
	reset  func()
	set    func()

	mu          sync.Mutex // of requests, which tests read
	requests    []engine.Request
	memory      []int64
	threads     []int
	evaluations []engine.Evaluation
	searches    []engine.Search
}

func (e *fakeEngine) Search(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result {
	e.mu.Lock()
	e.requests = append(e.requests, req)
	e.mu.Unlock()
	if e.search != nil {
		return e.search(ctx, req, report)
	}
	m := anyLegal(req.Board)
	report(engine.Info{Depth: 1, Nodes: 1, PV: []board.Move{m}})
	if e.delay > 0 && req.Limits.Turn != 0 {
		select {
		case <-ctx.Done():
		case <-time.After(e.delay):
		}
	}
	return engine.Result{Move: m, Depth: 2, Nodes: 10, PV: []board.Move{m}}
}

func (e *fakeEngine) Swap2(ctx context.Context, b *board.Board, l engine.Limits) engine.Swap2Answer {
	switch {
	case e.swap2 != nil:
		return e.swap2(b)
	case b.Stones() == 0:
		return engine.Swap2Answer{Moves: []board.Move{board.Pt(0, 0), board.Pt(1, 1), board.Pt(2, 2)}}
	}
	return engine.Swap2Answer{Swap: true}
}

func (e *fakeEngine) Reset() {
	if e.reset != nil {
		e.reset()
	}
}

func (e *fakeEngine) SetMemory(bytes int64) {
	e.memory = append(e.memory, bytes)
	if e.set != nil {
		e.set()
	}
}

func (e *fakeEngine) SetThreads(n int) { e.threads = append(e.threads, n) }

func (e *fakeEngine) SetEvaluation(v engine.Evaluation) { e.evaluations = append(e.evaluations, v) }

func (e *fakeEngine) SetSearch(v engine.Search) { e.searches = append(e.searches, v) }

// anyLegal returns a legal move, the next after a random point.
func anyLegal(b *board.Board) board.Move {
	points := b.Width() * b.Height()
	start := rand.IntN(points)
	for i := range points {
		p := (start + i) % points
		if m := board.Pt(p%b.Width(), p/b.Width()); b.Legal(m) {
			return m
		}
	}
	return board.NoMove
}

// dialogue sends lines and expects others, each "> " or "< " and a pattern of
// the transcripts.
func dialogue(t *testing.T, s *session, lines string) {
	t.Helper()
	p := &player{session: s, t: t, vars: map[string]string{}}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		verb, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if err := p.step(step{verb: verb, text: text}); err != nil {
			t.Fatalf("%s %s: %v", verb, text, err)
		}
	}
}

// newFaultySession is newSession for engines that are expected to panic.
func newFaultySession(t *testing.T, e Engine) (*session, *int) {
	faults := 0
	s := newSession(t, e)
	s.recovered = func(fault any, stack []byte) { faults++ }
	return s, &faults
}

// Whatever the engine returns, the reply is legal.
func TestIllegalAnswers(t *testing.T) {
	for _, m := range []board.Move{board.NoMove, board.Pt(7, 7), board.Pt(15, 3), board.Pt(3, 15), 0xFFFE, 1024} {
		e := &fakeEngine{search: func(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result {
			return engine.Result{Move: m, PV: []board.Move{m}}
		}}
		dialogue(t, newSession(t, e), `
			> START 15
			< OK
			> TURN 7,7
			< not 7,7
			> BEGIN
			< MOVE
			> END
			exit 1s`)
	}
}

// Where the engine's move will not do, the line it reported last may.
func TestReportedMoveServes(t *testing.T) {
	e := &fakeEngine{search: func(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result {
		report(engine.Info{PV: []board.Move{board.Pt(3, 4)}})
		report(engine.Info{PV: []board.Move{board.Pt(5, 6)}, PVIndex: 1})
		report(engine.Info{})
		report(engine.Info{PV: []board.Move{board.Pt(9, 8)}})
		return engine.Result{Move: board.NoMove}
	}}
	dialogue(t, newSession(t, e), `
		> START 15
		< OK
		> BEGIN
		< 9,8`)
}

// A forbidden point is played only if there is nothing else.
func TestForbiddenAnswers(t *testing.T) {
	e := &fakeEngine{search: func(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result {
		return engine.Result{Move: board.Pt(7, 7)}
	}}
	dialogue(t, newSession(t, e), `
		> INFO rule 4
		> START 15
		< OK
		>| BOARD 6,7,1 0,0,2 8,7,1 0,2,2 7,6,1 0,4,2 7,8,1 0,6,2 DONE
		< not 7,7
		>| BOARD 6,7,2 0,0,1 8,7,2 0,2,1 7,6,2 0,4,1 7,8,2 DONE
		< 7,7`)
}

func TestPanics(t *testing.T) {
	fail := func() { panic("on purpose") }
	var failAll atomic.Bool
	failIfAll := func() {
		if failAll.Load() {
			fail()
		}
	}
	e := &fakeEngine{
		reset: failIfAll,
		set:   failIfAll,
		search: func(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result {
			fail()
			return engine.Result{}
		},
		swap2: func(b *board.Board) engine.Swap2Answer {
			fail()
			return engine.Swap2Answer{}
		},
	}
	s, faults := newFaultySession(t, e)
	dialogue(t, s, `
		> START 15
		< OK
		> BEGIN
		< MOVE
		> TURN 14,14
		< MOVE
		>| BOARD 0,0,1 1,1,2 DONE
		< not 0,0 1,1
		> SWAP2BOARD
		> DONE
		< /^\d+,\d+ \d+,\d+ \d+,\d+$/
		>| SWAP2BOARD 0,0 1,0 2,0 DONE
		< MOVE`)
	failAll.Store(true)
	dialogue(t, s, `
		> BEGIN
		< MOVE
		> YXHASHCLEAR
		> RESTART
		< OK
		> START 15
		< OK
		> INFO max_memory 1000000
		> INFO thread_num 2
		> TURN 7,7
		< MOVE
		> END
		exit 1s`)
	if *faults != 13 {
		t.Errorf("%d faults were told of", *faults)
	}
}

// A panic in Run's own goroutine costs no reply either.
func TestOwnFaults(t *testing.T) {
	var out strings.Builder
	c := controller{Server: Server{Engine: &fakeEngine{}}, out: newOutlet(&out, newInbox())}
	c.handle(line{text: "START 5"})
	c.handle(line{text: "PLAY 0,0"})
	fault := func(d debt) string {
		out.Reset()
		func() {
			defer c.recoverDebt()
			c.debt = d
			panic("on purpose")
		}()
		return out.String()
	}
	if got := fault(oweNothing); got != "" {
		t.Errorf("got %q, owing nothing", got)
	}
	if got := fault(oweLine); !strings.HasPrefix(got, "ERROR ") {
		t.Errorf("got %q, owing a line", got)
	}
	for i := 1; i < 25; i++ {
		if got, want := fault(oweMove), fmt.Sprintf("%d,%d\n", i%5, i/5); got != want || c.game.board.Stones() != i+1 {
			t.Errorf("got %q, owing a move, want %q", got, want)
		}
	}
	if got := fault(oweMove); got != "ERROR board full\n" {
		t.Errorf("got %q on a full board", got)
	}
	c.game = nil
	if got := fault(oweMove); !strings.HasPrefix(got, "ERROR ") {
		t.Errorf("got %q without a board", got)
	}
}

// However stops and answers race, each request gets one move.
func TestOneMoveOnly(t *testing.T) {
	e := &fakeEngine{delay: 200 * time.Microsecond}
	s := newSession(t, e)
	dialogue(t, s, `
		> START 20
		< OK`)
	for i := range 150 {
		s.send(fmt.Sprintf("TURN %d,%d\n", i%20, i/20))
		if s.ref.occupied[point{i % 20, i / 20}] {
			s.next(patience)
			continue
		}
		time.Sleep(time.Duration(rand.IntN(400)) * time.Microsecond)
		s.send([]string{"STOP\n", "INFO timeout_turn 0\n", "YXSTOP\nSTOP\n", "INFO timeout_turn 0\nSTOP\nINFO timeout_turn 1000\n"}[i%4])
		s.next(patience)
	}
	s.silent(20 * time.Millisecond)
	s.send("END\n")
	if err := s.exit(time.Second); err != nil {
		t.Error(err)
	}
}

// A manager that sends and sends during a search is made to wait, then served.
func TestFlood(t *testing.T) {
	e := &fakeEngine{delay: time.Hour}
	s := newSession(t, e)
	dialogue(t, s, `
		> START 15
		< OK
		> TURN 7,7`)
	const lines = 30000
	flood := strings.Repeat("INFO folder "+strings.Repeat("x", 200)+"\nABOUT\n", lines)
	go io.WriteString(s.in, flood)
	for range lines {
		s.ref.sent("ABOUT\n")
	}
	s.sentAt = time.Now()
	for range lines + 1 {
		s.next(patience)
	}
	s.send("END\n")
	if err := s.exit(time.Second); err != nil {
		t.Error(err)
	}
}

// The clock runs from when the line was read, even if it had to wait.
func TestClockStart(t *testing.T) {
	e := &fakeEngine{delay: 100 * time.Millisecond}
	s := newSession(t, e)
	before := time.Now()
	s.send("START 15\nTURN 7,7\nTURN 0,0\n")
	for range 3 {
		s.next(patience)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, r := range e.requests {
		if d := r.Limits.Start.Sub(before); d > 90*time.Millisecond {
			t.Errorf("clock of request %d starts after %v", i+1, d)
		}
	}
}

func TestEngineIsConfigured(t *testing.T) {
	e := &fakeEngine{}
	dialogue(t, newSession(t, e), `
		> INFO max_memory 1000000
		> START 15
		< OK
		> INFO thread_num 2
		> BEGIN
		< MOVE
		> BEGIN
		< MOVE
		> INFO max_memory 0
		> INFO max_memory 367001600
		> INFO max_node 77
		> INFO evaluator tables
		> INFO evaluator tables
		> INFO evaluator none
		> INFO Evaluator NET
		> INFO search puct
		> INFO search none
		> INFO search_type ALPHABETA
		> INFO Search_Type mcts
		> YXNBEST 4
		< MOVE
		> END
		exit 1s`)
	// While it is idle, it is told at once.
	if !slices.Equal(e.memory, []int64{1000000, 0, 367001600}) || !slices.Equal(e.threads, []int{2}) {
		t.Errorf("memory %v, threads %v", e.memory, e.threads)
	}
	if want := []engine.Evaluation{engine.ByTables, engine.ByNet}; !slices.Equal(e.evaluations, want) {
		t.Errorf("evaluators %v, want %v", e.evaluations, want)
	}
	if want := []engine.Search{engine.PUCT, engine.AlphaBeta, engine.PUCT}; !slices.Equal(e.searches, want) {
		t.Errorf("searches %v, want %v", e.searches, want)
	}
	if r := e.requests[2]; r.MultiPV != 4 || r.Limits.Nodes != 77 {
		t.Errorf("request %+v", r)
	}
}

// Yixin-Board, which begins with yxshowinfo in lower case, writes row,column, and so
// does whoever asks for it; the last word counts.
func TestRowColumn(t *testing.T) {
	for _, begin := range []string{
		"yxshowinfo\n", "INFO coordinates row,column\n",
		"INFO coordinates column,row\nyxshowinfo\n", "info COORDINATES Row,Column\nINFO coordinates x,y\nYXSHOWINFO\n",
	} {
		in, w := io.Pipe()
		var out strings.Builder
		e := &fakeEngine{search: func(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result {
			if req.Board.Empty(board.Pt(12, 3)) {
				t.Error("the stone of 3,12 is not in column 12, row 3")
			}
			return engine.Result{Move: board.Pt(14, 1)}
		}}
		s := Server{Engine: e}
		done := make(chan error)
		go func() { done <- s.Run(context.Background(), in, &out) }()
		io.WriteString(w, begin+"START 15 10\nINFO rule 4\nBOARD 3,12,2 9,0,1 8,0,2 DONE\n")
		time.Sleep(50 * time.Millisecond)
		io.WriteString(w, "TURN 9,14\n")
		time.Sleep(50 * time.Millisecond)
		io.WriteString(w, "TAKEBACK 9,14\nYXBOARD 2,3,1 2,4,1 3,2,1 4,2,1 DONE\nYXSHOWFORBID\nEND\n")
		if err := <-done; err != nil {
			t.Error(err)
		}
		want := "OK\n1,14\n0,0\nOK\nFORBID 0202.\n"
		if got := regexp.MustCompile("(?m)^MESSAGE INFO .*\n").ReplaceAllString(out.String(), ""); got != want {
			t.Errorf("%q: got %q, want %q", begin, got, want)
		}
	}
}

// Run returns why it ended, and ends whatever the engine is doing.
func TestRunEnds(t *testing.T) {
	thinking := "START 15\nTURN 7,7\n"
	broken := errors.New("broken")
	tests := []struct {
		name string
		in   io.Reader
		out  io.Writer
		want error
	}{
		{"END", strings.NewReader("START 15\nEND\nSTART 20\n"), io.Discard, nil},
		{"END while thinking", strings.NewReader(thinking + "END\n"), io.Discard, nil},
		{"EOF", strings.NewReader("START 15\n"), io.Discard, nil},
		{"EOF while thinking", strings.NewReader(thinking), io.Discard, nil},
		{"read error", io.MultiReader(strings.NewReader(thinking), failing{broken}), io.Discard, broken},
		{"write error", strings.NewReader("START 15\nABOUT\n"), failing{broken}, broken},
	}
	for _, test := range tests {
		start := time.Now()
		err := Run(context.Background(), test.in, test.out, &fakeEngine{delay: time.Hour})
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
		if d := time.Since(start); d > 400*time.Millisecond {
			t.Errorf("%s: took %v", test.name, d)
		}
	}
}

func TestRunEndsWithContext(t *testing.T) {
	in, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := Run(ctx, in, io.Discard, &fakeEngine{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// failing fails in reading and writing.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A move comes with one MESSAGE, or none if it might be late.
func TestSummary(t *testing.T) {
	now := time.Now()
	result := engine.Result{Depth: 12, SelDepth: 18, Score: 34, Nodes: 123456, Time: 500 * time.Millisecond,
		PV: []board.Move{board.Pt(7, 7), board.Pt(8, 8)}}
	usual := engine.Limits{Start: now, Turn: time.Minute, Left: engine.NoLimit}
	s := search{limits: usual}
	if got, want := s.summary(result), "MESSAGE depth 12-18 ev 34 n 123456 n/s 246912 tm 500 pv h8 i9"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	long := result
	long.PV = slices.Repeat(long.PV, 200)
	if got := s.summary(long); len(got) > 240 || len(got) < 236 {
		t.Errorf("message of %d bytes", len(got))
	}
	quiet := []search{
		{limits: usual, stopped: true},
		{limits: engine.Limits{Start: now, Turn: 0, Left: engine.NoLimit}},
		{limits: engine.Limits{Start: now, Turn: -1, Left: 900 * time.Millisecond}},
		{limits: engine.Limits{Start: now, Turn: time.Minute, Left: -1}},
		{limits: engine.Limits{Start: now.Add(-time.Second), Turn: time.Second, Left: engine.NoLimit}},
	}
	for _, s := range quiet {
		if got := s.summary(result); got != "" {
			t.Errorf("%+v: %q", s.limits, got)
		}
	}
	if got := s.summary(engine.Result{}); got != "" {
		t.Errorf("for a move without thought: %q", got)
	}
}

func TestSwap2Replies(t *testing.T) {
	pts := func(xy ...int) (m []board.Move) {
		for i := 0; i < len(xy); i += 2 {
			m = append(m, board.Pt(xy[i], xy[i+1]))
		}
		return m
	}
	tests := []struct {
		stones int
		answer engine.Swap2Answer
		want   string
	}{
		{0, engine.Swap2Answer{Moves: pts(7, 7, 8, 8, 9, 9)}, "7,7 8,8 9,9"},
		{0, engine.Swap2Answer{Swap: true}, "0,0 1,0 2,0"},
		{0, engine.Swap2Answer{Moves: pts(7, 7)}, "0,0 1,0 2,0"},
		{0, engine.Swap2Answer{Moves: pts(7, 7, 7, 7, 20, 20)}, "7,7 0,0 1,0"},
		{3, engine.Swap2Answer{Swap: true}, "SWAP"},
		{3, engine.Swap2Answer{Moves: pts(7, 7)}, "7,7"},
		{3, engine.Swap2Answer{Moves: pts(7, 7, 8, 8)}, "7,7 8,8"},
		{3, engine.Swap2Answer{Moves: pts(7, 7, 8, 8, 9, 9)}, "3,0"},
		{3, engine.Swap2Answer{Moves: pts(0, 0)}, "3,0"},
		{3, engine.Swap2Answer{}, "3,0"},
		{5, engine.Swap2Answer{Swap: true}, "SWAP"},
		{5, engine.Swap2Answer{Moves: pts(7, 7)}, "7,7"},
		{5, engine.Swap2Answer{Moves: pts(7, 7, 8, 8)}, "5,0"},
		{5, engine.Swap2Answer{Moves: []board.Move{board.NoMove}}, "5,0"},
	}
	for _, test := range tests {
		g, err := newGame(15, 15, board.Standard)
		if err != nil {
			t.Fatal(err)
		}
		for x := range test.stones {
			g.play(board.Pt(x, 0), false)
		}
		var c controller
		if got := c.swap2Reply(g, test.answer); got != test.want {
			t.Errorf("%d stones, %+v: %q, want %q", test.stones, test.answer, got, test.want)
		}
	}
}
