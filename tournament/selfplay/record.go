package selfplay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"kumiko/engine/board"
	"kumiko/nn/replay"
	"kumiko/tournament/jsonl"
)

// A record is a file of games open for appending. Only one process can hold it.
type record struct {
	name  string
	file  file
	lock  *jsonl.Lock
	games int
	end   int64 // of the last game
	cut   int64 // bytes of an unfinished game behind it
	torn  bool  // they are still there
}

// file is what a record needs of an [os.File].
type file interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
	Sync() error
	Close() error
}

// openRecord opens a record to append to, or begins one, and passes its games
// to take. A partial game left by an interrupted write is cut off when the first
// game is added. After an error the file is unchanged.
func openRecord(name string, want replay.Settings, take func(*replay.Game)) (*record, error) {
	if err := jsonl.CheckFile(name); err != nil {
		return nil, err
	}
	lock, err := jsonl.Acquire(jsonl.LockName(name))
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, errors.Join(err, lock.Abandon())
	}
	r := &record{name: name, file: f, lock: lock}
	if err := r.resume(want, take); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close(), lock.Abandon())
	}
	return r, nil
}

// resume seeks to the end of the last game.
func (r *record) resume(want replay.Settings, take func(*replay.Game)) error {
	header := replay.AppendHeader(nil, want)
	start := make([]byte, len(header))
	n, err := io.ReadFull(r.file, start)
	if n < len(header) && bytes.HasPrefix(header, start[:n]) && (err == io.EOF || err == io.ErrUnexpectedEOF) {
		r.cut, r.end = int64(n), 0
		if err := r.seek(); err != nil {
			return err
		}
		return r.write(header)
	}
	if _, err := r.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in, err := replay.NewReader(r.file)
	if err != nil {
		return err
	}
	if d := differences(in.Settings(), want); d != "" {
		return errors.New(d)
	}
	for {
		g, err := in.Next()
		torn, isTorn := errors.AsType[*replay.TornError](err)
		switch {
		case isTorn:
			r.cut = torn.Bytes
		case err == io.EOF:
		case err != nil:
			return err
		default:
			take(g)
			continue
		}
		r.games, r.end = in.Games(), in.Offset()
		return r.seek()
	}
}

// seek seeks to the end of the last game.
func (r *record) seek() error {
	r.torn = r.cut > 0
	_, err := r.file.Seek(r.end, io.SeekStart)
	return err
}

// add appends a game. After an error the record has only whole games, as far as
// the system allows.
func (r *record) add(g *replay.Game) error {
	data, err := replay.AppendGame(nil, r.games, g)
	if err == nil {
		err = r.write(data)
	}
	if err != nil {
		return fmt.Errorf("recording game %d (those before it are safe): %w", r.games+1, err)
	}
	r.games++
	return nil
}

// write writes behind the last game, instead of what an interrupted write left
// there.
func (r *record) write(data []byte) error {
	if r.torn {
		if err := r.file.Truncate(r.end); err != nil {
			return err
		}
		r.torn = false
	}
	if _, err := r.file.Write(data); err != nil {
		r.file.Truncate(r.end)
		return err
	}
	r.end += int64(len(data))
	return nil
}

// close syncs everything to the disk, closes the record and releases its lock.
func (r *record) close() error {
	return errors.Join(r.file.Sync(), r.file.Close(), r.lock.Release())
}

// differences returns the flags by which settings differ, or "".
func differences(had, want replay.Settings) string {
	var with, not []string
	for i, h := range settingFlags(had) {
		if w := settingFlags(want)[i]; h != w {
			with, not = append(with, h), append(not, w)
		}
	}
	if with == nil {
		return ""
	}
	return fmt.Sprintf("made with %s, not with %s", strings.Join(with, " "), strings.Join(not, " "))
}

// settingFlags returns the flags that produce settings.
func settingFlags(s replay.Settings) []string {
	size := board.FormatSize(int(s.Width), int(s.Height))
	share := func(thousandths uint16) float64 { return float64(thousandths) / 1000 }
	list := []any{
		"rule", s.Rule, "size", size, "nodes", s.Nodes, "noise", share(s.Noise), "noise-plies", s.NoisePlies,
		"side-moves", share(s.SideMoves), "tree", share(s.TreeLines), "balance", s.Balance, "seed", s.Seed,
	}
	var flags []string
	for i := 0; i < len(list); i += 2 {
		flags = append(flags, fmt.Sprintf("--%s %v", list[i], list[i+1]))
	}
	if s.Tables == 0 {
		flags = append(flags, "--tables hand")
	} else {
		flags = append(flags, fmt.Sprintf("--tables of checksum %08x", s.Tables))
	}
	if s.Net == 0 {
		return append(flags, "--evaluator tables")
	}
	return append(flags, fmt.Sprintf("--net of checksum %08x", s.Net))
}
