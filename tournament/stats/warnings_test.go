package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestCountsWarnings(t *testing.T) {
	for _, tt := range []struct {
		c    Counts
		want []error
	}{
		{Counts{34, 54, 63, 64, 75}, nil},
		{Counts{2, 0, 1000, 0, 12}, []error{ErrSplit}},
		{Counts{0, 0, 3}, []error{ErrFew, ErrUniform, ErrGames}},
	} {
		if got := tt.c.Warnings(); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.c, got, tt.want)
		}
	}
	if e := (Counts{0, 0, 3}).Elo(); !math.IsInf(e.Value, 1) || !math.IsNaN(e.Low) {
		t.Errorf("a score of 100 %%: %v", e)
	}
}

func TestWarnings(t *testing.T) {
	even := [3][3]int{0: {2: 4}, 2: {0: 5}}
	for _, tt := range []struct {
		name    string
		results []Pairing
		want    []error
	}{
		{"none", pairs(), nil},
		{"few, one won all", []Pairing{{I: 0, J: 1, Pairs: [3][3]int{2: {2: 3}}, First: [3]int{2: 1}}, {I: 1, J: 2, Pairs: [3][3]int{2: {2: 1, 1: 1}}}},
			[]error{ErrFew, &UniformError{0}}},
		{"games", games(), []error{ErrGames}},
		{"few unfinished pairs", append(pairs(), games()[0]), nil},
		{"even", []Pairing{{I: 0, J: 1, Pairs: even}, {I: 1, J: 2, Pairs: even}, {I: 2, J: 0, Pairs: [3][3]int{2: {2: 1}}}},
			[]error{&UniformError{1}, ErrSplit}},
	} {
		got := Warnings(3, tt.results)
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
