//go:build !linux

package process

import (
	"os"
	"time"
)

// A source is the end of a pipe from which an output is read.
type source struct{ file *os.File }

func newSource(f *os.File) (*source, error) { return &source{f}, nil }

func (s *source) close() { s.file.Close() }

// expire makes read end at a time.
func (s *source) expire(at time.Time) { expire(s.file, at) }

// wait has nothing to wait for: read blocks.
func (s *source) wait() bool { return true }

func (s *source) read(buf []byte) (int, error) { return s.file.Read(buf) }

// await is Process.Await when no line waits.
func (o *output) await(deadline time.Time) (l Line, ok, open bool) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case l, open = <-o.lines:
		return l, open, open
	case <-timer.C:
		return l, false, true
	}
}
