package replay

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"kumiko/engine/board"
)

// A TornError reports that a record ends within a game, as after an interrupted
// write.
type TornError struct {
	Games int   // number of complete games
	Bytes int64 // size of the incomplete one
}

func (e *TornError) Error() string {
	return fmt.Sprintf("%d bytes of an unfinished game after game %d", e.Bytes, e.Games)
}

// A Reader reads a record.
type Reader struct {
	r        *bufio.Reader
	settings Settings
	offset   int64 // after the last complete game
	games    int
	buf      bytes.Buffer
}

// A damagedError is the error of a record that was changed after it was written.
type damagedError struct{ error }

func (e *damagedError) Unwrap() error { return e.error }

// ExitCode returns the exit code of the process: no argument was wrong.
func (e *damagedError) ExitCode() int { return 4 }

// NewReader reads the header of a record and returns a reader of its games.
func NewReader(r io.Reader) (*Reader, error) {
	br := bufio.NewReader(r)
	data := make([]byte, headerSize(version))
	n, err := io.ReadFull(br, data[:len(magic)])
	if v := data[len(magic)-1]; err == nil && (v == version || v == tablesOnly) {
		data = data[:headerSize(v)]
		var more int
		more, err = io.ReadFull(br, data[n:])
		n += more
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("replay: %w", err)
	}
	var s Settings
	switch v := data[len(magic)-1]; {
	case n < len(magic) || !bytes.Equal(data[:len(magic)-1], magic[:len(magic)-1]):
		return nil, errors.New("replay: not a record of games")
	case v != version && v != tablesOnly:
		return nil, fmt.Errorf("replay: a record of version %d; this program reads versions %d and %d", v, tablesOnly, version)
	case n < len(data):
		return nil, errors.New("replay: the record ends within its header")
	case !sumFits(data):
		return nil, errors.New("replay: the header of the record is damaged: its checksum is wrong")
	}
	body := data[len(magic) : len(data)-sumSize]
	if len(data) == headerSize(tablesOnly) {
		body = append(bytes.Clone(body), make([]byte, netSize)...)
	}
	if _, err := binary.Decode(body, binary.LittleEndian, &s); err != nil {
		panic(err) // its length has been checked
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("replay: the settings of the record: %w", err)
	}
	return &Reader{r: br, settings: s, offset: int64(len(data))}, nil
}

// sumFits reports whether data ends with the checksum of what precedes it.
func sumFits(data []byte) bool {
	body := data[:len(data)-sumSize]
	return binary.LittleEndian.Uint32(data[len(body):]) == crc32.ChecksumIEEE(body)
}

// Settings returns the settings of the record.
func (r *Reader) Settings() Settings { return r.settings }

// Offset returns the end of the last game read, in bytes from the start.
func (r *Reader) Offset() int64 { return r.offset }

// Games returns the number of games read.
func (r *Reader) Games() int { return r.games }

// Next returns the next game. Its moves are playable: each is on an empty point,
// and each side line has an answer. The error is io.EOF after the last game and a
// *[TornError] if the record ends within a game.
func (r *Reader) Next() (*Game, error) {
	g, size, err := r.read()
	var torn *TornError
	switch {
	case err == io.EOF:
		return nil, err
	case errors.As(err, &torn):
		return nil, fmt.Errorf("replay: %w", err)
	case err != nil:
		return nil, &damagedError{fmt.Errorf("replay: game %d, at byte %d: %w", r.games+1, r.offset, err)}
	}
	r.games++
	r.offset += int64(size)
	return g, nil
}

// read reads a game and returns its size in bytes.
func (r *Reader) read() (g *Game, size int, err error) {
	frame := make([]byte, frameSize)
	switch n, err := io.ReadFull(r.r, frame); {
	case err == io.ErrUnexpectedEOF && r.begins(frame[:n]):
		return nil, 0, &TornError{r.games, int64(n)}
	case err == io.ErrUnexpectedEOF:
		return nil, 0, fmt.Errorf("%d trailing bytes that are not a game", n)
	case err != nil:
		return nil, 0, err
	}
	if !sumFits(frame) {
		if n, zeros := r.zeros(); zeros {
			return nil, 0, &TornError{r.games, frameSize + n}
		}
		return nil, 0, errors.New("wrong checksum of its length")
	}
	number, length := binary.LittleEndian.Uint32(frame), int64(binary.LittleEndian.Uint32(frame[4:]))
	switch {
	case int64(number) != int64(r.games):
		return nil, 0, fmt.Errorf("wrong number %d", int64(number)+1)
	case length < gameSize || length > maxSize:
		return nil, 0, fmt.Errorf("invalid length %d", length)
	}
	r.buf.Reset()
	switch n, err := io.CopyN(&r.buf, r.r, length+sumSize); {
	case err == io.EOF:
		return nil, 0, &TornError{r.games, frameSize + n}
	case err != nil:
		return nil, 0, err
	}
	body := r.buf.Bytes()
	if !sumFits(body) {
		if n, zeros := r.zeros(); zeros && unwritten(body) {
			return nil, 0, &TornError{r.games, int64(frameSize+len(body)) + n}
		}
		return nil, 0, errors.New("wrong checksum")
	}
	if g, err = parseGame(body[:length]); err == nil {
		err = r.check(g)
	}
	return g, frameSize + len(body), err
}

