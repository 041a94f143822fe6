package proof

import (
	"context"
	"fmt"
	"strings"

	"kumiko/engine/board"
)

// A NodeError describes an error in a tree and its place.
type NodeError struct {
	Path   []board.Move // the moves leading to the node, the winner's first
	Reason string
}

func (e *NodeError) Error() string {
	if len(e.Path) == 0 {
		return e.Reason
	}
	var names []string
	for _, m := range e.Path {
		names = append(names, m.String())
	}
	return fmt.Sprintf("after %s: %s", strings.Join(names, " "), e.Reason)
}

// Verify checks that the tree wins against every legal reply, and that each of
// its nodes is needed or answers a forbidden reply. It returns the plies up to the
// five. The error is a [*NodeError], or that of ctx if it ends first: verifying a
// tree with many Rest answers may take very long.
func (t *Tree) Verify(ctx context.Context) (plies int, err error) {
	b, err := t.Board()
	if err != nil {
		return 0, err
	}
	if t.Win == nil {
		return 0, &NodeError{Reason: "no move"}
	}
	v := verifier{ctx: ctx, b: b, winner: t.Side, used: map[*Node]bool{}, quick: !t.Rule.Caro()}
	if plies, err = v.win(t.Win); err != nil {
		return 0, err
	}
	if path := v.unused(t.Win, nil); path != nil {
		return 0, &NodeError{path, "the move is never needed"}
	}
	return plies, nil
}

// A verifier replays a tree.
type verifier struct {
	ctx    context.Context
	b      *board.Board
	winner board.Color
	used   map[*Node]bool
	quick  bool // a five at one point survives replies at all others
	path   []board.Move
}

// place plays a move.
func (v *verifier) place(m board.Move) {
	v.b.Place(m)
	v.path = append(v.path, m)
}

func (v *verifier) undo() {
	v.b.Undo()
	v.path = v.path[:len(v.path)-1]
}

// fault returns an error about the end of the path.
func (v *verifier) fault(format string, args ...any) error {
	return &NodeError{append([]board.Move(nil), v.path...), fmt.Sprintf(format, args...)}
}

// win checks that a node wins in the position for the side to move.
func (v *verifier) win(n *Node) (plies int, err error) {
	m := n.Move
	v.used[n] = true
	if !v.b.Legal(m) {
		return 0, v.fault("%v is not legal", m)
	}
	follows := n.Rest != nil || len(n.Answers) > 0
	if five(v.b, m, v.winner) {
		if follows {
			return 0, v.fault("%v wins, but the tree goes on", m)
		}
		return 1, nil
	}
	if !follows {
		return 0, v.fault("the tree ends with %v, which does not win", m)
	}
	v.place(m)
	defer v.undo()
	if err := v.ctx.Err(); err != nil {
		return 0, err
	}
	return v.lose(n)
}

// lose checks that every legal reply to the move of n, just played, is answered.
func (v *verifier) lose(n *Node) (plies int, err error) {
	b := v.b
	answers := map[board.Move]*Node{}
	for _, a := range n.Answers {
		if a.Then == nil || len(a.Replies) == 0 {
			return 0, v.fault("answer without a move or without replies")
		}
		for _, z := range a.Replies {
			if answers[z] != nil {
				return 0, v.fault("%v is answered twice", z)
			}
			answers[z] = a.Then
		}
	}
	// If Rest makes a five, replies that leave the five intact need no check.
	waiting := v.quick && n.Rest != nil && n.Rest.Rest == nil && len(n.Rest.Answers) == 0 &&
		b.Empty(n.Rest.Move) && five(b, n.Rest.Move, v.winner)
	replies := 0
	for y := range b.Height() {
		for x := range b.Width() {
			z := board.Pt(x, y)
			switch {
			case !b.Empty(z):
				continue
			case five(b, z, v.winner.Opponent()):
				return 0, v.fault("%v makes a five", z)
			case waiting && answers[z] == nil && z != n.Rest.Move:
				// The reply need not be legal: the five is, whatever else changes.
				v.used[n.Rest] = true
				replies++
				plies = max(plies, 3)
				continue
			case !b.Legal(z):
				if a := answers[z]; a != nil && !v.used[a] {
					v.excuse(a)
				}
				continue
			}
			replies++
			p, err := v.reply(n, z, answers[z])
			if err != nil {
				return 0, err
			}
			plies = max(plies, p)
		}
	}
	if replies == 0 {
		return 0, v.fault("no reply is legal, which is not a win")
	}
	return plies, nil
}

// reply checks the answer to one reply, Rest if answer is nil.
func (v *verifier) reply(n *Node, z board.Move, answer *Node) (plies int, err error) {
	if answer == nil {
		answer = n.Rest
	}
	if answer == nil {
		return 0, v.fault("%v is not answered", z)
	}
	v.place(z)
	defer v.undo()
	plies, err = v.win(answer)
	return plies + 2, err
}

// excuse marks as used the answers to a reply that is forbidden here. The reply may
// be legal after other replies, or may have been when the tree was built.
func (v *verifier) excuse(n *Node) {
	if n == nil {
		return
	}
	v.used[n] = true
	for _, a := range n.Answers {
		v.excuse(a.Then)
	}
	v.excuse(n.Rest)
}

// unused returns the path to a node that was not visited, including its own move,
// or nil.
func (v *verifier) unused(n *Node, path []board.Move) []board.Move {
	path = append(path, n.Move)
	if !v.used[n] {
		return path
	}
	for _, a := range n.Answers {
		if p := v.unused(a.Then, append(path, a.Replies[0])); p != nil {
			return p
		}
	}
	if n.Rest != nil {
		return v.unused(n.Rest, append(path, board.NoMove))
	}
	return nil
}

// five reports whether a stone of c on the empty point m wins, directly by the
// rules.
func five(b *board.Board, m board.Move, c board.Color) bool {
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		ahead, a := run(b, m, d[0], d[1], c)
		back, z := run(b, m, -d[0], -d[1], c)
		stones := 1 + ahead + back
		blocked := a == c.Opponent().Stone() && z == c.Opponent().Stone()
		if stones >= 5 && wins(b.Rule(), c, stones, blocked) {
			return true
		}
	}
	return false
}

// run counts the stones of c in a row from m in a direction, without m, and
// returns the cell after them, Empty beyond the edge.
func run(b *board.Board, m board.Move, dx, dy int, c board.Color) (stones int, end board.Cell) {
	for x, y := m.X()+dx, m.Y()+dy; x >= 0 && y >= 0 && x < b.Width() && y < b.Height(); x, y = x+dx, y+dy {
		if end = b.At(board.Pt(x, y)); end != c.Stone() {
			return stones, end
		}
		stones++
	}
	return stones, board.Empty
}

// wins reports whether a row of the given length, at least five, wins.
func wins(r board.Rule, c board.Color, stones int, blocked bool) bool {
	switch r {
	case board.Freestyle:
		return true
	case board.Standard:
		return stones == 5
	case board.Renju:
		return stones == 5 || c == board.White
	case board.Caro5:
		return stones == 5 && !blocked
	case board.Caro6:
		return stones > 5 || !blocked
	}
	return false
}
