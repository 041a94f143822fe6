package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"kumiko/engine/board"
)

// A file is one JSON object. Points are written like h8, lists of points with
// blanks between them.
//
//	{"format": "kumiko proof", "version": 1, "rule": "renju", "size": "15x15",
//	 "black": "h8 i9", "white": "h9", "dead": "", "side": "black",
//	 "win": {"move": "j10", "answers": [{"replies": "k11", "then": {…}}], "rest": {…}}}
type fileForm struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Rule    string    `json:"rule"`
	Size    string    `json:"size"`
	Black   string    `json:"black"`
	White   string    `json:"white"`
	Dead    string    `json:"dead,omitempty"`
	Side    string    `json:"side"`
	Win     *nodeForm `json:"win"`
}

type nodeForm struct {
	Move    string       `json:"move"`
	Answers []answerForm `json:"answers,omitempty"`
	Rest    *nodeForm    `json:"rest,omitempty"`
}

type answerForm struct {
	Replies string    `json:"replies"`
	Then    *nodeForm `json:"then"`
}

const (
	formatName    = "kumiko proof"
	formatVersion = 1
)

// IsFile reports whether a file with this beginning is a proof.
func IsFile(start []byte) bool { return fileStart.Match(start) }

var fileStart = regexp.MustCompile(`^\s*\{\s*"format":\s*"` + formatName + `"`)

// Write writes the tree as JSON.
func (t *Tree) Write(w io.Writer) error {
	f := fileForm{Format: formatName, Version: formatVersion, Rule: t.Rule.String(),
		Size: fmt.Sprintf("%dx%d", t.Width, t.Height), Side: t.Side.String(), Win: formOf(t.Win)}
	for cell, text := range map[board.Cell]*string{board.BlackStone: &f.Black, board.WhiteStone: &f.White, board.DeadStone: &f.Dead} {
		var points []board.Move
		for _, s := range t.Stones {
			if s.Cell == cell {
				points = append(points, s.Move)
			}
		}
		*text = join(points)
	}
	return json.NewEncoder(w).Encode(f)
}

func formOf(n *Node) *nodeForm {
	if n == nil {
		return nil
	}
	f := &nodeForm{Move: n.Move.String(), Rest: formOf(n.Rest)}
	for _, a := range n.Answers {
		f.Answers = append(f.Answers, answerForm{join(a.Replies), formOf(a.Then)})
	}
	return f
}

// join formats points with blanks between them.
func join(points []board.Move) string {
	var names []string
	for _, m := range points {
		names = append(names, m.String())
	}
	return strings.Join(names, " ")
}

// Read reads a tree without verifying it. An error names the line, or the place
// in the tree.
func Read(r io.Reader) (*Tree, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var f fileForm
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("line %d: %w", lineOf(data, err, d.InputOffset()), err)
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("line %d: text after the tree", 1+bytes.Count(data[:len(data)-len(rest)], []byte("\n")))
	}
	return f.tree()
}

// lineOf returns the line number of a decoding error.
func lineOf(data []byte, err error, offset int64) int {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	case errors.Is(err, io.ErrUnexpectedEOF):
		offset = int64(len(data))
	}
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}

// tree converts a file to a tree.
func (f *fileForm) tree() (*Tree, error) {
	if f.Format != formatName || f.Version != formatVersion {
		return nil, fmt.Errorf("format %q, version %d, want %q, version %d", f.Format, f.Version, formatName, formatVersion)
	}
	t := &Tree{}
	var err error
	if t.Rule, err = board.ParseRule(f.Rule); err != nil {
		return nil, err
	}
	if t.Width, t.Height, err = board.ParseSize(f.Size); err != nil {
		return nil, err
	}
	switch f.Side {
	case "black":
	case "white":
		t.Side = board.White
	default:
		return nil, fmt.Errorf("invalid side %q, want black or white", f.Side)
	}
	for _, c := range []struct {
		name, text string
		cell       board.Cell
	}{{"black", f.Black, board.BlackStone}, {"white", f.White, board.WhiteStone}, {"dead", f.Dead, board.DeadStone}} {
		points, err := board.ParseMoves(c.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		for _, m := range points {
			t.Stones = append(t.Stones, board.Stone{Move: m, Cell: c.cell})
		}
	}
	b, err := t.Board()
	if err != nil {
		return nil, err
	}
	if f.Win == nil {
		return nil, errors.New("no win")
	}
	t.Stones = New(b, nil).Stones // row by row
	t.Win, err = f.Win.node(b, nil)
	return t, err
}

// node converts the node at the end of path.
func (f *nodeForm) node(b *board.Board, path []string) (*Node, error) {
	m, err := pointOf(b, f.Move)
	if err != nil {
		return nil, placed(path, err)
	}
	n := &Node{Move: m}
	path = append(path, f.Move)
	for i, a := range f.Answers {
		replies, err := board.ParseMoves(a.Replies)
		if err == nil && (len(replies) == 0 || a.Then == nil) {
			err = errors.New("answer without replies or without a move")
		}
		for _, z := range replies {
			if err == nil {
				_, err = pointOf(b, z.String())
			}
		}
		if err != nil {
			return nil, placed(path, fmt.Errorf("answer %d: %w", i+1, err))
		}
		then, err := a.Then.node(b, append(path, replies[0].String()))
		if err != nil {
			return nil, err
		}
		n.Answers = append(n.Answers, Answer{replies, then})
	}
	if f.Rest != nil {
		if n.Rest, err = f.Rest.node(b, append(path, board.NoMove.String())); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// pointOf reads a point of the board.
func pointOf(b *board.Board, s string) (board.Move, error) {
	m, err := board.ParseMove(s)
	if err == nil && !b.On(m) {
		err = fmt.Errorf("%v is off the board", m)
	}
	return m, err
}

// placed adds the place in the tree to an error.
func placed(path []string, err error) error {
	if len(path) == 0 {
		return err
	}
	return fmt.Errorf("after %s: %w", strings.Join(path, " "), err)
}
