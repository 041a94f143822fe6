package protocol

import (
	"math"
	"strings"
	"testing"
	"time"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/protocol/wire"
)

// tell sets a list of "key value" pairs separated by semicolons.
func tell(s *settings, infos string) {
	for info := range strings.SplitSeq(infos, ";") {
		c, _ := wire.Parse("INFO " + strings.TrimSpace(info))
		s.notice(c)
		s.set(c.Setting)
	}
}

func TestLimits(t *testing.T) {
	const none = engine.NoLimit
	tests := []struct {
		infos             string
		turn, match, left time.Duration
		depth             int
		nodes             int64
	}{
		{"foo bar", 5000 * ms, 0, none, 0, 0},
		{"timeout_turn 1000", 1000 * ms, 0, none, 0, 0},
		{"timeout_turn 1000ms", 1000 * ms, 0, none, 0, 0},
		{"TIMEOUT_TURN 1000", 1000 * ms, 0, none, 0, 0},
		{"timeout_turn x; timeout_turn", 5000 * ms, 0, none, 0, 0},
		{"timeout_turn 0", 0, 0, none, 0, 0},
		{"timeout_turn -1", 0, 0, none, 0, 0},
		{"timeout_turn 2147483647", -1, 0, none, 0, 0},
		{"timeout_turn 99999999999999999999", -1, 0, none, 0, 0},
		{"timeout_turn 2147483646", (math.MaxInt32 - 1) * ms, 0, none, 0, 0},
		{"timeout_match 0", 5000 * ms, 0, none, 0, 0},
		{"timeout_match -1", 5000 * ms, 0, none, 0, 0},
		{"timeout_match 180000", -1, 180000 * ms, 180000 * ms, 0, 0},
		{"timeout_match 99999999999999999999", 5000 * ms, 0, none, 0, 0},
		{"timeout_turn 30000; timeout_match 180000; time_left 60000", 30000 * ms, 180000 * ms, 60000 * ms, 0, 0},
		{"timeout_turn 30000; timeout_match 0; time_left 2147483647", 30000 * ms, 0, none, 0, 0},
		{"timeout_match 180000; time_left 2147483647", 5000 * ms, 0, none, 0, 0},
		{"time_left 2147483648; timeout_turn 7", 7 * ms, 0, none, 0, 0},
		{"time_left -250", -1, 0, -250 * ms, 0, 0},
		{"time_left -99999999999999999999", -1, 0, math.MinInt32 * ms, 0, 0},
		{"time_left 0; timeout_turn 1000", 1000 * ms, 0, 0, 0, 0},
		{"max_depth 8", 30000 * ms, 0, none, 8, 0},
		{"max_depth -1; max_node -1", 5000 * ms, 0, none, 0, 0},
		{"max_depth 99999999999999999999", 30000 * ms, 0, none, math.MaxInt16, 0},
		{"max_node 99999999999999999999", 30000 * ms, 0, none, 0, math.MaxInt64},
		{"max_node 5000; timeout_turn 100", 100 * ms, 0, none, 0, 5000},
		// Yixin's family.
		{"show_detail 1; timeout_turn 2000000; timeout_match 100000000", -1, 0, none, 0, 0},
		{"show_detail 1; timeout_turn 2000000; timeout_match 100000000; time_left 100000000", -1, 0, none, 0, 0},
		{"timeout_turn 2000000; timeout_match 100000000", 2000000 * ms, 100000000 * ms, 100000000 * ms, 0, 0},
		{"show_detail 0; timeout_turn -1; timeout_match -1", -1, 0, none, 0, 0},
		{"show_detail 0; timeout_turn 0", 0, 0, none, 0, 0},
		{"show_detail 0; timeout_turn -1; timeout_match 9000", -1, 9000 * ms, 9000 * ms, 0, 0},
		{"timeout_turn -1; show_detail 2", -1, 0, none, 0, 0},
	}
	for _, test := range tests {
		var s settings
		tell(&s, test.infos)
		start := time.Now()
		got := s.limits(start)
		want := engine.Limits{Start: start, Turn: test.turn, Match: test.match, Left: test.left,
			Depth: test.depth, Nodes: test.nodes}
		if got != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", test.infos, got, want)
		}
	}
}

