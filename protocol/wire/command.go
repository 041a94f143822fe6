// Package wire reads and writes the lines of the Piskvork protocol: commands,
// the entries of a block and INFO become values, values become replies. It is
// pure: it reads and writes nothing and knows no game.
//
// Reading is lenient, as managers differ: words count in either case, blanks
// do no harm, a number that is out of range becomes the nearest that is not.
// Writing is strict, as managers differ in what they can read.
package wire

import (
	"errors"
	"fmt"
	"strings"

	"kumiko/engine/board"
)

// A Verb is what a line asks for.
type Verb uint8

// The verbs. Blank is a line with nothing on it, Unknown any word that is none
// of ours.
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

	Setting Setting // of INFO
}

var (
	errPoint = errors.New("two numbers expected, such as 7,7")

	// ErrSize says which sizes of the board are supported.
	ErrSize = fmt.Errorf("sizes from %d to %d are supported, such as 20", board.MinSize, board.MaxSize)
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

// Yixin reports whether only a program of Yixin's family sends such a
// command: one of its own words, or START with two sizes in lower case.
func (c Command) Yixin() bool {
	switch c.Verb {
	case Stop:
		return false // c-gomoku-cli sends YXSTOP to everybody
	case Start:
		n, _ := numbers(c.Args, ",")
		return len(n) == 2 && c.Word == strings.ToLower(c.Word)
	case Info:
		return c.Setting.Key == ShowDetail && c.Setting.IsNumber
	}
	return len(c.Word) > 2 && strings.EqualFold(c.Word[:2], "yx")
}

// A Span says which lines after a command belong to it.
type Span uint8

// The spans.
const (
	NoLines   Span = iota
	OneLine        // the next line is a file name
	UntilDone      // everything up to DONE
)

// Span returns which lines belong to a command, also to an unknown one, whose
// points and file names would else be taken for commands.
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
