package wire

import "strings"

// A Key is the key of an INFO line, in lower case. Any word is valid; the
// constants are those that have an effect.
type Key string

// The keys, and the units of their values.
const (
	TimeoutTurn  Key = "timeout_turn"  // ms for a move, 0 at once
	TimeoutMatch Key = "timeout_match" // ms for the game, 0 none
	TimeLeft     Key = "time_left"     // ms, 2147483647 none
	MaxMemory    Key = "max_memory"    // bytes, 0 none
	Rule         Key = "rule"          // see board.RuleOfCode
	MaxDepth     Key = "max_depth"     // plies, 0 and less none
	MaxNode      Key = "max_node"      // positions, 0 and less none
	ThreadNum    Key = "thread_num"
	HashSize     Key = "hash_size"   // KiB
	ShowDetail   Key = "show_detail" // 1 realtime, 2 detail, 3 both
	Evaluator    Key = "evaluator"   // see engine.ParseEvaluation
	Search       Key = "search"      // see engine.ParseSearch
	SearchType   Key = "search_type" // Rapfi's: alphabeta or mcts
	Coordinates  Key = "coordinates" // see ParseOrder
)

// A Setting is one INFO line. None is an error: the protocol requires unknown keys
// and values to be ignored silently.
type Setting struct {
	Key      Key
	Value    string // the rest of the line, which may contain blanks
	Number   int64  // that Value begins with, if IsNumber
	IsNumber bool
}

func parseSetting(args string) Setting {
	key, value := cutWord(args)
	s := Setting{Key: Key(strings.ToLower(key)), Value: value}
	s.Number, _, s.IsNumber = leadingInt64(value)
	return s
}
