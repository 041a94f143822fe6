package protocol

import (
	"encoding/binary"
	"sync"
	"time"

	"kumiko/protocol/wire"
)

// maxWaiting bounds the size of an inbox in bytes, overhead included: a few
// thousand positions.
const maxWaiting = 2 << 20

// A line is a line of input, without its end, and the time when it was read: a
// move's clock starts then, however long the line waits.
type line struct {
	text string
	at   time.Time
}

// A kind is the effect of a line on a search that runs when it arrives or starts
// while it waits.
type kind uint8

const (
	waits    kind = iota // a command, or a part of one: executed in its turn
	informs              // INFO: executed during a search
	stops                // ends the searches requested before it
	hurries              // INFO timeout_turn 0: both
	hurries0             // the same below 0, which Yixin's family uses for no limit
	ends                 // END
	blank                // nothing
	numKinds
)

// kindOf returns the kind of a line. A panic in parsing it recurs, and is handled,
// when the line is executed.
func kindOf(text string) (k kind) {
	defer func() {
		if recover() != nil {
			k = waits
		}
	}()
	c, _ := wire.Parse(text)
	switch c.Verb {
	case wire.Blank:
		return blank
	case wire.Stop:
		return stops
	case wire.End:
		return ends
	case wire.Info:
		s := c.Setting
		switch {
		case s.Key != wire.TimeoutTurn || !s.IsNumber || s.Number > 0:
			return informs
		case s.Number < 0:
			return hurries0
		}
		return hurries
	}
	return waits
}

// An inbox is the queue of lines read and not yet executed. The reader adds them
// in its own goroutine; the controller takes them. The kinds of the waiting lines
// are known without scanning them.
//
// Lines are stored contiguously in chunks of bytes, so a flood of short ones takes
// no more memory than a few long ones. At maxWaiting the reader blocks, and so
// does the manager once the pipe is full.
type inbox struct {
	// wake has a value if something has arrived since the last receive.
	wake chan struct{}

	mu     sync.Mutex
	room   sync.Cond // for the reader
	begun  time.Time // records count from here
	chunks [][]byte
	spare  []byte // a free chunk
	offset int    // of the next record in chunks[0]
	size   int    // bytes of all chunks
	put    int64  // lines added so far
	taken  int64  // lines taken so far
	last   [numKinds]int64
	over   bool  // no more lines will come
	err    error // why, if not by EOF
	closed bool  // no more lines will be taken

	unread bool // the manager does not read our output: see outlet
	lost   int  // lines dropped meanwhile
}

const (
	chunkSize  = 64 << 10 // more than a record of maxLine
	recordHead = 1 + 8    // kind and time, before the length and the text
)

func newInbox() *inbox {
	q := &inbox{wake: make(chan struct{}, 1), begun: time.Now()}
	q.room.L = &q.mu
	return q
}

// notify wakes the controller. One pending value in the channel is enough.
func (q *inbox) notify() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// add adds a line when there is room, and reports whether more are wanted. It
// skips blank lines.
func (q *inbox) add(text []byte, at time.Time) bool {
	k := kindOf(string(text))
	if k == blank {
		return true
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.size >= maxWaiting && !q.closed && !q.unread {
		q.notify() // a search must not block the manager forever
		q.room.Wait()
	}
	if q.closed {
		return false
	}
	if q.size >= maxWaiting {
		q.lost++
		if k == ends {
			q.over = true
		}
		return true
	}
	var head [recordHead + binary.MaxVarintLen64]byte
	head[0] = byte(k)
	binary.LittleEndian.PutUint64(head[1:], uint64(at.Sub(q.begun)))
	n := recordHead + binary.PutUvarint(head[recordHead:], uint64(len(text)))
	tail := len(q.chunks) - 1
	if need := n + len(text); tail < 0 || cap(q.chunks[tail])-len(q.chunks[tail]) < need {
		q.chunks = append(q.chunks, q.chunk())
		q.size += chunkSize
		tail = len(q.chunks) - 1
	}
	q.chunks[tail] = append(append(q.chunks[tail], head[:n]...), text...)
	q.put++
	q.last[k] = q.put
	q.notify()
	return true
}

// finish records that no more lines will arrive.
func (q *inbox) finish(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.over, q.err = true, err
	q.notify()
}

// close records that no more lines will be taken.
func (q *inbox) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.room.Signal()
}

// take removes and returns the next line.
func (q *inbox) take() (l line, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next(false)
}

// takeInfo removes and returns the next line if it is an INFO line.
func (q *inbox) takeInfo() (l line, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next(true)
}

func (q *inbox) next(infoOnly bool) (l line, ok bool) {
	if q.taken == q.put {
		return line{}, false
	}
	for q.offset == len(q.chunks[0]) {
		q.drop() // it was restarted, but the next line did not fit
	}
	record := q.chunks[0][q.offset:]
	if k := kind(record[0]); infoOnly && k != informs && k != hurries && k != hurries0 {
		return line{}, false
	}
	at := q.begun.Add(time.Duration(binary.LittleEndian.Uint64(record[1:])))
	length, n := binary.Uvarint(record[recordHead:])
	text := record[recordHead+n:][:length]
	l = line{string(text), at}
	q.offset += recordHead + n + len(text)
	q.taken++
	if q.offset == len(q.chunks[0]) {
		q.drop()
	}
	return l, true
}

// chunk returns an empty chunk: if possible the last one freed, since a flood
// fills what the controller empties.
func (q *inbox) chunk() []byte {
	c := q.spare
	q.spare = nil
	if c == nil {
		c = make([]byte, 0, chunkSize)
	}
	return c
}

// drop frees the first chunk, or restarts it if it is the only one.
func (q *inbox) drop() {
	q.offset = 0
	if q.taken == q.put {
		q.chunks[0] = q.chunks[0][:0]
		return
	}
	q.size -= chunkSize
	q.spare = q.chunks[0][:0]
	q.chunks[0] = nil
	q.chunks = q.chunks[1:]
	q.room.Signal()
}

// A waiting summarizes what has arrived after some line.
type waiting struct {
	over    bool // the end of the input
	end     bool // END
	stop    bool // a request to answer at once
	command bool // something that cannot be executed before the answer
	full    bool // the manager has to wait
}

// after summarizes what has arrived after the first n lines. With negativeStops, a
// negative timeout_turn is a stop.
func (q *inbox) after(n int64, negativeStops bool) waiting {
	q.mu.Lock()
	defer q.mu.Unlock()
	return waiting{
		over:    q.over,
		end:     q.last[ends] > n,
		stop:    q.last[stops] > n || q.last[hurries] > n || negativeStops && q.last[hurries0] > n,
		command: q.last[waits] > n,
		full:    q.size >= maxWaiting,
	}
}

// count returns the number of lines taken so far.
func (q *inbox) count() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.taken
}

// done reports whether the input has ended and all lines have been taken, and why
// it ended.
func (q *inbox) done() (bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.over && q.taken == q.put, q.err
}

// ending reports whether the input has ended or END waits.
func (q *inbox) ending() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.over || q.last[ends] > q.taken
}

// setUnread sets whether the manager has stopped reading. While it does not read,
// waiting for room could block forever, so lines that do not fit are dropped and
// counted.
func (q *inbox) setUnread(unread bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unread = unread
	q.room.Signal()
}

// takeLost returns the number of lines dropped since the last call, once all others
// have been taken.
func (q *inbox) takeLost() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	if q.taken == q.put {
		n, q.lost = q.lost, 0
	}
	return n
}
