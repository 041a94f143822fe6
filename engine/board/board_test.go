package board

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNewErrors(t *testing.T) {
	for _, tt := range []struct {
		w, h int
		rule Rule
		want string // in the error, nothing for a good board
	}{
		{5, 5, Freestyle, ""},
		{32, 32, Caro6, ""},
		{5, 32, Renju, ""},
		{4, 15, Freestyle, "4x15"},
		{15, 4, Freestyle, "15x4"},
		{33, 15, Freestyle, "33x15"},
		{15, 33, Freestyle, "15x33"},
		{0, 0, Freestyle, "0x0"},
		{-15, 15, Freestyle, "-15x15"},
		{1 << 40, 15, Freestyle, "1099511627776x15"},
		{15, 15, NumRules, "5"},
		{15, 15, 255, "255"},
	} {
		b, err := New(tt.w, tt.h, tt.rule)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("New(%d, %d, %d): %v", tt.w, tt.h, tt.rule, err)
		case tt.want == "":
			if b.Width() != tt.w || b.Height() != tt.h || b.Rule() != tt.rule || b.Side() != Black ||
				b.Stones() != 0 || b.Ply() != 0 || b.Full() || b.Last() != NoMove {
				t.Errorf("New(%d, %d, %d) is not empty:\n%v", tt.w, tt.h, tt.rule, b)
			}
		case err == nil || b != nil || !strings.Contains(err.Error(), tt.want):
			t.Errorf("New(%d, %d, %d): error %v, want one about %s", tt.w, tt.h, tt.rule, err, tt.want)
		}
	}
}

func TestSetupErrors(t *testing.T) {
	b := mustParse(t, Renju, `
		. . . . . . .
		. X . . O . .
		. . . # . . .
		. . . . . . .
		. . . . . . .
		. . . . . . X`)
	before, hash := b.String(), b.Hash()
	for _, tt := range []struct {
		stones []Stone
		want   string
	}{
		{[]Stone{{Pt(7, 0), BlackStone}}, "h1 is off the 7x6 board"},
		{[]Stone{{Pt(0, 6), BlackStone}}, "a7 is off the 7x6 board"},
		{[]Stone{{Pt(31, 31), DeadStone}}, "af32 is off the 7x6 board"},
		{[]Stone{{NoMove, WhiteStone}}, "- is off the 7x6 board"},
		{[]Stone{{Pt(1, 1), BlackStone}, {Pt(2, 2), WhiteStone}, {Pt(1, 1), BlackStone}}, "two stones on b2"},
		{[]Stone{{Pt(3, 3), BlackStone}, {Pt(3, 3), WhiteStone}}, "two stones on d4"},
		{[]Stone{{Pt(0, 0), Empty}}, "invalid stone 0 on a1"},
		{[]Stone{{Pt(0, 0), 4}}, "invalid stone 4 on a1"},
	} {
		err := b.Setup(tt.stones, White)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: error %v, want %s", tt.stones, err, tt.want)
		}
		if b.String() != before || b.Hash() != hash {
			t.Errorf("%v: a failed Setup changed the board to\n%v", tt.stones, b)
		}
	}
}

