package process

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// maxLine bounds the length of a line, in bytes.
	maxLine = 64 << 10

	// maxLines bounds the number of unreceived lines. From maxChatter on, lines
	// meant for people are dropped; the rest of the room is for answers.
	maxLines   = 256
	maxChatter = maxLines / 2
)

// A Line is one line that an engine printed.
type Line struct {
	Text string    // without the line end; never empty, any bytes
	At   time.Time // when its last byte was read: up to 10 ms late if nobody was waiting for it
	CR   bool      // it ended with CR or CR LF, not LF
}

// An output is an engine's standard output. A goroutine reads it; see source
// for how a caller can relieve it.
type output struct {
	lines chan Line
	log   *transcript
	src   *source

	reading  sync.Mutex // guards the fields below and keeps lines in order
	splitter splitter
	buf      [16 << 10]byte
	ended    bool

	mu        sync.Mutex
	overflow  error
	forgotten int    // lines of chatter
	partial   string // set at the end
}

func newOutput(src *source, log *transcript) *output {
	return &output{lines: make(chan Line, maxLines), log: log, src: src}
}

// read reads lines until the output ends.
func (o *output) read() {
	defer close(o.lines)
	defer o.src.close()
	for o.src.wait() {
		if !o.reading.TryLock() {
			continue // another goroutine is reading
		}
		more := o.fill()
		o.reading.Unlock()
		if !more {
			break
		}
	}
	o.reading.Lock() // after the last line
	defer o.reading.Unlock()
	o.ended = true
	if s := &o.splitter; len(s.partial) > 0 && !s.skip {
		o.log.add('>', string(s.partial)+" (without a line end)")
		o.mu.Lock()
		o.partial = string(s.partial)
		o.mu.Unlock()
	}
}

// fill queues the lines that can be read. It reports whether there may be more
// later. The caller holds reading.
func (o *output) fill() (more bool) {
	if o.ended {
		return false
	}
	n, err := o.src.read(o.buf[:])
	at := time.Now()
	o.splitter.split(o.buf[:n], func(text []byte, end byte) {
		o.put(Line{string(text), at, end == '\r'}, end == 0)
	})
	o.ended = err != nil
	return !o.ended
}

// put queues a line without blocking.
func (o *output) put(l Line, cut bool) {
	o.log.addAt(l.At, '>', l.Text)
	if cut {
		o.fail(fmt.Errorf("a line of more than %d bytes", maxLine))
	}
	if len(o.lines) >= maxChatter && isChatter(l.Text) {
		o.mu.Lock()
		o.forgotten++
		o.mu.Unlock()
		return
	}
	if len(o.lines) == maxLines { // we are the only sender
		o.fail(fmt.Errorf("more than %d unsolicited lines", maxLines))
		return
	}
	o.lines <- l
}

// fail keeps the first reason why the output is a flood.
func (o *output) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.overflow == nil {
		o.overflow = err
		o.log.add('!', err.Error())
	}
}

func (o *output) flood() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.overflow
}

func (o *output) dropped() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.forgotten
}

func (o *output) rest() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.partial
}

// isChatter reports whether a line is for people only.
func isChatter(line string) bool {
	line = strings.TrimLeft(line, " \t")
	for _, word := range []string{"MESSAGE", "DEBUG"} {
		if len(line) >= len(word) && strings.EqualFold(line[:len(word)], word) {
			rest := line[len(word):]
			return rest == "" || rest[0] == ' ' || rest[0] == '\t'
		}
	}
	return false
}

// A splitter splits a stream into lines. CR, LF and CR LF end a line; empty lines
// are dropped, so CR LF needs no special case.
type splitter struct {
	partial []byte // the line that has not ended
	skip    bool   // it was too long: it has been emitted already
}

// split calls emit for each line that ends in data, and at once for one that
// exceeds maxLine. End is the byte that ended the line, or 0 for a line that
// was cut. Text is valid only during the call.
func (s *splitter) split(data []byte, emit func(text []byte, end byte)) {
	for len(data) > 0 {
		i := lineEnd(data)
		if i < 0 {
			s.grow(data, emit)
			return
		}
		text := data[:i]
		if s.skip || len(s.partial) > 0 || i > maxLine {
			s.grow(text, emit)
			text = s.partial
		}
		if len(text) > 0 && !s.skip {
			emit(text, data[i])
		}
		s.partial, s.skip = s.partial[:0], false
		data = data[i+1:]
	}
}

// grow extends the unfinished line.
func (s *splitter) grow(text []byte, emit func([]byte, byte)) {
	if s.skip {
		return
	}
	s.partial = append(s.partial, text[:min(len(text), maxLine+1-len(s.partial))]...)
	if len(s.partial) > maxLine {
		s.skip = true
		emit(s.partial[:maxLine], 0)
	}
}

// lineEnd returns the index of the first CR or LF, or -1.
func lineEnd(data []byte) int {
	i := bytes.IndexByte(data, '\n')
	if i >= 0 {
		data = data[:i]
	}
	if j := bytes.IndexByte(data, '\r'); j >= 0 {
		return j
	}
	return i
}
