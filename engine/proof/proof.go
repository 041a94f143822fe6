// Package proof represents wins as data that can be checked independently. A
// proof tree contains the winner's move in a position, and after it an answer to
// every legal reply, down to the five.
//
// # Verify
//
// [Tree.Verify] trusts neither a search nor pattern tables. It relies on the board
// for stones and legal moves, finds fives stone by stone itself, and tries every
// reply. Its only shortcut follows from the definition of a five: a stone
// elsewhere does not prevent one, except in caro, where it may block an end.
//
// # Trees
//
// Package engine builds the trees. Most replies to a threat lose to the same
// moves, so a [Node] answers some replies individually and all others with one
// move, which Verify checks after each of them.
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

// A Node is a move of the winner with the tree below it.
type Node struct {
	Move board.Move
	// Answers are the answers to particular replies, Rest the answer to every
	// other legal reply. A move that makes a five has neither.
	Answers []Answer
	Rest    *Node
}

// An Answer is the winner's answer to each of some replies.
type Answer struct {
	Replies []board.Move
	Then    *Node
}

// New returns the tree of a win in the position of b.
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

// Line returns a longest line; among equal replies the defender plays close to the
// move before. b is the position and is left unchanged.
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

// longest returns the legal reply that holds out longest and its answer, nil if the
// move wins.
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

// elsewhere returns the legal reply closest to the move that Answers does not
// list, or NoMove.
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
