package engine

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kumiko/engine/board"
	"kumiko/engine/enginetest"
	"kumiko/nn"
)

// TestPUCT runs the tests of searches with PUCT.
func TestPUCT(t *testing.T) {
	if enginetest.Race {
		t.Skip("PUCT has one thread")
	}
	before := testOptions
	defer func() { testOptions = before }()
	testOptions.Search = PUCT
	for _, c := range []struct {
		name string
		test func(*testing.T)
	}{
		{"SearchIsLegal", TestSearchIsLegal},
		{"SearchWithoutMoves", TestSearchWithoutMoves},
		{"Reproducible", TestReproducible},
		{"StopLatency", TestStopLatency},
		{"TurnLimit", TestTurnLimit},
		{"NodeLimit", TestNodeLimit},
		{"ReportedLines", TestReportedLines},
		{"MultiPV", TestMultiPV},
		{"MultiPVForced", TestMultiPVForced},
		{"SearchAllocations", TestSearchAllocations},
		{"ChangingBoards", TestChangingBoards},
		{"NothingIsLeftBehind", TestNothingIsLeftBehind},
		{"Memory", TestMemory},
		{"Defend", TestDefend},
		{"ThreatProblems", TestThreatProblems},
		{"Reports", TestReports},
		{"Telling", TestTelling},
		{"TellingEarly", TestTellingEarly},
		{"AnnouncedWins", TestAnnouncedWins},
		{"Endgames", TestEndgames},
	} {
		t.Run(c.name, c.test)
	}
}

// explored returns an explorer whose tree has some visits of a position, or nil if no
// move is worth searching.
func explored(t testing.TB, b *board.Board, visits int32) *explorer {
	t.Helper()
	e := New(Options{Memory: 64 << 20, Search: PUCT})
	s := e.ready(t.Context(), b)
	s.ctl = &control{hard: NoLimit}
	r := &root{searcher: s, engine: e, reportVCF: e.reportVCF, budget: budget{NoLimit, NoLimit, false}, maxDepth: MaxDepth, multiPV: 1, report: func(Info) {}}
	if r.collect(); len(r.list) == 0 {
		return nil
	}
	x := newExplorer(r)
	x.plant()
	x.grow(visits)
	return x
}

// TestTreeAgainstTwin grows trees from random positions and compares every node with
// what follows from its position and its children.
func TestTreeAgainstTwin(t *testing.T) {
	proven := 0
	enginetest.EachRandom(t, enginetest.Scaled(60), func(t *testing.T, b *board.Board) {
		if b.Full() || b.Count(b.Side(), board.ShapeFive) > 0 || len(legalMoves(b)) < 2 {
			return
		}
		x := explored(t, b, 300)
		if x == nil {
			return
		}
		top := &x.tree.nodes[x.tree.top]
		if top.visits < 300 && top.proven == 0 && !x.full {
			t.Errorf("%d visits", top.visits)
		}
		checkNode(t, x, b.Clone(), x.tree.top)
		for i := range x.tree.nodes {
			if x.tree.nodes[i].proven != 0 {
				proven++
			}
		}
	})
	if proven < 100 {
		t.Errorf("only %d nodes with an outcome", proven)
	}
}

func legalMoves(b *board.Board) (list []board.Move) {
	for m := range b.LegalMoves {
		list = append(list, m)
	}
	return list
}

