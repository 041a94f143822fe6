package game

import (
	"testing"
	"time"
)

// TestSuspend has an engine that thinks while its opponent is to move.
func TestSuspend(t *testing.T) {
	t.Parallel()
	for _, suspend := range []bool{false, true} {
		black := engine(t, "black", "burn&7,7", "8,7", "exit:1")
		m := newMatch(t, Settings{Suspend: suspend}, "", black, engine(t, "white", "sleep:300ms&move"))
		m.game.OnMove = func(p Ply) {
			switch m.game.board.Stones() {
			case 1:
				checkStopped(t, m.pid(1), suspend) // not having been asked yet
			case 2:
				checkStopped(t, m.pid(0), suspend)
				checkStopped(t, m.pid(1), false)
				_, before := usage(t, m.pid(0))
				time.Sleep(50 * time.Millisecond)
				if _, after := usage(t, m.pid(0)); suspend && after != before {
					t.Errorf("a suspended engine has used %d ticks", after-before)
				}
			}
		}
		e := m.play()
		want(t, e, "0-1 crash", "")
		if len(e.Times) != 4 {
			t.Errorf("moves %s", e.Moves)
		}
	}
}

// checkStopped checks whether a process is stopped. It may take the system a
// while to stop one.
func checkStopped(t *testing.T, pid int, want bool) {
	t.Helper()
	state, _ := usage(t, pid)
	for end := time.Now().Add(patience); want && state != "T" && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
		state, _ = usage(t, pid)
	}
	if (state == "T") != want {
		t.Errorf("process %d is stopped: %v (%s)", pid, !want, state)
	}
}
