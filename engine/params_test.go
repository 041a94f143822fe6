package engine

import "testing"

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
