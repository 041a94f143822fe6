package engine

import (
	"context"
	"strings"
	"testing"

	"kumiko/engine/board"
)

// The table of tunable numbers is complete and valid.
func TestParams(t *testing.T) {
	names := map[string]bool{}
	for i, p := range Params(ByTables) {
		if p.Name == "" || names[p.Name] {
			t.Errorf("parameter %d: name %q is empty or not unique", i, p.Name)
		}
		names[p.Name] = true
		if p.Min >= p.Max || p.Default < p.Min || p.Default > p.Max {
			t.Errorf("%s: %d is not within %d to %d", p.Name, p.Default, p.Min, p.Max)
		}
	}
	Params(ByTables)[0].Default++
	if Params(ByTables)[0] != params[0] {
		t.Error("the caller may change the table")
	}
}

// TestNetDefaults wants a network's defaults within their bounds, and where they are
// to be used.
func TestNetDefaults(t *testing.T) {
	for i, p := range Params(ByNet) {
		if p.Default < p.Min || p.Default > p.Max {
			t.Errorf("%s: default %d with a network, want %d to %d", p.Name, p.Default, p.Min, p.Max)
		}
		if got := defaultTuning().of[ByNet].v[i]; got != p.Default {
			t.Errorf("%s: %d with a network, want %d", p.Name, got, p.Default)
		}
	}
	for _, o := range []Options{{}, netOptions()} {
		e := New(o)
		nodesOf(t, e, board.Freestyle)
		want := &e.tuning.of[ByTables]
		if o.Nets[board.Freestyle] != nil {
			want = &e.tuning.of[ByNet]
		}
		if e.s.t != want {
			t.Errorf("network %v: the values of the other evaluation", o.Nets[board.Freestyle] != nil)
		}
	}
}

func TestNewTuning(t *testing.T) {
	got, err := NewTuning(map[string]int{"RazorBase": 41, "LeafNodes": 200})
	if err != nil {
		t.Fatal(err)
	}
	for e, of := range defaultTuning().of {
		want := of.v
		want[razorBase], want[leafNodes] = 41, 200
		if got.of[e].v != want {
			t.Errorf("%v: values %v, want %v", Evaluation(e), got.of[e].v, want)
		}
	}
	if got, err = NewTuning(nil); err != nil || *got != *defaultTuning() {
		t.Errorf("no values are not the defaults: error %v", err)
	}
	if got, _ = NewTuning(map[string]int{"LMRFactor": 81}); got.of[ByTables].reductions[5][9] <= defaultTuning().of[ByTables].reductions[5][9] {
		t.Error("LMRFactor 81 does not raise the reductions")
	}
	_, err = NewTuning(map[string]int{"razorBase": 40, "RazorSlope": -1, "CountBase": 21})
	for _, want := range []string{`"razorBase"`, "RazorSlope -1 is not within 0 to 200", "CountBase 21 is not within 1 to 20"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %s", err, want)
		}
	}
}

// A tuning takes effect, whether it is set in the options or later.
func TestSetTuning(t *testing.T) {
	b, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []board.Move{board.Pt(7, 7), board.Pt(8, 8), board.Pt(7, 9)} {
		b.Place(m)
	}
	search := func(e *Engine) int64 {
		e.Reset()
		return e.Search(context.Background(), Request{Board: b, Limits: Limits{Turn: -1, Left: NoLimit, Depth: 7}}, nil).Nodes
	}
	slow, err := NewTuning(map[string]int{"LMRFactor": 30})
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Memory: 32 << 20})
	normal := search(e)
	e.SetTuning(slow)
	other := search(e)
	if other == normal {
		t.Errorf("%d nodes with either tuning", normal)
	}
	if got := search(New(Options{Memory: 32 << 20, Tuning: slow})); got != other {
		t.Errorf("%d nodes with the tuning among the options, %d if it is set later", got, other)
	}
	e.SetTuning(nil)
	if got := search(e); got != normal {
		t.Errorf("%d nodes with the defaults again, %d before", got, normal)
	}
}

// History records a move by itself, as a reply and as a continuation.
func TestHistory(t *testing.T) {
	m, last, own, other := board.Pt(3, 4), board.Pt(5, 5), board.Pt(2, 2), board.Pt(9, 9)
	quiet, three := board.ShapeTwoTwo, board.ShapeThree
	var h history
	h.clear()
	h.add(board.Black, m, last, own, quiet, 100, 10_000)
	for _, tt := range []struct {
		name      string
		c         board.Color
		last, own board.Move
		shape     board.Shape
		weight    int
		want      int
	}{
		{"in its place", board.Black, last, own, quiet, followUnit, 300},
		{"with half the weight of continuations", board.Black, last, own, quiet, followUnit / 2, 250},
		{"after another move", board.Black, other, own, quiet, followUnit, 200},
		{"after another of his own", board.Black, last, other, quiet, followUnit, 200},
		{"at the beginning", board.Black, board.NoMove, board.NoMove, quiet, followUnit, 100},
		{"as an attack", board.Black, other, other, three, followUnit, 0},
		{"of the opponent", board.White, other, other, quiet, followUnit, 0},
	} {
		if got := h.get(tt.c, m, tt.last, tt.own, tt.shape, tt.weight); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// Corrections approach the error of the evaluation, for the side to move
// only, and never reach the scores of proven wins.
func TestCorrection(t *testing.T) {
	b, err := board.New(15, 15, board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	b.Place(board.Pt(7, 7))
	s := searcherOn(New(Options{Memory: 32 << 20}), b)
	full := (s.t.v[correctionLast] + s.t.v[correctionThreats]) * 200 / 100
	if got := s.corrected(50); got != 50 {
		t.Errorf("nothing learned: 50 becomes %d", got)
	}
	before := Score(50)
	for range 2000 {
		s.correct(200, 6*onePly)
		now := s.corrected(50)
		if now < before || now > 50+Score(full) {
			t.Fatalf("%d after %d, want at most %d", now, before, 50+full)
		}
		before = now
	}
	if before < 50+Score(full*9/10) {
		t.Errorf("ends at %d, want about %d", before, 50+full)
	}
	if got := s.corrected(maxEval); got != maxEval {
		t.Errorf("%d becomes %d", maxEval, got)
	}
	b.Place(board.Pt(8, 8))
	s.b.CopyFrom(b)
	if got := s.corrected(50); got != 50 {
		t.Errorf("learned for the other player: 50 becomes %d", got)
	}
}

// A history score moves in the right direction and stays within its limit.
func TestAdjust(t *testing.T) {
	limit := params[historyMax].Default
	for bonus, sign := range map[int]int{limit * 5 / 6: 1, -limit * 5 / 6: -1, 100: 1, -100: -1} {
		var e int16
		for range 10_000 {
			last := int(e)
			adjust(&e, bonus, limit)
			if got := int(e); got > limit || got < -limit || (got-last)*sign < 0 {
				t.Fatalf("bonus %d: %d after %d", bonus, got, last)
			}
		}
		if int(e)*sign < limit/2 {
			t.Errorf("bonus %d: ends at %d", bonus, e)
		}
	}
}