func TestOn(t *testing.T) {
	b, err := New(9, 6, Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	b.Place(Pt(8, 5))
	for m := range 1 << 16 {
		m := Move(m)
		on := m.X() < 9 && m.Y() < 6
		if b.On(m) != on || b.Empty(m) != (on && m != Pt(8, 5)) || b.Legal(m) != b.Empty(m) {
			t.Errorf("%v (%d): on the board %v, empty %v, legal %v", m, m, b.On(m), b.Empty(m), b.Legal(m))
		}
	}
}

// Taking back everything leads to the position that was set up, and the
// history tells how it was left.
func TestHistory(t *testing.T) {
	b := mustParse(t, Standard, `
		. . . . . .
		. . X . . .
		. . . O . .
		. . . . . .
		. . . . . .
		. . . . . .`)
	before := b.String()
	for i, s := range strings.Fields("a1 f6 c3 b2 b1") {
		side := b.Side()
		m := mustMove(t, s)
		b.Place(m)
		if b.At(m) != side.Stone() || b.Side() != side.Opponent() || b.Last() != m || b.Ply() != i+1 || b.Stones() != i+3 {
			t.Errorf("after %s: %v on it, %v to move, last %v, ply %d, %d stones",
				s, b.At(m), b.Side(), b.Last(), b.Ply(), b.Stones())
		}
	}
	if got, want := movesString(b.History()), "[a1 f6 c3 b2 b1]"; got != want {
		t.Errorf("history %v, want %v", got, want)
	}
	for b.Ply() > 0 {
		b.Undo()
	}
	if got := b.String(); got != before {
		t.Errorf("after taking everything back:\n%vwant\n%v", got, before)
	}
}

func TestPass(t *testing.T) {
	b, err := New(7, 7, Renju)
	if err != nil {
		t.Fatal(err)
	}
	b.Place(Pt(3, 3))
	hash := b.Hash()
	b.Pass()
	if b.Side() != Black || b.Last() != NoMove || b.Ply() != 2 || b.Stones() != 1 || b.Hash() == hash || b.Five() != nil {
		t.Errorf("after a pass %v to move, last %v, ply %d", b.Side(), b.Last(), b.Ply())
	}
	b.Pass()
	if b.Hash() != hash {
		t.Error("two passes change the hash")
	}
	b.Undo()
	b.Undo()
	if b.Side() != White || b.Last() != Pt(3, 3) || b.Ply() != 1 {
		t.Errorf("without the passes %v to move, last %v, ply %d", b.Side(), b.Last(), b.Ply())
	}
}

func TestClear(t *testing.T) {
	b := mustParse(t, Caro5, ".....\n.XXX.\n.....\n..#..\nOOO..\nwhite to move")
	b.Place(Pt(0, 0))
	b.Clear()
	empty, err := New(5, 5, Caro5)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != empty.String() || b.Hash() != empty.Hash() || b.Ply() != 0 {
		t.Errorf("after clearing:\n%v", b)
	}
}

func TestSetRule(t *testing.T) {
	const rows = "......\nXXXXX.\n......\n......\nOOO.O.\n......\nwhite to move"
	for from := range Rule(NumRules) {
		b := mustParse(t, from, rows)
		for to := range Rule(NumRules) {
			b.SetRule(to)
			want := mustParse(t, to, rows)
			if b.Rule() != to || b.String() != want.String() || b.Hash() != want.Hash() {
				t.Errorf("%v instead of %v:\n%v", to, from, b)
			}
			for m := range emptyPoints(b) {
				for c := Black; c <= White; c++ {
					if got, want := b.Shape(m, c), want.Shape(m, c); got != want {
						t.Errorf("%v instead of %v: shape of %v at %v: %d, want %d", to, from, c, m, got, want)
					}
				}
			}
		}
	}
}

// A change of the rule changes the value of the last move.
func TestSetRuleFive(t *testing.T) {
	b := mustParse(t, Freestyle, ".......\n.XXXXX.\n.......\n...O...\n.......")
	if err := b.Setup(stonesOf(b), Black); err != nil {
		t.Fatal(err)
	}
	b.Place(mustMove(t, "g2"))
	for _, tt := range []struct {
		rule Rule
		five string
	}{
		{Freestyle, "[b2 c2 d2 e2 f2 g2]"},
		{Standard, "[]"},
		{Caro6, "[b2 c2 d2 e2 f2 g2]"},
		{Renju, "[]"},
	} {
		b.SetRule(tt.rule)
		if got := movesString(b.Five()); b.Last() != mustMove(t, "g2") || got != tt.five {
			t.Errorf("%v: five %s after %v, want %s after g2", tt.rule, got, b.Last(), tt.five)
		}
	}
}

// Changes to a copy do not affect the original, nor the reverse.
func TestClone(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	b, err := New(15, 15, Renju)
	if err != nil {
		t.Fatal(err)
	}
	playRandom(rng, b, 40)
	before, hash, history := b.String(), b.Hash(), movesString(b.History())
	same := func(b *Board) bool {
		return b.String() == before && b.Hash() == hash && movesString(b.History()) == history
	}
	c := b.Clone()
	if !same(c) {
		t.Errorf("the copy of\n%vis\n%v", before, c)
	}
	for c.Ply() > 10 {
		c.Undo()
	}
	playRandom(rng, c, 60)
	c.SetRule(Standard)
	if !same(b) {
		t.Errorf("the original was\n%vand now is\n%v", before, b)
	}
	c = b.Clone()
	playRandom(rng, b, 20)
	if !same(c) {
		t.Errorf("the copy was\n%vand now is\n%v", before, c)
	}
	for _, b := range []*Board{b, c} {
		for b.Ply() > 0 {
			b.Undo()
			checkShapes(t, b)
		}
	}
}

func TestCopyFrom(t *testing.T) {
	src := mustParse(t, Standard, ".......\n.XXXX..\n.......\n...O...\n.......\n.......\n.......\nblack to move")
	dst := mustParse(t, Standard, "XXX....\n.......\n...O#..\n.......\n.......\n.......\n......O")
	src.Place(mustMove(t, "f2"))
	dst.Place(mustMove(t, "g6"))
	dst.Place(mustMove(t, "f6"))
	for range 2 {
		dst.CopyFrom(src)
		if dst.String() != src.String() || dst.Hash() != src.Hash() || dst.Ply() != 0 {
			t.Errorf("the copy of\n%vis\n%v", src, dst)
		}
		if got := movesString(dst.Five()); dst.Last() != src.Last() || got != "[b2 c2 d2 e2 f2]" {
			t.Errorf("in the copy last move %v, five %v", dst.Last(), got)
		}
		checkShapes(t, dst)
		dst.Place(mustMove(t, "a1"))
		if src.At(Pt(0, 0)) != Empty {
			t.Errorf("a stone on the copy is on the original:\n%v", src)
		}
	}
	for _, size := range [][2]int{{8, 7}, {7, 8}} {
		other, err := New(size[0], size[1], Standard)
		if err != nil {
			t.Fatal(err)
		}
		if !panics(func() { other.CopyFrom(src) }) {
			t.Errorf("CopyFrom between sizes 7x7 and %v", size)
		}
	}
	src.SetRule(Renju)
	if !panics(func() { dst.CopyFrom(src) }) {
		t.Error("CopyFrom between rules")
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

// checkShapes compares the shapes on b with those of a board built anew.
func checkShapes(t *testing.T, b *Board) {
	t.Helper()
	fresh, err := New(b.Width(), b.Height(), b.Rule())
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.Setup(stonesOf(b), b.Side()); err != nil {
		t.Fatal(err)
	}
	for m := range emptyPoints(b) {
		for c := Black; c <= White; c++ {
			if got, want := b.Shape(m, c), fresh.Shape(m, c); got != want {
				t.Errorf("shape of %v at %v: %d, want %d\n%v", c, m, got, want, b)
			}
		}
	}
}

// playRandom plays n random moves.
func playRandom(rng *rand.Rand, b *Board, n int) {
	for n > 0 && !b.Full() {
		if m := Pt(rng.IntN(b.Width()), rng.IntN(b.Height())); b.Empty(m) {
			b.Place(m)
			n--
		}
	}
}

// The hash depends on the stones, the side to move, the rule and the size,
// and not on the order of moves.
func TestHash(t *testing.T) {
	seen := map[uint64]string{}
	add := func(what string, b *Board) {
		if other, ok := seen[b.Hash()]; ok {
			t.Errorf("the same hash for %s and %s", what, other)
		}
		seen[b.Hash()] = what
	}
	for rule := range Rule(NumRules) {
		for w := MinSize; w <= MaxSize; w += 3 {
			for h := MinSize; h <= MaxSize; h += 3 {
				b, err := New(w, h, rule)
				if err != nil {
					t.Fatal(err)
				}
				add(fmt.Sprintf("%v %dx%d", rule, w, h), b)
			}
		}
	}
	b, err := New(MaxSize, MaxSize, Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	b.SetRule(Standard) // an empty board of this size has not been seen
	for y := range MaxSize {
		for x := range MaxSize {
			for cell := BlackStone; cell <= DeadStone; cell++ {
				for side := Black; side <= White; side++ {
					if err := b.Setup([]Stone{{Pt(x, y), cell}}, side); err != nil {
						t.Fatal(err)
					}
					add(fmt.Sprintf("%c on %v, %v to move", cellRunes[cell], Pt(x, y), side), b)
					if testing.Short() || x+y > 20 {
						break
					}
				}
			}
		}
	}
	b.Clear()
	for _, order := range []string{"h8 i9 j10 k11", "j10 k11 h8 i9", "j10 i9 h8 k11"} {
		for _, s := range strings.Fields(order) {
			b.Place(mustMove(t, s))
		}
		hash := b.Hash()
		if err := b.Setup(stonesOf(b), b.Side()); err != nil {
			t.Fatal(err)
		}
		if b.Hash() != hash {
			t.Errorf("%s: hash %x, set up %x", order, hash, b.Hash())
		}
		if other, ok := seen[hash]; ok && other != "four stones" {
			t.Errorf("the same hash for %s and four stones", other)
		}
		seen[hash] = "four stones"
		b.Clear()
	}
}

// The operations of a search do not allocate.
func TestAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for rule := range Rule(NumRules) {
		for _, size := range [][2]int{{15, 15}, {20, 20}, {5, 32}, {32, 32}} {
			b, err := New(size[0], size[1], rule)
			if err != nil {
				t.Fatal(err)
			}
			points := make([]Move, 0, size[0]*size[1])
			for m := range emptyPoints(b) {
				points = append(points, m)
			}
			rng.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
			found := make([]Move, 0, len(points))
			allocs := testing.AllocsPerRun(2, func() {
				for _, m := range points {
					b.Wins(m, b.Side())
					b.Forbidden(m)
					b.Legal(m)
					b.FivePoint(m, b.Side())
					found = b.Defences(found[:0], m, b.Side(), ShapeThree)
					found = b.Helpers(found[:0], m, b.Side(), ShapeThree)
					b.Pass()
					b.Place(m)
					b.Undo()
					b.Undo()
					b.Place(m)
					found = b.Find(found[:0], Black, ShapeThree)
				}
				for range points {
					b.Undo()
				}
			})
			if allocs != 0 {
				t.Errorf("%v %dx%d: %v allocations in a game of %d moves", rule, size[0], size[1], allocs, len(points))
			}
		}
	}
}

// BenchmarkPlaceUndo plays a point close to the stones of an opening and
// takes it back.
func BenchmarkPlaceUndo(b *testing.B) {
	for rule := range Rule(NumRules) {
		for _, size := range []int{15, 20} {
			b.Run(fmt.Sprintf("rule=%v/size=%d", rule, size), func(b *testing.B) {
				board, err := New(size, size, rule)
				if err != nil {
					b.Fatal(err)
				}
				rng := rand.New(rand.NewPCG(7, 7))
				for board.Ply() < 30 {
					if m := Pt(size/2-4+rng.IntN(9), size/2-4+rng.IntN(9)); board.Empty(m) {
						board.Place(m)
					}
				}
				var near []Move
				for m := range emptyPoints(board) {
					if board.Near(m.Y())>>m.X()&1 == 1 {
						near = append(near, m)
					}
				}
				rng.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					board.Place(near[i%len(near)])
					board.Undo()
				}
			})
		}
	}
}
