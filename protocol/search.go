package protocol

import (
	"context"
	"slices"
	"time"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/protocol/wire"
)

// maxPVs bounds the count of YXNBEST.
const maxPVs = board.MaxSize * board.MaxSize

// An answer is the result of a request to the engine.
type answer struct {
	result engine.Result      // of a move request
	swap2  engine.Swap2Answer // of SWAP2BOARD
	failed bool               // it panicked
}

// A search is a running request to the engine, in a goroutine that sends one value
// on done and ends. Only the controller prints, so each request gets one reply,
// whatever stops it.
type search struct {
	limits   engine.Limits
	deadline time.Duration // after limits.Start, NoLimit if there is none
	pvs      int
	opening  *game         // for SWAP2BOARD: the stones, apart from the game
	waited   time.Duration // from limits.Start to the start of the search
	asked    int64         // the number of lines up to the request
	cancel   context.CancelFunc
	infos    chan engine.Info
	done     chan answer
	yield    <-chan time.Time // when to stop for a waiting command; nil if none waits
	stopped  bool             // by a command
	latest   engine.Info      // of the best line
}

// launch starts f, which calls the engine, as c.search.
func (c *controller) launch(s *search, f func(ctx context.Context) answer) {
	c.safely(c.configure)
	ctx, cancel := context.WithCancel(c.ctx)
	s.cancel = cancel
	s.asked = c.in.count()
	s.waited = time.Since(s.limits.Start)
	s.infos = make(chan engine.Info, 64+2*s.pvs) // the last lines of all always fit
	s.done = make(chan answer, 1)
	s.latest.PV = nil
	c.search = s
	c.debt = oweNothing // from here on finish answers
	go func() {
		a := answer{failed: true}
		defer func() {
			c.recovered(recover())
			s.done <- a
		}()
		a = f(ctx)
	}()
}

// configure applies changes by INFO to the engine.
func (c *controller) configure() {
	if m := c.settings.memoryLimit(); m != c.memory {
		c.memory = m
		c.Engine.SetMemory(m)
	}
	if n := c.settings.threads; n != c.threads {
		c.threads = n
		c.Engine.SetThreads(int(n))
	}
	if e := c.settings.evaluation; e != c.evaluation {
		c.evaluation = e
		c.Engine.SetEvaluation(e)
	}
	if name := c.settings.search; name != c.method {
		c.method = name
		v, _ := engine.ParseSearch(name)
		c.Engine.SetSearch(v)
	}
}

// stop makes the engine answer at once.
func (s *search) stop() {
	s.stopped = true
	s.cancel()
}

// yieldAfter stops the search once it has lasted d, since a waiting command could
// otherwise wait forever.
func (s *search) yieldAfter(d time.Duration) {
	if d -= time.Since(s.limits.Start); d <= 0 {
		s.stop()
	} else if s.yield == nil {
		s.yield = time.After(d)
	}
}

// report receives lines in the engine's goroutine. If the controller falls behind,
// it drops the oldest rather than block the search.
func (s *search) report(i engine.Info) {
	i.PV = slices.Clone(i.PV)
	for {
		select {
		case s.infos <- i:
			return
		default:
		}
		select {
		case <-s.infos:
		default:
		}
	}
}

// searchMove starts the search for a move requested at the given time.
func (c *controller) searchMove(at time.Time, pvs int) {
	if c.game.board.Full() {
		c.print(wire.Error("board full"))
		return
	}
	c.applyRule()
	s := &search{limits: c.settings.begin(at), pvs: min(max(pvs, 1), maxPVs)}
	s.limits.Margin = c.pace.forSearch(hardLimit(s.limits))
	s.deadline = s.limits.Deadline(c.game.board.Stones() / 2)
	req := engine.Request{Board: c.game.board, Limits: s.limits, MultiPV: s.pvs}
	if c.settings.realtime() {
		c.print(wire.RealtimeRefresh)
	}
	c.launch(s, func(ctx context.Context) answer {
		return answer{result: c.Engine.Search(ctx, req, s.report)}
	})
}

// searchOpening starts the search for an answer to SWAP2BOARD. The stones are not
// kept: the next BOARD has the position.
func (c *controller) searchOpening(entries []wire.Entry, at time.Time) {
	g, err := newGame(c.game.board.Width(), c.game.board.Height(), c.game.board.Rule())
	if err != nil {
		panic(err) // the size is that of the game
	}
	for _, e := range entries {
		g.play(board.Pt(e.X, e.Y), false)
	}
	if n := len(g.stones); n != 0 && n != 3 && n != 5 {
		c.print(wire.Error("swap2 needs 0, 3 or 5 stones"))
		return
	}
	c.debt = oweMove
	s := &search{limits: c.settings.begin(at), opening: g, deadline: engine.NoLimit}
	s.limits.Margin = c.pace.forSearch(hardLimit(s.limits))
	c.launch(s, func(ctx context.Context) answer {
		return answer{swap2: c.Engine.Swap2(ctx, g.board, s.limits)}
	})
}

