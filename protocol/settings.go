package protocol

import (
	"math"
	"strings"
	"time"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/protocol/wire"
)

const (
	// defaultTurn limits a move if the manager has set no time, and limitedTurn
	// if it has set a depth or node limit instead.
	defaultTurn = 5 * time.Second
	limitedTurn = 30 * time.Second

	// endless is a limit too long for later commands to wait for.
	endless = 30 * time.Minute

	// noLimit is the time_left, in ms, of a match without a limit.
	noLimit = math.MaxInt32

	// Yixin-Board sets both timeout_turn and timeout_match to these values for no
	// limit.
	yixinTurn  = 2_000_000
	yixinMatch = 100_000_000

	// GUIs and managers send depths and node limits that no search reaches in
	// minutes; these and larger ones are no limits.
	deepest   = 40
	mostNodes = 100_000_000

	// maxThreads and maxMemory keep extreme values from exhausting the machine.
	// max_memory is a limit, not a request to use all of it.
	maxThreads = 64
	maxMemory  = 2 << 30

	// maxHashExponent is the logarithm of the largest hash_size, in KiB.
	maxHashExponent = 19
)

// settings holds the raw values of INFO: the meaning of a value may depend on
// later ones. The zero value holds before any INFO line.
type settings struct {
	turn    int64 // timeout_turn in ms, if turnSet
	turnSet bool
	match   int64 // timeout_match in ms, 0 or less if there is no limit
	left    int64 // time_left in ms, if leftSet
	leftSet bool
	leftNew bool          // no move has been requested since time_left
	spent   time.Duration // on our moves since time_left, or else the game, began

	rule    int   // 0 freestyle, see board.RuleOfCode
	depth   int64 // max_depth; 0 or less if there is no limit
	nodes   int64 // max_node, likewise
	threads int64 // thread_num, 0 if not set
	memory  int64 // max_memory in bytes, 0 if there is no limit
	hash    int64 // hash_size in KiB, 0 if not set
	detail  int64 // show_detail: 1 realtime, 2 detail, 3 both

	evaluation engine.Evaluation
	search     string     // as engine.ParseSearch reads it, "" if not set
	order      wire.Order // of a point's numbers

	// yixin is set once the manager is recognized as one of Yixin's family, for
	// which rule 2 is renju and negative times mean no limit.
	yixin bool
}

// set applies one INFO line. It ignores unknown keys and unreadable values, as the
// protocol requires.
func (s *settings) set(i wire.Setting) {
	switch i.Key {
	case wire.Evaluator:
		if e, err := engine.ParseEvaluation(strings.ToLower(i.Value)); err == nil {
			s.evaluation = e
		}
		return
	case wire.Search, wire.SearchType:
		name := strings.ToLower(i.Value)
		if name == "mcts" {
			name = engine.PUCT.String() // Rapfi's name for the kind
		}
		if _, err := engine.ParseSearch(name); err == nil {
			s.search = name
		}
		return
	case wire.Coordinates:
		if o, ok := wire.ParseOrder(i.Value); ok {
			s.order = o
		}
		return
	}
	if !i.IsNumber {
		return
	}
	v := i.Number
	ms := min(max(v, math.MinInt32), math.MaxInt32)
	switch i.Key {
	case wire.TimeoutTurn:
		s.turn, s.turnSet = ms, true
	case wire.TimeoutMatch:
		s.match = ms
	case wire.TimeLeft:
		s.left, s.leftSet, s.leftNew = ms, true, true
		s.spent = 0
	case wire.Rule:
		s.rule = int(min(max(v, 0), math.MaxInt32))
	case wire.MaxMemory:
		s.memory = max(v, 0)
	case wire.MaxDepth:
		s.depth = v
	case wire.MaxNode:
		s.nodes = v
	case wire.ThreadNum:
		s.threads = min(max(v, 1), maxThreads)
	case wire.HashSize:
		s.hash = min(max(v, 0), 1<<maxHashExponent)
	case wire.ShowDetail:
		s.detail = v
	}
}

// notice checks whether a command is typical of Yixin's family, or of Yixin-Board
// itself, the only one that writes row,column.
func (s *settings) notice(c wire.Command) {
	s.yixin = s.yixin || c.Yixin()
	if c.YixinBoard() {
		s.order = wire.RowColumn
	}
}

// newGame resets the time spent on the game.
func (s *settings) newGame() {
	s.spent = 0
	s.leftSet = s.leftSet && s.leftNew
}

// moved records the time that a move took. A time_left received during the search
// applies to the next move and is kept.
func (s *settings) moved(elapsed time.Duration) {
	if !s.leftNew {
		s.spent += elapsed
	}
}

// rules returns the rule, and whether the game continues after a five.
func (s *settings) rules() (rule board.Rule, continuous bool) {
	if s.yixin && s.rule == 2 {
		return board.Renju, false
	}
	return board.RuleOfCode(s.rule)
}

// begin returns the limits of a search requested at start.
func (s *settings) begin(start time.Time) engine.Limits {
	s.leftNew = false
	return s.limits(start)
}

// limits is begin without changing s.
func (s *settings) limits(start time.Time) engine.Limits {
	l := engine.Limits{
		Start: start,
		Turn:  -1,
		Left:  engine.NoLimit,
		Depth: int(min(max(s.depth, 0), math.MaxInt16)),
		Nodes: max(s.nodes, 0),
	}
	if s.yixin && s.turn >= yixinTurn && s.match >= yixinMatch {
		return l
	}
	if s.match > 0 && s.match < noLimit {
		l.Match = milliseconds(s.match)
	}
	switch {
	case s.leftSet && s.left >= noLimit:
		l.Match = 0
	case s.leftSet:
		l.Left = milliseconds(s.left) - s.spent
	case l.Match > 0:
		l.Left = l.Match - s.spent
	}
	switch {
	case s.turnSet && s.turn >= noLimit:
		// The largest value that managers send means no limit.
	case s.turnSet && (s.turn >= 0 || !s.yixin):
		l.Turn = max(milliseconds(s.turn), 0)
	case s.turnSet || l.Left != engine.NoLimit:
		// Only the match is limited, if anything.
	case l.Depth > 0 || l.Nodes > 0:
		l.Turn = limitedTurn
	default:
		l.Turn = defaultTurn
	}
	return l
}

// memoryLimit returns the memory limit of the process in bytes, 0 for the engine's
// default. The hash table is about half of the engine's memory.
func (s *settings) memoryLimit() int64 {
	limit := min(s.memory, maxMemory)
	if s.hash > 0 {
		const rest = 32 << 20
		need := min(2*s.hash<<10+rest, maxMemory)
		if limit == 0 || need < limit {
			limit = need
		}
	}
	return limit
}

// unlimited reports whether only a command can end a search.
func unlimited(l engine.Limits) bool {
	return l.Turn < 0 && l.Left == engine.NoLimit &&
		(l.Depth == 0 || l.Depth >= deepest) && (l.Nodes == 0 || l.Nodes >= mostNodes)
}

// hardLimit returns the time limit of the answer, or engine.NoLimit.
func hardLimit(l engine.Limits) time.Duration {
	if l.Turn >= 0 {
		return min(l.Turn, l.Left)
	}
	return l.Left
}

// milliseconds returns ms, a 32-bit number, as a duration.
func milliseconds(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
