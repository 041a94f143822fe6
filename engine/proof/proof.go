// Package proof holds wins as data that anybody can check. A proof tree names
// the winner's move in a position, and after it an answer to every legal
// reply, down to the five.
//
// # Verify
//
// [Tree.Verify] trusts no search and no table of patterns. It asks the board
// for stones and for what is legal, reads fives off the lines itself, stone by
// stone, and tries every reply there is. Its only shortcut is the definition of
// a five: where the winner can make one, a stone elsewhere does not take it
// away, except in caro, where it may block an end.
//
// # Trees
//
// Trees are built by package engine, whose solvers know what wins. Most
// replies to a threat lose to the same moves, so that a [Node] answers some
// replies by name and all others at once. Such an answer is checked after each
// of them.
package proof

import (
	"slices"

	"kumiko/engine/board"
)

// A Tree is a win of the side to move in a position.
type Tree struct {
	Rule          board.Rule
	Width, Height int
	Stones        []board.Stone // row by row
	Side          board.Color   // to move; the winner
	Win           *Node
}

// A Node is a move of the winner with what follows.
type Node struct {
	Move board.Move
	// Answers are moves against particular replies, Rest the one against
	// every other legal reply. A move that makes a five has neither.
	Answers []Answer
	Rest    *Node
}

// An Answer is the winner's move against any of some replies.
type Answer struct {
	Replies []board.Move
	Then    *Node
}

// New returns the tree of a win on b, which it copies.
func New(b *board.Board, win *Node) *Tree {
	t := &Tree{Rule: b.Rule(), Width: b.Width(), Height: b.Height(), Side: b.Side(), Win: win}
	for y := range b.Height() {
		for x := range b.Width() {
			if c := b.At(board.Pt(x, y)); c != board.Empty {
				t.Stones = append(t.Stones, board.Stone{Move: board.Pt(x, y), Cell: c})
			}
		}
	}
	return t
}

// Board returns the position.
func (t *Tree) Board() (*board.Board, error) {
	b, err := board.New(t.Width, t.Height, t.Rule)
	if err != nil {
		return nil, err
	}
	return b, b.Setup(t.Stones, t.Side)
}

// Plies returns the length of the longest line, up to and including the five.
func (n *Node) Plies() int {
	plies := 0
	for _, a := range n.Answers {
		plies = max(plies, 1+a.Then.Plies())
	}
	if n.Rest != nil {
		plies = max(plies, 1+n.Rest.Plies())
	}
	return 1 + plies
}

// Line returns a longest line, in which the defender, where it does not matter,
// plays close to the move before. b is the position, and the same afterwards.
func (n *Node) Line(b *board.Board) []board.Move {
	line := []board.Move{n.Move}
	reply, next := n.longest(b)
	if next == nil {
		return line
	}
	b.Place(n.Move)
	b.Place(reply)
	line = append(append(line, reply), next.Line(b)...)
	b.Undo()
	b.Undo()
	return line
}

// longest returns the legal reply that holds out longest and the answer to it, nil
// if the move has won.
func (n *Node) longest(b *board.Board) (reply board.Move, next *Node) {
	plies := 0
	b.Place(n.Move)
	for _, a := range n.Answers {
		// Some answers are to replies that only another stone would allow.
		i := slices.IndexFunc(a.Replies, b.Legal)
		if p := a.Then.Plies(); i >= 0 && p > plies {
			reply, next, plies = a.Replies[i], a.Then, p
		}
	}
	b.Undo()
	if n.Rest != nil && n.Rest.Plies() > plies {
		if m := n.elsewhere(b); m != board.NoMove {
			return m, n.Rest
		}
	}
	return reply, next
}

// elsewhere returns the legal reply closest to the move that is not answered
// by name, or NoMove.
func (n *Node) elsewhere(b *board.Board) board.Move {
	named := map[board.Move]bool{}
	for _, a := range n.Answers {
		for _, z := range a.Replies {
			named[z] = true
		}
	}
	b.Place(n.Move)
	defer b.Undo()
	best, nearest := board.NoMove, board.MaxSize
	for y := range b.Height() {
		for x := range b.Width() {
			z := board.Pt(x, y)
			dx, dy := x-n.Move.X(), y-n.Move.Y()
			if d := max(dx, -dx, dy, -dy); d < nearest && !named[z] && b.Legal(z) {
				best, nearest = z, d
			}
		}
	}
	return best
}
