package tournament

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"golang.org/x/term"

	"kumiko/tournament/journal"
	"kumiko/tournament/report"
)

// newTeller returns what shows a tournament as the flags want it.
func newTeller(r *runner, o *output, stdout io.Writer) (teller, error) {
	var list tellers
	switch o.jsonEvents {
	case "":
	case "-":
		return &jsonTeller{w: stdout}, nil
	default:
		f, err := os.Create(o.jsonEvents)
		if err != nil {
			return nil, err
		}
		list = append(list, &jsonTeller{w: f, c: f})
	}
	c := &console{
		w: stdout, compat: o.compat, begin: time.Now(), before: r.state.Played,
		scores: make(map[int]*report.Match), worker: make(map[int]int),
	}
	if f, ok := stdout.(*os.File); ok && !o.plain {
		c.status = term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
	}
	c.header(r)
	return append(list, c), nil
}

// tellers tell all of them.
type tellers []teller

func (list tellers) event(r *runner, e any) {
	for _, t := range list {
		t.event(r, e)
	}
}

func (list tellers) tick(r *runner) {
	for _, t := range list {
		t.tick(r)
	}
}

func (list tellers) close(r *runner) {
	for _, t := range list {
		t.close(r)
	}
}

// A jsonTeller writes events as the log has them, for programs.
type jsonTeller struct {
	w   io.Writer
	c   io.Closer
	buf []byte
}

func (t *jsonTeller) event(r *runner, e any) {
	line, err := journal.AppendEvent(t.buf[:0], e)
	if err != nil {
		return // nothing of the log's
	}
	t.buf = line
	t.w.Write(line) // who reads them may have gone: the tournament goes on
}

func (t *jsonTeller) tick(*runner) {}

func (t *jsonTeller) close(*runner) {
	if t.c != nil {
		t.c.Close()
	}
}

// A console writes for people, and for scripts that read c-gomoku-cli's and
// fastchess's lines.
type console struct {
	w      io.Writer
	compat bool // only what c-gomoku-cli writes
	status bool // there is a status line
	drawn  bool // it is on the screen
	begin  time.Time
	before int                   // games that were played before
	scores map[int]*report.Match // by pairing, for compat
	worker map[int]int           // of the running games, for compat
	shown  time.Time             // when the ratings were, last
}

// line writes a line above the status line.
func (c *console) line(format string, args ...any) {
	c.wipe()
	fmt.Fprintf(c.w, format+"\n", args...)
}

// wipe takes the status line away.
func (c *console) wipe() {
	if c.drawn {
		io.WriteString(c.w, "\r\x1b[K")
		c.drawn = false
	}
}

func (c *console) header(r *runner) {
	if c.compat {
		return
	}
	cfg := &r.cfg
	c.line("Tournament in %s: %d games of %d engines, rule %d, %s, concurrency %d, seed %d",
		r.dir, r.sched.Len(), len(cfg.Engines), cfg.Rule.Code(), cfg.Size(), cfg.Concurrency, cfg.Seed)
	if l := r.state.Run.Latency; l != nil {
		c.line("The harness adds %v to a move (median), %v at most in 99 %%", l.Median.Duration(), l.P99.Duration())
	}
	if c.before > 0 {
		c.line("%d games have been played", c.before)
	}
}

func (c *console) event(r *runner, e any) {
	if c.compat {
		c.compatEvent(r, e)
		return
	}
	switch e := e.(type) {
	case *journal.Start:
		c.line("%s", report.StartedLine(&r.cfg, &e.Game, r.sched.Len()))
	case *journal.End:
		c.ended(r, e)
	case *journal.Void:
		c.line("Void game %d: %s", e.Number, e.Why)
	case *journal.Warning:
		c.line("Warning: %s %s (after game %d)", r.cfg.Engines[e.Engine].Name, e.Text, e.Number)
	case *journal.Disqualify:
		c.line("Disqualified: %s %s", r.cfg.Engines[e.Engine].Name, e.Why)
	case *journal.Verdict:
		c.line("Finished: %s", e.Why)
	case error:
		if n := len(r.state.Running); errors.Is(e, errInterrupted) && r.interrupt == 1 {
			c.line("Interrupted: %d games are being finished; interrupt again to abort them", n)
		}
	}
}

