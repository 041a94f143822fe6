package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/schedule"
	"kumiko/tournament/telemetry"
)

// A maker makes the log of a tournament that could have been: its games are
// played out on a board by engines that see what a move makes, the weaker the
// less sharply.
type maker struct {
	cfg      config.Config
	openings [][]board.Move
	random   *rand.Rand
	failures float64 // chance that a game ends by one
	distinct int     // games; more than that repeat them; 0: all are
	now      time.Time
	kept     []*journal.End
}

// newMaker returns a maker for a tournament of engines with such names.
func newMaker(seed uint64, rounds int, names ...string) *maker {
	m := &maker{
		cfg:      config.Default(),
		random:   rand.New(rand.NewPCG(seed, 0)),
		failures: 0.02,
		now:      time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC),
	}
	m.cfg.Rounds, m.cfg.Seed, m.cfg.Concurrency = rounds, seed, 4
	m.cfg.Openings = config.Openings{File: "books/freestyle15.pos", Type: "pos", Start: 1, Transform: config.TransformRandom}
	for i, name := range names {
		m.cfg.Engines = append(m.cfg.Engines, config.Engine{
			Name: name, Args: []string{"./pbrain-" + string(rune('a'+i))},
			TC:     config.TC{Match: 120 * time.Second, Turn: 5 * time.Second},
			Memory: config.DefaultMemory, Threads: 1,
		})
	}
	for range 24 {
		m.openings = append(m.openings, m.opening())
	}
	return m
}

// opening returns a few stones near the middle.
func (m *maker) opening() []board.Move {
	var list []board.Move
	used := make(map[board.Move]bool)
	for n := 3 + m.random.IntN(4); len(list) < n; {
		p := board.Pt(4+m.random.IntN(7), 4+m.random.IntN(7)) // of 15 × 15
		if !used[p] {
			used[p] = true
			list = append(list, p)
		}
	}
	return list
}

// run returns the event that opens the log.
func (m *maker) run() *journal.Run {
	hash := journal.Hashes{Openings: strings.Repeat("0b", 32), Program: strings.Repeat("9c", 32)}
	for i := range m.cfg.Engines {
		hash.Engines = append(hash.Engines, strings.Repeat(string("0123456789abcdef"[i%16]), 64))
	}
	return &journal.Run{
		Version: journal.Version, ID: "20261130-080000", At: m.now, Config: m.cfg, Openings: len(m.openings), Hash: hash,
		Host: journal.Host{OS: "linux", Arch: "amd64", CPUs: 16, Model: "Some Processor 9000"},
	}
}

// log returns the log of the first games of the schedule, or of all for 0.
func (m *maker) log(t testing.TB, games int) *journal.Log {
	t.Helper()
	log := journal.New(m.run())
	m.events(t, games, func(e *journal.End) {
		if err := log.Add(e); err != nil {
			t.Fatal(err)
		}
	})
	return log
}

