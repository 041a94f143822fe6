package watch

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"charm.land/lipgloss/v2"

	"kumiko/engine/board"
	"kumiko/protocol/cli/golden"
	"kumiko/tournament/stats"
	"kumiko/tournament/telemetry"
)

// style is what the screen may have besides text.
var style = regexp.MustCompile("\x1b\\[[0-9;]*m")

// hostile are names that engines may have.
var hostile = []string{
	"evil\x1b[2J\x1b]0;title\x07", "五目並べ五目並べ五目", "👩‍👩‍👧 family 🇩🇪", "right\u202eleft\u2066", "Z̷̢͔a̸̛l̶g̷o̸",
	"tab\tnew\nline\r", strings.Repeat("long", 60), "\xff\xfe", "", "ﷺ", "a", "b",
}

// position is a game of so many moves that spiral around the middle.
func position(size [2]int, moves int) []board.Move {
	x, y, dx, dy := size[0]/2, size[1]/2, 1, 0
	var list []board.Move
	for leg := 0; len(list) < moves; leg++ {
		for range leg/2 + 1 {
			if x >= 0 && y >= 0 && x < size[0] && y < size[1] && len(list) < moves {
				list = append(list, board.Pt(x, y))
			}
			x, y = x+dx, y+dy
		}
		dx, dy = -dy, dx
	}
	return list
}

// sample is a state with so many running games.
func sample(names []string, size [2]int, games int) state {
	sum := &summary{
		title: "Alpha vs Beta", details: "freestyle  15x15  120/5  seed 7",
		played: 117, total: 400, session: start, last: at(3600), ended: 117, patience: time.Minute,
		troubles: []line{
			{text: "#21  Beta crash: signal SIGSEGV", mood: bad},
			{text: "#20 is void: interrupted"},
		},
		failed: 1,
	}
	for i, name := range names {
		sum.standings = append(sum.standings, standing{
			name: plain(name), elo: 65.4 - 31*float64(i), margin: 20.3 + float64(i),
			points: 70.5 - float64(i), games: 117, wins: 60 - i, losses: 36 + i, draws: 21, out: i == 7,
		})
	}
	for i := range 60 {
		sum.results = append(sum.results, line{
			text: fmt.Sprintf("#%-3d 1-0 %s - %s  five, %d moves", 117-i, plain(names[0]), plain(names[1]), 40+i),
			mood: mood(i % 3),
		})
	}
	s := &snapshot{at: at(3600), written: at(3599), summary: sum, size: size, going: games}
	for i := range games {
		moves := position(size, 7*i+2)
		g := game{number: 118 + i, round: 59, moves: moves, side: colorAt(len(moves)), since: at(3597.5)}
		for c := range g.players {
			g.players[c] = player{
				name: plain(names[(i+c)%len(names)]), used: 12300 * time.Millisecond, left: 107700 * time.Millisecond, limited: true,
				info: &telemetry.Info{Depth: 11, SelDepth: 17 + i, Score: fmt.Sprint(35 - 70*c), Nodes: 1234567, Speed: 380957},
			}
		}
		s.games = append(s.games, g)
	}
	return state{snapshot: s, theme: newTheme(true, true)}
}

// withSPRT adds a sequential test of two engines.
func withSPRT(s state, llr float64) state {
	s.summary.match = &match{stats.Estimate{Value: 65.9, Low: 40.1, High: 92}, 0.9989, stats.Counts{2, 7, 15, 20, 14}}
	s.summary.test = &test{llr: llr, lower: -2.94, upper: 2.94, elo0: 0, elo1: 10, unit: "nElo", pairs: 58, progress: llr / 2.94}
	return s
}

var fifteen = [2]int{15, 15}

