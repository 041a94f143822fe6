package notation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kumiko/engine/board"
)

// A Property is an SGF property: its name and its unescaped values.
type Property struct {
	Name   string // capital letters
	Values []string
}

// A Node is a node of a game tree.
type Node []Property

// Get returns the first value of a property, if the node has it.
func (n Node) Get(name string) (value string, ok bool) {
	for _, p := range n {
		if p.Name == name && len(p.Values) > 0 {
			return p.Values[0], true
		}
	}
	return "", false
}

// A tree is the main line of a game tree. Variations other than the first at each
// branch are checked for syntax and dropped.
type tree struct {
	nodes []Node
	lines []int // where the nodes begin, from 1
}

// readTrees reads the game trees in a text. Each begins with "(" and ";", with
// nothing but blanks between them; text before, between and after the trees is
// ignored.
func readTrees(text []byte) ([]tree, error) {
	p := sgfParser{text: strings.TrimPrefix(string(text), "\uFEFF"), line: 1}
	var trees []tree
	for p.findTree() {
		t, err := p.tree()
		if err != nil {
			return nil, &Error{p.lineAt(p.at), err}
		}
		trees = append(trees, t)
	}
	if trees == nil {
		return nil, &Error{1, errors.New(`no game: none begins with "(;"`)}
	}
	return trees, nil
}

// An sgfParser reads game trees.
type sgfParser struct {
	text string
	at   int

	line, counted int // line is the line of byte counted
}

// lineAt returns the line of a byte, which must not precede that of the last call.
func (p *sgfParser) lineAt(at int) int {
	at = min(at, len(p.text))
	p.line += strings.Count(p.text[p.counted:at], "\n")
	p.counted = at
	return p.line
}

// findTree advances to the "(" of the next game tree, if there is one.
func (p *sgfParser) findTree() bool {
	for {
		i := strings.IndexByte(p.text[p.at:], '(')
		if i < 0 {
			return false
		}
		begin := p.at + i
		p.at = begin + 1
		if p.peek() == ';' {
			p.at = begin
			return true
		}
	}
}

// peek skips blanks and returns the next byte, or 0 at the end.
func (p *sgfParser) peek() byte {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n\v\f", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// tree reads a game tree: "(" nodes trees ")". It does not recurse, so that
// no file can exhaust the stack.
func (p *sgfParser) tree() (t tree, err error) {
	depth, main := 0, true
	for {
		switch c := p.peek(); c {
		case '(':
			depth++
		case ')':
			depth--
			main = false // the first leaf ends the main line
			if depth == 0 {
				p.at++
				return t, nil
			}
		case ';':
			line := p.lineAt(p.at)
			p.at++
			n, err := p.node()
			if err != nil {
				return t, err
			}
			if main {
				t.nodes, t.lines = append(t.nodes, n), append(t.lines, line)
			}
			continue
		case 0:
			return t, errors.New("unterminated game tree")
		default:
			return t, fmt.Errorf("%q between nodes", c)
		}
		p.at++
	}
}

// node reads the properties of a node.
func (p *sgfParser) node() (Node, error) {
	n := Node{}
	for {
		c := p.peek()
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return n, nil
		}
		var prop Property
		for ; p.at < len(p.text) && p.text[p.at]|0x20 >= 'a' && p.text[p.at]|0x20 <= 'z'; p.at++ {
			if p.text[p.at] < 'a' { // FF[3] has names such as "Black" for B
				prop.Name += p.text[p.at : p.at+1]
			}
		}
		for p.peek() == '[' {
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			prop.Values = append(prop.Values, v)
		}
		if prop.Name == "" || prop.Values == nil {
			return nil, fmt.Errorf("property %.20q has no name or no value", prop.Name)
		}
		n = append(n, prop)
	}
}

