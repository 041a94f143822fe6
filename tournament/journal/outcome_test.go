package journal

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/notation"
)

// TestEndsWithFive compares with a board on which all moves are played, under
// all rules.
func TestEndsWithFive(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	for rule := range board.Rule(board.NumRules) {
		run := newRun()
		run.Config.Rule.Rule, run.Config.Width, run.Config.Height = rule, 9, 7
		l := New(run)
		wins := 0
		for range 300 {
			b, err := board.New(9, 7, rule)
			if err != nil {
				t.Fatal(err)
			}
			for won := false; !b.Full() && !won; {
				m := board.Pt(random.IntN(9), random.IntN(7))
				if !b.Legal(m) {
					if random.IntN(500) == 0 {
						break // perhaps all points left are forbidden
					}
					continue
				}
				side := b.Side()
				won = b.Wins(m, side)
				b.Place(m)
				moves := notation.FormatPosition(b.History(), 7, notation.FromTop)
				if got, err := l.endsWithFive(moves, side); err != nil || got != won {
					t.Fatalf("%v: %s: %v, %v, want %v", rule, moves, got, err, won)
				}
				if won {
					wins++
				}
			}
		}
		if wins == 0 {
			t.Errorf("%v: nobody wins", rule)
		}
	}
}

// TestOpenings has games whose openings are not those of the schedule.
func TestOpenings(t *testing.T) {
	end := func(l *Log, number, line int) *End {
		e := newEnd(number)
		e.Game = NewGame(l.sched, l.sched.Game(number), line)
		return e
	}
	newLog := func(openings int, seed uint64) *Log {
		run := newRun()
		run.Openings, run.Config.Openings.Random, run.Config.Seed = openings, true, seed
		return New(run)
	}
	line := func(l *Log, number int) int { return 2*l.sched.Game(number).Opening + 1 }
	l := newLog(10, 1)
	for number := 1; number <= 20; number++ {
		if err := l.Add(end(l, number, line(l, number))); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name     string
		openings int
		seed     uint64
	}{{"fewer openings", 9, 1}, {"more openings", 11, 1}, {"another seed", 10, 2}, {"no openings", 0, 1}} {
		other := newLog(tt.openings, tt.seed)
		var err error
		for number := 1; number <= 20 && err == nil; number++ {
			err = other.Add(end(other, number, line(l, number)))
		}
		if err == nil || !strings.Contains(err.Error(), ": opening ") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	l = newLog(10, 1)
	if err := l.Add(end(l, 1, 5)); err != nil {
		t.Fatal(err)
	}
	if err := l.Add(end(l, 2, 6)); err == nil || !strings.Contains(err.Error(), "opening 6 contradicts the games before: they have opening 5 here") {
		t.Errorf("two openings of a pair: %v", err)
	}
	for want, change := range map[string]func(*Run){
		"0 openings of the book": func(r *Run) { r.Openings, r.Config.Openings.File = 0, "b.pos" },
		`engines are called "A"`: func(r *Run) { r.Config.Engines[1].Name = "A" },
	} {
		run := newRun()
		change(run)
		if err := new(Log).Add(run); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
