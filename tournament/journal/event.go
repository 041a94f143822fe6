// Package journal keeps the log of a tournament, the only source of truth about
// it: a file of JSON lines to which one process appends. Everything shown or
// exported is derived from it, so nothing can disagree with it. A process killed
// at any point leaves a log from which the tournament can be resumed; games that
// were running are played again.
package journal

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/schedule"
	"kumiko/tournament/telemetry"
)

// Version is that of the log's form.
const Version = 1

// A Run opens the log.
type Run struct {
	Version  int           `json:"v"`
	ID       string        `json:"id"`
	At       time.Time     `json:"at"`
	Config   config.Config `json:"config"`
	Openings int           `json:"openings"` // in the book
	Hash     Hashes        `json:"hash"`
	Host     Host          `json:"host"`
	Latency  *Latency      `json:"latency,omitempty"` // measured before the first game
}

// Hashes are SHA-256 sums, in hexadecimal, of what a result depends on.
type Hashes struct {
	Engines  []string `json:"engines"` // the programs, in the order of the config
	Openings string   `json:"openings,omitempty"`
	Program  string   `json:"prog"`
}

// A Latency is what the harness, pipes and system add to the time of a move.
type Latency struct {
	Median Micros `json:"median"`
	P99    Micros `json:"p99"` // 99 % are within
	Max    Micros `json:"max"`
}

// A Host is where the tournament is played.
type Host struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	CPUs  int    `json:"cpus"`
	Model string `json:"model,omitempty"`
}

// A Resume says that the tournament went on, and with what.
type Resume struct {
	At     time.Time     `json:"at"`
	Config config.Config `json:"config"`
	Hash   Hashes        `json:"hash"`
	Accept []string      `json:"accept,omitempty"` // changes that were accepted, by name
}

// A Game says which game of the schedule something is about. Engines are
// indices in the config.
type Game struct {
	Number  int `json:"g"`
	Pair    int `json:"pair"` // of games with the same opening and engines, from 0
	Leg     int `json:"leg"`  // 0 or 1
	Pairing int `json:"m"`
	Round   int `json:"r"`
	Black   int `json:"b"` // the engine with the first stone
	White   int `json:"w"`
	Opening int `json:"op,omitempty"` // the line of the book; 0 is none
	Sym     int `json:"sym,omitempty"`
}

// NewGame returns the key of a game of the schedule with an opening from a
// line of the book.
func NewGame(s *schedule.Schedule, g schedule.Game, line int) Game {
	return Game{g.Number, s.Pair(g), g.Leg, g.Pairing, g.Round, g.Black, g.White, line, g.Sym}
}

// A Start says that a game has begun.
type Start struct {
	Game
	At     time.Time `json:"at"`
	Worker int       `json:"wk"` // who conducts it, from 0
	Open   string    `json:"open,omitempty"`
}

// A Ready says that both engines of a game have started, and the clocks may run.
type Ready struct {
	Number int       `json:"g"`
	At     time.Time `json:"at"`
}

// A Moves holds moves of a running game. It is for observers: the End of the game
// repeats them all.
type Moves struct {
	Number int               `json:"g"`
	Ply    int               `json:"ply"` // of the first, the stones of the opening counted
	Moves  string            `json:"mv"`
	Times  []Micros          `json:"us"`
	Info   []*telemetry.Info `json:"info,omitempty"`
}

// Micros is a time in microseconds.
type Micros int64

// Duration returns the time.
func (m Micros) Duration() time.Duration { return time.Duration(m) * time.Microsecond }

// A Result is that of a game, as records of games write it.
type Result string

// Results.
const (
	BlackWins Result = "1-0"
	WhiteWins Result = "0-1"
	Draw      Result = "1/2-1/2"
)

// Points returns what a color scores: 0, 1 or 2 half points.
func (r Result) Points(c board.Color) int {
	switch {
	case r == Draw:
		return 1
	case (r == BlackWins) == (c == board.Black):
		return 2
	}
	return 0
}

// A Reason is why a game ended as it did.
type Reason string

// The reasons. The loser of a game has failed from StartExec on.
const (
	Five        Reason = "five"         // the winner made five in a row
	Full        Reason = "full"         // no point is left
	MaxPlies    Reason = "max-plies"    // as many stones as make a draw
	SquaresLeft Reason = "squares-left" // as few points as make a draw
	ScoreDraw   Reason = "score-draw"   // the engines' scores make a draw
	ScoreLoss   Reason = "score-loss"   // the loser's own scores do

	Forbidden       Reason = "foul"             // black in renju played a forbidden move
	StartExec       Reason = "start-exec"       // the program could not be run
	StartTimeout    Reason = "start-timeout"    // not ready in time
	StartError      Reason = "start-error"      // said ERROR or the like when it should get ready
	Crash           Reason = "crash"            // the process is gone
	TimeLoss        Reason = "time"             // answered too late
	NoAnswer        Reason = "no-answer"        // did not answer at all
	IllegalOccupied Reason = "illegal-occupied" // played on a stone
	IllegalRange    Reason = "illegal-range"    // played off the board
	Garbage         Reason = "garbage"          // answered what is no move
	Flood           Reason = "flood"            // printed without end
	MemoryLoss      Reason = "memory"           // used more than allowed
	Swap2           Reason = "swap2"            // answered what swap2 does not allow
)

// Failed reports whether the loser has failed, other than on the board.
func (r Reason) Failed() bool {
	switch r {
	case Five, Full, MaxPlies, SquaresLeft, ScoreDraw, ScoreLoss, Forbidden:
		return false
	}
	return true
}

