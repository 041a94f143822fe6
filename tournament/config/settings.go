package config

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/shlex"

	"kumiko/engine/board"
	"kumiko/tournament/opening"
)

// settings are the settings of the tournament; those of engines come as groups.
var settings = []key[Config]{
	{"rule", "name", "rule: " + board.RuleNames + ", or a code of INFO rule", text(func(c *Config) *Rule { return &c.Rule })},
	{"size", "n", "columns and rows of the board, such as 15 or 20x15", access[Config]{(*Config).SetSize, (*Config).Size}},
	{"swap2", "", "open games by swap2 instead of a book", boolean(func(c *Config) *bool { return &c.Swap2 })},
	{"format", "name", "who plays whom: roundrobin, gauntlet (the first against all others) or gauntlet=K", access[Config]{setFormat, func(c *Config) string { return string(c.Format) }}},
	{"rounds", "n", "openings, and so pairs of games, per pairing", integer(func(c *Config) *int { return &c.Rounds })},
	{"no-swap", "", "play each opening once instead of twice with colors exchanged", boolean(func(c *Config) *bool { return &c.NoSwap })},
	{"seed", "n", "random seed (default a different one each time)", access[Config]{func(c *Config, s string) (err error) {
		if c.Seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			err = invalidNumber(s, err)
		}
		return err
	}, func(*Config) string { return "" }}},
	{"concurrency", "n", "games played at the same time", integer(func(c *Config) *int { return &c.Concurrency })},
	{"until-error", "elo", "stop when the errors of all ratings are this small", limit(number(func(c *Config) *float64 { return &c.UntilError }))},
	{"max-plies", "n", "stones on the board that make a draw", integer(func(c *Config) *int { return &c.MaxPlies })},
	{"draw-squares-left", "n", "empty points that make a draw: 25 in Piskvork and, in renju, at Gomocup", integer(func(c *Config) *int { return &c.DrawSquaresLeft })},
	{"affinity", "", "bind each game to its own processor (Linux)", boolean(func(c *Config) *bool { return &c.Affinity })},
	{"suspend-opponent", "", "suspend the engine that is not to move (not on Windows)", boolean(func(c *Config) *bool { return &c.SuspendOpponent })},
	{"memory-limit", "how", "memory limits: poll (measured after moves; exceeding it loses), enforce (by the operating system as well), announce (only sent to the engine) or off (not even sent); auto is poll for limits set by memory= and announce for the default", choice(func(c *Config) *MemoryLimit { return &c.MemoryLimit }, memoryLimits...)},
	{"resources", "list", "resources that games may need, and how many there are, such as gpu=1,license=2", resources(func(c *Config) *[]Resource { return &c.Uses })},
	{"on-failure", "how", "effect of an engine's failure: loss of the game or abort of the tournament", choice(func(c *Config) *OnFailure { return &c.OnFailure }, FailureLoses, FailureAborts)},
	{"max-failures", "n", "failures that disqualify an engine, or P% of its games but at least 5; 0 for never", text(func(c *Config) *Failures { return &c.MaxFailures })},
	{"transcripts", "which", "keep the dialogue with the engines: of failed games, of all or none", choice(func(c *Config) *Transcripts { return &c.Transcripts }, TranscriptsFailed, TranscriptsAll, TranscriptsNone)},
	{"rating-interval", "n", "games between two reports of the ratings", integer(func(c *Config) *int { return &c.RatingInterval })},
}

// limit is an access to a value for which 0 means none.
func limit[T any](a access[T]) access[T] {
	get := a.get
	a.get = func(t *T) string {
		if s := get(t); s != "0" {
			return s
		}
		return ""
	}
	return a
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
			return fmt.Errorf("invalid format %q, want such as gauntlet=2", s)
		}
	}
	return nil
}

// An assignment is a key and its value in a group such as those of engines.
type assignment struct{ key, value string }

// splitGroup splits a flag such as 'name=A cmd="./pbrain-a -x" tc=5/1'.
func splitGroup(s string) (list []assignment, err error) {
	words, err := splitWords(s)
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		key, value, found := strings.Cut(w, "=")
		if !found {
			return nil, fmt.Errorf("missing = in %q", w)
		}
		list = append(list, assignment{key, value})
	}
	return list, nil
}