// tell prints a PV that the engine reports, if INFO show_detail requests it.
func (c *controller) tell(s *search, i engine.Info) {
	defer c.recoverDebt()
	if i.PVIndex == 0 {
		s.latest = i
	}
	if len(i.PV) == 0 {
		return
	}
	report := reportOf(i)
	if c.settings.realtime() && i.PVIndex == 0 {
		for _, text := range report.Realtime(c.settings.order) {
			c.print(text)
		}
	}
	if c.settings.detailed() {
		for _, text := range report.Detail(c.settings.order) {
			c.print(text)
		}
	}
}

// finish checks and prints the engine's answer.
func (c *controller) finish(a answer) {
	defer c.recoverDebt()
	s := c.search
	s.cancel()
	for len(s.infos) > 0 {
		c.tell(s, <-s.infos)
	}
	c.search = nil
	c.debt = oweMove
	c.settings.moved(time.Since(s.limits.Start))
	if s.opening != nil {
		c.print(c.swap2Reply(s.opening, a.swap2))
	} else {
		if a.failed {
			a.result = engine.Result{Move: board.NoMove}
		}
		m := c.game.legal(a.result.Move, firstOf(s.latest.PV))
		c.tellMove(s, m, a.result)
		c.clock(s)
		c.print(c.coords(m))
		c.place(m)
	}
	if a.failed {
		c.safely(c.Engine.Reset) // its tables may be inconsistent
	}
	c.safely(c.configure) // changes by INFO during the search
}

// tellMove prints what accompanies the move about to be played: a PV that begins
// with it, unless the last one did, and the MESSAGE.
func (c *controller) tellMove(s *search, m board.Move, r engine.Result) {
	if r.Move != m {
		r = engine.Result{Move: m, PV: []board.Move{m}} // nothing else is known
	}
	if firstOf(s.latest.PV) != m && c.game.board.Legal(m) {
		c.tell(s, engine.Info{Depth: r.Depth, SelDepth: r.SelDepth, Score: r.Score,
			Nodes: r.Nodes, Time: r.Time, PV: r.PV, NumPV: 1})
	}
	if text := s.summary(r); text != "" {
		c.print(text)
	}
}

// clock measures the lateness of a search's answer, if the search used its whole
// time and did not start too late. It is called just before the answer is written:
// a manager may suspend the process the moment it has the answer, and that time
// says nothing about lateness.
func (c *controller) clock(s *search) {
	written := time.Since(s.limits.Start)
	if !s.stopped && s.waited < s.deadline && s.deadline < engine.NoLimit && written >= s.deadline {
		c.pace.note(written, s.deadline, hardLimit(s.limits))
	}
}

// firstOf returns the first of some moves, or NoMove.
func firstOf(moves []board.Move) board.Move {
	if len(moves) == 0 {
		return board.NoMove
	}
	return moves[0]
}

// swap2Reply checks and formats the answer to an opening. It replaces an invalid
// answer by the first free points.
func (c *controller) swap2Reply(g *game, a engine.Swap2Answer) string {
	stones := len(g.stones)
	if a.Swap && stones > 0 {
		return wire.Swap
	}
	least, most := 1, 1
	switch stones {
	case 0:
		least, most = 3, 3
	case 3:
		most = 2
	}
	moves := a.Moves
	if len(moves) < least || len(moves) > most {
		moves = slices.Repeat([]board.Move{board.NoMove}, least)
	}
	var laid []board.Move
	for _, m := range moves {
		if !g.board.Empty(m) {
			m = g.vacant()
		}
		g.play(m, false)
		laid = append(laid, m)
	}
	return c.settings.order.Points(laid)
}

// printVacant answers a move request without the board or the engine, after these
// have failed.
func (c *controller) printVacant() {
	if c.game == nil {
		c.print(wire.Error("no board yet"))
		return
	}
	m := c.game.vacant()
	if m == board.NoMove {
		c.print(wire.Error("board full"))
		return
	}
	c.print(c.coords(m))
	c.game.stones = append(c.game.stones, board.Stone{Move: m, Cell: c.game.board.Side().Stone()})
	c.game.rebuild(c.game.board.Side().Opponent())
}
