package game

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/tournament/config"
)

// Openings in which black's stone on g8 or h8 makes something; white's stones
// are far away.
const (
	sixth       = "d8a1e8o1f8a15h8o15i8h15" // d8 to i8
	doubleThree = "g8a1i8c1h7e1h9g1"
	doubleFour  = "c8a1d8c1e8e1i8g1j8i1k8k1" // in one row
	fiveAndSix  = "d8a1e8c1f8e1g8g1h5i1h6k1h7m1h9o1h10a3"
	whiteSix    = "a1d8c14e8e12f8m3g8n10i8k13" // white is to move
	enclosed    = "e8d8f8j8g8a1h8c1"           // i8 makes a five from d8 to j8
	atEdge      = "b8f8c8a1d8c1e8e1"           // a8 makes a five from the edge to f8
	enclosedSix = "d8c8e8j8f8a1g8c1i8e1"       // h8 makes a six from c8 to j8
	enclosedTop = "h1a1h2c1h3e1h4h6"           // h5 makes a five from the edge to h6
)

// verdicts are those of the board. An engine whose move does not end the game
// exits.
var verdicts = []row{
	{name: "six in freestyle", opening: sixth, black: does("6,7"), want: "1-0 five"},
	{name: "six in exact", settings: by(board.Standard), opening: sixth, black: does("6,7", "exit:0"), want: "0-1 crash", check: played(sixth + "g8b1")},
	{name: "six in renju", settings: by(board.Renju), opening: sixth, black: does("6,7"), want: "0-1 foul", detail: "^played g8, overline$", check: text("Black play forbidden move - overline")},
	{name: "six in caro5", settings: by(board.Caro5), opening: sixth, black: does("6,7", "exit:0"), want: "0-1 crash", check: played(sixth + "g8b1")},
	{name: "six in caro6", settings: by(board.Caro6), opening: sixth, black: does("6,7"), want: "1-0 five"},
	{name: "six of white's in renju", settings: by(board.Renju), opening: whiteSix, white: does("7,7"), want: "0-1 five", check: text("White win by five connection")},
	{name: "double three", settings: by(board.Renju), opening: doubleThree, black: does("7,7"), want: "0-1 foul", detail: "^played h8, double-three$", check: all(played(doubleThree), text("Black play forbidden move - double three"))},
	{name: "double four", settings: by(board.Renju), opening: doubleFour, black: does("6,7"), want: "0-1 foul", detail: "double-four", check: text("Black play forbidden move - double four")},
	{name: "nothing forbidden in freestyle", opening: doubleThree, black: does("7,7", "exit:0"), want: "0-1 crash"},
	{name: "nothing forbidden to white", settings: by(board.Renju), opening: "a1g8c1i8e1h7g1h9i1", white: does("7,7", "exit:0"), want: "1-0 crash"},
	{name: "five and six in renju", settings: by(board.Renju), opening: fiveAndSix, black: does("7,7"), want: "1-0 five"},
	{name: "five and six in exact", settings: by(board.Standard), opening: fiveAndSix, black: does("7,7"), want: "1-0 five"},
	{name: "enclosed five in freestyle", opening: enclosed, black: does("8,7"), want: "1-0 five"},
	{name: "enclosed five in caro5", settings: by(board.Caro5), opening: enclosed, black: does("8,7", "exit:0"), want: "0-1 crash", check: played(enclosed + "i8b1")},
	{name: "enclosed five in caro6", settings: by(board.Caro6), opening: enclosed, black: does("8,7", "exit:0"), want: "0-1 crash", check: played(enclosed + "i8b1")},
	{name: "enclosed six in caro5", settings: by(board.Caro5), opening: enclosedSix, black: does("7,7", "exit:0"), want: "0-1 crash"},
	{name: "enclosed six in caro6", settings: by(board.Caro6), opening: enclosedSix, black: does("7,7"), want: "1-0 five"},
	{name: "five at the edge in caro5", settings: by(board.Caro5), opening: atEdge, black: does("0,7"), want: "1-0 five"},
	{name: "five at the edge in caro6", settings: by(board.Caro6), opening: atEdge, black: does("0,7"), want: "1-0 five"},
	{name: "five at the upper edge in caro5", settings: by(board.Caro5), opening: enclosedTop, black: does("7,4"), want: "1-0 five"},

	{name: "stones", settings: Settings{MaxPlies: 5}, want: "1/2-1/2 max-plies", check: all(played("a1b1c1d1e1"), text("Draw by adjudication"))},
	{name: "stones of the opening", settings: Settings{MaxPlies: 5}, opening: "h8h7h6h5", want: "1/2-1/2 max-plies", check: played("h8h7h6h5a1")},
	{name: "no moves at all", settings: Settings{MaxPlies: 4}, opening: "h8h7h6h5", black: does("exit:1"), white: does("exit:1"), want: "1/2-1/2 max-plies", check: played("h8h7h6h5")},
	{name: "five with the last stone allowed", settings: Settings{MaxPlies: 9}, black: five, want: "1-0 five"},
	{name: "five a stone too late", settings: Settings{MaxPlies: 8}, black: five, want: "1/2-1/2 max-plies"},
	{name: "points left in renju", settings: Settings{Rule: rule(board.Renju), Width: 6, Height: 6, DrawSquaresLeft: 25}, black: evens(6), white: odds(6), want: "1/2-1/2 squares-left", check: stones(11)},
	{name: "points left in freestyle", settings: Settings{Width: 6, Height: 6, DrawSquaresLeft: 25}, black: evens(6), white: odds(6), want: "1/2-1/2 squares-left", check: all(stones(11), text("Draw by adjudication"))},
	{name: "full board", settings: Settings{Width: 5, Height: 5}, black: evens(5), white: odds(5), want: "1/2-1/2 full", check: all(stones(25), text("Draw by fullfilled board"))},
	{name: "full board in renju", settings: Settings{Rule: rule(board.Renju), Width: 5, Height: 5}, black: evens(5), white: odds(5), want: "1/2-1/2 full", check: stones(25)},
}

