package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kumiko/engine/board"
)

// A TC is a time control. Its text is match/turn+increment in seconds, as in
// c-gomoku-cli: 180/30, 0/0.5 or 60+1.
type TC struct {
	Match, Turn, Inc time.Duration // 0 means no limit, or no increment
}

// String returns the text that ParseTC reads.
func (t TC) String() string {
	s := seconds(t.Match)
	if t.Turn > 0 {
		s += "/" + seconds(t.Turn)
	}
	if t.Inc > 0 {
		s += "+" + seconds(t.Inc)
	}
	return s
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// ParseTC parses a time control.
func ParseTC(s string) (t TC, err error) {
	rest, inc, hasInc := strings.Cut(s, "+")
	match, turn, hasTurn := strings.Cut(rest, "/")
	for _, part := range []struct {
		text string
		has  bool
		d    *time.Duration
	}{{match, true, &t.Match}, {turn, hasTurn, &t.Turn}, {inc, hasInc, &t.Inc}} {
		if !part.has {
			continue
		}
		if *part.d, err = parseSeconds(part.text); err != nil {
			return TC{}, fmt.Errorf("invalid time control %q, want match/turn+increment in seconds: %w", s, err)
		}
	}
	return t, nil
}

// MarshalText returns the text of the time control.
func (t TC) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText parses a time control.
func (t *TC) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTC(string(text))
	return err
}

// maxTime bounds times: it fits in the protocol's 31 bits of milliseconds.
const maxTime = 24 * 24 * time.Hour

// parseSeconds parses a number of seconds, or a duration with a unit.
func parseSeconds(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if f, ferr := strconv.ParseFloat(s, 64); ferr == nil {
		d, err = time.Duration(f*float64(time.Second)), nil
		if !(f >= 0 && f <= maxTime.Seconds()) {
			d = -1
		}
	}
	if err != nil {
		return 0, fmt.Errorf("invalid time %q, want seconds such as 0.5", s)
	}
	if d < 0 || d > maxTime {
		return 0, fmt.Errorf("time %q is not within 0 to %.0f seconds", s, maxTime.Seconds())
	}
	return d, nil
}

// parseBytes parses a size: K, M and G, also KB or KiB, are powers of 1024.
func parseBytes(s string) (int64, error) {
	digits := strings.TrimRight(s, "bBiIkKmMgG")
	n, err := strconv.ParseInt(digits, 10, 64)
	shift, ok := map[string]int{"": 0, "b": 0, "k": 10, "m": 20, "g": 30}[unit(s[len(digits):])]
	if err != nil || !ok || n < 0 || n > 1<<62>>shift {
		return 0, fmt.Errorf("invalid size %q, want bytes such as 350M", s)
	}
	return n << shift, nil
}

