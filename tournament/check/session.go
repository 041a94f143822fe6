package check

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kumiko/tournament/process"
)

const (
	// settle is how long to wait for a second answer: the two are mostly
	// written together.
	settle = 5 * time.Millisecond

	// lastSettle is settle at the end of a vector.
	lastSettle = 20 * time.Millisecond

	// maxTalk and maxShown bound the dialogue shown in a Result.
	maxTalk, maxShown = 16, 120
)

// A session is a process of the engine and its dialogue.
type session struct {
	ctx     context.Context
	process *process.Process
	table   *table
	moves   []point   // moves of the engine
	sent    time.Time // when the last lines were sent
	talk    []string  // the end of the dialogue
	lines   int       // lines received
	ready   bool      // START has been answered
	gone    bool      // the process is expected to end
	seen    *hygiene
}

// An event is why receive returned.
type event uint8

const (
	lineCame event = iota
	timeOver
	processGone
)

// say sends lines. Output before them, unless an answer is awaited, does not
// count as an answer to them.
func (s *session) say(lines []string) error {
	if s.lines > 0 && s.table.asked == 0 {
		s.drain(settle)
	}
	for _, line := range lines {
		s.note("> ", line)
		s.table.hear(line)
	}
	at, err := s.process.Send(lines...)
	s.sent = at
	return err
}

// receive returns the next line that is neither blank nor a message.
func (s *session) receive(deadline time.Time) (process.Line, event) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	for {
		select {
		case line, ok := <-s.process.Lines():
			if !ok {
				return line, processGone
			}
			s.lines++
			s.note("< ", line.Text+eol(line))
			s.seen.line(line.Text)
			if strings.TrimSpace(line.Text) != "" && !isMessage(line.Text) {
				return line, lineCame
			}
		case <-timer.C:
			return process.Line{}, timeOver
		case <-s.ctx.Done():
			return process.Line{}, timeOver
		}
	}
}

// eol describes the end of a line, if remarkable.
func eol(line process.Line) string {
	if line.CR {
		return "\r"
	}
	return ""
}

// drain receives unsolicited output.
func (s *session) drain(d time.Duration) {
	deadline := time.Now().Add(d)
	for {
		line, event := s.receive(deadline)
		if event != lineCame {
			return
		}
		s.seen.unasked(line.Text)
	}
}

// note records a line of the dialogue.
func (s *session) note(direction, line string) {
	if len(s.talk) == maxTalk {
		s.talk = slices.Delete(s.talk, 0, 1)
	}
	s.talk = append(s.talk, direction+shown(line))
}

// shown makes a line printable and short.
func shown(line string) string {
	quoted := strconv.QuoteToASCII(line)
	quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	if len(quoted) > maxShown {
		quoted = fmt.Sprintf("%s… (%d bytes)", quoted[:maxShown], len(line))
	}
	return quoted
}

// took records an answer.
func (s *session) took(line string) {
	p, isPoint := leadingPoint(line)
	switch {
	case isMove(line) && isPoint:
		s.table.put(p, true)
		s.moves = append(s.moves, p)
	case isPoint, hasWord(line, "SWAP"), hasWord(line, "ERROR"), hasWord(line, "UNKNOWN"):
	default:
		return
	}
	s.table.asked = max(s.table.asked-1, 0)
}

// hasWord reports whether word is the first word of line, ignoring case.
func hasWord(line, word string) bool {
	first, _ := firstWord(line)
	return strings.EqualFold(first, word)
}

// expand replaces the placeholders of a line to send.
func (s *session) expand(line string, rule int, turn time.Duration) string {
	if !strings.Contains(line, "$") {
		return line
	}
	line = strings.ReplaceAll(line, "$free", s.table.free().String())
	line = strings.ReplaceAll(line, "$turn", strconv.FormatInt(turn.Milliseconds(), 10))
	line = strings.ReplaceAll(line, "$rule", strconv.Itoa(max(rule, 0)))
	for i, m := range s.moves {
		line = strings.ReplaceAll(line, "$"+strconv.Itoa(i+1), m.String())
	}
	return line
}

// hygiene collects the faults of the engine's output as a whole: for each
// monitor of the table, the first of each kind. Reactions to input that no
// manager sends do not count.
type hygiene struct {
	vector string // the vector being run
	off    bool   // faults do not count
	faults map[string][]string
}

// add records a fault.
func (h *hygiene) add(monitor, kind, example string) {
	if h.off {
		return
	}
	fault := kind
	if example != "" {
		fault = fmt.Sprintf("%s: %s", kind, shown(example))
	}
	for _, f := range h.faults[monitor] {
		if strings.HasPrefix(f, kind) {
			return
		}
	}
	h.faults[monitor] = append(h.faults[monitor], fmt.Sprintf("%s (in %s)", fault, h.vector))
}

// unasked records a line that answers nothing. A second ERROR, to the rest of
// input that was not understood, does not count.
func (h *hygiene) unasked(line string) {
	if !hasWord(line, "ERROR") && !hasWord(line, "UNKNOWN") {
		h.add("count", "a line that was not asked for", line)
	}
}

// line checks the form of any line.
func (h *hygiene) line(line string) {
	word, rest := firstWord(line)
	switch upper := strings.ToUpper(word); upper {
	case "DEBUG":
		h.add("debug", "a DEBUG line", line)
	case "SUGGEST":
		h.add("suggest", "a SUGGEST line", line)
	case "MESSAGE":
		switch {
		case rest == "":
			h.add("form", "MESSAGE without a text", "")
		case word != upper:
			h.add("form", "a reply word in lower case", line)
		}
	case "ERROR", "UNKNOWN", "SWAP":
		if word != upper {
			h.add("form", "a reply word in lower case", line)
		}
	case "", "OK", "FORBID": // h1 checks the form of OK
	default:
		switch {
		case strings.Contains(line, `name="`):
		case points(line) == nil:
			h.add("form", "a line that is no answer", line)
		case !isExact(line):
			h.add("form", "points in another form than 7,7", line)
		}
	}
	if strings.ContainsFunc(line, func(r rune) bool { return r > '~' || r < ' ' && r != '\t' }) {
		h.add("form", "a line that is not ASCII", line)
	}
}

// isMove reports whether a line is a single point in any form.
func isMove(line string) bool {
	_, ok := leadingPoint(line)
	return ok && len(points(line)) < 2
}

// isExact reports whether a line has points in exactly the right form.
func isExact(line string) bool {
	for word := range strings.SplitSeq(line, " ") {
		x, y, _ := strings.Cut(word, ",")
		if !isDigits(x) || !isDigits(y) {
			return false
		}
	}
	return true
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
