package config

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/google/shlex"

	"kumiko/engine/board"
)

// A setting is one thing that flags and files can say.
type setting struct {
	name, arg, help string // arg is "" for switches
	set             func(c *Config, s string) error
}

// settings are those of the tournament; those of engines come as groups.
var settings = []setting{
	{"rule", "name", "rule: " + board.RuleNames + ", or a code of INFO rule (default freestyle)", func(c *Config, s string) error { return c.Rule.UnmarshalText([]byte(s)) }},
	{"size", "n", "columns and rows of the board, such as 15 or 20x15 (default 15)", (*Config).SetSize},
	{"swap2", "", "open games by swap2 instead of a book", boolean(func(c *Config) *bool { return &c.Swap2 })},
	{"format", "name", "who meets whom: roundrobin, gauntlet (the first against all others) or gauntlet=K (default roundrobin)", setFormat},
	{"rounds", "n", "openings, and so pairs of games, for each pairing (default 10)", integer(func(c *Config) *int { return &c.Rounds })},
	{"no-swap", "", "play each opening once instead of twice with colours exchanged", boolean(func(c *Config) *bool { return &c.NoSwap })},
	{"seed", "n", "seed of everything random (default one that nobody knows)", func(c *Config, s string) (err error) {
		c.Seed, err = strconv.ParseUint(s, 10, 64)
		return err
	}},
	{"concurrency", "n", "games at a time (default 1)", integer(func(c *Config) *int { return &c.Concurrency })},
	{"until-error", "elo", "stop when the errors of all ratings are that small", number(func(c *Config) *float64 { return &c.UntilError })},
	{"max-plies", "n", "stones on the board that make a draw", integer(func(c *Config) *int { return &c.MaxPlies })},
	{"draw-squares-left", "n", "empty points that make a draw: 25 in Piskvork and, in renju, at Gomocup", integer(func(c *Config) *int { return &c.DrawSquaresLeft })},
	{"affinity", "", "give each game a processor of its own (Linux)", boolean(func(c *Config) *bool { return &c.Affinity })},
	{"suspend-opponent", "", "stop the engine that is not to move (not on Windows)", boolean(func(c *Config) *bool { return &c.SuspendOpponent })},
	{"memory-limit", "how", "what is done about it: poll (look after moves), enforce (also by the system), announce or off (default poll)", func(c *Config, s string) error {
		return choose(&c.MemoryLimit, s, MemoryPoll, MemoryEnforce, MemoryAnnounce, MemoryOff)
	}},
	{"resources", "list", "what engines may need to use, such as gpu=1,license=2", func(c *Config, s string) (err error) {
		c.Uses, err = parseResources(s)
		return err
	}},
	{"on-failure", "how", "an engine that fails: loss of the game, or abort of the tournament (default loss)", func(c *Config, s string) error {
		return choose(&c.OnFailure, s, FailureLoses, FailureAborts)
	}},
	{"max-failures", "n", "failures that disqualify an engine, or P% of its games but at least 5; 0 for never (default 10%)", func(c *Config, s string) error { return c.MaxFailures.UnmarshalText([]byte(s)) }},
	{"transcripts", "which", "keep what engines and harness said in games: failed, all or none (default failed)", func(c *Config, s string) error {
		return choose(&c.Transcripts, s, TranscriptsFailed, TranscriptsAll, TranscriptsNone)
	}},
	{"rating-interval", "n", "games between two reports of the ratings (default 10)", integer(func(c *Config) *int { return &c.RatingInterval })},
}

func boolean(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, s string) (err error) {
		*field(c), err = strconv.ParseBool(s)
		return err
	}
}

func integer(field func(*Config) *int) func(*Config, string) error {
	return func(c *Config, s string) (err error) {
		*field(c), err = strconv.Atoi(s)
		return err
	}
}

func number(field func(*Config) *float64) func(*Config, string) error {
	return func(c *Config, s string) (err error) {
		*field(c), err = strconv.ParseFloat(s, 64)
		return err
	}
}

