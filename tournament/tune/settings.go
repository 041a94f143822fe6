package tune

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"kumiko/engine"
	"kumiko/engine/board"
)

// version is the version of the log format.
const version = 1

// settings determine every game of a run. The log begins with them.
type settings struct {
	Version  int     `json:"version"`
	Method   string  `json:"method"`
	Rule     string  `json:"rule"`
	Width    int     `json:"width"`
	Height   int     `json:"height"`
	Nodes    int64   `json:"nodes"` // per move
	Seed     uint64  `json:"seed"`
	Openings string  `json:"openings"`      // hash of the book; "" for random ones
	Table    string  `json:"table"`         // hash of the engine's parameters
	Patterns string  `json:"patterns"`      // hash of its pattern tables; "" for those made by hand
	Net      string  `json:"net,omitempty"` // hash of its network; "" if the tables evaluate
	Params   []param `json:"params"`

	// The settings of the method:
	SPSA    *spsaSettings    `json:"spsa,omitempty"`
	Genetic *geneticSettings `json:"genetic,omitempty"`
	Match   *matchSettings   `json:"match,omitempty"`
}

// A settingsLine is the first line of a log.
type settingsLine struct {
	Settings *settings `json:"tune"`
}

// UnmarshalJSON rejects a line that is not the first of a log.
func (l *settingsLine) UnmarshalJSON(data []byte) error {
	var line struct {
		Tune *settings `json:"tune"`
	}
	if err := json.Unmarshal(data, &line); err != nil {
		return err
	}
	if line.Tune == nil {
		return errors.New("not a log of tune")
	}
	if line.Tune.Version != version {
		return fmt.Errorf("a log of version %d; this program reads version %d", line.Tune.Version, version)
	}
	l.Settings = line.Tune
	return nil
}

// tableHash identifies a table of parameters.
func tableHash(known []engine.Param) string {
	text, err := json.Marshal(known)
	if err != nil {
		panic(err) // strings and numbers
	}
	return hash(text)
}

// hash is short: it guards against mistakes, not malice.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// check reports settings with which no games can be played. Those of a log may
// be anything.
func (s *settings) check() error {
	rule, err := board.ParseRule(s.Rule)
	if err != nil {
		return err
	}
	if _, err := board.New(s.Width, s.Height, rule); err != nil {
		return err
	}
	if s.Nodes < 1 || s.Nodes > math.MaxInt32 {
		return fmt.Errorf("nodes must be 1 to %d, got %d", math.MaxInt32, s.Nodes)
	}
	if len(s.Params) == 0 && (s.Match == nil || !s.Match.engines()) {
		return errors.New("no parameters")
	}
	for _, p := range s.Params {
		if err := p.check(); err != nil {
			return err
		}
	}
	switch {
	case s.Method == "spsa" && s.SPSA != nil:
		return s.SPSA.check()
	case s.Method == "genetic" && s.Genetic != nil:
		return s.Genetic.check()
	case s.Method == "match" && s.Match != nil:
		return s.Match.check(s.Params)
	}
	return fmt.Errorf("unknown method %q, or no settings of it", s.Method)
}

// newMethod returns the method for checked settings in its initial state.
func (s *settings) newMethod() method {
	switch {
	case s.SPSA != nil:
		return newSPSA(s.Seed, s.Params, *s.SPSA)
	case s.Genetic != nil:
		return newGenetic(s.Seed, s.Params, *s.Genetic)
	}
	return newMatch(s.Params, *s.Match)
}
