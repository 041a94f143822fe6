package board

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"kumiko/engine/board/boardtest"
)

// long reports whether the tests that take minutes are to run, too, such as
// millions of moves on the board and its twin.
func long() bool { return os.Getenv("KUMIKO_LONG") != "" }

// A walk plays and takes back random moves on a board and on its naive twin
// and compares the two.
type walk struct {
	t      *testing.T
	rng    *rand.Rand
	b      *Board
	twin   *naive
	hashes []uint64 // of the positions on the way here, the present one last
	weight *Weights
	spare  *Board // takes copies of b
}

func newWalk(t *testing.T, rng *rand.Rand, w, h int, rule Rule) *walk {
	t.Helper()
	b, err := New(w, h, rule)
	if err != nil {
		t.Fatal(err)
	}
	spare, err := New(w, h, rule)
	if err != nil {
		t.Fatal(err)
	}
	weight := new(Weights)
	for c := range weight {
		for i := range weight[c] {
			weight[c][i] = int16(rng.Uint32())
		}
	}
	b.SetWeights(weight)
	spare.SetWeights(weight)
	return &walk{t, rng, b, newNaive(w, h, rule), []uint64{b.Hash()}, weight, spare}
}

// run makes steps steps. Where the walk leads upward it places more than it
// takes back, until the board is nearly full.
func (w *walk) run(steps int) {
	area := w.twin.Width * w.twin.Height
	up := true
	for step := range steps {
		if w.b.Ply() == 0 && (w.b.Full() || w.rng.IntN(2) == 0) {
			w.setup()
			up = true
		}
		up = up != (w.rng.IntN(area) == 0)
		if w.b.Full() {
			up = false
			w.undo()
		} else if w.rng.IntN(100) < 75 == up {
			w.place(w.pick())
		} else if w.b.Ply() > 0 {
			w.undo()
		}
		if step%area == 0 {
			w.checkAll()
			w.replace()
		}
		if w.t.Failed() {
			w.t.Fatalf("%v, after step %d:\n%v", w.b.Rule(), step, w.b)
		}
	}
	for w.b.Ply() > 0 {
		w.undo()
	}
	w.checkAll()
}

// replace sometimes continues with an equal board made in another way.
func (w *walk) replace() {
	other := Rule(w.rng.IntN(NumRules))
	switch w.rng.IntN(4) {
	case 0:
		w.b = w.b.Clone()
	case 1:
		w.spare.CopyFrom(w.b)
		w.b, w.spare = w.spare, w.b
	case 2:
		w.b.SetRule(other)
		w.b.SetRule(w.twin.rule)
	}
	w.hashes = w.hashes[len(w.hashes)-1-w.b.Ply():]
	w.checkAll()
}

// setup starts from some stones, often none, dead ones among them.
func (w *walk) setup() {
	var stones []Stone
	if w.rng.IntN(2) == 0 {
		for y := range w.twin.Height {
			for x := range w.twin.Width {
				if w.rng.IntN(8) == 0 {
					stones = append(stones, Stone{Pt(x, y), Cell(1 + w.rng.IntN(3))})
				}
			}
		}
	}
	if err := w.b.Setup(stones, Color(w.rng.IntN(2))); err != nil {
		w.t.Fatal(err)
	}
	w.twin = naiveOf(w.b)
	w.hashes = append(w.hashes[:0], w.b.Hash())
}

// pick returns an empty point, mostly one close to the last stone.
func (w *walk) pick() Move {
	if last := w.b.Last(); last != NoMove && w.rng.IntN(4) > 0 {
		for range 8 {
			x, y := last.X()+w.rng.IntN(7)-3, last.Y()+w.rng.IntN(7)-3
			if x >= 0 && y >= 0 && x < w.twin.Width && y < w.twin.Height && w.b.Empty(Pt(x, y)) {
				return Pt(x, y)
			}
		}
	}
	var empty []Move
	for m := range emptyPoints(w.b) {
		empty = append(empty, m)
	}
	return empty[w.rng.IntN(len(empty))]
}