// An Outcome says how a game went. Arrays of two are by color, black first.
type Outcome struct {
	Result Result `json:"res"`
	Reason Reason `json:"why"`
	Text   string `json:"text"`             // the reason in the words of c-gomoku-cli
	Detail string `json:"detail,omitempty"` // more about a failure

	Moves  string            `json:"mv"`   // all, such as h8i7: rows count from the top
	Open   int               `json:"open"` // how many of them are the opening's
	Times  []Micros          `json:"us"`   // of the moves after the opening
	Info   []*telemetry.Info `json:"info,omitempty"`
	Memory [2]int64          `json:"mem"`             // most seen, in KiB; 0 is unknown
	Lag    Micros            `json:"lag"`             // longest that a reply waited for the harness
	Stale  [2]int            `json:"stale"`           // moves printed when none was asked for
	Start  [2]Micros         `json:"start"`           // time to get ready
	Swaps  string            `json:"swaps,omitempty"` // choices in swap2
}

// An End says that a game has ended, and how.
type End struct {
	Game           // Black and White are those of the end: swap2 may exchange them
	At   time.Time `json:"at"`
	Outcome
	Transcript string `json:"tr,omitempty"` // file with the dialogue
}

// Loser returns the color that lost; ok is false for a draw.
func (o *Outcome) Loser() (c board.Color, ok bool) {
	switch o.Result {
	case BlackWins:
		return board.White, true
	case WhiteWins:
		return board.Black, true
	}
	return 0, false
}

// Engine returns the engine that played a color.
func (g *Game) Engine(c board.Color) int {
	if c == board.Black {
		return g.Black
	}
	return g.White
}

// Points returns what an engine scores, in half points.
func (e *End) Points(engine int) int {
	if e.Black == engine {
		return e.Result.Points(board.Black)
	}
	return e.Result.Points(board.White)
}

// A Void says that a game must be played again, through no fault of an engine.
type Void struct {
	Number int       `json:"g"`
	At     time.Time `json:"at"`
	Why    string    `json:"why"`
}

// A Warning reports engine behavior that costs nothing.
type Warning struct {
	Engine int       `json:"eng"`
	Number int       `json:"g"` // the last game before
	At     time.Time `json:"at"`
	Kind   string    `json:"kind"` // dirty-exit: it had to be killed after its last game
	Text   string    `json:"text"`
}

// DirtyExit is the kind of warning about an engine that did not go by itself,
// or left processes behind.
const DirtyExit = "dirty-exit"

// A Disqualify says that an engine plays no more games.
type Disqualify struct {
	Engine int       `json:"eng"`
	At     time.Time `json:"at"`
	Why    string    `json:"why"`
}

// A Verdict is that of a sequential test, or of a limit of errors.
type Verdict struct {
	At       time.Time `json:"at"`
	Pairs    int       `json:"pairs"` // counted, in the order of the schedule
	LLR      float64   `json:"llr"`
	Accepted string    `json:"accepted"` // H0, H1, or "" if there was no decision
	Why      string    `json:"why"`
}

// An Event is a line of the log: *Run, *Resume, *Start, *Ready, *Moves, *End,
// *Void, *Warning, *Disqualify or *Verdict.
type Event interface{ name() string }

func (*Run) name() string        { return nameRun }
func (*Resume) name() string     { return "resume" }
func (*Start) name() string      { return "start" }
func (*Ready) name() string      { return "ready" }
func (*Moves) name() string      { return "moves" }
func (*End) name() string        { return "end" }
func (*Void) name() string       { return "void" }
func (*Warning) name() string    { return "warning" }
func (*Disqualify) name() string { return "disqualify" }
func (*Verdict) name() string    { return "verdict" }

// nameRun is the name of the first event of every log.
const nameRun = "run"

// newEvents make an empty event of each name.
var newEvents = map[string]func() Event{
	nameRun:      func() Event { return new(Run) },
	"resume":     func() Event { return new(Resume) },
	"start":      func() Event { return new(Start) },
	"ready":      func() Event { return new(Ready) },
	"moves":      func() Event { return new(Moves) },
	"end":        func() Event { return new(End) },
	"void":       func() Event { return new(Void) },
	"warning":    func() Event { return new(Warning) },
	"disqualify": func() Event { return new(Disqualify) },
	"verdict":    func() Event { return new(Verdict) },
}

// AppendEvent appends an event as a line of the log.
func AppendEvent(dst []byte, event Event) ([]byte, error) {
	data, err := json.Marshal(event)
	if err != nil {
		return dst, err
	}
	dst = append(dst, `{"t":"`+event.name()+`",`...)
	dst = append(dst, data[1:]...) // every event has a field at least
	return append(dst, '\n'), nil
}

// eventName returns the name of a line's event.
func eventName(line []byte) string {
	const prefix = `{"t":"`
	if len(line) < len(prefix) || string(line[:len(prefix)]) != prefix {
		return ""
	}
	for i, c := range line[len(prefix):] {
		if c == '"' {
			return string(line[len(prefix) : len(prefix)+i])
		}
	}
	return ""
}

// parseEvent reads a line. Events that a later version may have are nil. What
// is not UTF-8 is damaged, which Unmarshal would not say.
func parseEvent(line []byte) (Event, error) {
	name := eventName(line)
	switch {
	case !utf8.Valid(line):
		return nil, fmt.Errorf("event %.20q: not UTF-8", name)
	case name == "":
		return nil, fmt.Errorf("not an event: %.40q", line)
	}
	newEvent, ok := newEvents[name]
	if !ok {
		if err := json.Unmarshal(line, new(map[string]json.RawMessage)); err != nil {
			return nil, fmt.Errorf("event %.20q: %w", name, err)
		}
		return nil, nil
	}
	event := newEvent()
	if err := json.Unmarshal(line, event); err != nil {
		return nil, fmt.Errorf("event %q: %w", name, err)
	}
	return event, nil
}