// checkNode checks a node, whose position is on b, and all below it.
func checkNode(t *testing.T, x *explorer, b *board.Board, n int32) {
	t.Helper()
	nd := &x.tree.nodes[n]
	if nd.hash != b.Hash() {
		t.Fatalf("hash %x, want %x\n%v", nd.hash, b.Hash(), b)
	}
	var moves []board.Move
	var visits int32
	var sum, priors float64
	outcomes := map[outcome]bool{}
	for c := nd.child; c != 0; c = x.tree.nodes[c].next {
		child := &x.tree.nodes[c]
		moves = append(moves, child.move)
		visits += child.visits
		sum += float64(child.visits) - child.sum
		priors += float64(child.prior)
		outcomes[child.proven] = true
		if !b.Legal(child.move) {
			t.Fatalf("%v is not legal\n%v", child.move, b)
		}
		b.Place(child.move)
		if child.visits > 0 {
			checkNode(t, x, b, c)
		}
		b.Undo()
	}
	for i := nd.opened; i < nd.edges; i++ {
		e := x.tree.edge(nd, i)
		moves = append(moves, e.move())
		priors += float64(e.prior())
		if i > nd.opened && e.prior() > x.tree.edge(nd, i-1).prior() {
			t.Errorf("the prior of %v is above the one before", e.move())
		}
	}
	slices.Sort(moves)
	if len(slices.Compact(slices.Clone(moves))) != len(moves) {
		t.Errorf("a move stands twice: %v\n%v", moves, b)
	}
	if nd.block != 0 && (priors > 1.01 || len(moves) == int(nd.moves) && priors < 0.99) {
		t.Errorf("the priors add up to %v", priors)
	}
	// Every visit but the first, and those that end where nothing is new, goes to a
	// child; its value is the child's.
	own := nd.visits - visits
	switch {
	case own < 0 || own > 1 && nd.proven == 0 && !x.full:
		t.Errorf("%d visits, of its children %d\n%v", nd.visits, visits, b)
	case nd.visits > 0 && (nd.sum-sum < -1e-6 || nd.sum-sum > float64(own)+1e-6):
		t.Errorf("sum %v of %d visits, of its children %v of %d", nd.sum, nd.visits, sum, visits)
	}
	// What is proven follows from the children, if not from the position itself.
	if nd.proven == 0 || nd.child == 0 {
		return
	}
	best := outcome(0)
	for o := range outcomes {
		if o.lost() && (best == 0 || 1-o < best) {
			best = 1 - o
		}
	}
	switch {
	case best > 0 && nd.proven.won():
	case nd.proven.won(): // by a VCF of its own
		if n, _ := x.vcf.Solve(b, 64, 100_000); n == 0 {
			t.Errorf("won in %d without a child or a VCF\n%v", nd.proven, b)
		}
	case best > 0 || outcomes[0] || nd.opened < nd.edges:
		t.Errorf("outcome %d does not follow from %v\n%v", nd.proven, outcomes, b)
	case (nd.proven == provenDraw) != outcomes[provenDraw]:
		t.Errorf("outcome %d, its children %v\n%v", nd.proven, outcomes, b)
	}
}

// TestCut cuts a tree to every node near its root in turn, and compares what is left with
// what was there.
func TestCut(t *testing.T) {
	b, err := playedBoard("freestyle", 15, "h8i9g8i8i7h9j9")
	if err != nil {
		t.Fatal(err)
	}
	x := explored(t, b, 3000)
	// A copy of what belongs to a node, as a slow tree.
	type twin struct {
		treeNode
		edges    []edge
		children []*twin
	}
	var copyOf func(n int32) *twin
	copyOf = func(n int32) *twin {
		nd := x.tree.nodes[n]
		c := &twin{treeNode: nd}
		for i := range nd.edges {
			c.edges = append(c.edges, x.tree.edge(&nd, i))
		}
		for k := nd.child; k != 0; k = x.tree.nodes[k].next {
			c.children = append(c.children, copyOf(k))
		}
		c.child, c.next, c.block = 0, 0, 0
		return c
	}
	var same func(a, b *twin) bool
	same = func(a, b *twin) bool {
		return a.treeNode == b.treeNode && slices.Equal(a.edges, b.edges) && slices.EqualFunc(a.children, b.children, same)
	}
	for steps := range 6 {
		// To the child of the most visits, or one of the others.
		var list []int32
		for c := x.tree.nodes[x.tree.top].child; c != 0; c = x.tree.nodes[c].next {
			if x.tree.nodes[c].child != 0 {
				list = append(list, c)
			}
		}
		if len(list) == 0 {
			t.Fatalf("no child has children after %d steps", steps)
		}
		slices.SortFunc(list, func(a, b int32) int { return int(x.tree.nodes[b].visits - x.tree.nodes[a].visits) })
		n := list[steps%min(2, len(list))]
		want := copyOf(n)
		x.tree.cut(n)
		if got := copyOf(x.tree.top); !same(got, want) {
			t.Fatalf("step %d: the tree differs after the cut", steps)
		}
		count := 1
		var counted func(*twin)
		counted = func(n *twin) {
			count++
			for _, c := range n.children {
				counted(c)
			}
		}
		counted(want)
		if len(x.tree.nodes) != count {
			t.Errorf("%d nodes left, want %d", len(x.tree.nodes), count)
		}
	}
}

// TestTreeKept plays on after a search: the next one begins with the visits of its
// position.
func TestTreeKept(t *testing.T) {
	e := New(Options{Memory: 64 << 20, Search: PUCT})
	b, err := playedBoard("freestyle", 15, "h8i9g8i8i7h9j9")
	if err != nil {
		t.Fatal(err)
	}
	res := e.Search(t.Context(), Request{Board: b, Limits: nodes(20_000)}, nil)
	for _, m := range res.PV[:2] {
		b.Place(m)
	}
	n := e.tree.find(b)
	if n == 0 {
		t.Fatalf("no node after %v", res.PV[:2])
	}
	kept := e.tree.nodes[n].visits
	e.Search(t.Context(), Request{Board: b, Limits: nodes(100)}, nil)
	if got := e.tree.nodes[e.tree.top].visits; kept < 100 || got < kept {
		t.Errorf("%d visits before the search and %d after it", kept, got)
	}
	b.Undo()
	b.Undo()
	if e.tree.find(b) != 0 {
		t.Error("the position before the root is still in the tree")
	}
}

