package analyze

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"kumiko/engine"
	"kumiko/engine/board"
	"kumiko/engine/enginetest"
	"kumiko/engine/notation"
	"kumiko/engine/proof"
	"kumiko/protocol/cli"
	"kumiko/protocol/cli/golden"
)

// options are those of an engine without fitted tables, which would change the golden
// files whenever they change.
func options() engine.Options { return engine.Options{Memory: 32 << 20} }

// run runs a command and returns its output.
func run(t *testing.T, c *cobra.Command, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := cli.Execute(t.Context(), c, args, &out)
	return out.String(), err
}

// read reads a position or a game that must be valid.
func read(t *testing.T, rule board.Rule, text string) *record {
	t.Helper()
	r, err := settings{rule: rule, ruleKnown: true}.parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The wins by fours in this game: black has an open three before ply 7 and plays
// elsewhere, white stops it only in part, and black still wins.
const missedGame = "h8a1i8a3j8a5o15k8h9g8o13o1o11"

func TestGolden(t *testing.T) {
	for _, tt := range []struct{ name, args string }{
		{"position", "h8i9g7h9 --lines 4 --nodes 2000"},
		{"won", "h8a1i8a3j8a5k8a7l8"},
		{"bottom", "h8i9g7h9 --rows bottom --nodes 500"},
		{"fours", "h8a1i8a3j8a5 --rule renju --nodes 500"},
		{"setup", "testdata/setup.txt --rule standard --nodes 500"},
		{"missed", missedGame + " --game --nodes 500"},
		{"game", "testdata/game.psq --nodes 500 --lines 2"},
	} {
		for _, format := range []string{"text", "json", "sgf"} {
			got, err := run(t, Command(options), append(strings.Fields(tt.args), "--format", format)...)
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			golden.Compare(t, filepath.Join("testdata", tt.name+"."+format), got)
		}
	}
}

// The moves in SGF are those of the record, whatever variations follow, and analyze
// reads what it writes.
func TestSGFReadsBack(t *testing.T) {
	for _, args := range []string{missedGame + " --game", missedGame, "testdata/game.psq --lines 3", "testdata/setup.txt", "--size=20x12 --rule=caro5 h8i9"} {
		in := &input{new(string), new(string), new(string), new(int)}
		*in.rows, *in.ply = "top", lastPly
		name := args
		for _, word := range strings.Fields(args) {
			if value, ok := strings.CutPrefix(word, "--size="); ok {
				*in.size = value
			} else if value, ok := strings.CutPrefix(word, "--rule="); ok {
				*in.rule = value
			} else if word[0] != '-' && word != "3" {
				name = word
			}
		}
		want, err := in.read(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := run(t, Command(options), append(strings.Fields(args), "--nodes", "200", "--format", "sgf")...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := settings{}.parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if !slices.Equal(got.moves, want.moves) || got.start.String() != want.start.String() || got.start.Rule() != want.start.Rule() || got.names != want.names {
			t.Errorf("%s: read as %v, want %v\n%s", args, got, want, text)
		}
	}
}

// Every line of JSON can be decoded, and holds what the report does.
func TestJSONLines(t *testing.T) {
	text, err := run(t, Command(options), missedGame, "--game", "--nodes", "200", "--format", "json")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for line := range strings.Lines(text) {
		var p jsonPosition
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		kinds[p.Kind]++
		for _, l := range p.Lines {
			if n, _ := l.Score.Mate(); n != l.Mate || math.Abs(l.WinRate-l.Score.WinRate()) > 5e-5 {
				t.Errorf("ply %d: %v", p.Ply, l)
			}
		}
	}
	if want := (map[string]int{"header": 1, "position": 14, "player": 2}); fmt.Sprint(kinds) != fmt.Sprint(want) {
		t.Errorf("lines %v, want %v", kinds, want)
	}
}

// slowRate is the win rate by the logistic function as a sum of its definition: odds
// of e to the score over the unit, which is where the rate is 1/(1+1/e).
func slowRate(s engine.Score) float64 {
	if n, decided := s.Mate(); decided {
		return map[bool]float64{true: 1, false: 0}[n > 0]
	}
	unit := 200.0
	odds := math.Pow(math.E, float64(s)/unit)
	return odds / (odds + 1)
}

// slowMark is markOf in whole percents of a percent.
func slowMark(best, played engine.Score) string {
	lost := math.Round(1e9 * (slowRate(best) - slowRate(played)))
	name := ""
	for _, step := range []struct {
		percent float64
		name    string
	}{{5, "doubtful"}, {10, "mistake"}, {20, "blunder"}} {
		if lost >= step.percent*1e7 {
			name = step.name
		}
	}
	return name
}

// TestJudge compares verdicts on random scores with slow arithmetic.
func TestJudge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() engine.Score {
		switch rng.IntN(6) {
		case 0:
			return winIn(1 + 2*rng.IntN(20))
		case 1:
			return -winIn(2 + 2*rng.IntN(20))
		}
		return engine.Score(rng.IntN(1600) - 800)
	}
	start, _ := board.New(15, 15, board.Freestyle)
	end := start.Clone()
	end.Place(board.Pt(7, 7))
	for range 10000 {
		best, reply := random(), random()
		played := -reply // as the player who moved counts it
		if n, decided := reply.Mate(); decided && n > 0 {
			played = -winIn(n + 1)
		} else if decided {
			played = winIn(-n + 1)
		}
		at := &position{board: start, lines: []line{{best, []board.Move{board.Pt(0, 0)}}}}
		after := &position{board: end, ply: 1, lines: []line{{reply, []board.Move{board.Pt(1, 1)}}}}
		v := judge(at, after, board.Pt(7, 7))
		lost := slowRate(best) - slowRate(played)
		if lost < 0 {
			lost = 0
		}
		if v.score != played || math.Abs(v.rate-slowRate(played)) > 1e-9 || math.Abs(v.lost-lost) > 1e-9 || v.mark.String() != slowMark(best, played) {
			t.Errorf("best %v, reply %v: %+v, want score %v, lost %.4f, mark %q", best, reply, v, played, lost, slowMark(best, played))
		}
		if v := judge(at, after, board.Pt(0, 0)); played <= best && (v.lost != 0 || v.mark != unmarked) {
			t.Errorf("the best move: %+v", v)
		}
	}
}

// The endings have the scores of what they are.
func TestJudgeEndings(t *testing.T) {
	for _, tt := range []struct {
		text string
		rule board.Rule
		want ending
		rate float64
		mark string
	}{
		{"h8a1i8a3j8a5k8a7l8", board.Freestyle, won, 1, ""},
		{"h8a1i8a3j8a5k8a7l8", board.Caro5, won, 1, ""},
		{fullBoard, board.Standard, full, 0.5, ""},
	} {
		r := read(t, tt.rule, tt.text)
		r.game = true
		rep := newSearcher(options(), engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: 50}, 1).examine(t.Context(), r)
		v := rep.verdicts[len(rep.verdicts)-1]
		if rep.last().ending != tt.want || v.rate != tt.rate || v.mark.String() != tt.mark || len(rep.positions) != len(r.moves)+1 {
			t.Errorf("%s: %v, %+v", tt.text, rep.last().ending, v)
		}
	}
}

// fullBoard fills a board of 5x5 without a five, if it is read as 15x15 it is not full.
const fullBoard = "(;SZ[5];B[aa];W[ba];B[ca];W[da];B[ea];W[ab];B[bb];W[cb];B[db];W[eb];B[bc];W[ac];B[dc];W[cc];B[ad];W[ec];B[cd];W[bd];B[ed];W[dd];B[be];W[ae];B[de];W[ce];B[ee])"

// A side without a legal move is said to be stuck, and nothing is searched.
func TestStuck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stuck.txt")
	golden.Write(t, file, "XX.XXX\nOOXOOX\nXXOXXO\nOOXOOX\nXXOXXO\nblack to move\n")
	for _, tt := range []struct{ args, want string }{
		{"--rule renju", "black has no legal move"},
		{"--rule renju --format json", `"ending":"stuck"`},
		{"--rule renju --format sgf", "C[black has no legal move]"},
		{"--rule freestyle", "c1        +M1"},
	} {
		out, err := run(t, Command(options), append(strings.Fields(tt.args), file, "--nodes", "100")...)
		if err != nil || !strings.Contains(out, tt.want) {
			t.Errorf("%s: %v, no %s in\n%s", tt.args, err, tt.want, out)
		}
	}
}

