package protocol

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"kumiko/engine/board"
)

// A Verb is what a line asks for.
type Verb uint8

// The verbs. Blank is a line with nothing on it, Unknown any word that we do
// not know.
const (
	Blank Verb = iota
	Unknown
	Start
	RectStart
	Restart
	Begin
	Turn
	Board
	Swap2Board
	TakeBack
	Play
	Info
	About
	End
	Done
	Stop
	YXBoard
	YXNBest
	YXShowInfo
	YXShowForbid
	YXHashClear
)

// verbs are the words of the verbs, which managers send in either case.
var verbs = map[string]Verb{
	"START":        Start,
	"RECTSTART":    RectStart,
	"RESTART":      Restart,
	"BEGIN":        Begin,
	"TURN":         Turn,
	"BOARD":        Board,
	"SWAP2BOARD":   Swap2Board,
	"TAKEBACK":     TakeBack,
	"PLAY":         Play,
	"INFO":         Info,
	"ABOUT":        About,
	"END":          End,
	"DONE":         Done,
	"STOP":         Stop,
	"YXSTOP":       Stop,
	"YXBOARD":      YXBoard,
	"YXNBEST":      YXNBest,
	"YXSHOWINFO":   YXShowInfo,
	"YXSHOWFORBID": YXShowForbid,
	"YXHASHCLEAR":  YXHashClear,
}

// A Command is one line, taken apart.
type Command struct {
	Verb Verb
	Word string // the first word as it was sent, "start"
	Args string // the rest, "15 15"

	// The numbers of the verbs that have some, as large as they came: column
	// and row of TURN, TAKEBACK and PLAY, width and height of START (equal if
	// only one was given) and RECTSTART, the count of YXNBEST in X.
	X, Y int

	// INFO's key in lower case and its value, which may contain blanks.
	Key, Value string
}

// Lower reports whether the command's word was sent in lower case, as
// Yixin-Board does.
func (c Command) Lower() bool { return c.Word == strings.ToLower(c.Word) }

var (
	errPoint = errors.New("two numbers expected, such as 7,7")
	errSize  = fmt.Errorf("sizes from %d to %d are supported, such as 20", board.MinSize, board.MaxSize)
)

// Parse takes a line apart. An error tells what is wrong with the arguments
// of a verb that we know; the verb is valid even so.
func Parse(line string) (Command, error) {
	line = clean(line)
	word, args := cutWord(line)
	if word == "" {
		return Command{Verb: Blank}, nil
	}
	verb, ok := verbs[strings.ToUpper(word)]
	if !ok {
		verb = Unknown
	}
	c := Command{Verb: verb, Word: word, Args: args}
	err := c.parseArgs()
	return c, err
}

// parseArgs sets the fields that depend on the verb.
func (c *Command) parseArgs() error {
	switch c.Verb {
	case Start, RectStart:
		n, rest := numbers(c.Args, ",xX")
		if rest != "" || len(n) < 1 || len(n) > 2 || c.Verb == RectStart && len(n) != 2 {
			return errSize
		}
		c.X, c.Y = n[0], n[len(n)-1]
	case Turn, TakeBack, Play:
		n, rest := numbers(c.Args, ",")
		if rest != "" || len(n) < 2 {
			return errPoint
		}
		c.X, c.Y = n[0], n[1]
	case YXNBest:
		c.X = 1
		if n, _ := numbers(c.Args, ","); len(n) > 0 {
			c.X = n[0]
		}
	case Info:
		key, value := cutWord(c.Args)
		c.Key, c.Value = strings.ToLower(key), value
	}
	return nil
}

// A span says which lines after a command of a foreign dialect belong to it.
type span uint8

const (
	noLines   span = iota
	oneLine        // the next line is a file name
	untilDone      // everything up to DONE
)

// span returns what must be swallowed after an unknown command, lest points
// or file names be taken for commands.
func (c Command) span() span {
	word := strings.ToUpper(c.Word)
	switch {
	case strings.HasSuffix(word, "RESET"):
		return noLines
	case strings.HasSuffix(word, "BOARD"), strings.HasPrefix(word, "YXBLOCK"),
		strings.HasPrefix(word, "YXQUERYDATABASE"), strings.HasPrefix(word, "YXDELETEDATABASE"),
		strings.HasPrefix(word, "YXEDIT"):
		return untilDone
	case word == "YXHASHDUMP", word == "YXHASHLOAD", word == "YXSETDATABASE":
		return oneLine
	}
	return noLines
}

