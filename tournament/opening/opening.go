// Package opening reads and makes books of openings: stones that are on the
// board before the engines begin, alternating from black. Black is to move if
// their number is even.
package opening

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kumiko/engine/board"
	"kumiko/engine/notation"
)

// A Format is the form of a book.
type Format uint8

const (
	// Offset is the format of Gomocup and Piskvork: each line has the distances
	// of the stones from the middle, the point (width/2, height/2), columns to
	// the right and rows down, as in 0,0, 1,0, 1,3. Blanks are ignored and
	// trailing commas allowed.
	Offset Format = iota
	// Pos is the format of c-gomoku-cli: lines such as h8i7j9, rows from the
	// top.
	Pos
	// PSQ is a game of Piskvork: the whole file is one opening.
	PSQ
	// SGF is a collection of games, of which the main lines are read.
	SGF

	numFormats = iota
)

// FormatNames are the names of the formats, in order.
var FormatNames = []string{"offset", "pos", "psq", "sgf"}

// String returns the name that [ParseFormat] parses.
func (f Format) String() string {
	if f < numFormats {
		return FormatNames[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// ParseFormat parses a format's name.
func ParseFormat(name string) (Format, error) {
	for f, s := range FormatNames {
		if strings.EqualFold(name, s) {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("unknown format %q of openings, want %s", name, strings.Join(FormatNames, ", "))
}

// GuessFormat guesses the format of a book from its file name.
func GuessFormat(file string) Format {
	if file == BuiltinFile {
		return Pos
	}
	switch strings.ToLower(filepath.Ext(file)) {
	case ".pos":
		return Pos
	case ".psq":
		return PSQ
	case ".sgf":
		return SGF
	}
	return Offset
}

// An Opening is an opening of a book.
type Opening struct {
	Line  int // of the book, from 1
	Moves []board.Move
}

// Options are the options for reading a book.
type Options struct {
	Format        Format
	Width, Height int
	Rule          board.Rule
	Plies         int // moves read of each opening; 0 means all
}

// An Error says why an opening was rejected.
type Error struct {
	File string
	Line int
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

// Read returns the openings of a book in order. It skips unplayable ones and
// returns a fault for each, an *[Error] that says why: no moves, stones off the
// board or on another, a win, a forbidden move, a full board, the position of
// an earlier line. In the formats with one opening per line, blank lines and
// those that begin with # are skipped. A book with neither openings nor faults
// is an error. The file is only named in faults and errors.
func Read(file string, text []byte, o Options) (list []Opening, faults []error, err error) {
	b, err := board.New(o.Width, o.Height, o.Rule)
	if err != nil {
		return nil, nil, err
	}
	if o.Format >= numFormats {
		return nil, nil, fmt.Errorf("unknown format %v of openings", o.Format)
	}
	r := reader{Options: o, file: file, b: b, seen: make(map[string]int)}
	switch o.Format {
	case PSQ:
		r.readPSQ(text)
	case SGF:
		r.readSGF(text)
	default:
		for i, line := range lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				moves, err := r.parse(line)
				r.add(i+1, moves, err)
			}
		}
	}
	if len(r.openings)+len(r.faults) == 0 {
		return nil, nil, fmt.Errorf("%s has no openings", file)
	}
	return r.openings, r.faults, nil
}

// A reader reads a book.
type reader struct {
	Options
	file     string
	b        *board.Board   // empty except while an opening is checked
	seen     map[string]int // positions and their lines
	openings []Opening
	faults   []error
}

// add records the opening of a line, or its fault.
func (r *reader) add(line int, moves []board.Move, err error) {
	if r.Plies > 0 && r.Plies < len(moves) {
		moves = moves[:r.Plies]
	}
	if err == nil {
		var at int
		if at, err = r.check(moves); err != nil && r.Format == PSQ && len(moves) > 0 {
			line += 1 + at // one line per move
		}
	}
	if err == nil {
		key := position(moves)
		if first, repeated := r.seen[key]; repeated {
			err = fmt.Errorf("the same position as in line %d", first)
		} else {
			r.seen[key] = line
		}
	}
	if err != nil {
		r.faults = append(r.faults, &Error{r.file, line, err})
		return
	}
	r.openings = append(r.openings, Opening{line, moves})
}

// check returns the fault of an opening and the index of the faulty move.
func (r *reader) check(moves []board.Move) (at int, err error) {
	b := r.b
	defer func() {
		for b.Ply() > 0 {
			b.Undo()
		}
	}()
	for i, m := range moves {
		switch {
		case !b.On(m):
			return i, fmt.Errorf("%v is off the %dx%d board", m, r.Width, r.Height)
		case !b.Empty(m):
			return i, fmt.Errorf("%v is occupied", m)
		case b.Wins(m, b.Side()):
			return i, fmt.Errorf("%v has won with %v", b.Side(), m)
		case !b.Legal(m):
			return i, fmt.Errorf("%v is forbidden: %v", m, b.Forbidden(m))
		}
		b.Place(m)
	}
	switch {
	case len(moves) == 0:
		return 0, errors.New("no moves")
	case b.Full():
		return len(moves) - 1, errors.New("no point is left")
	}
	return 0, nil
}

// lines splits text at line ends of any kind.
func lines(text []byte) []string {
	s := strings.TrimPrefix(string(text), "\uFEFF")
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n")
}

// maxLine bounds the length of a line that is parsed: one with all points of
// the largest board is shorter.
const maxLine = 1 << 14

// parse parses a line of a format with one opening per line.
func (r *reader) parse(line string) ([]board.Move, error) {
	if len(line) > maxLine {
		return nil, fmt.Errorf("line of %d bytes is too long for an opening", len(line))
	}
	if r.Format == Pos {
		return board.ParseMoves(line)
	}
	fields := strings.Split(line, ",")
	var n []string
	for i, field := range fields {
		if field = strings.TrimSpace(field); field != "" {
			n = append(n, strings.Fields(field)...)
		} else if strings.Trim(strings.Join(fields[i:], ""), " \t") != "" || i == 0 {
			return nil, fmt.Errorf("no number before comma %d", i+1)
		}
	}
	var moves []board.Move
	for i := 0; i+1 < len(n); i += 2 {
		dx, errX := strconv.Atoi(n[i])
		dy, errY := strconv.Atoi(n[i+1])
		if errX != nil || errY != nil {
			return nil, fmt.Errorf("invalid distances %.20q, want two numbers", n[i]+","+n[i+1])
		}
		x, y := r.Width/2+dx, r.Height/2+dy
		if dx < -board.MaxSize || dx > board.MaxSize || x < 0 || x >= r.Width || dy < -board.MaxSize || dy > board.MaxSize || y < 0 || y >= r.Height {
			return nil, fmt.Errorf("%d,%d from the middle is off the %dx%d board", dx, dy, r.Width, r.Height)
		}
		moves = append(moves, board.Pt(x, y))
	}
	if len(n)%2 != 0 {
		return nil, fmt.Errorf("an odd number of numbers: %d", len(n))
	}
	return moves, nil
}

// readPSQ reads a game. It must be on the same board.
func (r *reader) readPSQ(text []byte) {
	g, err := notation.ReadPSQ(text)
	switch {
	case err != nil:
		r.damaged(err)
	case len(g.Plies) == 0 && len(g.Tail) > 0:
		r.add(2, nil, fmt.Errorf("no moves: %.20q is none", g.Tail[0]))
	default:
		r.add(1, notation.Moves(g.Plies), r.sameBoard(g.Width, g.Height))
	}
}

// readSGF reads games. They must be on the same board.
func (r *reader) readSGF(text []byte) {
	games, err := notation.ReadSGF(text, notation.FromTop)
	if err != nil {
		r.damaged(err)
		return
	}
	for _, g := range games {
		r.add(g.Line, notation.Moves(g.Plies), r.sameBoard(g.Width, g.Height))
	}
}

// damaged records the fault of a file that cannot be read at all.
func (r *reader) damaged(err error) {
	if e, ok := errors.AsType[*notation.Error](err); ok {
		r.add(e.Line, nil, e.Err)
		return
	}
	r.add(1, nil, err)
}

func (r *reader) sameBoard(width, height int) error {
	if width != r.Width || height != r.Height {
		return fmt.Errorf("a game on %dx%d, not %dx%d", width, height, r.Width, r.Height)
	}
	return nil
}

// position returns a key shared by all orders of moves that lead to the same
// position.
func position(moves []board.Move) string {
	stones := make([]uint16, len(moves))
	for i, m := range moves {
		stones[i] = uint16(m)<<1 | uint16(i&1)
	}
	slices.Sort(stones)
	key := make([]byte, 0, 2*len(stones))
	for _, s := range stones {
		key = binary.BigEndian.AppendUint16(key, s)
	}
	return string(key)
}

// Canonical returns a key shared by all openings whose positions are images of
// each other under a symmetry of the board.
func (p Opening) Canonical(width, height int) string {
	least := ""
	for sym := range board.Symmetries(width, height) {
		if key := position(p.Transform(width, height, sym).Moves); sym == 0 || key < least {
			least = key
		}
	}
	return least
}

// Transform returns the image of the opening under symmetry sym; see
// [board.Symmetry].
func (p Opening) Transform(width, height, sym int) Opening {
	moves := make([]board.Move, len(p.Moves))
	for i, m := range p.Moves {
		moves[i] = board.Symmetry(m, width, height, sym)
	}
	return Opening{p.Line, moves}
}

// Format formats the opening as a line of the format [Offset] or [Pos].
func (p Opening) Format(f Format, width, height int) string {
	if f == Pos {
		return notation.FormatPosition(p.Moves, height, notation.FromTop)
	}
	pairs := make([]string, len(p.Moves))
	for i, m := range p.Moves {
		pairs[i] = fmt.Sprintf("%d,%d", m.X()-width/2, m.Y()-height/2)
	}
	return strings.Join(pairs, ", ")
}
