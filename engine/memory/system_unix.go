//go:build unix && !race

package memory

import "syscall"

// reserve returns memory of the system, all zeros, or nil if there is none.
func reserve(bytes int) []byte {
	m, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return m
}

// release gives back what reserve returned.
func release(m []byte) { _ = syscall.Munmap(m) }
