package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"kumiko/tournament/jsonl"
	"kumiko/tournament/outfile"
)

// maxLog is the size of the largest log that can be repaired.
const maxLog = 1 << 31

// A Loss is a line missing from a repaired log.
type Loss struct {
	Line int   // its number, from 1
	Game int   // the line was about; 0 if none or unknown
	Err  error // its kind and fault
}

// A Repair is a log without its damaged lines.
type Repair struct {
	Name  string // of the file with the damage
	Text  []byte // the undamaged lines, unchanged
	Kept  int
	Lost  []Loss
	End   error // the damage behind the last line, which is kept; nil if there is none
	Log   *Log  // the state they record
	Games int   // in the schedule
}

// ReadSound reads the undamaged lines of a log; see Read for path. A log cannot
// be repaired without its first line, which has the settings.
func ReadSound(path string) (*Repair, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, FileName)
	}
	text, err := outfile.ReadUpTo(path, maxLog)
	if err != nil {
		return nil, err
	}
	r := &Repair{Name: path, Log: new(Log)}
	r.Log.book = linesOf(text)
	whole := bytes.Count(text, []byte("\n"))
	for i, line := range bytes.Split(text, []byte("\n")) {
		if i == whole { // a machine that went down may leave zeros
			line = bytes.TrimRight(line, "\x00")
			if value, rest := jsonl.SplitLine(line); len(rest) > 0 {
				line, r.End = value, fmt.Errorf("line %d is kept, without what follows it: %.20q", i+1, rest)
			}
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := r.Log.addLine(line); err != nil {
			r.Lost = append(r.Lost, Loss{i + 1, gameOf(line), err})
			continue
		}
		if r.Log.Run == nil {
			break // only unknown events so far
		}
		r.Text = append(append(r.Text, line...), '\n')
		r.Kept++
	}
	if r.Log.Run == nil {
		cause := errors.New("it is missing")
		if len(r.Lost) > 0 {
			cause = r.Lost[0].Err
		}
		return nil, jsonl.Damage(fmt.Errorf("%s: the first line, which holds the settings, cannot be repaired: %w", path, cause))
	}
	r.Games = r.Log.sched.Len()
	return r, nil
}

// linesOf returns the lines of the book that most of a log's games name: of those that
// contradict each other, the first need not be the undamaged one.
func linesOf(text []byte) bookLines {
	count := &Log{book: bookLines{votes: make(map[[2]int]int)}}
	for line := range bytes.Lines(text) {
		_ = count.addLine(bytes.TrimSpace(line)) // damaged lines have no vote
	}
	return count.book.elected()
}

var gameNumber = regexp.MustCompile(`"g":([0-9]{1,8})[,}]`)

// gameOf returns the game that a damaged line names, or 0 if none can be
// parsed.
func gameOf(line []byte) (number int) {
	if m := gameNumber.FindSubmatch(line); m != nil {
		fmt.Sscan(string(m[1]), &number)
	}
	return number
}

// String describes what was lost.
func (l Loss) String() string {
	game := ""
	if l.Game > 0 {
		game = fmt.Sprintf(" of game %d", l.Game)
	}
	return fmt.Sprintf("line %d%s is lost: %v", l.Line, game, l.Err)
}