func setFormat(c *Config, s string) (err error) {
	name, seeds, found := strings.Cut(s, "=")
	if err = choose(&c.Format, name, RoundRobin, Gauntlet); err != nil {
		return err
	}
	c.Seeds = 0
	if c.Format == Gauntlet {
		c.Seeds = 1
	}
	if found {
		if c.Seeds, err = strconv.Atoi(seeds); err != nil || c.Seeds < 1 || c.Format != Gauntlet {
			return fmt.Errorf("%q is no format, such as gauntlet=2", s)
		}
	}
	return nil
}

// An assignment is a key and its value in a group such as those of engines.
type assignment struct{ key, value string }

// splitGroup takes a flag such as 'name=A cmd="./pbrain-a -x" tc=5/1' apart.
func splitGroup(s string) (list []assignment, err error) {
	words, err := splitWords(s)
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		key, value, found := strings.Cut(w, "=")
		if !found {
			return nil, fmt.Errorf("%q has no =", w)
		}
		list = append(list, assignment{key, value})
	}
	return list, nil
}

// splitWords splits as a shell does. Unlike shlex alone it does not drop what
// follows a # in silence.
func splitWords(s string) ([]string, error) {
	words, err := shlex.Split(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	for _, w := range strings.Fields(s) {
		if w[0] == '#' {
			return nil, fmt.Errorf("%s: put %q between quotation marks, or it begins a comment", s, w)
		}
	}
	return words, nil
}

// splitCommand splits a command line. On Windows a backslash is part of a
// path, and so are the blanks in the name of a file that exists.
func splitCommand(s string) ([]string, error) {
	if runtime.GOOS == "windows" {
		if _, err := os.Stat(s); err == nil {
			return []string{s}, nil
		}
		s = strings.ReplaceAll(s, `\`, `\\`)
	}
	return splitWords(s)
}

// set sets one of the engine's settings.
func (e *Engine) set(a assignment) error {
	if k, ok := strings.CutPrefix(a.key, "info."); ok && k != "" {
		return put(&e.Info, k, a.value)
	}
	if k, ok := strings.CutPrefix(a.key, "env."); ok && k != "" {
		return put(&e.Env, k, a.value)
	}
	return assign(engineKeys, e, a)
}

func put(m *map[string]string, key, value string) error {
	if *m == nil {
		*m = make(map[string]string)
	}
	(*m)[key] = value
	return nil
}

// engineKeys are the settings of engines besides env.* and info.*. What
// c-gomoku-cli calls otherwise has its name there too.
var engineKeys = map[string]func(e *Engine, s string) error{
	"name": func(e *Engine, s string) error { e.Name = s; return nil },
	"cmd": func(e *Engine, s string) (err error) {
		e.Args, err = splitCommand(s)
		return err
	},
	"dir":     func(e *Engine, s string) error { e.Dir = s; return nil },
	"tc":      func(e *Engine, s string) error { return e.TC.UnmarshalText([]byte(s)) },
	"depth":   func(e *Engine, s string) (err error) { e.Depth, err = strconv.Atoi(s); return err },
	"nodes":   func(e *Engine, s string) (err error) { e.Nodes, err = strconv.ParseInt(s, 10, 64); return err },
	"memory":  func(e *Engine, s string) (err error) { e.Memory, err = parseBytes(s); return err },
	"threads": func(e *Engine, s string) (err error) { e.Threads, err = strconv.Atoi(s); return err },
	"margin":  func(e *Engine, s string) (err error) { e.Margin, err = parseSeconds(s); return err },
	"grace":   func(e *Engine, s string) (err error) { e.Grace, err = parseSeconds(s); return err },
	"start":   func(e *Engine, s string) (err error) { e.Start, err = parseSeconds(s); return err },
	"restart": func(e *Engine, s string) error {
		return choose(&e.Restart, s, RestartAuto, RestartAlways, RestartNever)
	},
	"board":     func(e *Engine, s string) error { return choose(&e.Board, s, BoardAuto, BoardAlways) },
	"uses":      func(e *Engine, s string) (err error) { e.Uses, err = parseResources(s); return err },
	"stderr":    func(e *Engine, s string) error { e.Stderr = s; return nil },
	"stats":     func(e *Engine, s string) error { e.Stats = s; return nil },
	"maxmemory": func(e *Engine, s string) (err error) { e.Memory, err = parseBytes(s); return err },
	"thread":    func(e *Engine, s string) (err error) { e.Threads, err = strconv.Atoi(s); return err },
	"tolerance": func(e *Engine, s string) (err error) { e.Margin, err = parseSeconds(s); return err },
	"eol": func(e *Engine, s string) error {
		e.CRLF = s == "crlf"
		if s != "crlf" && s != "lf" {
			return fmt.Errorf("%q is neither lf nor crlf", s)
		}
		return nil
	},
}

// EngineHelp explains the keys of engines.
const EngineHelp = `Keys of an engine, in --engine, --each and the tables [[engine]] and [each] of files:
  name=N            its name; that of the program otherwise
  cmd=COMMAND       the program and its arguments, as in a shell; files may have args = ["a", "b"] instead
  dir=FOLDER        where it runs; the program's own folder otherwise
  env.X=V           in its environment
  tc=M/T+I          seconds for the match, for a move, and added after each move; 0 is no limit (0/1)
  depth=N nodes=N   limits that are told by INFO max_depth and max_node
  memory=SIZE       limit that is told, and held to by --memory-limit, such as 64M; 0 is none (350M)
  threads=N         told by INFO thread_num
  info.KEY=V        a further INFO line
  margin=T          a move may take longer than its limit (0.1 s)
  grace=T           to answer after that, which loses, before it is killed (1 s)
  start=T           to get ready (30 s)
  restart=HOW       a new process for each game: auto (if RESTART does not do), always or never (auto)
  board=HOW         BOARD before every move: auto (only before its first) or always (auto)
  eol=lf|crlf       how lines to it end (lf)
  uses=LIST         resources that a game with it takes, such as gpu=1; see --resources
  stderr=FILE       a file for what it writes to standard error
  stats=REGEXP      finds depth, nodes, score and so on in its messages, by groups of these names
maxmemory, thread and tolerance are c-gomoku-cli's names of memory, threads and margin.
`

// openingKeys are the settings of openings.
var openingKeys = map[string]func(o *Openings, s string) error{
	"file": func(o *Openings, s string) error { o.File = s; return nil },
	"type": func(o *Openings, s string) error { return choose(&o.Type, s, "offset", "pos", "psq") },
	"order": func(o *Openings, s string) error {
		o.Random = s == "random"
		if s != "random" && s != "sequential" {
			return fmt.Errorf("%q is neither random nor sequential", s)
		}
		return nil
	},
	"start": func(o *Openings, s string) (err error) { o.Start, err = strconv.Atoi(s); return err },
	"plies": func(o *Openings, s string) (err error) { o.Plies, err = strconv.Atoi(s); return err },
	"transform": func(o *Openings, s string) error {
		return choose(&o.Transform, s, TransformNone, TransformCycle, TransformRandom)
	},
}

// GuessType tells the form of a book from its name.
func GuessType(file string) string {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".pos":
		return "pos"
	case ".psq":
		return "psq"
	}
	return "offset"
}

// sprtKeys are the settings of a sequential test.
var sprtKeys = map[string]func(t *SPRT, s string) error{
	"elo0":      func(t *SPRT, s string) (err error) { t.Elo0, err = strconv.ParseFloat(s, 64); return err },
	"elo1":      func(t *SPRT, s string) (err error) { t.Elo1, err = strconv.ParseFloat(s, 64); return err },
	"alpha":     func(t *SPRT, s string) (err error) { t.Alpha, err = strconv.ParseFloat(s, 64); return err },
	"beta":      func(t *SPRT, s string) (err error) { t.Beta, err = strconv.ParseFloat(s, 64); return err },
	"model":     func(t *SPRT, s string) error { return choose(&t.Model, s, Normalized, Logistic, Bayesian) },
	"max-pairs": func(t *SPRT, s string) (err error) { t.MaxPairs, err = strconv.Atoi(s); return err },
}

// gomocupMargin is the tolerance of Gomocup's judge.
const gomocupMargin = time.Second

// presets are time controls of Gomocup. Its limit of memory is the default.
var presets = map[string]string{"gomocup-fast": "120/5", "gomocup": "180/30", "gomocup-final": "1000/300"}