// screens are what the golden files show.
func screens() map[string]struct {
	state         state
	width, height int
} {
	two := []string{"Alpha", "Beta"}
	finished := withSPRT(sample(two, fifteen, 1), 2.97)
	finished.finished, finished.summary.verdict, finished.going = true, "H1 accepted", 0
	finished.games[0].result, finished.games[0].since = "1-0 Black win by five connection", time.Time{}
	fresh := sample(two, fifteen, 0)
	fresh.snapshot = &snapshot{at: at(2), written: at(1), size: fifteen, summary: &summary{
		title: "Alpha vs Beta", details: "renju  15x15", total: 400, session: start, last: start,
		standings: []standing{{name: "Alpha", elo: math.NaN(), margin: math.NaN()}, {name: "Beta", elo: math.NaN(), margin: math.NaN()}},
	}}
	help := sample(two, fifteen, 4)
	help.help = true
	warned := sample(two, fifteen, 4)
	warned.summary.failed, warned.summary.troubles = 0, warned.summary.troubles[1:]
	warned.summary.match = &match{stats.Estimate{Value: 12, Low: math.NaN(), High: math.NaN()}, math.NaN(), make(stats.Counts, 5)}
	gone := sample(two, fifteen, 4)
	gone.problem, gone.at = "the log is gone: stat match: no such file or directory", at(4000)
	scrolled := sample(hostile, fifteen, 4)
	scrolled.scroll, scrolled.first = 99, 99
	empty := state{snapshot: &snapshot{}, theme: newTheme(true, true)}
	return map[string]struct {
		state         state
		width, height int
	}{
		"60x20-1":          {sample(two, fifteen, 1), 60, 20},
		"60x20-sprt-4":     {withSPRT(sample(two, fifteen, 4), -1.2), 60, 20},
		"60x20-large":      {sample(two, [2]int{32, 32}, 1), 60, 20},
		"80x24-0":          {fresh, 80, 24},
		"80x24-4":          {sample(two, fifteen, 4), 80, 24},
		"80x24-sprt-1":     {withSPRT(sample(two, fifteen, 1), 0.14), 80, 24},
		"80x24-hostile":    {scrolled, 80, 24},
		"80x24-help":       {help, 80, 24},
		"80x24-gone":       {gone, 80, 24},
		"80x24-warning":    {warned, 80, 24},
		"80x24-reading":    {state{theme: newTheme(true, true)}, 80, 24},
		"80x24-empty":      {empty, 80, 24},
		"80x24-20":         {sample(two, [2]int{20, 20}, 1), 80, 24},
		"100x45-finished":  {finished, 100, 45},
		"200x60-hostile":   {sample(hostile, fifteen, 4), 200, 60},
		"250x80-sprt-16":   {withSPRT(sample(two, fifteen, 16), 2.5), 250, 80},
		"40x10-too-small":  {sample(two, fifteen, 4), 40, 10},
		"132x43-sprt-none": {withSPRT(sample(two, fifteen, 0), -2.9), 132, 43},
	}
}

func TestGolden(t *testing.T) {
	for name, s := range screens() {
		got := style.ReplaceAllString(view(s.state, s.width, s.height), "") + "\n"
		golden.Compare(t, filepath.Join("testdata", name+".txt"), got)
	}
}

// TestScreens checks at all sizes that a screen is full and not more, and that
// nothing reaches the terminal but text and styles of our own.
func TestScreens(t *testing.T) {
	for name, s := range screens() {
		for _, width := range []int{0, 1, 59, 60, 79, 131, 250} {
			for _, height := range []int{0, 19, 20, 24, 43, 80} {
				checkScreen(t, name, view(s.state, width, height), width, height)
			}
		}
		if t.Failed() {
			break
		}
	}
}

func checkScreen(t *testing.T, name, screen string, width, height int) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if height == 0 {
		lines = lines[1:] // an empty text has a line
	}
	if len(lines) != height {
		t.Errorf("%s: %d rows, want %d", name, len(lines), height)
	}
	for i, line := range lines {
		if w := lipgloss.Width(line); w != width {
			t.Errorf("%s, %dx%d: row %d has %d columns: %q", name, width, height, i, w, line)
		}
		if text := style.ReplaceAllString(line, ""); strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%s, %dx%d: row %d has unprintable characters: %q",
				name, width, height, i, text)
		}
	}
}

// TestThemes makes sure that themes change nothing but colors, and that
// without colors there are none.
func TestThemes(t *testing.T) {
	s := withSPRT(sample([]string{"Alpha", "Beta"}, fifteen, 4), 0.5)
	draw := func(theme *theme) string {
		s.theme = theme
		return view(s, 120, 40)
	}
	dark, light, none := draw(newTheme(true, true)), draw(newTheme(false, true)), draw(newTheme(true, false))
	if dark == light {
		t.Error("a light background changes nothing")
	}
	for _, screen := range []string{light, none} {
		if style.ReplaceAllString(screen, "") != style.ReplaceAllString(dark, "") {
			t.Error("a theme changes the text")
		}
	}
	if color := regexp.MustCompile("\x1b\\[[0-9;]*[34][0-9;]*m").FindString(none); color != "" {
		t.Errorf("without colors there is %q", color)
	}
}