// TestConsistent checks what holds between the positions of any game: a move is worth
// what its position is, the best one loses nothing, no score of a position is below
// that of the move played, and proven wins stay wins as long as they are played.
func TestConsistent(t *testing.T) {
	const game = "h8h9f8g7g8i8f9g10f11j7k6f10e10h7c12d11f7i7k7f6d9g12e8d8g6c10h5"
	for _, tt := range []struct {
		text  string
		nodes int64
	}{{missedGame, 300}, {game, 300}, {game, 1000}, {game, 3000}} {
		s := newSearcher(options(), engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: tt.nodes}, 1)
		text := tt.text
		r := read(t, board.Freestyle, text)
		r.game = true
		rep := s.examine(t.Context(), r)
		if len(rep.verdicts) != len(r.moves) {
			t.Fatalf("%d verdicts on %d moves", len(rep.verdicts), len(r.moves))
		}
		for i, v := range rep.verdicts {
			at, after := rep.positions[i], rep.positions[i+1]
			if v.move != r.moves[i] || v.ply != i+1 || v.color != at.board.Side() {
				t.Errorf("%s: ply %d: %+v", text, i+1, v)
			}
			if v.score > v.best.score || v.lost < 0 || v.lost > 1 || v.move == v.best.moves[0] && v.lost > 0 {
				t.Errorf("%s: ply %d: best %v, score %v, lost %v", text, i+1, v.best, v.score, v.lost)
			}
			if after.ending == open && math.Abs(v.rate-(1-after.lines[0].score.WinRate())) > 1e-9 {
				t.Errorf("%s: ply %d: win rate %v, but afterwards %v of the opponent", text, i+1, v.rate, after.lines[0].score.WinRate())
			}
			if n, decided := at.lines[0].score.Mate(); decided && n > 0 && len(at.lines[0].moves) != n {
				t.Errorf("%s: ply %d: a win in %d plies with %d moves", text, i+1, n, len(at.lines[0].moves))
			}
			if n, decided := v.best.score.Mate(); decided && n > 0 && v.move == v.best.moves[0] && after.ending == open {
				if left, lost := after.lines[0].score.Mate(); !lost || left >= 0 {
					t.Errorf("%s: ply %d: wins in %d plies, but afterwards the score is %v", text, i+1, n, after.lines[0].score)
				}
			}
			b := at.board.Clone()
			for _, l := range at.lines {
				if err := b.PlaceAll(l.moves); err != nil {
					t.Errorf("%s: ply %d: line %v: %v", text, i+1, l.moves, err)
				}
				b = at.board.Clone()
			}
		}
	}
}

