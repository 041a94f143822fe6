package play

import (
	"fmt"
	"io"
	"strings"
	"time"

	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/telemetry"
	"kumiko/tournament/work"
)

// A console prints for people, and for scripts that parse the lines of
// c-gomoku-cli and fastchess.
type console struct {
	w     io.Writer
	live  bool      // there is a status line
	drawn bool      // the status line is on the screen
	start time.Time // of this process's part of the tournament
	shown time.Time // when the ratings were last shown

	repeats report.Repeats
	repeat  bool // a repeated game has been reported
}

// line writes a line above the status line. Names and messages in it may hold
// any bytes.
func (c *console) line(format string, args ...any) {
	c.wipe()
	fmt.Fprintln(c.w, telemetry.Printable(fmt.Sprintf(format, args...)))
}

// wipe erases the status line.
func (c *console) wipe() {
	if c.drawn {
		io.WriteString(c.w, "\r\x1b[K")
		c.drawn = false
	}
}

func (c *console) begin(s *Status) {
	for e := range s.Log.All {
		c.repeats.Add(e)
	}
	for _, w := range s.Warnings {
		first, rest, _ := strings.Cut(w, "\n")
		c.line("Warning: %s", first)
		for line := range strings.Lines(rest) {
			c.line("  %s", strings.TrimSuffix(line, "\n"))
		}
	}
	cfg := s.Config
	c.line("Tournament in %s: %d games of %d engines, rule %d, %s, concurrency %d, seed %d",
		s.Dir, s.Games, len(cfg.Engines), cfg.Rule.Code(), cfg.Size(), cfg.Concurrency, cfg.Seed)
	c.line("Openings: %s", describeBook(cfg, s.Log.Run.Openings))
	if l := s.Log.Run.Latency; l != nil {
		c.line("The harness adds %v to a move (median), %v at most in 99 %%", l.Median.Duration(), l.P99.Duration())
	}
	if s.Before > 0 {
		c.line("%d games have been played", s.Before)
	}
}

func (c *console) event(s *Status, e journal.Event) {
	switch e := e.(type) {
	case *journal.Start:
		c.line("%s", report.StartedLine(s.Config, &e.Game, s.Games))
	case *journal.End:
		c.ended(s, e)
	case *journal.Void:
		c.line("Void game %d: %s", e.Number, e.Why)
	case *journal.Warning:
		c.line("Warning: %s %s (after game %d)", s.Config.Engines[e.Engine].Name, e.Text, e.Number)
	case *journal.Disqualify:
		c.line("Disqualified: %s %s", s.Config.Engines[e.Engine].Name, e.Why)
	case *journal.Verdict:
		c.line("Finished: %s", e.Why)
	}
}

func (c *console) interrupted(s *Status) {
	if s.Interrupts == 1 {
		c.line("Interrupted: %d games are being finished; interrupt again to abort them", len(s.Log.Running))
	}
}

// tick draws the status line.
func (c *console) tick(s *Status) {
	if !c.live {
		return
	}
	played, total := s.Log.Played, s.Games
	text := fmt.Sprintf("%d/%d games, %d running", played, total, len(s.Log.Running))
	if n := played - s.Before; n > 0 {
		each := time.Since(c.start) / time.Duration(n)
		text += fmt.Sprintf(", %s, about %s to go", rate(each), work.Rough(each*time.Duration(total-played)))
	}
	if s.Test != nil {
		text += fmt.Sprintf(", LLR %.2f", s.Test.LLR)
	}
	c.wipe()
	io.WriteString(c.w, text)
	c.drawn = true
}

// rate formats how fast games are played.
func rate(each time.Duration) string {
	if each < time.Second {
		return fmt.Sprintf("%.0f a second", float64(time.Second)/float64(each))
	}
	return fmt.Sprintf("%.1f s each", each.Seconds())
}

func (c *console) ended(s *Status, e *journal.End) {
	c.line("%s", report.FinishedLine(s.Config, e))
	if e.Detail != "" {
		c.line("  %s: %s", e.Reason, e.Detail)
	}
	if earlier := c.repeats.Add(e); earlier > 0 && !c.repeat {
		c.repeat = true // only the first is reported; the ratings count the rest
		c.line("Warning: game %d repeats game %d move by move, and says nothing new: other openings make games differ (--openings)", e.Number, earlier)
	}
	if n := s.Config.RatingInterval; n > 0 && s.Log.Played%n == 0 && s.Log.Played < s.Games && time.Since(c.shown) > time.Second {
		c.shown = time.Now()
		c.ratings(s)
	}
}

// ratings shows the standings.
func (c *console) ratings(s *Status) {
	t := report.NewTally(s.Log)
	standings, err := report.StandingsOf(t, report.Options{})
	if err != nil {
		c.line("No ratings: %v", err)
		return
	}
	c.wipe()
	report.WriteSummary(c.w, s.Log, t, standings)
}

// end shows the results.
func (c *console) end(s *Status) {
	c.wipe()
	c.ratings(s)
	c.line("Full report: tournament report %s", s.Dir)
}
