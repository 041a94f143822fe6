package memory

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// resident returns the memory that the process occupies, in MiB.
func resident(t *testing.T) int {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc/self/statm")
	}
	n, err := strconv.Atoi(strings.Fields(string(data))[1])
	if err != nil {
		t.Fatal(err)
	}
	return n * os.Getpagesize() >> 20
}

// An array occupies memory when it is written, whatever was used before, and none
// after it is freed.
func TestResident(t *testing.T) {
	if a := Make[byte](1); a.bytes == nil {
		t.Skip("arrays are in Go's heap")
	}
	before := resident(t)
	grown := func() int { return resident(t) - before }
	for range 4 {
		a := Make[[4]uint64](8 << 20) // 256 MiB
		if n := grown(); n > 16 {
			t.Fatalf("a new array takes %d MiB", n)
		}
		for i, e := range a.Elems[:4<<20] {
			if e != [4]uint64{} {
				t.Fatalf("element %d is %d", i, e)
			}
			a.Elems[i][0] = uint64(i)
		}
		if n := grown(); n < 120 || n > 144 {
			t.Errorf("half of it takes %d MiB", n)
		}
		for i, e := range a.Elems[:4<<20] {
			if e != [4]uint64{uint64(i)} {
				t.Fatalf("element %d is %d", i, e)
			}
		}
		a.Free()
		if n := grown(); n > 16 || len(a.Elems) != 0 {
			t.Fatalf("a freed array of %d elements takes %d MiB", len(a.Elems), n)
		}
		a.Free() // nothing left to do
	}
}

// An array that nobody refers to is freed.
func TestCleanup(t *testing.T) {
	before := resident(t)
	for range 24 {
		a := Make[uint64](2 << 20)
		clear(a.Elems)
		runtime.KeepAlive(a)
	}
	for range 100 {
		runtime.GC()
		if resident(t)-before < 64 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d MiB remain", resident(t)-before)
}

// Arrays have the elements asked for, even none.
func TestSizes(t *testing.T) {
	if a := Make[uint32](0); len(a.Elems) != 0 {
		t.Errorf("%d elements", len(a.Elems))
	}
	for n := range 100 {
		a := Make[[3]byte](n)
		if len(a.Elems) != n || cap(a.Elems) != n {
			t.Errorf("%d elements, capacity %d, want %d", len(a.Elems), cap(a.Elems), n)
		}
		a.Free()
	}
}
