package protocol

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/protocol/wire"
)

// An Engine answers move requests. Its methods are never called concurrently.
type Engine interface {
	// Search returns a legal move soon after ctx is cancelled or the limits
	// are reached.
	Search(ctx context.Context, req engine.Request, report func(engine.Info)) engine.Result
	// Swap2 answers in the swap2 opening, under the same terms.
	Swap2(ctx context.Context, b *board.Board, l engine.Limits) engine.Swap2Answer
	// Reset prepares for a new game.
	Reset()
	SetMemory(bytes int64)
	SetThreads(n int)
	SetEvaluation(engine.Evaluation)
	SetSearch(engine.Search)
}

// Version is the version reported by ABOUT.
const Version = "1.0"

// endGrace is how long to wait at the end for a search to stop.
const endGrace = 50 * time.Millisecond

// A Server answers a manager.
type Server struct {
	Engine Engine

	// Recovered, if not nil, is called for every recovered panic with its value
	// and stack, on any goroutine.
	Recovered func(fault any, stack []byte)
}

// Run executes the commands of in and replies on out until END, the end of in or
// an I/O error. See [Server] for options.
func Run(ctx context.Context, in io.Reader, out io.Writer, e Engine) error {
	s := Server{Engine: e}
	return s.Run(ctx, in, out)
}

// Run executes the commands of in and replies on out until END, the end of in or
// of ctx, or an I/O error. It returns even if nobody reads out; a goroutine
// blocked on in or out may remain.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	q := newInbox()
	defer q.close()
	go read(in, q)
	c := &controller{Server: *s, in: q, out: newOutlet(out, q), pace: paceHere()}
	done := make(chan error, 1)
	go func() {
		err := c.run(ctx)
		c.leave()
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-c.out.gone:
		return nil
	case <-ctx.Done():
		select {
		case err := <-done:
			return err
		case <-time.After(unreadGrace):
			return ctx.Err()
		}
	}
}

// A debt is the kind of reply that a command is still owed.
type debt uint8

const (
	oweNothing debt = iota
	oweLine         // OK, a list or the like
	oweMove
)

// A controller holds the state of the protocol. Only the goroutine of run uses it
// and writes.
type controller struct {
	Server
	in  *inbox
	out *outlet
	ctx context.Context // of Run

	settings   settings
	pace       *pace
	memory     int64 // last set in the engine
	threads    int64
	evaluation engine.Evaluation
	method     string // of search

	game   *game   // nil before the first START
	block  *block  // the block being read, or nil
	search *search // the running search, or nil

	debt  debt
	ended bool  // by END
	err   error // of writing
}

// run is the main loop over lines, reports of the search and its answer.
func (c *controller) run(ctx context.Context) error {
	c.ctx = ctx
	for !c.ended && c.err == nil {
		var infos chan engine.Info
		var done chan answer
		var yield <-chan time.Time
		if c.search == nil {
			if l, ok := c.in.take(); ok {
				c.handle(l)
				continue
			}
			if n := c.in.takeLost(); n > 0 {
				c.print(wire.Error(fmt.Sprintf("%d lines lost because replies were not read", n)))
				continue
			}
			if over, err := c.in.done(); over {
				return err
			}
		} else {
			if over, err := c.overhear(); over {
				return err
			}
			infos, done, yield = c.search.infos, c.search.done, c.search.yield
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.in.wake:
		case i := <-infos:
			c.tell(c.search, i)
		case a := <-done:
			c.finish(a)
		case <-yield:
			c.search.stop()
		}
	}
	return c.err
}

// leave ends a running search and drops its answer.
func (c *controller) leave() {
	if c.search == nil {
		return
	}
	c.search.cancel()
	select {
	case <-c.search.done:
	case <-time.After(endGrace):
	}
}

// overhear executes what has arrived since the search was requested and need not
// wait for it: INFO lines up to the first other line, and stops and END anywhere.
// It reports whether the session is over.
func (c *controller) overhear() (over bool, err error) {
	s := c.search
	for {
		l, ok := c.in.takeInfo()
		if !ok {
			break
		}
		c.handle(l)
	}
	w := c.in.after(s.asked, !c.settings.yixin)
	switch {
	case w.over, w.end:
		_, err := c.in.done()
		return true, err
	case w.stop, w.full:
		s.stop()
	case w.command && unlimited(s.limits):
		s.yieldAfter(0)
	case w.command && hardLimit(s.limits) >= endless:
		s.yieldAfter(limitedTurn)
	}
	return false, nil
}

