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
	// settle is how long after an answer a second one is looked for: both are
	// mostly written together.
	settle = 5 * time.Millisecond

	// lastSettle is the same at the end of a vector.
	lastSettle = 20 * time.Millisecond

	// maxTalk and maxShown bound what a Result tells of a dialogue.
	maxTalk, maxShown = 16, 120
)

// A session is a process of the engine and what it and we have said.
type session struct {
	ctx     context.Context
	process *process.Process
	table   *table
	moves   []point   // the engine's
	sent    time.Time // when the last lines were
	talk    []string  // the end of the dialogue
	lines   int       // that were received
	ready   bool      // START has been answered
	gone    bool      // the process was expected to end
	seen    *hygiene
}

// An event is why receive returned.
type event uint8

const (
	lineCame event = iota
	timeOver
	processGone
)

// say sends lines. What comes before them, unless an answer is awaited, is no
// answer to them.
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

// eol returns the end of a line as far as it is remarkable.
func eol(line process.Line) string {
	if line.CR {
		return "\r"
	}
	return ""
}

// drain receives what was not asked for.
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

// note keeps a line of the dialogue.
func (s *session) note(direction, line string) {
	if len(s.talk) == maxTalk {
		s.talk = slices.Delete(s.talk, 0, 1)
	}
	s.talk = append(s.talk, direction+shown(line))
}

// shown makes a line fit to be shown.
func shown(line string) string {
	quoted := strconv.QuoteToASCII(line)
	quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	if len(quoted) > maxShown {
		quoted = fmt.Sprintf("%s… (%d bytes)", quoted[:maxShown], len(line))
	}
	return quoted
}

// took takes note of an answer.
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

// hasWord reports whether word is the first of line, in either case.
func hasWord(line, word string) bool {
	first, _ := firstWord(line)
	return strings.EqualFold(first, word)
}

// expand replaces what stands for something in a line to send.
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

// hygiene is what is to be said about the output of the engine as a whole:
// for each monitor of the table the faults, the first of a kind. What it says
// to things that no manager sends does not count.
type hygiene struct {
	vector string // that is being run
	off    bool   // it does not count
	faults map[string][]string
}

// add takes note of a fault.
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

// unasked takes note of a line that is no answer to anything. A second ERROR,
// to the rest of what was not understood, is no second answer.
func (h *hygiene) unasked(line string) {
	if !hasWord(line, "ERROR") && !hasWord(line, "UNKNOWN") {
		h.add("count", "a line that was not asked for", line)
	}
}

// line judges the form of any line.
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
	case "", "OK", "FORBID": // h1 asks for the form of OK
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

// isMove reports whether a line is a single point, in whatever form.
func isMove(line string) bool {
	_, ok := leadingPoint(line)
	return ok && len(points(line)) < 2
}

// isExact reports whether a line has points exactly as they should be.
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
