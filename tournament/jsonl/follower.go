package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxLine bounds the bytes of a line: a file with a longer one is not a log.
const maxLine = 64 << 20

// A Damaged is the error of a log that was changed or cut after it was written.
type Damaged struct{ error }

// Damage returns err as a *[Damaged].
func Damage(err error) error { return &Damaged{err} }

func (e *Damaged) Unwrap() error { return e.error }

// ExitCode returns the exit code of the process: no argument was wrong.
func (e *Damaged) ExitCode() int { return 4 }

// A Follower reads the whole lines of a log that may still be written.
type Follower struct {
	name    string
	file    *os.File
	in      *bufio.Reader
	partial []byte // what follows the last whole line read
	offset  int64  // where that line ends
	line    int    // its number, from 1
	taken   int    // lines passed on
	again   bool   // the file may have changed behind offset
}

// Follow opens a log for reading.
func Follow(name string) (*Follower, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return follow(name, f), nil
}

func follow(name string, f *os.File) *Follower {
	return &Follower{name: name, file: f, in: bufio.NewReaderSize(f, 1<<16)}
}

// Close closes the log.
func (f *Follower) Close() error { return f.file.Close() }

// Name returns the name of the log's file.
func (f *Follower) Name() string { return f.name }

// Update passes every whole line written since the last call to take, without
// surrounding white space, and skips blank ones. The line is valid only during
// the call. An error from take is returned with the file name and line number;
// the next call starts with that line again.
func (f *Follower) Update(take func(line []byte) error) error {
	if f.again {
		// What was half a line may have been cut off and replaced by another.
		if _, err := f.file.Seek(f.offset, io.SeekStart); err != nil {
			return err
		}
		f.in.Reset(f.file)
		f.partial, f.again = f.partial[:0], false
	}
	for {
		line, err := f.next()
		if err == io.EOF {
			f.again = len(f.partial) > 0
			return nil
		}
		if err == nil {
			if text := bytes.TrimSpace(line); len(text) > 0 {
				f.taken++
				err = take(text)
			}
		}
		if err != nil {
			f.again = true
			return fmt.Errorf("%s:%d: %w", f.name, f.line+1, err)
		}
		f.line++
		f.offset += int64(len(line))
		f.partial = f.partial[:0]
	}
}

// next returns the next whole line, valid until the next call. At the end of
// the file, partial holds the unfinished line.
func (f *Follower) next() ([]byte, error) {
	for {
		part, err := f.in.ReadSlice('\n')
		if err == nil && len(f.partial) == 0 {
			return part, nil
		}
		f.partial = append(f.partial, part...)
		switch {
		case len(f.partial) > maxLine:
			return nil, fmt.Errorf("longer than %d bytes", maxLine)
		case err != bufio.ErrBufferFull:
			return f.partial, err
		}
	}
}

// Rest returns the last line of the file if only its line break is missing, and
// nil if there is no such line or it is incomplete. It is for readers that do
// not wait for more. The error names the line and what no interrupted write can
// have left there. Begin is how the first line of every such log begins.
func (f *Follower) Rest(begin string) (line []byte, err error) {
	if line, err = f.rest(begin); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", f.name, f.line+1, err)
	}
	return line, nil
}

// Incomplete returns an error that names the last line if it has no end, and nil
// if there is no such line.
func (f *Follower) Incomplete() error {
	if len(f.partial) == 0 {
		return nil
	}
	return fmt.Errorf("%s:%d: the line is incomplete after %d bytes", f.name, f.line+1, len(f.partial))
}

// rest is Rest with a plain error. A machine that went down may leave zeros
// where it had no time to write.
func (f *Follower) rest(begin string) (line []byte, err error) {
	text := bytes.TrimRight(f.partial, "\x00")
	if f.line == 0 {
		n := min(len(text), len(begin))
		if !strings.HasPrefix(begin, string(text[:n])) {
			return nil, errForeign
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	switch err := d.Decode(new(json.RawMessage)); {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return nil, nil
	case err != nil:
		return nil, Damage(fmt.Errorf("the last line is damaged: %w", err))
	}
	line, rest := SplitLine(text)
	if len(rest) > 0 {
		return nil, Damage(fmt.Errorf("the last line is damaged: trailing data %.20q", rest))
	}
	return line, nil
}

// SplitLine returns the JSON value that a last line without its line break begins
// with, and the damage behind it. The line is nil if it does not begin with a whole
// value.
func SplitLine(text []byte) (line, rest []byte) {
	d := json.NewDecoder(bytes.NewReader(text))
	if d.Decode(new(json.RawMessage)) != nil {
		return nil, nil
	}
	end := d.InputOffset()
	return text[:end], bytes.Trim(text[end:], " \t\r\x00")
}