// handle executes a line. The engine is idle, unless it is an INFO line.
func (c *controller) handle(l line) {
	defer c.recoverDebt()
	cmd, err := wire.Parse(l.text)
	c.settings.notice(cmd)
	if c.block != nil && c.continueBlock(cmd, l) {
		return
	}
	c.debt = debtOf(cmd.Verb)
	if err != nil {
		c.print(wire.Error(err.Error()))
		return
	}
	switch cmd.Verb {
	case wire.Start, wire.RectStart:
		c.start(cmd.X, cmd.Y)
	case wire.About:
		c.print(wire.AboutLine("Kumiko", Version, "the Kumiko developers"))
	case wire.Info:
		c.settings.set(cmd.Setting)
		if c.search == nil {
			c.safely(c.configure) // a lower memory limit takes effect now
		}
	case wire.End:
		c.ended = true
	case wire.Board, wire.YXBoard, wire.Swap2Board:
		c.open(cmd, wire.UntilDone, l.at)
	case wire.YXShowInfo:
		for _, text := range wire.Limits(runtime.NumCPU(), maxHashExponent) {
			c.print(text)
		}
	case wire.YXHashClear:
		c.safely(c.Engine.Reset)
	case wire.Unknown:
		c.print(wire.UnknownWord(cmd.Word))
		if s := cmd.Span(); s != wire.NoLines {
			c.open(cmd, s, l.at)
		}
	case wire.Blank, wire.Done, wire.Stop:
		// Nothing to end.
	default:
		if c.game == nil {
			c.print(wire.Error("no board yet, send START first"))
			return
		}
		c.handleOnBoard(cmd, l.at)
	}
}

// handleOnBoard executes the commands that need a board.
func (c *controller) handleOnBoard(cmd wire.Command, at time.Time) {
	switch cmd.Verb {
	case wire.Restart:
		c.newGame(c.game)
	case wire.Begin:
		c.searchMove(at, 1)
	case wire.Turn:
		if m, ok := c.vacant(cmd); ok {
			c.place(m)
			c.searchMove(at, 1)
		}
	case wire.Play:
		if m, ok := c.vacant(cmd); ok {
			c.print(c.coords(m))
			c.place(m)
		}
	case wire.TakeBack:
		m, ok := c.point(cmd.X, cmd.Y)
		if !ok || !c.game.takeBack(m) {
			c.print(wire.Error(fmt.Sprintf("no stone on %d,%d", cmd.X, cmd.Y)))
			return
		}
		c.print(wire.OK)
	case wire.YXNBest:
		c.searchMove(at, cmd.X)
	case wire.YXShowForbid:
		c.applyRule()
		c.print(c.settings.order.Forbid(c.game.forbidden()))
	}
}

// start begins a game on a new board.
func (c *controller) start(width, height int) {
	rule, _ := c.settings.rules()
	g, err := newGame(width, height, rule)
	if err != nil {
		c.print(wire.Error(wire.ErrSize.Error()))
		return
	}
	c.newGame(g)
}

// newGame clears a board and starts a new game on it.
func (c *controller) newGame(g *game) {
	g.clear()
	c.game = g
	c.settings.newGame()
	c.safely(c.Engine.Reset)
	c.print(wire.OK)
}

// vacant returns the point of a command, or replies with an error if no stone can
// be placed there.
func (c *controller) vacant(cmd wire.Command) (board.Move, bool) {
	m, ok := c.point(cmd.X, cmd.Y)
	switch {
	case !ok:
		c.print(wire.Error(fmt.Sprintf("%d,%d is off the board", cmd.X, cmd.Y)))
	case !c.game.board.Empty(m):
		c.print(wire.Error(fmt.Sprintf("%d,%d is occupied", cmd.X, cmd.Y)))
	default:
		return m, true
	}
	return board.NoMove, false
}

// place plays an empty point for the side to move.
func (c *controller) place(m board.Move) {
	c.applyRule()
	_, continuous := c.settings.rules()
	c.game.play(m, continuous)
}

// applyRule sets the board's rule to that of INFO, which may have changed.
func (c *controller) applyRule() {
	rule, _ := c.settings.rules()
	c.game.board.SetRule(rule)
}

// point converts two numbers of the manager to a point.
func (c *controller) point(x, y int) (board.Move, bool) {
	return c.game.point(c.settings.order.Swap(x, y))
}

// coords formats a point in the manager's order.
func (c *controller) coords(m board.Move) string { return c.settings.order.Point(m) }

// print writes one line in one call, since some managers cannot join partial lines.
// Any line but a MESSAGE settles the debt.
func (c *controller) print(text string) {
	if !wire.IsNews(text) {
		c.debt = oweNothing
	}
	if err := c.out.line(text); err != nil && c.err == nil {
		c.err = err
	}
}

// debtOf returns the kind of immediate reply that a verb requires.
func debtOf(v wire.Verb) debt {
	switch v {
	case wire.Begin, wire.Turn, wire.Play, wire.YXNBest:
		return oweMove
	case wire.Start, wire.RectStart, wire.Restart, wire.TakeBack, wire.About, wire.YXShowForbid, wire.Unknown:
		return oweLine
	}
	return oweNothing
}

// recoverDebt, deferred, keeps a panic from ending the process with a trace, which
// managers that merge both outputs would read as a reply. It sends the reply that
// the manager waits for as well as it can.
func (c *controller) recoverDebt() {
	if !c.recovered(recover()) {
		return
	}
	switch c.debt {
	case oweLine:
		c.print(wire.Error("internal failure"))
	case oweMove:
		c.printVacant()
	}
}

// safely calls f, on which no reply depends, and recovers from panics.
func (c *controller) safely(f func()) {
	defer func() { c.recovered(recover()) }()
	f()
}

// recovered reports a panic, and returns whether there was one.
func (s *Server) recovered(fault any) bool {
	if fault != nil && s.Recovered != nil {
		s.Recovered(fault, debug.Stack())
	}
	return fault != nil
}