// TestFours checks the remarks on wins by fours, missed and allowed.
func TestFours(t *testing.T) {
	r := read(t, board.Freestyle, missedGame)
	r.game = true
	rep := newSearcher(options(), engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: 300}, 1).examine(t.Context(), r)
	allowed, missed := rep.verdicts[5], rep.verdicts[6]
	if allowed.allowed == nil || allowed.missed != nil || allowed.lost == 0 {
		t.Errorf("white's third move allows an open four: %+v", allowed)
	}
	if missed.missed == nil || missed.mark == unmarked {
		t.Errorf("black's fourth move misses it: %+v", missed)
	}
	if black, white := tallyOf(rep.verdicts, board.Black), tallyOf(rep.verdicts, board.White); black.missed == 0 || white.allowed == 0 || black.moves != 7 || white.moves != 6 {
		t.Errorf("black %+v, white %+v", black, white)
	}
	for _, p := range rep.positions {
		if p.fours == nil {
			continue
		}
		b := p.board.Clone()
		if err := b.PlaceAll(p.fours); err != nil || b.Five() == nil || b.Side() == p.board.Side() {
			t.Errorf("ply %d: fours %v do not end with a five: %v", p.ply, p.fours, err)
		}
	}
}

// TestSettle follows a proof through a game whose later searches see nothing.
func TestSettle(t *testing.T) {
	r := read(t, board.Freestyle, "h8a1i8a3j8a5g8f8o15")
	r.game = true
	s := newSearcher(options(), engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: 100}, 1)
	rep := s.examine(t.Context(), r)
	for i := 6; i < len(rep.positions); i++ { // from black's open three on
		p := rep.positions[i]
		p.lines = []line{{0, p.lines[0].moves}}
		if i > 6 {
			p.proof = nil
		}
	}
	rep.settle()
	for i := 6; i <= 8; i++ {
		n, decided := rep.positions[i].lines[0].score.Mate()
		if want := []int{3, -2, 1}[i-6]; !decided || n != want || len(rep.positions[i].lines[0].moves) != max(n, -n) {
			t.Errorf("ply %d: %v, want a five in %d", i, rep.positions[i].lines[0], want)
		}
	}
	if s := rep.positions[9].lines[0].score; s != 0 { // black did not play the win
		t.Errorf("ply 9: %v", s)
	}
}

