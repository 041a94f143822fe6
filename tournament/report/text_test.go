package report

import (
	"bytes"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kumiko/protocol/cli/golden"
	"kumiko/tournament/config"
	"kumiko/tournament/journal"
	"kumiko/tournament/schedule"
	"kumiko/tournament/stats"
)

// goldenLogs are of a round robin that goes on and of a test that is decided.
func goldenLogs(t *testing.T) map[string]*journal.Log {
	m := newMaker(1, 20, "Kumiko", "Rapfi", "Wine", "Carbon")
	m.cfg.Engines[1].TC.Turn = 4 * time.Second
	robin := m.log(t, 231)
	s, err := schedule.New(m.cfg.Schedule(robin.Run.Openings))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []journal.Event{
		&journal.Start{Game: journal.NewGame(s, s.Game(232), s.Game(232).Opening+1)},
		&journal.Void{Number: 40, Why: "interrupted"},
		&journal.Warning{Engine: 2, Number: 30, Kind: journal.DirtyExit, Text: "had to be killed"},
		&journal.Disqualify{Engine: 3, Why: "failed in 9 of 40 games"},
		&journal.Verdict{Why: "all errors are at most 60.0 Elo"},
	} {
		if err := robin.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	m = newMaker(1, 300, "A", "B")
	m.cfg.SPRT = &config.SPRT{Elo1: 40, Alpha: .05, Beta: .05, Model: config.Normalized}
	return map[string]*journal.Log{"robin": robin, "sprt": m.log(t, 401)}
}

func TestWriteText(t *testing.T) {
	config := regexp.MustCompile(`(?s)\n "config": \{.*?\n \},`) // the form of which is not ours
	for name, log := range goldenLogs(t) {
		var b bytes.Buffer
		if err := WriteText(&b, log, Options{}); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, "testdata/"+name+".txt", b.String())
		b.Reset()
		if err := WriteJSON(&b, log, Options{}); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, "testdata/"+name+".json", string(config.ReplaceAll(b.Bytes(), nil)))
	}
}

// TestWriteMatch has the block of fastchess for [0, 1, 4, 2, 1] with a game
// that is unpaired, and pairs ahead of the test.
func TestWriteMatch(t *testing.T) {
	cfg := testConfig(20, "A", "B")
	cfg.Seed = 7
	cfg.Openings = config.Openings{File: `C:\books\book.txt`}
	test := config.SPRT{Elo1: 10, Alpha: .05, Beta: .05, Model: config.Normalized}
	log := results(t, cfg, "bw"+"bd"+"db"+"bb"+"bb"+"dd"+"wd"+"bd"+"b")
	tally := NewTally(log)
	var b bytes.Buffer
	if err := writeMatch(&b, tally, tally.Match(0, 1), SPRTState(log, test)); err != nil {
		t.Fatal(err)
	}
	log.Games[5] = nil // of the third pair
	if err := writeMatch(&b, NewTally(log), NewTally(log).Match(1, 0), SPRTState(log, test)); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/match.txt", b.String())
}

// TestEngineColumn adds a column to the table of the engines: the text and the page
// have it.
func TestEngineColumn(t *testing.T) {
	defer func(old []engineColumn) { engineColumns = old }(engineColumns)
	engineColumns = append(slices.Clip(engineColumns), engineColumn{"Letters", "Letters of it", func(e *Engine) string { return "<" + e.Name + ">" }})
	log := newMaker(1, 3, "A", "B", "C").log(t, 4)
	var text, page bytes.Buffer
	if err := errors.Join(WriteText(&text, log, Options{}), WriteHTML(&page, log, HTMLOptions{})); err != nil {
		t.Fatal(err)
	}
	if s := text.String(); !strings.Contains(s, "  Letters\n") || !strings.Contains(s, "  <C>\n") {
		t.Errorf("text\n%s", s)
	}
	if s := page.String(); !strings.Contains(s, `<th scope="col" class="n">Letters of it</th></tr>`) || !strings.Contains(s, `<td class="n">&lt;C&gt;</td></tr>`) {
		t.Error("the page does not have the column")
	}
}

