//go:build !linux

package process

import (
	"os"
	"time"
)

// A source is the reading end of an engine's output pipe.
type source struct{ file *os.File }

func newSource(f *os.File) (*source, error) { return &source{f}, nil }

func (s *source) close() { s.file.Close() }

// expire makes read end at the given time.
func (s *source) expire(at time.Time) { expire(s.file, at) }

// wait has nothing to wait for: read blocks.
func (s *source) wait() bool { return true }

func (s *source) read(buf []byte) (int, error) { return s.file.Read(buf) }

// await implements Process.Await when no line is queued.
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