// A win by fours that is missed is remarked even if the move wins almost as surely.
func TestMissedNarrowly(t *testing.T) {
	b := read(t, board.Freestyle, "h8a1i8a3j8a5").at(6)
	fours, _ := board.ParseMoves("g8f8k8")
	at := &position{board: b, ply: 6, lines: []line{{winIn(3), fours}}, fours: fours}
	next := b.Clone()
	next.Place(board.Pt(14, 14))
	after := &position{board: next, ply: 7, lines: []line{{-1500, []board.Move{board.Pt(13, 13)}}}}
	if v := judge(at, after, board.Pt(14, 14)); v.mark != doubtful || v.missed == nil || v.lost > 0.001 {
		t.Errorf("%+v", v)
	}
	after.lines[0].score = -winIn(6) // it wins as well
	if v := judge(at, after, board.Pt(14, 14)); v.mark != unmarked || v.missed != nil || v.lost != 0 {
		t.Errorf("%+v", v)
	}
}

// A win by fours that the search has not seen becomes the best line.
func TestFindFours(t *testing.T) {
	s := newSearcher(options(), engine.Limits{}, 2)
	b := read(t, board.Freestyle, "h8a1i8a3j8a5").at(6)
	quiet := []line{{50, []board.Move{board.Pt(0, 1)}}, {40, []board.Move{board.Pt(0, 3)}}}
	p := &position{board: b, ply: 6, lines: slices.Clone(quiet)}
	if s.findFours(p); p.fours == nil || len(p.lines) != 2 || p.lines[0].score != winIn(3) || p.lines[1].score != 50 {
		t.Errorf("%+v", p)
	}
	p = &position{board: read(t, board.Freestyle, "h8a1i8a3").at(4), lines: slices.Clone(quiet)}
	if s.findFours(p); p.fours != nil || p.lines[0].score != 50 {
		t.Errorf("no fours: %+v", p)
	}
}

func TestScoreText(t *testing.T) {
	for _, tt := range []struct {
		score engine.Score
		want  string
	}{{12, "+12"}, {0, "0"}, {-12, "-12"}, {winIn(3), "+M3"}, {-winIn(4), "-M4"}, {unproven, "won?"}, {-unproven, "lost?"}} {
		if got := scoreText(tt.score); got != tt.want {
			t.Errorf("%d: %s, want %s", tt.score, got, tt.want)
		}
	}
	r := read(t, board.Freestyle, "h8")
	for points, want := range map[string]string{"h8": "a five on h8", "g8f8k8": "a win by fours in 3 plies: g8 f8 k8"} {
		fours, _ := board.ParseMoves(points)
		if got := foursText(fours, r); got != want {
			t.Errorf("%s: %s, want %s", points, got, want)
		}
	}
}

func TestLimits(t *testing.T) {
	position, game := &record{}, &record{game: true}
	for _, tt := range []struct {
		r     *record
		limit time.Duration
		nodes int64
		want  time.Duration
	}{
		{position, 0, 0, 5 * time.Second}, {game, 0, 0, time.Second}, {game, time.Minute, 0, time.Minute}, {position, 0, 7, -1}, {game, 0, 7, -1},
	} {
		if l := limitsOf(tt.r, tt.limit, tt.nodes); l.Turn != tt.want || l.Nodes != tt.nodes || l.Left != engine.NoLimit {
			t.Errorf("%+v: %+v", tt, l)
		}
	}
	if a, b, c := linesOf(position, 0), linesOf(game, 0), linesOf(game, 7); a != 3 || b != 1 || c != 7 {
		t.Errorf("lines %d, %d, %d", a, b, c)
	}
}

