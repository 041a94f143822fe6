package notation

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kumiko/engine/board"
)

// A Saved is a game as Yixin-Board saves it.
type Saved struct {
	Width, Height int
	Moves         []board.Move
}

// ReadSav reads a file of Yixin-Board's extension sav: lines with the height, the
// width and the number of moves, then one with the row and the column, from 0, of
// each move. An error is an *[Error].
func ReadSav(text []byte) (*Saved, error) {
	var g Saved
	lines := strings.Split(strings.TrimRight(string(text), " \t\r\n"), "\n")
	var head [3]int
	for i, what := range []string{"height", "width", "number of moves"} {
		if i >= len(lines) {
			return nil, &Error{i + 1, fmt.Errorf("no %s", what)}
		}
		n, err := strconv.Atoi(strings.TrimSpace(lines[i]))
		if err != nil || n < 0 {
			return nil, &Error{i + 1, fmt.Errorf("invalid %s %.20q", what, strings.TrimSpace(lines[i]))}
		}
		head[i] = n
	}
	g.Height, g.Width = head[0], head[1]
	at, err := newGrid(g.Width, g.Height)
	if err != nil {
		return nil, &Error{1, err}
	}
	moves := lines[3:]
	if len(moves) != head[2] {
		return nil, &Error{3, fmt.Errorf("%d moves are announced, but %d lines follow", head[2], len(moves))}
	}
	for i, line := range moves {
		m, err := at.putRowColumn(line)
		if err != nil {
			return nil, &Error{i + 4, fmt.Errorf("move %d: %w", i+1, err)}
		}
		g.Moves = append(g.Moves, m)
	}
	return &g, nil
}

// putRowColumn occupies the point in a line of ReadSav.
func (g *grid) putRowColumn(line string) (board.Move, error) {
	fields := strings.Fields(line)
	if len(fields) == 2 {
		row, errRow := strconv.Atoi(fields[0])
		column, errColumn := strconv.Atoi(fields[1])
		if errRow == nil && errColumn == nil {
			return g.put(column, row)
		}
	}
	return board.NoMove, fmt.Errorf("invalid point %.20q, want a row and a column such as 7 7", strings.TrimSpace(line))
}

// ReadPos reads a file of Yixin-Board's extension pos: a byte with the number of
// moves, then one byte for each, its row and 15 times its column, from 0. The board
// is 15x15.
func ReadPos(data []byte) (*Saved, error) {
	g := Saved{Width: 15, Height: 15}
	if len(data) == 0 {
		return nil, errors.New("no number of moves")
	}
	if n := int(data[0]); n != len(data)-1 {
		return nil, fmt.Errorf("%d moves are announced, but %d bytes follow", n, len(data)-1)
	}
	at, err := newGrid(g.Width, g.Height)
	if err != nil {
		return nil, err
	}
	for i, b := range data[1:] {
		m, err := at.put(int(b)/15, int(b)%15)
		if err != nil {
			return nil, fmt.Errorf("move %d: byte %d: %w", i+1, b, err)
		}
		g.Moves = append(g.Moves, m)
	}
	return &g, nil
}

// The header of a RenLib file.
const (
	renLibMagic  = "\xffRenLib\xff"
	renLibHeader = 20
)

// IsRenLib reports whether a file is a library of RenLib.
func IsRenLib(data []byte) bool { return bytes.HasPrefix(data, []byte(renLibMagic)) }

// The flags of a node in a RenLib file that matter for its main line.
const (
	renLibText       = 0x01 // a text on the board follows; two bytes of more flags come first
	renLibComment    = 0x08
	renLibOldComment = 0x20 // the same in files of old versions
	renLibLeaf       = 0x40
)

// ReadRenLib reads the main line of a library of RenLib: the first move of every
// branch. The board is 15x15.
func ReadRenLib(data []byte) (*Saved, error) {
	g := Saved{Width: 15, Height: 15}
	if !IsRenLib(data) || len(data) < renLibHeader {
		return nil, errors.New("not a library of RenLib")
	}
	at, err := newGrid(g.Width, g.Height)
	if err != nil {
		return nil, err
	}
	for i := renLibHeader; i < len(data); {
		if i+1 == len(data) {
			return nil, fmt.Errorf("byte %d: the file ends within a node", i)
		}
		point, flags := int(data[i]), data[i+1]
		// The root has no move.
		if point != 0 {
			m, err := at.put(point&15-1, point>>4)
			if err != nil {
				return nil, fmt.Errorf("byte %d: move %d: %w", i, len(g.Moves)+1, err)
			}
			g.Moves = append(g.Moves, m)
		} else if len(g.Moves) > 0 {
			return nil, fmt.Errorf("byte %d: move %d: pass in a game without passes", i, len(g.Moves)+1)
		}
		if flags&renLibLeaf != 0 {
			return &g, nil
		}
		if i, err = skipRenLibTexts(data, i+2, flags); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("the file ends within a branch")
}

// skipRenLibTexts returns where the texts of a node end, which begin at i.
func skipRenLibTexts(data []byte, i int, flags byte) (int, error) {
	texts := 0
	if flags&renLibText != 0 {
		i += 2
		texts++
	}
	if flags&(renLibComment|renLibOldComment) != 0 {
		texts++
	}
	for range texts {
		end := -1
		if i < len(data) {
			end = bytes.IndexByte(data[i:], 0)
		}
		if end < 0 {
			return 0, fmt.Errorf("byte %d: unterminated text", i)
		}
		i += (end + 2) &^ 1 // to an even length, with the zero
	}
	return i, nil
}
