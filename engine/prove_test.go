package engine

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
	"kumiko/engine/enginetest"
	"kumiko/engine/proof"
	"kumiko/engine/solve"
)

// treeOf builds the tree of a win of the side to move, by fours or by threats,
// or returns nil.
func treeOf(s *searcher, b *board.Board) *proof.Tree {
	p := prover{searcher: s, fours: s.vcf, limit: 1 << 40}
	s.vcf.Clear()
	s.vct.Clear()
	if n, _ := s.vcf.Solve(b, solve.MaxFours, 1_000_000); n > 0 {
		if tree := p.fourTree(slices.Clone(s.vcf.Line())); tree != nil {
			return proof.New(b, tree)
		}
		return nil
	}
	work := int64(300_000)
	if enginetest.Long() {
		s.vct, work = solve.NewVCT(s.vcf, 21), 8_000_000
		p.searcher = s
	}
	n, _ := s.vct.Solve(b, work)
	if n == 0 {
		return nil
	}
	if tree := p.proves(n, s.vct.Principal(b)); tree != nil {
		return proof.New(b, tree)
	}
	return nil
}

// size counts the moves of a tree.
func size(n *proof.Node) int {
	if n == nil {
		return 0
	}
	sum := 1 + size(n.Rest)
	for _, a := range n.Answers {
		sum += size(a.Then)
	}
	return sum
}

// Every known VCF and VCT becomes a tree that verifies, even after a round trip
// through a file. Its longest line has the reported length.
func TestTreesOfCases(t *testing.T) {
	type known struct {
		enginetest.Position
		VCF any
	}
	for _, file := range []struct {
		name  string
		every int // of the positions
		want  int // trees
	}{
		{"vcf.jsonl.gz", 10, 20},
		{"puzzles.jsonl.gz", 25, 8},
		{"threats.jsonl", 16, 3},
		{"vct.jsonl", 8, 1},
	} {
		trees, moves, longest := 0, 0, time.Duration(0)
		every := file.every
		if enginetest.Long() {
			every = 1
		}
		for i, c := range boardtest.ReadCases[known](t, "../solve/testdata/"+file.name) {
			if i%every != 0 || c.VCF == false || c.VCF == 0.0 || c.ID == "realcore-ten-year-fever" {
				continue
			}
			b := c.Board(t)
			s := searcherOn(New(Options{Memory: 64 << 20}), b)
			tree := treeOf(s, s.b)
			if tree == nil {
				if c.VCF != nil && !b.Rule().Caro() {
					t.Errorf("%s: no tree", c.ID)
				}
				continue
			}
			if size(tree.Win) > 1500 && !enginetest.Long() {
				continue // takes seconds to verify
			}
			start := time.Now()
			plies, err := tree.Verify(t.Context())
			longest = max(longest, time.Since(start))
			if err != nil || plies != tree.Win.Plies() {
				t.Errorf("%s: %d plies, the tree says %d, %v\n%v", c.ID, plies, tree.Win.Plies(), err, b)
				continue
			}
			checkTold(t, b, mateIn(plies), tree.Win.Line(b))
			var text bytes.Buffer
			if err := tree.Write(&text); err != nil {
				t.Fatal(err)
			}
			again, err := proof.Read(&text)
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
				continue
			}
			if n, err := again.Verify(t.Context()); n != plies || err != nil {
				t.Errorf("%s, read again: %d plies, want %d, %v", c.ID, n, plies, err)
			}
			trees++
			moves += size(tree.Win)
		}
		t.Logf("%s: %d trees of %d moves, verified in %v at most", file.name, trees, moves, longest)
		if trees < file.want {
			t.Errorf("%s: %d trees, want %d", file.name, trees, file.want)
		}
	}
}

// treeFiles are trees for the tests of package proof, by the record they show.
var treeFiles = map[string]string{"threats.jsonl": "vct", "vcf.jsonl.gz": "vcf"}

