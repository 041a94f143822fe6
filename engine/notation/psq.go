package notation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A PSQ is a game in Piskvork's format:
//
//	Piskvorky 20x20, 7:7, 0     size, levels of the players, who began
//	10,10,456                   column and row from 1, milliseconds
//	11,12,4500
//	pisq7.exe                   the players' files, unless played by hand
//	renjusolver.ZIP
//	0                           how it ended
//
// Gomocup's judge writes -1 for how it ended, followed by a line with the result
// and the tournament.
type PSQ struct {
	Width, Height int
	Levels        [2]int // 0 for a human; 11 in the records of Gomocup's judge
	Starter       int    // 0 or 1: which of the players moved first
	Plies         []Ply  // with time 0 in the opening
	Tail          []string
	LF            bool // lines end in LF, as the judge's do, not in CR LF
}

// NewPSQ returns the record of a game as Gomocup's judge writes it, with the
// player of the first stone named first.
func NewPSQ(width, height int, plies []Ply, first, second string, code int) *PSQ {
	return &PSQ{Width: width, Height: height, Levels: [2]int{11, 11}, Plies: plies,
		Tail: []string{first, second, strconv.Itoa(code)}}
}

// Names returns the names of the players' files, if there are any.
func (g *PSQ) Names() (names [2]string, ok bool) {
	if len(g.Tail) < 3 {
		return names, false
	}
	if _, err := strconv.Atoi(g.Tail[2]); err != nil {
		return names, false
	}
	return [2]string{g.Tail[0], g.Tail[1]}, true
}

// Code returns how the game ended, if recorded: 0 regularly, 15 on time, -2 by
// another error; games by hand and those of the judge have -1.
func (g *PSQ) Code() (code int, ok bool) {
	at := 0
	if _, named := g.Names(); named {
		at = 2
	}
	if at >= len(g.Tail) {
		return 0, false
	}
	code, err := strconv.Atoi(g.Tail[at])
	return code, err == nil
}

// ReadPSQ reads a record as Piskvork does: a move is two numbers and an optional
// third, its time; the moves end at the first line that is not one, and what
// follows is optional. A record with moves after that, or with a line of numbers
// that is not a move, is damaged. An error is an *[Error].
func ReadPSQ(text []byte) (*PSQ, error) {
	lines := strings.Split(strings.TrimPrefix(string(text), "\uFEFF"), "\n")
	g := &PSQ{LF: !strings.HasSuffix(lines[0], "\r")}
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	for len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if err := g.readHeader(lines[0]); err != nil {
		return nil, &Error{1, err}
	}
	at, err := newGrid(g.Width, g.Height)
	if err != nil {
		return nil, &Error{1, err}
	}
	for i, line := range lines[1:] {
		if err := g.readLine(line, at); err != nil {
			return nil, &Error{i + 2, err}
		}
	}
	return g, nil
}

// readLine reads a line below the first.
func (g *PSQ) readLine(line string, at *grid) error {
	n := numbers(line)
	switch {
	case g.Tail != nil && len(n) == 3:
		return errors.New("a move after the end of the moves")
	case g.Tail == nil && len(n) == 0 && isDamaged(line):
		return fmt.Errorf("invalid move %.20q, want one such as 8,8,0", line)
	case g.Tail != nil || len(n) == 0:
		g.Tail = append(g.Tail, line)
		return nil
	}
	m, err := at.put(n[0]-1, n[1]-1)
	if err != nil {
		return err
	}
	p := Ply{Move: m, Time: NoTime}
	if len(n) == 3 {
		if p.Time, err = milliseconds(n[2]); err != nil {
			return err
		}
	}
	g.Plies = append(g.Plies, p)
	return nil
}