func by(r board.Rule) Settings { return Settings{Rule: rule(r)} }

func rule(r board.Rule) config.Rule { return config.Rule{Rule: r} }

// text checks the words of the result.
func text(s string) func(*testing.T, *match, *Result) {
	return func(t *testing.T, _ *match, e *Result) {
		t.Helper()
		if e.Text != s {
			t.Errorf("the result is called %q, want %q", e.Text, s)
		}
	}
}

// stones checks how many there are.
func stones(n int) func(*testing.T, *match, *Result) {
	return func(t *testing.T, _ *match, e *Result) {
		t.Helper()
		if got := len(parseMoves(t, e.Moves)); got != n {
			t.Errorf("%d stones, want %d", got, n)
		}
	}
}

// evens and odds fill a board without a five.
func evens(size int) []string { return half(size, 0) }
func odds(size int) []string  { return half(size, 1) }

func half(size, c int) (list []string) {
	for i := range size * size {
		x, y := i%size, i/size
		if (x+2*y)%4/2 == c {
			list = append(list, wire(board.Pt(x, y)))
		}
	}
	return list
}

// lastFive fills a board of 5x5 with no five but black's with the last stone.
func lastFive() (black, white []string) {
	picture := "" +
		"XXXXX" +
		"OXXOO" +
		"OOOXX" +
		"XXOOO" +
		"OOXXO"
	for i, c := range picture {
		p := wire(board.Pt(i%5, i/5))
		if c == 'X' {
			black = append(black, p)
		} else {
			white = append(white, p)
		}
	}
	return append(black[1:], black[0]), white
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, r := range verdicts {
		t.Run(r.name, r.run)
	}
}

