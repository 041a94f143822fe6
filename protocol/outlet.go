package protocol

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// unreadGrace is how long a write may take after END or the end of input;
	// after that the manager is assumed not to read the rest.
	unreadGrace = 200 * time.Millisecond

	// unreadLong is the time after which a manager that reads nothing and
	// overflows the inbox is given up.
	unreadLong = time.Second
)

// An outlet writes lines, each in one call, since some managers cannot join partial
// lines. While a write blocks because nobody reads, it watches the input.
type outlet struct {
	w      io.Writer
	in     *inbox
	gone   chan struct{} // closed if the manager does not read and the input has ended
	once   sync.Once
	timer  *time.Timer
	writes atomic.Int64 // writes begun plus writes ended; odd during a write
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

// watch watches the input until the current write returns.
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
