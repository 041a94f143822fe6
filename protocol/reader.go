package protocol

import (
	"bufio"
	"errors"
	"io"
	"time"
)

// maxLine is the number of bytes after which a line is cut off.
const maxLine = 1 << 20

// read cuts in into lines for q until it ends or nobody takes them any more.
// It has a goroutine of its own, so that a command is heard whatever the
// search is doing. Blocked in a read, that goroutine outlives q, as nothing
// but the input's own end can wake it.
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
		if cap(text) > chunkSize {
			text = nil
		}
	}
}

// readLine appends to text what comes up to the next CR or LF, so that CR LF
// ends a line and then an empty one. It drops what is longer than maxLine and
// returns with an error what came before that.
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