// A manager that sets only the match time relies on our clock.
func TestTimeLeftIsCounted(t *testing.T) {
	var s settings
	left := func() time.Duration { return s.begin(time.Now()).Left }
	check := func(got, want time.Duration) {
		t.Helper()
		if got != want {
			t.Errorf("left %v, want %v", got, want)
		}
	}
	tell(&s, "timeout_match 60000")
	check(left(), 60*time.Second)
	s.moved(5 * time.Second)
	check(left(), 55*time.Second)
	s.moved(10 * time.Second)
	check(left(), 45*time.Second)
	tell(&s, "time_left 44000")
	check(left(), 44*time.Second)
	s.moved(4 * time.Second)
	check(left(), 40*time.Second)
	// Told during a search, it is for the next move.
	tell(&s, "time_left 30000")
	s.moved(10 * time.Second)
	check(left(), 30*time.Second)
	s.newGame()
	check(left(), 60*time.Second)
	// Told before START, it is for the game that begins.
	tell(&s, "time_left 20000")
	s.newGame()
	check(left(), 20*time.Second)
	s.moved(time.Second)
	s.newGame()
	check(left(), 60*time.Second)
}

func TestRules(t *testing.T) {
	tests := []struct {
		lines      string
		rule       board.Rule
		continuous bool
	}{
		{"INFO rule 0", board.Freestyle, false},
		{"INFO rule 1", board.Standard, false},
		{"INFO rule 2", board.Freestyle, true},
		{"INFO rule 3", board.Standard, true},
		{"INFO rule 4", board.Renju, false},
		{"INFO rule 5", board.Renju, false},
		{"INFO rule 6", board.Renju, true},
		{"INFO rule 8", board.Caro6, false},
		{"INFO rule 9", board.Caro5, false},
		{"INFO rule 12", board.Renju, false},
		{"INFO rule -3", board.Freestyle, false},
		{"INFO rule 99999999999999999999", board.Renju, true}, // all bits
		{"INFO rule 1\nINFO rule abc", board.Standard, false},
		{"INFO rule 2\nINFO show_detail 1", board.Renju, false},
		{"yxshowinfo\nINFO rule 2", board.Renju, false},
		{"start 15 15\nINFO rule 2", board.Renju, false},
		{"start 15\nINFO rule 2", board.Freestyle, true},
		{"START 15 15\nINFO rule 2", board.Freestyle, true},
		{"YXSTOP\nINFO rule 2", board.Freestyle, true},
	}
	for _, test := range tests {
		var s settings
		for line := range strings.Lines(test.lines) {
			c, _ := wire.Parse(line)
			s.notice(c)
			s.set(c.Setting)
		}
		if rule, continuous := s.rules(); rule != test.rule || continuous != test.continuous {
			t.Errorf("%q: %v %v, want %v %v", test.lines, rule, continuous, test.rule, test.continuous)
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	tests := []struct {
		infos string
		want  int64
	}{
		{"", 0},
		{"max_memory 0", 0},
		{"max_memory -1", 0},
		{"max_memory 1000000", 1000000},
		{"max_memory 367001600", 367001600},
		{"max_memory 2147483647", 2147483647},
		{"max_memory 99999999999999999999", maxMemory},
		{"hash_size 0", 0},
		{"hash_size 1024", 34 << 20},
		{"hash_size 1024; max_memory 367001600", 34 << 20},
		{"hash_size 1048576; max_memory 367001600", 367001600},
		{"hash_size 99999999999999999999", 1<<30 + 32<<20},
	}
	for _, test := range tests {
		var s settings
		tell(&s, test.infos)
		if got := s.memoryLimit(); got != test.want {
			t.Errorf("%s: %d, want %d", test.infos, got, test.want)
		}
	}
}

func TestThreads(t *testing.T) {
	for value, want := range map[string]int64{"1": 1, "4": 4, "0": 1, "-3": 1, "99999999999": maxThreads} {
		var s settings
		tell(&s, "thread_num "+value)
		if s.threads != want {
			t.Errorf("thread_num %s: %d, want %d", value, s.threads, want)
		}
	}
}

func TestUnlimited(t *testing.T) {
	for infos, want := range map[string]bool{
		"show_detail 1; timeout_turn -1":                               true,
		"show_detail 1; timeout_turn -1; max_depth 100":                true,
		"show_detail 1; timeout_turn -1; max_node 100000000":           true,
		"show_detail 1; timeout_turn -1; max_depth 12":                 false,
		"show_detail 1; timeout_turn -1; max_node 5000000":             false,
		"show_detail 1; timeout_turn -1; timeout_match 60000":          false,
		"timeout_turn 2147483647; time_left 2147483647":                true,
		"timeout_turn 2147483647; timeout_match 60000":                 false,
		"timeout_turn 2147483646":                                      false,
		"timeout_turn 0":                                               false,
		"rule 0":                                                       false,
		"show_detail 1; timeout_turn 2000000; timeout_match 100000000": true,
	} {
		var s settings
		tell(&s, infos)
		if got := unlimited(s.limits(time.Now())); got != want {
			t.Errorf("%s: %v, want %v", infos, got, want)
		}
	}
}