// value reads a value in brackets. A backslash escapes the next character; before
// a line break it removes that.
func (p *sgfParser) value() (string, error) {
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ']':
			p.at++
			return b.String(), nil
		case '\\':
			p.at++
			rest := p.text[min(p.at, len(p.text)):]
			switch {
			case strings.HasPrefix(rest, "\r\n"), strings.HasPrefix(rest, "\n\r"):
				p.at++
			case rest != "" && rest[0] != '\n' && rest[0] != '\r':
				b.WriteByte(rest[0])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", errors.New("unterminated value")
}

// A GameTree is a game with variations: the nodes of a line and what continues it,
// the main line first.
type GameTree struct {
	Nodes    []Node
	Branches []*GameTree
}

// AppendTree appends a game tree in SGF.
func AppendTree(dst []byte, t *GameTree) ([]byte, error) {
	w := sgfWriter{}
	if err := w.tree(t); err != nil {
		return dst, err
	}
	return append(append(dst, w.out...), '\n'), nil
}

// appendNodes appends a game tree of one line that [readTrees] reads as nodes.
func appendNodes(dst []byte, nodes []Node) ([]byte, error) {
	return AppendTree(dst, &GameTree{Nodes: nodes})
}

// An sgfWriter writes game trees.
type sgfWriter struct{ out []byte }

func (w *sgfWriter) tree(t *GameTree) error {
	if len(t.Nodes) == 0 {
		return errors.New("game tree without nodes")
	}
	w.out = append(w.out, '(')
	for i, n := range t.Nodes {
		if i > 0 && i%10 == 1 {
			w.out = append(w.out, '\n') // keep lines short
		}
		if err := w.node(n); err != nil {
			return err
		}
	}
	for _, branch := range t.Branches {
		w.out = append(w.out, '\n')
		if err := w.tree(branch); err != nil {
			return err
		}
	}
	w.out = append(w.out, ')')
	return nil
}

// sgfEscape escapes the text of a value.
var sgfEscape = strings.NewReplacer(`\`, `\\`, `]`, `\]`)

func (w *sgfWriter) node(n Node) error {
	w.out = append(w.out, ';')
	for _, p := range n {
		if p.Name == "" || strings.Trim(p.Name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || len(p.Values) == 0 {
			return fmt.Errorf("invalid property %q with %d values", p.Name, len(p.Values))
		}
		w.out = append(w.out, p.Name...)
		for _, v := range p.Values {
			w.out = append(append(append(w.out, '['), sgfEscape.Replace(v)...), ']')
		}
	}
	return nil
}

// PointText returns the name of a point in the form [Letters].
func PointText(m board.Move) string {
	return string([]byte{sgfLetters[m.X()], sgfLetters[m.Y()]})
}

// A Form is a way of writing points in SGF.
type Form uint8

const (
	Letters   Form = iota // B[hh]: column and row from the top
	Algebraic             // B[h8]: rows as Rows says
)

// An SGF is a game in SGF, without variations and free-form comments.
type SGF struct {
	Width, Height int
	Info          Node  // of the root, except the size: PB, PW, RE and so on
	Opening       int   // the number of plies of the opening
	Plies         []Ply // comments hold times and notes: C[12ms, depth 11]
	Form          Form
	Line          int // where the game begins, if it was read

	// Stones set up before the first move, and who makes that. Only
	// [ReadSGFPosition] reads them, and [AppendSGF] does not write them.
	Setup  []board.Stone
	Starts board.Color
}

// openingComment marks the stones of an opening, as c-gomoku-cli does.
const openingComment = "opening move"

// ReadSGF reads the main lines of the games in a text. Points may be in either
// form; rows applies to the algebraic one. A game without a size is on a 15x15
// board. An error is an *[Error].
func ReadSGF(text []byte, rows Rows) ([]*SGF, error) { return readGames(text, rows, false) }

// ReadSGFPosition is ReadSGF for games that may begin with stones set up by the
// root: those of AB and AW, where PL says who moves next, or else the numbers of
// stones.
func ReadSGFPosition(text []byte, rows Rows) ([]*SGF, error) { return readGames(text, rows, true) }

func readGames(text []byte, rows Rows, setup bool) ([]*SGF, error) {
	trees, err := readTrees(text)
	if err != nil {
		return nil, err
	}
	games := make([]*SGF, len(trees))
	for i, t := range trees {
		if games[i], err = readGame(t, rows, setup); err != nil {
			return nil, err
		}
	}
	return games, nil
}

// readGame reads the game of a tree.
func readGame(t tree, rows Rows, setup bool) (*SGF, error) {
	g := &SGF{Width: 15, Height: 15, Line: t.lines[0]}
	for _, p := range t.nodes[0] {
		var err error
		switch p.Name {
		case "SZ":
			size := strings.ReplaceAll(strings.TrimSpace(p.Values[0]), ":", "x")
			if g.Width, g.Height, err = board.ParseSize(size); err != nil {
				return nil, &Error{g.Line, fmt.Errorf("SZ: %w", err)}
			}
		case "B", "W", "AB", "AW": // some begin with a move in the root
		default:
			if p.Name != "PL" || !setup {
				g.Info = append(g.Info, p)
			}
		}
	}
	at, err := newGrid(g.Width, g.Height)
	if err != nil {
		return nil, err
	}
	if setup {
		if err := g.readSetup(t.nodes[0], at, rows); err != nil {
			return nil, &Error{g.Line, err}
		}
		t.nodes[0] = slices.DeleteFunc(t.nodes[0], func(p Property) bool { return p.Name == "AB" || p.Name == "AW" })
	}
	for i, n := range t.nodes {
		if err := g.readNode(n, at, rows); err != nil {
			return nil, &Error{t.lines[i], fmt.Errorf("move %d: %w", len(g.Plies)+1, err)}
		}
	}
	return g, nil
}

// readSetup reads the stones that the root sets up.
func (g *SGF) readSetup(root Node, at *grid, rows Rows) error {
	for _, p := range root {
		cell := board.BlackStone
		switch p.Name {
		case "AB":
		case "AW":
			cell = board.WhiteStone
		default:
			continue
		}
		for _, v := range p.Values {
			m, _, err := readPoint(at, strings.TrimSpace(v), rows)
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			g.Setup = append(g.Setup, board.Stone{Move: m, Cell: cell})
		}
	}
	g.Starts = board.Color(len(g.Setup) % 2)
	switch side, ok := root.Get("PL"); {
	case !ok:
	case strings.EqualFold(side, "B") || strings.EqualFold(side, "black"):
		g.Starts = board.Black
	case strings.EqualFold(side, "W") || strings.EqualFold(side, "white"):
		g.Starts = board.White
	default:
		return fmt.Errorf("invalid player PL[%.20s], want B or W", side)
	}
	return nil
}

// readNode reads the move of a node, if there is one.
func (g *SGF) readNode(n Node, at *grid, rows Rows) error {
	for _, p := range n {
		if p.Name == "AB" || p.Name == "AW" || p.Name == "AE" {
			return fmt.Errorf("%s sets up stones out of turn", p.Name)
		}
		if p.Name != "B" && p.Name != "W" {
			continue
		}
		turn := "BW"[(len(g.Plies)+int(g.Starts))%2:][:1]
		if p.Name != turn || len(p.Values) != 1 {
			return fmt.Errorf("invalid move %s%.20q, want one of %s", p.Name, p.Values, turn)
		}
		m, form, err := readPoint(at, strings.TrimSpace(p.Values[0]), rows)
		if err != nil {
			return err
		}
		ply := Ply{Move: m, Time: NoTime}
		c, _ := n.Get("C")
		if c == openingComment && g.Opening == len(g.Plies) {
			g.Opening++
			ply.Time = 0
		} else if ply.Time, ply.Note, err = readComment(c); err != nil {
			return err
		}
		g.Form = form
		g.Plies = append(g.Plies, ply)
	}
	return nil
}

// readComment reads the time and the note in a comment written by [AppendSGF]. It
// ignores other comments.
func readComment(c string) (t time.Duration, note string, err error) {
	first, note, _ := strings.Cut(c, ", ")
	digits, ok := strings.CutSuffix(first, "ms")
	v, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return NoTime, "", nil
	}
	t, err = milliseconds(v)
	return t, note, err
}

// comment returns the comment of a move after the opening, or "".
func (p *Ply) comment() (string, error) {
	c := strconv.FormatInt(p.Time.Milliseconds(), 10) + "ms"
	switch {
	case p.Time < 0 && p.Note == "":
		return "", nil
	case p.Time < 0:
		return "", fmt.Errorf("note %q without a time", p.Note)
	case p.Note != "":
		c += ", " + p.Note
	}
	return c, nil
}

// readPoint reads and occupies a point in either form.
func readPoint(at *grid, s string, rows Rows) (board.Move, Form, error) {
	if strings.ContainsAny(s, "0123456789") {
		m, err := board.ParseMove(s)
		if err == nil {
			m, err = at.putFrom(m, rows)
		}
		return m, Algebraic, err
	}
	if s == "" || s == "tt" && max(at.width, at.height) < 20 {
		return board.NoMove, Letters, errors.New("pass in a game without passes")
	}
	if len(s) != 2 || letterNumber(s[0]) < 0 || letterNumber(s[1]) < 0 {
		return board.NoMove, Letters, fmt.Errorf("invalid point %.20q, want one such as hh or h8", s)
	}
	m, err := at.put(letterNumber(s[0]), letterNumber(s[1]))
	return m, Letters, err
}

// sgfLetters are the coordinates from 0 on.
const sgfLetters = "abcdefghijklmnopqrstuvwxyzABCDEF"

// letterNumber returns the coordinate of a letter, or -1.
func letterNumber(c byte) int { return strings.IndexByte(sgfLetters, c) }

// AppendSGF appends a game that [ReadSGF] reads as g, in g's form.
func AppendSGF(dst []byte, g *SGF, rows Rows) ([]byte, error) {
	at, err := newGrid(g.Width, g.Height)
	if err != nil {
		return dst, err
	}
	if g.Opening < 0 || g.Opening > len(g.Plies) {
		return dst, fmt.Errorf("invalid opening of %d moves in a game of %d", g.Opening, len(g.Plies))
	}
	size := strconv.Itoa(g.Width)
	if g.Width != g.Height {
		size += ":" + strconv.Itoa(g.Height)
	}
	root := append(Node{}, g.Info...)
	for _, p := range root {
		switch p.Name {
		case "SZ", "B", "W", "AB", "AW", "AE":
			return dst, fmt.Errorf("property %s in the info of a game", p.Name)
		}
	}
	if g.Setup != nil || g.Starts != board.Black {
		return dst, errors.New("game that begins with stones set up")
	}
	nodes := []Node{append(root, Property{"SZ", []string{size}})}
	for i, p := range g.Plies {
		if err := at.putMove(p.Move); err != nil {
			return dst, fmt.Errorf("move %d: %w", i+1, err)
		}
		point := PointText(p.Move)
		if g.Form == Algebraic {
			point = pointText(p.Move, g.Height, rows)
		}
		comment, err := p.comment()
		if i < g.Opening {
			comment = openingComment
		} else if err != nil {
			return dst, fmt.Errorf("move %d: %w", i+1, err)
		}
		n := Node{{"BW"[i%2:][:1], []string{point}}}
		if comment != "" {
			n = append(n, Property{"C", []string{comment}})
		}
		nodes = append(nodes, n)
	}
	return appendNodes(dst, nodes)
}

// NewSGF returns a game with the properties that c-gomoku-cli writes. result is
// B+1, W+1 or 0, and rule the number of the Gomocup protocol.
func NewSGF(width, height int, plies []Ply, opening int, black, white, result string, rule int, date time.Time) *SGF {
	info := Node{}
	for _, p := range [][2]string{{"FF", "4"}, {"CA", "UTF-8"}, {"GM", "4"}, {"DT", date.Format(time.DateOnly)},
		{"PB", black}, {"PW", white}, {"RE", result}, {"RU", strconv.Itoa(rule)}} {
		info = append(info, Property{p[0], []string{p[1]}})
	}
	return &SGF{Width: width, Height: height, Info: info, Opening: opening, Plies: plies}
}