// The trees in package proof's testdata are those that the prover builds; -update
// rewrites them.
func TestTreeFiles(t *testing.T) {
	for file, name := range treeFiles {
		found := 0
		for _, c := range boardtest.ReadCases[enginetest.Position](t, "../solve/testdata/"+file) {
			if found == 3 {
				break
			}
			b := c.Board(t)
			s := searcherOn(New(testOptions), b)
			tree := treeOf(s, s.b)
			if tree == nil || size(tree.Win) < 12 || size(tree.Win) > 400 {
				continue
			}
			found++
			path := filepath.Join("proof", "testdata", name+"-"+string(rune('0'+found))+".json")
			var got bytes.Buffer
			if err := tree.Write(&got); err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s: the tree of %s is another, %v (-update rewrites it)", path, c.ID, err)
			}
		}
		if found != 3 {
			t.Errorf("%s: %d trees", file, found)
		}
	}
}

// A win reported in play comes with a tree, and the tree alone suffices to play to
// the end, whatever the replies.
func TestPlayByTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	e := New(testOptions)
	played := 0
	for i, c := range boardtest.ReadCases[enginetest.Position](t, threatFile) {
		if i%12 != 0 {
			continue
		}
		b := c.Board(t)
		e.Reset()
		res := e.Search(t.Context(), Request{Board: b, Limits: nodes(50_000)}, nil)
		if res.Proof == nil {
			continue
		}
		played++
		for n := res.Proof.Win; ; {
			won := b.Wins(n.Move, b.Side())
			if b.Place(n.Move); won {
				break
			}
			replies := enginetest.GridOf(b).Vacant()
			reply := board.NoMove
			for reply == board.NoMove {
				if z := replies[rng.IntN(len(replies))]; b.Legal(z) {
					reply = z
				}
			}
			if stops := b.Find(nil, b.Side().Opponent(), board.ShapeFive); len(stops) > 0 && b.Legal(stops[0]) && rng.IntN(5) > 0 {
				reply = stops[0]
			}
			next := n.Rest
			for _, a := range n.Answers {
				if slices.Contains(a.Replies, reply) {
					next = a.Then
				}
			}
			b.Place(reply)
			n = next
		}
	}
	if played < 3 {
		t.Errorf("%d trees played", played)
	}
}

// TestLateProof proves a win that the table knows when the time is up. The proof
// consists of 1.6 million replies that mostly leave a VCF intact and take no nodes:
// it once took a second of a move of 0.2 s.
func TestLateProof(t *testing.T) {
	const game = "f3f1j1e4h1g3g6e5f4f6g7h5i5e7e6g8i7g5d8j7i6i4j5h6h4i8h8k5f10g9g10h10f8g11d10i9j8c11d9d7f11f12e13e10d11d12e12h9f9f7"
	list := mustMoves(t, game)
	e := New(Options{Memory: 64 << 20})
	b, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	for _, plies := range []int{len(list) - 4, len(list) - 2, len(list)} {
		b.Clear()
		if err := b.PlaceAll(list[:plies]); err != nil {
			t.Fatal(err)
		}
		e.Search(t.Context(), Request{Board: b, Limits: Limits{Turn: -1, Left: NoLimit, Nodes: 100_000}}, nil)
	}
	for _, free := range []int64{0, 500, lateNodes} {
		s := e.ready(t.Context(), b)
		s.ctl = &control{start: time.Now().Add(-time.Second), hard: time.Millisecond}
		p := prover{searcher: s, fours: s.vcf, limit: proofNodes, free: free}
		if p.proves(25, nil) != nil {
			t.Error("the proof is complete: take a longer one")
		}
		points := int64(b.Width() * b.Height())
		if most := max(free, freeNodes) + 25*points; p.replies < freeNodes/2 || p.replies > most {
			t.Errorf("%d nodes free: %d replies when the time was up, want at most %d", free, p.replies, most)
		}
	}
}