// tick draws the status line.
func (c *console) tick(r *runner) {
	if !c.status {
		return
	}
	played, total := r.state.Played, r.sched.Len()
	text := fmt.Sprintf("%d/%d games, %d running", played, total, len(r.state.Running))
	if n := played - c.before; n > 0 {
		each := time.Since(c.begin) / time.Duration(n)
		text += fmt.Sprintf(", %s, about %s to go", rate(each), roundTime(each*time.Duration(total-played)))
	}
	if r.sequence != nil {
		text += fmt.Sprintf(", LLR %.2f", r.sequence.LLR)
	}
	c.wipe()
	io.WriteString(c.w, text)
	c.drawn = true
}

// rate says how fast games are played.
func rate(each time.Duration) string {
	if each < time.Second {
		return fmt.Sprintf("%.0f a second", float64(time.Second)/float64(each))
	}
	return fmt.Sprintf("%.1f s each", each.Seconds())
}

// roundTime leaves out what nobody reads.
func roundTime(d time.Duration) time.Duration {
	switch {
	case d > time.Hour:
		return d.Round(time.Minute)
	case d > time.Minute:
		return d.Round(10 * time.Second)
	}
	return d.Round(time.Second)
}

func (c *console) ended(r *runner, e *journal.End) {
	c.line("%s", report.FinishedLine(&r.cfg, e))
	if e.Detail != "" {
		c.line("  %s: %s", e.Reason, e.Detail)
	}
	if n := r.cfg.RatingInterval; n > 0 && r.state.Played%n == 0 && r.state.Played < r.sched.Len() && time.Since(c.shown) > time.Second {
		c.shown = time.Now()
		c.ratings(r)
	}
}

// ratings shows how it stands.
func (c *console) ratings(r *runner) {
	t := report.NewTally(r.state)
	s, err := report.StandingsOf(t, report.Options{})
	if err != nil {
		c.line("No ratings: %v", err)
		return
	}
	c.wipe()
	report.WriteSummary(c.w, r.state, t, s)
}

// worstError is the largest error of a rating, in Elo.
func worstError(log *journal.Log) float64 {
	s, err := report.StandingsOf(report.NewTally(log), report.Options{})
	if err != nil {
		return math.Inf(1)
	}
	return s.WorstMargin()
}

// close shows what came out.
func (c *console) close(r *runner) {
	c.wipe()
	if c.compat {
		return
	}
	c.ratings(r)
	c.line("All about it: tournament report %s", r.dir)
}

// compatEvent writes the lines of c-gomoku-cli.
func (c *console) compatEvent(r *runner, e any) {
	switch e := e.(type) {
	case *journal.Start:
		c.worker[e.Number] = e.Worker + 1
		c.line("[%d] %s", e.Worker+1, report.StartedLine(&r.cfg, &e.Game, r.sched.Len()))
	case *journal.End:
		c.line("[%d] %s", c.worker[e.Number], report.FinishedLine(&r.cfg, e))
		delete(c.worker, e.Number)
		c.line("%s", report.ScoreLine(&r.cfg, c.score(r, e)))
		if r.sequence != nil {
			c.line("%s", report.SPRTLine(r.sequence))
		}
	case *journal.Void:
		c.line("[%d] game %d is void: %s", c.worker[e.Number], e.Number, e.Why)
	}
}

// score counts a game to those of its pairing.
func (c *console) score(r *runner, e *journal.End) *report.Match {
	p := r.sched.Pairings[e.Pairing]
	m := c.scores[e.Pairing]
	if m == nil {
		m = &report.Match{A: p[0], B: p[1]}
		c.scores[e.Pairing] = m
	}
	m.Results.First[e.Points(p[0])]++
	return m
}