// splitWords splits as a shell does. Unlike shlex alone it does not silently
// drop what follows a #.
func splitWords(s string) ([]string, error) {
	words, err := shlex.Split(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	for _, w := range strings.Fields(s) {
		if w[0] == '#' {
			return nil, fmt.Errorf("%s: quote %q, which would begin a comment", s, w)
		}
	}
	return words, nil
}

// splitCommand splits a command line. On Windows a backslash is part of a path,
// and so are blanks in the name of an existing file.
func splitCommand(s string) ([]string, error) {
	if runtime.GOOS == "windows" {
		if _, err := os.Stat(s); err == nil {
			return []string{s}, nil
		}
		s = strings.ReplaceAll(s, `\`, `\\`)
	}
	return splitWords(s)
}

// set applies one setting of the engine.
func (e *Engine) set(a assignment) error {
	if k, ok := strings.CutPrefix(a.key, "info."); ok && k != "" {
		if strings.ContainsFunc(k+a.value, unicode.IsControl) {
			return fmt.Errorf("invalid %s %q: the engine would read more than one line", a.key, a.value)
		}
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

// engineKeys are the settings of engines besides args, env.* and info.*. Where
// c-gomoku-cli uses another name, it is a key too.
var engineKeys = []key[Engine]{
	{"name", "N", "name in tables and logs (default the name of the program)", word(func(e *Engine) *string { return &e.Name })},
	{"cmd", "COMMAND", `program and arguments, quoted as in a shell; files may have args = ["a", "b"] instead`, access[Engine]{func(e *Engine, s string) (err error) {
		e.Args, err = splitCommand(s)
		return err
	}, nothing[Engine]}},
	{"dir", "FOLDER", "working folder (default the folder of the program)", word(func(e *Engine) *string { return &e.Dir })},
	{"tc", "M/T+I", "seconds for the game, for a move, and added after each move; 0 is no limit", text(func(e *Engine) *TC { return &e.TC })},
	{"depth", "N", "depth limit, sent as INFO max_depth", integer(func(e *Engine) *int { return &e.Depth })},
	{"nodes", "N", "node limit, sent as INFO max_node", integer(func(e *Engine) *int64 { return &e.Nodes })},
	{"memory", "SIZE", "memory limit, sent as INFO max_memory and enforced as --memory-limit says, such as 64M; 0 is none", memory()},
	{"threads", "N", "threads, sent as INFO thread_num", integer(func(e *Engine) *int { return &e.Threads })},
	{"margin", "T", "seconds that a move may take beyond its limit", duration(func(e *Engine) *time.Duration { return &e.Margin })},
	{"grace", "T", "further seconds before it is killed; the game is already lost", duration(func(e *Engine) *time.Duration { return &e.Grace })},
	{"start", "T", "seconds to start up", duration(func(e *Engine) *time.Duration { return &e.Start })},
	{"restart", "HOW", "start a new process for each game: auto (if RESTART does not work), always or never", choice(func(e *Engine) *Restart { return &e.Restart }, RestartAuto, RestartAlways, RestartNever)},
	{"board", "HOW", "send BOARD before moves: auto (only before its first) or always", choice(func(e *Engine) *Board { return &e.Board }, BoardAuto, BoardAlways)},
	{"eol", "HOW", "end of the lines sent to it: lf or crlf", access[Engine]{func(e *Engine, s string) error {
		var eol string
		err := choose(&eol, s, "lf", "crlf")
		e.CRLF = eol == "crlf"
		return err
	}, func(e *Engine) string {
		if e.CRLF {
			return "crlf"
		}
		return "lf"
	}}},
	{"uses", "LIST", "resources that its games need, such as gpu=1; see --resources", resources(func(e *Engine) *[]Resource { return &e.Uses })},
	{"stderr", "FILE", "file for what it writes to standard error", word(func(e *Engine) *string { return &e.Stderr })},
	{"stats", "REGEXP", "regular expression for its messages, with groups named depth, nodes, score and so on", word(func(e *Engine) *string { return &e.Stats })},
	{"maxmemory", "SIZE", "c-gomoku-cli's name for memory", memory()},
	{"thread", "N", "c-gomoku-cli's name for threads", integer(func(e *Engine) *int { return &e.Threads })},
	{"tolerance", "T", "c-gomoku-cli's name for margin", duration(func(e *Engine) *time.Duration { return &e.Margin })},
}

func nothing[T any](*T) string { return "" }

// memory is a memory limit, enforced once it has been set.
func memory() access[Engine] {
	return access[Engine]{
		func(e *Engine, s string) (err error) {
			e.Memory, err = parseBytes(s)
			e.MemorySet = true
			return err
		},
		func(e *Engine) string { return formatBytes(e.Memory) },
	}
}

// EngineHelp explains the keys of engines.
func EngineHelp() string {
	var b strings.Builder
	b.WriteString("Keys of an engine, in --engine, --each and the tables [[engine]] and [each] of files:\n")
	line := func(key, help string) { fmt.Fprintf(&b, "  %-17s %s\n", key, help) }
	dflt := defaultEngine()
	for _, k := range engineKeys {
		line(k.name+"="+k.arg, k.explain(&dflt))
	}
	line("info.KEY=V", "one more INFO line")
	line("env.X=V", "environment variable")
	return b.String()
}

// openingKeys are the settings of openings.
var openingKeys = []key[Openings]{
	{"file", "F", "", word(func(o *Openings) *string { return &o.File })},
	{"type", strings.Join(opening.FormatNames, "|"), "", choice(func(o *Openings) *string { return &o.Type }, opening.FormatNames...)},
	{"order", "sequential|random", "", access[Openings]{func(o *Openings, s string) error {
		var order string
		err := choose(&order, s, "sequential", "random")
		o.Random, o.Ordered = order == "random", true
		return err
	}, nothing[Openings]}},
	{"start", "N", "", integer(func(o *Openings) *int { return &o.Start })},
	{"plies", "N", "", integer(func(o *Openings) *int { return &o.Plies })},
	{"transform", "none|cycle|random", "", choice(func(o *Openings) *Transform { return &o.Transform }, TransformNone, TransformCycle, TransformRandom)},
}

// openingsHelp is the help of the flag for openings.
func openingsHelp() string {
	var words []string
	for _, k := range openingKeys {
		words = append(words, k.name+"="+k.arg)
	}
	return "'" + strings.Join(words, " ") + "' (default the built-in book; file=none is an empty board)"
}

// sprtKeys are the settings of a sequential test.
var sprtKeys = []key[SPRT]{
	{"elo0", "", "", number(func(t *SPRT) *float64 { return &t.Elo0 })},
	{"elo1", "", "", number(func(t *SPRT) *float64 { return &t.Elo1 })},
	{"alpha", "", "", number(func(t *SPRT) *float64 { return &t.Alpha })},
	{"beta", "", "", number(func(t *SPRT) *float64 { return &t.Beta })},
	{"model", "normalized|logistic|bayesian", "", choice(func(t *SPRT) *Model { return &t.Model }, Normalized, Logistic, Bayesian)},
	{"max-pairs", "N", "", integer(func(t *SPRT) *int { return &t.MaxPairs })},
}

// drawKeys are the settings of adjudicated draws.
var drawKeys = []key[Draw]{
	{"number", "", "", integer(func(d *Draw) *int { return &d.Number })},
	{"count", "", "", integer(func(d *Draw) *int { return &d.Count })},
	{"score", "", "", integer(func(d *Draw) *int { return &d.Score })},
}

// resignKeys are the settings of adjudicated losses.
var resignKeys = []key[Resign]{
	{"number", "", "", integer(func(r *Resign) *int { return &r.Number })},
	{"count", "", "", integer(func(r *Resign) *int { return &r.Count })},
	{"score", "", "", integer(func(r *Resign) *int { return &r.Score })},
}

// groupHelp shows the keys of a group with their values or defaults.
func groupHelp[T any](keys []key[T], dflt T) string {
	var words []string
	for _, k := range keys {
		words = append(words, k.name+"="+cmp.Or(k.arg, k.get(&dflt), "0"))
	}
	return "'" + strings.Join(words, " ") + "'"
}

// gomocupMargin is Gomocup's tolerance.
const gomocupMargin = time.Second

// presets are Gomocup's time controls. Its memory limit is the default.
var presets = map[string]string{"gomocup-fast": "120/5", "gomocup": "180/30", "gomocup-final": "1000/300"}
