package protocol

import (
	"encoding/binary"
	"sync"
	"time"

	"kumiko/protocol/wire"
)

// maxWaiting bounds what an inbox holds, in bytes, everything included: a few
// thousand positions.
const maxWaiting = 4 << 20

// A line is what the manager sent, without its end, and when it was read: the
// clock of a move runs from there, however long the line has to wait.
type line struct {
	text string
	at   time.Time
}

// A kind says what a line means to a search that is running when it comes or
// that starts while it waits.
type kind uint8

const (
	waits    kind = iota // a command, or a part of one: obeyed in its turn
	informs              // INFO: obeyed while a search runs
	stops                // ends the searches asked for before it
	hurries              // INFO timeout_turn 0: both
	hurries0             // the same below 0, by which Yixin's family means no limit
	ends                 // END
	blank                // nothing
	numKinds
)

// kindOf returns the kind of a line. A fault in reading one shows again, and
// is dealt with, when the line is obeyed.
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

// An inbox holds the lines that have been read and not yet been obeyed. The
// reader puts them in, in a goroutine of its own; the controller takes them
// out. What waits is known without a look at each line.
//
// Lines are kept one behind the other in chunks of bytes: a flood of short
// ones takes no more memory than a few long ones. When maxWaiting is reached,
// the reader waits, and so does the manager, as the pipe between them is full.
type inbox struct {
	// wake has a value when something has come since it was last received.
	wake chan struct{}

	mu     sync.Mutex
	room   sync.Cond // for the reader
	begun  time.Time // records count from here
	chunks [][]byte
	offset int   // of the next record in chunks[0]
	size   int   // bytes of all chunks
	put    int64 // lines ever put in
	taken  int64 // lines ever taken out
	last   [numKinds]int64
	over   bool  // no more lines will come
	err    error // why, if not by EOF
	closed bool  // nobody will take any more lines

	unread bool // the manager does not read our output: see outlet
	lost   int  // lines that did not fit while it did not
}

const (
	chunkSize  = 64 << 10
	recordHead = 1 + 8 // kind and time, before the length and the text
)

func newInbox() *inbox {
	q := &inbox{wake: make(chan struct{}, 1), begun: time.Now()}
	q.room.L = &q.mu
	return q
}

// notify wakes the controller. One value in the channel stands for all.
func (q *inbox) notify() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// add puts a line in, once there is room. It reports whether anybody cares
// for more. Lines without a word are left out.
func (q *inbox) add(text []byte, at time.Time) bool {
	k := kindOf(string(text))
	if k == blank {
		return true
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.size >= maxWaiting && !q.closed && !q.unread {
		q.notify() // a search must not make the manager wait for ever
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
		q.chunks = append(q.chunks, make([]byte, 0, max(chunkSize, need)))
		q.size += cap(q.chunks[len(q.chunks)-1])
		tail = len(q.chunks) - 1
	}
	q.chunks[tail] = append(append(q.chunks[tail], head[:n]...), text...)
	q.put++
	q.last[k] = q.put
	q.notify()
	return true
}

// finish says that no more lines will come.
func (q *inbox) finish(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.over, q.err = true, err
	q.notify()
}

// close says that no more lines will be taken.
func (q *inbox) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.room.Signal()
}

// take takes the next line out.
func (q *inbox) take() (l line, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next(false)
}

// takeInfo takes the next line out if it is one of INFO.
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
		q.drop() // it was begun anew, but the next line did not fit
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

// drop gives the first chunk back, or begins it anew if it is the only one.
func (q *inbox) drop() {
	q.offset = 0
	if q.taken == q.put && cap(q.chunks[0]) == chunkSize {
		q.chunks[0] = q.chunks[0][:0]
		return
	}
	q.size -= cap(q.chunks[0])
	q.chunks[0] = nil
	q.chunks = q.chunks[1:]
	q.room.Signal()
}

// A waiting is what has come after some line.
type waiting struct {
	over    bool // the end of the input
	end     bool // END
	stop    bool // an order to answer at once
	command bool // what cannot be obeyed before the answer
	full    bool // so much that the manager has to wait
}

// after returns what has come after the first n lines. Negative times stop if
// a turn has none.
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

// done reports whether all lines that there will ever be have been taken, and
// why no more come.
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

// setUnread says whether the manager has stopped reading. While it does not
// read, waiting for room would be waiting for ever: what does not fit is
// dropped then, and only counted.
func (q *inbox) setUnread(unread bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unread = unread
	q.room.Signal()
}

// takeLost returns the number of lines lost since it was last asked, once all
// others have been taken.
func (q *inbox) takeLost() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	if q.taken == q.put {
		n, q.lost = q.lost, 0
	}
	return n
}