// TestWriteEmpty writes of tournaments that have hardly begun.
func TestWriteEmpty(t *testing.T) {
	var b bytes.Buffer
	for _, names := range [][]string{{"A", "B"}, {"A", "B", "C"}} {
		m := newMaker(1, 3, names...)
		for _, games := range []int{0, 1} {
			log := journal.New(m.run())
			if games > 0 {
				log = m.log(t, games)
			}
			if err := WriteText(&b, log, Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	golden.Compare(t, "testdata/empty.txt", b.String())
}

// TestLines has lines of c-gomoku-cli.
func TestLines(t *testing.T) {
	cfg := testConfig(200, "A", "B")
	e := &journal.End{Game: journal.Game{Number: 17, Black: 1, White: 0}, Outcome: journal.Outcome{Result: journal.BlackWins, Text: "Black win by five connection"}}
	m := newMatch(0, 1)
	m.Results.First = [3]int{5, 4, 8}
	s := stats.NewSequence(stats.SPRT{Elo1: 10, Alpha: .05, Beta: .05})
	s.LLR = 1.2341
	h1, h0 := *s, *s
	h1.LLR, h1.Verdict = 2.95, 2
	h0.LLR, h0.Verdict = -3.1, 1
	for _, tt := range [][2]string{
		{StartedLine(&cfg, &e.Game, 400), "Started game 17 of 400 (B vs A)"},
		{FinishedLine(&cfg, e), "Finished game 17 (B vs A): 1-0 {Black win by five connection}"},
		{ScoreLine(&cfg, m), "Score of A vs B: 8 - 5 - 4  [0.588] 17"},
		{SPRTLine(s), "SPRT: LLR = 1.234 [-2.944,2.944]"},
		{SPRTLine(&h1), "SPRT: LLR = 2.950 [-2.944,2.944]. H1 accepted."},
		{SPRTLine(&h0), "SPRT: LLR = -3.100 [-2.944,2.944]. H0 accepted."},
	} {
		if tt[0] != tt[1] {
			t.Errorf("%q, want %q", tt[0], tt[1])
		}
	}
	cfg.Engines[0].Name = "\x1b[31mred\u202e\n"
	if got, want := ScoreLine(&cfg, m), `Score of \x1b[31mred\u202e\n vs B: 8 - 5 - 4  [0.588] 17`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestConditions(t *testing.T) {
	cfg := testConfig(2, "A", "B", "C")
	cfg.Seed = 7
	cfg.Engines[1].TC, cfg.Engines[1].Depth, cfg.Engines[1].Threads = config.TC{}, 8, 0
	cfg.Engines[2].TC, cfg.Engines[2].Nodes = config.TC{Turn: time.Second}, 5000
	for _, tt := range []struct {
		engines []int
		want    string
	}{
		{[]int{0}, "rule 0, 15x15, 120/5, 1t, no book, seed 7"},
		{[]int{0, 1}, "rule 0, 15x15, 120/5 vs depth 8, 1t vs ?t, no book, seed 7"},
		{[]int{2, 2}, "rule 0, 15x15, 0/1 5000 nodes, 1t, no book, seed 7"},
		{[]int{1, 1}, "rule 0, 15x15, depth 8, no book, seed 7"},
		{[]int{0, 1, 2}, "rule 0, 15x15, different limits, different threads, no book, seed 7"},
	} {
		if got := conditions(&cfg, tt.engines...); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.engines, got, tt.want)
		}
	}
	cfg.Swap2, cfg.Openings.File = true, "dir/b.txt"
	if got, want := conditions(&cfg, 0), "rule 0 swap2, 15x15, 120/5, 1t, b.txt, seed 7"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range [][2]string{
		{stats.Number(math.NaN(), 1), "n/a"}, {stats.Number(math.Inf(1), 1), "inf"}, {stats.Number(math.Inf(-1), 1), "-inf"}, {stats.Number(-0.04, 1), "0.0"},
		{stats.Number(-0.06, 1), "-0.1"}, {stats.Number(3, 0), "3"}, {stats.Signed(2.5, 1), "+2.5"}, {stats.Signed(-2.5, 1), "-2.5"}, {stats.Signed(0, 0), "0"},
		{stats.Signed(math.Inf(1), 0), "+inf"}, {stats.Percent(0.5, 1), "50.0 %"}, {stats.Percent(math.NaN(), 1), "n/a"},
	} {
		if tt[0] != tt[1] {
			t.Errorf("%q, want %q", tt[0], tt[1])
		}
	}
}

// A full is a writer that takes so many bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

var errFull = errors.New("full")

// TestWriteErrors: whoever writes hands errors on.
func TestWriteErrors(t *testing.T) {
	log := newMaker(1, 3, "A", "B", "C").log(t, 0)
	for name, write := range map[string]func(io.Writer) error{
		"text": func(w io.Writer) error { return WriteText(w, log, Options{}) },
		"json": func(w io.Writer) error { return WriteJSON(w, log, Options{}) },
		"csv":  func(w io.Writer) error { return WriteCSV(w, log) },
		"sgf":  func(w io.Writer) error { return WriteSGF(w, log) },
		"pgn":  func(w io.Writer) error { return WritePGN(w, log) },
		"book": func(w io.Writer) error { return WriteOpenings(w, log) },
		"psq":  func(w io.Writer) error { return writePSQ(w, &log.Config, log.Games[0]) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, left := range []int{0, b.Len() / 2, b.Len() - 1} {
			if err := write(&full{left}); !errors.Is(err, errFull) {
				t.Errorf("%s: error %v after %d of %d bytes", name, err, left, b.Len())
			}
		}
	}
}
