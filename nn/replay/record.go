// Package replay holds records of games to learn from: the moves, what the
// search thought of them, and how each game ended.
package replay

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"kumiko/engine/board"
)

// A Ply is one move of a game and what was known when it was made.
type Ply struct {
	Move  board.Move
	Score int16 // of the search, for the side that moves
	Flags Flags
}

// Flags tell how a move came about.
type Flags uint8

const (
	// Proven marks a score that is a proven win or loss.
	Proven Flags = 1 << iota
	// Forced marks the only move, made without a search: Score means nothing.
	Forced
	// Random marks a move that is not the one the search liked best. Score is
	// still that of the best.
	Random
	// Aside marks a move that was not made but tried. The line of such moves
	// is taken back together with the ply that follows it in the record: what
	// the search would have answered. Asides have no scores.
	Aside

	allFlags = Proven | Forced | Random | Aside
)

// A Game is a game from the empty board on.
type Game struct {
	// Opening is the number of plies at the beginning that were made up; they
	// have neither scores nor flags.
	Opening int
	Plies   []Ply // asides included
	// Result is 1 if black won, -1 if white did, 0 for a draw. It may have
	// been known before the board showed it.
	Result int
}

// Settings say how the games of a record were made. Together with the number
// of a game and the program they determine the game.
type Settings struct {
	Seed          uint64
	Nodes         uint32 // of the search of each move
	Tables        uint32 // checksum of the pattern tables, 0 for those made by hand
	Noise         uint16 // chance of a random move, in thousandths
	NoisePlies    uint16 // plies after the opening within which such moves happen
	Balance       uint16 // bound on the score of openings
	Asides        uint16 // mean number of single asides before a move, in thousandths
	Tree          uint16 // likewise of lines to positions that the search looked at
	Rule          board.Rule
	Width, Height uint8
}

// check reports settings that no games can have.
func (s Settings) check() error {
	_, err := board.New(int(s.Width), int(s.Height), s.Rule)
	return err
}

// A record is, little-endian throughout,
//
//	magic  [8]byte, the last one the version
//	Settings in the order of its fields
//	games, each
//	    plies   uint16
//	    opening uint8
//	    result  int8
//	    plies times: move uint16, score int16, flags uint8
//	    sum     uint32, CRC-32 (IEEE) of the game up to here
//
// so that an interrupted program leaves behind a good record and a piece of a
// game, which can be told from it.
var magic = [8]byte{'k', 'u', 'm', 'i', 'r', 'e', 'c', 3}

const (
	gameHeader = 4
	plySize    = 5
)

// ErrTruncated is the error of a record that ends within a game.
var ErrTruncated = errors.New("the record ends within a game")

// AppendHeader appends what begins a record.
func AppendHeader(dst []byte, s Settings) []byte {
	dst = append(dst, magic[:]...)
	dst, err := binary.Append(dst, binary.LittleEndian, s)
	if err != nil {
		panic(err) // Settings has a fixed size
	}
	return dst
}

// AppendGame appends a game to a record.
func AppendGame(dst []byte, g *Game) ([]byte, error) {
	if len(g.Plies) > math.MaxUint16 || g.Opening < 0 || g.Opening > min(len(g.Plies), math.MaxUint8) {
		return dst, fmt.Errorf("replay: a game of %d plies, %d of them opening, cannot be recorded", len(g.Plies), g.Opening)
	}
	start := len(dst)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(g.Plies)))
	dst = append(dst, uint8(g.Opening), uint8(int8(g.Result)))
	for _, p := range g.Plies {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(p.Move))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(p.Score))
		dst = append(dst, uint8(p.Flags))
	}
	return binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:])), nil
}

// A Reader reads a record.
type Reader struct {
	r        *bufio.Reader
	settings Settings
	offset   int64 // behind the last good game
	games    int
	buf      []byte
}

