package nn

import (
	"math/rand/v2"
	"testing"
)

// TestNumbering pins the numbers of lines: files of networks do not depend on them,
// but the engine computes them by itself.
func TestNumbering(t *testing.T) {
	for reach, want := range []struct{ halves, codes int }{1: {4, 30}, 2: {13, 273}, 3: {40, 2460}, 4: {121, 22143}, 5: {364, 199290}} {
		if reach > 0 && (HalfLines(reach) != want.halves || NumCodes(reach) != want.codes) {
			t.Errorf("reach %d: %d half lines and %d codes, want %+v", reach, HalfLines(reach), NumCodes(reach), want)
		}
	}
	for _, c := range []struct {
		points []int
		want   int
	}{
		{nil, 0},
		{[]int{Empty}, 1},
		{[]int{Own}, 2},
		{[]int{Other}, 3},
		{[]int{Empty, Empty, Empty, Empty}, 40},
		{[]int{Own, Empty, Empty, Other}, 40 + 1 + 54},
		{[]int{Other, Other, Other, Other, Other}, 363},
	} {
		if got := HalfLine(c.points); got != c.want {
			t.Errorf("half line %v has number %d, want %d", c.points, got, c.want)
		}
	}
	for _, c := range []struct {
		reach, center, a, b int
		want                uint32
	}{
		{4, Empty, 0, 0, 0},
		{4, Empty, 40, 40, 40*41/2 + 40},
		{4, Own, 3, 120, 7381 + 120*121/2 + 3},
		{4, Other, 120, 120, 22142},
		{5, Other, 363, 363, 199289},
	} {
		if got := LineCode(c.reach, c.center, c.a, c.b); got != c.want {
			t.Errorf("line %d of %d and %d has code %d, want %d", c.center, c.a, c.b, got, c.want)
		}
	}
	if got := IdleCode(4); got != 860 {
		t.Errorf("the idle code is %d, want 860", got)
	}
}

// Half lines are numbered without gaps, and so are lines; mirror images are the same.
func TestNumbersAreDense(t *testing.T) {
	for reach := 1; reach <= maxReach; reach++ {
		for number := range HalfLines(reach) {
			points := halfLinePoints(number)
			if len(points) > reach || HalfLine(points) != number {
				t.Fatalf("reach %d: half line %d is %v, which has number %d", reach, number, points, HalfLine(points))
			}
		}
		next := uint32(0)
		eachLine(reach, func(code uint32, center, a, b int) {
			if code != next || LineCode(reach, center, a, b) != code || LineCode(reach, center, b, a) != code {
				t.Fatalf("reach %d: line %d of %d and %d has codes %d and, mirrored, %d, want %d",
					reach, center, a, b, LineCode(reach, center, a, b), LineCode(reach, center, b, a), next)
			}
			next++
		})
		if int(next) != NumCodes(reach) {
			t.Errorf("reach %d: %d lines, want %d", reach, next, NumCodes(reach))
		}
	}
}

// TestExchanged gives the lines' own points to the other side and back.
func TestExchanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for reach := 1; reach <= maxReach; reach++ {
		exchanged := Exchanged(reach)
		if len(exchanged) != NumCodes(reach) {
			t.Fatalf("reach %d: %d codes", reach, len(exchanged))
		}
		for code, other := range exchanged {
			if int(exchanged[other]) != code {
				t.Fatalf("reach %d: code %d becomes %d, and that %d", reach, code, other, exchanged[other])
			}
		}
		for range 1000 {
			center := rng.IntN(3)
			var half, theirs [2][]int
			for i := range half {
				for range rng.IntN(reach + 1) {
					p := rng.IntN(3)
					half[i] = append(half[i], p)
					theirs[i] = append(theirs[i], []int{Empty, Other, Own}[p])
				}
			}
			code := LineCode(reach, center, HalfLine(half[0]), HalfLine(half[1]))
			want := LineCode(reach, []int{Empty, Other, Own}[center], HalfLine(theirs[0]), HalfLine(theirs[1]))
			if exchanged[code] != want {
				t.Fatalf("reach %d: %v %d %v becomes %d, want %d", reach, half[0], center, half[1], exchanged[code], want)
			}
		}
		if idle := IdleCode(reach); exchanged[idle] != idle {
			t.Errorf("reach %d: the idle code becomes %d", reach, exchanged[idle])
		}
	}
}
