//go:build !race

package memory

import (
	"syscall"
	"unsafe"
)

var (
	kernel       = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc = kernel.NewProc("VirtualAlloc")
	virtualFree  = kernel.NewProc("VirtualFree")
)

// Arguments of VirtualAlloc and VirtualFree.
const (
	memCommit     = 0x1000
	memReserve    = 0x2000
	memRelease    = 0x8000
	pageReadWrite = 4
)

// reserve returns memory of the system, all zeros, or nil if there is none.
func reserve(bytes int) []byte {
	at, _, _ := virtualAlloc.Call(0, uintptr(bytes), memReserve|memCommit, pageReadWrite)
	if at == 0 {
		return nil
	}
	// The conversion is safe: no object of Go's lies there, and nothing moves it.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), bytes)
}

// release gives back what reserve returned.
func release(m []byte) {
	_, _, _ = virtualFree.Call(uintptr(unsafe.Pointer(unsafe.SliceData(m))), 0, memRelease)
}
