package process

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// glance is how often an output that nobody waits for is read. A pipe holds
	// 64 KiB meanwhile, and anything more only delays the engine.
	glance = 10 * time.Millisecond

	// pollSlice bounds a wait that cannot be interrupted.
	pollSlice = 50 * time.Millisecond
)

// A source is the reading end of an engine's output pipe.
//
// The runtime's poller would wake a thread for the pipe, which wakes a
// goroutine that reads, which wakes the one waiting for the line: with an
// engine that answers at once, these wake-ups take longer than the answer. So
// the waiting goroutine polls the system itself, as a C thread would, and the
// reading goroutine, once relieved, only checks the pipe now and then.
type source struct {
	fd       int           // not in the poller; non-blocking
	relieved atomic.Bool   // some goroutine calls await
	kick     chan struct{} // wakes wait when await finds the end
	expiry   atomic.Int64  // Unix nanoseconds; 0: never
}

// newSource returns a source that reads from f's pipe, and closes f, which is
// in the poller.
func newSource(f *os.File) (*source, error) {
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil { // Fd has made it blocking
		unix.Close(fd)
		return nil, err
	}
	return &source{fd: fd, kick: make(chan struct{}, 1)}, nil
}

func (s *source) close() { unix.Close(s.fd) }

// expire makes wait end at the given time, whatever there is to read.
func (s *source) expire(at time.Time) { s.expiry.Store(at.UnixNano()) }

func (s *source) expired() bool {
	at := s.expiry.Load()
	return at != 0 && time.Now().UnixNano() > at
}

// wait waits until there may be something to read. It returns false after
// expire.
func (s *source) wait() bool {
	for !s.expired() {
		if s.relieved.Load() {
			select {
			case <-s.kick:
			case <-time.After(glance):
			}
			return !s.expired()
		}
		if s.ready(pollSlice) {
			return true
		}
	}
	return false
}

// ready waits for input or the end.
func (s *source) ready(timeout time.Duration) bool {
	ts := unix.NsecToTimespec(max(0, timeout.Nanoseconds()))
	fds := [1]unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLIN}}
	n, err := unix.Ppoll(fds[:], &ts, nil)
	return n > 0 && err == nil
}

// read reads what is there: perhaps nothing, without an error.
func (s *source) read(buf []byte) (int, error) {
	n, err := unix.Read(s.fd, buf)
	switch {
	case n > 0:
		return n, nil
	case err == unix.EAGAIN || err == unix.EINTR:
		return 0, nil
	case err == nil:
		return 0, io.EOF
	}
	return 0, err
}

// await implements Process.Await when no line is queued.
func (o *output) await(deadline time.Time) (l Line, ok, open bool) {
	o.src.relieved.Store(true)
	ended := o.poll(deadline)
	if ended {
		select {
		case o.src.kick <- struct{}{}:
		default:
		}
		l, open = <-o.lines // read is about to close it
		return l, open, open
	}
	select {
	case l, open = <-o.lines:
		return l, open, open
	default:
		return l, false, true
	}
}

// poll waits for lines and queues them, if none are queued. It reports whether
// the output has ended.
func (o *output) poll(deadline time.Time) (ended bool) {
	o.reading.Lock() // read skips its turn while we wait
	defer o.reading.Unlock()
	if len(o.lines) > 0 || o.ended {
		return o.ended && len(o.lines) == 0
	}
	if o.src.ready(min(time.Until(deadline), pollSlice)) {
		o.fill()
	}
	return o.ended && len(o.lines) == 0
}
