package journal

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/schedule"
	"kumiko/tournament/telemetry"
)

// A log is untrusted input: it may be damaged or crafted. The checks below
// reject impossible events, so that users of a Log need not.

// maxMicros bounds times, which are summed.
const maxMicros = Micros(365 * 24 * time.Hour / time.Microsecond)

// maxLine bounds the lines of a book.
const maxLine = 1 << 31

// newSchedule returns the schedule for the settings and a book of that many
// openings.
func newSchedule(c *config.Config, openings int) (*schedule.Schedule, error) {
	if openings < 0 || openings > schedule.MaxGames {
		return nil, fmt.Errorf("%d openings", openings)
	}
	if openings == 0 && c.Openings.File != "" {
		return nil, fmt.Errorf("0 openings of the book %q", c.Openings.File)
	}
	names := c.Names()
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("two engines are called %q", name)
		}
	}
	if _, err := board.New(c.Width, c.Height, c.Rule.Rule); err != nil {
		return nil, err
	}
	if c.SPRT != nil {
		if err := c.SPRT.Test().Check(); err != nil {
			return nil, err
		}
	}
	return schedule.New(c.Schedule(openings))
}

// checkNumber rejects a game that is not in the schedule.
func (l *Log) checkNumber(number int) error {
	if n := l.sched.Len(); number < 1 || number > n {
		return fmt.Errorf("game %d of %d", number, n)
	}
	return nil
}

// checkGame rejects a game that differs from the schedule.
func (l *Log) checkGame(g *Game) error {
	if err := l.checkNumber(g.Number); err != nil {
		return err
	}
	if err := errors.Join(l.checkEngine(g.Black), l.checkEngine(g.White)); err != nil {
		return fmt.Errorf("game %d: %w", g.Number, err)
	}
	want := l.sched.Key(g.Number)
	same := g.Black == want.Black && g.White == want.White ||
		l.Config.Swap2 && g.Black == want.White && g.White == want.Black
	switch {
	case g.Pair != l.sched.Pair(want) || g.Leg != want.Leg || g.Pairing != want.Pairing || g.Round != want.Round:
		return fmt.Errorf("game %d: pair %d, leg %d, pairing %d, round %d: not as in the schedule", g.Number, g.Pair, g.Leg, g.Pairing, g.Round)
	case !same:
		return fmt.Errorf("game %d: engines %d and %d: not those of the schedule", g.Number, g.Black, g.White)
	case g.Opening < 0 || g.Opening > maxLine || g.Sym < 0 || g.Sym >= board.Symmetries(l.Config.Width, l.Config.Height):
		return fmt.Errorf("game %d: opening %d under symmetry %d", g.Number, g.Opening, g.Sym)
	case l.accepted: // another book, perhaps
		return nil
	}
	want = l.sched.Game(g.Number)
	if g.Sym != want.Sym {
		return fmt.Errorf("game %d: symmetry %d, but the schedule has %d", g.Number, g.Sym, want.Sym)
	}
	if err := l.book.check(want, g.Opening); err != nil {
		return fmt.Errorf("game %d: %w", g.Number, err)
	}
	return nil
}

func (l *Log) checkEngine(i int) error {
	if i < 0 || i >= len(l.Config.Engines) {
		return fmt.Errorf("engine %d of %d", i, len(l.Config.Engines))
	}
	return nil
}

// stones returns the number of moves, all of which must be on the board.
func (l *Log) stones(moves string) (int, error) {
	list, err := notation.ParsePosition(moves, l.Config.Width, l.Config.Height, notation.FromTop)
	return len(list), err
}

// checkStart rejects a game that cannot have begun.
func (l *Log) checkStart(s *Start) (stones int, err error) {
	if err := l.checkGame(&s.Game); err != nil {
		return 0, err
	}
	if s.Worker < 0 || s.Worker >= config.MaxConcurrency {
		return 0, fmt.Errorf("game %d: worker %d", s.Number, s.Worker)
	}
	if stones, err = l.stones(s.Open); err != nil {
		return 0, fmt.Errorf("game %d: %w", s.Number, err)
	}
	return stones, nil
}

// checkMoves rejects moves that do not continue a game.
func (l *Log) checkMoves(m *Moves, r *Running) error {
	n, err := l.stones(m.Moves)
	if err != nil {
		return fmt.Errorf("game %d: %w", m.Number, err)
	}
	switch total := r.stones + len(r.Moves.Times); {
	case m.Ply != total:
		return fmt.Errorf("game %d: moves from ply %d after %d", m.Number, m.Ply, total)
	case len(m.Times) != n || len(m.Info) > n:
		return fmt.Errorf("game %d: %d moves with %d times and %d remarks", m.Number, n, len(m.Times), len(m.Info))
	case total+n > l.Config.Width*l.Config.Height:
		return fmt.Errorf("game %d: %d stones", m.Number, total+n)
	}
	if err := checkInfo(m.Number, m.Info); err != nil {
		return err
	}
	return checkTimes(m.Number, m.Times)
}

// checkInfo rejects telemetry that no engine can have reported.
func checkInfo(number int, list []*telemetry.Info) error {
	for i, info := range list {
		if info == nil {
			continue
		}
		if err := info.Check(); err != nil {
			return fmt.Errorf("game %d: remark %d: %w", number, i+1, err)
		}
	}
	return nil
}

func checkTimes(number int, times []Micros) error {
	for _, t := range times {
		if t < 0 || t > maxMicros {
			return fmt.Errorf("game %d: a time of %d microseconds", number, t)
		}
	}
	return nil
}

// checkEnd rejects an impossible result.
func (l *Log) checkEnd(e *End) error {
	if err := l.checkGame(&e.Game); err != nil {
		return err
	}
	if e.Result != BlackWins && e.Result != WhiteWins && e.Result != Draw {
		return fmt.Errorf("game %d: unknown result %q", e.Number, e.Result)
	}
	n, err := l.stones(e.Moves)
	if err != nil {
		return fmt.Errorf("game %d: %w", e.Number, err)
	}
	if e.Open < 0 || e.Open > n || len(e.Times) > n-e.Open || len(e.Info) > n-e.Open {
		return fmt.Errorf("game %d: %d moves, %d of them the opening's, with %d times and %d remarks", e.Number, n, e.Open, len(e.Times), len(e.Info))
	}
	for c := range 2 {
		if e.Memory[c] < 0 || e.Memory[c] > 1<<50 || e.Stale[c] < 0 {
			return fmt.Errorf("game %d: %d KiB of memory, %d stale moves", e.Number, e.Memory[c], e.Stale[c])
		}
	}
	if err := checkInfo(e.Number, e.Info); err != nil {
		return err
	}
	if err := checkTimes(e.Number, append(e.Times, e.Lag, e.Start[0], e.Start[1])); err != nil {
		return err
	}
	if err := l.checkReason(e, n); err != nil {
		return fmt.Errorf("game %d: %w", e.Number, err)
	}
	return nil
}