// NewReader reads the beginning of a record.
func NewReader(r io.Reader) (*Reader, error) {
	br := bufio.NewReader(r)
	var m [8]byte
	var s Settings
	if _, err := io.ReadFull(br, m[:]); err != nil || m != magic {
		return nil, errors.New("replay: not a record of games, or of another version")
	}
	if err := binary.Read(br, binary.LittleEndian, &s); err != nil {
		return nil, fmt.Errorf("replay: reading the settings of a record: %w", err)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("replay: the settings of a record: %w", err)
	}
	return &Reader{r: br, settings: s, offset: int64(len(magic) + binary.Size(s))}, nil
}

// Settings returns how the games were made.
func (r *Reader) Settings() Settings { return r.settings }

// Offset returns where in the record the last game read ends.
func (r *Reader) Offset() int64 { return r.offset }

// Games returns the number of games read.
func (r *Reader) Games() int { return r.games }

// Next returns the next game. Its moves can be made on the board: each goes to
// a point that is empty then, and each line of asides has an answer. The error
// is io.EOF after the last game and wraps ErrTruncated within one.
func (r *Reader) Next() (*Game, error) {
	g, size, err := r.read()
	switch {
	case err == io.EOF:
		return nil, err
	case err == io.ErrUnexpectedEOF:
		return nil, fmt.Errorf("replay: game %d: %w", r.games+1, ErrTruncated)
	case err != nil:
		return nil, fmt.Errorf("replay: game %d: %w", r.games+1, err)
	}
	r.games++
	r.offset += int64(size)
	return g, nil
}

// read reads a game of size bytes. The error is bare.
func (r *Reader) read() (g *Game, size int, err error) {
	var h [gameHeader]byte
	if _, err := io.ReadFull(r.r, h[:]); err != nil {
		return nil, 0, err
	}
	plies := int(binary.LittleEndian.Uint16(h[:]))
	size = gameHeader + plies*plySize + crc32.Size
	r.buf = append(r.buf[:0], h[:]...)
	r.buf = append(r.buf, make([]byte, size-gameHeader)...)
	if _, err := io.ReadFull(r.r, r.buf[gameHeader:]); err != nil {
		return nil, 0, io.ErrUnexpectedEOF
	}
	body := r.buf[:size-crc32.Size]
	if binary.LittleEndian.Uint32(r.buf[len(body):]) != crc32.ChecksumIEEE(body) {
		return nil, 0, errors.New("the checksum is wrong")
	}
	g = &Game{Opening: int(body[2]), Result: int(int8(body[3])), Plies: make([]Ply, plies)}
	for i := range g.Plies {
		p := body[gameHeader+i*plySize:]
		g.Plies[i] = Ply{
			Move:  board.Move(binary.LittleEndian.Uint16(p)),
			Score: int16(binary.LittleEndian.Uint16(p[2:])),
			Flags: Flags(p[4]),
		}
	}
	return g, size, r.check(g)
}

// check reports what cannot be true of a game.
func (r *Reader) check(g *Game) error {
	if g.Opening > len(g.Plies) {
		return fmt.Errorf("an opening of %d plies in a game of %d", g.Opening, len(g.Plies))
	}
	if g.Result < -1 || g.Result > 1 {
		return fmt.Errorf("%d is no result", g.Result)
	}
	var taken [board.MaxSize]uint32
	line := 0 // asides in a row that end at ply i
	for i, p := range g.Plies {
		x, y := p.Move.X(), p.Move.Y()
		switch {
		case x >= int(r.settings.Width) || y >= int(r.settings.Height):
			return fmt.Errorf("ply %d: %v is off the board", i+1, p.Move)
		case taken[y]>>x&1 != 0:
			return fmt.Errorf("ply %d: %v is occupied", i+1, p.Move)
		case p.Flags&^allFlags != 0:
			return fmt.Errorf("ply %d: unknown flags %#x", i+1, p.Flags)
		case p.Flags&Aside != 0 && (i < g.Opening || i == len(g.Plies)-1):
			return fmt.Errorf("ply %d: an aside in the opening or without an answer", i+1)
		}
		if p.Flags&Aside == 0 && line > 0 {
			for _, back := range g.Plies[i-line : i] {
				taken[back.Move.Y()] &^= 1 << back.Move.X()
			}
			line = 0
			continue
		}
		if p.Flags&Aside != 0 {
			line++
		}
		taken[y] |= 1 << x
	}
	return nil
}
