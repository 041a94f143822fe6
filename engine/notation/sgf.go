package notation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kumiko/engine/board"
)

// A Property is what one property of SGF says: its name and its values,
// free of escapes.
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

// ReadNodes reads the main line of the first game in text: variations other
// than the first at each branch are checked for their form and left out.
func ReadNodes(text []byte) ([]Node, error) {
	p := sgfParser{text: strings.TrimPrefix(string(text), "\uFEFF")}
	start := strings.IndexByte(p.text, '(')
	if start < 0 {
		return nil, errors.New("no game tree")
	}
	p.at = start
	if err := p.tree(); err != nil {
		line := 1 + strings.Count(p.text[:min(p.at, len(p.text))], "\n")
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	return p.nodes, nil
}

// An sgfParser reads one game tree.
type sgfParser struct {
	text  string
	at    int
	nodes []Node
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
func (p *sgfParser) tree() error {
	depth, main := 0, true
	for {
		switch c := p.peek(); c {
		case '(':
			depth++
		case ')':
			depth--
			main = false // the first leaf ends the main line
			if depth == 0 {
				if len(p.nodes) == 0 {
					return errors.New("a game tree without nodes")
				}
				return nil
			}
		case ';':
			p.at++
			n, err := p.node()
			if err != nil {
				return err
			}
			if main {
				p.nodes = append(p.nodes, n)
			}
			continue
		case 0:
			return errors.New("the game tree does not end")
		default:
			return fmt.Errorf("%q between nodes", c)
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
			return nil, fmt.Errorf("property %q has no name or no value", prop.Name)
		}
		n = append(n, prop)
	}
}

// value reads a value in brackets. A backslash takes the next character as it
// is; before the end of a line it takes that away.
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
	return "", errors.New("a value does not end")
}

// AppendNodes appends a game tree of one line that [ReadNodes] reads as nodes.
func AppendNodes(dst []byte, nodes []Node) ([]byte, error) {
	if len(nodes) == 0 {
		return dst, errors.New("a game tree without nodes")
	}
	escape := strings.NewReplacer(`\`, `\\`, `]`, `\]`)
	out := []byte{'('}
	for i, n := range nodes {
		if i > 0 && i%10 == 1 {
			out = append(out, '\n') // no endless lines
		}
		out = append(out, ';')
		for _, p := range n {
			if p.Name == "" || strings.Trim(p.Name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || len(p.Values) == 0 {
				return dst, fmt.Errorf("%q with %d values is no property", p.Name, len(p.Values))
			}
			out = append(out, p.Name...)
			for _, v := range p.Values {
				out = append(append(append(out, '['), escape.Replace(v)...), ']')
			}
		}
	}
	out = append(out, ")\n"...)
	return append(dst, out...), nil
}

// A Form is a way to write points in SGF.
type Form uint8

const (
	Letters   Form = iota // B[hh]: column and row from the top
	Algebraic             // B[h8]: rows as Rows says
)

// An SGF is a game in SGF, without what does not belong to the game itself:
// comments and variations. Such are for [ReadNodes].
type SGF struct {
	Width, Height int
	Info          Node  // of the root, but for the size: PB, PW, RE and so on
	Opening       int   // the number of plies that were an opening's
	Plies         []Ply // comments hold the times: C[12ms]
	Form          Form
}

// openingComment marks the stones of an opening, as c-gomoku-cli does.
const openingComment = "opening move"

// ReadSGF reads a game. Points may be written in either form; rows is for the
// algebraic one, which does not tell.
func ReadSGF(text []byte, rows Rows) (*SGF, error) {
	nodes, err := ReadNodes(text)
	if err != nil {
		return nil, err
	}
	g := &SGF{Width: 15, Height: 15}
	for _, p := range nodes[0] {
		switch p.Name {
		case "SZ":
			if g.Width, g.Height, err = parseSize(p.Values[0]); err != nil {
				return nil, err
			}
		case "B", "W": // some begin with a move in the root
		default:
			g.Info = append(g.Info, p)
		}
	}
	at, err := newGrid(g.Width, g.Height)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		if err := g.readNode(n, at, rows); err != nil {
			return nil, fmt.Errorf("move %d: %w", len(g.Plies)+1, err)
		}
	}
	return g, nil
}

// parseSize reads 15 or 15:12.
func parseSize(s string) (width, height int, err error) {
	w, h, ok := strings.Cut(s, ":")
	if !ok {
		h = w
	}
	width, errW := strconv.Atoi(strings.TrimSpace(w))
	height, errH := strconv.Atoi(strings.TrimSpace(h))
	if errW != nil || errH != nil {
		return 0, 0, fmt.Errorf("SZ[%s] is no size", s)
	}
	return width, height, nil
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
		turn := "BW"[len(g.Plies)%2:][:1]
		if p.Name != turn || len(p.Values) != 1 {
			return fmt.Errorf("%s%q is not the one move of %s", p.Name, p.Values, turn)
		}
		m, form, err := readPoint(at, strings.TrimSpace(p.Values[0]), rows)
		if err != nil {
			return err
		}
		ply := Ply{Move: m, Time: NoTime}
		c, _ := n.Get("C")
		if ms, ok := strings.CutSuffix(c, "ms"); ok {
			if v, err := strconv.Atoi(ms); err == nil {
				if ply.Time, err = milliseconds(v); err != nil {
					return err
				}
			}
		} else if c == openingComment && g.Opening == len(g.Plies) {
			g.Opening++
			ply.Time = 0
		}
		g.Form = form
		g.Plies = append(g.Plies, ply)
	}
	return nil
}

// readPoint takes a point in either form.
func readPoint(at *grid, s string, rows Rows) (board.Move, Form, error) {
	if strings.ContainsAny(s, "0123456789") {
		m, err := at.putText(s, rows)
		return m, Algebraic, err
	}
	if len(s) != 2 || letterNumber(s[0]) < 0 || letterNumber(s[1]) < 0 {
		return board.NoMove, Letters, fmt.Errorf("%q is no point", s)
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
		return dst, fmt.Errorf("an opening of %d moves in a game of %d", g.Opening, len(g.Plies))
	}
	size := strconv.Itoa(g.Width)
	if g.Width != g.Height {
		size += ":" + strconv.Itoa(g.Height)
	}
	root := append(Node{}, g.Info...)
	for _, p := range root {
		switch p.Name {
		case "SZ", "B", "W", "AB", "AW", "AE":
			return dst, fmt.Errorf("%s among what is known of the game", p.Name)
		}
	}
	nodes := []Node{append(root, Property{"SZ", []string{size}})}
	for i, p := range g.Plies {
		if err := at.putMove(p.Move); err != nil {
			return dst, fmt.Errorf("move %d: %w", i+1, err)
		}
		point := string([]byte{sgfLetters[p.Move.X()], sgfLetters[p.Move.Y()]})
		if g.Form == Algebraic {
			point = pointText(p.Move, g.Height, rows)
		}
		n := Node{{"BW"[i%2:][:1], []string{point}}}
		if i < g.Opening {
			n = append(n, Property{"C", []string{openingComment}})
		} else if p.Time >= 0 {
			n = append(n, Property{"C", []string{strconv.FormatInt(p.Time.Milliseconds(), 10) + "ms"}})
		}
		nodes = append(nodes, n)
	}
	return AppendNodes(dst, nodes)
}

// NewSGF returns a game with what c-gomoku-cli tells of one; result is B+1,
// W+1 or 0. Rule is the number of Gomocup's protocol.
func NewSGF(width, height int, plies []Ply, opening int, black, white, result string, rule int, date time.Time) *SGF {
	info := Node{}
	for _, p := range [][2]string{{"FF", "4"}, {"CA", "UTF-8"}, {"GM", "4"}, {"DT", date.Format(time.DateOnly)},
		{"PB", black}, {"PW", white}, {"RE", result}, {"RU", strconv.Itoa(rule)}} {
		info = append(info, Property{p[0], []string{p[1]}})
	}
	return &SGF{Width: width, Height: height, Info: info, Opening: opening, Plies: plies}
}
