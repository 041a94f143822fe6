// Package wire parses and formats the lines of the Piskvork protocol: commands,
// the entries of a block, INFO and replies. It performs no I/O and knows nothing
// of the game.
//
// Parsing is lenient, since managers differ: case and extra blanks do not matter,
// and numbers out of range are clamped. Formatting is strict, since managers
// differ in what they can read.
package wire

import (
	"errors"
	"fmt"
	"strings"

	"kumiko/engine/board"
)

// A Verb is the command of a line.
type Verb uint8

// The verbs. Blank is an empty line, Unknown any other word.
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

// verbs maps words, which managers send in either case, to verbs.
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

// longestVerb is the length of the longest word in verbs.
const longestVerb = len("YXSHOWFORBID")

// A Command is a parsed line.
type Command struct {
	Verb Verb
	Word string // the first word as it was sent, "start"
	Args string // the rest, "15 15"

	// The numbers of the command, unchecked: column and row of TURN, TAKEBACK
	// and PLAY, width and height of START (equal if only one was given) and
	// RECTSTART, the count of YXNBEST in X.
	X, Y int

	Setting Setting // of INFO
}

var (
	errPoint = errors.New("two numbers expected, such as 7,7")

	// ErrSize reports an unsupported board size.
	ErrSize = fmt.Errorf("sizes from %d to %d are supported, such as 20", board.MinSize, board.MaxSize)
)

// Parse parses a line. An error is about the arguments of a known verb; the verb
// is set even then.
func Parse(line string) (Command, error) {
	line = clean(line)
	word, args := cutWord(line)
	if word == "" {
		return Command{Verb: Blank}, nil
	}
	verb := Unknown
	if len(word) <= longestVerb { // long words would be garbage
		if v, ok := verbs[strings.ToUpper(word)]; ok {
			verb = v
		}
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
			return ErrSize
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
		c.Setting = parseSetting(c.Args)
	}
	return nil
}

// Yixin reports whether only programs of Yixin's family send such a command: one
// of their own words, or START with two sizes in lower case.
func (c Command) Yixin() bool {
	switch c.Verb {
	case Stop:
		return false // c-gomoku-cli sends YXSTOP to every engine
	case Start:
		n, _ := numbers(c.Args, ",")
		return len(n) == 2 && c.Word == strings.ToLower(c.Word)
	case Info:
		return c.Setting.Key == ShowDetail && c.Setting.IsNumber
	}
	return len(c.Word) > 2 && strings.EqualFold(c.Word[:2], "yx")
}

// YixinBoard reports whether only Yixin-Board sends such a command: YXSHOWINFO in
// lower case. gomoku-calculator, which writes column,row, does not send it.
func (c Command) YixinBoard() bool {
	return c.Verb == YXShowInfo && c.Word == strings.ToLower(c.Word)
}

// A Span is the lines after a command that belong to it.
type Span uint8

// The spans.
const (
	NoLines   Span = iota
	OneLine        // the next line is a file name
	UntilDone      // everything up to DONE
)

// Span returns the lines that belong to a command, even an unknown one, whose
// points and file names would otherwise be read as commands.
func (c Command) Span() Span {
	word := strings.ToUpper(c.Word)
	switch {
	case strings.HasSuffix(word, "RESET"):
		return NoLines
	case strings.HasSuffix(word, "BOARD"), strings.HasPrefix(word, "YXBLOCK"),
		strings.HasPrefix(word, "YXQUERYDATABASE"), strings.HasPrefix(word, "YXDELETEDATABASE"),
		strings.HasPrefix(word, "YXEDIT"):
		return UntilDone
	case word == "YXHASHDUMP", word == "YXHASHLOAD", word == "YXSETDATABASE":
		return OneLine
	}
	return NoLines
}
