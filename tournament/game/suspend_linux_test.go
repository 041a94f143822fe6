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
				if state, _ := usage(t, m.pid(1)); (state == "T") != suspend {
					t.Errorf("suspend %v: before its first move, white's state is %s", suspend, state)
				}
				return
			case 2:
			default:
				return
			}
			state, before := usage(t, m.pid(0)) // white has moved
			if (state == "T") != suspend {
				t.Errorf("suspend %v: while white thinks, black's state is %s", suspend, state)
			}
			if state, _ := usage(t, m.pid(1)); state == "T" {
				t.Error("white moves, but is suspended")
			}
			time.Sleep(50 * time.Millisecond)
			if _, after := usage(t, m.pid(0)); suspend && after != before {
				t.Errorf("a suspended engine has used %d ticks", after-before)
			}
		}
		e := m.play()
		want(t, e, "0-1 crash", "")
		if len(e.Times) != 4 {
			t.Errorf("moves %s", e.Moves)
		}
	}
}
