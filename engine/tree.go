package engine

import (
	"math"

	"kumiko/engine/board"
	"kumiko/engine/memory"
)

// A treeNode is a position in the tree of PUCT that has been visited. Its children are
// a list, and the moves that have not been played yet are edges in a block of their own.
type treeNode struct {
	hash   uint64
	sum    float64 // of the values of its visits, for the player who moved into it
	prior  float32 // of the move that leads to it
	visits int32
	child  int32 // the first of its children, 0 for none
	next   int32 // the next child of its parent
	block  int32 // of its edges, 0 for none
	move   board.Move
	proven outcome
	edges  uint16 // in the block
	opened uint16 // of them: the first have become children
	moves  uint16 // all that can be played, whether or not they are in the block
}

// treeNodeBytes is the size of a treeNode.
const treeNodeBytes = 48

// An outcome is what is proven of a position for the side to move: 0 for nothing, n for
// a win in n plies, -n for a loss in n.
type outcome int16

// provenDraw is the outcome of a draw.
const provenDraw outcome = math.MinInt16

// won and lost report whether an outcome is a win or a loss of the side to move.
func (o outcome) won() bool  { return o > 0 }
func (o outcome) lost() bool { return o < 0 && o != provenDraw }

// score returns the score of a proven outcome.
func (o outcome) score() Score {
	switch {
	case o.won():
		return mateIn(int(o))
	case o.lost():
		return matedIn(-int(o))
	}
	return 0
}

// value returns the winning probability of a proven outcome.
func (o outcome) value() float64 { return o.score().WinRate() }

// An edge is a move with its prior probability: the move in the low half, the prior in
// units of 1/65535 in the high half.
type edge uint32

func makeEdge(m board.Move, prior float32) edge {
	return edge(m) | edge(prior*math.MaxUint16+0.5)<<16
}

func (e edge) move() board.Move { return board.Move(e & 0xffff) }
func (e edge) prior() float32   { return float32(e>>16) / math.MaxUint16 }

// blockHeader is the length of what stands before the edges of a block: the node that
// they belong to, and how many there are.
const blockHeader = 2

// keptEdges is the number of edges that a node has at first, those of the best priors.
// Few nodes ever need more.
const keptEdges = 32

// A tree is the memory of PUCT: nodes and blocks of edges, allocated in turn. A child
// comes after its parent. Number 0 of both is none.
type tree struct {
	nodes   []treeNode
	blocks  []edge
	forward []int32 // where a node moves to, while a tree is cut down

	nodeMemory    *memory.Array[treeNode]
	blockMemory   *memory.Array[edge]
	forwardMemory *memory.Array[int32]

	top int32 // the root, 0 without a tree
}

// newTree returns a tree that takes at most size bytes. Its pages occupy no memory until
// they are written.
func newTree(size int64) *tree {
	n := max(64, int(size/(treeNodeBytes+4+4*(blockHeader+keptEdges))))
	t := &tree{
		nodeMemory:    memory.Make[treeNode](n),
		blockMemory:   memory.Make[edge](n * (blockHeader + keptEdges)),
		forwardMemory: memory.Make[int32](n),
	}
	t.clear()
	return t
}

// free gives the memory of a tree back that is not used any more.
func (t *tree) free() {
	t.nodes, t.blocks, t.forward = nil, nil, nil
	t.nodeMemory.Free()
	t.blockMemory.Free()
	t.forwardMemory.Free()
}

// clear removes everything.
func (t *tree) clear() {
	t.nodes = t.nodeMemory.Elems[:1]
	t.blocks = t.blockMemory.Elems[:1]
	t.forward = t.forwardMemory.Elems
	t.top = 0
}

// add adds a node without children, and returns 0 if there is no room.
func (t *tree) add(move board.Move, prior float32, hash uint64) int32 {
	n := len(t.nodes)
	if n == cap(t.nodes) {
		return 0
	}
	t.nodes = t.nodes[:n+1]
	t.nodes[n] = treeNode{hash: hash, move: move, prior: prior}
	return int32(n)
}

