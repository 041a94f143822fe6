package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A table is the board as the engine should see it, according to the dialogue.
// It understands everything an engine should.
type table struct {
	width, height int
	taken         map[point]bool
	block         string         // the command of the open block, or ""
	before        map[point]bool // points taken when the block was opened
	bad           bool           // the block has a line that is not a stone, off the board or repeated
	asked         int            // unanswered requests
}

// newTable returns a table before any START.
func newTable() *table { return &table{taken: map[point]bool{}} }

// hear processes a line sent to the engine.
func (t *table) hear(line string) {
	word, args := firstWord(strings.TrimPrefix(line, "\uFEFF"))
	switch word = strings.ToUpper(word); {
	case word == "DONE":
		if t.block == "BOARD" || t.block == "SWAP2BOARD" {
			t.asked++
		}
		if t.block != "" && t.bad {
			t.taken = t.before
		}
		t.block = ""
	case t.block != "":
		p, ok := leadingPoint(line)
		t.bad = t.bad || word != "" && (!ok || !t.has(p) || t.taken[p])
		t.put(p, ok)
	case word == "START", word == "RECTSTART":
		t.start(args)
	case word == "RESTART":
		clear(t.taken)
	case word == "BEGIN":
		t.asked++
	case word == "TURN", word == "PLAY":
		t.put(leadingPoint(args))
		t.asked++
		if word == "PLAY" {
			p, _ := leadingPoint(args)
			delete(t.taken, p) // the answer takes the point
		}
	case word == "TAKEBACK":
		p, _ := leadingPoint(args)
		delete(t.taken, p)
	case word == "BOARD", word == "SWAP2BOARD", word == "YXBOARD":
		t.before, t.taken, t.bad = t.taken, map[point]bool{}, false
		t.block = word
		for field := range strings.FieldsSeq(args) {
			t.hear(field)
		}
	}
}

// start handles the size of a board.
func (t *table) start(args string) {
	f := strings.FieldsFunc(args, func(r rune) bool { return r < '0' || r > '9' })
	if len(f) == 0 || strings.HasPrefix(args, "-") {
		return
	}
	width, err := strconv.Atoi(f[0])
	height, err2 := strconv.Atoi(f[len(f)-1])
	if err == nil && err2 == nil {
		t.width, t.height = width, height
		clear(t.taken)
	}
}

// put occupies a point, if valid.
func (t *table) put(p point, ok bool) {
	if ok && t.has(p) {
		t.taken[p] = true
	}
}

// has reports whether p is on the board.
func (t *table) has(p point) bool { return p.x >= 0 && p.x < t.width && p.y >= 0 && p.y < t.height }

// free returns an empty point near the middle.
func (t *table) free() point {
	best, bestDistance := point{}, -1
	for y := range t.height {
		for x := range t.width {
			p := point{x, y}
			dx, dy := 2*x-t.width, 2*y-t.height
			if d := dx*dx + dy*dy; !t.taken[p] && (bestDistance < 0 || d < bestDistance) {
				best, bestDistance = p, d
			}
		}
	}
	return best
}

// firstWord splits a line after its first word.
func firstWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}

// leadingPoint parses the two numbers and the comma with which s begins, as
// leniently as the most lenient manager.
func leadingPoint(s string) (p point, ok bool) {
	x, rest, found := strings.Cut(s, ",")
	if !found {
		return p, false
	}
	y := strings.TrimLeft(rest, " \t")
	end := 0
	for end < len(y) && (y[end] >= '0' && y[end] <= '9' || end == 0 && y[end] == '-') {
		end++
	}
	var err, err2 error
	p.x, err = strconv.Atoi(strings.TrimSpace(x))
	p.y, err2 = strconv.Atoi(y[:end])
	return p, err == nil && err2 == nil
}

// isMessage reports whether a line is one that may come at any time.
func isMessage(line string) bool {
	word, _ := firstWord(line)
	return strings.EqualFold(word, "MESSAGE") || strings.EqualFold(word, "DEBUG")
}

