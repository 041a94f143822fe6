package game

import (
	"testing"

	"kumiko/tournament/config"
)

// TestDefaultMemory lets engines use more than they were told: only a limit
// that somebody has set is enforced, unless all are.
func TestDefaultMemory(t *testing.T) {
	for _, tt := range []struct {
		name  string
		limit config.MemoryLimit
		set   bool
		want  string
	}{
		{"default", config.MemoryAuto, false, "1-0 five"},
		{"set", config.MemoryAuto, true, "0-1 memory"},
		{"default, all enforced", config.MemoryPoll, false, "0-1 memory"},
		{"set, only announced", config.MemoryAnnounce, true, "1-0 five"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := engine(t, "A", "5,7", "6,7", "alloc:192&7,7", "8,7", "9,7")
			memory(128)(t, &e)
			e.MemorySet = tt.set
			m := newMatch(t, Settings{}, "", e, engine(t, "B", "0,0", "0,2", "0,4", "0,6"))
			m.players[0].memory = tt.limit
			want(t, m.play(), tt.want, "")
		})
	}
}
