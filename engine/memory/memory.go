// Package memory makes large arrays outside of Go's heap.
//
// Go clears the whole of a new array if any byte of its memory was in use before,
// which for a transposition table of the usual size takes a tenth of a second: longer
// than a short first move may take. It gives the memory of an array back to the system
// only in a later collection, and counts it when it decides when to collect.
package memory

import (
	"runtime"
	"unsafe"
)

// An Array is an array in memory of the system. The zero value is an empty one.
type Array[T any] struct {
	Elems []T

	bytes   []byte // of the system, nil if the elements are in Go's heap
	cleanup runtime.Cleanup
}

// Make returns an array of n zero elements. T must contain no pointers, which the
// garbage collector would not see. A page occupies no memory until it is written.
//
// The elements may be used as long as the array is referred to and not freed. Where
// the system gives no memory, and with the race detector, which sees only Go's, they
// are in Go's heap.
func Make[T any](n int) *Array[T] {
	a := &Array[T]{}
	if n > 0 {
		a.bytes = reserve(n * int(unsafe.Sizeof(*new(T))))
	}
	if a.bytes == nil {
		a.Elems = make([]T, n)
		return a
	}
	a.Elems = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(a.bytes))), n)
	a.cleanup = runtime.AddCleanup(a, release, a.bytes)
	return a
}

// Free gives the memory back to the system at once. The elements must not be used any
// more. Without Free that happens some time after the last use of the array.
func (a *Array[T]) Free() {
	if a.bytes != nil {
		a.cleanup.Stop()
		release(a.bytes)
	}
	*a = Array[T]{}
}