// points returns the points of a line, or nil if it has anything else.
func points(line string) []point {
	var list []point
	for word := range strings.FieldsSeq(strings.ReplaceAll(line, ", ", ",")) {
		p, ok := leadingPoint(word)
		if !ok {
			return nil
		}
		list = append(list, p)
	}
	return list
}

// satisfies returns "" if a line is a wanted answer, and otherwise what is
// wrong with it.
func (t *table) satisfies(w want, line string) string {
	word, _ := firstWord(line)
	is := func(name string) string {
		if strings.EqualFold(word, name) {
			return ""
		}
		return "it is not " + name
	}
	switch w.form {
	case formOK:
		if line != "OK" {
			return "it is not exactly OK"
		}
	case formSilent, formExit:
		return "nothing was asked"
	case formReady:
		return is("OK")
	case formError:
		return is("ERROR")
	case formUnknown:
		return is("UNKNOWN")
	case formSwap:
		return is("SWAP")
	case formMove:
		p, ok := leadingPoint(line)
		if !ok || len(points(line)) > 1 {
			return "it is not a move"
		}
		return t.allows(w, p)
	case formPoints:
		return t.allowsAll(w, points(line))
	case formAbout:
		return aboutFault(line, w.plain)
	case formForbid:
		if !strings.EqualFold(line, "FORBID "+w.digits+".") {
			return "it is not FORBID " + w.digits + "."
		}
	}
	return ""
}

// allows returns what is wrong with a move, or "".
func (t *table) allows(w want, p point) string {
	switch {
	case !t.has(p):
		return fmt.Sprintf("it is off the board of %dx%d", t.width, t.height)
	case t.taken[p]:
		return "the point is taken"
	case len(w.only) > 0 && !slices.Contains(w.only, p):
		return "it is another"
	case slices.Contains(w.not, p):
		return "it is not"
	}
	return ""
}

// allowsAll returns what is wrong with the points of an opening, or "".
func (t *table) allowsAll(w want, points []point) string {
	if !slices.Contains(w.counts, len(points)) {
		return fmt.Sprintf("it has %d points", len(points))
	}
	for i, p := range points {
		if fault := t.allows(w, p); fault != "" {
			return fmt.Sprintf("%v: %s", p, fault)
		}
		if slices.Contains(points[:i], p) {
			return fmt.Sprintf("%v comes twice", p)
		}
	}
	return ""
}

func list(points []point) string {
	var words []string
	for _, p := range points {
		words = append(words, p.String())
	}
	return strings.Join(words, " or ")
}

// aboutFault returns what is wrong with an answer to ABOUT, or "". Plain
// requires that splitting it at commas and = gives pairs.
func aboutFault(line string, plain bool) string {
	if !strings.Contains(line, `name="`) {
		return `it has no name="…"`
	}
	if !plain {
		return ""
	}
	for pair := range strings.SplitSeq(line, ",") {
		if strings.Count(pair, "=") != 1 {
			return fmt.Sprintf("the part %q is not a pair of a name and a value", strings.TrimSpace(pair))
		}
	}
	return ""
}

// describe describes the wanted answer in words.
func (w want) describe() string {
	switch w.form {
	case formOK:
		return "OK"
	case formMove:
		switch {
		case len(w.only) > 0:
			return "the move " + list(w.only)
		case len(w.not) > 0:
			return "a move other than " + list(w.not)
		}
		return "a move"
	case formPoints:
		var words []string
		for _, n := range w.counts {
			words = append(words, strconv.Itoa(n))
		}
		return strings.Join(words, " or ") + " points"
	case formSilent:
		return "no answer"
	case formExit:
		return "the end of the process"
	case formAbout:
		return `a line with name="…"`
	case formAny:
		return "a line"
	case formReady:
		return "OK"
	case formForbid:
		return "FORBID " + w.digits + "."
	}
	return strings.ToUpper(formNames[w.form])
}

// describe describes the wanted answers in words.
func (s *step) describe() string {
	var words []string
	for _, w := range s.wants {
		words = append(words, w.describe())
	}
	return strings.Join(words, " or ")
}