// formatBytes returns the text that parseBytes parses.
func formatBytes(n int64) string {
	for _, u := range []struct {
		shift int
		name  string
	}{{30, "G"}, {20, "M"}, {10, "K"}} {
		if n > 0 && n%(1<<u.shift) == 0 {
			return strconv.FormatInt(n>>u.shift, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

func unit(s string) string {
	s = strings.ToLower(s)
	if len(s) > 1 {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "b"), "i")
	}
	return s
}

// choose sets dst to one of the values.
func choose[T ~string](dst *T, s string, values ...T) error {
	if !slices.Contains(values, T(s)) {
		return fmt.Errorf("unknown value %q, want one of %s", s, list(values))
	}
	*dst = T(s)
	return nil
}

// list joins values for an error.
func list[T ~string](values []T) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

// A Rule is a rule of the board, also known by its INFO rule code.
type Rule struct{ board.Rule }

// MarshalText returns the name of the rule.
func (r Rule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses a name or a code.
func (r *Rule) UnmarshalText(text []byte) (err error) {
	for rule := range board.Rule(board.NumRules) {
		if strconv.Itoa(rule.Code()) == string(text) {
			r.Rule = rule
			return nil
		}
	}
	if r.Rule, err = board.ParseRule(string(text)); err != nil {
		return fmt.Errorf("%w, or 0, 1, 4, 8, 9", err)
	}
	return nil
}

// A Format says which engines meet.
type Format string

// Formats.
const (
	RoundRobin Format = "roundrobin" // all engines meet each other
	Gauntlet   Format = "gauntlet"   // the first engines meet all others
)

// A Transform says under which board symmetries openings are played.
type Transform string

// Transforms.
const (
	TransformNone   Transform = "none"
	TransformCycle  Transform = "cycle"  // the next one each time the book is used up
	TransformRandom Transform = "random" // a random one for each opening
)

// A MemoryLimit says how an engine's memory limit is applied.
type MemoryLimit string

// Memory limits.
const (
	MemoryAuto     MemoryLimit = "auto"     // poll limits that were set, announce the default
	MemoryPoll     MemoryLimit = "poll"     // measure after each move; exceeding it loses
	MemoryEnforce  MemoryLimit = "enforce"  // and have the operating system enforce it, where it can
	MemoryAnnounce MemoryLimit = "announce" // only tell the engine
	MemoryOff      MemoryLimit = "off"      // not even that
)

var memoryLimits = []MemoryLimit{MemoryAuto, MemoryPoll, MemoryEnforce, MemoryAnnounce, MemoryOff}

// An OnFailure says what an engine's failure causes.
type OnFailure string

// Effects of failures.
const (
	FailureLoses  OnFailure = "loss"  // loss of the game
	FailureAborts OnFailure = "abort" // abort of the tournament, which can be resumed
)

// A Transcripts says for which games the dialogue is kept.
type Transcripts string

// Choices of transcripts.
const (
	TranscriptsFailed Transcripts = "failed" // games in which an engine failed
	TranscriptsAll    Transcripts = "all"
	TranscriptsNone   Transcripts = "none"
)

// A Restart says when an engine gets a new process.
type Restart string

// Restarts.
const (
	RestartAuto   Restart = "auto"   // when RESTART does not work
	RestartAlways Restart = "always" // for every game
	RestartNever  Restart = "never"  // RESTART must work; otherwise it is a failure
)

// A Board says when an engine is sent the whole position.
type Board string

// Ways to send positions.
const (
	BoardAuto   Board = "auto"   // before its first move, if there are stones
	BoardAlways Board = "always" // before every move
)

// A Model is the unit of a sequential test's bounds.
type Model string

// Models.
const (
	Normalized Model = "normalized" // normalized Elo
	Logistic   Model = "logistic"   // Elo with these openings
	Bayesian   Model = "bayesian"   // BayesElo, counting games instead of pairs
)

// A Failures says how many failures disqualify an engine: N, or if N is 0 more
// than Percent of its games, but at least Min. If both are zero, none do.
type Failures struct {
	N       int
	Percent float64
	Min     int
}

// String returns the text that UnmarshalText parses.
func (f Failures) String() string {
	if f.Percent > 0 {
		return strconv.FormatFloat(f.Percent, 'f', -1, 64) + "%"
	}
	return strconv.Itoa(f.N)
}

// minFailures is the minimum number of failures for a share to disqualify.
const minFailures = 5

// MarshalText returns the text that UnmarshalText parses.
func (f Failures) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText parses a number such as 3, or a share such as 10%.
func (f *Failures) UnmarshalText(text []byte) error {
	s := string(text)
	if digits, ok := strings.CutSuffix(s, "%"); ok {
		p, err := strconv.ParseFloat(digits, 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return fmt.Errorf("invalid share %q of games, want such as 10%%", s)
		}
		*f = Failures{Percent: p, Min: minFailures}
		return nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return fmt.Errorf("invalid number of failures %q, want such as 5 or 10%%", s)
	}
	*f = Failures{N: n}
	return nil
}

// Exceeded reports whether that many failures in that many games are too many.
func (f Failures) Exceeded(failures, games int) bool {
	if f.Percent > 0 {
		return failures >= f.Min && float64(failures)*100 > f.Percent*float64(games)
	}
	return f.N > 0 && failures >= f.N
}

// parseResources parses resources such as gpu or gpu=2,license.
func parseResources(s string) ([]Resource, error) {
	var list []Resource
	for _, item := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, count, found := strings.Cut(item, "=")
		r := Resource{name, 1}
		var err error
		if found {
			r.Count, err = strconv.Atoi(count)
		}
		if err != nil || r.Count < 1 || name == "" {
			return nil, fmt.Errorf("invalid resource %q, want such as gpu or gpu=2", item)
		}
		list = append(list, r)
	}
	return list, nil
}