// TestGrid compares boards with the obvious drawing, at both pitches.
func TestGrid(t *testing.T) {
	size := [2]int{15, 10}
	g := game{moves: append(position(size, 40), board.Pt(31, 31))} // the last is off the board
	theme := newTheme(true, false)
	for pitch := 1; pitch <= 2; pitch++ {
		l := layout{pitch: pitch, boardRows: size[1], boardCols: size[0]}
		for y, line := range g.grid(l, size, theme) {
			want := []rune(strings.Repeat(" ", pitch*size[0]+1))
			for x := range size[0] {
				want[pitch*x+1] = '·'
				for ply, m := range g.moves {
					if m != board.Pt(x, y) {
						continue
					}
					want[pitch*x+1] = []rune("●○")[ply%2]
					if ply == 39 && pitch == 2 {
						want[pitch*x], want[pitch*x+2] = '[', ']'
					}
				}
			}
			line = style.ReplaceAllString(line, "")
			if pitch == 2 && line != string(want) || pitch == 1 && line != string(want[:size[0]+1]) {
				t.Errorf("pitch %d, row %d: %q, want %q", pitch, y, line, string(want))
			}
		}
	}
}

// TestEmptyGrid draws a game without a last move, whose value is off every board.
func TestEmptyGrid(t *testing.T) {
	var g game
	for _, line := range g.grid(layout{pitch: 2, boardRows: 32, boardCols: 32}, [2]int{32, 32}, newTheme(true, false)) {
		if line != strings.Repeat(" ·", 32)+" " {
			t.Errorf("%q", line)
		}
	}
}

// TestCrop shows part of a board: always that with the last move.
func TestCrop(t *testing.T) {
	size := [2]int{32, 32}
	l := layout{pitch: 1, boardRows: 5, boardCols: 7}
	theme := newTheme(true, false)
	for x := range size[0] {
		for y := range size[1] {
			g := game{moves: []board.Move{board.Pt(x, y)}}
			text := strings.Join(g.grid(l, size, theme), "\n")
			if strings.Count(text, "●") != 1 || lipgloss.Width(text) != 8 {
				t.Fatalf("last move %d,%d:\n%s", x, y, text)
			}
		}
	}
}

func TestScale(t *testing.T) {
	s := state{theme: newTheme(true, false)}
	for _, tt := range []struct {
		llr, lower, upper float64
		want              string
	}{
		{0, -2, 2, "├───●───┤"},
		{1, -2, 2, "├───┼─●─┤"},
		{-9, -2, 2, "●───┼───┤"},
		{9, -2, 2, "├───┼───●"},
		{math.Inf(1), -2, 2, "├───┼───●"},
		{math.NaN(), -2, 2, "●───┼───┤"},
		{0, 0, 0, "●───────┤"},
	} {
		got := style.ReplaceAllString(s.scale(&test{llr: tt.llr, lower: tt.lower, upper: tt.upper}, 9), "")
		if got != tt.want {
			t.Errorf("%v in [%v, %v]: %s, want %s", tt.llr, tt.lower, tt.upper, got, tt.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		x              float64
		signed, margin string
	}{
		{0, "+0", "±0"}, {65.9, "+66", "±66"}, {-0.2, "+0", ""},
		{math.NaN(), "n/a", "±n/a"}, {math.Inf(1), "+Inf", "±n/a"}, {math.Inf(-1), "-Inf", ""},
	} {
		if got := signed(tt.x); got != tt.signed {
			t.Errorf("signed(%v) = %q, want %q", tt.x, got, tt.signed)
		}
		if got := margin(tt.x); !(tt.x < 0) && got != tt.margin {
			t.Errorf("margin(%v) = %q, want %q", tt.x, got, tt.margin)
		}
	}
}

func TestSaid(t *testing.T) {
	for _, tt := range []struct {
		info *telemetry.Info
		want string
	}{
		{nil, ""},
		{&telemetry.Info{}, ""},
		{&telemetry.Info{Depth: 11, SelDepth: 17, Score: "-34", Nodes: 57220, Speed: 380957}, "d11-17 -34 57.2k 381k/s"},
		{&telemetry.Info{Depth: 8, SelDepth: 8, Score: "+M12"}, "d8 +M12"},
		{&telemetry.Info{Score: "\x1b[2J123456789"}, `\x1b[2J…`},
		{&telemetry.Info{Nodes: 812}, "812"},
	} {
		p := player{info: tt.info}
		if got := strings.Join(p.said(), " "); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.info, got, tt.want)
		}
	}
}
