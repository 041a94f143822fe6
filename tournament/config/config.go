// Package config holds the settings of a tournament and reads them from flags,
// spelled as in fastchess and c-gomoku-cli, and from TOML files, whose keys are
// the names of the flags.
package config

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"kumiko/engine/board"
	"kumiko/tournament/opening"
	"kumiko/tournament/schedule"
	"kumiko/tournament/stats"
)

// A Config is everything that decides how a tournament is played. It is kept in
// the tournament's log and compared on resume.
type Config struct {
	Engines []Engine `json:"engines"`

	Rule   Rule `json:"rule"`
	Swap2  bool `json:"swap2,omitempty"` // the first player sets up three stones instead of an opening
	Width  int  `json:"width"`
	Height int  `json:"height"`

	Format Format `json:"format"`
	Seeds  int    `json:"seeds,omitempty"` // of a gauntlet
	Rounds int    `json:"rounds"`          // openings per pairing
	NoSwap bool   `json:"no_swap,omitempty"`
	Seed   uint64 `json:"seed"`

	Openings Openings `json:"openings"`
	SPRT     *SPRT    `json:"sprt,omitempty"`

	UntilError float64 `json:"until_error,omitempty"` // stop once all errors are this small, in Elo; 0: never

	Draw   *Draw   `json:"draw,omitempty"`   // nil: no draws by score
	Resign *Resign `json:"resign,omitempty"` // nil: no losses by score

	MaxPlies        int `json:"max_plies,omitempty"`         // stones that make a draw; 0: never
	DrawSquaresLeft int `json:"draw_squares_left,omitempty"` // empty points that make a draw; 0: only a full board does

	Concurrency     int         `json:"concurrency"`
	Affinity        bool        `json:"affinity,omitempty"`
	SuspendOpponent bool        `json:"suspend_opponent,omitempty"`
	MemoryLimit     MemoryLimit `json:"memory_limit"`
	Uses            []Resource  `json:"uses,omitempty"` // the resources available
	OnFailure       OnFailure   `json:"on_failure"`
	MaxFailures     Failures    `json:"max_failures"`
	Transcripts     Transcripts `json:"transcripts"`
	RatingInterval  int         `json:"rating_interval"` // games between two reports
}

// An Openings says where openings come from.
type Openings struct {
	File      string    `json:"file,omitempty"` // may be opening.BuiltinFile; "" means an empty board
	Type      string    `json:"type"`           // a format of package opening
	Random    bool      `json:"random,omitempty"`
	Ordered   bool      `json:"ordered,omitempty"`      // the order was set; unused once the book is chosen
	Start     int       `json:"start,omitempty"`        // number of the first, from 1, in book or shuffled order
	Honored   bool      `json:"start_random,omitempty"` // Start also applies to a random order; in logs of version 1.0 it did not
	Plies     int       `json:"plies,omitempty"`        // of each; 0: all
	Transform Transform `json:"transform"`
}

// NoBook in place of a book's file means an empty board instead of the built-in
// book.
const NoBook = "none"

// An SPRT is a sequential test of the first engine against the second.
type SPRT struct {
	Elo0     float64 `json:"elo0"`
	Elo1     float64 `json:"elo1"`
	Alpha    float64 `json:"alpha"`
	Beta     float64 `json:"beta"`
	Model    Model   `json:"model"`
	MaxPairs int     `json:"max_pairs,omitempty"` // 0: no limit but the rounds
}

// A Draw adjudicates a draw by the scores that engines report: those of Count
// moves in a row of both are within Score of 0, after Number moves of each.
type Draw struct {
	Number int `json:"number,omitempty"`
	Count  int `json:"count"`
	Score  int `json:"score"`
}

// A Resign adjudicates a loss by an engine's own scores: those of Count moves
// in a row are at -Score or below, after Number moves of each engine.
type Resign struct {
	Number int `json:"number,omitempty"`
	Count  int `json:"count"`
	Score  int `json:"score"`
}