// readHeader reads the first line.
func (g *PSQ) readHeader(line string) error {
	sizes, named := strings.CutPrefix(strings.TrimSpace(line), "Piskvorky")
	var n []int
	for _, field := range strings.FieldsFunc(sizes, func(r rune) bool { return strings.ContainsRune(" \tx:,", r) }) {
		v, err := strconv.Atoi(field)
		if named && (err != nil || v < 0) {
			return fmt.Errorf("invalid number %.20q in the header", field)
		}
		n = append(n, v)
	}
	if !named || len(n) != 2 && len(n) != 5 {
		return fmt.Errorf("invalid header %.40q, want one such as %q", line, "Piskvorky 20x20, 7:7, 0")
	}
	g.Width, g.Height = n[0], n[1]
	if len(n) == 5 {
		g.Levels, g.Starter = [2]int{n[2], n[3]}, n[4]
	}
	if g.Starter > 1 {
		return fmt.Errorf("invalid starter %d, want 0 or 1", g.Starter)
	}
	return nil
}

// numbers returns the two or three numbers of a move, or nil. Piskvork reads them
// with scanf's "%d,%d,%d", which reads 0.5 as 0 and ignores a trailing comma.
func numbers(line string) []int {
	fields := strings.SplitN(line, ",", 4)
	if len(fields) < 2 {
		return nil
	}
	n := make([]int, 2, 3)
	for i := range n {
		var err error
		if n[i], err = strconv.Atoi(strings.TrimSpace(fields[i])); err != nil {
			return nil
		}
	}
	if len(fields) > 2 {
		whole, _, _ := strings.Cut(strings.TrimSpace(fields[2]), ".")
		if t, err := strconv.Atoi(whole); err == nil {
			n = append(n, t)
		} else if whole != "" {
			return nil
		}
	}
	return n
}

// isDamaged reports whether a line that is not a move looks like a damaged one: it
// has two numbers or more, and nothing else.
func isDamaged(line string) bool {
	fields := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,;:", r) })
	for _, field := range fields {
		if _, err := strconv.ParseFloat(field, 64); err != nil {
			return false
		}
	}
	return len(fields) > 1
}

// AppendPSQ appends a record that [ReadPSQ] reads as g. An error reports what in g
// would be lost.
func AppendPSQ(dst []byte, g *PSQ) ([]byte, error) {
	at, err := newGrid(g.Width, g.Height)
	if err != nil {
		return dst, err
	}
	if g.Levels[0] < 0 || g.Levels[1] < 0 || g.Starter < 0 || g.Starter > 1 {
		return dst, fmt.Errorf("invalid levels %v or starter %d", g.Levels, g.Starter)
	}
	var b strings.Builder
	eol := "\r\n"
	if g.LF {
		eol = "\n"
	}
	fmt.Fprintf(&b, "Piskvorky %dx%d, %d:%d, %d%s", g.Width, g.Height, g.Levels[0], g.Levels[1], g.Starter, eol)
	for i, p := range g.Plies {
		if err := at.putMove(p.Move); err != nil {
			return dst, fmt.Errorf("move %d: %w", i+1, err)
		}
		if p.Note != "" {
			return dst, fmt.Errorf("move %d: psq has no room for the note %q", i+1, p.Note)
		}
		writePly(&b, p)
		b.WriteString(eol)
	}
	for i, line := range g.Tail {
		n := len(numbers(line))
		moveLike := n == 3 || i == 0 && (n == 2 || isDamaged(line))
		if moveLike || strings.ContainsAny(line, "\r\n") || line == "" && i == len(g.Tail)-1 {
			return dst, fmt.Errorf("line %q would be read as something else", line)
		}
		b.WriteString(line + eol)
	}
	return append(dst, b.String()...), nil
}

// writePly writes a move as column, row and, if known, time.
func writePly(b *strings.Builder, p Ply) {
	fmt.Fprintf(b, "%d,%d", p.Move.X()+1, p.Move.Y()+1)
	if p.Time >= 0 {
		fmt.Fprintf(b, ",%d", p.Time.Milliseconds())
	}
}
