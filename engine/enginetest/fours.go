package enginetest

import (
	"slices"
	"testing"

	"kumiko/engine/board"
)

// A FourSolver searches for victories by continuous fours like solve.VCF, which
// this package cannot import, since the tests of package solve use it.
type FourSolver interface {
	Solve(b *board.Board, fours int, nodes int64) (plies int, complete bool)
	Line() []board.Move
}

// maxFours is more than any victory needs.
const maxFours = 120

// SolveFours searches for a victory by fours and has a grid judge every line. It
// returns the plies to the five, or 0 if there is none.
func SolveFours(t testing.TB, v FourSolver, b *board.Board, nodes int64) int {
	t.Helper()
	hash := b.Hash()
	n, complete := v.Solve(b, maxFours, nodes)
	if b.Hash() != hash {
		t.Fatalf("the position has changed:\n%v", b)
	}
	if n == 0 {
		return 0
	}
	if !complete {
		t.Errorf("a victory that is not complete:\n%v", b)
	}
	line := slices.Clone(v.Line())
	if b.Rule().Caro() {
		CheckCaro(t, v, b, line, nodes)
		return n
	}
	g := GridOf(b)
	if err := g.CheckFours(line); err != nil {
		t.Errorf("%v is no victory by fours: %v\n%v", line, err, b)
	}
	want := len(line)
	if !replayed(b, line, func(b *board.Board, last board.Move) bool { return b.Wins(last, b.Side()) }) {
		want += 2 // the futile reply and the five
	}
	if n != want {
		t.Errorf("%v wins in %d plies, not %d:\n%v", line, want, n, b)
	}
	return n
}

// replayed plays all but the last stone of a line and returns the result of f.
func replayed(b *board.Board, line []board.Move, f func(b *board.Board, last board.Move) bool) bool {
	for _, m := range line[:len(line)-1] {
		b.Place(m)
	}
	defer func() {
		for range line[1:] {
			b.Undo()
		}
	}()
	return f(b, line[len(line)-1])
}

// CheckCaro checks a victory by fours where a four may have several answers: the
// solver must find a victory after each of them, and each is checked.
func CheckCaro(t testing.TB, v FourSolver, b *board.Board, line []board.Move, nodes int64) {
	t.Helper()
	c := b.Side()
	g := GridOf(b)
	m := line[0]
	if g.Wins(SpotOf(m), Sign(c)) {
		return
	}
	threats := g.Fives(c.Opponent())
	g.Play(m)
	for _, p := range threats {
		if g.Wins(SpotOf(p), Sign(c.Opponent())) {
			t.Errorf("%v leaves the opponent a five at %v:\n%v", m, p, b)
		}
	}
	fives := g.FivesBy(m, c)
	if len(fives) == 0 {
		t.Errorf("%v is no four:\n%v", m, b)
		return
	}
	for _, r := range g.Stops(fives) {
		b.Place(m)
		b.Place(r)
		if SolveFours(t, v, b, nodes) == 0 {
			t.Errorf("no victory after %v %v:\n%v", m, r, b)
		}
		b.Undo()
		b.Undo()
	}
}