// TestFullTree searches with room for few nodes only.
func TestFullTree(t *testing.T) {
	for _, b := range quietBoards(t) {
		e := New(Options{Memory: 64 << 20, Search: PUCT})
		e.ready(t.Context(), b)
		e.tree = newTree(40_000)
		res := e.Search(t.Context(), Request{Board: b, Limits: nodes(50_000)}, nil)
		if !b.Legal(res.Move) || res.Nodes > 20_000 {
			t.Errorf("%v after %d nodes", res.Move, res.Nodes)
		}
		checkLine(t, b, res.PV)
		checkNode(t, &explorer{root: &root{searcher: e.s}, tree: e.tree, full: true}, b.Clone(), e.tree.top)
	}
}

// TestEdge packs and unpacks edges.
func TestEdge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		m, p := board.Move(rng.IntN(points)), rng.Float32()
		if e := makeEdge(m, p); e.move() != m || math.Abs(float64(e.prior()-p)) > 1.0/math.MaxUint16 {
			t.Fatalf("%v %v became %v %v", m, p, e.move(), e.prior())
		}
	}
	if makeEdge(5, 1).prior() != 1 || makeEdge(5, 0).prior() != 0 {
		t.Error("certain or impossible moves are not")
	}
}

// TestScoreOf is the inverse of WinRate.
func TestScoreOf(t *testing.T) {
	for v := Score(-3000); v <= 3000; v += 7 {
		if got := scoreOf(v.WinRate()); got != v {
			t.Fatalf("score %v of the winning rate of %v", got, v)
		}
	}
	if scoreOf(0) != -maxEval || scoreOf(1) != maxEval {
		t.Error("certain wins are out of range")
	}
}

// TestPUCTWithNet searches with a network's policy, which changes what is searched, and
// lets go of the tree when the search or the evaluation changes.
func TestPUCTWithNet(t *testing.T) {
	o := netOptions()
	o.Search = PUCT
	e := New(o)
	b := quietBoards(t)[0]
	limits := nodes(3000)
	with := e.Search(t.Context(), Request{Board: b, Limits: limits}, nil)
	checkLine(t, b, with.PV)
	if e.s.eval.(*netEval).points == nil {
		t.Error("the network's policy was not asked")
	}
	e.SetEvaluation(ByTables)
	without := e.Search(t.Context(), Request{Board: b, Limits: limits}, nil)
	if with.Score == without.Score && with.Nodes == without.Nodes {
		t.Errorf("score %v in %d nodes with the network and without it", with.Score, with.Nodes)
	}
	e.SetSearch(AlphaBeta)
	if e.tree != nil {
		t.Error("the tree is still there")
	}
	if res := e.Search(t.Context(), Request{Board: b, Limits: limits}, nil); !b.Legal(res.Move) || e.tree != nil {
		t.Errorf("%v by alpha-beta, tree %p", res.Move, e.tree)
	}
}

func TestParseSearch(t *testing.T) {
	for v := range Search(2) {
		if got, err := ParseSearch(v.String()); err != nil || got != v {
			t.Errorf("%v became %v, error %v", v, got, err)
		}
	}
	if _, err := ParseSearch("minimax"); err == nil || err.Error() != `unknown search "minimax", want alphabeta or puct` {
		t.Errorf("error %v", err)
	}
}

