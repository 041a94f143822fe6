// Package journal keeps the log of a tournament, the only source of truth about
// it: a file of JSON lines to which one process appends. Everything shown or
// exported is derived from it, so nothing can disagree with it. A process killed
// at any point leaves a log from which the tournament can be resumed; games that
// were running are played again.
package journal

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"time"
	"unicode/utf8"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/schedule"
	"kumiko/tournament/telemetry"
)

// Version is the version of the log format. Since version 2 every line ends with its
// checksum.
const Version = 2

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

// Hashes are the SHA-256 sums, in hexadecimal, of what a result depends on.
type Hashes struct {
	Engines  []string `json:"engines"` // the programs, in the order of the config
	Openings string   `json:"openings,omitempty"`
	Program  string   `json:"prog"`
}

// A Latency is what the harness, the pipes and the system add to the time of a
// move.
type Latency struct {
	Median Micros `json:"median"`
	P99    Micros `json:"p99"` // 99 % are within
	Max    Micros `json:"max"`
}

// A Host describes the machine the tournament is played on.
type Host struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	CPUs  int    `json:"cpus"`
	Model string `json:"model,omitempty"`
}

// A Resume says that the tournament was resumed, and with what settings.
type Resume struct {
	At     time.Time     `json:"at"`
	Config config.Config `json:"config"`
	Hash   Hashes        `json:"hash"`
	Accept []string      `json:"accept,omitempty"` // accepted changes, by name
}

// A Game identifies a game of the schedule. Engines are indices in the config.
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

// NewGame returns the key of a game of the schedule with an opening from a line
// of the book.
func NewGame(s *schedule.Schedule, g schedule.Game, line int) Game {
	return Game{g.Number, s.Pair(g), g.Leg, g.Pairing, g.Round, g.Black, g.White, line, g.Sym}
}

// A Start says that a game has begun.
type Start struct {
	Game
	At     time.Time `json:"at"`
	Worker int       `json:"wk"` // the worker that conducts it, from 0
	Open   string    `json:"open,omitempty"`
}

// A Ready says that both engines of a game have started and the clocks may run.
type Ready struct {
	Number int       `json:"g"`
	At     time.Time `json:"at"`
}

// A Moves holds moves of a running game. It is for observers: the End of the
// game repeats them all.
type Moves struct {
	Number int               `json:"g"`
	Ply    int               `json:"ply"` // of the first move, counting the opening
	Moves  string            `json:"mv"`
	Times  []Micros          `json:"us"`
	Info   []*telemetry.Info `json:"info,omitempty"`
}

// Micros is a duration in microseconds.
type Micros int64

// Duration returns m as a time.Duration.
func (m Micros) Duration() time.Duration { return time.Duration(m) * time.Microsecond }

// A Result is the result of a game as records write it.
type Result string

// Results.
const (
	BlackWins Result = "1-0"
	WhiteWins Result = "0-1"
	Draw      Result = "1/2-1/2"
)

// Points returns the score of a color: 0, 1 or 2 half points.
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

// The reasons. From StartExec on, the loser has failed.
const (
	Five        Reason = "five"         // the winner made five in a row
	Full        Reason = "full"         // no point is left
	MaxPlies    Reason = "max-plies"    // the maximum number of stones
	SquaresLeft Reason = "squares-left" // the minimum number of empty points
	ScoreDraw   Reason = "score-draw"   // adjudicated a draw by both engines' scores
	ScoreLoss   Reason = "score-loss"   // adjudicated a loss by the loser's scores

	Forbidden       Reason = "foul"             // black played a forbidden move in renju
	StartExec       Reason = "start-exec"       // the program could not be run
	StartTimeout    Reason = "start-timeout"    // not ready in time
	StartError      Reason = "start-error"      // answered ERROR or the like instead of getting ready
	Crash           Reason = "crash"            // the process is gone
	TimeLoss        Reason = "time"             // answered too late
	NoAnswer        Reason = "no-answer"        // did not answer at all
	IllegalOccupied Reason = "illegal-occupied" // played on a stone
	IllegalRange    Reason = "illegal-range"    // played off the board
	Garbage         Reason = "garbage"          // answered something other than a move
	Flood           Reason = "flood"            // printed without end
	MemoryLoss      Reason = "memory"           // used more than allowed
	Swap2           Reason = "swap2"            // gave an invalid answer in swap2
)

