package play

import (
	"io"
	"os"
	"regexp"
	"time"

	"golang.org/x/term"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/outfile"
	"kumiko/tournament/report"
	"kumiko/tournament/stats"
)

// A View says how a tournament is shown while it is played.
type View struct {
	Out        io.Writer
	Plain      bool   // no status line, also on a terminal
	JSONEvents string // a file for the events of the log; - is Out, with nothing else
	Compat     int    // if not 0, only the lines of c-gomoku-cli, with a summary after that many games
}

// A Status is the state of a tournament, valid during the call it is passed to.
type Status struct {
	Dir        string
	Config     *config.Config
	Warnings   []string        // about the settings
	Log        *journal.Log    // what has happened
	Games      int             // in the schedule
	Before     int             // played before this process began
	Test       *stats.Sequence // nil unless there is a sequential test
	Interrupts int
}

// An observer watches a tournament. One goroutine calls its methods, in the order
// of events.
type observer interface {
	begin(s *Status)
	event(s *Status, e journal.Event) // an event of the log, already written
	interrupted(s *Status)
	tick(s *Status) // at intervals
	end(s *Status)
}

// observers returns the observers the view asks for.
func (v *View) observers() ([]observer, error) {
	var list []observer
	switch v.JSONEvents {
	case "":
	case "-":
		return []observer{&jsonLines{w: v.Out}}, nil
	default:
		f, err := os.Create(v.JSONEvents)
		if err != nil {
			return nil, err
		}
		list = append(list, &jsonLines{w: f, c: f})
	}
	if v.Compat > 0 {
		return append(list, &compat{w: v.Out, every: v.Compat, start: time.Now(), scores: make(map[int]*report.Match), workers: make(map[int]int)}), nil
	}
	c := &console{w: v.Out, start: time.Now()}
	if f, ok := v.Out.(*os.File); ok && !v.Plain {
		c.live = term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
	}
	return append(list, c), nil
}

// EventsFile is the kind of file that View.JSONEvents names.
var EventsFile = outfile.Kind{Name: "the events of a tournament", Match: regexp.MustCompile(`^\{"t":"`).Match}

// jsonLines writes events as the log has them, for other programs.
type jsonLines struct {
	w   io.Writer
	c   io.Closer
	buf []byte
}

func (o *jsonLines) event(s *Status, e journal.Event) {
	line, err := journal.AppendEvent(o.buf[:0], e)
	if err != nil {
		return // it is not in the log either
	}
	o.buf = line
	o.w.Write(line) // the reader may have exited: the tournament goes on
}

func (o *jsonLines) begin(*Status)       {}
func (o *jsonLines) interrupted(*Status) {}
func (o *jsonLines) tick(*Status)        {}

func (o *jsonLines) end(*Status) {
	if o.c != nil {
		o.c.Close()
	}
}
