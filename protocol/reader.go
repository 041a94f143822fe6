package protocol

import (
	"bufio"
	"errors"
	"io"
	"time"
)

// maxLine is the length in bytes at which lines are truncated, much more than any
// command has, as in Piskvork. Every line is copied a few times, so long ones
// would be garbage beyond the memory limit.
const maxLine = 8 << 10

// read adds the lines of in to q until in ends or q is closed. It runs in its own
// goroutine, so that commands are received during a search. That goroutine may
// outlive q, since only input can end a blocked read.
func read(in io.Reader, q *inbox) {
	src := bufio.NewReader(in)
	var text []byte
	for {
		var err error
		text, err = readLine(src, text[:0])
		if !q.add(text, time.Now()) {
			return
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			q.finish(err)
			return
		}
	}
}

// readLine appends the input up to the next CR or LF to text, so CR LF ends a line
// and an empty one. It drops what exceeds maxLine. On error it returns the text
// before it.
func readLine(src *bufio.Reader, text []byte) ([]byte, error) {
	for {
		c, err := src.ReadByte()
		if err != nil || c == '\n' || c == '\r' {
			return text, err
		}
		if len(text) < maxLine {
			text = append(text, c)
		}
	}
}