// An Entry is one point of a BOARD block. Field is 1 for a stone of the side
// that shall answer, 2 for the opponent's, 3 for one out of play, and 0 if
// none was given.
type Entry struct {
	X, Y, Field int
}

// ParseEntries reads a line of a BOARD block, in which several entries may be
// separated by blanks. It skips what is no entry. Done reports whether the
// line ended the block.
func ParseEntries(line string) (entries []Entry, done bool) {
	line = clean(line)
	if n, rest := numbers(line, ""); rest == "" && (len(n) == 2 || len(n) == 3) {
		return []Entry{entryOf(n)}, false // "7 7 1"
	}
	for line != "" {
		n, rest := list(line)
		word, next := cutWord(rest)
		switch {
		case n == nil && strings.EqualFold(word, "DONE"):
			return entries, true
		case strings.Trim(word, ",") == "" && (len(n) == 2 || len(n) == 3):
			entries = append(entries, entryOf(n))
		}
		line = next
	}
	return entries, false
}

func entryOf(n []int) Entry {
	e := Entry{X: n[0], Y: n[1]}
	if len(n) == 3 {
		e.Field = n[2]
	}
	return e
}

// clean drops what may surround or pollute a command: a byte order mark, NUL
// bytes, blanks and control characters at both ends.
func clean(line string) string {
	line = strings.TrimPrefix(strings.TrimLeftFunc(line, isBlank), "\uFEFF")
	if strings.IndexByte(line, 0) >= 0 {
		line = strings.ReplaceAll(line, "\x00", "")
	}
	return strings.TrimFunc(line, isBlank)
}

// isBlank reports whether r separates words: a blank, a tab or some other
// control character.
func isBlank(r rune) bool { return r <= ' ' }

// cutWord splits a clean line after its first word.
func cutWord(line string) (word, rest string) {
	if i := strings.IndexFunc(line, isBlank); i >= 0 {
		return line[:i], strings.TrimLeftFunc(line[i:], isBlank)
	}
	return line, ""
}

// numbers reads the integers at the beginning of s, which are separated by
// blanks, by one of the signs in seps, or by both. It returns what it could
// not read, "" if that is nothing.
func numbers(s, seps string) (n []int, rest string) {
	rest = strings.TrimLeftFunc(s, isBlank)
	for rest != "" {
		v, tail, ok := leadingInt(rest)
		if !ok {
			return n, rest
		}
		n = append(n, v)
		rest = strings.TrimLeftFunc(tail, isBlank)
		separated := rest != tail
		if rest != "" && strings.IndexByte(seps, rest[0]) >= 0 {
			rest = strings.TrimLeftFunc(rest[1:], isBlank)
			separated = rest != ""
		}
		if !separated && tail != "" {
			return n, tail
		}
	}
	return n, ""
}

// list reads the integers at the beginning of s as far as they are separated
// by commas, and what follows.
func list(s string) (n []int, rest string) {
	v, rest, ok := leadingInt(s)
	for ok {
		n = append(n, v)
		after, comma := strings.CutPrefix(strings.TrimLeftFunc(rest, isBlank), ",")
		if !comma {
			break
		}
		var tail string
		if v, tail, ok = leadingInt(strings.TrimLeftFunc(after, isBlank)); ok {
			rest = tail
		}
	}
	return n, rest
}

// leadingInt is leadingInt64 for 32 bits.
func leadingInt(s string) (v int, rest string, ok bool) {
	w, rest, ok := leadingInt64(s)
	return int(min(max(w, math.MinInt32), math.MaxInt32)), rest, ok
}

// leadingInt64 reads a decimal integer at the beginning of s. One that is out
// of range becomes the nearest that is not.
func leadingInt64(s string) (v int64, rest string, ok bool) {
	i := 0
	negative := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		negative = s[i] == '-'
		i++
	}
	digits := i
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if d := int64(s[i] - '0'); v <= (math.MaxInt64-d)/10 {
			v = v*10 + d
		} else {
			v = math.MaxInt64
		}
	}
	if negative {
		v = -v
	}
	return v, s[i:], i > digits
}

// unknownReply answers a word that we do not know. It repeats the word as far
// as it is short and plain.
func unknownReply(word string) string {
	const most = 20
	plain := strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7F {
			return r
		}
		return '?'
	}, word[:min(len(word), most)])
	return "UNKNOWN command " + plain
}

// errorReply answers a command that cannot be obeyed.
func errorReply(text string) string { return "ERROR " + text }
