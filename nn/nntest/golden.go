// Package nntest reads the arrays of golden files, for tests only. They are made by
// nn/testdata/golden.py.
package nntest

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"testing"
)

// Golden is the arrays of a file by name.
type Golden struct {
	t      testing.TB
	arrays map[string][]float32
	used   map[string]bool
}

// Read reads a file of arrays: for each a line with its name and length, then so many
// little-endian float32. When the test ends, every array must have been used.
func Read(t testing.TB, file string) *Golden {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g := &Golden{t, map[string][]float32{}, map[string]bool{}}
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			break
		}
		var name string
		var n int
		if _, scan := fmt.Sscan(line, &name, &n); err != nil || scan != nil {
			t.Fatalf("%s: invalid line %q", file, line)
		}
		g.arrays[name] = make([]float32, n)
		if err := binary.Read(r, binary.LittleEndian, g.arrays[name]); err != nil {
			t.Fatalf("%s: %s: %v", file, name, err)
		}
	}
	t.Cleanup(func() {
		for name := range g.arrays {
			if !g.used[name] && !t.Failed() {
				t.Errorf("%s: nothing was compared with %s", file, name)
			}
		}
	})
	return g
}

// Get returns an array.
func (g *Golden) Get(name string) []float32 {
	g.t.Helper()
	a, ok := g.arrays[name]
	if !ok {
		g.t.Fatalf("no array %s", name)
	}
	g.used[name] = true
	return a
}

// Compare reports an error if got differs from the array of a name by more than the
// tolerance times the array's greatest magnitude.
func (g *Golden) Compare(name string, got []float32, tolerance float64) {
	g.t.Helper()
	want := g.Get(name)
	if len(got) != len(want) {
		g.t.Errorf("%s: %d elements, want %d", name, len(got), len(want))
		return
	}
	var size, worst float64
	at := 0
	for i, w := range want {
		size = max(size, math.Abs(float64(w)))
		if d := math.Abs(float64(got[i]) - float64(w)); !(d <= worst) {
			worst, at = d, i
		}
	}
	if !(worst <= tolerance*size) {
		g.t.Errorf("%s[%d] is %v, want %v: the difference is %.2g of the greatest magnitude, more than %.2g",
			name, at, got[at], want[at], worst/size, tolerance)
	}
}