// TestResidualEvaluator compares the evaluator with the network's own output in positions
// of all sizes and rules, and searches with it.
func TestResidualEvaluator(t *testing.T) {
	net := nn.NewResidual(nn.ResidualShape{Planes: board.NumPlanes, Blocks: 2, Channels: 8, Head: 8}, "test", rand.New(rand.NewPCG(1, 2)))
	for i := range net.V2 {
		net.V2[i], net.P2[i] = float32(i)/8, float32(i%3)-1
	}
	tower := nn.NewTower(net, false)
	eval := newResidualEval(tower)
	enginetest.EachRandom(t, enginetest.Scaled(100), func(t *testing.T, b *board.Board) {
		var p board.Planes
		p.Set(b)
		var w nn.TowerWorkspace
		value, policy := make([]float32, 1), make([]float32, b.Width()*b.Height())
		tower.Forward(value, policy, p.Data, nn.Grid{Height: b.Height(), Width: b.Width()}, &w)
		eval.Attach(b)
		if got, want := eval.Evaluate(b), Score(math.Round(float64(value[0])*200)); got != want {
			t.Errorf("value %v, want %v\n%v", got, want, b)
		}
		var moves []scoredMove
		for m := range b.LegalMoves {
			moves = append(moves, scoredMove{move: m})
		}
		logits := make([]float32, len(moves))
		eval.Policy(b, moves, logits)
		for i, m := range moves {
			if want := policy[m.move.Y()*b.Width()+m.move.X()]; logits[i] != want {
				t.Errorf("logit of %v is %v, want %v\n%v", m.move, logits[i], want, b)
			}
		}
	})
	o := netOptions()
	o.Memory, o.Search, o.Residuals[board.Freestyle] = 64<<20, PUCT, net
	e := New(o)
	size, _ := e.tableSizes()
	for _, b := range quietBoards(t) {
		res := e.Search(t.Context(), Request{Board: b, Limits: nodes(500)}, nil)
		checkLine(t, b, res.PV)
		r, ok := e.s.eval.(*residualEval)
		if ok != (b.Rule() == board.Freestyle) {
			t.Errorf("%v: residual network %v", b.Rule(), ok)
		} else if ok && r.known == 0 {
			t.Error("the network was not asked")
		}
	}
	b := quietBoards(t)[0]
	e.Search(t.Context(), Request{Board: b, Limits: nodes(100)}, nil)
	if now, _ := e.tableSizes(); now >= size {
		t.Errorf("the tables have %d bytes with the network, %d without", now, size)
	}
	for name, change := range map[string]func(){
		"the tables should": func() { e.SetEvaluation(ByTables) },
		"it does not fit":   func() { e.SetEvaluation(ByNet); e.SetMemory(leastNetMemory + ResidualMemory(net) - 1) },
	} {
		change()
		e.Search(t.Context(), Request{Board: b, Limits: nodes(100)}, nil)
		if _, ok := e.s.eval.(*residualEval); ok {
			t.Errorf("the network evaluates although %s", name)
		}
	}
}

// TestResidualMemory compares what an evaluator allocates with what is put aside for it.
func TestResidualMemory(t *testing.T) {
	if enginetest.Race {
		t.Skip("measures memory")
	}
	for _, channels := range []int{8, 32, 96} {
		net := nn.NewResidual(nn.ResidualShape{Planes: board.NumPlanes, Blocks: 3, Channels: channels, Head: channels}, "test", rand.New(rand.NewPCG(1, 2)))
		b := enginetest.NewBoard(t, board.MaxSize, board.MaxSize, board.Freestyle)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		newResidualEval(nn.NewTower(net, false)).Evaluate(b)
		runtime.ReadMemStats(&after)
		took, want := int64(after.TotalAlloc-before.TotalAlloc), ResidualMemory(net)
		t.Logf("%d channels: %d bytes, %d put aside", channels, took, want)
		if took > want || took < want/3 {
			t.Errorf("%d channels: %d bytes allocated, %d put aside", channels, took, want)
		}
	}
}

// TestTreeNodeSize keeps the memory of a tree within its limit.
func TestTreeNodeSize(t *testing.T) {
	if got := reflect.TypeFor[treeNode]().Size(); got != treeNodeBytes {
		t.Errorf("a node has %d bytes, want %d", got, treeNodeBytes)
	}
}

// TestLoadNet reads networks of both kinds from files, and bad ones.
func TestLoadNet(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, n interface{ Write(io.Writer) error }) string {
		var data bytes.Buffer
		if err := n.Write(&data); err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	residual := func(planes int, rule string) *nn.Residual {
		return nn.NewResidual(nn.ResidualShape{Planes: planes, Blocks: 1, Channels: 8, Head: 8}, rule, rand.New(rand.NewPCG(1, 2)))
	}
	small := testNet(board.Renju)
	var o Options
	o.Evaluation = ByTables
	if rule, err := o.LoadNet(write("residual", residual(board.NumPlanes, "renju"))); err != nil || rule != board.Renju || o.Residuals[rule] == nil || o.Evaluation != ByNet {
		t.Errorf("rule %v, error %v", rule, err)
	}
	if rule, err := o.LoadNet(write("net", small)); err != nil || rule != board.Renju || o.Residuals[rule] != nil || o.Nets[rule] == nil {
		t.Errorf("rule %v, error %v", rule, err)
	}
	small.Name = "chess"
	for name, want := range map[string]string{
		write("planes", residual(3, "renju")):      "planes: a network of 3 planes, want one of 4",
		write("chess", residual(4, "chess")):       `unknown rule "chess"`,
		write("small chess", small):                `unknown rule "chess"`,
		filepath.Join(dir, "none"):                 "no such file",
		write("text", text("not a network")):       "not a file of a network",
		write("cut", text("kumires\x01\x05renju")): "the file ends after",
	} {
		if _, err := o.LoadNet(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", name, err, want)
		}
	}
}

// text is a file.
type text string

func (s text) Write(w io.Writer) error {
	_, err := io.WriteString(w, string(s))
	return err
}