func (w *walk) place(m Move) {
	if w.rng.IntN(50) == 0 && w.b.Last() != NoMove {
		w.b.Pass()
		w.hashes = append(w.hashes, w.b.Hash())
		w.checkCounters()
	}
	p, c := pointOf(m), w.b.Side()
	w.check("legal", w.b.Legal(m), w.twin.Legal(p, sign(c)))
	w.check("wins", w.b.Wins(m, c), w.twin.Wins(p, sign(c)))
	w.b.Place(m)
	w.twin.Set(p, sign(c))
	w.hashes = append(w.hashes, w.b.Hash())
	w.checkLines(p)
	w.checkFive(p)
}

func (w *walk) undo() {
	m := w.b.Last()
	w.b.Undo()
	w.hashes = w.hashes[:len(w.hashes)-1]
	if m == NoMove {
		w.checkCounters()
		return
	}
	p := pointOf(m)
	w.twin.Set(p, boardtest.Empty)
	w.checkLines(p)
}

// check compares the board with the naive one.
func (w *walk) check(what string, got, want any) {
	if got != want {
		w.t.Helper()
		w.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (w *walk) checkCounters() {
	w.check("hash", w.b.Hash(), w.hashes[len(w.hashes)-1])
	w.check("ply", w.b.Ply(), len(w.hashes)-1)
	w.check("history", len(w.b.History()), w.b.Ply())
}

// checkLines compares what a change of p can have changed.
func (w *walk) checkLines(p point) {
	w.checkCounters()
	for dir, d := range boardtest.Directions {
		for k := -6; k <= 6; k++ {
			q := p.Step(d, k)
			if w.twin.At(q) != '.' {
				continue
			}
			m := Pt(q.X, q.Y)
			for c := Black; c <= White; c++ {
				if got, want := w.b.Line(m, c, dir), w.twin.line(q, d, sign(c)); got != want {
					w.t.Errorf("line of %v at %v in direction %d: %d, want %d", c, q, dir, got, want)
				}
				if got, want := w.b.Shape(m, c), shapeOf(countsOf(w.b.Code(m, c)), w.b.Rule() == Renju && c == Black); got != want {
					w.t.Errorf("shape of %v at %v: %d, but its code is that of %d", c, q, got, want)
				}
			}
		}
	}
}

// checkFive compares the five through the stone on p.
func (w *walk) checkFive(p point) {
	five := w.b.Five()
	w.check("five is there", five != nil, w.twin.Won(p))
	if five == nil {
		return
	}
	for _, d := range boardtest.Directions {
		if w.twin.WinningRun(p, d) {
			stones, before, _ := w.twin.Run(p, d)
			var run []Move
			for k := range stones {
				q := before.Step(d, k+1)
				run = append(run, Pt(q.X, q.Y))
			}
			if slices.Equal(run, five) {
				return
			}
		}
	}
	w.t.Errorf("%v is not a winning run through %v", five, p)
}

// checkAll compares everything.
func (w *walk) checkAll() {
	b, twin := w.b, w.twin
	w.checkCounters()
	stones, value := 0, [2]int{}
	var legal []Move
	var count [2][NumShapes]int
	for y := range twin.Height {
		for x := range twin.Width {
			p, m := point{X: x, Y: y}, Pt(x, y)
			w.check("cell", ".XO#"[b.At(m)], twin.At(p))
			w.check("empty", b.Empty(m), twin.At(p) == '.')
			w.check("vacant", b.Vacant(y)>>x&1 == 1, twin.At(p) == '.')
			w.check("near", b.Near(y)>>x&1 == 1, twin.At(p) == '.' && twin.near(p))
			for c := Black; c <= White; c++ {
				if twin.At(p) != '.' {
					w.check("four on a stone", b.Fours(c, y)>>x&1, uint32(0))
					continue
				}
				lines, shape := twin.lines(p, sign(c)), twin.shape(p, sign(c))
				for dir, l := range lines {
					w.check("line", b.Line(m, c, dir), l)
				}
				w.check("shape", b.Shape(m, c), shape)
				w.check("wins", b.Wins(m, c), twin.Wins(p, sign(c)))
				w.check("fours", b.Fours(c, y)>>x&1 == 1, shape >= ShapeFour)
				count[c][shape]++
				value[c] += int(w.weight[c][b.Code(m, c)])
			}
			if twin.At(p) != '.' {
				stones++
				continue
			}
			w.check(fmt.Sprint("forbidden at ", p), b.Forbidden(m).String(), twin.Forbidden(p))
			w.check("legal", b.Legal(m), twin.Legal(p, sign(b.Side())))
			if b.Legal(m) {
				legal = append(legal, m)
			}
		}
	}
	w.check("legal moves", fmt.Sprint(slices.Collect(b.LegalMoves)), fmt.Sprint(legal))
	w.check("stones", b.Stones(), stones)
	w.check("full", b.Full(), stones == twin.Width*twin.Height)
	for c := Black; c <= White; c++ {
		w.check("value", b.Value(c), value[c])
		for s := range Shape(NumShapes) {
			w.check(fmt.Sprintf("count of %v's shape %d", c, s), b.Count(c, s), count[c][s])
			found := b.Find(nil, c, s)
			w.check("found", len(found), count[c][s])
			for _, m := range found {
				w.check("shape found", b.Shape(m, c), s)
			}
		}
	}
	w.checkShapesAfter()

	if err := w.spare.Setup(stonesOf(b), b.Side()); err != nil {
		w.t.Fatal(err)
	}
	w.check("hash of a new board", b.Hash(), w.spare.Hash())
}

// checkShapesAfter compares what is said of a second stone, at a few random
// points.
func (w *walk) checkShapesAfter() {
	if w.twin.Width*w.twin.Height-w.b.Stones() < 2 {
		return
	}
	for range 4 {
		m, c := w.pick(), Color(w.rng.IntN(2))
		p, s := pointOf(m), w.b.Shape(m, c)
		after := [2]map[Move]Shape{{m: ShapeNone}, {m: ShapeNone}} // by the second stone's owner
		var fives []Move                                           // for c with a stone on m
		for z := range emptyPoints(w.b) {
			for by := Black; by <= White; by++ {
				if z != m {
					w.twin.With(pointOf(z), sign(by), func() { after[by][z] = w.twin.shape(p, sign(c)) })
				}
				w.check(fmt.Sprintf("shape of %v on %v after %v of %v", c, m, z, by), w.b.ShapeAfter(m, c, z, by), after[by][z])
			}
		}
		w.twin.With(p, sign(c), func() {
			for z := range emptyPoints(w.b) {
				if z != m && w.twin.Wins(pointOf(z), sign(c)) {
					fives = append(fives, z)
				}
			}
		})
		four := false
		for dir := range numDirs {
			l := w.b.Line(m, c, dir)
			four = four || l == LineFour || l == LineOpenFour || l == LineDoubleFour
		}
		if five := w.b.FivePoint(m, c); four && !slices.Contains(fives, five) || !four && five != NoMove {
			w.t.Errorf("five %v after %v of %v, want one of %v", five, m, c, fives)
		}
		for _, least := range []Shape{ShapeThree, ShapeThreeThree, ShapeFour, ShapeFourThree, ShapeOpenFour, ShapeFive} {
			if s >= least {
				w.checkPoints("defences", w.b.Defences(nil, m, c, least), func(z Move) bool { return after[c.Opponent()][z] < least })
			} else {
				w.checkPoints("helpers", w.b.Helpers(nil, m, c, least), func(z Move) bool { return after[c][z] >= least })
			}
		}
	}
}

// checkPoints compares a list of points with the empty points that pass a test.
func (w *walk) checkPoints(what string, got []Move, pass func(Move) bool) {
	var want []Move
	for z := range emptyPoints(w.b) {
		if pass(z) {
			want = append(want, z)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		w.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The incremental board and its naive twin agree after every step of random
// games, on boards of all shapes and under every rule.
func TestAgainstTwin(t *testing.T) {
	sizes := [][2]int{{15, 15}, {20, 20}, {5, 5}, {9, 6}, {32, 5}, {5, 32}, {19, 15}, {32, 32}}
	steps := 20_000
	switch {
	case long():
		steps = 1_000_000
		for len(sizes) < 50 {
			w, h := MinSize+len(sizes)*5%28, MinSize+len(sizes)*11%28
			sizes = append(sizes, [2]int{w, h})
		}
	case testing.Short():
		steps = 8_000
	}
	for rule := range Rule(NumRules) {
		t.Run(rule.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(rule)))
			for _, size := range sizes {
				newWalk(t, rng, size[0], size[1], rule).run(steps / len(sizes))
			}
		})
	}
}
