package play

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"kumiko/tournament/journal"
	"kumiko/tournament/outfile"
)

// EventsFile is the kind of file that View.JSONEvents names. No log of a tournament
// begins like one.
var EventsFile = outfile.Kind{Name: "the events of a tournament", Match: regexp.MustCompile(`^\{"t":"(run|resume)","events":`).Match}

// eventsVersion is the version of the format of events.
const eventsVersion = 1

// A beginning is the first line of the events: what is played.
type beginning struct {
	T       string   `json:"t"` // run or resume
	Events  int      `json:"events"`
	Version string   `json:"version"` // of the program
	Log     string   `json:"log"`     // its absolute name
	Engines []string `json:"engines"` // their names, in the order of the indices of other events
	Rounds  int      `json:"rounds"`
	Seed    uint64   `json:"seed"`
	Games   int      `json:"games"`  // in the schedule
	Played  int      `json:"played"` // of them, before this process began
}

// jsonLines writes events as the log has them, for other programs, after a line
// that says what is played.
type jsonLines struct {
	w       io.Writer
	file    *os.File  // that w is, or nil if w is the output
	warn    io.Writer // nil for none
	program string
	buf     []byte
	size    int64 // of the lines written
	gone    bool  // the reader has exited
	err     error // why not all events were written
}

// events returns an observer that writes the events of the tournament in dir.
func (v *View) events(dir string) (*jsonLines, error) {
	o := &jsonLines{w: v.Out, warn: v.Err, program: v.Program}
	if v.JSONEvents == "-" {
		return o, nil
	}
	// Now that the tournament has its files, none of them can hide behind another
	// name.
	if err := outfile.Check(v.JSONEvents, EventsFile, dir); err != nil {
		return nil, err
	}
	f, err := os.Create(v.JSONEvents)
	if err != nil {
		return nil, err
	}
	o.w, o.file = f, f
	return o, nil
}

func (o *jsonLines) begin(s *Status) {
	b := beginning{
		T: "run", Events: eventsVersion, Version: o.program, Log: filepath.Join(s.Dir, journal.FileName),
		Engines: s.Config.Names(), Rounds: s.Config.Rounds, Seed: s.Config.Seed, Games: s.Games, Played: s.Before,
	}
	if len(s.Log.Resumes) > 0 {
		b.T = "resume"
	}
	if abs, err := filepath.Abs(b.Log); err == nil {
		b.Log = abs
	}
	line, err := json.Marshal(b)
	if err != nil {
		panic(err) // strings and numbers only
	}
	o.write(append(line, '\n'))
}

func (o *jsonLines) event(s *Status, e journal.Event) {
	line, err := journal.AppendEvent(o.buf[:0], e)
	if err != nil {
		return // it is not in the log either
	}
	o.buf = line
	o.write(line)
}

// write writes a line. The reader may have exited, or the disk may be full: the
// tournament goes on.
func (o *jsonLines) write(line []byte) {
	if o.gone || o.err != nil {
		return
	}
	_, err := o.w.Write(line)
	switch {
	case err == nil:
		o.size += int64(len(line))
	case outfile.ClosedPipe(err):
		o.gone = true
	default:
		if o.file != nil {
			o.file.Truncate(o.size) // whole lines only, where the system allows it
		}
		o.fail(err)
	}
}

// fail keeps the first error and warns of it.
func (o *jsonLines) fail(err error) {
	o.err = fmt.Errorf("not all events were written: %w", err)
	if o.warn != nil {
		fmt.Fprintf(o.warn, "Warning: no more events are written, but the tournament goes on: %v\n", err)
	}
}

func (o *jsonLines) interrupted(*Status) {}
func (o *jsonLines) tick(*Status)        {}

func (o *jsonLines) end(*Status) {
	if o.file == nil {
		return
	}
	if err := o.file.Close(); err != nil && o.err == nil && !o.gone {
		o.fail(err)
	}
}