// An Engine says how to run an engine and its limits.
type Engine struct {
	Name      string            `json:"name"`
	Args      []string          `json:"args"` // the program and its arguments
	Dir       string            `json:"dir,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	TC        TC                `json:"tc"`
	Depth     int               `json:"depth,omitempty"`
	Nodes     int64             `json:"nodes,omitempty"`
	Memory    int64             `json:"memory"`               // bytes; 0 is unlimited
	MemorySet bool              `json:"memory_set,omitempty"` // set by the user
	Threads   int               `json:"threads,omitempty"`    // sent if not 0
	Info      map[string]string `json:"info,omitempty"`       // further INFO lines
	Margin    time.Duration     `json:"margin"`               // how far a move may exceed its limit
	Grace     time.Duration     `json:"grace"`                // further time to answer before it is killed
	Start     time.Duration     `json:"start"`                // time to get ready
	Restart   Restart           `json:"restart"`
	CRLF      bool              `json:"crlf,omitempty"`
	Board     Board             `json:"board"`
	Uses      []Resource        `json:"uses,omitempty"`
	Stderr    string            `json:"stderr,omitempty"` // a file for its standard error
	Stats     string            `json:"stats,omitempty"`  // a regular expression for its messages
}

// A Resource is something limited, such as a GPU.
type Resource struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// DefaultMemory is the memory limit sent to engines if none is set: Gomocup's.
const DefaultMemory = 350 << 20

// Default returns the default settings.
func Default() Config {
	return Config{
		Width: 15, Height: 15,
		Rounds:         10,
		Format:         RoundRobin,
		Concurrency:    1,
		MemoryLimit:    MemoryAuto,
		OnFailure:      FailureLoses,
		MaxFailures:    Failures{Percent: 10, Min: minFailures},
		Transcripts:    TranscriptsFailed,
		RatingInterval: 10,
		Openings:       Openings{Start: 1, Transform: TransformNone},
	}
}

// DefaultSPRT returns the default sequential test.
func DefaultSPRT() SPRT {
	return SPRT{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: Normalized}
}

// DefaultDraw and DefaultResign return the default adjudications.
func DefaultDraw() Draw { return Draw{Number: 30, Count: 8, Score: 20} }

func DefaultResign() Resign { return Resign{Count: 4, Score: 1000} }

func defaultEngine() Engine {
	return Engine{
		TC:      TC{Turn: time.Second},
		Memory:  DefaultMemory,
		Margin:  100 * time.Millisecond,
		Grace:   time.Second,
		Start:   30 * time.Second,
		Restart: RestartAuto,
		Board:   BoardAuto,
	}
}

// MaxConcurrency bounds how many games may be played at a time: each needs some
// threads and a dozen files.
const MaxConcurrency = 512

// minMemory is the smallest memory limit that may be set.
const minMemory = 1 << 20

// Check reports invalid settings.
func (c *Config) Check() error {
	if len(c.Engines) < 2 {
		return fmt.Errorf("a tournament needs two engines, got %d (--engine 'name=A cmd=./pbrain-a')", len(c.Engines))
	}
	names := make(map[string]bool)
	for i := range c.Engines {
		e := &c.Engines[i]
		if names[e.Name] {
			return fmt.Errorf("two engines are called %q: give them different names", e.Name)
		}
		names[e.Name] = true
		if err := e.check(c.Uses); err != nil {
			return fmt.Errorf("engine %s: %w", e.Name, err)
		}
	}
	if _, err := board.New(c.Width, c.Height, c.Rule.Rule); err != nil {
		return err
	}
	for _, v := range []struct {
		name       string
		value, min int
	}{
		{"rounds", c.Rounds, 1}, {"concurrency", c.Concurrency, 1}, {"rating-interval", c.RatingInterval, 0},
		{"max-plies", c.MaxPlies, 0}, {"draw-squares-left", c.DrawSquaresLeft, 0},
		{"openings start", c.Openings.Start, 1}, {"openings plies", c.Openings.Plies, 0},
	} {
		if v.value < v.min {
			return fmt.Errorf("%s must be at least %d, got %d", v.name, v.min, v.value)
		}
	}
	if c.Concurrency > MaxConcurrency {
		return fmt.Errorf("concurrency must be at most %d, got %d", MaxConcurrency, c.Concurrency)
	}
	if c.DrawSquaresLeft >= c.Width*c.Height {
		return fmt.Errorf("draw-squares-left must be less than the %d points of the board, got %d", c.Width*c.Height, c.DrawSquaresLeft)
	}
	o := c.Openings
	set := o.Random || o.Plies > 0 || o.Start > 1 || o.Transform != TransformNone || o.Type != ""
	if o.File == NoBook && set {
		return fmt.Errorf("openings: file=%s takes no other settings", NoBook)
	}
	if c.Swap2 && (o.File != "" && o.File != NoBook || set) {
		return errors.New("swap2 makes its own openings, so no openings file may be given")
	}
	if d := c.Draw; d != nil && (d.Count < 1 || d.Number < 0 || d.Score < 0) {
		return fmt.Errorf("draw: count must be at least 1, number and score at least 0, got %d, %d, %d", d.Count, d.Number, d.Score)
	}
	if r := c.Resign; r != nil && (r.Count < 1 || r.Number < 0 || r.Score < 1) {
		return fmt.Errorf("resign: count and score must be at least 1, number at least 0, got %d, %d, %d", r.Count, r.Score, r.Number)
	}
	if c.UntilError < 0 {
		return fmt.Errorf("until-error must not be negative, got %v", c.UntilError)
	}
	return c.checkSPRT()
}

func (c *Config) checkSPRT() error {
	if c.SPRT == nil {
		return nil
	}
	if len(c.Engines) != 2 {
		return fmt.Errorf("a sequential test needs two engines, got %d", len(c.Engines))
	}
	if c.NoSwap {
		return errors.New("a sequential test needs pairs, which no-swap does not play")
	}
	if err := c.SPRT.Test().Check(); err != nil {
		return fmt.Errorf("sprt: %w", err)
	}
	if c.SPRT.MaxPairs < 0 {
		return fmt.Errorf("sprt: max-pairs must not be negative, got %d", c.SPRT.MaxPairs)
	}
	return nil
}

// Test returns the test in terms of package stats.
func (s *SPRT) Test() stats.SPRT {
	model := map[Model]stats.Model{Logistic: stats.Logistic, Bayesian: stats.Bayesian}[s.Model]
	return stats.SPRT{Model: model, Elo0: s.Elo0, Elo1: s.Elo1, Alpha: s.Alpha, Beta: s.Beta}
}

// maxName is the length of the longest name of an engine, in characters.
const maxName = 100

// validName reports whether records, tables and terminals can show a name as it is.
func validName(name string) bool {
	printable := func(r rune) bool { return r != utf8.RuneError && r != '"' && strconv.IsPrint(r) }
	return strings.TrimSpace(name) != "" && utf8.RuneCountInString(name) <= maxName &&
		!strings.ContainsFunc(name, func(r rune) bool { return !printable(r) })
}

func (e *Engine) check(have []Resource) error {
	switch {
	case len(e.Args) == 0 || e.Args[0] == "":
		return errors.New("missing command (cmd=./pbrain-a)")
	case !validName(e.Name):
		return fmt.Errorf("invalid name: it must have 1 to %d printable characters, and no quotation marks", maxName)
	case e.TC.Match < 0 || e.TC.Turn < 0 || e.TC.Inc < 0:
		return fmt.Errorf("tc must not be negative, got %v", e.TC)
	case e.TC.Match == 0 && e.TC.Inc > 0:
		return fmt.Errorf("tc %v has an increment but no time to add it to", e.TC)
	case e.TC.Match == 0 && e.TC.Turn == 0 && e.Depth == 0 && e.Nodes == 0:
		return errors.New("no limit: give tc, depth or nodes")
	case e.Depth < 0 || e.Nodes < 0 || e.Memory < 0 || e.Threads < 0:
		return errors.New("limits must not be negative")
	case e.Memory > 0 && e.Memory < minMemory:
		return fmt.Errorf("memory must be at least %d bytes, got %d; 0 is no limit", minMemory, e.Memory)
	case e.Margin < 0 || e.Grace < 0 || e.Start <= 0:
		return errors.New("margin and grace must not be negative, start must be positive")
	}
	for _, use := range e.Uses {
		if n := available(have, use.Name); use.Count > n {
			return fmt.Errorf("uses %d of %s, only %d available (--resources %s=N)", use.Count, use.Name, n, use.Name)
		}
	}
	return nil
}

// Enforces reports whether an engine loses by exceeding its memory limit.
func (e *Engine) Enforces(l MemoryLimit) bool {
	return e.Memory > 0 && (l == MemoryPoll || l == MemoryEnforce || l == MemoryAuto && e.MemorySet)
}

// available returns the available number of a resource.
func available(have []Resource, name string) int {
	for _, r := range have {
		if r.Name == name {
			return r.Count
		}
	}
	return 0
}

// Schedule returns the settings of the schedule with a book of that many
// openings.
func (c *Config) Schedule(openings int) schedule.Settings {
	s := schedule.Settings{
		Engines:    len(c.Engines),
		Seeds:      c.Seeds,
		Rounds:     c.Rounds,
		Single:     c.NoSwap,
		Openings:   openings,
		Shuffle:    c.Openings.Random,
		Symmetries: board.Symmetries(c.Width, c.Height),
		Seed:       c.Seed,
	}
	if c.Format == Gauntlet {
		s.Format = schedule.Gauntlet
	}
	switch c.Openings.Transform {
	case TransformCycle:
		s.Transforms = schedule.Cycle
	case TransformRandom:
		s.Transforms = schedule.Random
	}
	if openings > 0 && (!c.Openings.Random || c.Openings.Honored) {
		s.Start = (c.Openings.Start - 1) % openings
	}
	if c.SPRT != nil && c.SPRT.MaxPairs > 0 {
		s.Rounds = c.SPRT.MaxPairs
	}
	return s
}

// Book returns the options to read the book of openings with.
func (c *Config) Book() (o opening.Options, err error) {
	o = opening.Options{Width: c.Width, Height: c.Height, Rule: c.Rule.Rule, Plies: c.Openings.Plies}
	o.Format, err = opening.ParseFormat(c.Openings.Type)
	return o, err
}

// Names returns the names of the engines.
func (c *Config) Names() []string {
	names := make([]string, len(c.Engines))
	for i := range names {
		names[i] = c.Engines[i].Name
	}
	return names
}

// Size formats the board size as 15x15.
func (c *Config) Size() string { return fmt.Sprintf("%dx%d", c.Width, c.Height) }

// nameOf returns the name of an engine that was given none.
func nameOf(program string) string {
	name := filepath.Base(program)
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".EXE")
	return strings.TrimPrefix(name, "pbrain-")
}

// InfoLines returns the additional INFO lines, sorted by key.
func (e *Engine) InfoLines() []string {
	var lines []string
	for _, k := range slices.Sorted(maps.Keys(e.Info)) {
		lines = append(lines, "INFO "+k+" "+e.Info[k])
	}
	return lines
}

// clone returns a copy that shares no memory that settings change.
func (c *Config) clone() Config {
	n := *c
	n.Engines = slices.Clone(c.Engines)
	for i := range n.Engines {
		e := &n.Engines[i]
		e.Info, e.Env = maps.Clone(e.Info), maps.Clone(e.Env)
	}
	n.SPRT, n.Draw, n.Resign = copyOf(c.SPRT), copyOf(c.Draw), copyOf(c.Resign)
	return n
}

// copyOf returns a pointer to a copy, or nil for nil.
func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// SetSize sets the size of the board, such as 15 or 20x15.
func (c *Config) SetSize(s string) (err error) {
	c.Width, c.Height, err = board.ParseSize(s)
	return err
}