// An interrupt shows what is known.
func TestInterrupt(t *testing.T) {
	for _, tt := range []struct {
		args string
		want []string
	}{
		{"h8i9g7h9", []string{"black to move after 4 moves", "\nA "}},
		{missedGame + " --game", []string{"interrupted: only moves 8 to 13 were analysed", "  13. o11"}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := settings{}.parse([]byte(strings.Fields(tt.args)[0]))
		if err != nil {
			t.Fatal(err)
		}
		r.game = strings.Contains(tt.args, "--game")
		s := newSearcher(options(), engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: 500}, 1)
		s.progress = func(p *position) {
			if !r.game || p.ply == 6 {
				cancel()
			}
		}
		var out strings.Builder
		if err := writeText(&out, s.examine(ctx, r)); err != nil {
			t.Error(err)
		}
		for _, want := range tt.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", tt.args, want, out.String())
			}
		}
		for _, f := range forms {
			if err := f.write(&out, s.examine(ctx, r)); err != nil {
				t.Errorf("%s: %s of nothing: %v", tt.args, f.name, err)
			}
		}
		out.Reset()
		err = cli.Execute(ctx, Command(options), append(strings.Fields(tt.args), "--time", "1h"), &out)
		if !errors.Is(err, context.Canceled) || out.Len() == 0 {
			t.Errorf("%s: %v, output %q", tt.args, err, out.String())
		}
	}
}