// Failed reports whether the loser failed rather than lost on the board.
func (r Reason) Failed() bool {
	switch r {
	case Five, Full, MaxPlies, SquaresLeft, ScoreDraw, ScoreLoss, Forbidden:
		return false
	}
	return true
}

// An Outcome says how a game ended. Arrays of two are indexed by color, black
// first.
type Outcome struct {
	Result Result `json:"res"`
	Reason Reason `json:"why"`
	Text   string `json:"text"`             // the reason as c-gomoku-cli words it
	Detail string `json:"detail,omitempty"` // more about a failure

	Moves  string            `json:"mv"`   // all, such as h8i7: rows count from the top
	Open   int               `json:"open"` // number of them in the opening
	Times  []Micros          `json:"us"`   // of the moves after the opening
	Info   []*telemetry.Info `json:"info,omitempty"`
	Memory [2]int64          `json:"mem"`             // peak, in KiB; 0 means unknown
	Lag    Micros            `json:"lag"`             // longest time that a reply waited for the harness
	Stale  [2]int            `json:"stale"`           // unsolicited moves
	Start  [2]Micros         `json:"start"`           // time to get ready
	Swaps  string            `json:"swaps,omitempty"` // choices in swap2
}

// An End says that a game has ended, and how.
type End struct {
	Game           // with the final Black and White: swap2 may exchange them
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

// Points returns the score of an engine, in half points.
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

// A Warning reports engine misbehavior that carries no penalty.
type Warning struct {
	Engine int       `json:"eng"`
	Number int       `json:"g"` // the last game before it
	At     time.Time `json:"at"`
	Kind   string    `json:"kind"` // dirty-exit: it had to be killed after its last game
	Text   string    `json:"text"`
}

// DirtyExit is the kind of warning about an engine that did not exit by itself,
// or left processes behind.
const DirtyExit = "dirty-exit"

// A Disqualify says that an engine plays no more games.
type Disqualify struct {
	Engine int       `json:"eng"`
	At     time.Time `json:"at"`
	Why    string    `json:"why"`
}

// A Verdict is the verdict of a sequential test or of an error limit.
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

// newEvents make an empty event for each name.
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

// AppendEvent appends an event as a line of the log: its name, its fields, and the
// CRC-32 (IEEE) of everything before the checksum.
func AppendEvent(dst []byte, event Event) ([]byte, error) {
	data, err := json.Marshal(event)
	if err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(dst, `{"t":"`+event.name()+`",`...)
	dst = append(dst, data[1:len(data)-1]...) // every event has at least one field
	return fmt.Appendf(dst, sumFormat+"\n", crc32.ChecksumIEEE(dst[start:])), nil
}

// sumFormat is the end of a line: its checksum.
const sumFormat = `,"sum":"%08x"}`

// sumSize is the length of what sumFormat makes.
var sumSize = len(fmt.Sprintf(sumFormat, 0))

// checkSum reports whether a line ends with a checksum, and returns an error if that is
// wrong.
func checkSum(line []byte) (summed bool, err error) {
	rest, end := line[:max(0, len(line)-sumSize)], line[max(0, len(line)-sumSize):]
	var sum uint32
	if n, err := fmt.Sscanf(string(end), sumFormat, &sum); n != 1 || err != nil {
		return false, nil
	}
	if string(end) != fmt.Sprintf(sumFormat, crc32.ChecksumIEEE(rest)) {
		return true, fmt.Errorf("event %.20q: the checksum is wrong: the line was changed", eventName(line))
	}
	return true, nil
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

// parseEvent parses a line. It returns nil for events of later versions. It
// rejects invalid UTF-8, which Unmarshal would accept.
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
