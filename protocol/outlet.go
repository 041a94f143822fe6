package protocol

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// unreadGrace is how long a write may take after the manager has said END
	// or closed our input; then it does not want to read what is left.
	unreadGrace = 200 * time.Millisecond

	// unreadLong is after which time a manager that reads nothing and sends
	// more than is kept has lost track.
	unreadLong = time.Second
)

// An outlet writes lines, each in one call, as some managers cannot join the
// parts of one. If nobody reads them, a write does not return; the outlet then
// watches the input.
type outlet struct {
	w      io.Writer
	in     *inbox
	gone   chan struct{} // closed when the manager does not read and has ended
	once   sync.Once
	timer  *time.Timer
	writes atomic.Int64 // begun and ended; odd during a write
}

func newOutlet(w io.Writer, in *inbox) *outlet {
	o := &outlet{w: w, in: in, gone: make(chan struct{})}
	o.timer = time.AfterFunc(time.Hour, o.watch)
	o.timer.Stop()
	return o
}

// line writes one line.
func (o *outlet) line(text string) error {
	o.writes.Add(1)
	o.timer.Reset(unreadGrace)
	_, err := o.w.Write([]byte(text + "\n"))
	o.timer.Stop()
	o.writes.Add(1)
	return err
}

// watch watches the input until the write that is under way returns.
func (o *outlet) watch() {
	n := o.writes.Load()
	if n%2 == 0 {
		return
	}
	start := time.Now()
	defer o.in.setUnread(false)
	for o.writes.Load() == n {
		if o.in.ending() {
			o.once.Do(func() { close(o.gone) })
			return
		}
		if time.Since(start) > unreadLong {
			o.in.setUnread(true)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
