package analyze

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"kumiko/engine/board"
	"kumiko/engine/diagram"
	"kumiko/engine/notation"
	"kumiko/tournament/outfile"
)

// A record is a position or a whole game, as it was given.
type record struct {
	start  *board.Board // before the moves; it has the rule
	moves  []board.Move
	game   bool      // a record of a game rather than a position
	names  [2]string // of the players, if known
	result string    // as in the file, if known
	rows   notation.Rows
}

// name returns the name of a point, as the flag --rows wants it.
func (r *record) name(m board.Move) string { return r.list([]board.Move{m}) }

// list returns the names of points, separated by blanks.
func (r *record) list(moves []board.Move) string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = notation.FormatPosition([]board.Move{m}, r.start.Height(), r.rows)
	}
	return strings.Join(names, " ")
}

// at returns the position after n moves. They are legal.
func (r *record) at(n int) *board.Board {
	b := r.start.Clone()
	for _, m := range r.moves[:n] {
		b.Place(m)
	}
	return b
}

// An input holds the flags that say what a position or a game is.
type input struct {
	rule, size, rows *string
	ply              *int
}

// addInput adds the flags of an input to a command.
func addInput(c *cobra.Command) *input {
	f := c.Flags()
	in := &input{
		rule: f.String("rule", "", "`rule` of the game: "+board.RuleNames+" (default that of an SGF file, else freestyle)"),
		size: f.String("size", "", "`size` of the board, such as 15 or 20x15 (default that of the file, else 15)"),
		rows: f.String("rows", "top", "`end` from which points count rows: top, or bottom as Yixin-Board and RenLib do"),
		ply:  f.Int("ply", lastPly, "take the position after this `number` of moves"),
	}
	f.Lookup("ply").DefValue = "all"
	return in
}

// lastPly is the value of --ply if it is not given.
const lastPly = math.MaxInt

// maxInput is the size of the largest input.
const maxInput = 1 << 20