// write writes such a log into a folder.
func (m *maker) write(t testing.TB, dir string, games int) {
	t.Helper()
	w, err := journal.Create(dir, m.run())
	if err != nil {
		t.Fatal(err)
	}
	m.events(t, games, func(e *journal.End) { w.Add(e) })
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// events makes the games of a log, in an order in which they could have ended.
func (m *maker) events(t testing.TB, games int, add func(*journal.End)) {
	t.Helper()
	s, err := schedule.New(m.cfg.Schedule(len(m.openings)))
	if err != nil {
		t.Fatal(err)
	}
	if games == 0 {
		games = s.Len()
	}
	number := 1
	for number <= games {
		var block []int // of games that go on at the same time
		for ; number <= games && len(block) < m.cfg.Concurrency; number++ {
			block = append(block, number)
		}
		m.random.Shuffle(len(block), func(i, j int) { block[i], block[j] = block[j], block[i] })
		for _, n := range block {
			m.now = m.now.Add(time.Duration(m.random.ExpFloat64() * float64(5*time.Second))).Truncate(time.Millisecond)
			add(m.game(s.Game(n), s))
		}
	}
}

// results returns a log of games that were not played: a letter for each, in
// the order of the schedule, says whether black won, white won or nobody did
// (b, w, d); a dot is a game that is not over.
func results(t testing.TB, cfg config.Config, letters string) *journal.Log {
	t.Helper()
	s, err := schedule.New(cfg.Schedule(0))
	if err != nil {
		t.Fatal(err)
	}
	plain := cfg
	plain.Openings.File = "" // none of its openings are played
	log := journal.New(&journal.Run{Version: journal.Version, ID: "test", Config: plain})
	log.Config, log.Run.Config = cfg, cfg
	for i, letter := range letters {
		result := map[rune]journal.Result{'b': journal.BlackWins, 'w': journal.WhiteWins, 'd': journal.Draw}[letter]
		if result == "" {
			continue
		}
		e := &journal.End{Game: journal.NewGame(s, s.Game(i+1), 0), Outcome: journal.Outcome{Result: result, Reason: journal.ScoreLoss}}
		if result == journal.Draw {
			e.Reason = journal.ScoreDraw
		}
		if err := log.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	return log
}

// game returns how a game of the schedule went.
func (m *maker) game(g schedule.Game, s *schedule.Schedule) *journal.End {
	key := journal.NewGame(s, g, g.Opening+1)
	if m.distinct > 0 && len(m.kept) >= m.distinct {
		e := *m.kept[g.Number%m.distinct]
		e.Game, e.At = key, m.now
		return &e
	}
	e := m.play(key, m.openings[g.Opening])
	if m.distinct > 0 {
		m.kept = append(m.kept, e)
	}
	return e
}

// play plays a game.
func (m *maker) play(key journal.Game, opening []board.Move) *journal.End {
	b, err := board.New(m.cfg.Width, m.cfg.Height, m.cfg.Rule.Rule)
	if err != nil {
		panic(err)
	}
	e := &journal.End{Game: key, At: m.now, Outcome: journal.Outcome{Open: len(opening), Lag: journal.Micros(20 + m.random.IntN(300))}}
	for _, p := range opening {
		b.Place(board.Symmetry(p, m.cfg.Width, m.cfg.Height, key.Sym))
	}
	engines := [2]int{key.Black, key.White}
	for c := range engines {
		e.Memory[c] = int64(40_000+30_000*engines[c]) + m.random.Int64N(8000)
		e.Start[c] = journal.Micros(3000 + m.random.IntN(9000))
	}
	failAt := -1
	if m.random.Float64() < m.failures {
		failAt = len(opening) + m.random.IntN(20)
	}
	for e.Reason == "" {
		side := b.Side()
		if b.Ply() == failAt {
			m.fail(e, side)
			break
		}
		p := m.move(b, engines[side])
		won := b.Wins(p, side)
		m.tell(e, b, p, engines[side])
		b.Place(p)
		switch {
		case won:
			e.Reason, e.Result, e.Text = journal.Five, journal.BlackWins, "Black win by five connection"
			if side == board.White {
				e.Result, e.Text = journal.WhiteWins, "White win by five connection"
			}
		case b.Full():
			e.Reason, e.Result, e.Text = journal.Full, journal.Draw, "Draw by fullfilled board"
		case m.cfg.MaxPlies > 0 && b.Stones() >= m.cfg.MaxPlies:
			e.Reason, e.Result, e.Text = journal.MaxPlies, journal.Draw, "Draw by adjudication"
		}
	}
	var moves strings.Builder
	for _, p := range b.History() {
		moves.WriteString(p.String())
	}
	e.Moves = moves.String()
	return e
}

// fail makes the side to move lose.
func (m *maker) fail(e *journal.End, side board.Color) {
	kinds := []struct {
		reason       journal.Reason
		text, detail string
	}{
		{journal.TimeLoss, "time forfeit", "answered 212 ms too late"},
		{journal.TimeLoss, "time forfeit", "answered 1031 ms too late"},
		{journal.Crash, "opponent crash", "killed by signal: segmentation fault"},
		{journal.IllegalOccupied, "opponent illegal move", "played h8, which is occupied"},
		{journal.MemoryLoss, "opponent crash", "used 512 MiB of 350 MiB"},
	}
	k := kinds[m.random.IntN(len(kinds))]
	e.Reason, e.Detail = k.reason, k.detail
	e.Result, e.Text = journal.BlackWins, "Black win by "+k.text
	if side == board.Black {
		e.Result, e.Text = journal.WhiteWins, "White win by "+k.text
	}
	e.Transcript = fmt.Sprintf("transcripts/%d.txt", e.Number)
}

// move chooses a move: what it makes for either side, and some noise.
func (m *maker) move(b *board.Board, engine int) board.Move {
	best, most := board.NoMove, math.Inf(-1)
	side, noise := b.Side(), 0.6+0.5*float64(engine)
	for y := range b.Height() {
		for x := range b.Width() {
			p := board.Pt(x, y)
			if !b.Empty(p) || !b.Legal(p) {
				continue
			}
			own, other := float64(b.Shape(p, side)), float64(b.Shape(p, side.Opponent()))
			if own == float64(board.ShapeFive) {
				return p
			}
			value := own + 0.95*other + noise*m.random.NormFloat64() - 0.05*math.Abs(float64(x-7)) - 0.05*math.Abs(float64(y-7))
			if other >= float64(board.ShapeFive) && m.random.Float64() < 0.98 {
				value += 20
			}
			if value > most {
				best, most = p, value
			}
		}
	}
	return best
}

// tell adds what an engine says about a move. The third engine says nothing,
// the fourth gives chances to win.
func (m *maker) tell(e *journal.End, b *board.Board, p board.Move, engine int) {
	took := time.Duration((0.05 + m.random.ExpFloat64()*0.2) * float64(time.Second) / float64(1+b.Ply()/10))
	e.Times = append(e.Times, journal.Micros(took.Microseconds()))
	if engine == 2 {
		e.Info = append(e.Info, nil)
		return
	}
	speed := int64(400_000 + 150_000*engine + m.random.IntN(50_000))
	depth := 8 + b.Ply()/4 + m.random.IntN(4) - engine
	info := &telemetry.Info{
		Depth: max(1, depth), SelDepth: depth + 2 + m.random.IntN(8), Speed: speed,
		Nodes: int64(float64(speed) * took.Seconds()), Time: took.Truncate(time.Millisecond),
	}
	edge := float64(b.Shape(p, b.Side())) - 5 + m.random.NormFloat64()
	switch {
	case b.Shape(p, b.Side()) >= board.ShapeOpenFour:
		info.Score = "+M3"
	case engine == 3:
		info.Score = fmt.Sprintf("%.1f%%", 100/(1+math.Exp(-edge)))
	default:
		info.Score = strconv.Itoa(int(edge * 60))
	}
	var pv []string
	for i := range 5 + m.random.IntN(8) {
		if i > 0 {
			for p = m.point(); !b.Empty(p); p = m.point() {
			}
		}
		pv = append(pv, m.spell(p, engine))
	}
	info.PV = strings.Join(pv, " ")
	e.Info = append(e.Info, info)
}

// point returns a random point of the board.
func (m *maker) point() board.Move {
	return board.Pt(m.random.IntN(m.cfg.Width), m.random.IntN(m.cfg.Height))
}

// spell writes a point as engines do, each in its own way.
func (m *maker) spell(p board.Move, engine int) string {
	switch engine {
	case 1: // rows from the bottom
		return strings.ToUpper(notation.FormatPosition([]board.Move{p}, m.cfg.Height, notation.FromBottom))
	case 3:
		return fmt.Sprintf("[%d,%d]", p.X(), p.Y())
	}
	return p.String()
}
