package proof

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/enginetest"
)

func TestFive(t *testing.T) {
	seen := map[bool]int{}
	enginetest.EachRandom(t, enginetest.Scaled(300), func(t *testing.T, b *board.Board) {
		g := enginetest.GridOf(b)
		for y := range b.Height() {
			for x := range b.Width() {
				for c := board.Black; c <= board.White; c++ {
					m := board.Pt(x, y)
					want := g.Wins(enginetest.SpotOf(m), enginetest.Sign(c))
					if got := b.Empty(m) && five(b, m, c); got != want {
						t.Errorf("five of %v at %v: %t, want %t\n%v", c, m, got, want, b)
					}
					seen[want]++
				}
			}
		}
	})
	if seen[true] < enginetest.Scaled(100) {
		t.Errorf("%v: too few fives", seen)
	}
}

// openThree is a win in five plies: black makes an open four out of three.
const openThree = `
	. . . . . . . . .
	. . . . . . . . .
	. . . X X X . . .
	. . . . . . . . .
	. . O . . . . . .
	. . O . O . . . .
	. . . . . . . . .
	. . . . . . . . .
	. . . . . . . . .
	black to move`

func mv(s string) board.Move {
	m, err := board.ParseMove(s)
	if err != nil {
		panic(err)
	}
	return m
}

func leaf(s string) *Node { return &Node{Move: mv(s)} }

// fourTree is the win of openThree.
func fourTree() *Node {
	return &Node{Move: mv("c3"), Answers: []Answer{{[]board.Move{mv("g3")}, leaf("b3")}}, Rest: leaf("g3")}
}

func treeOn(t *testing.T, rule board.Rule, picture string, n *Node) *Tree {
	t.Helper()
	b, _ := enginetest.Parse(t, rule, picture)
	return New(b, n)
}

func TestVerify(t *testing.T) {
	for rule := range board.Rule(board.NumRules) {
		tree := treeOn(t, rule, openThree, fourTree())
		plies, err := tree.Verify(t.Context())
		if err != nil || plies != 3 || tree.Win.Plies() != 3 {
			t.Errorf("%v: %d plies, %v; the tree says %d", rule, plies, err, tree.Win.Plies())
		}
		b, _ := enginetest.Parse(t, rule, openThree)
		if line := join(tree.Win.Line(b)); line != "c3 g3 b3" {
			t.Errorf("%v: line %s", rule, line)
		}
	}
}

// An open three is not a win, whatever tree claims so.
func TestVerifyQuiet(t *testing.T) {
	picture := strings.Replace(openThree, "X X X", "X X .", 1)
	_, err := treeOn(t, board.Freestyle, picture, &Node{Move: mv("f3"), Rest: fourTree()}).Verify(t.Context())
	if err == nil || err.Error() != "after f3 b3 c3 g3: b3 is not legal" {
		t.Errorf("error %v", err)
	}
}

// Errors in trees are found, and name the node.
func TestVerifyFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		tree func(n *Node) *Node
		want string
	}{
		{"no move", func(n *Node) *Node { return nil }, "no move"},
		{"occupied", func(n *Node) *Node { n.Move = mv("d3"); return n }, "d3 is not legal"},
		{"off the board", func(n *Node) *Node { n.Move = mv("z26"); return n }, "z26 is not legal"},
		{"no five", func(n *Node) *Node { return leaf("c3") }, "the tree ends with c3, which does not win"},
		{"no four", func(n *Node) *Node { n.Move = mv("a1"); return n }, "after a1 b1: the tree ends with g3, which does not win"},
		{"reply unanswered", func(n *Node) *Node { n.Answers = nil; return n }, "after c3 g3: g3 is not legal"},
		{"rest missing", func(n *Node) *Node { n.Rest = nil; return n }, "after c3: a1 is not answered"},
		{"wrong answer", func(n *Node) *Node { n.Answers[0].Then.Move = mv("a3"); return n }, "after c3 g3: the tree ends with a3, which does not win"},
		{"wrong five", func(n *Node) *Node { n.Rest.Move = mv("h3"); return n }, "after c3 a1: the tree ends with h3, which does not win"},
		{"behind the five", func(n *Node) *Node { n.Rest.Rest = leaf("a1"); return n }, "after c3 a1: g3 wins, but the tree goes on"},
		{"answered twice", func(n *Node) *Node { n.Answers = append(n.Answers, n.Answers[0]); return n }, "after c3: g3 is answered twice"},
		{"without replies", func(n *Node) *Node { n.Answers[0].Replies = nil; return n }, "after c3: answer without a move or without replies"},
		{"without an answer", func(n *Node) *Node { n.Answers[0].Then = nil; return n }, "after c3: answer without a move or without replies"},
		{"never needed", func(n *Node) *Node {
			n.Answers = append(n.Answers, Answer{[]board.Move{mv("d3")}, leaf("g3")})
			return n
		}, "after c3 d3 g3: the move is never needed"},
	} {
		for rule := range board.Rule(board.NumRules) {
			_, err := treeOn(t, rule, openThree, c.tree(fourTree())).Verify(t.Context())
			if err == nil || err.Error() != c.want {
				t.Errorf("%s, %v: error %v, want %s", c.name, rule, err, c.want)
			}
		}
	}
}

