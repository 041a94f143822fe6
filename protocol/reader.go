package protocol

import (
	"bufio"
	"errors"
	"io"
	"time"
)

// maxLine is the number of bytes after which a line is cut off.
const maxLine = 1 << 20

// A line is what the manager sent, without its end, and when it was read: the
// clock of a move runs from there, however long the line has to wait.
type line struct {
	text string
	at   time.Time
}

// A reader cuts the input into lines. It has a goroutine of its own, so that
// a command is heard whatever the search is doing.
type reader struct {
	lines chan line // closed at the end of the input
	err   error     // why it ended, if not by EOF; set before lines is closed
}

// startReader reads in until it ends or quit is closed. Blocked in a read the
// goroutine outlives quit, as nothing but the input's own end can wake it.
func startReader(in io.Reader, quit <-chan struct{}) *reader {
	r := &reader{lines: make(chan line)}
	go func() {
		defer close(r.lines)
		src := bufio.NewReader(in)
		for {
			text, err := readLine(src)
			if text != "" {
				select {
				case r.lines <- line{text, time.Now()}:
				case <-quit:
					return
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					r.err = err
				}
				return
			}
		}
	}()
	return r
}

// readLine reads up to and including the next CR or LF, so that CR LF ends a
// line and then an empty one. It returns at most maxLine bytes, without the
// end, and with an error what came before it.
func readLine(src *bufio.Reader) (string, error) {
	var text []byte
	for {
		c, err := src.ReadByte()
		if err != nil || c == '\n' || c == '\r' {
			return string(text), err
		}
		if len(text) < maxLine {
			text = append(text, c)
		}
	}
}