func TestProof(t *testing.T) {
	file := filepath.Join(t.TempDir(), "win.json")
	if _, err := run(t, Command(options), "h8a1i8a3j8a5", "--nodes", "1000", "--proof", file); err != nil {
		t.Fatal(err)
	}
	tree, err := proof.Read(bytes.NewReader(golden.Read(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := tree.Verify(t.Context()); err != nil || n != 3 {
		t.Errorf("verified: %d plies, %v", n, err)
	}
	out, err := run(t, Command(options), "h8", "--nodes", "1000", "--proof", file)
	if err == nil || !strings.Contains(err.Error(), "no win proven, so "+file+" was not written") || !strings.Contains(out, "white to move") {
		t.Errorf("no win: %v, %s", err, out)
	}
	if _, err := run(t, Command(options), missedGame, "--game", "--proof", file); err == nil || !strings.Contains(err.Error(), "choose one of the game with --ply") {
		t.Errorf("proof of a game: %v", err)
	}
	other := filepath.Join(t.TempDir(), "notes.txt")
	golden.Write(t, other, "mine")
	if _, err := run(t, Command(options), "h8", "--proof", other); err == nil || string(golden.Read(t, other)) != "mine" {
		t.Errorf("proof over another file: %v", err)
	}
}

func TestCommandErrors(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"h8 --lines 0", "lines must be 1 to 24, got 0"},
		{"h8 --lines 25", "lines must be 1 to 24, got 25"},
		{"h8 --nodes 0", "nodes must be at least 1, got 0"},
		{"h8 --time 1us", "time must be at least 1ms, got 1µs"},
		{"h8 --time 1s --nodes 1", "--time and --nodes exclude each other"},
		{"h8 --format html", `unknown format "html", want text, json or sgf`},
		{"h8 --rule go", `unknown rule "go"`},
		{"h8 --size 4", "board size 4x4"},
		{"h8 --rows up", `invalid end "up" of the rows, want top or bottom`},
		{"h8 --ply -1", "ply must be at least 0, got -1"},
		{"h8 --ply 2", "ply 2 of a game of 1 move"},
		{"h8,i9", `"h8,i9" is no file, and as a position: move 2: invalid point ",i9"`},
		{"no.psq", "no.psq"},
		{"h8p8", "move 2: column 16, row 8 from the top is off the 15x15 board"},
		{"testdata/dead.txt --format sgf", "SGF has no dead stones, such as that on d4"},
	} {
		out, err := run(t, Command(options), strings.Fields(tt.args)...)
		if err == nil || !strings.Contains(err.Error(), tt.want) || out != "" {
			t.Errorf("%s: %q, %v, want %s", tt.args, out, err, tt.want)
		}
	}
	if _, err := run(t, Command(options), "h8", "--nodes", "100"); err != nil {
		t.Error(err)
	}
	if err := cli.Execute(t.Context(), Command(options), []string{"h8", "--nodes", "100"}, brokenWriter{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("broken output: %v", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

// Progress is for terminals only, and says where a game is.
func TestProgress(t *testing.T) {
	var out strings.Builder
	r := read(t, board.Freestyle, "h8i9")
	p := newProgress(&out, r)
	at := &position{board: r.start, ply: 2, depth: 3, selDepth: 5, lines: []line{{-12, notation.Moves([]notation.Ply{{Move: board.Pt(0, 0)}})}}}
	p.show(at)
	p.wipe()
	if out.Len() > 0 {
		t.Errorf("shown in a file: %q", out.String())
	}
	if got, want := progressText(r, at), "depth 3-5 -12 48.5 %: a1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.game = true
	if got, want := progressText(r, at), "position 1 of 3, depth 3-5 -12 48.5 %: a1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.w = &out
	p.show(at)
	p.show(at) // too soon
	p.wipe()
	p.wipe()
	if got := out.String(); strings.Count(got, "position") != 1 || strings.Count(got, "\x1b[K") != 2 {
		t.Errorf("shown: %q", got)
	}
}

// TestSearch analyses random positions by all rules: lines can be played, a win by
// fours ends with its five after fours alone, and the board stays as it was.
func TestSearch(t *testing.T) {
	s := newSearcher(options(), engine.Limits{Turn: -1, Left: engine.NoLimit, Nodes: 100}, 3)
	fours := 0
	enginetest.EachRandom(t, enginetest.Scaled(300), func(t *testing.T, b *board.Board) {
		drawn := b.String()
		p := s.search(t.Context(), b, 0)
		if b.String() != drawn {
			t.Fatalf("the board is\n%v, want\n%v", b, drawn)
		}
		if (p.ending == open) != (len(p.lines) > 0) {
			t.Errorf("%v: ending %q and %d lines", b, p.ending, len(p.lines))
		}
		for i, l := range p.lines {
			if err := b.Clone().PlaceAll(l.moves); err != nil || len(l.moves) == 0 {
				t.Errorf("%v: line %d: %v: %v", b, i, l.moves, err)
			}
			if i > 0 && l.score > p.lines[i-1].score {
				t.Errorf("%v: line %d is better than the one before", b, i)
			}
		}
		if p.fours == nil {
			return
		}
		fours++
		c, end := b.Side(), b.Clone()
		for i, m := range p.fours {
			if !end.Legal(m) {
				t.Fatalf("%v: %v: %v is illegal", b, p.fours, m)
			}
			last := i == len(p.fours)-1
			if wins := end.Wins(m, end.Side()); wins != last {
				t.Errorf("%v: %v: %v wins: %v", b, p.fours, m, wins)
			}
			end.Place(m)
			if end.Side() != c && !last && end.Count(c, board.ShapeFive) == 0 {
				t.Errorf("%v: %v: %v is no four", b, p.fours, m)
			}
		}
		if end.Side() == c || p.lines[0].score < engine.MateBound {
			t.Errorf("%v: %v, score %v", b, p.fours, p.lines[0].score)
		}
	})
	if fours == 0 {
		t.Error("no win by fours in any position")
	}
	t.Logf("%d wins by fours", fours)
}

// TestFinished continues victories that end with a four.
func TestFinished(t *testing.T) {
	for _, tt := range []struct {
		rule              board.Rule
		moves, fours, end string
	}{
		{board.Freestyle, "h8a1i8a3j8a5", "g8", "g8 f8 k8"},
		{board.Freestyle, "h8a1i8a3j8a5k8a7", "g8", "g8"},
	} {
		b := read(t, tt.rule, tt.moves).at(len(tt.moves) / 2)
		list, _ := board.ParseMoves(tt.fours)
		if got := pointList(finished(b, list)); got != tt.end {
			t.Errorf("%s: %s, want %s", tt.moves, got, tt.end)
		}
	}
}