// The opponent's five comes first.
func TestVerifyAgainstFive(t *testing.T) {
	const picture = `
		. . . . . . . . .
		. O O O O X . . .
		. . . X X X . . .
		. . . . . . . . .
		. . . . . . . . .
		black to move`
	_, err := treeOn(t, board.Freestyle, picture, fourTree()).Verify(t.Context())
	if err == nil || err.Error() != "after c3: a2 makes a five" {
		t.Errorf("error %v", err)
	}
}

// In renju the only reply may be forbidden, and the winner's moves must not
// be.
func TestVerifyRenju(t *testing.T) {
	const picture = `
		. . . . X . . . .
		. . . . X . . . .
		X O O O . . . . .
		. . . . X . . . .
		. . . . X . . . .
		. . . . X . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		white to move`
	b, _ := enginetest.Parse(t, board.Renju, picture)
	tree := New(b, &Node{Move: mv("f3"), Rest: leaf("e3")})
	if plies, err := tree.Verify(t.Context()); err != nil || plies != 3 {
		t.Errorf("%d plies, %v", plies, err)
	}
	free := New(b, tree.Win)
	free.Rule = board.Freestyle
	if _, err := free.Verify(t.Context()); err == nil || err.Error() != "after f3: e3 makes a five" {
		t.Errorf("freestyle: error %v", err)
	}
}

