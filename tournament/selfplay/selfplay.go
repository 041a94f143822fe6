// Package selfplay lets the engine play against itself within the process and
// records the games for package replay.
//
// Game i of a record depends on the settings, the program and i alone, so that
// a record can be made by any number of workers, interrupted and continued, and
// comes out the same, byte for byte.
package selfplay

import (
	"errors"
	"fmt"
	"io"
	"os"

	"kumiko/nn/replay"
)

// open opens a record to append to and returns the number of games that it
// holds. A piece of a game at its end is cut off.
func open(name string, want replay.Settings) (f *os.File, games int, err error) {
	f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, 0, err
	}
	games, err = resume(f, want)
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	return f, games, nil
}

// resume puts f behind its last game. An empty file gets its header.
func resume(f *os.File, want replay.Settings) (games int, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() == 0 {
		_, err := f.Write(replay.AppendHeader(nil, want))
		return 0, err
	}
	r, err := replay.NewReader(f)
	if err != nil {
		return 0, err
	}
	if r.Settings() != want {
		return 0, fmt.Errorf("made with other settings: %+v, not %+v", r.Settings(), want)
	}
	for err == nil {
		_, err = r.Next()
	}
	if err != io.EOF && !errors.Is(err, replay.ErrTruncated) {
		return 0, err
	}
	if err := f.Truncate(r.Offset()); err != nil {
		return 0, err
	}
	_, err = f.Seek(r.Offset(), io.SeekStart)
	return r.Games(), err
}
