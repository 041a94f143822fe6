package board

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// cellRunes are the characters of the cells in a picture, indexed by Cell.
const cellRunes = ".XO#"

// String draws the board in the form that [Parse] reads:
//
//	   a b c d e
//	 1 . . . . .
//	 2 . X . . .
//	 3 . . o . .
//	 4 . . . # .
//	 5 . . . . .
//	black to move
//
// X is a black stone, O a white one and # a dead one; the stone of the last
// move is drawn in lower case.
func (b *Board) String() string {
	pitch := 2 // characters per column
	if b.Width() > 26 {
		pitch = 3
	}
	var s strings.Builder
	s.WriteString("  ")
	for x := range b.Width() {
		fmt.Fprintf(&s, "%*s", pitch, columnName(x))
	}
	s.WriteByte('\n')
	for y := range b.Height() {
		fmt.Fprintf(&s, "%2d", y+1)
		for x := range b.Width() {
			m := Pt(x, y)
			r := cellRunes[b.At(m)]
			if m == b.Last() {
				r |= 0x20
			}
			fmt.Fprintf(&s, "%*c", pitch, r)
		}
		s.WriteByte('\n')
	}
	fmt.Fprintf(&s, "%v to move\n", b.Side())
	return s.String()
}

// columnName returns the letters of column x: a to z, then aa, ab and so on.
func columnName(x int) string { return strings.TrimRight(Pt(x, 0).String(), "0123456789") }

// Parse reads a board from a picture: a line of cells for each row, the top row
// first, in the characters of [Board.String] and in either case. Blanks between
// the cells, column names above and below, and row numbers at either end are
// optional; where present, they must be right. A line "black to move" or "white
// to move" sets the side to move; without one, black moves if the number of
// black and white stones is even. The board has no history: its stones are set
// up, not placed.
func Parse(rule Rule, picture string) (*Board, error) {
	var p pictureParser
	for i, line := range strings.Split(picture, "\n") {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("picture line %d, %w", i+1, err)
		}
	}
	if p.rows == 0 {
		return nil, errors.New("picture without a row of points")
	}
	if p.names != 0 && p.names != p.width {
		return nil, fmt.Errorf("picture line %d, column 1: %d columns are named, but the rows have %d points",
			p.namesLine, p.names, p.width)
	}
	b, err := New(p.width, p.rows, rule)
	if err != nil {
		return nil, err
	}
	if !p.sideKnown {
		p.side = Color(p.colored & 1)
	}
	if err := b.Setup(p.stones, p.side); err != nil {
		return nil, err
	}
	return b, nil
}

// A pictureParser parses a picture line by line.
type pictureParser struct {
	lines     int // lines seen so far, also the number of the current one
	rows      int // rows of points so far
	width     int // points in the first row
	names     int // columns in the line of names, 0 if there was none
	namesLine int // where that line is
	stones    []Stone
	colored   int // stones that are not dead
	side      Color
	sideKnown bool
}

// line reads one line. An error begins with the column where it was found.
func (p *pictureParser) line(line string) error {
	p.lines++
	line = strings.TrimRight(line, " \t\r")
	text := strings.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	switch {
	case text == "":
		return nil
	case strings.HasSuffix(text, " to move"):
		return p.toMove(text, indent)
	case text[0]|0x20 == 'a':
		return p.columnNames(text, indent)
	}
	return p.row(line, indent)
}

func (p *pictureParser) toMove(text string, indent int) error {
	side := Black
	switch text {
	case "black to move":
	case "white to move":
		side = White
	default:
		return fmt.Errorf("column %d: %q, want black to move or white to move", indent+1, text)
	}
	if p.sideKnown {
		return fmt.Errorf("column %d: duplicate side to move", indent+1)
	}
	p.side, p.sideKnown = side, true
	return nil
}

// columnNames reads a line of column names. Their number is checked at the end.
func (p *pictureParser) columnNames(text string, indent int) error {
	names := strings.Fields(text)
	column := indent
	for x, name := range names {
		column += strings.Index(text[column-indent:], name)
		if x >= MaxSize || !strings.EqualFold(name, columnName(x)) {
			return fmt.Errorf("column %d: %q, want a column name", column+1, name)
		}
		column += len(name)
	}
	if p.names != 0 && p.names != len(names) {
		return fmt.Errorf("column %d: %d columns are named, but %d in line %d", indent+1, len(names), p.names, p.namesLine)
	}
	p.names, p.namesLine = len(names), p.lines
	return nil
}

// row reads one row of points, which begins after the indent of its line.
func (p *pictureParser) row(line string, indent int) error {
	if p.rows == MaxSize {
		return fmt.Errorf("column %d: more than %d rows", indent+1, MaxSize)
	}
	i, err := p.rowNumber(line, indent)
	if err != nil {
		return err
	}
	x := 0
	for ; i < len(line); i++ {
		c := line[i]
		if c == ' ' || c == '\t' {
			continue
		}
		if c >= '0' && c <= '9' {
			if i, err = p.rowNumber(line, i); err != nil {
				return err
			}
			if i < len(line) {
				return fmt.Errorf("column %d: %q after the row number", i+1, line[i:])
			}
			break
		}
		cell := strings.IndexByte(cellRunes, c&^lowerCase(c))
		if cell < 0 {
			return fmt.Errorf("column %d: invalid point %q, want one of . X O #", i+1, c)
		}
		if x == MaxSize || p.rows > 0 && x == p.width {
			return fmt.Errorf("column %d: more than %d points in a row", i+1, x)
		}
		if cell != int(Empty) {
			p.stones = append(p.stones, Stone{Pt(x, p.rows), Cell(cell)})
		}
		if cell == int(BlackStone) || cell == int(WhiteStone) {
			p.colored++
		}
		x++
	}
	if p.rows == 0 {
		p.width = x
	}
	if x < p.width || x == 0 {
		return fmt.Errorf("column %d: a row of %d points, want %d", len(line)+1, x, max(p.width, MinSize))
	}
	p.rows++
	return nil
}

// lowerCase returns the bit that makes a letter lower case, or 0 if c is no letter.
func lowerCase(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return 0x20
	}
	return 0
}

// rowNumber reads the number of the current row at line[i:], if there is one,
// and returns the index after it.
func (p *pictureParser) rowNumber(line string, i int) (int, error) {
	end := i
	for end < len(line) && line[end] >= '0' && line[end] <= '9' {
		end++
	}
	if end > i && line[i:end] != strconv.Itoa(p.rows+1) {
		return 0, fmt.Errorf("column %d: row number %s, want %d", i+1, line[i:end], p.rows+1)
	}
	return end, nil
}
