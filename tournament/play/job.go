package play

import (
	"time"

	"kumiko/engine/board"
	"kumiko/tournament/config"
	"kumiko/tournament/game"
)

// A Job is a game to play. It is plain data, and all that a worker needs.
type Job struct {
	Game        int                `json:"game"`    // its number in the schedule
	Engines     [2]Engine          `json:"engines"` // the one that begins with black first
	Settings    game.Settings      `json:"settings"`
	Opening     []board.Move       `json:"opening,omitempty"`
	MemoryLimit config.MemoryLimit `json:"memory_limit"`
	Affinity    bool               `json:"affinity,omitempty"` // bind the game to its own processor
	Keep        config.Transcripts `json:"keep"`               // which games' dialogue to keep
}

// An Engine is one of the two engines of a game. A worker may reuse the process of
// its last game for the same index.
type Engine struct {
	Index int `json:"index"` // in the config of the tournament
	config.Engine
}

// An Event is what a worker reports about a job: *Started, *Moved, *Ended,
// *Voided or *Warned. The last event of a job is an Ended or a Voided.
type Event interface{ isEvent() }

// A Started says that both engines are ready, and the clocks may run.
type Started struct {
	Game int       `json:"game"`
	At   time.Time `json:"at"`
}

// A Moved holds moves of a game in progress.
type Moved struct {
	Game  int        `json:"game"`
	Ply   int        `json:"ply"` // of the first move, counting the opening
	Plies []game.Ply `json:"plies"`
}

// An Ended says how a game went.
type Ended struct {
	Game     int         `json:"game"`
	At       time.Time   `json:"at"`
	Result   game.Result `json:"result"`
	Dialogue []byte      `json:"dialogue,omitempty"` // with both engines, if kept
}

// A Voided says that a game could not be played, through no fault of an engine.
type Voided struct {
	Game int       `json:"game"`
	At   time.Time `json:"at"`
	Why  string    `json:"why"`
}

// A Warned reports engine misbehavior that carries no penalty.
type Warned struct {
	Engine int       `json:"engine"` // its index
	Game   int       `json:"game"`   // the engine's last
	At     time.Time `json:"at"`
	Kind   string    `json:"kind"`
	Text   string    `json:"text"`
}

func (*Started) isEvent() {}
func (*Moved) isEvent()   {}
func (*Ended) isEvent()   {}
func (*Voided) isEvent()  {}
func (*Warned) isEvent()  {}