// read reads the position or game that an argument is or names; stdin is what - names.
func (in *input) read(arg string, stdin io.Reader) (*record, error) {
	s, err := in.settings()
	if err != nil {
		return nil, err
	}
	text, name := []byte(arg), ""
	if !isPosition(arg) {
		if text, name, err = readInput(arg, stdin); err != nil {
			return nil, err
		}
	}
	if name != "" && len(bytes.TrimSpace(text)) == 0 {
		return nil, fmt.Errorf("%s: it is empty", name)
	}
	r, err := s.parse(text)
	if err == nil {
		r.rows = s.rows
		err = in.cut(r)
	}
	if err != nil && name != "" {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, err
}

// cut drops the moves after the ply of the flags.
func (in *input) cut(r *record) error {
	if *in.ply == lastPly {
		return nil
	}
	if *in.ply > len(r.moves) {
		return fmt.Errorf("ply %d of a game of %s", *in.ply, count(len(r.moves), "move"))
	}
	r.moves, r.game = r.moves[:*in.ply], false
	return nil
}

// pointsForm is what a sequence of points looks like.
var pointsForm = regexp.MustCompile(`^([ \t]*[A-Za-z]{1,2}[0-9]{1,2})*[ \t]*$`)

// isPosition reports whether an argument is a position itself: points, or a text of
// several lines.
func isPosition(arg string) bool {
	return pointsForm.MatchString(arg) || strings.ContainsAny(arg, "\r\n")
}

// readInput reads a file, or standard input if it is named -.
func readInput(arg string, stdin io.Reader) (text []byte, name string, err error) {
	if arg != "-" {
		text, err = outfile.ReadUpTo(arg, maxInput)
		if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(arg, `./\`) {
			if _, wrong := board.ParseMoves(arg); wrong != nil {
				return nil, "", fmt.Errorf("%.40q is no file, and as a position: %w", arg, wrong)
			}
		}
		return text, arg, err
	}
	text, err = io.ReadAll(io.LimitReader(stdin, maxInput+1))
	if err == nil && len(text) > maxInput {
		err = fmt.Errorf("standard input: more than %d bytes", maxInput)
	}
	return text, "standard input", err
}

// settings are the parsed flags.
type settings struct {
	rule          board.Rule
	ruleKnown     bool
	width, height int // 0 if not given
	rows          notation.Rows
}

func (in *input) settings() (s settings, err error) {
	if *in.rule != "" {
		if s.rule, err = board.ParseRule(*in.rule); err != nil {
			return s, err
		}
		s.ruleKnown = true
	}
	if *in.ply < 0 {
		return s, fmt.Errorf("ply must be at least 0, got %d", *in.ply)
	}
	if *in.size != "" {
		if s.width, s.height, err = board.ParseSize(*in.size); err != nil {
			return s, err
		}
	}
	switch *in.rows {
	case "top":
	case "bottom":
		s.rows = notation.FromBottom
	default:
		return s, fmt.Errorf("invalid end %.20q of the rows, want top or bottom", *in.rows)
	}
	return s, nil
}

// parse reads a position or a game in any of the formats.
func (s settings) parse(text []byte) (*record, error) {
	if notation.IsRenLib(text) {
		return s.saved(notation.ReadRenLib(text))
	}
	if isPos(text) {
		return s.saved(notation.ReadPos(text))
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, errors.New("neither a position nor a game: it holds zero bytes")
	}
	trimmed := bytes.TrimSpace(text)
	first, _, _ := bytes.Cut(trimmed, []byte("\n"))
	switch {
	case bytes.HasPrefix(trimmed, []byte("Piskvorky")):
		return s.psq(text)
	case bytes.HasPrefix(trimmed, []byte("(")):
		return s.sgf(text)
	case numberForm.Match(first):
		return s.saved(notation.ReadSav(text))
	case pointsForm.Match(bytes.TrimRight(first, "\r")):
		return s.points(string(text))
	}
	return s.picture(string(text))
}

// numberForm is what the first line of a sav file looks like.
var numberForm = regexp.MustCompile(`^[0-9]+\s*$`)

// isPos reports whether a file is one that [notation.ReadPos] reads, and no text.
func isPos(data []byte) bool {
	if len(data) == 0 || int(data[0]) != len(data)-1 {
		return false
	}
	return bytes.ContainsFunc(data, func(r rune) bool { return r < ' ' && r != '\t' && r != '\r' && r != '\n' || r >= 0x7f })
}

// checkSize checks the size that a file has against the flags.
func (s settings) checkSize(width, height int) error {
	if s.width != 0 && (s.width != width || s.height != height) {
		return fmt.Errorf("the board is %dx%d, not %dx%d as by --size", width, height, s.width, s.height)
	}
	return nil
}

// play returns the record of moves on a board with stones set up.
func (s settings) play(width, height int, setup []board.Stone, starts board.Color, moves []board.Move) (*record, error) {
	if err := s.checkSize(width, height); err != nil {
		return nil, err
	}
	start, err := board.New(width, height, s.rule)
	if err != nil {
		return nil, err
	}
	if err := start.Setup(setup, starts); err != nil {
		return nil, err
	}
	r := &record{start: start, moves: moves, game: true}
	return r, checkMoves(start, moves)
}

// checkMoves returns an error for the first move that is illegal, or made after a
// win.
func checkMoves(start *board.Board, moves []board.Move) error {
	b := start.Clone()
	for i := range moves {
		five := b.Five()
		if i == 0 {
			five = diagram.Five(b)
		}
		if five != nil {
			return fmt.Errorf("move %d: %v has won before it, by the rule %v, with %s", i+1, colorAt(b, five[0]), b.Rule(), pointList(five))
		}
		if err := b.PlaceAll(moves[i : i+1]); err != nil {
			return fmt.Errorf("move %d: %w", i+1, errors.Unwrap(err))
		}
	}
	return nil
}

// colorAt returns the color of a stone.
func colorAt(b *board.Board, m board.Move) board.Color {
	if b.At(m) == board.BlackStone {
		return board.Black
	}
	return board.White
}

// points reads a sequence of points, a position.
func (s settings) points(text string) (*record, error) {
	line, found := "", 0
	for i, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if found > 0 {
			return nil, &notation.Error{Line: i + 1, Err: fmt.Errorf("text after the position in line %d", found)}
		}
		line, found = l, i+1
	}
	width, height := cmp.Or(s.width, 15), cmp.Or(s.height, 15)
	moves, err := notation.ParsePosition(line, width, height, s.rows)
	if err != nil {
		return nil, err
	}
	r, err := s.play(width, height, nil, board.Black, moves)
	if err != nil {
		return nil, err
	}
	r.game = false
	return r, nil
}

// picture reads a drawn board, a position.
func (s settings) picture(text string) (*record, error) {
	b, err := board.Parse(s.rule, text)
	if err != nil {
		return nil, err
	}
	return &record{start: b}, s.checkSize(b.Width(), b.Height())
}

// saved completes what was read from a file with moves alone.
func (s settings) saved(g *notation.Saved, err error) (*record, error) {
	if err != nil {
		return nil, err
	}
	return s.play(g.Width, g.Height, nil, board.Black, g.Moves)
}

func (s settings) psq(text []byte) (*record, error) {
	g, err := notation.ReadPSQ(text)
	if err != nil {
		return nil, err
	}
	r, err := s.play(g.Width, g.Height, nil, board.Black, notation.Moves(g.Plies))
	if err != nil {
		return nil, err
	}
	if names, ok := g.Names(); ok {
		r.names = [2]string{printable(names[g.Starter]), printable(names[1-g.Starter])}
	}
	return r, nil
}

func (s settings) sgf(text []byte) (*record, error) {
	games, err := notation.ReadSGFPosition(text, s.rows)
	if err != nil {
		return nil, err
	}
	if len(games) > 1 {
		return nil, &notation.Error{Line: games[1].Line, Err: fmt.Errorf("another game, and %d in all: want one", len(games))}
	}
	g := games[0]
	if rule, ok := g.Info.Get("RU"); ok && !s.ruleKnown {
		if s.rule, err = ruleOf(rule); err != nil {
			return nil, &notation.Error{Line: g.Line, Err: fmt.Errorf("RU: %w (--rule overrides it)", err)}
		}
	}
	r, err := s.play(g.Width, g.Height, g.Setup, g.Starts, notation.Moves(g.Plies))
	if err != nil {
		return nil, err
	}
	r.game = len(g.Plies) > 0
	info := func(name string) string {
		value, _ := g.Info.Get(name)
		return printable(value)
	}
	r.names = [2]string{info("PB"), info("PW")}
	r.result = info("RE")
	return r, nil
}

// printable replaces what a terminal might obey, since files are untrusted.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// ruleOf reads a rule in SGF: a name, or a number of the protocol.
func ruleOf(text string) (board.Rule, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if code, err := strconv.Atoi(text); err == nil {
		r, _ := board.RuleOfCode(code)
		return r, nil
	}
	if text == "" || text == "gomoku" {
		return board.Freestyle, nil
	}
	return board.ParseRule(text)
}

// pointList returns the names of points, separated by blanks.
func pointList(moves []board.Move) string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = m.String()
	}
	return strings.Join(names, " ")
}
