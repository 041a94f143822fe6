// Package opening reads books of openings: stones that lie on the board
// before the engines begin, black first and in turn. The player to move is
// black if their number is even.
package opening

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kumiko/engine/board"
	"kumiko/engine/notation"
)

// A Format is the form of a book.
type Format uint8

const (
	// Offset is the form of Gomocup and Piskvork: in each line the distances
	// of the stones from the middle, the point (width/2, height/2): columns to
	// the right and rows down, as in 0,0, 1,0, 1,3. Blanks do not matter and
	// commas may trail.
	Offset Format = iota
	// Pos is the form of c-gomoku-cli: lines such as h8i7j9, rows from the top.
	Pos
	// PSQ is a game of Piskvork: the whole file is one opening.
	PSQ

	numFormats = iota
)

var formatNames = [numFormats]string{"offset", "pos", "psq"}

// String returns the name that [ParseFormat] reads.
func (f Format) String() string {
	if f < numFormats {
		return formatNames[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// ParseFormat reads a format's name.
func ParseFormat(name string) (Format, error) {
	for f, s := range formatNames {
		if strings.EqualFold(name, s) {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("opening: no format %q", name)
}

// An Opening is one of a book.
type Opening struct {
	Line  int // of the book, from 1
	Moves []board.Move
}

// Options say for what a book is read.
type Options struct {
	Format        Format
	Width, Height int
	Rule          board.Rule
	Plies         int // of each opening, only so many are read; 0 is all
}

// An Error tells why an opening was refused.
type Error struct {
	File string
	Line int
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Read returns the openings of a book in their order. Those that cannot be
// played are left out, and the error, which then holds an *[Error] for each of
// them, says why: stones off the board or on another, a player who has won,
// a foul of black's, no point left, the position of a line above. Lines without
// anything are passed over. The file is named in errors only.
func Read(file string, text []byte, o Options) ([]Opening, error) {
	if _, err := board.New(o.Width, o.Height, o.Rule); err != nil {
		return nil, err
	}
	if o.Format >= numFormats {
		return nil, fmt.Errorf("opening: no format %v", o.Format)
	}
	if o.Format == PSQ {
		moves, err := readPSQ(text, o)
		if err != nil {
			return nil, &Error{file, 1, err}
		}
		if line, err := check(moves, o); err != nil {
			return nil, &Error{file, line + 2, err} // below the header
		}
		return []Opening{{1, moves}}, nil
	}
	var openings []Opening
	var faults []error
	seen := make(map[string]int) // positions and their lines
	for i, line := range lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		read := readOffset
		if o.Format == Pos {
			read = readPos
		}
		moves, err := read(line, o)
		if err == nil {
			_, err = check(moves, o)
		}
		if key := position(moves); err == nil && seen[key] > 0 {
			err = fmt.Errorf("the same position as in line %d", seen[key])
		} else if err == nil {
			seen[key] = i + 1
		}
		if err != nil {
			faults = append(faults, &Error{file, i + 1, err})
			continue
		}
		openings = append(openings, Opening{i + 1, moves})
	}
	return openings, errors.Join(faults...)
}

// lines splits text at ends of lines of any kind.
func lines(text []byte) []string {
	s := strings.TrimPrefix(string(text), "\uFEFF")
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n")
}

// readOffset reads a line of the offset format.
func readOffset(line string, o Options) ([]board.Move, error) {
	fields := strings.Split(line, ",")
	var n []string
	for i, field := range fields {
		if field = strings.TrimSpace(field); field != "" {
			n = append(n, strings.Fields(field)...)
		} else if strings.Trim(strings.Join(fields[i:], ""), " \t") != "" || i == 0 {
			return nil, fmt.Errorf("no number before comma %d", i+1)
		}
	}
	if len(n)%2 != 0 {
		return nil, fmt.Errorf("%d numbers are no pairs", len(n))
	}
	var moves []board.Move
	for i := 0; i < len(n); i += 2 {
		if o.Plies > 0 && len(moves) == o.Plies {
			break
		}
		dx, errX := strconv.Atoi(n[i])
		dy, errY := strconv.Atoi(n[i+1])
		if errX != nil || errY != nil {
			return nil, fmt.Errorf("%s,%s is no pair of numbers", n[i], n[i+1])
		}
		cx, cy := o.Width/2, o.Height/2
		if dx < -cx || dx >= o.Width-cx || dy < -cy || dy >= o.Height-cy {
			return nil, fmt.Errorf("%d,%d from the middle is off the %dx%d board", dx, dy, o.Width, o.Height)
		}
		moves = append(moves, board.Pt(cx+dx, cy+dy))
	}
	return moves, nil
}

// readPos reads a line of the pos format.
func readPos(line string, o Options) ([]board.Move, error) {
	moves, err := notation.ParsePosition(line, o.Width, o.Height, notation.FromTop)
	return cut(moves, o.Plies), err
}

// readPSQ reads a game. It must be of the same board.
func readPSQ(text []byte, o Options) ([]board.Move, error) {
	g, err := notation.ReadPSQ(text)
	if err != nil {
		return nil, err
	}
	if g.Width != o.Width || g.Height != o.Height {
		return nil, fmt.Errorf("a game on %dx%d, not %dx%d", g.Width, g.Height, o.Width, o.Height)
	}
	return cut(notation.Moves(g.Plies), o.Plies), nil
}

// cut returns the first plies of moves; 0 stands for all.
func cut(moves []board.Move, plies int) []board.Move {
	if plies > 0 && plies < len(moves) {
		return moves[:plies]
	}
	return moves
}

// check reports what is wrong with an opening, and with which of its moves.
func check(moves []board.Move, o Options) (at int, err error) {
	b, err := board.New(o.Width, o.Height, o.Rule)
	if err != nil {
		return 0, err
	}
	for i, m := range moves {
		switch {
		case !b.On(m):
			return i, fmt.Errorf("%v is off the board", m)
		case !b.Empty(m):
			return i, fmt.Errorf("a second stone on %v", m)
		case b.Wins(m, b.Side()):
			return i, fmt.Errorf("%v has won with %v", b.Side(), m)
		case !b.Legal(m):
			return i, fmt.Errorf("%v is a foul: %v", m, b.Forbidden(m))
		}
		b.Place(m)
	}
	if b.Full() {
		return len(moves) - 1, errors.New("no point is left")
	}
	return 0, nil
}

// position returns what is the same for all ways to the same stones.
func position(moves []board.Move) string {
	stones := make([]string, len(moves))
	for i, m := range moves {
		stones[i] = fmt.Sprint(i%2, m)
	}
	slices.Sort(stones)
	return strings.Join(stones, " ")
}

// Canonical returns what is the same for all openings whose positions are
// images of each other under a symmetry of the board.
func (p Opening) Canonical(width, height int) string {
	least := ""
	for sym := range board.Symmetries(width, height) {
		if key := position(p.Transform(width, height, sym).Moves); sym == 0 || key < least {
			least = key
		}
	}
	return least
}

// Transform returns the opening as symmetry sym of the board shows it; see
// [board.Symmetry].
func (p Opening) Transform(width, height, sym int) Opening {
	moves := make([]board.Move, len(p.Moves))
	for i, m := range p.Moves {
		moves[i] = board.Symmetry(m, width, height, sym)
	}
	return Opening{p.Line, moves}
}

// FormatOffset returns moves as a line of the offset format.
func FormatOffset(moves []board.Move, width, height int) string {
	pairs := make([]string, len(moves))
	for i, m := range moves {
		pairs[i] = fmt.Sprintf("%d,%d", m.X()-width/2, m.Y()-height/2)
	}
	return strings.Join(pairs, ", ")
}
