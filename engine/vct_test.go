package engine

import (
	"fmt"
	"kumiko/engine/board"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

func TestVCTCases(t *testing.T) {
	for _, c := range readCases[struct {
		position
		Solution []string
	}](t, "vct.jsonl") {
		b := c.board(t)
		v := newVCT(newVCF(16), 20)
		for _, w := range []int64{10_000_000} {
			v.clear()

			start := time.Now()
			n, complete := v.solve(b, w)
			t.Logf("%s: plies %d complete %t work %d nodes %d edges %d in %v; published %d", c.ID, n, complete, v.work, len(v.nodes), len(v.edges), time.Since(start), len(c.Solution))
		}
	}
}

func TestVCTMine(t *testing.T) {
	name := os.Getenv("VCT_MINE")
	if name == "" {
		t.Skip()
	}
	f, _ := os.Create(name)
	defer f.Close()
	e := New(testOptions)
	rng := rand.New(rand.NewPCG(77, 1))
	vcf := newVCF(16)
	v := newVCT(vcf, 18)
	found := 0
	for g := 0; g < 400 && found < 400; g++ {
		b := newBoard(t, 15, 15, board.Freestyle)
		opening(rng, b)
		e.Reset()
		s := ""
		for _, m := range b.History() {
			s += m.String()
		}
		for !b.Full() {
			res := e.Search(t.Context(), Request{Board: b, Limits: nodes(3000)}, nil)
			if b.Wins(res.Move, b.Side()) {
				break
			}
			if n, ok := res.Score.Mate(); ok && n > 0 && n < 6 {
				break
			}
			vcf.clear()
			v.clear()
			if n, _ := vcf.solve(b, maxFours, 100000); n == 0 {
				n, _ := v.solve(b, 300000)
				if n > 0 {
					found++
					fmt.Fprintf(f, "%s %d %d %v\n", s, n, v.work, res.Score)
				}
			}
			b.Place(res.Move)
			s += res.Move.String()
		}
	}
	t.Log(found)
}

func TestVCTRate(t *testing.T) {
	name := os.Getenv("VCT_RATE")
	if name == "" {
		t.Skip()
	}
	data, _ := os.ReadFile(name)
	vcf := newVCF(16)
	v := newVCT(vcf, 17)
	budgets := []int64{300, 1000, 3000, 10000, 30000, 100000}
	solved := make([]int, len(budgets))
	var total int64
	start := time.Now()
	n := 0
	for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		n++
		b, err := ParseGame("freestyle", 15, strings.Fields(l)[0])
		if err != nil {
			t.Fatal(err)
		}
		vcf.clear()
		v.clear()
		p, _ := v.solve(b, 100000)
		total += v.work
		for i, w := range budgets {
			if p > 0 && v.work <= w {
				solved[i]++
			}
		}
	}
	d := time.Since(start)
	t.Logf("%d positions; budgets %v solved %v; work %d, %v, %v/work", n, budgets, solved, total, d, d/time.Duration(total))
}
