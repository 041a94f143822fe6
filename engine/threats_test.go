package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kumiko/engine/board"
	"kumiko/engine/board/boardtest"
	"kumiko/engine/enginetest"
	"kumiko/engine/solve"
)

// A threatCase is a position from a self-play game. Its side to move wins by
// threats in at most Plies plies, but not by fours; Work is the solver's work to
// find it.
type threatCase struct {
	enginetest.Position
	Plies int
	Work  int64
}

const threatFile = "../solve/testdata/threats.jsonl"

// mineWork is the work that mining spends on a position.
const mineWork = 300_000

// Mines threatFile: go test -run MineThreats ./engine -update, with
// KUMIKO_LONG=1.
func TestMineThreats(t *testing.T) {
	if !*update || !enginetest.Long() {
		t.Skip("takes minutes; rewrites " + threatFile + " if -update and KUMIKO_LONG are set")
	}
	const games, perGame = 100, 1
	e := New(testOptions)
	rng := rand.New(rand.NewPCG(77, 1))
	vcf := solve.NewVCF(16)
	v := solve.NewVCT(vcf, 18)
	var out bytes.Buffer
	for g := range games {
		rule := []board.Rule{board.Freestyle, board.Standard, board.Renju}[g%3]
		b := enginetest.NewBoard(t, 15, 15, rule)
		opening(rng, b)
		e.Reset()
		var found []threatCase
		var names []string
		for _, m := range b.History() {
			names = append(names, m.String())
		}
		for !b.Full() {
			res := e.Search(t.Context(), Request{Board: b, Limits: nodes(3000)}, nil)
			if n, ok := res.Score.Mate(); res.Move == board.NoMove || ok && n > 0 && n < 6 {
				break
			}
			vcf.Clear()
			v.Clear()
			if n, _ := vcf.Solve(b, solve.MaxFours, 100_000); n == 0 {
				if n, _ := v.Solve(b, mineWork); n > 0 {
					found = append(found, threatCase{enginetest.Position{ID: fmt.Sprintf("game-%d-%d", g, len(names)),
						Rule: rule.String(), Size: 15, Moves: slices.Clone(names)}, n, v.Work()})
				}
			}
			b.Place(res.Move)
			names = append(names, res.Move.String())
		}
		for _, i := range rng.Perm(len(found))[:min(perGame, len(found))] {
			c := found[i]
			line, err := json.Marshal(map[string]any{"id": c.ID, "rule": c.Rule, "size": c.Size, "moves": c.Moves, "plies": c.Plies, "work": c.Work})
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
		}
	}
	if err := os.WriteFile(filepath.Join("testdata", threatFile), out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The engine plays and reports the victories that the solver finds with its share
// of the nodes, however few.
func TestThreatsAreAnnounced(t *testing.T) {
	e := New(testOptions)
	known, proven := 0, 0
	for i, c := range enginetest.Sample(boardtest.ReadCases[threatCase](t, threatFile)) {
		if c.Work > firstWork*3/4 {
			continue
		}
		b := c.Board(t)
		if b.Count(b.Side().Opponent(), board.ShapeFive) > 0 {
			continue // the only answer is given at once
		}
		known++
		e.Reset()
		res := e.Search(t.Context(), Request{Board: b, Limits: nodes(200_000)}, nil)
		n, ok := res.Score.Mate()
		switch {
		case ok && n > 0:
			proven++
			if i%8 == 0 {
				playOut(t, b.Clone(), n, board.NoMove)
			}
		case res.Score != maxEval:
			t.Errorf("%s: score %v, want a win:\n%v", c.ID, res.Score, b)
		}
		if ok && !slices.Equal(res.PV[:1], []board.Move{res.Move}) {
			t.Errorf("%s: move %v, line %v", c.ID, res.Move, res.PV)
		}
	}
	t.Logf("%d known victories, %d of them announced", known, proven)
	if known == 0 || 10*proven < 9*known {
		t.Errorf("%d of %d victories announced", proven, known)
	}
}

// Where the opponent threatens to win by threats, the engine does not choose
// a move that lets him, if it has the work to see it and there is another.
func TestThreatsAreMet(t *testing.T) {
	e := New(testOptions)
	v := solve.NewVCT(solve.NewVCF(16), 17)
	met, not := 0, 0
	for _, c := range enginetest.Sample(boardtest.ReadCases[threatCase](t, threatFile)) {
		if c.Work > 1000 {
			continue
		}
		b := c.Board(t)
		b.Pass() // the threats are the opponent's now
		if b.Count(b.Side().Opponent(), board.ShapeOpenFour) > 0 {
			continue
		}
		e.Reset()
		res := e.Search(t.Context(), Request{Board: b, Limits: nodes(40_000)}, nil)
		if !b.Legal(res.Move) {
			t.Fatalf("%s: %v is not legal:\n%v", c.ID, res.Move, b)
		}
		if n, ok := res.Score.Mate(); ok && n < 0 {
			continue // lost in any case
		}
		b.Place(res.Move)
		v.Clear()
		if n, _ := v.Solve(b, 300); n > 0 {
			not++
		} else {
			met++
		}
	}
	t.Logf("%d met, %d not", met, not)
	if met == 0 || 10*not > met {
		t.Errorf("%d threats met, %d not", met, not)
	}
}

// A root whose moves all lose ignores that and searches.
func TestSinkLost(t *testing.T) {
	for _, c := range []struct {
		lost  []int
		first int
		safe  bool
	}{
		{[]int{0, 0, 0}, 0, false},
		{[]int{9, 0, 0}, 1, false},
		{[]int{9, 9, 0}, 2, false},
		{[]int{9, 9, 9}, 0, true},
	} {
		r := root{searcher: searcherOn(New(testOptions), enginetest.NewBoard(t, 15, 15, board.Freestyle))}
		for i, n := range c.lost {
			r.list = append(r.list, rootMove{move: board.Pt(i, 0), lost: n})
		}
		r.sinkLost()
		if r.list[0].move != board.Pt(c.first, 0) || r.threats.safe != c.safe || r.list[0].lost != 0 || len(r.list) != len(c.lost) {
			t.Errorf("%v: %v first, lost in %d, safe %t", c.lost, r.list[0].move, r.list[0].lost, r.threats.safe)
		}
	}
}

// The engine stops at once during the threat solver, and keeps its node limit.
func TestThreatsStop(t *testing.T) {
	b := boardtest.ReadCases[enginetest.Position](t, "../solve/testdata/vct.jsonl")[4].Board(t)
	e := New(testOptions)
	for _, n := range []int64{100, 1000, 5000} {
		e.Reset()
		if res := e.Search(t.Context(), Request{Board: b, Limits: nodes(n)}, nil); res.Nodes > n+n/2+1000 {
			t.Errorf("%d nodes instead of %d", res.Nodes, n)
		}
	}
	s := searcherOn(e, b)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	defer s.ctl.watch(ctx)()
	r := root{searcher: s, budget: budget{NoLimit, NoLimit, false}}
	start := time.Now()
	if n, complete, _ := r.threatsFrom(40_000_000); n > 0 || complete {
		t.Errorf("plies %d, complete %t in %v", n, complete, time.Since(start))
	}
	if d := time.Since(start); d > time.Second {
		t.Errorf("stopped after %v", d)
	}
}