// begins reports whether data may be the beginning of the next game, with zeros at
// its end if it was not completely written.
func (r *Reader) begins(data []byte) bool {
	number := binary.LittleEndian.AppendUint32(nil, uint32(r.games))
	data = bytes.TrimRight(data, "\x00")
	return bytes.HasPrefix(number, data[:min(len(data), len(number))])
}

// zeros reads zeros and returns their number, and whether they extend to the end
// of the record: a system crash may leave them in place of unwritten data.
func (r *Reader) zeros() (n int64, toEnd bool) {
	for ; ; n++ {
		if c, err := r.r.ReadByte(); err != nil || c != 0 {
			return n, err == io.EOF
		}
	}
}

// unwritten reports whether the checksum at the end of data is missing, wholly or
// except for its first bytes, and replaced by zeros.
func unwritten(data []byte) bool {
	body := data[:len(data)-sumSize]
	written := bytes.TrimRight(data[len(body):], "\x00")
	return bytes.HasPrefix(appendSum(bytes.Clone(body), 0)[len(body):], written) && len(written) < sumSize
}

// parseGame parses the part of a game between its checksums.
func parseGame(body []byte) (*Game, error) {
	plies := binary.LittleEndian.Uint16(body[2:])
	g := &Game{Opening: int(body[0]), Result: int(int8(body[1])), Plies: make([]Ply, plies)}
	body = body[gameSize:]
	var ok bool
	for i := range g.Plies {
		if body, ok = g.Plies[i].parse(body); !ok {
			return nil, fmt.Errorf("ply %d of %d is missing", i+1, plies)
		}
	}
	if len(body) > 0 {
		return nil, fmt.Errorf("%d bytes after the last ply", len(body))
	}
	return g, nil
}

// parse parses a ply and returns the rest of data; ok is false if data is too
// short.
func (p *Ply) parse(data []byte) (rest []byte, ok bool) {
	if len(data) < plySize {
		return nil, false
	}
	p.Move = board.Move(binary.LittleEndian.Uint16(data))
	p.Score = int16(binary.LittleEndian.Uint16(data[2:]))
	p.Flags = Flags(data[4])
	data = data[plySize:]
	if p.Flags&hasPolicy == 0 {
		return data, true
	}
	p.Flags &^= hasPolicy
	if len(data) < 2 {
		return nil, false
	}
	n := int(binary.LittleEndian.Uint16(data))
	data = data[2:]
	if n == 0 || len(data) < n*weightSize {
		return nil, false
	}
	p.Policy = make([]Weight, n)
	for i := range p.Policy {
		p.Policy[i] = Weight{board.Move(binary.LittleEndian.Uint16(data)), binary.LittleEndian.Uint16(data[2:])}
		data = data[weightSize:]
	}
	return data, true
}

// check returns an error if a game is impossible.
func (r *Reader) check(g *Game) error {
	if g.Opening > len(g.Plies) {
		return fmt.Errorf("an opening of %d plies in a game of %d", g.Opening, len(g.Plies))
	}
	if g.Result < -1 || g.Result > 1 {
		return fmt.Errorf("invalid result %d", g.Result)
	}
	p := points{width: int(r.settings.Width), height: int(r.settings.Height)}
	line := 0 // plies of the side line that ends at ply i
	for i := range g.Plies {
		ply := &g.Plies[i]
		if err := p.check(ply); err != nil {
			return fmt.Errorf("ply %d: %w", i+1, err)
		}
		side := ply.Flags&Side != 0
		switch {
		case side && (i < g.Opening || i == len(g.Plies)-1):
			return fmt.Errorf("ply %d: a side line in the opening or without an answer", i+1)
		case !side && line > 0:
			for _, back := range g.Plies[i-line : i] {
				p.taken[back.Move.Y()] &^= 1 << back.Move.X()
			}
			line = 0
			continue
		case side:
			line++
		}
		p.taken[ply.Move.Y()] |= 1 << ply.Move.X()
	}
	return nil
}

// points tracks the occupied points of a board.
type points struct {
	width, height int
	taken         [board.MaxSize]uint32
}

// check returns an error if the next ply is impossible.
func (p *points) check(ply *Ply) error {
	if ply.Flags&^allFlags != 0 {
		return fmt.Errorf("unknown flags %#x", uint8(ply.Flags))
	}
	if err := p.empty(ply.Move); err != nil {
		return err
	}
	var seen [board.MaxSize]uint32
	for _, w := range ply.Policy {
		if err := p.empty(w.Move); err != nil {
			return fmt.Errorf("policy: %w", err)
		}
		if seen[w.Move.Y()]>>w.Move.X()&1 != 0 {
			return fmt.Errorf("policy: duplicate move %v", w.Move)
		}
		seen[w.Move.Y()] |= 1 << w.Move.X()
	}
	return nil
}

func (p *points) empty(m board.Move) error {
	switch x, y := m.X(), m.Y(); {
	case x >= p.width || y >= p.height:
		return fmt.Errorf("%v is off the board", m)
	case p.taken[y]>>x&1 != 0:
		return fmt.Errorf("%v is occupied", m)
	}
	return nil
}