// A context that ends stops a tree that takes long.
func TestVerifyStops(t *testing.T) {
	b := enginetest.NewBoard(t, 15, 15, board.Freestyle)
	var n *Node
	for i := range 9 {
		n = &Node{Move: board.Pt(14-i, 2*(i%3)), Rest: n}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(b, n).Verify(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestJSON(t *testing.T) {
	tree := treeOn(t, board.Renju, openThree, fourTree())
	tree.Stones = append(tree.Stones, board.Stone{Move: mv("i9"), Cell: board.DeadStone})
	var out bytes.Buffer
	if err := tree.Write(&out); err != nil {
		t.Fatal(err)
	}
	const want = `{"format":"kumiko proof","version":1,"rule":"renju","size":"9x9","black":"d3 e3 f3","white":"c5 c6 e6","dead":"i9",` +
		`"side":"black","win":{"move":"c3","answers":[{"replies":"g3","then":{"move":"b3"}}],"rest":{"move":"g3"}}}` + "\n"
	if out.String() != want {
		t.Errorf("got  %swant %s", out.String(), want)
	}
	again, err := Read(strings.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	if plies, err := again.Verify(t.Context()); err != nil || plies != 3 {
		t.Errorf("%d plies, %v", plies, err)
	}
}

// Files that are not trees are errors that name the place.
func TestReadErrors(t *testing.T) {
	const good = `{"format":"kumiko proof","version":1,
"rule":"renju","size":"9x9","black":"d3 e3 f3","white":"c5",
"side":"black","win":{"move":"c3","answers":[{"replies":"g3","then":{"move":"b3"}}],
"rest":{"move":"g3"}}}
`
	if _, err := Read(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{good, "", "line 1: EOF"},
		{`"rest"`, `rest`, "line 4: invalid character 'r'"},
		{"}}}\n", "}}\n", "line 5: unexpected EOF"},
		{"}}}\n", "}}}\n\n{}", "line 6: text after the tree"},
		{`"version":1`, `"version":2`, `version 2, want "kumiko proof", version 1`},
		{"kumiko proof", "chess", `format "chess"`},
		{`"rule"`, `"rules"`, `unknown field "rules"`},
		{`"renju"`, `"go"`, `unknown rule "go"`},
		{`"9x9"`, `"9x99"`, "board size 9x99"},
		{`"9x9"`, `9`, "line 2: json: cannot unmarshal number"},
		{`"side":"black"`, `"side":"red"`, `invalid side "red"`},
		{"d3 e3", "d3 d3", "two stones on d3"},
		{"d3 e3", "d3 e", `black: move 2: invalid point "e"`},
		{"d3 e3", "d3 z3", "z3 is off the 9x9 board"},
		{`{"move":"c3"`, `{"move":"3"`, `invalid point "3"`},
		{`{"move":"b3"}`, `{"move":"b33"}`, `after c3 g3: invalid point "b33"`},
		{`{"move":"b3"}`, `{"move":"b30"}`, `after c3 g3: b30 is off the board`},
		{`{"move":"b3"}`, `null`, "after c3: answer 1: answer without replies or without a move"},
		{`"replies":"g3"`, `"replies":""`, "after c3: answer 1: answer without replies or without a move"},
		{`"replies":"g3"`, `"replies":"g3 x9"`, "after c3: answer 1: x9 is off the board"},
		{`"rest":{"move":"g3"}`, `"rest":{"move":"-"}`, `after c3 -: invalid point "-"`},
	} {
		bad := strings.Replace(good, c.old, c.new, 1)
		if bad == good {
			t.Fatalf("the file does not contain %s", c.old)
		}
		if _, err := Read(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: error %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

// What is read is written and read again as it was, and nothing makes the
// reader or the verifier panic.
func FuzzRead(f *testing.F) {
	f.Add(`{"format":"kumiko proof","version":1,"rule":"renju","size":"9x9","black":"d3 e3 f3","white":"c5","side":"black","win":{"move":"c3","answers":[{"replies":"g3","then":{"move":"b3"}}],"rest":{"move":"g3"}}}`)
	f.Add(`{"format":"kumiko proof","version":1,"rule":"caro","size":"5","black":"","white":"","dead":"a1 a2","side":"white","win":{"move":"c3"}}`)
	f.Add(`{"win":{}}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, s string) {
		tree, err := Read(strings.NewReader(s))
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := tree.Write(&first); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", s, &first, err)
		}
		if err := again.Write(&second); err != nil || second.String() != first.String() {
			t.Errorf("%q is written as %q, then as %q, %v", s, &first, &second, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // one move is enough here
		tree.Verify(ctx)
	})
}

// readTree reads a tree of testdata, which package engine has built.
func readTree(t *testing.T, path string) *Tree {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tree, err := Read(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return tree
}

// nodes returns all nodes of a tree.
func nodes(n *Node) []*Node {
	if n == nil {
		return nil
	}
	list := append([]*Node{n}, nodes(n.Rest)...)
	for _, a := range n.Answers {
		list = append(list, nodes(a.Then)...)
	}
	return list
}

// slowly verifies without a shortcut.
func slowly(t *testing.T, tree *Tree) error {
	b, err := tree.Board()
	if err != nil {
		return err
	}
	v := verifier{ctx: t.Context(), b: b, winner: tree.Side, used: map[*Node]bool{}}
	if _, err = v.win(tree.Win); err != nil {
		return err
	}
	if path := v.unused(tree.Win, nil); path != nil {
		return &NodeError{path, "the move is never needed"}
	}
	return nil
}

// Real trees verify with and without the shortcut, and after random damage both
// agree, almost always that the tree is no longer a proof.
func TestDamagedTrees(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d trees, %v", len(paths), err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	refused, accepted := 0, 0
	for _, path := range paths {
		tree := readTree(t, path)
		if err := slowly(t, tree); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if plies, err := tree.Verify(t.Context()); err != nil || plies != tree.Win.Plies() {
			t.Errorf("%s: %d plies, want %d, %v", path, plies, tree.Win.Plies(), err)
		}
		for range enginetest.Scaled(4) {
			tree := readTree(t, path)
			damage(rng, tree)
			_, quick := tree.Verify(t.Context())
			slow := slowly(t, tree)
			if (quick == nil) != (slow == nil) {
				t.Errorf("%s: %v with the shortcut, %v without", path, quick, slow)
			}
			if quick == nil {
				accepted++
			} else if _, err := tree.Board(); err == nil && !errors.As(quick, new(*NodeError)) {
				t.Errorf("%s: error %v names no node", path, quick)
			} else {
				refused++
			}
		}
	}
	t.Logf("%d damaged trees refused, %d are proofs still", refused, accepted)
	if refused < 2*accepted {
		t.Errorf("%d damaged trees refused, %d accepted", refused, accepted)
	}
}

// damage changes one thing in a tree.
func damage(rng *rand.Rand, tree *Tree) {
	all := nodes(tree.Win)
	n := all[rng.IntN(len(all))]
	other := all[rng.IntN(len(all))]
	switch k := rng.IntN(7); {
	case k == 0:
		n.Move = board.Pt(rng.IntN(tree.Width), rng.IntN(tree.Height))
	case k == 1:
		n.Move, other.Move = other.Move, n.Move
	case k == 2 && n.Rest != nil:
		n.Rest = nil
	case k == 3 && len(n.Answers) > 0:
		n.Answers = n.Answers[1:]
	case k == 4 && len(n.Answers) > 0:
		n.Answers[0].Replies = []board.Move{board.Pt(rng.IntN(tree.Width), rng.IntN(tree.Height))}
	case k == 5:
		n.Answers = append(n.Answers, Answer{[]board.Move{board.Pt(rng.IntN(tree.Width), rng.IntN(tree.Height))}, leaf("h8")})
	default:
		// A stone moves.
		tree.Stones[rng.IntN(len(tree.Stones))].Move = board.Pt(rng.IntN(tree.Width), rng.IntN(tree.Height))
	}
}

func TestIsFile(t *testing.T) {
	for text, want := range map[string]bool{
		`{"format":"kumiko proof","version":9`: true,
		"\n{ \"format\": \"kumiko proof\"":     true,
		`{"format":"other"}`:                   false,
		"":                                     false,
	} {
		if IsFile([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
