package process

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
)

const (
	// maxEnd is how much of the beginning and of the end of an engine's errors
	// is kept, in bytes.
	maxEnd = 32 << 10

	// maxStderrFile bounds the file that the errors are appended to.
	maxStderrFile = 1 << 20
)

// A headTail keeps the beginning and the end of what is written to it.
type headTail struct {
	file *os.File // also written to, unless nil
	room int64    // bytes left in the file

	mu   sync.Mutex
	head []byte // the first maxEnd bytes
	tail []byte // the last maxEnd of the rest, and up to as many before those
	lost int64  // bytes between the two
}

// openCapped opens a file for appending and returns how much may be appended. A
// path of "" means no file.
func openCapped(path string) (f *os.File, room int64, err error) {
	if path == "" {
		return nil, 0, nil
	}
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return nil, 0, fmt.Errorf("stderr file: %s is a pipe, which would block without a reader", path)
	}
	f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, 0, fmt.Errorf("stderr file: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("stderr file: %w", err)
	}
	return f, max(0, maxStderrFile-info.Size()), nil
}

// read reads f until it ends.
func (h *headTail) read(f *os.File) {
	defer f.Close()
	defer h.file.Close() // a nil file gives an error, which does not matter
	var buf [4096]byte
	for {
		n, err := f.Read(buf[:])
		h.add(buf[:n])
		if err != nil {
			return
		}
	}
}

// add adds data to memory and file. A full disk is no reason to stop a game:
// memory keeps what matters.
func (h *headTail) add(data []byte) {
	if n := min(int64(len(data)), h.room); n > 0 {
		h.room -= n
		if _, err := h.file.Write(data[:n]); err != nil {
			h.room = 0
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	n := min(len(data), maxEnd-len(h.head))
	h.head = append(h.head, data[:n]...)
	h.tail = append(h.tail, data[n:]...)
	if len(h.tail) > 2*maxEnd {
		h.cut()
	}
}

// cut cuts the tail to its size.
func (h *headTail) cut() {
	if extra := len(h.tail) - maxEnd; extra > 0 {
		h.lost += int64(extra)
		h.tail = h.tail[:copy(h.tail, h.tail[extra:])]
	}
}

func (h *headTail) bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cut()
	b := append([]byte(nil), h.head...)
	if h.lost > 0 {
		b = fmt.Appendf(b, "\n[%d bytes left out]\n", h.lost)
	}
	return append(b, h.tail...)
}