// addBlock gives a node a block for edges, and returns the edges to be filled, or nil
// if there is no room.
func (t *tree) addBlock(n int32, edges int) []edge {
	at := len(t.blocks)
	if at+blockHeader+edges > cap(t.blocks) {
		return nil
	}
	t.blocks = t.blocks[:at+blockHeader+edges]
	t.blocks[at], t.blocks[at+1] = edge(n), edge(edges)
	nd := &t.nodes[n]
	nd.block, nd.edges, nd.opened = int32(at), uint16(edges), 0
	return t.blocks[at+blockHeader:]
}

// edge returns an edge of a node.
func (t *tree) edge(nd *treeNode, i uint16) edge {
	return t.blocks[int(nd.block)+blockHeader+int(i)]
}

// childBy returns the number of the child of a node by a move, or 0.
func (t *tree) childBy(n int32, m board.Move) int32 {
	c := t.nodes[n].child
	for c != 0 && t.nodes[c].move != m {
		c = t.nodes[c].next
	}
	return c
}

// best returns the child of a node that a player would move to: one that is lost for the
// opponent, soonest first, else the most visited one, one that wins for the opponent only
// if all do. It is nil if there is none.
func (t *tree) best(nd *treeNode) *treeNode {
	var best *treeNode
	worth := int64(math.MinInt64)
	for c := nd.child; c != 0; c = t.nodes[c].next {
		child := &t.nodes[c]
		if v := child.worth(); v > worth && (child.visits > 0 || child.proven != 0) {
			best, worth = child, v
		}
	}
	return best
}

// worth orders the children of a node, best first: by visits, unless they are proven.
func (nd *treeNode) worth() int64 {
	switch o := nd.proven; {
	case o.lost():
		return 2<<32 + int64(o)
	case o.won():
		return -1<<32 + int64(o)
	}
	return int64(nd.visits)
}

// find returns the node of a position among the root, its children and theirs, or 0:
// that of the next move of a game.
func (t *tree) find(b *board.Board) int32 {
	if t.top == 0 || t.nodes[t.top].hash == b.Hash() {
		return t.top
	}
	for c := t.nodes[t.top].child; c != 0; c = t.nodes[c].next {
		if t.nodes[c].hash == b.Hash() {
			return c
		}
		for g := t.nodes[c].child; g != 0; g = t.nodes[g].next {
			if t.nodes[g].hash == b.Hash() {
				return g
			}
		}
	}
	return 0
}

// cut makes a node the root and removes what does not belong to its tree. What stays
// moves to the front, in its order.
func (t *tree) cut(root int32) {
	forward := t.forward[:len(t.nodes)]
	clear(forward)
	forward[root] = 1
	t.nodes[root].next = 0
	// A node is needed if its parent is, and parents come first.
	count := int32(1)
	for n := root; n < int32(len(forward)); n++ {
		if forward[n] == 0 {
			continue
		}
		forward[n] = count
		count++
		for c := t.nodes[n].child; c != 0; c = t.nodes[c].next {
			forward[c] = 1
		}
	}
	for n := root; n < int32(len(forward)); n++ {
		if to := forward[n]; to != 0 {
			nd := t.nodes[n]
			nd.child, nd.next = forward[nd.child], forward[nd.next]
			t.nodes[to] = nd
		}
	}
	to := 1
	for at := 1; at < len(t.blocks); {
		size := blockHeader + int(t.blocks[at+1])
		if owner := forward[t.blocks[at]]; owner != 0 && int(t.nodes[owner].block) == at {
			copy(t.blocks[to:], t.blocks[at:at+size])
			t.blocks[to] = edge(owner)
			t.nodes[owner].block = int32(to)
			to += size
		}
		at += size
	}
	t.nodes, t.blocks = t.nodes[:count], t.blocks[:to]
	t.top = 1
}