// TestReports plays games that have gone wrong elsewhere; the names are those
// in our collection of reports.
func TestReports(t *testing.T) {
	t.Parallel()
	lastBlack, lastWhite := lastFive()
	for _, r := range []row{
		// Fives on the board were not noticed, two stones lay on one point.
		{name: "A22", opening: "e8a1f8c1g8e1h8g1", black: does("8,7", "exit:1"), white: does("exit:1"), want: "1-0 five", check: stones(9)},
		{name: "A22 white", black: does("0,0", "2,0", "4,0", "6,0", "8,0", "exit:1"), white: five, want: "0-1 five", check: stones(10)},
		{name: "A22 occupied", opening: "h8", white: does("7,7"), want: "1-0 illegal-occupied", check: stones(1)},
		// The win was looked for before the stone was there.
		{name: "A27", opening: "e8a1f8c1g8e1i8g1", black: does("7,7"), want: "1-0 five", check: stones(9)},
		// A full board was a draw although the last stone made a five.
		{name: "A39", settings: Settings{Width: 5, Height: 5}, black: lastBlack, white: lastWhite, want: "1-0 five", check: stones(25)},
		// A win was announced without a five.
		{name: "A51", opening: "e8a1f8o1g8a15", black: does("8,7", "9,7", "exit:1"), want: "0-1 crash", check: stones(10)},
		// The point 0,0 was taken for no move.
		{name: "B06", black: does("0,0", "2,0", "4,0", "exit:1"), white: does("1,0"), want: "0-1 crash", check: all(played("a1b1c1d1e1f1"))},
		{name: "B06 TURN", black: does("7,7", "exit:1"), white: does("0,0"), want: "0-1 crash", check: told("TURN 0,0")},
		{name: "B06 BOARD", opening: "a1", white: does("exit:1"), want: "1-0 crash", check: func(t *testing.T, m *match, _ *Result) { sentLast(t, m, 1, "BOARD", "0,0,2", "DONE") }},
		// Field 3 of BOARD was that of the color.
		{name: "B07 black", opening: "h8a1h7b1", black: does("exit:1"), want: "0-1 crash", check: func(t *testing.T, m *match, _ *Result) {
			sentLast(t, m, 0, "BOARD", "7,7,1", "0,0,2", "7,6,1", "1,0,2", "DONE")
		}},
		{name: "B07 white", opening: "h8a1h7b1", black: does("7,5"), white: does("exit:1"), want: "1-0 crash", check: func(t *testing.T, m *match, _ *Result) {
			sentLast(t, m, 1, "BOARD", "7,7,2", "0,0,1", "7,6,2", "1,0,1", "7,5,2", "DONE")
		}},
		// A line half written was taken for a whole one.
		{name: "B15", black: does("print:7,&sleep:20ms&print:7&sleep:20ms&print:\\r\\n", "print:1&sleep:20ms&line:0,14", "exit:1"), want: "0-1 crash", check: played("h8a1k15b1")},
		// Six was a five since four points were looked at in each direction.
		{name: "B19", settings: by(board.Standard), opening: "d8a1e8o1f8a15g8o15i8h15", black: does("7,7", "exit:1"), want: "0-1 crash", check: stones(12)},
		{name: "B19 nine", settings: by(board.Standard), opening: "d8a1e8o1f8a15g8o15i8h15j8a8k8o8l8h1", black: does("7,7", "exit:1"), want: "0-1 crash", check: stones(18)},
		// What a crashed engine had started went on.
		{name: "B22", black: does("fork&7,7", "exit:1"), want: "0-1 crash", check: leaves(false)},
		{name: "B22 segv", black: does("fork&7,7", "segv"), engine: unix, want: "0-1 crash", check: leaves(false)},
		// The edge was a stone of the opponent's.
		{name: "B24", settings: by(board.Caro5), opening: atEdge, black: does("0,7"), want: "1-0 five"},
		// Moves with a zero were refused.
		{name: "B25", black: does("0,5", "5,0", "10,10", "exit:1"), white: does("0,10", "10,0", "0,0"), want: "0-1 crash", check: played("a6a11f1k1k11a1")},
		// The rest of a path behind a blank was lost.
		{name: "B33", engine: inSpacedPath, black: then("info=line:UNKNOWN INFO"), want: "1-0 five", check: told("INFO folder /tmp/no such folder/")},
		// A draw when 25 points are left is for renju, and optional.
		{name: "A62", settings: Settings{Rule: rule(board.Renju), Width: 6, Height: 6, DrawSquaresLeft: 25}, black: evens(6), white: odds(6), want: "1/2-1/2 squares-left", check: stones(11)},
		{name: "A62 off", settings: Settings{Rule: rule(board.Renju), Width: 6, Height: 6}, black: evens(6), white: odds(6), want: "1/2-1/2 full", check: stones(36)},
	} {
		t.Run(r.name, r.run)
	}
	for _, r := range []struct {
		name string
		test func(t *testing.T)
	}{
		{"A49", testRandomGames}, // several judges of wins disagreed
		{"B18", testMargin},      // the tolerance was not counted
		{"B21", testColors},      // results were of the wrong side after colors had been exchanged
		{"B36", testSwap2Clocks}, // the time of a proposal was the other engine's
	} {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			r.test(t)
		})
	}
}

// sentLast checks what a player was sent last, after the time that is left.
func sentLast(t *testing.T, m *match, i int, lines ...string) {
	t.Helper()
	got := m.sent(i)
	got = got[max(0, len(got)-len(lines)-1):]
	if len(got) == 0 || !strings.HasPrefix(got[0], "INFO time_left ") || !slices.Equal(got[1:], lines) {
		t.Errorf("sent %q, want %q after INFO time_left", got, lines)
	}
}

// inSpacedPath runs an engine in a directory whose name has blanks, and tells
// it of another.
func inSpacedPath(t *testing.T, e *config.Engine) {
	unix(t, e)
	e.Dir = filepath.Join(t.TempDir(), "my engines")
	program := filepath.Join(e.Dir, "pbrain fake")
	if err := os.Mkdir(e.Dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(e.Args[0], program); err != nil {
		t.Fatal(err)
	}
	e.Args[0] = program
	e.Info = map[string]string{"folder": "/tmp/no such folder/"}
}

// TestBadOpenings has positions in which no game begins.
func TestBadOpenings(t *testing.T) {
	for _, tt := range []struct {
		settings Settings
		opening  string
	}{
		{Settings{Width: 4, Height: 15}, ""},
		{Settings{Width: 15, Height: 33}, ""},
		{Settings{}, "h8h8"},
		{Settings{}, "p1"},
		{Settings{}, "a16"},
		{Settings{}, "e8a1f8c1g8e1h8g1i8"},
		{Settings{}, "h8e8a1f8c1g8e1h9h8i8"},
		{by(board.Renju), doubleThree + "h8"},
		{Settings{Swap2: true}, "h8"},
	} {
		m := newMatch(t, tt.settings, tt.opening, engine(t, "black", "launch=exit:1"), engine(t, "white", "launch=exit:1"))
		if e, err := m.game.Play(t.Context()); err == nil {
			t.Errorf("%+v, %s: a game was played: %+v", tt.settings, tt.opening, e)
		}
	}
}
