package engine

import (
	"context"
	"strings"
	"testing"

	"kumiko/engine/board"
)

// The table of tunable numbers is complete and sensible.
func TestParams(t *testing.T) {
	names := map[string]bool{}
	for i, p := range Params() {
		if p.Name == "" || names[p.Name] {
			t.Errorf("parameter %d has no name of its own: %q", i, p.Name)
		}
		names[p.Name] = true
		if p.Min >= p.Max || p.Default < p.Min || p.Default > p.Max {
			t.Errorf("%s: %d is not within %d to %d", p.Name, p.Default, p.Min, p.Max)
		}
	}
	Params()[0].Default++
	if Params()[0] != params[0] {
		t.Error("the caller may change the table")
	}
}

func TestNewTuning(t *testing.T) {
	got, err := NewTuning(map[string]int{"RazorBase": 41, "LeafNodes": 2000})
	if err != nil {
		t.Fatal(err)
	}
	want := defaultTuning()
	want.v[razorBase], want.v[leafNodes] = 41, 2000
	if *got != *want {
		t.Errorf("values %v, want %v", got.v, want.v)
	}
	if got, err = NewTuning(nil); err != nil || *got != *defaultTuning() {
		t.Errorf("no values are not the defaults: error %v", err)
	}
	if got, _ = NewTuning(map[string]int{"LMRFactor": 81}); got.reductions[5][9] <= defaultTuning().reductions[5][9] {
		t.Error("what is computed from a value is that of another")
	}
	_, err = NewTuning(map[string]int{"razorBase": 40, "RazorSlope": -1, "HistoryShift": 10})
	for _, want := range []string{`"razorBase"`, "RazorSlope -1 is not within 0 to 200", "HistoryShift 10 is not within 5 to 9"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %s", err, want)
		}
	}
}

// A tuning decides the search, whether it came with the options or later.
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

// A history score moves the right way and stays within its limit.
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
