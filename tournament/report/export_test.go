package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/notation"
	"kumiko/tournament/journal"
	"kumiko/tournament/opening"
)

// wantPlies are the moves of a game with their times in whole milliseconds.
func wantPlies(t *testing.T, e *journal.End) []notation.Ply {
	t.Helper()
	var list []notation.Ply
	for rest := e.Moves; rest != ""; {
		var text string
		text, rest = cutMove(rest)
		m, err := board.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		p := notation.Ply{Move: m}
		if k := len(list) - e.Open; k >= 0 {
			p.Time = time.Duration((int64(e.Times[k])+500)/1000) * time.Millisecond
		}
		list = append(list, p)
	}
	return list
}

func TestExportPSQ(t *testing.T) {
	m := newMaker(3, 10, "A", "B, second", "C")
	m.failures = 0.3
	log := m.log(t, 50)
	log.Games[7] = nil
	dir := filepath.Join(t.TempDir(), "games", "psq")
	if err := ExportPSQ(dir, log); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.psq"))
	if err != nil || len(files) != 49 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	codes := make(map[int]int)
	for _, e := range log.Games {
		if e == nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%06d.psq", e.Number)))
		if err != nil {
			t.Fatal(err)
		}
		g, err := notation.ReadPSQ(text)
		if err != nil {
			t.Fatalf("game %d: %v", e.Number, err)
		}
		if !reflect.DeepEqual(g.Plies, wantPlies(t, e)) {
			t.Errorf("game %d: %v", e.Number, g.Plies)
		}
		names, ok := g.Names()
		if !ok || names[0] != log.Config.Engines[e.Black].Name || names[1] != log.Config.Engines[e.White].Name {
			t.Errorf("game %d: names %q", e.Number, names)
		}
		code, ok := g.Code()
		if !ok || (code == 0) != !e.Reason.Failed() || (code == 15) != (e.Reason == journal.TimeLoss) {
			t.Errorf("game %d: code %d for %s", e.Number, code, e.Reason)
		}
		codes[code]++
	}
	if len(codes) != 3 {
		t.Errorf("codes %v: want some of each", codes)
	}
}

// TestPSQFiles makes games of a log from the records of other programs: no move
// and no time may be lost on the way.
func TestPSQFiles(t *testing.T) {
	files, err := filepath.Glob("../../engine/notation/testdata/*.psq")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g, err := notation.ReadPSQ(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		m := newMaker(1, 1, "A", "B")
		m.cfg.Width, m.cfg.Height = g.Width, g.Height
		e := &journal.End{Game: journal.Game{Number: 1, White: 1}, Outcome: journal.Outcome{Result: journal.Draw,
			Moves: notation.FormatPosition(notation.Moves(g.Plies), g.Height, notation.FromTop)}}
		for _, p := range g.Plies {
			e.Times = append(e.Times, journal.Micros(p.Time.Microseconds()))
		}
		var b bytes.Buffer
		if err := writePSQ(&b, &m.cfg, e); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		again, err := notation.ReadPSQ(b.Bytes())
		if err != nil || !reflect.DeepEqual(again.Plies, g.Plies) || again.Width != g.Width || again.Height != g.Height {
			t.Errorf("%s: %v, %v; want %v", file, again, err, g)
		}
	}
}

