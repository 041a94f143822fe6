package adjudicate

import (
	"math/rand/v2"
	"testing"
)

// A move is one of a game: whether it has a score, and which.
type move struct {
	score  int
	scored bool
}

// verdict judges a whole game by looking back from each of its moves.
func verdict(moves []move, first int, d Draw, r Resign) (v Verdict, after int) {
	for n := first; n <= len(moves); n++ {
		level, losing := [2]int{}, 0
		for i := n - 1; i >= 0 && (!moves[i].scored || moves[i].score >= -d.Score && moves[i].score <= d.Score); i-- {
			if moves[i].scored {
				level[i&1]++
			}
		}
		for i := n - 1; i >= 0 && (!moves[i].scored || moves[i].score <= -r.Score); i -= 2 {
			if moves[i].scored {
				losing++
			}
		}
		if r.Moves > 0 && losing >= r.Moves && n >= r.Stones {
			return Lost, n
		}
		if d.Moves > 0 && level[0]+level[1] >= d.Moves && (!d.Both || level[0]*2 >= d.Moves && level[1]*2 >= d.Moves) && n >= d.Stones {
			return Drawn, n
		}
	}
	return Open, len(moves)
}

func TestMove(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var seen [3]int
	for range 20_000 {
		d := Draw{Moves: rng.IntN(6), Score: rng.IntN(3), Stones: rng.IntN(30), Both: rng.IntN(2) == 0}
		r := Resign{Moves: rng.IntN(6), Score: 1 + rng.IntN(4), Stones: rng.IntN(20)}
		var moves []move
		for range 30 {
			moves = append(moves, move{rng.IntN(8) - 5, rng.IntN(4) > 0})
		}
		want, after := verdict(moves, 1, d, r)
		g := Game{Draw: d, Resign: r}
		got, n := Open, 0
		for got == Open && n < len(moves) {
			m := moves[n]
			n++
			got = g.Move((n-1)&1, m.score, m.scored, n)
		}
		if got != want || n != after {
			t.Fatalf("%+v, %+v, %+v: %v after %d moves, want %v after %d", d, r, moves, got, n, want, after)
		}
		seen[got]++
	}
	for v, n := range seen {
		if n < 1000 {
			t.Errorf("verdict %d was given %d times", v, n)
		}
	}
}

// TestSelfPlay has 45 of 100 points taken, on boards of any size.
func TestSelfPlay(t *testing.T) {
	for points := 25; points <= 32*32; points++ {
		if s := SelfPlay(points).Draw.Stones; s*100 < points*45 || (s-1)*100 >= points*45 {
			t.Errorf("%d points: from %d stones on", points, s)
		}
	}
}
