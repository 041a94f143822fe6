package play

import (
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/game"
)

// A Job is a game to be played. It is plain data and complete: a worker needs
// nothing else.
type Job struct {
	Game        int                `json:"game"`    // its number in the schedule
	Engines     [2]Engine          `json:"engines"` // who begins with black, then the other
	Settings    game.Settings      `json:"settings"`
	Opening     []board.Move       `json:"opening,omitempty"`
	MemoryLimit config.MemoryLimit `json:"memory_limit"`
	Affinity    bool               `json:"affinity,omitempty"` // give the game a processor of its own
	Keep        config.Transcripts `json:"keep"`               // of which games the dialogue is kept
}

// An Engine is one that plays a game. A worker may let it go on in the process
// of its last game with the same index.
type Engine struct {
	Index int `json:"index"` // in the config of the tournament
	config.Engine
}

// An Event is something that a worker tells of a job: *Started, *Moved, *Ended,
// *Voided or *Warned. A job ends with an Ended or a Voided.
type Event interface{ isEvent() }

// A Started says that both engines are ready.
type Started struct {
	Game int       `json:"game"`
	At   time.Time `json:"at"`
}

// A Moved tells of moves in a game that goes on.
type Moved struct {
	Game  int        `json:"game"`
	Ply   int        `json:"ply"` // of the first, the stones of the opening counted
	Plies []game.Ply `json:"plies"`
}

// An Ended says how a game went.
type Ended struct {
	Game     int         `json:"game"`
	At       time.Time   `json:"at"`
	Result   game.Result `json:"result"`
	Dialogue []byte      `json:"dialogue,omitempty"` // with both engines, if it is kept
}

// A Voided says that a game could not be played, for a reason that is no
// engine's.
type Voided struct {
	Game int       `json:"game"`
	At   time.Time `json:"at"`
	Why  string    `json:"why"`
}

// A Warned is about an engine's behavior that has cost it nothing.
type Warned struct {
	Engine int       `json:"engine"` // its index
	Game   int       `json:"game"`   // its last one
	At     time.Time `json:"at"`
	Kind   string    `json:"kind"`
	Text   string    `json:"text"`
}

func (*Started) isEvent() {}
func (*Moved) isEvent()   {}
func (*Ended) isEvent()   {}
func (*Voided) isEvent()  {}
func (*Warned) isEvent()  {}