func TestWriteSGF(t *testing.T) {
	m := newMaker(4, 5, `A]\`, "B")
	m.cfg.Width, m.cfg.Height = 20, 17
	m.failures = 0.2
	log := m.log(t, 0)
	var b bytes.Buffer
	if err := WriteSGF(&b, log); err != nil {
		t.Fatal(err)
	}
	games, err := notation.ReadSGF(b.Bytes(), notation.FromTop)
	if err != nil || len(games) != log.Played {
		t.Fatalf("%d trees of %d games, %v", len(games), log.Played, err)
	}
	for i, e := range log.Games {
		g := games[i]
		want := wantPlies(t, e)
		for k, info := range e.Info {
			if info != nil && k+e.Open < len(want) {
				want[k+e.Open].Note = fmt.Sprintf("depth %d, score %s", info.Depth, info.Score)
			}
		}
		if g.Width != 20 || g.Height != 17 || g.Opening != e.Open || !reflect.DeepEqual(g.Plies, want) {
			t.Errorf("game %d: %+v", e.Number, g)
		}
		result := map[journal.Result]string{journal.BlackWins: "B+1", journal.WhiteWins: "W+1", journal.Draw: "0"}[e.Result]
		for name, want := range map[string]string{
			"PB": log.Config.Engines[e.Black].Name, "PW": log.Config.Engines[e.White].Name, "RE": result,
			"GN": fmt.Sprint(e.Number), "RO": fmt.Sprintf("%d.%d", e.Round+1, e.Leg+1), "GC": e.Text, "RU": "0",
		} {
			if got, _ := g.Info.Get(name); got != want {
				t.Errorf("game %d: %s is %q, want %q", e.Number, name, got, want)
			}
		}
	}
}

// TestWritePGN reads tags as Ordo and BayesElo do, and the moves in the comment.
func TestWritePGN(t *testing.T) {
	m := newMaker(5, 10, `A "the\best"`, "B")
	log := m.log(t, 0)
	var b bytes.Buffer
	if err := WritePGN(&b, log); err != nil {
		t.Fatal(err)
	}
	games := strings.Split(strings.TrimSuffix(b.String(), "\n\n"), "\n\n[")
	if len(games) != log.Played {
		t.Fatalf("%d of %d games", len(games), log.Played)
	}
	tag := regexp.MustCompile(`(?m)^\[?(\w+) "((?:[^"\\]|\\.)*)"\]$`)
	unquote := strings.NewReplacer(`\\`, `\`, `\"`, `"`)
	for i, e := range log.Games {
		tags := make(map[string]string)
		for _, match := range tag.FindAllStringSubmatch(games[i], -1) {
			tags[match[1]] = unquote.Replace(match[2])
		}
		result := map[journal.Result]string{journal.BlackWins: "0-1", journal.WhiteWins: "1-0", journal.Draw: "1/2-1/2"}[e.Result]
		if tags["Black"] != log.Config.Engines[e.Black].Name || tags["White"] != log.Config.Engines[e.White].Name ||
			tags["Result"] != result || tags["Termination"] != e.Text || tags["PlyCount"] != fmt.Sprint(plies(e)-e.Open) || tags["Event"] != fmt.Sprint(e.Number) {
			t.Errorf("game %d: %v", e.Number, tags)
		}
		_, rest, _ := strings.Cut(games[i], "]\n\n")
		comment, found := strings.CutSuffix(rest, "}\n"+result)
		if !found || comment[0] != '{' || strings.Join(strings.Fields(comment[1:]), "") != e.Moves {
			t.Errorf("game %d: %q, want the moves %s and %s", e.Number, rest, e.Moves, result)
		}
		for line := range strings.SplitSeq(rest, "\n") {
			if len(line) > 80 {
				t.Errorf("game %d: a line of %d bytes", e.Number, len(line))
			}
		}
	}
}

// TestWriteOpenings reads the openings as a book again.
func TestWriteOpenings(t *testing.T) {
	m := newMaker(6, 40, "A", "B")
	var b bytes.Buffer
	if err := WriteOpenings(&b, m.log(t, 0)); err != nil {
		t.Fatal(err)
	}
	book, faults, err := opening.Read("book", b.Bytes(), opening.Options{Format: opening.Offset, Width: 15, Height: 15})
	if err != nil || len(faults) > 0 || len(book) != len(m.openings) {
		t.Fatalf("%d openings, %v, %v", len(book), faults, err)
	}
	for i, o := range book {
		if !reflect.DeepEqual(o.Moves, m.openings[i]) {
			t.Errorf("opening %d: %v, want %v", i, o.Moves, m.openings[i])
		}
	}
}

func TestWriteCSV(t *testing.T) {
	m := newMaker(8, 4, "A", "B,\"x\"", "C")
	m.failures = 0.2
	log := m.log(t, 20)
	log.Games[3] = nil
	var b bytes.Buffer
	if err := WriteCSV(&b, log); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 20 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	column := make(map[string]int)
	for i, name := range rows[0] {
		column[name] = i
	}
	i := 0
	for _, e := range log.Games {
		if e == nil {
			continue
		}
		i++
		times, depths, scores := "", "", ""
		for k, us := range e.Times {
			depth, score := "-", "-"
			if k < len(e.Info) && e.Info[k] != nil {
				depth, score = fmt.Sprint(e.Info[k].Depth), e.Info[k].Score
			}
			times, depths, scores = times+fmt.Sprint(" ", us), depths+" "+depth, scores+" "+score
		}
		for name, want := range map[string]string{
			"times_us": strings.TrimPrefix(times, " "), "depths": strings.TrimPrefix(depths, " "), "scores": strings.TrimPrefix(scores, " "),
			"game": fmt.Sprint(e.Number), "black": log.Config.Engines[e.Black].Name, "white": log.Config.Engines[e.White].Name,
			"result": string(e.Result), "reason": string(e.Reason), "moves": e.Moves, "plies": fmt.Sprint(plies(e)),
			"opening": fmt.Sprint(e.Opening), "detail": e.Detail, "white_memory_kib": fmt.Sprint(e.Memory[1]),
		} {
			if got := rows[i][column[name]]; got != want {
				t.Errorf("game %d: %s is %q, want %q", e.Number, name, got, want)
			}
		}
		if e.Black == 2 && rows[i][column["black_depth"]] != "" {
			t.Errorf("game %d: a depth that nobody told", e.Number)
		}
	}
}

// TestDamagedMoves: a log that has moves that cannot be is an error that names
// the game.
func TestDamagedMoves(t *testing.T) {
	log := newMaker(1, 2, "A", "B").log(t, 0)
	log.Games[1].Moves = "h8h8"
	var b bytes.Buffer
	for name, err := range map[string]error{
		"sgf": WriteSGF(&b, log), "psq": ExportPSQ(t.TempDir(), log),
	} {
		if err == nil || !strings.Contains(err.Error(), "game 2: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
