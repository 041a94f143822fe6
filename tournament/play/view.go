package play

import (
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/report"
	"kumiko/tournament/stats"
)

// A View says how a tournament is shown while it is played.
type View struct {
	Out        io.Writer
	Err        io.Writer // for a warning while Out may be left to the events; nil for none
	Program    string    // the version of this program, for the events
	Plain      bool      // no status line, also on a terminal
	JSONEvents string    // a file for the events of the log; - is Out, with nothing else
	Compat     int       // if not 0, only the lines of c-gomoku-cli, with a summary after that many games
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

// observers returns the observers the view of the tournament in dir asks for.
func (v *View) observers(dir string) ([]observer, error) {
	var list []observer
	if v.JSONEvents != "" {
		o, err := v.events(dir)
		if err != nil {
			return nil, err
		}
		if list = append(list, o); o.file == nil {
			return list, nil
		}
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
