// Package replay reads and writes records of games for training: moves with the
// scores of the search, policies, and results.
//
// A record is an append-only file of games. Checksums cover everything, including
// lengths, so damage is never mistaken for the end. A reader skips only an
// incomplete game at the very end, which an interrupted write leaves.
package replay

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"kumiko/engine/board"
)

// A Ply is one move of a game with the results of its search.
type Ply struct {
	Move  board.Move
	Score int16 // of the search, for the side to move
	Flags Flags
	// Policy is the search effort by move, greatest for the best one, or nil if
	// it is unknown. Moves that it omits have weight 0.
	Policy []Weight
}

// A Weight is the share of a move in a policy. Only the ratios of shares matter.
type Weight struct {
	Move  board.Move
	Share uint16
}

// Flags describe how a move was chosen.
type Flags uint8

const (
	// Proven marks a score that is a proven win or loss.
	Proven Flags = 1 << iota
	// Forced marks the only move, made without a search: Score is meaningless.
	Forced
	// Random marks a move other than the search's best. Score is that of the
	// best.
	Random
	// Side marks a move of a side line: one that was tried but not played. The
	// moves of a side line are taken back together with the ply after them, the
	// search's answer. They have no scores.
	Side

	allFlags = Proven | Forced | Random | Side
	// hasPolicy is set in a file if a policy follows.
	hasPolicy Flags = 1 << 7
)

// A Game is a game from the empty board.
type Game struct {
	// Opening is the number of plies of the opening, which have neither scores
	// nor flags.
	Opening int
	Plies   []Ply // side lines included
	// Result is 1 if black won, -1 if white won, 0 for a draw. A game may have
	// been adjudicated before its end.
	Result int
}

// Settings are the settings with which the games of a record were made. Together
// with the number of a game and the program they determine the game.
type Settings struct {
	Seed          uint64
	Nodes         uint32 // of the search of each move
	Tables        uint32 // checksum of the pattern tables, 0 for the hand-made ones
	Noise         uint16 // chance of a random move, in thousandths
	NoisePlies    uint16 // plies after the opening in which random moves occur
	Balance       uint16 // bound on the score of openings
	SideMoves     uint16 // mean number of side lines of one move before a move, in thousandths
	TreeLines     uint16 // likewise of side lines to positions of the search tree
	Rule          board.Rule
	Width, Height uint8
	Net           uint32 // checksum of the network, 0 if the tables evaluated
}

// check returns an error if the settings are invalid.
func (s Settings) check() error {
	_, err := board.New(int(s.Width), int(s.Height), s.Rule)
	return err
}

// The format of a record, little-endian throughout:
//
//	magic    [8]byte, the last one the version
//	Settings in the order of its fields; version 4 lacks the last, Net
//	sum      uint32, CRC-32 (IEEE) of the record up to here
//	games, each
//	    number   uint32, from 0
//	    size     uint32, of the part between the sums
//	    sum      uint32, of number and size
//	    opening  uint8
//	    result   int8
//	    plies    uint16
//	    plies times: move uint16, score int16, flags uint8, and with hasPolicy
//	        moves uint16, moves times: move uint16, share uint16
//	    sum      uint32, of everything since the previous one
var magic = [8]byte{'k', 'u', 'm', 'i', 'r', 'e', 'c', version}

const (
	version    = 5
	tablesOnly = 4 // version without a network, for records that have none

	sumSize    = crc32.Size
	frameSize  = 4 + 4 + sumSize
	gameSize   = 1 + 1 + 2
	plySize    = 2 + 2 + 1
	weightSize = 2 + 2
	// maxSize bounds the size of a game.
	maxSize = 1 << 28
)

// netSize is the size of what version 4 lacks.
const netSize = 4

// headerSize returns the size of what precedes the games.
func headerSize(version uint8) int {
	n := len(magic) + binary.Size(Settings{}) + sumSize
	if version == tablesOnly {
		n -= netSize
	}
	return n
}

// AppendHeader appends the header of a record.
func AppendHeader(dst []byte, s Settings) []byte {
	start := len(dst)
	dst = append(dst, magic[:]...)
	dst, err := binary.Append(dst, binary.LittleEndian, s)
	if err != nil {
		panic(err) // Settings has a fixed size
	}
	if s.Net == 0 {
		dst[start+len(magic)-1] = tablesOnly
		dst = dst[:len(dst)-netSize]
	}
	return appendSum(dst, start)
}

// appendSum appends the checksum of dst[start:].
func appendSum(dst []byte, start int) []byte {
	return binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:]))
}

// AppendGame appends a game to a record; number counts games from 0.
func AppendGame(dst []byte, number int, g *Game) ([]byte, error) {
	if len(g.Plies) > math.MaxUint16 || g.Opening < 0 || g.Opening > min(len(g.Plies), math.MaxUint8) {
		return dst, fmt.Errorf("replay: a game of %d plies, %d of them opening, cannot be recorded", len(g.Plies), g.Opening)
	}
	size := gameSize
	for i := range g.Plies {
		size += plySize
		if n := len(g.Plies[i].Policy); n > math.MaxUint16 {
			return dst, fmt.Errorf("replay: a policy of %d moves cannot be recorded", n)
		} else if n > 0 {
			size += 2 + n*weightSize
		}
	}
	if size > maxSize || number < 0 || number > math.MaxUint32 {
		return dst, fmt.Errorf("replay: game %d of %d bytes cannot be recorded", number+1, size)
	}
	start := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(number))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	dst = appendSum(dst, start)
	start = len(dst)
	dst = append(dst, uint8(g.Opening), uint8(int8(g.Result)))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(g.Plies)))
	for i := range g.Plies {
		dst = appendPly(dst, &g.Plies[i])
	}
	return appendSum(dst, start), nil
}

func appendPly(dst []byte, p *Ply) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, uint16(p.Move))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(p.Score))
	if len(p.Policy) == 0 {
		return append(dst, uint8(p.Flags))
	}
	dst = append(dst, uint8(p.Flags|hasPolicy))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(p.Policy)))
	for _, w := range p.Policy {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(w.Move))
		dst = binary.LittleEndian.AppendUint16(dst, w.Share)
	}
	return dst
}
